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
    std::uint64_t weight(unsigned tile) const { return weight_[tile]; }

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
    // What the index grows by if the digit of a piece grows by one.
    std::uint64_t weight(unsigned piece) const {
        if (dense_) return ranks_.weight(piece);
        std::uint64_t w = 1;
        for (unsigned i = piece + 1; i < pieces_; ++i) w *= spots_;
        return w;
    }
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

// By how much the index of a pattern changes when one of its pieces moves.
//
// Without gaps, the digit of a tile is its cell less the number of tiles before it in the pattern on smaller cells. So
// a tile that goes from a cell to a larger one changes its own digit by the difference of the cells, less one for each
// tile before it that it passes; and it adds one to the digit of each later tile that it passes. What it passes is a
// set of at most eight tiles, found by comparing eight bytes of a word at once, and a table has the sum for every set.
// With gaps a piece changes only its own digit.
class IndexChange {
public:
    static constexpr unsigned max_tiles = 8;  // bytes of a word; larger patterns are ranked anew

    IndexChange() = default;
    explicit IndexChange(const PatternIndex& index) : pieces_(index.pieces()), dense_(index.dense()) {
        for (unsigned i = 0; i < pieces_; ++i) weight_.push_back(static_cast<std::int64_t>(index.weight(i)));
        if (!dense_ || !known()) return;
        passed_.assign(std::size_t{pieces_} << pieces_, 0);
        for (unsigned tile = 0; tile < pieces_; ++tile)
            for (unsigned set = 0; set < 1u << pieces_; ++set)
                for (unsigned other = 0; other < pieces_; ++other)
                    if (set >> other & 1) {
                        auto& sum = passed_[(std::size_t{tile} << pieces_) + set];
                        if (other < tile) sum -= weight_[tile];
                        if (other > tile) sum += weight_[other];
                    }
    }

    bool known() const { return !dense_ || pieces_ <= max_tiles; }

    // What is needed for one piece; `passed` is null where there are gaps.
    struct Piece {
        std::int64_t weight = 0;
        const std::int64_t* passed = nullptr;
    };
    Piece piece(unsigned i) const {
        return {weight_[i], passed_.empty() ? nullptr : passed_.data() + (std::size_t{i} << pieces_)};
    }

    // The cells of all tiles, a byte for each; the other bytes have a cell beyond all.
    static std::uint64_t pack(const Point* cells, unsigned tiles) {
        std::uint64_t word = beyond;
        for (unsigned i = 0; i < tiles; ++i) word = moved(word, i, beyond & 0xff, cells[i]);
        return word;
    }
    SLIDELAB_INLINE static std::uint64_t moved(std::uint64_t word, unsigned tile, std::uint64_t from,
                                               std::uint64_t to) {
        return word ^ (from ^ to) << 8 * tile;
    }

    // The index after a piece has moved; `cells` are those before the move.
    SLIDELAB_INLINE static std::uint64_t next(std::uint64_t index, const Piece& piece, std::uint64_t cells, Point from,
                                              Point to) {
        const std::int64_t own = (std::int64_t{to} - std::int64_t{from}) * piece.weight;
        if (!piece.passed) return index + static_cast<std::uint64_t>(own);
        const std::uint64_t low = from < to ? from : to, high = from < to ? to : from;
        const std::uint64_t above = (cells | tops) - (low + 1) * ones, below = (high | 0x80) * ones - cells - ones;
        const std::uint64_t set = ((above & below & tops) >> 7) * 0x0102040810204080ull >> 56;
        const std::int64_t others = piece.passed[set];
        return index + static_cast<std::uint64_t>(own + (from < to ? others : -others));
    }

private:
    static constexpr std::uint64_t ones = 0x0101010101010101ull, tops = 0x80 * ones, beyond = 0x7f * ones;

    unsigned pieces_ = 0;
    bool dense_ = false;
    std::vector<std::int64_t> weight_, passed_;
};

inline constexpr std::uint8_t unreachable = 255;  // in a database

}  // namespace slidelab
