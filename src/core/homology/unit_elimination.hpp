// Sparse elimination over the integers with pivots 1 and -1 only.
//
// Columns are added one by one. Each is cleared of the pivot rows so far; if an entry 1 or -1 is left, its row becomes
// a pivot row, otherwise the column is put aside. At the end the matrix is, up to unimodular row and column operations,
// an identity matrix and what was put aside (`rest`), cleared of all pivot rows: so the rank and the Smith normal form
// are those of the rest with a 1 for each pivot. With boundary matrices hardly anything is put aside unless there is
// torsion.
#pragma once

#include "base/limited_growth.hpp"
#include "base/tick.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <queue>
#include <span>
#include <utility>
#include <vector>

namespace slidelab {

class UnitElimination {
public:
    struct Entry {
        std::uint32_t row;
        std::int64_t value;
    };
    using Column = std::vector<Entry>;

    // `weight` says for each row how many columns have it: rows with little weight are preferred as pivots.
    UnitElimination(std::vector<std::uint32_t> weight, std::uint64_t max_bytes)
        : weight_(std::move(weight)), max_bytes_(max_bytes), pivot_(weight_.size(), none), sum_(weight_.size(), 0) {}

    std::size_t rank() const { return pivots_.size(); }
    bool is_pivot_row(std::uint32_t row) const { return pivot_[row] != none; }

    // Adds a column; entries of the same row are summed up.
    void add(std::span<const Entry> column) {
        for (const auto& e : column) increase(e.row, 1, e.value);
        clear_pivot_rows();
        if (!settle()) put_aside();
    }

    // Clears the columns put aside of all pivot rows, and takes what new pivots they have.
    void finish(const Tick& tick) {
        for (bool changed = true; changed;) {
            changed = false;
            std::vector<Column> todo = std::move(rest_);
            rest_.clear();
            for (std::size_t i = 0; i < todo.size(); ++i) {
                tick("elimination", i, todo.size());
                const Column column = std::move(todo[i]);
                entries_ -= column.size();
                for (const auto& e : column) increase(e.row, 1, e.value);
                clear_pivot_rows();
                if (settle()) changed = true;
                else put_aside();
            }
        }
    }

    // After `finish`: columns without pivot rows and without entries 1 and -1.
    const std::vector<Column>& rest() const { return rest_; }

private:
    static constexpr std::uint32_t none = std::uint32_t(-1);
    struct Pivot {
        std::uint32_t row;
        int sign;
        Column others;
    };

    void increase(std::uint32_t row, std::int64_t times, std::int64_t value) {
        std::int64_t product = 0;
        if (__builtin_mul_overflow(times, value, &product) || __builtin_add_overflow(sum_[row], product, &sum_[row]))
            throw LimitReached("the coefficients exceed 64 bits");
        touched_.push_back(row);
        if (pivot_[row] != none) todo_.push(pivot_[row]);
    }

    // A pivot column has no rows of earlier pivots, so that pivots are cleared from the first to the last.
    void clear_pivot_rows() {
        while (!todo_.empty()) {
            const std::uint32_t p = todo_.top();
            todo_.pop();
            const Pivot& pivot = pivots_[p];
            const std::int64_t value = sum_[pivot.row];
            if (value == 0) continue;
            if (value == std::numeric_limits<std::int64_t>::min())
                throw LimitReached("the coefficients exceed 64 bits");
            sum_[pivot.row] = 0;
            for (const auto& e : pivot.others) increase(e.row, -value * pivot.sign, e.value);
        }
    }

    // Makes a pivot of what was summed up, if it has a unit, or nothing if it is zero; whether that was possible.
    bool settle() {
        std::sort(touched_.begin(), touched_.end());
        touched_.erase(std::unique(touched_.begin(), touched_.end()), touched_.end());
        std::erase_if(touched_, [&](auto row) { return sum_[row] == 0; });
        std::uint32_t best = none;
        for (auto row : touched_)
            if ((sum_[row] == 1 || sum_[row] == -1) && (best == none || weight_[row] < weight_[best])) best = row;
        if (best == none) return touched_.empty();
        Pivot pivot{best, static_cast<int>(sum_[best]), {}};
        take(touched_.size() - 1);
        pivot.others.reserve(touched_.size() - 1);
        for (auto row : touched_) {
            if (row != best) pivot.others.push_back({row, sum_[row]});
            sum_[row] = 0;
        }
        touched_.clear();
        pivot_[best] = static_cast<std::uint32_t>(pivots_.size());
        pivots_.push_back(std::move(pivot));
        return true;
    }

    void put_aside() {
        Column column;
        take(touched_.size());
        for (auto row : touched_) column.push_back({row, std::exchange(sum_[row], 0)});
        touched_.clear();
        rest_.push_back(std::move(column));
    }

    void take(std::size_t entries) {
        entries_ += entries;
        if (entries_ * sizeof(Entry) + (pivots_.size() + rest_.size()) * 2 * sizeof(Pivot) > max_bytes_)
            throw LimitReached("the elimination does not fit the memory limit");
    }

    std::vector<std::uint32_t> weight_;
    std::uint64_t max_bytes_, entries_ = 0;
    std::vector<std::uint32_t> pivot_;  // of each row
    std::vector<std::int64_t> sum_;     // of each row, zero between two columns
    std::vector<std::uint32_t> touched_;
    std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>> todo_;
    std::vector<Pivot> pivots_;
    std::vector<Column> rest_;
};

}  // namespace slidelab
