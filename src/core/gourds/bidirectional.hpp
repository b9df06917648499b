// Shortest paths between two positions of any number of gourds that are a few moves apart: breadth-first search from
// both ends, compared in full.
//
// A state is kept as the cell that the hole came to and the state before it. Two states with the same hash are compared
// end by end: a second train moves over the tree to the older of them.
#pragma once

#include "base/hash_index.hpp"
#include "gourds/state_tree.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace slidelab {

template <class Hash = GourdHash>
class GourdBidirectional {
public:
    using Cell = GourdTrain::Cell;
    using Cells = GourdTrain::Cells;

    GourdBidirectional(const GourdTrain& start, const GourdTrain& goal) : sides_{Side(start), Side(goal)} {
        if (start.ends().size() != goal.ends().size()) throw std::invalid_argument("the same gourds expected");
        std::uint64_t difference = 0;
        for (std::size_t e = 0; e < goal.ends().size(); ++e)
            difference ^= Hash::mark(e, start.ends()[e]) ^ Hash::mark(e, goal.ends()[e]);
        sides_[0].add(none, 0, start.hole());
        sides_[1].add(none, difference, goal.hole());
        found_ = start.ends() == goal.ends();
    }
    GourdBidirectional(const GourdBidirectional&) = delete;
    GourdBidirectional& operator=(const GourdBidirectional&) = delete;

    // Whether a shortest path was found among at most `max_states` states. May be called again with more of them.
    bool search(std::size_t max_states, const Tick& tick) {
        max_states = std::min<std::size_t>(max_states, none);
        while (!found_) {
            lower_bound_ = std::max<std::size_t>(lower_bound_, 1);
            // A layer that was begun is finished first, or a longer path could be found before a shorter one.
            if (!within_layer_) side_ = sides_[0].frontier() <= sides_[1].frontier() ? 0 : 1;
            Side& side = sides_[side_];
            if (side.frontier() == 0) return false;
            for (within_layer_ = true; side.begin < side.end; ++side.begin) {
                if ((side.begin & 0xff) == 0) tick("states ", states(), 0);
                side.index.make_room(max_moves, side.hash_of(), tick);
                if (states() >= max_states) return false;
                if (expand(side, sides_[1 - side_])) return found_ = true;
            }
            within_layer_ = false;
            side.end = side.states.size();
            ++lower_bound_;
        }
        return true;
    }

    std::size_t lower_bound() const { return lower_bound_; }
    const Cells& path() const { return path_; }  // of the hole

private:
    static constexpr std::uint32_t none = HashIndex::none;
    static constexpr std::size_t max_moves = 8;  // of most states: room that is made for those that are found next

    struct State {
        std::uint64_t hash;
        std::uint32_t before, depth;
        Cell hole;
    };

    struct Side {
        explicit Side(const GourdTrain& train) : work(train), other(train) {}

        std::size_t frontier() const { return end - begin; }
        void add(std::uint32_t before, std::uint64_t hash, Cell hole) {
            states.push_back({hash, before == none ? 0 : before, before == none ? 0 : states[before].depth + 1, hole});
            if (before == none) index.insert(hash, [](std::uint32_t) { return false; }, hash_of());
        }
        // Is this state the one with these ends?
        auto equals(std::uint64_t hash, const Cells& ends) {
            return [this, hash, &ends](std::uint32_t state) {
                if (states[state].hash != hash) return false;
                compare.walk_to(state);
                return other.ends() == ends;
            };
        }
        auto hash_of() const {
            return [this](std::uint32_t state) { return states[state].hash; };
        }

        std::vector<State> states;
        HashIndex index;
        GourdTrain work, other;
        GourdWalker<State> walker{work, states}, compare{other, states};
        std::size_t begin = 0, end = 1;  // of the last layer
    };

    std::size_t states() const { return sides_[0].states.size() + sides_[1].states.size(); }

    // All moves from the first state of the frontier; whether the sides met.
    bool expand(Side& side, Side& opposite) {
        const auto state = static_cast<std::uint32_t>(side.begin);
        side.walker.walk_to(state);
        const Cell hole = side.work.hole();
        for (const Cell front : side.work.around(hole)) {
            const GourdMove move(side.work, front);
            if (state != 0 && move.back == side.states[side.states[state].before].hole)
                continue;  // the last move taken back
            const std::uint64_t hash = side.states[state].hash ^ move.hash_change<Hash>();
            side.work.play(move.back);
            const bool met = reach(side, opposite, state, hash);
            side.work.play(hole);
            side.work.clear_path();
            if (met) return true;
        }
        return false;
    }

    // Adds the state that the side's train is in; whether the other side has been there.
    bool reach(Side& side, Side& opposite, std::uint32_t before, std::uint64_t hash) {
        const Cells& ends = side.work.ends();
        if (side.states.size() == side.states.capacity())
            side.states.reserve(2 * side.states.size());  // all that may fail
        const auto [here, is_new] = side.index.insert(hash, side.equals(hash, ends), side.hash_of());
        if (!is_new) return false;
        side.add(before, hash, side.work.hole());
        const std::uint32_t there = opposite.index.find(hash, opposite.equals(hash, ends));
        if (there == none) return false;
        const bool forwards = side_ == 0;
        join(forwards ? here : there, forwards ? there : here);
        return true;
    }

    // From the start to where the sides met, and from there back to the goal.
    void join(std::uint32_t here, std::uint32_t there) {
        path_ = hole_path(sides_[0].states, here);
        const auto& back = sides_[1].states;
        for (; there != 0; there = back[there].before) path_.push_back(back[back[there].before].hole);
    }

    std::array<Side, 2> sides_;
    std::size_t side_ = 0, lower_bound_ = 0;
    bool within_layer_ = false, found_ = false;
    Cells path_;
};

}  // namespace slidelab
