// Shortest solutions by iterative deepening (IDA*), for any rule.
//
// Depth-first search within a bound on the length; the bound is raised until a solution is found, so the first one
// found is a shortest, and only the current path is kept in memory. It is kept on the heap: the stack of a thread may
// be small. Moves come from the automaton of duplicate_pruning.hpp, which omits those that cannot lead to new states.
// The database entries of all moves of a state are prefetched before the first of them is read, so that the memory
// latencies overlap. A small transposition table, compared in full, skips states that were expanded within the same
// bound at the same depth or less, in the same state of the automaton; it is used as long as it pays off.
#pragma once

#include "search/duplicate_pruning.hpp"
#include "search/heuristic.hpp"

namespace slidelab {

// Where a search begins: a shape, and the mark of the piece in each of its slots.
struct SearchState {
    std::uint32_t shape = 0;
    std::vector<Point> marks;

    void check(const MoveTable& moves, const Marks& kinds, bool numbered = false) const {
        if (shape >= moves.shapes() || marks.size() != moves.pieces()) throw std::invalid_argument("no such state");
        for (auto m : marks)
            if (!kinds.is_mark(m)) throw std::invalid_argument("no such mark");
        if (!numbered) return;
        std::vector<bool> seen(kinds.kinds(), false);
        for (auto m : marks) {
            if (seen[kinds.kind(m)]) throw std::invalid_argument("a piece lies in two slots");
            seen[kinds.kind(m)] = true;
        }
    }
    // Kinds and spots.
    std::vector<std::pair<Point, Point>> pieces(const MoveTable& moves, const Marks& kinds) const {
        std::vector<std::pair<Point, Point>> out;
        for (std::size_t slot = 0; slot < marks.size(); ++slot)
            out.emplace_back(static_cast<Point>(kinds.kind(marks[slot])),
                             static_cast<Point>(moves.slots(shape)[slot] * moves.turns() + kinds.turn(marks[slot])));
        return out;
    }
};

struct Found {
    std::optional<std::vector<std::uint32_t>> arcs;  // of the move table; none: stopped, or there is no solution
    std::uint64_t nodes = 0;                         // states expanded
    std::uint32_t bound = 0;                         // no solution is shorter
    bool finished = false;                           // else a limit was reached
};

class IdaStar {
public:
    IdaStar(std::shared_ptr<const MoveTable> moves, std::shared_ptr<const DuplicatePruning> pruning, Marks marks,
            std::shared_ptr<const Heuristic> heuristic)
        : moves_(std::move(moves)), pruning_(std::move(pruning)), marks_(std::move(marks)),
          heuristic_(std::move(heuristic)), packing_(marks_.bits(), moves_->pieces()) {
        if (heuristic_->kinds() != marks_.kinds() || heuristic_->spots() != moves_->spots() ||
            marks_.turns() != moves_->turns())
            throw std::invalid_argument("a heuristic for other pieces");
    }

    // Searches with bounds from `bound` on; stops if no solution is shorter than `below`, or after `max_nodes`. A state
    // is a goal if the base of the heuristic is zero.
    Found solve(const SearchState& start, std::uint32_t bound, std::uint32_t below, std::uint64_t max_nodes,
                const Tick& tick) const {
        start.check(*moves_, marks_, heuristic_->lookups() > 0);
        Found found;
        Search s(*this, max_nodes, tick);
        if (!heuristic_->load(start.pieces(*moves_, marks_), s.state)) {
            found.finished = true;
            return found;
        }
        for (std::size_t slot = 0; slot < start.marks.size(); ++slot)
            s.in[moves_->slots(start.shape)[slot]] = start.marks[slot];
        for (s.bound = std::max(bound, s.state.bound);; s.bound = s.next) {
            if (s.bound >= below) {
                found.finished = true;
                s.bound = below;
                break;
            }
            s.next = none;
            s.begin_bound();
            bool over = false;
            try {
                over = s.go(start.shape);
            } catch (const OutOfTime&) {
                s.stopped = true;
            }
            found.finished = over || (!s.stopped && s.next == none);
            if (over) found.arcs = s.path();
            if (over || s.stopped || s.next == none) break;
        }
        found.nodes = s.nodes;
        found.bound = s.bound;
        return found;
    }

private:
    static constexpr std::uint32_t none = Heuristic::none;
    static constexpr std::size_t max_path_bytes = std::size_t{1} << 29;  // several million moves

    struct Child {
        const DuplicatePruning::Arc* arc;
        std::uint64_t entry;   // of the table asked next
        Point mark, from, to;  // spots
        std::uint32_t base;
        std::array<std::uint16_t, Heuristic::max_lookups> value;
        std::uint32_t bound;
    };

    struct Search {
        Search(const IdaStar& puzzle, std::uint64_t most, const Tick& tick_)
            : pruning(*puzzle.pruning_), moves(*puzzle.moves_), heuristic(*puzzle.heuristic_), marks(puzzle.marks_),
              packing(puzzle.packing_), max_nodes(most), tick(tick_), in(moves.placements(), 0), key(packing.words()) {
#if defined(__x86_64__) && defined(__GNUC__)
            quick = __builtin_cpu_supports("popcnt");
#endif
        }

        void begin_bound() {
            probes = hits = 0;
            remembering = nodes >= next_trial;
        }

        // Whether there is a solution within the bound: `path` is one, then.
        bool go(std::uint32_t automaton) {
#if defined(__x86_64__) && defined(__GNUC__)
            if (quick) return descend_quick(automaton);
#endif
            return descend(automaton);
        }

#if defined(__x86_64__) && defined(__GNUC__)
        [[gnu::target("popcnt")]] bool descend_quick(std::uint32_t automaton) { return descend(automaton); }
#endif

        SLIDELAB_INLINE bool descend(std::uint32_t automaton) {
            const DuplicatePruning::Arc* last = nullptr;  // the move that led to the state, none at the start
            top = 0;
            for (length = 0;;) {
                if (state.base == 0) return true;
                if ((++nodes & 0xffff) == 0) tick("bound", nodes, bound);
                if (nodes > max_nodes || (length >= frames.size() && !make_deeper())) {
                    stopped = true;
                    return false;
                }
                left = 0;
                if (!remembering || bound - length < worth_remembering || !seen_before(automaton, last))
                    expand(automaton, last);
                if (left) {
                    frames[length].at = top;
                    frames[length].end = top + left;
                } else if (!backtrack()) {
                    return false;
                }
                Frame& frame = frames[length++];
                const Child& child = children[frame.at];
                frame.kept = enter(child, marks.kind(child.mark));
                top = frame.end;
                last = child.arc;
                automaton = last->next;
            }
        }

        // Takes moves back until a state has a child that was not entered; false if there is none.
        SLIDELAB_INLINE bool backtrack() {
            while (length > 0) {
                Frame& frame = frames[--length];
                const Child& child = children[frame.at];
                leave(child, marks.kind(child.mark), frame.kept);
                if (++frame.at < frame.end) return true;
            }
            return false;
        }

        // Makes room for longer paths; false if there is no more.
        bool make_deeper() {
            if (frames.size() * sizeof(Frame) + children.size() * sizeof(Child) > max_path_bytes) return false;
            frames.resize(std::max<std::size_t>(64, 2 * frames.size()));
            return true;
        }

        // The moves to the current state.
        std::vector<std::uint32_t> path() const {
            std::vector<std::uint32_t> out;
            for (std::uint32_t i = 0; i < length; ++i) out.push_back(children[frames[i].at].arc->move);
            return out;
        }

        // All moves that stay within the bound, the most promising first: `left` of them, from `top` on.
        SLIDELAB_INLINE void expand(std::uint32_t automaton, const DuplicatePruning::Arc* last) {
            const auto arcs = pruning.arcs(automaton);
            if (children.size() < top + arcs.size()) children.resize(2 * (top + arcs.size()));
            Child* const own = children.data() + top;
            const std::size_t lookups = heuristic.lookups();
            const auto turns = static_cast<unsigned>(moves.turns());
            const bool undo_known = pruning.length() >= 2;
            // The lookup with the largest bound now is the one that prunes most often.
            std::size_t lead = 0;
            for (std::size_t v = 1; v < lookups; ++v)
                if (state.sum[v] > state.sum[lead]) lead = v;
            left = 0;
            for (const auto& arc : arcs) {
                if (!undo_known && last && moves.arcs()[last->move].back == arc.move) continue;
                Child& child = own[left];
                const Point mark = in[arc.from], then = marks.turned(mark, arc.turn);
                const unsigned kind = marks.kind(mark);
                child.arc = &arc;
                child.mark = then;
                child.from = static_cast<Point>(arc.from * turns + marks.turn(mark));
                child.to = static_cast<Point>(arc.to * turns + marks.turn(then));
                const std::uint16_t there = heuristic.base(kind, child.to);
                if (there == no_distance) continue;
                child.base = state.base - heuristic.base(kind, child.from) + there;
                child.bound = length + 1 + child.base;
                if (child.bound > bound) {
                    next = std::min(next, child.bound);
                    continue;
                }
                if (lookups)
                    if (const auto& seat = heuristic.seat(lead, kind); seat.table)
                        child.entry = heuristic.ask(state, seat, child.to);
                ++left;
            }
            for (std::size_t turn = 0, v = lead; turn < lookups; ++turn) {
                const std::size_t count = left, after = v + 1 == lookups ? 0 : v + 1;
                left = 0;
                for (std::size_t c = 0; c < count; ++c) {
                    Child& child = own[left];
                    if (left != c) child = own[c];
                    const unsigned kind = marks.kind(child.mark);
                    const auto& seat = heuristic.seat(v, kind);
                    if (seat.table) {
                        const unsigned value = seat.table->value(child.entry);
                        if (value == seat.table->none()) continue;
                        child.value[v] = static_cast<std::uint16_t>(value * seat.table->step);
                        child.bound = std::max(child.bound, length + 1 + child.base + state.sum[v] -
                                                                state.value[seat.value] + child.value[v]);
                    } else {
                        child.bound = std::max(child.bound, length + 1 + child.base + state.sum[v]);
                    }
                    if (child.bound > bound) {
                        next = std::min(next, child.bound);
                        continue;
                    }
                    if (turn + 1 < lookups)
                        if (const auto& other = heuristic.seat(after, kind); other.table)
                            child.entry = heuristic.ask(state, other, child.to);
                    ++left;
                }
                v = after;
            }
            for (std::size_t c = 1; c < left; ++c)
                for (std::size_t k = c; k > 0 && own[k].bound < own[k - 1].bound; --k) std::swap(own[k], own[k - 1]);
        }

        struct Kept {
            std::array<std::uint16_t, Heuristic::max_lookups> value;
            std::uint32_t base;
            Point there;
        };

        // A state on the path: its children are children[at] to children[end - 1], of which the first is entered now.
        struct Frame {
            std::size_t at, end;
            Kept kept;  // what entering it changed
        };

        SLIDELAB_INLINE Kept enter(const Child& child, unsigned kind) {
            Kept kept;
            kept.base = state.base;
            state.base = child.base;
            for (std::size_t v = 0; v < heuristic.lookups(); ++v) {
                const auto& seat = heuristic.seat(v, kind);
                if (!seat.table) continue;
                kept.value[v] = state.value[seat.value];
                state.sum[v] = state.sum[v] - kept.value[v] + child.value[v];
                state.value[seat.value] = child.value[v];
                state.own[seat.place] = seat.image[child.to];
            }
            kept.there = in[child.arc->to];
            in[child.arc->to] = child.mark;
            return kept;
        }

        SLIDELAB_INLINE void leave(const Child& child, unsigned kind, const Kept& kept) {
            for (std::size_t v = 0; v < heuristic.lookups(); ++v) {
                const auto& seat = heuristic.seat(v, kind);
                if (!seat.table) continue;
                state.sum[v] = state.sum[v] - child.value[v] + kept.value[v];
                state.value[seat.value] = kept.value[v];
                state.own[seat.place] = seat.image[child.from];
            }
            state.base = kept.base;
            in[child.arc->to] = kept.there;
        }

        bool seen_before(std::uint32_t automaton, const DuplicatePruning::Arc* last) {
            const std::size_t words = packing.words();
            if (seen.empty()) make_room(few_bits);
            const auto slots = moves.slots(last ? moves.arcs()[last->move].target : automaton);
            packing.pack(slots, in.data(), key.data());
            std::uint64_t h = automaton * 0x9e3779b97f4a7c15ull;
            for (auto word : key) {
                h = (h ^ word) * 0xff51afd7ed558ccdull;
                h ^= h >> 32;
            }
            const std::size_t place = h & ((std::size_t{1} << memory_bits) - 1);
            auto& entry = seen[place];
            std::uint64_t* state_there = seen_words.data() + place * words;
            if (++probes == enough_probes) {
                if (hits * worth_it < probes) {
                    remembering = false;
                    next_trial = 16 * nodes;
                } else if (memory_bits < many_bits) {
                    make_room(many_bits);
                    return false;
                }
            }
            if (entry.bound == bound && entry.automaton == automaton && entry.length <= length &&
                std::equal(key.begin(), key.end(), state_there)) {
                ++hits;
                return true;
            }
            entry = {bound, automaton, length};
            std::copy(key.begin(), key.end(), state_there);
            return false;
        }

        // A small table shows whether it pays off; if so, a larger one replaces it.
        void make_room(unsigned bits) {
            const std::size_t words = packing.words();
            for (memory_bits = bits; memory_bits > 8 && words << memory_bits > max_remembered;) --memory_bits;
            seen.assign(std::size_t{1} << memory_bits, {});
            seen_words.assign(words << memory_bits, 0);
        }

        static constexpr unsigned few_bits = 10, many_bits = 16;
        static constexpr std::size_t max_remembered = 1 << 20;  // words
        static constexpr std::uint32_t worth_remembering = 4;   // moves left below a state
        static constexpr std::uint64_t enough_probes = 1 << 10, worth_it = 64;
        struct Seen {
            std::uint32_t bound = 0, automaton = 0, length = 0;
        };

        const DuplicatePruning& pruning;
        const MoveTable& moves;
        const Heuristic& heuristic;
        const Marks& marks;
        const Packing& packing;
        std::uint64_t max_nodes;
        const Tick& tick;
        Heuristic::State state;
        std::vector<Point> in;        // which mark lies on a placement of the shape
        std::vector<Frame> frames;    // of the states on the path
        std::vector<Child> children;  // of all of them
        std::size_t top = 0, left = 0;
        std::uint32_t length = 0;  // of the path
        std::vector<std::uint64_t> key;
        std::vector<Seen> seen;
        std::vector<std::uint64_t> seen_words;
        std::uint64_t nodes = 0, probes = 0, hits = 0, next_trial = 0;
        unsigned memory_bits = 0;
        std::uint32_t bound = 0, next = none;
        bool stopped = false, remembering = true, quick = false;
    };

    std::shared_ptr<const MoveTable> moves_;
    std::shared_ptr<const DuplicatePruning> pruning_;
    Marks marks_;
    std::shared_ptr<const Heuristic> heuristic_;
    Packing packing_;
};

}  // namespace slidelab
