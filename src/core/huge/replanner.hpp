// Shortens solutions by planning the paths of a few pieces anew, while all others keep theirs.
//
// With many holes most moves have nothing to do with each other: pieces step aside for a piece that could have gone
// elsewhere, or later. So a few pieces, most often neighbours, are taken off the board at all times, and put back one
// after the other, each on a shortest path through the moves of the others (piece_planner.hpp). What is not longer than
// before is kept: solutions of the same length are other starting points. This is large neighbourhood search, as it is
// known from planning the paths of many robots; here waiting is free and only moves count.
//
// A round cuts the solution into windows, in which pieces keep their spots at both ends, and works on all of them on
// all cores. Each window has its own random numbers, so that the result does not depend on the number of threads.
#pragma once

#include "base/parallel.hpp"
#include "huge/piece_planner.hpp"

#include <cmath>
#include <memory>

namespace slidelab {

class Replanner {
public:
    using Event = PiecePlanner::Event;
    using Spot = std::pair<std::int32_t, std::int32_t>;  // placement and turn
    struct Round {
        std::size_t length = 1000;    // moves of a window
        std::size_t offset = 0;       // where the second window begins
        std::uint64_t trials = 1000;  // of each window
        unsigned max_pieces = 3;      // that are planned anew at a time
        double temperature = 0;       // mean number of moves by which a longer solution may be kept
        std::uint64_t seed = 0;
        std::size_t row_bytes = std::size_t{1} << 26;  // for distances, of each thread
        unsigned threads = 1;
    };

    // Memory for the tables of a puzzle, at most.
    static std::uint64_t bytes(const StepTable& table) { return PiecePlanner::Tables::bytes(table); }

    // The moves are numbers of steps in the table; all must be legal.
    Replanner(const StepTable& table, const std::vector<Spot>& pieces, const std::vector<std::uint32_t>& moves)
        : tables_(table) {
        const auto turns = static_cast<std::uint32_t>(table.turns);
        std::vector<std::uint32_t> at(table.placement_count(), PiecePlanner::never);
        for (const auto& [placement, turn] : pieces) {
            at[static_cast<std::size_t>(placement)] = static_cast<std::uint32_t>(start_.size());
            start_.push_back(static_cast<std::uint32_t>(placement) * turns + static_cast<std::uint32_t>(turn));
        }
        for (auto step : moves) {
            if (step >= table.steps.size()) throw std::invalid_argument("no such step");
            const auto from = static_cast<std::size_t>(table.steps[step].from);
            if (at[from] == PiecePlanner::never) throw std::invalid_argument("no piece to move");
            path_.push_back({at[from], step});
            std::swap(at[from], at[static_cast<std::size_t>(table.steps[step].to)]);
        }
        best_ = path_;
    }

    std::size_t size() const { return best_.size(); }
    const StepTable& table() const { return tables_.table; }
    std::vector<std::uint32_t> moves() const {
        std::vector<std::uint32_t> out;
        for (const auto& e : best_) out.push_back(e.step);
        return out;
    }

    // Whether the round came to its end: `tick` may stop it by `OutOfTime`, and what is shorter by then stays so.
    bool run(const Round& round, const Tick& tick) {
        if (round.length == 0 || round.max_pieces == 0 || !(round.temperature >= 0 && round.temperature < 1e6))
            throw std::invalid_argument("lengths and numbers of pieces above 0 expected");
        if (round.threads == 0 || round.threads > 1024) throw std::invalid_argument("threads out of range");
        std::vector<std::unique_ptr<Worker>> workers(round.threads);
        std::vector<std::uint32_t> spots = start_;
        std::vector<Event> path, best;
        std::size_t number = 0;  // of windows so far
        bool done = true;
        for (std::size_t at = 0; at < path_.size();) {
            std::vector<Window> windows;  // not all at once: each has the spots of all pieces
            for (; at < path_.size() && windows.size() < max_windows; ++number) {
                const std::size_t first = number == 0 ? round.offset % round.length : 0;
                windows.push_back(cut(spots, at, std::min(path_.size(), at + (first > 0 ? first : round.length))));
            }
            try {
                parallel_for(windows.size(), round.threads, "replan", tick,
                             [&](std::size_t i, unsigned thread, const Tick& own) {
                                 if (!workers[thread]) workers[thread] = std::make_unique<Worker>(*this, round);
                                 workers[thread]->run(windows[i], number - windows.size() + i, own);
                             });
            } catch (const OutOfTime&) {
                done = false;
            }
            for (const auto& w : windows) {
                path.insert(path.end(), w.path.begin(), w.path.end());
                best.insert(best.end(), w.best.begin(), w.best.end());
            }
            if (done) continue;
            path.insert(path.end(), path_.begin() + signed_(at), path_.end());
            best.insert(best.end(), path_.begin() + signed_(at), path_.end());
            break;
        }
        path_ = std::move(path);
        if (best.size() < best_.size()) best_ = std::move(best);
        return done;
    }

private:
    static constexpr std::size_t max_windows = 64;  // at a time

    struct Window {
        std::vector<std::uint32_t> start, goal;  // spot of each piece
        std::vector<Event> path, best;
    };

    static std::ptrdiff_t signed_(std::size_t i) { return static_cast<std::ptrdiff_t>(i); }

    // The moves from `at` on; `spots` and `at` move on to its end.
    Window cut(std::vector<std::uint32_t>& spots, std::size_t& at, std::size_t end) const {
        Window w;
        w.start = spots;
        w.path.assign(path_.begin() + signed_(at), path_.begin() + signed_(end));
        w.best = w.path;
        for (; at < end; ++at) play(spots, path_[at]);
        w.goal = spots;
        return w;
    }
    void play(std::vector<std::uint32_t>& spots, const Event& e) const {
        spots[e.piece] = tables_.forward.after(tables_.forward[e.step], spots[e.piece]);
    }

    struct Worker {
        Worker(const Replanner& owner, const Round& r)
            : replanner(owner), round(r), table(owner.tables_.table), planner(owner.tables_, r.row_bytes) {}

        void run(Window& w, std::size_t number, const Tick& tick) {
            random = SplitMix(SplitMix(round.seed)() + number);
            chosen.assign(w.start.size(), 0);
            taken_first.assign(table.cells, 0);
            taken_last.assign(table.cells, 0);
            for (std::size_t k = 0; k < w.start.size(); ++k) {
                cover(taken_first, w.start[k], 1);
                cover(taken_last, w.goal[k], 1);
            }
            for (std::uint64_t trial = 0; trial < round.trials && !w.path.empty(); ++trial) {
                tick("replan", trial, round.trials);  // a trial may take a millisecond on a large board
                choose(w);
                const bool shorter = replan(w);
                for (auto k : pieces) chosen[k] = 0;
                if (!shorter) continue;
                std::swap(w.path, path);
                if (w.path.size() < w.best.size()) w.best = w.path;
            }
        }

    private:
        void cover(std::vector<std::uint8_t>& taken, std::uint32_t spot, std::uint8_t by) const {
            for (auto c : table.cells_of(spot / table.turns)) taken[static_cast<std::size_t>(c)] = by;
        }
        void add(std::uint32_t piece) {
            if (chosen[piece]) return;
            chosen[piece] = 1;
            pieces.push_back(piece);
        }

        // The pieces that are planned anew: any, or those around a move.
        void choose(const Window& w) {
            pieces.clear();
            const std::size_t count = std::min<std::size_t>(1 + random.below(round.max_pieces), w.start.size());
            const std::size_t event = random.below(w.path.size());
            add(w.path[event].piece);
            if (random.below(4) == 0) {
                while (pieces.size() < count) add(static_cast<std::uint32_t>(random.below(w.start.size())));
            } else if (count > 1) {
                spots = w.start;
                for (std::size_t i = 0; i < event; ++i) replanner.play(spots, w.path[i]);
                at.assign(table.cells, PiecePlanner::never);
                for (std::uint32_t k = 0; k < spots.size(); ++k)
                    for (auto c : table.cells_of(spots[k] / table.turns)) at[static_cast<std::size_t>(c)] = k;
                const auto& steps = replanner.tables_.forward;
                std::uint32_t placement = steps[w.path[event].step].from;
                for (unsigned i = 0; i < max_walk && pieces.size() < count; ++i) {
                    const auto from = steps.from(placement);
                    placement = from[random.below(from.size())].to;
                    for (auto c : table.cells_of(placement))
                        if (const auto k = at[static_cast<std::size_t>(c)]; k != PiecePlanner::never) add(k);
                }
            }
            for (std::size_t i = pieces.size(); i > 1; --i) std::swap(pieces[i - 1], pieces[random.below(i)]);
        }

        // Whether paths of the pieces were found that together are short enough; then `path` has all moves.
        bool replan(const Window& w) {
            path.clear();
            for (const auto& e : w.path)
                if (!chosen[e.piece]) path.push_back(e);
            std::size_t most = w.path.size(), rest = 0;
            if (round.temperature > 0) most += static_cast<std::size_t>(-round.temperature * std::log(random.unit()));
            for (auto k : pieces) {
                cover(taken_first, w.start[k], 0);
                cover(taken_last, w.goal[k], 0);
                rest += planner.distance(w.start[k], w.goal[k]);
            }
            bool found = true;
            for (auto k : pieces) {
                if (found) {
                    rest -= planner.distance(w.start[k], w.goal[k]);
                    found = path.size() + rest <= most;
                }
                if (found) {
                    const bool backward = random.below(2);
                    const auto limit = static_cast<std::uint32_t>(most - path.size() - rest);
                    found = planner.plan(path, backward ? taken_last : taken_first, w.start[k], w.goal[k], backward,
                                         limit, random);
                }
                if (found) insert(k);
                cover(taken_first, w.start[k], 1);
                cover(taken_last, w.goal[k], 1);
            }
            return found;
        }

        void insert(std::uint32_t piece) {
            merged.clear();
            auto own = planner.path().begin();
            for (std::uint32_t i = 0;; ++i) {
                for (; own != planner.path().end() && own->gap == i; ++own) merged.push_back({piece, own->step});
                if (i == path.size()) break;
                merged.push_back(path[i]);
            }
            std::swap(path, merged);
        }

        static constexpr unsigned max_walk = 60;

        const Replanner& replanner;
        const Round& round;
        const StepTable& table;
        PiecePlanner planner;
        SplitMix random;
        std::vector<std::uint8_t> taken_first, taken_last, chosen;
        std::vector<std::uint32_t> pieces, spots, at;
        std::vector<Event> path, merged;
    };

    PiecePlanner::Tables tables_;
    std::vector<std::uint32_t> start_;
    std::vector<Event> path_, best_;
};

}  // namespace slidelab
