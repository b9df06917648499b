// In which part of the board the hole lies, for pattern databases of tiles that know it.
//
// The tiles of a pattern cut the rest of the board into parts. Moves of other tiles take the hole anywhere within its
// part and never to another, so what the pattern needs depends on it. Nearly always the hole is in the largest part.
// A database that knows regions has two entries for each placement of its tiles: one for the hole in the largest part,
// and the least of all others. On 5 x 5 cells, 37 % of the sets of six cells leave several parts, and IDA* with such
// databases has a quarter fewer nodes.
#pragma once

#include "search/move_table.hpp"
#include "search/subsets.hpp"

#include <map>
#include <memory>
#include <mutex>
#include <span>

namespace slidelab {

class HoleRegions {
public:
    static constexpr unsigned max_cells = 26;  // two halves of a set index small tables

    static bool accepts(const MoveTable& moves, std::size_t tiles) {
        return moves.piece_cells() == 1 && moves.turns() == 1 && moves.cells() <= max_cells &&
               moves.pieces() + 1 == moves.cells() && moves.shapes() == moves.cells() && tiles > 0 && tiles <= 8;
    }

    // The neighbours of each cell, cells counted along the line that orders the slots.
    static std::vector<std::uint64_t> neighbours(const MoveTable& moves) {
        std::vector<std::uint64_t> adjacent(moves.cells(), 0);
        const auto& rank = moves.rank();
        for (const auto& arc : moves.arcs())
            adjacent[static_cast<std::size_t>(rank[arc.from])] |= std::uint64_t{1} << rank[arc.to];
        return adjacent;
    }

    // The part of the free cells that a cell of them is in.
    static std::uint64_t part_of(std::span<const std::uint64_t> adjacent, std::uint64_t seed, std::uint64_t free) {
        std::uint64_t part = seed;
        for (std::uint64_t fresh = seed; fresh;) {
            std::uint64_t around = 0;
            for (; fresh; fresh &= fresh - 1) around |= adjacent[static_cast<unsigned>(std::countr_zero(fresh))];
            fresh = around & free & ~part;
            part |= fresh;
        }
        return part;
    }

    // The largest part, of several the one with the smallest cell.
    static std::uint64_t largest_part(std::span<const std::uint64_t> adjacent, std::uint64_t free) {
        std::uint64_t largest = 0;
        while (free) {
            const std::uint64_t part = part_of(adjacent, free & -free, free);
            if (std::popcount(part) > std::popcount(largest)) largest = part;
            free &= ~part;
        }
        return largest;
    }

    HoleRegions(const MoveTable& moves, unsigned tiles)
        : low_(std::size_t{1} << low_cells, 0), high_(std::size_t{1} << low_cells, 0) {
        if (!accepts(moves, tiles)) throw std::invalid_argument("a small board with one hole expected");
        const auto cells = static_cast<unsigned>(moves.cells());
        const Subsets subsets(cells, tiles);
        const auto adjacent = neighbours(moves);
        const std::uint64_t all = (std::uint64_t{1} << cells) - 1;
        // The rank of a set is that of its lower cells, and what the higher ones add after so many.
        for (std::uint64_t set = 0; set <= std::min<std::uint64_t>(all, low_.size() - 1); ++set)
            if (static_cast<unsigned>(std::popcount(set)) <= tiles)
                low_[set] = static_cast<std::uint16_t>(subsets.rank(set));
        for (std::uint64_t set = 0; set << low_cells <= all && set < high_.size(); ++set) {
            const auto count = static_cast<unsigned>(std::popcount(set));
            if (count > tiles || tiles - count > low_cells) continue;
            const std::uint64_t below = (std::uint64_t{1} << (tiles - count)) - 1;
            high_[set] = static_cast<std::uint32_t>(subsets.rank(set << low_cells | below) - subsets.rank(below));
        }
        largest_.reserve(subsets.count());
        std::uint64_t set = (std::uint64_t{1} << tiles) - 1;
        for (std::uint64_t k = 0; k < subsets.count(); ++k, set = Subsets::next(set))
            largest_.push_back(static_cast<std::uint32_t>(largest_part(adjacent, all & ~set)));
    }

    // 1 if the tiles cover these cells and the hole is not in the largest part of the others, else 0.
    SLIDELAB_INLINE std::uint32_t elsewhere(std::uint64_t set, unsigned hole) const {
        const std::uint32_t rank = low_[set & ((std::uint64_t{1} << low_cells) - 1)] + high_[set >> low_cells];
        return ~(largest_[rank] >> hole) & 1;
    }

private:
    static constexpr unsigned low_cells = max_cells / 2;

    std::vector<std::uint16_t> low_;      // what the lower half of a set adds to its rank
    std::vector<std::uint32_t> high_;     // and the upper half
    std::vector<std::uint32_t> largest_;  // cells of the largest part, by the rank of the set
};

// The regions for patterns of each size on one board, which are found when they are first asked for.
class HoleRegionCache {
public:
    std::shared_ptr<const HoleRegions> find(const MoveTable& moves, unsigned tiles) {
        const std::lock_guard guard(mutex_);
        auto& found = found_[tiles];
        if (!found) found = std::make_shared<const HoleRegions>(moves, tiles);
        return found;
    }

private:
    std::mutex mutex_;
    std::map<unsigned, std::shared_ptr<const HoleRegions>> found_;
};

}  // namespace slidelab
