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
// tile before it that it passes; and it adds one to the digit of each later tile that it passes. On the way back the
// signs are reversed. The tiles that are compared differently with both cells are those that it passes, and the tile
// itself if it goes to a larger cell. This set of at most eight tiles is found by comparing eight bytes of a word at
// once, and a table has the sum for every set. A cell is given by a word with the cell in each byte, so that no move
// has to make one. With gaps a piece changes only its own digit, the word of a spot is its number, and the table has
// zeros.
class IndexChange {
public:
    static constexpr unsigned max_tiles = 8;  // bytes of a word; larger patterns are ranked anew

    IndexChange() = default;
    // Indices are multiplied by `scale`.
    explicit IndexChange(const PatternIndex& index, std::uint64_t scale = 1)
        : pieces_(index.pieces()), dense_(index.dense()) {
        for (unsigned i = 0; i < pieces_; ++i) weight_.push_back(index.weight(i) * scale);
        if (!dense_ || !known()) return;
        passed_.assign(std::size_t{pieces_} << pieces_, 0);
        for (unsigned tile = 0; tile < pieces_; ++tile)
            for (unsigned set = 0; set < 1u << pieces_; ++set) {
                std::uint64_t sum = 0;
                for (unsigned other = 0; other < pieces_; ++other)
                    if (set >> other & 1) sum += other < tile ? 0 - weight_[tile] : other > tile ? weight_[other] : 0;
                passed_[(std::size_t{tile} << pieces_) + set] = set >> tile & 1 ? sum : 0 - sum;
            }
    }

    bool known() const { return !dense_ || pieces_ <= max_tiles; }

    // What is needed for one piece. Without gaps, the word of a cell times `factor` is the cell times its weight, since
    // `ones` times 255 is -1.
    struct Piece {
        std::uint64_t factor = 0;
        std::uint64_t byte = 0;  // where the word of all tiles has the cell of this one; zero if there are gaps
        const std::uint64_t* passed = no_tiles.data();
    };
    Piece piece(unsigned i) const {
        if (passed_.empty()) return {weight_[i], 0, no_tiles.data()};
        return {0 - 255 * weight_[i], std::uint64_t{0xff} << 8 * i, passed_.data() + (std::size_t{i} << pieces_)};
    }

    std::uint64_t word(Point spot) const { return dense_ ? spot * ones : spot; }

    // The cells of all tiles, a byte for each; the other bytes have a cell beyond all. The top bit of each byte is set.
    static std::uint64_t pack(const Point* cells, unsigned tiles) {
        std::uint64_t all = 0xff * ones;
        for (unsigned i = 0; i < tiles; ++i) all ^= (0x7f ^ std::uint64_t{cells[i]}) << 8 * i;
        return all;
    }
    // The same after a move, or after it was taken back.
    SLIDELAB_INLINE static std::uint64_t moved(std::uint64_t cells, const Piece& piece, std::uint64_t from,
                                               std::uint64_t to) {
        return cells ^ ((from ^ to) & piece.byte);
    }

    // The same as a set, for boards of fewer than 63 cells.
    SLIDELAB_INLINE static std::uint64_t set(std::uint64_t cells) {
        std::uint64_t all = 0;
        for (unsigned i = 0; i < max_tiles; ++i, cells >>= 8) all |= std::uint64_t{1} << (cells & 63);
        return all & ~(std::uint64_t{1} << 63);  // of tiles that there are not
    }

    // The index after a piece has moved between spots with these words; `cells` are those before the move.
    SLIDELAB_INLINE static std::uint64_t next(std::uint64_t index, const Piece& piece, std::uint64_t cells,
                                              std::uint64_t from, std::uint64_t to) {
        const std::uint64_t between = ((cells - from) ^ (cells - to)) & 0x80 * ones;
        const std::uint64_t set = between * gather >> 56;  // the top bit of each byte
        return index + (to - from) * piece.factor + piece.passed[set];
    }

private:
    static constexpr std::uint64_t ones = 0x0101010101010101ull, gather = 0x0002040810204081ull;
    static constexpr std::array<std::uint64_t, 256> no_tiles{};

    unsigned pieces_ = 0;
    bool dense_ = false;
    std::vector<std::uint64_t> weight_, passed_;  // modulo 2^64
};

inline constexpr std::uint8_t unreachable = 255;  // in a database

}  // namespace slidelab
