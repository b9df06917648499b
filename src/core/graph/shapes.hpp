// All shapes of a puzzle: sets of disjoint placements, numbered and found again.
//
// The slots of a shape are its placements sorted by the rank of their first cell along one line through the board. One
// piece per cell is the common case and may have very many pieces and few holes; there a shape is stored as its holes,
// otherwise as its placements.
#pragma once

#include "base/hash_index.hpp"
#include "graph/step_table.hpp"

#include <limits>
#include <string>

namespace slidelab {

class Shapes {
public:
    Shapes(StepTable table, std::size_t pieces, std::uint64_t max_shapes, const Tick& tick)
        : table_(std::move(table)), pieces_(pieces) {
        table_.check(tick);
        // Divided, not multiplied: a huge number must not wrap round to a small one.
        if (pieces_ > table_.cells / table_.piece_cells) throw std::invalid_argument("more pieces than fit the board");
        holes_ = table_.cells - pieces_ * table_.piece_cells;
        if (pieces_ * table_.turns > max_degree) throw LimitReached("too many pieces");
        by_hole_ = table_.piece_cells == 1;
        width_ = by_hole_ ? holes_ : pieces_;
        find_slot_ranks();
        enumerate(std::min<std::uint64_t>(max_shapes, HashIndex::none - 2), tick);
    }

    const StepTable& table() const { return table_; }
    std::size_t pieces() const { return pieces_; }
    std::size_t holes() const { return holes_; }
    bool by_hole() const { return by_hole_; }
    std::size_t width() const { return width_; }
    std::size_t count() const { return width_ ? keys_.size() / width_ : 1; }
    bool empty() const { return enumerated_ == 0; }  // the pieces do not fit the board
    const std::vector<std::uint16_t>& keys() const { return keys_; }
    std::span<const std::uint16_t> key(std::size_t shape) const { return {keys_.data() + shape * width_, width_}; }
    std::int32_t slot_rank(std::size_t placement) const { return slot_rank_[placement]; }

    // The number of the shape with these sorted holes (or placements sorted by slot), -1 if none.
    std::int64_t find(std::span<const std::uint16_t> wanted) const {
        if (wanted.size() != width_) return -1;
        const std::uint32_t shape = index_.find(hash_values(wanted), [&](std::uint32_t s) {
            return std::equal(wanted.begin(), wanted.end(), key(s).begin());
        });
        return shape == HashIndex::none ? -1 : static_cast<std::int64_t>(shape);
    }

    // The placement in every slot of a shape.
    std::vector<std::int32_t> slots(std::size_t shape) const {
        std::vector<std::int32_t> out(pieces_);
        const auto here = key(shape);
        if (!by_hole_) {
            std::copy(here.begin(), here.end(), out.begin());
            return out;
        }
        std::vector<bool> hole(table_.cells, false);
        for (auto h : here) hole[h] = true;
        std::size_t i = 0;
        for (auto c : cells_by_rank())
            if (!hole[static_cast<std::size_t>(c)]) out[i++] = c;
        return out;
    }

private:
    std::vector<std::int32_t> cells_by_rank() const {
        std::vector<std::int32_t> out(table_.cells);
        for (std::size_t c = 0; c < table_.cells; ++c)
            out[static_cast<std::size_t>(table_.rank[c])] = static_cast<std::int32_t>(c);
        return out;
    }

    void find_slot_ranks() {
        slot_rank_.resize(table_.placement_count());
        for (std::size_t p = 0; p < slot_rank_.size(); ++p) {
            std::int32_t best = std::numeric_limits<std::int32_t>::max();
            for (auto c : table_.cells_of(p)) best = std::min(best, table_.rank[static_cast<std::size_t>(c)]);
            slot_rank_[p] = best;
        }
    }

    void add_shape(std::span<const std::uint16_t> found, std::uint64_t max_shapes, const Tick& tick) {
        const std::uint64_t count = ++enumerated_;
        if (count > max_shapes) throw LimitReached("more than " + std::to_string(max_shapes) + " shapes");
        keys_.insert(keys_.end(), found.begin(), found.end());
        if ((count & 0xffff) == 0) tick("shapes", count, 0);
    }

    void enumerate(std::uint64_t max_shapes, const Tick& tick) {
        if (by_hole_) enumerate_holes(max_shapes, tick);
        else enumerate_packings(max_shapes, tick);
        index_.reserve(enumerated_);
        const auto hash_of = [&](std::uint32_t s) { return hash_values(key(s)); };
        for (std::uint32_t s = 0; s < enumerated_; ++s) {
            if ((s & 0xffff) == 0) tick("shapes", enumerated_, 0);
            index_.insert(hash_of(s), [](std::uint32_t) { return false; }, hash_of);
        }
    }

    void enumerate_holes(std::uint64_t max_shapes, const Tick& tick) {
        std::vector<std::uint16_t> pick(holes_);
        std::iota(pick.begin(), pick.end(), std::uint16_t{0});
        while (true) {
            add_shape(pick, max_shapes, tick);
            std::size_t i = holes_;
            while (i > 0 && pick[i - 1] == table_.cells - holes_ + i - 1) --i;
            if (i == 0) return;
            ++pick[i - 1];
            for (std::size_t j = i; j < holes_; ++j) pick[j] = static_cast<std::uint16_t>(pick[j - 1] + 1);
        }
    }

    // All sets of `pieces_` disjoint placements. Cells are settled in the order of their rank, so
    // the placements come out sorted by slot; the stack is explicit because boards may be long.
    // Pieces are counted as well as holes, or few pieces on a large board would take the time of
    // all packings with more of them.
    void enumerate_packings(std::uint64_t max_shapes, const Tick& tick) {
        const std::vector<std::int32_t> cell_at = cells_by_rank();
        std::vector<std::vector<std::uint16_t>> starting(table_.cells);  // placements by rank of first cell
        for (std::size_t p = 0; p < slot_rank_.size(); ++p)
            starting[static_cast<std::size_t>(slot_rank_[p])].push_back(static_cast<std::uint16_t>(p));

        struct Frame {
            std::size_t rank, choice;
            bool hole;
        };
        std::vector<Frame> stack;
        std::vector<std::uint16_t> chosen;
        std::vector<bool> covered(table_.cells, false);
        std::size_t holes = 0, rank = 0;
        std::uint64_t steps = 0;
        auto fits = [&](std::uint16_t p) {
            for (auto c : table_.cells_of(p))
                if (covered[static_cast<std::size_t>(c)]) return false;
            return true;
        };
        auto put = [&](std::uint16_t p, bool value) {
            for (auto c : table_.cells_of(p)) covered[static_cast<std::size_t>(c)] = value;
        };
        std::size_t choice = 0;
        while (true) {
            if ((++steps & 0xfffff) == 0) tick("shapes", enumerated_, 0);
            while (rank < table_.cells && covered[static_cast<std::size_t>(cell_at[rank])]) ++rank, choice = 0;
            bool forward = false;
            if (rank == table_.cells) {
                if (holes == holes_) add_shape(chosen, max_shapes, tick);
            } else {
                const auto& options = starting[rank];
                if (chosen.size() == pieces_) choice = std::max(choice, options.size());
                while (choice < options.size() && !fits(options[choice])) ++choice;
                if (choice < options.size()) {
                    put(options[choice], true);
                    chosen.push_back(options[choice]);
                    stack.push_back({rank, choice, false});
                    forward = true;
                } else if (choice == options.size() && holes < holes_) {
                    ++holes;
                    stack.push_back({rank, choice, true});
                    forward = true;
                }
            }
            if (forward) {
                ++rank;
                choice = 0;
                continue;
            }
            if (stack.empty()) return;
            const Frame top = stack.back();
            stack.pop_back();
            if (top.hole) {
                --holes;
            } else {
                put(starting[top.rank][top.choice], false);
                chosen.pop_back();
            }
            rank = top.rank;
            choice = top.choice + 1;
        }
    }

    StepTable table_;
    std::size_t pieces_, holes_ = 0, width_ = 0;
    bool by_hole_ = true;
    std::uint64_t enumerated_ = 0;
    std::vector<std::int32_t> slot_rank_;
    std::vector<std::uint16_t> keys_;
    HashIndex index_;
};

}  // namespace slidelab
