// Shortest solutions by iterative deepening (IDA*), for any rule and on all cores.
//
// The bound on the length is raised until a solution is found, so the first one found is a shortest. What is within a
// bound is searched depth first (bounded_search.hpp). Where that takes long, it is divided: all paths up to some depth
// are listed in the order of the search, and the threads take the subtrees below them one by one. A solution in one
// subtree ends the search of all later subtrees, but not of the earlier ones, so that the solution is the one that a
// single thread finds.
#pragma once

#include "base/parallel.hpp"
#include "search/bounded_search.hpp"
#include "search/search_state.hpp"

#include <type_traits>
#include <utility>

namespace slidelab {

// How the search within one bound is divided among threads. The result is the same for any.
struct Division {
    unsigned threads = 1;
    // Nodes within the last bound for each thread, at least two of them. There will be several times as many within the
    // next: some tenths of a millisecond, many times a thread's start.
    std::uint64_t nodes_per_thread = 1 << 10;
};

class IdaStar {
public:
    IdaStar(std::shared_ptr<const MoveTable> moves, std::shared_ptr<const DuplicatePruning> pruning, Marks marks,
            std::shared_ptr<const Heuristic> heuristic,
            std::shared_ptr<HoleRegionCache> regions = std::make_shared<HoleRegionCache>())
        : moves_(std::move(moves)), pruning_(std::move(pruning)), marks_(std::move(marks)),
          heuristic_(std::move(heuristic)), table_(*heuristic_, *moves_, *regions) {
        if (heuristic_->kinds() != marks_.kinds() || heuristic_->spots() != moves_->spots() ||
            marks_.turns() != moves_->turns())
            throw std::invalid_argument("a heuristic for other pieces");
    }

    // Searches with bounds from `bound` on; stops if no solution is shorter than `below`, or after `max_nodes`. A state
    // is a goal if the base of the heuristic is zero.
    Found solve(const SearchState& start, std::uint32_t bound, std::uint32_t below, std::uint64_t max_nodes,
                const Tick& tick, const Division& division = {}) const {
        start.check(*moves_, marks_, heuristic_->lookups() > 0);
        if (division.threads == 0 || division.threads > 1024) throw std::invalid_argument("threads out of range");
        Found found;
        Search s(*this, start, max_nodes, division, tick);
        if (!s.first().load(start.shape, start.marks, start.pieces(*moves_, marks_))) {
            found.finished = true;
            return found;
        }
        for (s.bound = std::max(bound, s.first().state.bound);; s.bound = s.next) {
            if (s.bound >= below) {
                found.finished = true;
                s.bound = below;
                break;
            }
            bool stopped = false;
            try {
                found.arcs = s.within_bound();
            } catch (const OutOfTime&) {
                stopped = true;
            }
            found.finished = found.arcs || (!stopped && s.next == none);
            if (found.arcs || stopped || s.next == none) break;
        }
        found.nodes = s.nodes();
        found.bound = s.bound;
        return found;
    }

private:
    using Arc = DuplicatePruning::Arc;
    using Path = std::vector<std::uint32_t>;
    static constexpr unsigned any_lookups = BoundedSearch::any_lookups;
    static constexpr std::uint32_t none = Heuristic::none;
    static constexpr std::uint64_t nodes_between_ticks = 1 << 16;
    static constexpr std::uint64_t nodes_between_looks = 1 << 10;  // of threads at what the others have found
    static constexpr std::uint64_t nodes_per_subtree = 64;         // within the last bound; there will be more
    static constexpr std::uint64_t min_subtrees = 256, max_subtrees = 1 << 14;

    std::unique_ptr<BoundedSearch> make_worker() const {
        const auto make = [&]<class Worker>(std::type_identity<Worker>) -> std::unique_ptr<BoundedSearch> {
            return std::make_unique<Worker>(*moves_, *pruning_, marks_, *heuristic_, table_);
        };
        const std::size_t lookups = heuristic_->lookups();
        if (marks_.turns() > 1) return make(std::type_identity<BoundedSearchFor<true, any_lookups>>{});
        if (table_.any_anew() || lookups > 2) {
            if (table_.knows_regions()) return make(std::type_identity<BoundedSearchFor<false, any_lookups, true>>{});
            return make(std::type_identity<BoundedSearchFor<false, any_lookups>>{});
        }
        if (lookups == 0) return make(std::type_identity<BoundedSearchFor<false, 0>>{});
        if (table_.knows_regions()) {
            if (lookups == 1) return make(std::type_identity<BoundedSearchFor<false, 1, true>>{});
            return make(std::type_identity<BoundedSearchFor<false, 2, true>>{});
        }
        if (lookups == 1) return make(std::type_identity<BoundedSearchFor<false, 1>>{});
        return make(std::type_identity<BoundedSearchFor<false, 2>>{});
    }

    class Search {
    public:
        Search(const IdaStar& puzzle, const SearchState& start, std::uint64_t max_nodes, const Division& division,
               const Tick& tick)
            : puzzle_(puzzle), start_(start), max_nodes_(max_nodes), threads_(division.threads),
              nodes_per_thread_(division.nodes_per_thread), max_undivided_(16 * division.nodes_per_thread),
              tick_(tick) {
            workers_.push_back(puzzle.make_worker());
        }

        BoundedSearch& first() { return *workers_[0]; }

        std::uint64_t nodes() const {
            std::uint64_t sum = 0;
            for (const auto& worker : workers_) sum += worker->nodes;
            return sum;
        }

        // A solution within the bound, if there is one; otherwise the next bound. Throws OutOfTime at a limit.
        std::optional<Path> within_bound() {
            const std::uint64_t before = nodes();
            for (auto& worker : workers_) worker->begin_bound(bound);
            bool divided = threads_ > 1 && last_nodes_ >= 2 * nodes_per_thread_ && before + max_undivided_ < max_nodes_;
            std::optional<Path> found;
            if (!divided) {
                found = undivided(before, divided);
                if (divided) {
                    first().go_to({});
                    first().forget();
                    last_nodes_ = max_undivided_;
                }
            }
            if (divided) found = in_subtrees();
            next = none;
            for (auto& worker : workers_) next = std::min(next, worker->next);
            last_nodes_ = nodes() - before;
            return found;
        }

        std::uint32_t bound = 0, next = none;

    private:
        // Searches on one thread; sets `divide` if that takes long and there are others.
        std::optional<Path> undivided(std::uint64_t before, bool& divide) {
            const std::uint64_t limit =
                threads_ > 1 && before + max_undivided_ < max_nodes_ ? before + max_undivided_ : max_nodes_;
            const auto others = nodes() - first().nodes;
            const auto wait = [&](BoundedSearch& worker) {
                worker.pause = (worker.nodes / nodes_between_ticks + 1) * nodes_between_ticks;
                if (worker.pause + others > limit) worker.pause = std::max(worker.nodes, limit - others) + 1;
            };
            const BoundedSearch::Pause pause = [&](BoundedSearch& worker) {
                const std::uint64_t all = worker.nodes + others;
                if (worker.nodes % nodes_between_ticks == 0) tick_("bound", all, bound);
                if (all > max_nodes_) throw OutOfTime();
                if (all > limit) return divide = true, false;
                wait(worker);
                return true;
            };
            wait(first());
            const bool solved = first().descend(pause, none, nullptr);
            return result(solved, first(), divide);
        }

        // The path if there is a solution; memory for longer paths is a limit, too.
        static std::optional<Path> result(bool solved, BoundedSearch& worker, bool paused) {
            if (std::exchange(worker.stopped, false) && !paused) throw OutOfTime();
            if (!solved) return std::nullopt;
            return worker.path();
        }

        std::optional<Path> in_subtrees() {
            std::vector<const Arc*> paths;
            std::uint32_t depth = 0;
            if (auto found = list_subtrees(paths, depth)) return found;
            const std::size_t count = depth ? paths.size() / depth : 0;
            const auto threads = static_cast<unsigned>(
                std::clamp<std::uint64_t>(last_nodes_ / std::max<std::uint64_t>(1, nodes_per_thread_), 2, threads_));
            while (workers_.size() < std::min<std::size_t>(threads, count)) {
                auto& worker = *workers_.emplace_back(puzzle_.make_worker());
                worker.load(start_.shape, start_.marks, start_.pieces(*puzzle_.moves_, puzzle_.marks_));
                worker.begin_bound(bound);
            }
            std::atomic<std::size_t> solved{count};  // the first subtree known to have a solution
            std::atomic<std::uint64_t> spent{nodes()};
            std::optional<Path> found;
            std::mutex guard;
            const Tick report = [&](const char*, std::uint64_t, std::uint64_t) { tick_("bound", spent, bound); };
            parallel_for(count, threads, "bound", report, [&](std::size_t task, unsigned thread, const Tick& own) {
                if (solved < task) return;
                if (spent > max_nodes_) throw OutOfTime();
                BoundedSearch& worker = *workers_[thread];
                std::uint64_t from = worker.nodes;
                bool given_up = false;
                const auto look = [&](BoundedSearch& w) {
                    const std::uint64_t all = spent += w.nodes - std::exchange(from, w.nodes);
                    w.pause = w.nodes + nodes_between_looks;
                    if (all > max_nodes_) throw OutOfTime();
                    own("bound", all, bound);
                    return !(given_up = solved < task);
                };
                worker.pause = worker.nodes + nodes_between_looks;
                worker.go_to(std::span(paths).subspan(task * depth, depth));
                const bool has_solution = worker.descend(look, none, nullptr);
                auto path = result(has_solution, worker, given_up);
                spent += worker.nodes - from;
                if (!path) return;
                const std::lock_guard lock(guard);
                if (task >= solved) return;
                solved = task;
                found = std::move(path);
            });
            for (auto& worker : workers_) worker->go_to({});
            return found;
        }

        // All paths within the bound of one depth, which is raised until there are enough of them. They are searched
        // again for each depth, but counted once.
        std::optional<Path> list_subtrees(std::vector<const Arc*>& paths, std::uint32_t& depth) {
            BoundedSearch& worker = first();
            const std::uint64_t enough = std::clamp(last_nodes_ / nodes_per_subtree, min_subtrees, max_subtrees);
            const std::uint64_t before = worker.nodes;
            const auto look = [&](BoundedSearch& w) {
                w.pause = w.nodes + nodes_between_looks;
                tick_("bound", nodes(), bound);
                if (nodes() > max_nodes_) throw OutOfTime();
                return true;
            };
            for (depth = 1;; ++depth) {
                paths.clear();
                worker.nodes = before;
                worker.pause = worker.nodes + nodes_between_looks;
                if (auto found = result(worker.descend(look, depth, &paths), worker, false)) return found;
                const std::uint64_t listed = worker.nodes - before;
                if (paths.empty() || paths.size() / depth >= enough || depth + 2 >= bound || listed > last_nodes_ / 16)
                    return std::nullopt;
            }
        }

        const IdaStar& puzzle_;
        const SearchState& start_;
        std::uint64_t max_nodes_;
        unsigned threads_;
        std::uint64_t nodes_per_thread_, max_undivided_;  // the second: nodes within a bound, on one of several threads
        const Tick& tick_;
        std::uint64_t last_nodes_ = 0;  // within the last bound
        std::vector<std::unique_ptr<BoundedSearch>> workers_;
    };

    std::shared_ptr<const MoveTable> moves_;
    std::shared_ptr<const DuplicatePruning> pruning_;
    Marks marks_;
    std::shared_ptr<const Heuristic> heuristic_;
    LookupTable table_;
};

}  // namespace slidelab
