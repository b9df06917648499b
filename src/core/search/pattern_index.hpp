// Pattern databases: exact distances for a few pieces of a puzzle, counting only their own moves.
//
// The other pieces are indistinguishable and their moves are free. So the distances of disjoint patterns add up to a
// lower bound, since every move moves one piece. A database has an entry for every placement of the pieces of the
// pattern: the minimum over all placements of the others.
#pragma once

#include "base/tick.hpp"
#include "group/permutation.hpp"

#include <array>
#include <bit>
#include <vector>

// Only functions that are always inlined can be compiled twice, with and without the processor's own bit count.
#if defined(__GNUC__)
#define SLIDELAB_INLINE [[gnu::always_inline]] inline
#else
#define SLIDELAB_INLINE inline
#endif

namespace slidelab {

// Ranks the n (n-1) ... (n-k+1) placements of k tiles on n cells: each tile's cell is
// counted among those that the tiles before it left free.
class TileRanks {
public:
    static constexpr unsigned max_cells = 64;

    TileRanks() = default;
    TileRanks(unsigned cells, unsigned tiles) : cells_(cells), tiles_(tiles) {
        if (cells > max_cells || tiles > cells || tiles == 0) throw std::invalid_argument("tiles out of range");
        for (unsigned i = 0; i < tiles; ++i) {
            if (count_ > (std::uint64_t{1} << 40) / (cells - i)) throw LimitReached("too many placements of the tiles");
            count_ *= cells - i;
        }
        std::uint64_t w = 1;
        for (unsigned i = tiles; i-- > 0; w *= cells - i) weight_[i] = w;
    }

    std::uint64_t count() const { return count_; }
    unsigned cells() const { return cells_; }
    unsigned tiles() const { return tiles_; }

    template <class Cell>
    SLIDELAB_INLINE std::uint64_t rank(const Cell* cell) const {
        std::uint64_t used = 0, number = 0;
        for (unsigned i = 0; i < tiles_; ++i) {
            const std::uint64_t bit = std::uint64_t{1} << cell[i];
            number += (cell[i] - static_cast<unsigned>(std::popcount(used & (bit - 1)))) * weight_[i];
            used |= bit;
        }
        return number;
    }

    void unrank(std::uint64_t number, std::uint8_t* cell) const {
        std::array<std::uint8_t, max_cells> digit;
        for (unsigned i = tiles_; i-- > 0;) {
            digit[i] = static_cast<std::uint8_t>(number % (cells_ - i));
            number /= cells_ - i;
        }
        std::uint64_t free = all();
        for (unsigned i = 0; i < tiles_; ++i) {
            std::uint64_t rest = free;
            for (unsigned k = digit[i]; k > 0; --k) rest &= rest - 1;
            cell[i] = static_cast<std::uint8_t>(std::countr_zero(rest));
            free &= ~(std::uint64_t{1} << cell[i]);
        }
    }

    std::uint64_t all() const { return cells_ == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << cells_) - 1; }

private:
    unsigned cells_ = 0, tiles_ = 0;
    std::uint64_t count_ = 1;
    std::array<std::uint64_t, max_cells> weight_{};  // of each tile's digit
};

// The index of the database entry for pieces on given spots. A spot is a placement and the turn of the piece in it:
// `placement * turns + turn`. Tiles on small boards are ranked without gaps.
class PatternIndex {
public:
    PatternIndex() = default;
    PatternIndex(unsigned cells, std::uint64_t spots, bool single_cells, unsigned pieces)
        : spots_(spots), pieces_(pieces) {
        if (pieces == 0 || pieces > TileRanks::max_cells || spots == 0 || spots > max_degree)
            throw std::invalid_argument("pieces out of range");
        dense_ = single_cells && cells <= TileRanks::max_cells;
        if (dense_) {
            if (spots != cells) throw std::invalid_argument("a spot for each cell expected");
            ranks_ = TileRanks(cells, pieces);
            count_ = ranks_.count();
            return;
        }
        count_ = 1;
        for (unsigned i = 0; i < pieces; ++i) {
            if (count_ > (std::uint64_t{1} << 40) / spots) throw LimitReached("too many placements of the pieces");
            count_ *= spots;
        }
    }

    std::uint64_t count() const { return count_; }
    unsigned pieces() const { return pieces_; }
    bool dense() const { return dense_; }
    std::uint64_t spots() const { return spots_; }
    unsigned cells() const { return ranks_.cells(); }
    SLIDELAB_INLINE std::uint64_t operator()(const Point* spot) const {
        if (dense_) return ranks_.rank(spot);
        std::uint64_t number = 0;
        for (unsigned i = 0; i < pieces_; ++i) number = number * spots_ + spot[i];
        return number;
    }

private:
    std::uint64_t spots_ = 0, count_ = 0;
    unsigned pieces_ = 0;
    bool dense_ = false;
    TileRanks ranks_;
};

inline constexpr std::uint8_t unreachable = 255;  // in a database

}  // namespace slidelab
