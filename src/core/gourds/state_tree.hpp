// A search tree of gourd states, and one working train that moves over it from state to state.
//
// A state is the cell that the hole came to and the state before. Since the next state that a search asks for is mostly
// near the last one, the train does not move far.
#pragma once

#include "base/bucket_queue.hpp"
#include "base/key_set.hpp"
#include "gourds/train.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <vector>

namespace slidelab {

// Zobrist hashing: a random number for each end on each cell; the hash of a state is the exclusive or of all of them.
struct GourdHash {
    static std::uint64_t mark(std::size_t end, GourdTrain::Cell cell) {
        std::uint64_t h =
            (static_cast<std::uint64_t>(end) << 32) + static_cast<std::uint32_t>(cell) + 0x9e3779b97f4a7c15;
        h = (h ^ (h >> 30)) * 0xbf58476d1ce4e5b9;
        h = (h ^ (h >> 27)) * 0x94d049bb133111eb;
        return h ^ (h >> 31);
    }
};

// A move that is not played yet, and what it would change: the gourd whose `end` is on `front`, which touches the hole,
// leaves `back`.
struct GourdMove {
    using Cell = GourdTrain::Cell;

    GourdMove(const GourdTrain& train, Cell front_cell)
        : hole(train.hole()), front(front_cell), end(train.at(front)), back(train.ends()[GourdTrain::index(end ^ 1)]),
          pivots(train.touch(hole, back)) {}

    std::size_t gourd() const { return GourdTrain::index(end) / 2; }

    // Where an end of any gourd is after the move.
    Cell where(const GourdTrain& train, Cell any) const {
        if (any == end) return pivots ? front : hole;
        if (any == (end ^ 1)) return pivots ? hole : front;
        return train.ends()[GourdTrain::index(any)];
    }
    // The end on a cell after the move.
    Cell at(const GourdTrain& train, Cell cell) const {
        if (cell == back) return GourdTrain::nothing;
        if (cell == hole) return pivots ? end ^ 1 : end;
        if (cell == front) return pivots ? end : end ^ 1;
        return train.at(cell);
    }
    template <class Hash = GourdHash>
    std::uint64_t hash_change() const {
        const auto ahead = GourdTrain::index(end), behind = ahead ^ 1;
        if (pivots) return Hash::mark(behind, back) ^ Hash::mark(behind, hole);
        return Hash::mark(ahead, front) ^ Hash::mark(ahead, hole) ^ Hash::mark(behind, back) ^
               Hash::mark(behind, front);
    }

    Cell hole, front, end, back;
    bool pivots;  // or follows its end into the hole
};

// Cells from one hexagon to another as if all were there, by their axial coordinates, two a cell; 0 only if they are
// the same. So few at most that the sum over all gourds is a number of 32 bits.
inline std::uint32_t cells_apart(std::span<const std::int32_t> coordinates, GourdTrain::Cell a, GourdTrain::Cell b) {
    const auto difference = [&](std::size_t i) {
        return std::int64_t{coordinates[2 * GourdTrain::index(a) + i]} - coordinates[2 * GourdTrain::index(b) + i];
    };
    const std::int64_t q = difference(0), r = difference(1);
    return a == b ? 0
                  : static_cast<std::uint32_t>(
                        std::clamp<std::int64_t>(std::max({std::abs(q), std::abs(r), std::abs(q + r)}), 1, 4'000));
}

// A train that moves over a tree of states, each given by the state before it (`before`), its depth and its hole. State
// 0 is where the train is at first. The train must have no other use, and keeps no path.
template <class State>
class GourdWalker {
public:
    GourdWalker(GourdTrain& train, const std::vector<State>& states) : train_(train), states_(states) {}
    GourdWalker(const GourdWalker&) = delete;
    GourdWalker& operator=(const GourdWalker&) = delete;

    // Starts a new tree at the position of the train.
    void reset() { here_ = 0; }

    void walk_to(std::uint32_t state) {
        ahead_.clear();
        std::uint32_t there = state;
        const auto up = [&] {
            here_ = states_[here_].before;
            train_.play(states_[here_].hole);
        };
        const auto down = [&] {
            ahead_.push_back(states_[there].hole);
            there = states_[there].before;
        };
        while (states_[there].depth > states_[here_].depth) down();
        while (states_[here_].depth > states_[there].depth) up();
        while (here_ != there) up(), down();
        std::reverse(ahead_.begin(), ahead_.end());
        train_.play(ahead_);
        here_ = state;
        train_.clear_path();
    }

private:
    GourdTrain& train_;
    const std::vector<State>& states_;
    GourdTrain::Cells ahead_;
    std::uint32_t here_ = 0;
};

// Where the hole goes from state 0 of such a tree to another.
template <class State>
GourdTrain::Cells hole_path(const std::vector<State>& states, std::uint32_t state) {
    GourdTrain::Cells out;
    for (; state != 0; state = states[state].before) out.push_back(states[state].hole);
    std::reverse(out.begin(), out.end());
    return out;
}

// The open and closed list of a best-first search. States are compared by their hash alone: such a search
// claims nothing about other solutions, and its result is replayed.
class GourdSearchTree {
public:
    using Cell = GourdTrain::Cell;
    using Cells = GourdTrain::Cells;

    struct State {
        std::uint64_t hash;
        std::uint32_t before, depth;
        std::uint32_t left;  // what is judged to be left to do
        Cell hole;
    };

    explicit GourdSearchTree(GourdTrain& work) : work_(work), walker_(work, states_) {}
    GourdSearchTree(const GourdSearchTree&) = delete;
    GourdSearchTree& operator=(const GourdSearchTree&) = delete;

    // Starts a new search at the position of the train.
    void begin(std::uint32_t left, unsigned weight) {
        states_.clear();
        seen_.clear();
        open_.clear();
        walker_.reset();
        weight_ = weight;
        states_.push_back({0, 0, 0, left, work_.hole()});
        seen_.insert(0);
        open(0);
    }

    const std::vector<State>& states() const { return states_; }

    // Adds a state after `before`; whether it is new.
    bool add(std::uint32_t before, Cell hole, std::uint64_t hash, std::uint32_t left) {
        if (!seen_.insert(hash).second) return false;
        states_.push_back({hash, before, states_[before].depth + 1, left, hole});
        open(static_cast<std::uint32_t>(states_.size() - 1));
        return true;
    }

    // The open state with the least priority; false if there is none. Makes room for the states that are found next.
    bool next(std::uint32_t& state, const Tick& tick) {
        if (open_.empty()) return false;
        seen_.make_room(8, tick);
        state = open_.pop();
        walk_to(state);
        return true;
    }

    Cells path(std::uint32_t state) const { return hole_path(states_, state); }
    void walk_to(std::uint32_t state) { walker_.walk_to(state); }

private:
    void open(std::uint32_t state) {
        open_.push(std::min(states_[state].depth + std::size_t{weight_} * states_[state].left, max_priority), state);
    }

    static constexpr std::size_t max_priority = std::size_t{1}
                                                << 22;  // all worse states share a bucket, to save memory

    GourdTrain& work_;
    unsigned weight_ = 1;
    std::vector<State> states_;
    BucketQueue<std::uint32_t> open_;  // by depth and weighted rest
    KeySet seen_;
    GourdWalker<State> walker_;
};

}  // namespace slidelab
