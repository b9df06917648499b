// Shortest paths of a few gourds on a few cells, by bidirectional breadth-first search. A state is one number: four
// bits for the cell of each end.
#pragma once

#include "base/key_set.hpp"
#include "gourds/train.hpp"

#include <array>
#include <bit>
#include <cstdint>
#include <optional>
#include <vector>

namespace slidelab {

class SmallGourdSearch {
public:
    using Cell = GourdTrain::Cell;
    using Cells = GourdTrain::Cells;
    using State = std::uint64_t;

    static constexpr std::size_t max_cells = 11;  // with four bits each a state is one number

    SmallGourdSearch(const GourdTrain& train, const Cells& cells) : cells_(cells) {
        if (cells.size() > max_cells) throw std::invalid_argument("fewer cells expected");
        for (std::size_t i = 0; i < cells.size(); ++i) {
            train.checked(cells[i]);
            for (std::size_t j = 0; j < i; ++j) {
                if (cells[i] == cells[j]) throw std::invalid_argument("different cells expected");
                touch_[i][j] = touch_[j][i] = train.touch(cells[i], cells[j]);
            }
            const Cell end = train.at(cells[i]);
            if (end != GourdTrain::nothing && (end & 1) == 0) gourds_.push_back(end / 2);
        }
        std::sort(gourds_.begin(), gourds_.end());
        if (2 * gourds_.size() + 1 != cells.size() ||
            std::find(cells.begin(), cells.end(), train.hole()) == cells.end())
            throw std::invalid_argument("whole gourds and the hole expected");
    }

    State state_of(const GourdTrain& train) const {
        State state = 0;
        for (std::size_t i = 0; i < gourds_.size(); ++i)
            for (std::size_t e = 0; e < 2; ++e) {
                if (GourdTrain::index(gourds_[i]) >= train.gourds())
                    throw std::invalid_argument("the same gourds expected");
                const Cell cell = train.ends()[2 * GourdTrain::index(gourds_[i]) + e];
                const auto found = std::find(cells_.begin(), cells_.end(), cell);
                if (found == cells_.end()) throw std::invalid_argument("the same gourds on these cells expected");
                state |= static_cast<State>(found - cells_.begin()) << (4 * (2 * i + e));
            }
        return state;
    }

    // A shortest path of the hole, if there is a path.
    std::optional<Cells> search(State start, State goal, const Tick& tick = no_tick) const {
        check(start);
        check(goal);
        if (start == goal) return Cells{};
        std::array<Side, 2> sides;
        sides[0].add(start, 0);
        sides[1].add(goal, 0);
        while (sides[0].frontier() != 0 && sides[1].frontier() != 0) {
            const std::size_t s = sides[0].frontier() <= sides[1].frontier() ? 0 : 1;
            Side& side = sides[s];
            for (const std::size_t end = side.states.size(); side.begin < end; ++side.begin) {
                if ((side.begin & 0x3ff) == 0) tick("states", sides[0].states.size() + sides[1].states.size(), 0);
                for (const State next : moves_from(side.states.key(side.begin)))
                    if (side.add(next, static_cast<std::uint32_t>(side.begin)) &&
                        sides[1 - s].states.find(next) != KeySet::none)
                        return joined(sides, next);
            }
        }
        return std::nullopt;
    }

private:
    struct Side {
        // Whether the state is new.
        bool add(State state, std::uint32_t previous) {
            if (!states.insert(state).second) return false;
            before.push_back(previous);
            return true;
        }
        std::size_t frontier() const { return states.size() - begin; }
        KeySet states;
        std::vector<std::uint32_t> before;
        std::size_t begin = 0;  // of the last layer
    };

    void check(State state) const {
        std::uint32_t taken = 0;
        for (std::size_t e = 0; e < 2 * gourds_.size(); ++e) taken |= std::uint32_t{1} << end_of(state, e);
        if (taken >> cells_.size() != 0 || static_cast<std::size_t>(std::popcount(taken)) != 2 * gourds_.size() ||
            state >> (8 * gourds_.size()) != 0)
            throw std::invalid_argument("gourds on different cells expected");
    }

    std::size_t end_of(State state, std::size_t end) const { return (state >> (4 * end)) & 15; }

    std::size_t hole_of(State state) const {
        std::size_t sum = cells_.size() * (cells_.size() - 1) / 2;
        for (std::size_t e = 0; e < 2 * gourds_.size(); ++e) sum -= end_of(state, e);
        return sum;
    }

    std::vector<State> moves_from(State state) const {
        std::vector<State> out;
        const std::size_t hole = hole_of(state);
        for (std::size_t e = 0; e < 2 * gourds_.size(); ++e) {
            const std::size_t front = end_of(state, e), back = end_of(state, e ^ 1);
            if (!touch_[hole][front]) continue;
            State after = state ^ (static_cast<State>(back ^ (touch_[hole][back] ? hole : front)) << (4 * (e ^ 1)));
            if (!touch_[hole][back]) after ^= static_cast<State>(front ^ hole) << (4 * e);
            out.push_back(after);
        }
        return out;
    }

    Cells joined(const std::array<Side, 2>& sides, State middle) const {
        Cells path;
        for (auto s = sides[0].states.find(middle); s != 0; s = sides[0].before[s])
            path.push_back(cells_[hole_of(sides[0].states.key(s))]);
        std::reverse(path.begin(), path.end());
        for (auto s = sides[1].states.find(middle); s != 0; s = sides[1].before[s])
            path.push_back(cells_[hole_of(sides[1].states.key(sides[1].before[s]))]);
        return path;
    }

    Cells cells_;
    std::array<std::array<bool, 16>, 16> touch_{};
    std::vector<Cell> gourds_;
};

// A shortest path to `goal` for the few gourds that lie on `cells`.
inline std::optional<GourdTrain::Cells> search_gourds(const GourdTrain& train, const GourdTrain::Cells& cells,
                                                      const GourdTrain& goal, const Tick& tick = no_tick) {
    const SmallGourdSearch local(train, cells);
    return local.search(local.state_of(train), local.state_of(goal), tick);
}

}  // namespace slidelab
