// Weighted best-first search for any path between two positions of gourds on hexagons.
//
// The heuristic is the distance of both ends of each gourd from their goals on an empty board.
#pragma once

#include "gourds/state_tree.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace slidelab {

class GourdBestFirst {
public:
    using Cell = GourdTrain::Cell;
    using Cells = GourdTrain::Cells;

    // Two coordinates a cell, axial.
    GourdBestFirst(const GourdTrain& start, const GourdTrain& goal, std::span<const std::int32_t> coordinates)
        : work_(start), tree_(work_), goal_(goal.ends()), coordinates_(coordinates.begin(), coordinates.end()) {
        if (start.ends().size() != goal.ends().size()) throw std::invalid_argument("the same gourds expected");
        if (coordinates.size() != 2 * (start.ends().size() + 1))
            throw std::invalid_argument("two coordinates a cell expected");
    }

    // A path to the goal, if it is found before there are `max_states` states.
    std::optional<Cells> search(unsigned weight, std::size_t max_states, const Tick& tick) {
        if (weight < 1 || weight > 1000) throw std::invalid_argument("a weight from 1 to 1000 expected");
        if (!tree_.states().empty()) tree_.walk_to(0);
        std::uint32_t left = 0, state = 0;
        for (std::size_t g = 0; g < work_.gourds(); ++g) left += to_go(g);
        if (left == 0) return Cells{};
        tree_.begin(left, weight);
        for (std::uint64_t round = 0; tree_.states().size() < max_states && tree_.next(state, tick); ++round) {
            if ((round & 0x3ff) == 0) tick("states ", tree_.states().size(), 0);
            for (const Cell front : work_.around(work_.hole())) {
                const GourdMove move(work_, front);
                const Cell head = static_cast<Cell>(2 * move.gourd());
                const std::uint64_t hash = tree_.states()[state].hash ^ move.hash_change();
                left = tree_.states()[state].left - to_go(move.gourd()) +
                       to_go(move.gourd(), move.where(work_, head), move.where(work_, head + 1));
                if (tree_.add(state, move.back, hash, left) && left == 0)
                    return tree_.path(static_cast<std::uint32_t>(tree_.states().size() - 1));
            }
        }
        return std::nullopt;
    }

private:
    std::uint32_t to_go(std::size_t gourd) const {
        return to_go(gourd, work_.ends()[2 * gourd], work_.ends()[2 * gourd + 1]);
    }
    std::uint32_t to_go(std::size_t gourd, Cell head, Cell tail) const {
        return std::max(cells_apart(coordinates_, head, goal_[2 * gourd]),
                        cells_apart(coordinates_, tail, goal_[2 * gourd + 1]));
    }

    GourdTrain work_;
    GourdSearchTree tree_;
    Cells goal_;
    std::vector<std::int32_t> coordinates_;
};

}  // namespace slidelab
