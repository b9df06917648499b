// By how many moves two pieces need more together than each alone, on a board that is empty but for them.
//
// The sum over all pairs is no lower bound, since a move may settle several pairs, but tells states apart that have the
// same sum of single distances: two pieces in each other's way count for more.
#pragma once

#include "base/parallel.hpp"
#include "gourds/board_moves.hpp"

#include <memory>

namespace slidelab {

class PairExcess {
public:
    using Spot = BoardMoves::Spot;

    static std::uint64_t bytes(const BoardMoves& moves, std::size_t pieces) {
        const std::uint64_t side = std::uint64_t{moves.spots()} * pieces;
        return side * side;
    }

    // `alone` has the single distances of each piece to its goal, spot by spot.
    PairExcess(const BoardMoves& moves, std::span<const Spot> goal, std::span<const std::uint16_t> alone,
               unsigned threads, const Tick& tick)
        : spots_(moves.spots()), side_(spots_ * goal.size()) {
        table_ = std::make_unique<std::uint8_t[]>(side_ * side_);
        std::vector<std::pair<std::size_t, std::size_t>> pairs;
        for (std::size_t a = 0; a < goal.size(); ++a)
            for (std::size_t b = a + 1; b < goal.size(); ++b) pairs.emplace_back(a, b);
        parallel_for(pairs.size(), threads, "pairs", tick, [&](std::size_t i, unsigned, const Tick& own) {
            fill(moves, goal, alone, pairs[i].first, pairs[i].second, own);
        });
    }

    // The excess of a piece at a spot with each other piece: that with piece l at spot s is entry l * spots + s.
    const std::uint8_t* row(std::size_t piece, Spot spot) const {
        return table_.get() + (piece * spots_ + spot) * side_;
    }

private:
    static constexpr std::uint8_t unknown = 255;

    void fill(const BoardMoves& moves, std::span<const Spot> goal, std::span<const std::uint16_t> alone, std::size_t a,
              std::size_t b, const Tick& tick) {
        std::vector<std::uint8_t> excess(spots_ * spots_, unknown);
        std::vector<std::uint32_t> now{static_cast<std::uint32_t>(goal[a] * spots_ + goal[b])}, later;
        excess[now[0]] = 0;
        // Breadth first. The depth of a state is the sum of the single distances and its excess.
        for (std::uint32_t depth = 1; !now.empty(); ++depth, std::swap(now, later)) {
            tick("pairs", depth, 0);
            later.clear();
            const auto reach = [&](Spot x, Spot y) {
                auto& entry = excess[x * spots_ + y];
                if (entry != unknown) return;
                const std::uint32_t apart = alone[a * spots_ + x] + alone[b * spots_ + y];
                entry = static_cast<std::uint8_t>(std::min<std::uint32_t>(depth - apart, unknown - 1));
                later.push_back(static_cast<std::uint32_t>(x * spots_ + y));
            };
            for (auto state : now) {
                const auto x = static_cast<Spot>(state / spots_), y = static_cast<Spot>(state % spots_);
                each_step(moves, x, y, [&](Spot next) { reach(next, y); });
                each_step(moves, y, x, [&](Spot next) { reach(x, next); });
            }
        }
        for (std::size_t x = 0; x < spots_; ++x)
            for (std::size_t y = 0; y < spots_; ++y) {
                const std::uint8_t value = excess[x * spots_ + y] == unknown ? 0 : excess[x * spots_ + y];
                table_[(a * spots_ + x) * side_ + b * spots_ + y] = value;
                table_[(b * spots_ + y) * side_ + a * spots_ + x] = value;
            }
    }

    template <class Reach>
    static void each_step(const BoardMoves& moves, Spot spot, Spot other, Reach reach) {
        const auto beside = moves.beside(spot);
        const std::uint64_t* taken = moves.mask(moves.placement(other));
        for (std::size_t i = 0; i < beside.size(); ++i) {
            const auto needed = moves.needs(spot, i);
            bool free = true;
            for (std::size_t w = 0; w < needed.size(); ++w) free &= (needed[w] & taken[w]) == 0;
            if (free) reach(beside[i]);
        }
    }

    std::size_t spots_, side_;
    std::unique_ptr<std::uint8_t[]> table_;
};

}  // namespace slidelab
