// Configurations of pieces of one cell as rows of a dense array: one entry a cell, 0 for a hole, otherwise the number
// of the tile (or of its colour, where tiles of one colour are alike).
#pragma once

#include "arrays/numbered_moves.hpp"

#include <cstring>

namespace slidelab {

// What a row must hold, and the moves of each set of holes where these sets are few.
class TileLayout {
public:
    static constexpr std::size_t max_hole_sets = 1 << 16;  // entries of the index of hole sets: 512 KB

    struct Slide {
        std::uint32_t move;
        Point from, to;
    };

    // `counts[v]` tells how many cells hold the value v; `counts[0]` is the number of holes.
    TileLayout(const NumberedMoves& moves, std::vector<std::uint32_t> counts, const Tick& tick = no_tick)
        : moves_(moves), counts_(std::move(counts)) {
        if (moves.table().piece_cells != 1) throw std::invalid_argument("pieces of one cell expected");
        if (counts_.empty() || counts_.size() > max_degree)
            throw std::invalid_argument("number of values out of range");
        std::uint64_t sum = 0;
        for (const auto c : counts_) sum += c;
        if (sum != cells()) throw std::invalid_argument("one value a cell expected");
        for (std::size_t m = 0; m < moves.size(); ++m)
            slides_.push_back(
                {static_cast<std::uint32_t>(m), static_cast<Point>(moves[m].from), static_cast<Point>(moves[m].to)});
        first_piece_.assign(counts_.size(), 0);
        for (std::size_t v = 2; v < counts_.size(); ++v) first_piece_[v] = first_piece_[v - 1] + counts_[v - 1];
        const bool distinct = std::all_of(counts_.begin() + 1, counts_.end(), [](auto c) { return c == 1; });
        if (distinct && counts_.size() <= 64) all_values_ = ~std::uint64_t{0} >> (64 - counts_.size());
        std::size_t sets = 1;
        for (std::size_t k = 0; k < holes() && sets <= max_hole_sets; ++k) sets *= cells();
        if (sets <= max_hole_sets) index_hole_sets(sets, tick);
    }

    const NumberedMoves& moves() const { return moves_; }
    std::size_t width() const { return cells(); }
    std::size_t cells() const { return moves_.table().cells; }
    std::size_t holes() const { return counts_[0]; }
    std::size_t pieces() const { return cells() - holes(); }
    const std::vector<std::uint32_t>& counts() const { return counts_; }
    const std::vector<std::uint32_t>& first_piece() const { return first_piece_; }
    std::uint64_t all_values() const { return all_values_; }
    bool is_indexed() const { return !first_.empty(); }
    const Slide& slide(std::size_t move) const { return slides_[move]; }
    std::span<const Slide> slides(std::span<const Point> hole_set) const {
        std::size_t at = 0;
        for (const auto h : hole_set) at = at * cells() + h;
        return {indexed_.data() + first_[at], first_[at + 1] - first_[at]};
    }

private:
    void index_hole_sets(std::size_t sets, const Tick& tick) {
        const std::size_t n = cells(), k = holes();
        std::vector<std::uint8_t> grid(n, 1);
        std::vector<Point> hole_set(k);
        std::vector<std::uint32_t> found;
        first_.push_back(0);
        for (std::size_t at = 0; at < sets; ++at) {
            if ((at & 0xfff) == 0) tick("moves", at, sets);
            std::size_t rest = at;
            for (std::size_t i = k; i-- > 0; rest /= n) hole_set[i] = static_cast<Point>(rest % n);
            if (std::adjacent_find(hole_set.begin(), hole_set.end(), std::greater_equal<>()) == hole_set.end()) {
                for (const auto h : hole_set) grid[h] = 0;
                moves_.gather(grid.data(), grid.data(), hole_set, found);
                for (const auto h : hole_set) grid[h] = 1;
                for (const auto m : found) indexed_.push_back(slides_[m]);
            }
            first_.push_back(static_cast<std::uint32_t>(indexed_.size()));
        }
    }

    const NumberedMoves& moves_;
    std::vector<std::uint32_t> counts_, first_piece_;  // of each value
    std::uint64_t all_values_ = 0;                     // a bit for each value, if all tiles are distinct and at most 63
    std::vector<Slide> slides_, indexed_;
    std::vector<std::uint32_t> first_;
};

// One row at a time: checked, expanded, or moved. `Value` is std::uint8_t or std::uint16_t.
template <class Value>
class TileRow {
public:
    explicit TileRow(const TileLayout& layout)
        : layout_(layout), tally_(layout.counts().size()), holes_(layout.cells() + 1) {}

    // Take a row; false if it is no configuration. It must stay where it is until the next one is taken.
    bool load(const Value* row) {
        row_ = row;
        return layout_.all_values() ? check_bits() : check_counts();
    }

    // Take a row that has been checked before; false if it has changed since then so that its holes differ in number.
    bool reload(const Value* row) {
        row_ = row;
        hole_count_ = 0;
        const Value* end = row + layout_.cells();
        for (const Value* at = row; (at = next_hole(at, end)) != end; ++at) {
            if (hole_count_ == layout_.holes()) return false;
            holes_[hole_count_++] = static_cast<Point>(at - row);
        }
        return hole_count_ == layout_.holes();
    }

    // The legal moves, in increasing order; valid until the next call.
    std::span<const TileLayout::Slide> legal() {
        const std::span<const Point> holes(holes_.data(), hole_count_);
        if (layout_.is_indexed()) return layout_.slides(holes);
        layout_.moves().gather(row_, row_, holes, found_);
        slides_.clear();
        for (const auto m : found_) slides_.push_back(layout_.slide(m));
        return slides_;
    }

    bool is_legal(std::size_t move) const {
        return row_[layout_.slide(move).from] != 0 && layout_.moves().has_room(row_, move);
    }

    // The row after a legal move.
    void write(const TileLayout::Slide& slide, Value* out) const {
        std::memcpy(out, row_, layout_.cells() * sizeof(Value));
        out[slide.to] = row_[slide.from];
        out[slide.from] = 0;
    }

    // Make a legal move in the row that was taken, which the caller may write to.
    void play(std::size_t move, Value* row) {
        const auto& slide = layout_.slide(move);
        row[slide.to] = row[slide.from];
        row[slide.from] = 0;
        std::size_t at = 0;
        while (at + 1 < hole_count_ && holes_[at] != slide.to) ++at;
        for (; at > 0 && holes_[at - 1] > slide.from; --at) holes_[at] = holes_[at - 1];
        for (; at + 1 < hole_count_ && holes_[at + 1] < slide.from; ++at) holes_[at] = holes_[at + 1];
        holes_[at] = slide.from;
    }

    void finish(Value*) const {}

    // The cell of each piece; tiles of one value by increasing cells.
    void write_spots(std::int32_t* out) {
        std::copy(layout_.first_piece().begin(), layout_.first_piece().end(), tally_.begin());
        for (std::size_t c = 0; c < layout_.cells(); ++c)
            if (const std::size_t v = row_[c]) out[tally_[v]++] = static_cast<std::int32_t>(c);
    }

private:
    static const Value* next_hole(const Value* at, const Value* end) {
        if constexpr (sizeof(Value) == 1) {
            const void* found = std::memchr(at, 0, static_cast<std::size_t>(end - at));
            return found ? static_cast<const Value*>(found) : end;
        } else {
            return std::find(at, end, Value{0});
        }
    }

    // With as many cells as holes and tiles, all values present and the right number of holes leave no other choice.
    bool check_bits() {
        std::uint64_t seen = 0;
        unsigned any = 0;
        hole_count_ = 0;
        const std::size_t n = layout_.cells();
        for (std::size_t c = 0; c < n; ++c) {
            const unsigned v = row_[c];
            seen |= std::uint64_t{1} << (v & 63);
            any |= v;
            holes_[hole_count_] = static_cast<Point>(c);
            hole_count_ += v == 0;
        }
        return any < 64 && seen == layout_.all_values() && hole_count_ == layout_.holes();
    }

    bool check_counts() {
        std::fill(tally_.begin(), tally_.end(), 0);
        hole_count_ = 0;
        for (std::size_t c = 0; c < layout_.cells(); ++c) {
            const std::size_t v = row_[c];
            if (v >= tally_.size() || ++tally_[v] > layout_.counts()[v]) return false;
            if (v == 0) holes_[hole_count_++] = static_cast<Point>(c);
        }
        return hole_count_ == layout_.holes();
    }

    const TileLayout& layout_;
    const Value* row_ = nullptr;
    std::vector<std::uint32_t> tally_;
    std::vector<Point> holes_;  // in increasing order
    std::size_t hole_count_ = 0;
    std::vector<std::uint32_t> found_;
    std::vector<TileLayout::Slide> slides_;
};

}  // namespace slidelab
