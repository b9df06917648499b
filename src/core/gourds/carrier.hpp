// Gourds carried to their places one by one, on a board that shrinks with each of them.
//
// One gourd is carried by a best-first search over its place, the hole and the placements of the other gourds, which
// are indistinguishable. The heuristic is the distance of its two ends from their goals on the open cells, and the
// distance of the hole from the gourd. On compact boards with n gourds a carry takes about as many moves as the board
// is wide, so all of them take about n to the power 1.5, where the methods on cycles take n squared.
#pragma once

#include "base/breadth_first.hpp"
#include "gourds/state_tree.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <unordered_map>
#include <vector>

namespace slidelab {

class GourdCarrier {
public:
    using Cell = GourdTrain::Cell;
    using Cells = GourdTrain::Cells;

    // Two coordinates a cell, axial.
    GourdCarrier(GourdTrain& train, std::span<const std::int32_t> coordinates)
        : train_(train), work_(train), tree_(work_), closed_(train.ends().size() + 1, 0),
          coordinates_(coordinates.begin(), coordinates.end()) {
        if (coordinates.size() != 2 * closed_.size()) throw std::invalid_argument("two coordinates a cell expected");
    }
    GourdCarrier(const GourdCarrier&) = delete;
    GourdCarrier& operator=(const GourdCarrier&) = delete;

    bool is_closed(Cell c) const { return closed_[GourdTrain::index(train_.checked(c))] != 0; }

    // Weights of the heuristic, relative to the moves made. With `round`, distances of the hole are measured on the
    // open board, which takes longer, but leads it round corners.
    struct CarrySettings {
        std::uint32_t ends = 4, hole = 4;
        bool round = false;
        std::size_t max_states = 200'000;  // states
    };

    // Brings a gourd to its place and closes its cells for good; if no path is found, returns false and changes
    // nothing.
    bool carry(std::size_t gourd, Cell head, Cell tail, const CarrySettings& settings, const Tick& tick) {
        if (gourd >= train_.gourds() || is_closed(train_.ends()[2 * gourd]))
            throw std::invalid_argument("an open gourd expected");
        return run(gourd, head, tail, settings, tick);
    }

    // The same with any gourd, in either direction.
    bool fill(Cell one, Cell other, const CarrySettings& settings, const Tick& tick) {
        return run(anyone, one, other, settings, tick);
    }

private:
    static constexpr std::uint32_t max_weight = 50, farthest = 4'000;
    static constexpr std::size_t anyone = std::numeric_limits<std::size_t>::max();
    static constexpr std::uint16_t never = std::numeric_limits<std::uint16_t>::max(),
                                   closed = never - 1;  // of cells that are not reached, that are closed

    // Breadth first over the open cells.
    void measure(Cell from, std::vector<std::uint16_t>& far) const {
        far.assign(closed_.size(), never);
        for (std::size_t c = 0; c < far.size(); ++c)
            if (closed_[c] != 0) far[c] = closed;
        far[GourdTrain::index(from)] = 0;
        Cells queue(far.size());
        queue[0] = from;
        breadth_first<std::uint16_t>(queue.data(), 1, far.data(), never, closed - 1,
                                     [&](Cell c) { return work_.around(c); });
    }

    // Set during the lifetime of this object.
    struct Flag {
        explicit Flag(bool& f) : flag(f) { flag = true; }
        ~Flag() { flag = false; }
        Flag(const Flag&) = delete;
        Flag& operator=(const Flag&) = delete;
        bool& flag;
    };

    bool run(std::size_t gourd, Cell head, Cell tail, const CarrySettings& settings, const Tick& tick) {
        if (busy_) throw std::logic_error("one gourd at a time expected");
        if (is_closed(head) || is_closed(tail) || !train_.touch(head, tail))
            throw std::invalid_argument("open cells that touch expected");
        if (train_.ends() != work_.ends()) throw std::invalid_argument("expected gourds that are not moved by others");
        if (settings.ends > max_weight || settings.hole > max_weight)
            throw std::invalid_argument("smaller weights expected");
        const Flag busy(busy_);
        gourd_ = gourd;
        head_ = head;
        tail_ = tail;
        settings_ = settings;
        far_.clear();
        tick_ = &tick;
        std::uint32_t found = 0;
        const bool done = search(tick, found);
        tree_.walk_to(found);
        if (done) {
            train_.play(tree_.path(found));
            closed_[GourdTrain::index(head)] = closed_[GourdTrain::index(tail)] = 1;
        }
        return done;
    }

    // Distance on the open cells, computed once for each `from`, each time with a look at the clock.
    std::uint32_t open_distance(Cell from, Cell to) {
        auto& far = far_[from];
        if (far.empty()) {
            (*tick_)("carry", train_.path().size(), 0);
            measure(from, far);
        }
        return far[GourdTrain::index(to)];
    }

    // The heuristic, 0 only at the goal.
    std::uint32_t left() {
        if (gourd_ == anyone) return to_fill(work_.at(head_), work_.at(tail_), work_.hole());
        return to_carry(work_.ends()[2 * gourd_], work_.ends()[2 * gourd_ + 1], work_.hole());
    }

    // The same after a move, without playing it.
    std::uint32_t left_after(const GourdMove& move) {
        if (gourd_ == anyone) return to_fill(move.at(work_, head_), move.at(work_, tail_), move.back);
        const auto head = static_cast<Cell>(2 * gourd_);
        return to_carry(move.where(work_, head), move.where(work_, head + 1), move.back);
    }

    // With these ends on the cells to be filled.
    std::uint32_t to_fill(Cell one, Cell other, Cell hole) {
        if (one != GourdTrain::nothing && (one ^ 1) == other) return 0;
        return settings_.hole * std::min({from_hole(hole, head_), from_hole(hole, tail_), farthest}) + 1;
    }

    // With the gourd on these cells.
    std::uint32_t to_carry(Cell head, Cell tail, Cell hole) {
        const std::uint32_t ends = open_distance(head_, head) + open_distance(tail_, tail);
        if (ends == 0) return 0;
        return settings_.ends * std::min(ends, farthest) +
               settings_.hole * std::min({from_hole(hole, head), from_hole(hole, tail), farthest}) + 1;
    }

    std::uint32_t from_hole(Cell hole, Cell c) {
        return settings_.round ? open_distance(c, hole) : cells_apart(coordinates_, hole, c);
    }

    std::uint64_t change(const GourdMove& move) const {
        if (move.gourd() == gourd_) return move.hash_change();
        return pair_mark(move.front, move.back) ^ pair_mark(move.front, move.hole);
    }
    std::uint64_t pair_mark(Cell a, Cell b) const {
        return GourdHash::mark(static_cast<std::size_t>(std::min(a, b)) + (std::size_t{1} << 30), std::max(a, b));
    }

    bool search(const Tick& tick, std::uint32_t& found) {
        const std::uint32_t first = left();
        tree_.begin(first, 1);
        if (first == 0) return true;
        try {
            return explore(tick, found);
        } catch (...) {
            tree_.walk_to(0);  // as if nothing had been tried
            throw;
        }
    }

    bool explore(const Tick& tick, std::uint32_t& found) {
        std::uint32_t state = 0;
        for (std::uint64_t round = 0; tree_.states().size() < settings_.max_states && tree_.next(state, tick);
             ++round) {
            if ((round & 0x3ff) == 0) tick("carry", train_.path().size(), 0);
            for (const Cell front : work_.around(work_.hole())) {
                if (closed_[GourdTrain::index(front)] != 0) continue;
                const GourdMove move(work_, front);
                const std::uint64_t hash = tree_.states()[state].hash ^ change(move);
                const std::uint32_t rest = left_after(move);
                if (tree_.add(state, move.back, hash, rest) && rest == 0) {
                    found = static_cast<std::uint32_t>(tree_.states().size() - 1);
                    return true;
                }
            }
        }
        return false;
    }

    GourdTrain& train_;
    GourdTrain work_;
    GourdSearchTree tree_;
    std::vector<char> closed_;
    std::unordered_map<Cell, std::vector<std::uint16_t>> far_;
    std::vector<std::int32_t> coordinates_;
    bool busy_ = false;  // a tick may call anything
    const Tick* tick_ = nullptr;
    std::size_t gourd_ = anyone;
    Cell head_ = 0, tail_ = 0;
    CarrySettings settings_;
};

}  // namespace slidelab
