// Gourds sorted one by one along a closed way: the cubic method of the gourds paper (section 4.1).
//
// It needs one place on the way where the order can be changed. Either four cells a b c d in a row with a touching d:
// the gourd on b c stays while the others go round without b and c. Or five, a b c d e, with a, c and e touching each
// other: there two gourds change places, and a round of all follows. Both let one gourd pass the others one by one.
// The way begins with a, and a touches c, so that a gourd on b c can be turned round with the hole on a.
//
// Place p of the way, from 0 to k - 1, is its cells 2p + 1 and 2p + 2 while the hole is on a.
#pragma once

#include "gourds/small_search.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace slidelab {

class GourdSorting {
public:
    using Cell = GourdTrain::Cell;
    using Cells = GourdTrain::Cells;

    GourdSorting(GourdTrain& train, const Cells& way, const GourdTrain& goal, const Tick& tick)
        : train_(train), goal_(goal), tick_(tick), places_(way.size() / 2), way_(way) {
        if (way.size() < 5) throw std::invalid_argument("five cells or more expected");
        for (const Cell c : way) train.checked(c);
        const auto touch = [&](std::size_t i, std::size_t j) { return train.touch(way[i], way[j]); };
        if (!touch(0, 2)) throw std::invalid_argument("a sharp bend expected");
        if (touch(0, 3)) {
            without_ = way;
            without_.erase(without_.begin() + 1, without_.begin() + 3);
        } else if (!touch(2, 4) || !touch(0, 4)) {
            throw std::invalid_argument("no place to change the order");
        }
    }

    void run() {
        const std::int64_t pulls = goal_.pull_to(way_, way_[0]);
        train_.pull_to(way_, way_[0]);
        const std::vector<std::size_t> wanted = order(goal_), now = order(train_);
        if (!std::is_permutation(now.begin(), now.end(), wanted.begin())) throw std::invalid_argument("a goal with the same gourds expected");
        for (std::size_t i = 1; i < wanted.size(); ++i) follow(wanted[i - 1], wanted[i]);
        bring(wanted[0]);
        orient(wanted);
        train_.pull(way_, -pulls);
    }

private:
    std::vector<std::size_t> order(const GourdTrain& train) const {
        std::vector<std::size_t> out;
        for (std::size_t p = 0; p < places_; ++p) {
            const Cell end = train.at(way_[2 * p + 1]);
            if (end == GourdTrain::nothing || (end ^ 1) != train.at(way_[2 * p + 2])) throw std::invalid_argument("gourds along the way expected");
            out.push_back(GourdTrain::index(end) / 2);
        }
        return out;
    }

    std::size_t place_of(std::size_t gourd) const {
        const auto now = order(train_);
        return static_cast<std::size_t>(std::find(now.begin(), now.end(), gourd) - now.begin());
    }

    void rounds(const Cells& way, std::int64_t times) {
        const auto length = static_cast<std::int64_t>(way.size());
        for (std::int64_t i = 0; i < (times < 0 ? -times : times); ++i) {
            tick_("sort", train_.trail().size(), 0);
            if (train_.hole() != way_[0]) throw std::logic_error("gourds that nobody else moves expected");
            train_.pull(way, times < 0 ? -length : length);
        }
    }

    // The gourd to place 0.
    void bring(std::size_t gourd) {
        const std::size_t p = place_of(gourd);
        rounds(way_, 2 * p <= places_ ? static_cast<std::int64_t>(p) : -static_cast<std::int64_t>(places_ - p));
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
            rounds(way_, up ? 1 : -1);
            if (!up) swap();
        }
    }

    // The gourds on places 0 and 1 change places. The trail is the same for all gourds, so it is searched once.
    void swap() {
        if (swap_.empty()) {
            Cells ends = train_.ends();
            for (std::size_t i = 1; i < 3; ++i)
                std::swap(ends[GourdTrain::index(train_.at(way_[i]))], ends[GourdTrain::index(train_.at(way_[i + 2]))]);
            const auto found = search_gourds(train_, Cells(way_.begin(), way_.begin() + 5), train_.with(std::move(ends)));
            if (!found) throw std::logic_error("two gourds that can't change places");
            swap_ = *found;
        }
        train_.play(swap_);
    }

    // Once round, and each gourd that would come out the wrong way round is turned at the sharp bend.
    void orient(const std::vector<std::size_t>& wanted) {
        const auto is_right = [&](const GourdTrain& train, std::size_t g) { return train.ends()[2 * g] == goal_.ends()[2 * g]; };
        if (std::ranges::all_of(wanted, [&](std::size_t g) { return is_right(train_, g); })) return;
        GourdTrain trial(train_);
        for (std::size_t i = 0; i < places_; ++i) {
            tick_("sort", train_.trail().size(), 0);
            trial.pull(way_, static_cast<std::int64_t>(way_.size()));
            trial.forget_trail();
        }
        const std::array<Cell, 3> turn{way_[2], way_[1], way_[0]};
        for (const std::size_t g : wanted) {
            if (!is_right(trial, g)) train_.play(turn);
            rounds(way_, 1);
        }
    }

    GourdTrain& train_;
    GourdTrain goal_;
    const Tick tick_;
    std::size_t places_;
    Cells way_, without_, swap_;
};

}  // namespace slidelab
