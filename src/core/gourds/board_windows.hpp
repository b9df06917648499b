// Shortens a solution by narrow beams from one of its states to a later one.
//
// A round cuts the solution into windows of equal length and searches each anew, on all cores. A path of the same
// length replaces the old one, too: the next round, cut elsewhere, then starts from another solution. Windows do not
// overlap, so that the result does not depend on the number of threads.
#pragma once

#include "gourds/board_beam.hpp"

namespace slidelab {

class BoardWindows {
public:
    using Spots = BoardMoves::Spots;
    using Move = BoardBeam::Move;

    BoardWindows(std::shared_ptr<const BoardMoves> moves, Spots start, std::vector<Move> path)
        : moves_(std::move(moves)), start_(std::move(start)), path_(std::move(path)) {
        Spots state = start_;
        moves_->check(state);
        for (const auto& move : path_) {
            if (move.piece >= state.size()) throw std::invalid_argument("no such piece");
            state[move.piece] = move.spot;
            moves_->check(state);
        }
    }

    const std::vector<Move>& path() const { return path_; }
    const Spots& start() const { return start_; }
    const BoardMoves& moves() const { return *moves_; }

    struct Round {
        std::size_t length = 30;  // moves of a window
        std::size_t offset = 0;   // where the second window begins
        std::uint64_t width = 100, salt = 0;
        std::uint64_t bytes = std::numeric_limits<std::uint64_t>::max();  // for the beams of all threads
        unsigned threads = 1;
    };

    // Whether the round came to its end: `tick` may stop it by `OutOfTime`, and what is shorter by then stays so.
    bool run(const Round& round, const BoardRanking& ranking, const Tick& tick) {
        if (round.length < 2) throw std::invalid_argument("longer windows expected");
        if (round.threads == 0 || round.threads > 1024) throw std::invalid_argument("threads out of range");
        std::vector<Window> windows;
        Spots state = start_;
        const std::size_t first = round.offset % round.length;
        for (std::size_t at = 0, end = 0; at < path_.size(); at = end) {
            end = std::min(path_.size(), at + (at == 0 && first > 0 ? first : round.length));
            Window window{state, {}, {path_.begin() + signed_(at), path_.begin() + signed_(end)}};
            for (std::size_t i = at; i < end; ++i) state[path_[i].piece] = path_[i].spot;
            window.goal = state;
            windows.push_back(std::move(window));
        }
        bool done = true;
        try {
            parallel_for(windows.size(), round.threads, "windows", tick,
                         [&](std::size_t i, unsigned, const Tick& own) { solve(windows[i], round, ranking, own); });
        } catch (const OutOfTime&) {
            done = false;
        }
        path_.clear();
        for (const auto& window : windows) path_.insert(path_.end(), window.path.begin(), window.path.end());
        return done;
    }

private:
    struct Window {
        Spots start, goal;
        std::vector<Move> path;
    };

    static std::ptrdiff_t signed_(std::size_t i) { return static_cast<std::ptrdiff_t>(i); }

    void solve(Window& window, const Round& round, const BoardRanking& ranking, const Tick& tick) const {
        const BoardBeam beam(moves_, window.goal);
        BoardBeamLimits limits;
        limits.width = round.width;
        limits.below = static_cast<std::uint32_t>(window.path.size() + 1);
        limits.bytes = round.bytes / round.threads;
        limits.salt = round.salt;
        auto found = beam.solve(window.start, ranking, limits, tick);
        if (found.moves) window.path = std::move(*found.moves);
        else if (found.stopped) throw OutOfTime();
    }

    std::shared_ptr<const BoardMoves> moves_;
    Spots start_;
    std::vector<Move> path_;
};

}  // namespace slidelab
