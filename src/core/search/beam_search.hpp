// Beam search, for any rule and on all cores.
//
// The search goes forward layer by layer; all states of a layer have been reached by the same number of moves. Of the
// states that a layer leads to only the best `width` are kept. So time and memory are known beforehand, and a wider
// beam finds shorter solutions. As long as no state had to be dropped it is breadth-first search, and the first
// solution is a shortest.
//
// States are ranked by an estimate that need not be a lower bound (ranking.hpp), plus a multiple of what the pattern
// databases add to the distances of single pieces, as a mean over all lookups. A mean tells more states apart than the
// maximum, which is the lower bound that prunes; and since databases see only what happens within a pattern, more than
// what they say is usually nearer to the truth. Equal estimates are ordered by a hash.
//
// A move changes one piece, so a child needs one database entry for each lookup; the others are kept with its parent.
// Entries of many children are prefetched before the first is read. Hashes change by one piece, too. Children are
// distributed over shards by their hashes: equal states meet in one shard, where they are compared in full with each
// other and with the states of the last two layers. Layers are divided into tasks and shards by their size alone, so
// that the result does not depend on the number of threads.
#pragma once

#include "base/parallel.hpp"
#include "search/beam_sample.hpp"
#include "search/ida_star.hpp"
#include "search/ranking.hpp"

namespace slidelab {

struct BeamLimits {
    std::uint64_t width = 1;
    std::uint32_t below = Heuristic::none;  // only solutions shorter than this are of interest
    std::uint64_t bytes = std::numeric_limits<std::uint64_t>::max();
    unsigned threads = 1;
    Ranking ranking;
    BeamSample* sample = nullptr;  // is filled with states of some layers
};

class BeamSearch {
public:
    BeamSearch(std::shared_ptr<const MoveTable> moves, Marks marks, std::shared_ptr<const Heuristic> heuristic)
        : moves_(std::move(moves)), marks_(std::move(marks)), heuristic_(std::move(heuristic)) {
        if (heuristic_->kinds() != marks_.kinds() || heuristic_->spots() != moves_->spots() ||
            marks_.turns() != moves_->turns())
            throw std::invalid_argument("a heuristic for other pieces");
        for (std::size_t s = 0; s < moves_->shapes(); ++s) max_arcs_ = std::max(max_arcs_, moves_->arcs(s).size());
    }

    // Memory for a beam of one state more: layers, children, tables of shards; and for its records in each layer.
    std::uint64_t bytes_per_state() const {
        const Packing packing(marks_.bits(), moves_->pieces());
        const std::uint64_t state = 8 * packing.words() + heuristic_->entries() + 8 + 4 * 4 + 2 * heuristic_->lookups();
        return 3 * state + 2 * sizeof(Child) * std::max<std::size_t>(1, max_arcs_) + 8;
    }
    static constexpr std::uint64_t record_bytes = 6;

    // The bound is proved, the solution is one; `finished` if no state had to be dropped: then the solution is a
    // shortest, or there is none shorter than `below`.
    Found solve(const SearchState& start, const BeamLimits& limits, const Tick& tick) const {
        start.check(*moves_, marks_, heuristic_->lookups() > 0);
        if (limits.width == 0 || limits.width > max_width) throw std::invalid_argument("width out of range");
        if (limits.threads == 0 || limits.threads > 1024) throw std::invalid_argument("threads out of range");
        limits.ranking.check(*moves_, marks_);
        if (limits.sample && (limits.sample->every == 0 || marks_.kinds() != moves_->pieces()))
            throw std::invalid_argument("samples of different pieces expected");
        if (limits.width > limits.bytes / bytes_per_state())
            throw LimitReached("a beam of " + std::to_string(limits.width) + " states takes more memory than allowed");
        Search search(*this, limits);
        Found found;
        try {
            search.run(start, tick, found);
        } catch (const OutOfTime&) {
            found.finished = false;
        }
        return found;
    }

private:
    static constexpr std::uint32_t none = Heuristic::none;
    static constexpr std::uint64_t max_width = std::uint64_t{1} << 31;
    static constexpr std::size_t max_lookups = Heuristic::max_lookups;
    using Child = BeamChild;
    using Layer = BeamLayer;
    using Record = BeamRecord;

    // What one thread needs to expand states.
    struct Worker {
        Worker(const MoveTable& moves, const Marks& marks)
            : frame(moves, marks), other(moves, marks), spot_of(marks.kinds()) {}
        StateFrame frame, other;
        std::vector<Point> spot_of;  // of each kind
        LocalNetwork::Sums sums;     // of the state that is expanded
        struct Pending {
            Child child;
            std::array<const PackedDatabase*, max_lookups> table;
            std::array<std::uint64_t, max_lookups> entry;
            std::array<std::uint32_t, max_lookups> rest;  // what the other groups of the lookup add
        };
        std::vector<Pending> pending;
        struct Slot {
            std::uint64_t hash = 0, state = 0;  // 0: empty
        };
        std::vector<Slot> table;
    };

    struct Search {
        Search(const BeamSearch& p, const BeamLimits& l)
            : moves(*p.moves_), marks(p.marks_), heuristic(*p.heuristic_), limits(l), ranking(l.ranking),
              words(Packing(marks.bits(), moves.pieces()).words()), values(heuristic.entries()),
              lookups(heuristic.lookups()), shards(std::size_t{1} << shard_bits(l.width)),
              state_bytes(p.bytes_per_state()) {
            for (unsigned t = 0; t < limits.threads; ++t) workers.emplace_back(moves, marks);
        }

        static bool is_quick_processor() {
#if defined(__x86_64__) && defined(__GNUC__)
            return __builtin_cpu_supports("popcnt") && __builtin_cpu_supports("avx2");
#else
            return false;
#endif
        }

        static unsigned shard_bits(std::uint64_t width) {
            return std::min(8u, static_cast<unsigned>(std::bit_width(width / states_per_shard)));
        }

        void run(const SearchState& start, const Tick& tick, Found& found) {
            Worker& w = workers[0];
            w.frame.load(start);
            std::vector<std::pair<Point, Point>> pieces;
            w.frame.pieces(start.shape, pieces);
            found.finished = true;
            Heuristic::State state;
            if (!heuristic.load(pieces, state)) return;
            found.bound = std::min(state.bound, limits.below);
            if (state.bound >= limits.below) return;
            if (state.base == 0) {
                found.arcs.emplace();
                return;
            }
            here.resize(1, words, values, lookups);
            here.bases[0] = state.base;
            std::copy_n(state.sum.begin(), lookups, here.sums.begin());
            std::copy(w.frame.key(), w.frame.key() + words, here.keys.begin());
            here.shapes[0] = start.shape;
            here.arcs[0] = none;
            here.costs[0] = ranking.total(heuristic, w.frame, marks, pieces);
            here.hashes[0] = 0;
            for (std::size_t slot = 0; slot < start.marks.size(); ++slot)
                here.hashes[0] ^= mix(start.marks[slot], moves.slots(start.shape)[slot]);
            heuristic.entries(state, here.entries.data());
            here.shard.assign(shards + 1, 1);
            std::fill_n(here.shard.begin(), (here.hashes[0] >> 32) % shards + 1, 0);
            before.shard.assign(shards + 1, 0);
            const Tick layer_tick = [&](const char*, std::uint64_t, std::uint64_t) {
                tick("beam", length, here.size());
            };
            for (length = 0; here.size() > 0; ++length) {
                layer_tick("", 0, 0);
                found.nodes += here.size();
                expand(layer_tick);
                if (goal.arc != none) {
                    found.arcs = path(start.shape);
                    if (found.finished) found.bound = length + 1;
                    if (limits.sample) limits.sample->follow(start, *found.arcs, moves, heuristic, w.frame);
                    return;
                }
                drop_duplicates(layer_tick);
                if (!select(layer_tick)) found.finished = false;
                if (!fits()) {
                    found.finished = false;
                    return;
                }
                keep(layer_tick);
                if (limits.sample && limits.sample->wants(length + 1) && here.size() > 0)
                    limits.sample->take(here, words, lookups, moves, w.frame);
            }
            if (found.finished) found.bound = limits.below;
        }

        // Memory for the records of the next layer.
        bool fits() {
            record_count += kept_total;
            return limits.width * state_bytes + record_count * record_bytes <= limits.bytes;
        }

        unsigned threads(std::size_t work) const { return work < worth_threads ? 1 : limits.threads; }
        static std::uint64_t mix(std::uint64_t mark, std::uint64_t placement) {
            std::uint64_t z = (mark << 16 | placement) * 0x9e3779b97f4a7c15ull + 0x9e3779b97f4a7c15ull;
            z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
            z = (z ^ z >> 27) * 0x94d049bb133111ebull;
            return z ^ z >> 31;
        }

        std::size_t shard_of(std::uint64_t hash) const { return (hash >> 32) % shards; }
        void expand(const Tick& tick) {
            const std::size_t block = std::max<std::size_t>(states_per_task, (here.size() + max_tasks - 1) / max_tasks);
            tasks = (here.size() + block - 1) / block;
            if (children.size() < tasks * shards) children.resize(tasks * shards);
            for (auto& list : children) list.clear();
            goals.assign(tasks, {0, none});
            ranks.assign(tasks, {none, 0});
            parallel_for(tasks, threads(here.size()), "beam", tick, [&](std::size_t task, unsigned thread) {
                const std::size_t begin = task * block, end = std::min(here.size(), begin + block);
#if defined(__x86_64__) && defined(__GNUC__)
                if (quick) return expand_quickly(begin, end, task, workers[thread]);
#endif
                expand(begin, end, task, workers[thread]);
            });
            goal = {0, none};
            lowest = none, highest = 0;
            for (std::size_t task = 0; task < tasks; ++task) {
                if (goal.arc == none) goal = goals[task];
                lowest = std::min(lowest, ranks[task].first);
                highest = std::max(highest, ranks[task].second);
            }
        }

#if defined(__x86_64__) && defined(__GNUC__)
        // The same, compiled for processors with a bit count of their own and with wide registers.
        [[gnu::target("popcnt,avx2")]] void expand_quickly(std::size_t begin, std::size_t end, std::size_t task,
                                                           Worker& w) {
            expand(begin, end, task, w);
        }
#endif

        SLIDELAB_INLINE void expand(std::size_t begin, std::size_t end, std::size_t task, Worker& w) {
            for (std::size_t i = begin; i < end; ++i) expand(static_cast<std::uint32_t>(i), task, w);
            flush(task, w);
        }

        SLIDELAB_INLINE void expand(std::uint32_t at, std::size_t task, Worker& w) {
            const std::uint32_t shape = here.shapes[at];
            const std::uint32_t undo = here.arcs[at] == none ? none : moves.arcs()[here.arcs[at]].back;
            w.frame.load(shape, here.keys.data() + at * words);
            if (lookups) w.frame.spots(shape, w.spot_of.data());
            ranking.load(w.frame, marks, w.sums);
            const std::uint8_t* entries = here.entries.data() + at * values;
            const std::uint16_t* sums = here.sums.data() + at * lookups;
            const std::uint32_t first = moves.first(shape);
            const auto arcs = moves.arcs(shape);
            for (std::uint32_t a = 0; a < arcs.size(); ++a) {
                if (first + a == undo) continue;
                const auto& arc = arcs[a];
                const Point mark = w.frame.mark(arc.from), then = marks.turned(mark, arc.turn);
                const unsigned kind = marks.kind(mark);
                const auto from = static_cast<Point>(arc.from * moves.turns() + marks.turn(mark));
                const auto to = static_cast<Point>(arc.to * moves.turns() + marks.turn(then));
                const std::uint16_t there = heuristic.base(kind, to);
                if (there == no_distance) continue;
                auto& p = w.pending.emplace_back();
                p.child.base = here.bases[at] - heuristic.base(kind, from) + there;
                p.child.cost = here.costs[at] + ranking.change(heuristic, w.frame, marks, w.sums, kind, from, to);
                p.child.hash = here.hashes[at] ^ mix(mark, arc.from) ^ mix(then, arc.to);
                p.child.parent = at;
                p.child.arc = first + a;
                w.spot_of[kind] = to;
                for (std::size_t v = 0; v < lookups; ++v) {
                    const auto& seat = heuristic.seat(v, kind);
                    p.table[v] = seat.table;
                    p.rest[v] = sums[v];
                    if (!seat.table) continue;
                    p.rest[v] -= heuristic.gain(seat.value, entries[seat.value]);
                    p.entry[v] = heuristic.ask(v, seat, w.spot_of.data());
                }
                w.spot_of[kind] = from;
            }
            if (w.pending.size() >= pending_most) flush(task, w);
        }

        // Reads the entries of the children that were prefetched, and puts those that may lead to a solution in shards.
        void flush(std::size_t task, Worker& w) {
            const auto divisor = static_cast<std::uint32_t>(std::max<std::size_t>(1, lookups));
            for (auto& p : w.pending) {
                std::uint32_t sum = 0, most = 0;
                bool dead = false;
                p.child.entry = {};
                for (std::size_t v = 0; v < lookups; ++v) {
                    std::uint32_t own = p.rest[v];
                    if (p.table[v]) {
                        const unsigned value = p.table[v]->value(p.entry[v]);
                        dead |= value == p.table[v]->none();
                        p.child.entry[v] = static_cast<std::uint8_t>(value);
                        own += value * p.table[v]->step;
                    }
                    sum += own;
                    most = std::max(most, own);
                }
                if (dead || length + 1 + p.child.base + most >= limits.below) continue;
                if (p.child.base == 0 && goals[task].arc == none) goals[task] = {p.child.parent, p.child.arc};
                p.child.rank = std::min((p.child.cost + ranking.excess * sum / divisor) / rank_step, max_rank);
                ranks[task].first = std::min(ranks[task].first, p.child.rank);
                ranks[task].second = std::max(ranks[task].second, p.child.rank);
                children[task * shards + shard_of(p.child.hash)].push_back(p.child);
            }
            w.pending.clear();
        }

        // Marks children that are in one of the last two layers, or equal to an earlier child.
        void drop_duplicates(const Tick& tick) {
            counts.assign(shards, {});
            parallel_for(shards, threads(here.size()), "beam", tick, [&](std::size_t shard, unsigned thread) {
                Worker& w = workers[thread];
                std::size_t count =
                    here.shard[shard + 1] - here.shard[shard] + before.shard[shard + 1] - before.shard[shard];
                for (std::size_t task = 0; task < tasks; ++task) count += children[task * shards + shard].size();
                w.table.assign(std::bit_ceil(2 * count + 1), {});
                const auto add = [&](const Layer& layer, std::uint64_t tag) {
                    for (std::size_t i = layer.shard[shard]; i < layer.shard[shard + 1]; ++i)
                        free_slot(w, layer.hashes[i]) = {layer.hashes[i], tag | i};
                };
                add(before, tag_before);
                add(here, tag_here);
                auto& histogram = counts[shard];
                if (lowest <= highest) histogram.assign(highest - lowest + 1, 0);
                for (std::size_t task = 0; task < tasks; ++task)
                    for (auto& child : children[task * shards + shard])
                        if (is_new(w, child)) ++histogram[child.rank - lowest];
                        else child.rank = none;
            });
        }

        Worker::Slot& free_slot(Worker& w, std::uint64_t hash) const {
            const std::size_t mask = w.table.size() - 1;
            std::size_t at = hash & mask;
            while (w.table[at].state) at = (at + 1) & mask;
            return w.table[at];
        }

        bool is_new(Worker& w, const Child& child) const {
            const std::size_t mask = w.table.size() - 1;
            std::size_t at = child.hash & mask;
            for (bool loaded = false; w.table[at].state; at = (at + 1) & mask) {
                if (w.table[at].hash != child.hash) continue;
                if (!loaded) load(w.frame, child);
                loaded = true;
                if (equals(w, child, w.table[at].state)) return false;
            }
            w.table[at] = {child.hash, reinterpret_cast<std::uintptr_t>(&child)};
            return true;
        }

        // The key of a child, from its parent.
        void load(StateFrame& frame, const Child& child) const {
            frame.load(here.shapes[child.parent], here.keys.data() + child.parent * words);
            frame.follow(moves.arcs()[child.arc]);
        }

        // Whether the child whose key is loaded is the state of a slot.
        bool equals(Worker& w, const Child& child, std::uint64_t state) const {
            const std::uint32_t shape = moves.arcs()[child.arc].target;
            if (!(state & tags)) {
                const auto& other = *reinterpret_cast<const Child*>(static_cast<std::uintptr_t>(state));
                if (moves.arcs()[other.arc].target != shape) return false;
                load(w.other, other);
                return std::equal(w.frame.key(), w.frame.key() + words, w.other.key());
            }
            const Layer& layer = state & tag_here ? here : before;
            const std::size_t i = state & ~tags;
            return layer.shapes[i] == shape &&
                   std::equal(w.frame.key(), w.frame.key() + words, layer.keys.data() + i * words);
        }

        // Finds up to which rank, and up to which hash among those of this rank, children are kept. False if some are
        // not.
        bool select(const Tick& tick) {
            std::vector<std::uint64_t> total(lowest <= highest ? highest - lowest + 1 : 0, 0);
            for (const auto& histogram : counts)
                for (std::size_t r = 0; r < histogram.size(); ++r) total[r] += histogram[r];
            std::uint64_t sum = 0;
            std::size_t r = 0;
            for (; r < total.size() && sum + total[r] <= limits.width; ++r) sum += total[r];
            last_rank = lowest <= highest ? lowest + static_cast<std::uint32_t>(r) : 0;
            last_tie = 0;
            std::vector<std::uint64_t> ties_kept(shards, 0);
            if (r < total.size() && sum < limits.width) {
                std::vector<std::vector<std::uint64_t>> ties(shards);
                parallel_for(shards, threads(here.size()), "beam", tick, [&](std::size_t shard, unsigned) {
                    for (std::size_t task = 0; task < tasks; ++task)
                        for (const auto& child : children[task * shards + shard])
                            if (child.rank == last_rank) ties[shard].push_back(tie(child.hash));
                });
                std::vector<std::uint64_t> all;
                all.reserve(total[r]);
                for (const auto& own : ties) all.insert(all.end(), own.begin(), own.end());
                const auto nth = all.begin() + static_cast<std::ptrdiff_t>(limits.width - sum - 1);
                std::nth_element(all.begin(), nth, all.end());
                last_tie = *nth;
                for (std::size_t s = 0; s < shards; ++s)
                    for (auto t : ties[s]) ties_kept[s] += t <= last_tie;
            }
            then.shard.assign(shards + 1, 0);
            for (std::size_t s = 0; s < shards; ++s) {
                std::size_t own = ties_kept[s];
                for (std::size_t k = 0; k < std::min(r, counts[s].size()); ++k) own += counts[s][k];
                then.shard[s + 1] = then.shard[s] + own;
            }
            kept_total = then.shard[shards];
            return r == total.size();
        }

        // Other bits than those that choose the shard.
        static std::uint64_t tie(std::uint64_t hash) { return hash * 0xd1342543de82ef95ull | 1; }

        bool is_kept(const Child& c) const {
            return c.rank < last_rank || (c.rank == last_rank && last_tie && tie(c.hash) <= last_tie);
        }

        // Makes the next layer of the children that are kept.
        void keep(const Tick& tick) {
            then.resize(kept_total, words, values, lookups);
            Record& record = records.emplace_back();
            record.parent.resize(kept_total);
            record.move.resize(kept_total);
            parallel_for(shards, threads(here.size()), "beam", tick, [&](std::size_t shard, unsigned thread) {
                StateFrame& frame = workers[thread].frame;
                std::size_t i = then.shard[shard];
                for (std::size_t task = 0; task < tasks; ++task)
                    for (const auto& child : children[task * shards + shard]) {
                        if (!is_kept(child)) continue;
                        load(frame, child);
                        std::copy(frame.key(), frame.key() + words, then.keys.data() + i * words);
                        const auto& arc = moves.arcs()[child.arc];
                        const unsigned kind = marks.kind(frame.mark(arc.from));
                        std::uint8_t* entries = then.entries.data() + i * values;
                        std::copy_n(here.entries.data() + child.parent * values, values, entries);
                        for (std::size_t v = 0; v < lookups; ++v) {
                            std::uint32_t sum = here.sums[child.parent * lookups + v];
                            if (const auto& seat = heuristic.seat(v, kind); seat.table) {
                                sum += heuristic.gain(seat.value, child.entry[v]) -
                                       heuristic.gain(seat.value, entries[seat.value]);
                                entries[seat.value] = child.entry[v];
                            }
                            then.sums[i * lookups + v] = static_cast<std::uint16_t>(sum);
                        }
                        then.bases[i] = child.base;
                        then.shapes[i] = arc.target;
                        then.arcs[i] = child.arc;
                        then.hashes[i] = child.hash;
                        then.costs[i] = child.cost;
                        record.parent[i] = child.parent;
                        record.move[i] = static_cast<std::uint16_t>(child.arc - moves.first(here.shapes[child.parent]));
                        ++i;
                    }
            });
            std::swap(before, here);
            std::swap(here, then);
        }

        std::vector<std::uint32_t> path(std::uint32_t shape) const {
            std::vector<std::uint16_t> back;
            std::uint32_t at = goal.parent;
            for (std::size_t k = records.size(); k-- > 0; at = records[k].parent[at])
                back.push_back(records[k].move[at]);
            std::vector<std::uint32_t> arcs;
            for (auto move = back.rbegin(); move != back.rend(); ++move) {
                arcs.push_back(moves.first(shape) + *move);
                shape = moves.arcs()[arcs.back()].target;
            }
            arcs.push_back(goal.arc);
            return arcs;
        }

        static constexpr std::uint64_t states_per_shard = 4096;
        static constexpr std::size_t states_per_task = 1024, max_tasks = 64, worth_threads = 2048;
        static constexpr std::size_t pending_most = 48;
        static constexpr std::uint32_t max_rank = 1 << 20, rank_step = 4;  // ranks are sixteenths of a move
        static constexpr std::uint64_t tag_here = std::uint64_t{1} << 63, tag_before = std::uint64_t{1} << 62;
        static constexpr std::uint64_t tags = tag_here | tag_before;

        struct Goal {
            std::uint32_t parent = 0, arc = none;
        };

        const MoveTable& moves;
        const Marks& marks;
        const Heuristic& heuristic;
        const BeamLimits& limits;
        const Ranking& ranking;
        std::size_t words, values, lookups, shards, tasks = 0;
        bool quick = is_quick_processor();
        std::uint64_t state_bytes, record_count = 0;
        std::vector<Worker> workers;
        Layer before, here, then;
        std::vector<Record> records;                                 // of all layers but the first
        std::vector<std::vector<Child>> children;                    // by task and shard
        std::vector<std::vector<std::uint32_t>> counts;              // new children of each shard by rank
        std::vector<Goal> goals;                                     // of each task
        std::vector<std::pair<std::uint32_t, std::uint32_t>> ranks;  // lowest and highest of each task
        Goal goal;
        std::uint32_t length = 0, lowest = 0, highest = 0;
        std::uint32_t last_rank = 0;  // kept as far as their hashes allow
        std::uint64_t last_tie = 0;
        std::size_t kept_total = 0;
    };

    std::shared_ptr<const MoveTable> moves_;
    Marks marks_;
    std::shared_ptr<const Heuristic> heuristic_;
    std::size_t max_arcs_ = 0;
};

}  // namespace slidelab
