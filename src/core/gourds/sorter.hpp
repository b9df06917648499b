// Gourds sorted one by one along a cycle: the cubic method of the gourds paper (section 4.1).
//
// It needs one place on the cycle where the order can be changed. Either four consecutive cells a b c d with a touching
// d: the gourd on b c stays while the others go round without b and c. Or five, a b c d e, with a, c and e touching
// each other: there two gourds change places, followed by a round of all. Both let one gourd pass the others one by
// one. The cycle begins with a, and a touches c, so that a gourd on b c can be reversed with the hole on a.
//
// Place p of the cycle, from 0 to k - 1, is its cells 2p + 1 and 2p + 2 while the hole is on a.
#pragma once

#include "gourds/small_search.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace slidelab {

class GourdSorter {
public:
    using Cell = GourdTrain::Cell;
    using Cells = GourdTrain::Cells;

    GourdSorter(GourdTrain& train, const Cells& cycle, const GourdTrain& goal, const Tick& tick)
        : train_(train), goal_(goal), tick_(tick), places_(cycle.size() / 2), cycle_(cycle) {
        if (cycle.size() < 5) throw std::invalid_argument("five cells or more expected");
        for (const Cell c : cycle) train.checked(c);
        const auto touch = [&](std::size_t i, std::size_t j) { return train.touch(cycle[i], cycle[j]); };
        if (!touch(0, 2)) throw std::invalid_argument("a sharp bend expected");
        if (touch(0, 3)) {
            without_ = cycle;
            without_.erase(without_.begin() + 1, without_.begin() + 3);
        } else if (!touch(2, 4) || !touch(0, 4)) {
            throw std::invalid_argument("no place to change the order");
        }
    }

    void run() {
        const std::int64_t pulls = goal_.pull_to(cycle_, cycle_[0], tick_);
        train_.pull_to(cycle_, cycle_[0], tick_);
        const std::vector<std::size_t> wanted = order(goal_), now = order(train_);
        if (!std::is_permutation(now.begin(), now.end(), wanted.begin()))
            throw std::invalid_argument("a goal with the same gourds expected");
        for (std::size_t i = 1; i < wanted.size(); ++i) follow(wanted[i - 1], wanted[i]);
        bring(wanted[0]);
        orient(wanted);
        train_.pull(cycle_, -pulls, tick_);
    }

private:
    std::vector<std::size_t> order(const GourdTrain& train) const {
        std::vector<std::size_t> out;
        for (std::size_t p = 0; p < places_; ++p) {
            const Cell end = train.at(cycle_[2 * p + 1]);
            if (end == GourdTrain::nothing || (end ^ 1) != train.at(cycle_[2 * p + 2]))
                throw std::invalid_argument("gourds along the cycle expected");
            out.push_back(GourdTrain::index(end) / 2);
        }
        return out;
    }

    std::size_t place_of(std::size_t gourd) const {
        const auto now = order(train_);
        return static_cast<std::size_t>(std::find(now.begin(), now.end(), gourd) - now.begin());
    }

    void rounds(const Cells& cycle, std::int64_t times) {
        const auto length = static_cast<std::int64_t>(cycle.size());
        for (std::int64_t i = 0; i < (times < 0 ? -times : times); ++i) {
            tick_("sort", train_.path().size(), 0);
            if (train_.hole() != cycle_[0]) throw std::logic_error("expected gourds that are not moved by others");
            train_.pull(cycle, times < 0 ? -length : length, tick_);
        }
    }

    // The gourd to place 0.
    void bring(std::size_t gourd) {
        const std::size_t p = place_of(gourd);
        rounds(cycle_, 2 * p <= places_ ? static_cast<std::int64_t>(p) : -static_cast<std::int64_t>(places_ - p));
    }

    // `gourd` behind `leader`.
    void follow(std::size_t leader, std::size_t gourd) {
        if ((place_of(leader) + 1) % places_ == place_of(gourd)) return;
        bring(gourd);
        const std::size_t p = place_of(leader), last = places_ - 1;
        const bool up = p <= last - p;
        const auto times = static_cast<std::int64_t>(up ? p : last - p);
        if (!without_.empty()) return rounds(without_, up ? times : -times);
        for (std::int64_t i = 0; i < times; ++i) {
            if (up) swap();
            rounds(cycle_, up ? 1 : -1);
            if (!up) swap();
        }
    }

    // The gourds on places 0 and 1 change places. The path is the same for all gourds, so it is searched once.
    void swap() {
        if (swap_.empty()) {
            Cells ends = train_.ends();
            for (std::size_t i = 1; i < 3; ++i)
                std::swap(ends[GourdTrain::index(train_.at(cycle_[i]))],
                          ends[GourdTrain::index(train_.at(cycle_[i + 2]))]);
            const auto found =
                search_gourds(train_, Cells(cycle_.begin(), cycle_.begin() + 5), train_.with(std::move(ends)));
            if (!found) throw std::logic_error("two gourds that can't change places");
            swap_ = *found;
        }
        train_.play(swap_);
    }

    // Once round, and each gourd that would come out in the wrong direction is turned at the sharp bend.
    void orient(const std::vector<std::size_t>& wanted) {
        const auto is_right = [&](const GourdTrain& train, std::size_t g) {
            return train.ends()[2 * g] == goal_.ends()[2 * g];
        };
        if (std::ranges::all_of(wanted, [&](std::size_t g) { return is_right(train_, g); })) return;
        GourdTrain trial(train_);
        for (std::size_t i = 0; i < places_; ++i) {
            tick_("sort", train_.path().size(), 0);
            trial.pull(cycle_, static_cast<std::int64_t>(cycle_.size()), tick_);
            trial.clear_path();
        }
        const std::array<Cell, 3> turn{cycle_[2], cycle_[1], cycle_[0]};
        for (const std::size_t g : wanted) {
            if (!is_right(trial, g)) train_.play(turn);
            rounds(cycle_, 1);
        }
    }

    GourdTrain& train_;
    GourdTrain goal_;
    const Tick tick_;
    std::size_t places_;
    Cells cycle_, without_, swap_;
};

}  // namespace slidelab
