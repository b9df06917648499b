// Replays moves, each looked up in the list of all steps that the rule allows.
//
// Only that list is used: cells before, cells after, and cells that must be empty. So the moves of every solver are
// checked independently of the solver.
#pragma once

#include "base/hash_index.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

namespace slidelab {

class Replay {
public:
    using Cell = std::int32_t;

    // A piece has `width` cells. Rows of cells before, cells after, and cells that must be empty (any number of
    // columns, -1 where there are fewer); and the cells of all pieces.
    Replay(std::size_t cells, std::size_t width, std::size_t columns, std::vector<Cell> steps, std::vector<Cell> pieces,
           const Tick& tick = no_tick)
        : width_(width), columns_(columns), steps_(std::move(steps)), pieces_(std::move(pieces)) {
        if (width > 1'000'000 || columns > 3'000'000 || cells > 0x7fffffff)
            throw std::invalid_argument("fewer cells expected");
        if (width == 0 || columns < 2 * width || steps_.size() % columns != 0 || pieces_.size() % width != 0)
            throw std::invalid_argument("whole rows expected");
        if (steps_.size() / columns > 0x7fffffff) throw std::invalid_argument("fewer steps expected");
        for (std::size_t i = 0; i < steps_.size(); ++i) {
            if ((i & 0xffff) == 0) tick("steps", i, steps_.size());
            const bool may_miss = i % columns >= 2 * width;
            if (steps_[i] < (may_miss ? -1 : 0) || (steps_[i] >= 0 && index(steps_[i]) >= cells))
                throw std::invalid_argument("no such cell");
        }
        covered_.assign(cells, 0);
        for (const Cell c : pieces_) {
            if (c < 0 || index(c) >= cells) throw std::invalid_argument("no such cell");
            if (covered_[index(c)]++ != 0) throw std::invalid_argument("two pieces on a cell");
        }
        build_table(tick);
    }

    const std::vector<Cell>& pieces() const { return pieces_; }

    // Plays rows of piece (from 1), kind, cells before and cells after; how many could be played.
    std::size_t play(std::span<const Cell> rows, const Tick& tick) {
        const std::size_t row = 2 + 2 * width_;
        if (rows.size() % row != 0) throw std::invalid_argument("whole rows expected");
        const std::size_t count = rows.size() / row;
        for (std::size_t i = 0; i < count; ++i) {
            if ((i & 0x3fff) == 0) tick("replay", i, count);
            if (!play_one(rows.subspan(i * row, row))) return i;
        }
        return count;
    }

private:
    static std::size_t index(Cell c) { return static_cast<std::size_t>(c); }

    std::span<const Cell> step(std::size_t i) const { return std::span(steps_).subspan(i * columns_, columns_); }

    void build_table(const Tick& tick) {
        const std::size_t count = steps_.size() / columns_;
        table_.assign(std::bit_ceil(2 * count + 1), -1);
        for (std::size_t i = 0; i < count; ++i) {
            if ((i & 0x3fff) == 0) tick("steps", i, count);
            std::size_t at = hash_values(step(i).first(2 * width_)) & (table_.size() - 1);
            while (table_[at] >= 0) at = (at + 1) & (table_.size() - 1);
            table_[at] = static_cast<std::int32_t>(i);
        }
    }

    bool is_free(std::span<const Cell> holes) const {
        return std::all_of(holes.begin(), holes.end(), [&](Cell c) { return c < 0 || covered_[index(c)] == 0; });
    }

    bool allowed(std::span<const Cell> before_and_after) const {
        for (std::size_t at = hash_values(before_and_after) & (table_.size() - 1); table_[at] >= 0;
             at = (at + 1) & (table_.size() - 1)) {
            const auto found = step(index(table_[at]));
            if (std::equal(before_and_after.begin(), before_and_after.end(), found.begin()) &&
                is_free(found.subspan(2 * width_)))
                return true;
        }
        return false;
    }

    bool play_one(std::span<const Cell> row) {
        if (row[0] < 1 || index(row[0]) > pieces_.size() / width_) return false;
        const auto now = std::span(pieces_).subspan((index(row[0]) - 1) * width_, width_);
        const auto before = row.subspan(2, width_), after = row.last(width_);
        if (!std::equal(before.begin(), before.end(), now.begin()) || !allowed(row.subspan(2))) return false;
        for (const Cell c : before) covered_[index(c)] = 0;
        for (const Cell c : after) covered_[index(c)] = 1;
        std::copy(after.begin(), after.end(), now.begin());
        return true;
    }

    std::size_t width_, columns_;
    std::vector<Cell> steps_, pieces_;
    std::vector<char> covered_;
    std::vector<std::int32_t> table_;
};

}  // namespace slidelab
