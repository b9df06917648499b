// Two positions of any number of gourds that are only a few moves apart: breadth first from both ends.
//
// A state is kept as the cell that the hole came to and the state before; to go on from it, its trail is played on one
// working copy and taken back. States are told apart by a hash of 64 bits, and whoever asks replays the answer.
#pragma once

#include "gourds/state_tree.hpp"

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace slidelab {

class GourdsNear {
public:
    using Cell = GourdTrain::Cell;
    using Cells = GourdTrain::Cells;

    GourdsNear(const GourdTrain& start, const GourdTrain& goal) : sides_{Side(start), Side(goal)} {
        if (start.ends().size() != goal.ends().size()) throw std::invalid_argument("the same gourds expected");
        std::uint64_t other = 0;
        for (std::size_t e = 0; e < goal.ends().size(); ++e) other ^= gourd_mark(e, start.ends()[e]) ^ gourd_mark(e, goal.ends()[e]);
        sides_[0].add(0, start.hole(), 0);
        sides_[1].add(0, goal.hole(), other);
    }

    // A shortest way, if at most `most` states have to be looked at; `at_least` moves are needed in any case.
    bool search(std::size_t most, const Tick& tick) {
        if (sides_[0].hash[0] == sides_[1].hash[0] || !trail_.empty()) return true;
        at_least_ = std::max<std::size_t>(at_least_, 1);
        most = std::min<std::size_t>(most, 0xffffffff);
        while (sides_[0].hash.size() + sides_[1].hash.size() < most) {
            const std::size_t side = sides_[0].frontier() <= sides_[1].frontier() ? 0 : 1;
            if (sides_[side].frontier() == 0) return false;
            if (expand(sides_[side], sides_[1 - side], most, side == 0, tick)) return true;
            if (sides_[side].begin < sides_[side].end) return false;  // stopped within a layer
            sides_[side].end = sides_[side].hash.size();
            ++at_least_;
        }
        return false;
    }

    std::size_t at_least() const { return at_least_; }
    const Cells& trail() const { return trail_; }

private:
    struct Side {
        explicit Side(const GourdTrain& train) : work(train) {}
        void add(std::uint32_t from, Cell hole, std::uint64_t h) {
            index.emplace(h, static_cast<std::uint32_t>(hash.size()));
            hash.push_back(h);
            before.push_back(from);
            hole_at.push_back(hole);
        }
        std::size_t frontier() const { return end - begin; }
        // Where the hole came on the way to a state.
        Cells path(std::uint32_t state) const {
            Cells out;
            for (; state != 0; state = before[state]) out.push_back(hole_at[state]);
            std::reverse(out.begin(), out.end());
            return out;
        }

        GourdTrain work;
        std::vector<std::uint64_t> hash;
        std::vector<std::uint32_t> before;
        Cells hole_at;
        std::unordered_map<std::uint64_t, std::uint32_t> index;
        std::size_t begin = 0, end = 1;  // the last layer
    };

    bool expand(Side& side, const Side& other, std::size_t most, bool forwards, const Tick& tick) {
        for (; side.begin < side.end; ++side.begin) {
            if ((side.begin & 0xff) == 0) tick("states ", side.hash.size() + other.hash.size(), 0);
            if (side.hash.size() + other.hash.size() >= most) return false;
            const auto state = static_cast<std::uint32_t>(side.begin);
            const Cells path = side.path(state);
            side.work.play(path);
            const Cell hole = side.work.hole();
            for (const Cell front : side.work.around(hole)) {
                const Cell end = side.work.at(front);
                const Cell back = side.work.ends()[GourdTrain::index(end ^ 1)];
                const std::uint64_t h = side.hash[state] ^ gourd_change(side.work, end, front, back);
                if (side.index.contains(h)) continue;
                side.add(state, back, h);
                if (const auto found = other.index.find(h); found != other.index.end()) {
                    const auto here = static_cast<std::uint32_t>(side.hash.size() - 1);
                    join(forwards ? side : other, forwards ? here : found->second, forwards ? other : side, forwards ? found->second : here);
                    return true;
                }
            }
            rewind(side, path);
        }
        return false;
    }

    static void rewind(Side& side, const Cells& path) {
        for (std::size_t i = path.size(); i-- > 0;) side.work.play(i == 0 ? side.hole_at[0] : path[i - 1]);
        side.work.forget_trail();
    }

    void join(const Side& first, std::uint32_t here, const Side& last, std::uint32_t there) {
        trail_ = first.path(here);
        for (; there != 0; there = last.before[there]) trail_.push_back(last.hole_at[last.before[there]]);
    }

    std::array<Side, 2> sides_;
    std::size_t at_least_ = 0;
    Cells trail_;
};

}  // namespace slidelab
