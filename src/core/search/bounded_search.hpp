// Depth-first search within a bound on the length: what one thread of IDA* does.
//
// Only the current path is kept, on the heap: the stack of a thread may be small. Moves come from the automaton of
// duplicate_pruning.hpp, which omits those that cannot lead to new states. A move changes one piece, so each lookup
// changes one database entry, whose index follows from the one before (pattern_index.hpp). The entries of all moves of
// a state are prefetched before the first of them is read, so that the memory latencies overlap. A small transposition
// table, compared in full, skips states that were expanded within the same bound at the same depth or less, in the same
// state of the automaton; it is used as long as it pays off.
#pragma once

#include "search/duplicate_pruning.hpp"
#include "search/heuristic.hpp"

#include <deque>

namespace slidelab {

// The heuristic as the search reads it: for each lookup and kind of piece all that a move of it needs, side by side.
class LookupTable {
public:
    struct Seat {
        const std::uint8_t* data = nullptr;  // of the database; none: the lookup does not look at the piece
        const Point* image = nullptr;        // of each spot
        IndexChange::Piece change;
        std::uint32_t pattern = 0;  // counted over all lookups
        std::uint16_t step = 1;
        std::uint8_t byte = 0;  // of the piece among those of its pattern
        std::uint8_t halves = 0, none = 0;
        bool anew = false;  // ranked anew: too many pieces for a word
        const Heuristic::Seat* slow = nullptr;

        SLIDELAB_INLINE const std::uint8_t* at(std::uint64_t entry) const { return data + (entry >> halves); }
        SLIDELAB_INLINE unsigned value(std::uint64_t entry) const { return *at(entry) >> (entry & halves) * 4 & none; }
    };

    explicit LookupTable(const Heuristic& heuristic) : kinds_(heuristic.kinds()), lookups_(heuristic.lookups()) {
        seats_.resize(kinds_ * lookups_);
        for (std::size_t v = 0; v < lookups_; ++v)
            for (unsigned kind = 0; kind < kinds_; ++kind) {
                const auto& from = heuristic.seat(v, kind);
                if (!from.table) continue;
                const IndexChange& change = change_of(*from.table);
                Seat& to = seats_[v * kinds_ + kind];
                to.data = from.table->data.data();
                to.image = from.image;
                to.change = change.piece(from.place - from.first);
                to.pattern = from.value;
                to.step = from.table->step;
                to.byte = static_cast<std::uint8_t>(from.place - from.first);
                to.halves = from.table->halves;
                to.none = static_cast<std::uint8_t>(from.table->none());
                to.anew = !change.known();
                to.slow = &from;
            }
    }

    SLIDELAB_INLINE const Seat& seat(std::size_t lookup, unsigned kind) const { return seats_[lookup * kinds_ + kind]; }

private:
    const IndexChange& change_of(const PackedDatabase& table) {
        for (const auto& [known, change] : changes_)
            if (known == &table) return change;
        return changes_.emplace_back(&table, IndexChange(table.index)).second;
    }

    std::size_t kinds_, lookups_;
    std::deque<std::pair<const PackedDatabase*, IndexChange>> changes_;  // their addresses are kept
    std::vector<Seat> seats_;
};

class BoundedSearch {
public:
    using Arc = DuplicatePruning::Arc;
    static constexpr std::uint32_t none = Heuristic::none;

    BoundedSearch(const MoveTable& m, const DuplicatePruning& p, const Marks& k, const Heuristic& h,
                  const LookupTable& l)
        : moves(m), pruning(p), marks(k), heuristic(h), table(l), packing(k.bits(), m.pieces()), lookups(h.lookups()),
          in(m.placements(), 0), key(packing.words()) {}
    virtual ~BoundedSearch() = default;
    BoundedSearch(const BoundedSearch&) = delete;
    BoundedSearch& operator=(const BoundedSearch&) = delete;

    // Called once `nodes` has reached `pause`, which it raises; false if the search is to end. It may throw.
    using Pause = std::function<bool(BoundedSearch&)>;

    // False if the heuristic proves that there is no solution.
    bool load(std::uint32_t shape, std::span<const Point> slot_marks, std::span<const std::pair<Point, Point>> pieces) {
        start = shape;
        if (!heuristic.load(pieces, state)) return false;
        for (std::size_t slot = 0; slot < slot_marks.size(); ++slot) in[moves.slots(shape)[slot]] = slot_marks[slot];
        patterns.assign(heuristic.entries(), {});
        for (std::size_t v = 0; v < lookups; ++v)
            for (unsigned kind = 0; kind < marks.kinds(); ++kind) {
                const auto& seat = table.seat(v, kind);
                if (!seat.data || seat.byte > 0) continue;
                const Point* spots = state.own.data() + seat.slow->first;
                const PatternIndex& index = seat.slow->table->index;
                patterns[seat.pattern] = {index(spots) << 16 | state.value[seat.pattern],
                                          seat.change.passed ? IndexChange::pack(spots, index.pieces()) : 0};
            }
        return true;
    }

    void begin_bound(std::uint32_t new_bound) {
        bound = new_bound;
        next = none;
        probes = hits = 0;
        remembering = nodes >= next_trial;
    }

    // Forgets the states that were expanded: a search that ended early has not seen all that is below them.
    void forget() { std::fill(seen.begin(), seen.end(), Seen{}); }

    // Whether there is a solution within the bound below the current state: `path` is one, then. States that `cut`
    // moves lead to are not expanded, but their paths appended to `paths`.
    virtual bool descend(const Pause& pause_now, std::uint32_t cut, std::vector<const Arc*>* paths) = 0;
    // Plays these moves from the start on, after taking back those of the current path that differ.
    virtual void go_to(std::span<const Arc* const> path) = 0;

    // The moves to the current state.
    std::vector<std::uint32_t> path() const {
        std::vector<std::uint32_t> out;
        for (std::uint32_t i = 0; i < length; ++i) out.push_back(children[frames[i].at].arc->move);
        return out;
    }

    std::uint64_t nodes = 0, pause = 0;
    std::uint32_t bound = 0;
    std::uint32_t next = none;  // the least bound that was exceeded
    std::uint32_t length = 0;   // of the path
    bool stopped = false;
    Heuristic::State state;

protected:
    static constexpr std::size_t max_path_bytes = std::size_t{1} << 29;  // several million moves

    // The entry of a pattern's database and what it adds, `entry << 16 | value`; and the cells of its tiles.
    struct Pattern {
        std::uint64_t entry = 0, cells = 0;
    };

    struct Child {
        const Arc* arc;
        std::uint64_t entry;  // of the database that is read next
        std::uint32_t base, bound;
        Point mark, from, to;  // spots
        std::uint16_t number;  // of its row in `entries`
    };

    // A state on the path: its children are children[at] to children[end - 1], of which the first is entered now. The
    // rows of `entries` from `row` on are theirs, also of those beyond the bound; others begin at `after`.
    struct Frame {
        std::size_t at, end, row, after;
        std::uint32_t base;  // of the state itself
        Point there;         // what entering the child overwrote
    };

    struct Seen {
        std::uint32_t bound = 0, automaton = 0, length = 0;
    };

    bool seen_before(std::uint32_t automaton, const Arc* last) {
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

    // Makes room for longer paths; false if there is no more.
    bool make_deeper() {
        if (frames.size() * (sizeof(Frame) + lookups * sizeof(Pattern)) +
                children.size() * (sizeof(Child) + lookups * sizeof(entries[0])) >
            max_path_bytes)
            return false;
        frames.resize(std::max<std::size_t>(64, 2 * frames.size()));
        kept.resize(frames.size() * lookups);
        return true;
    }

    static constexpr unsigned few_bits = 10, many_bits = 16;
    static constexpr std::size_t max_remembered = 1 << 20;  // words
    static constexpr std::uint32_t worth_remembering = 4;   // moves left below a state
    static constexpr std::uint64_t enough_probes = 1 << 10, worth_it = 64;

    const MoveTable& moves;
    const DuplicatePruning& pruning;
    const Marks& marks;
    const Heuristic& heuristic;
    const LookupTable& table;
    const Packing packing;
    const std::size_t lookups;
    std::uint32_t start = 0;                   // shape
    std::vector<Point> in;                     // which mark lies on a placement of the shape
    std::vector<Pattern> patterns;             // of each lookup
    std::vector<Frame> frames;                 // of the states on the path
    std::vector<Pattern> kept;                 // for each of them and each lookup what entering its child changed
    std::vector<Child> children;               // of all of them
    std::vector<std::uint64_t> entries;        // for each child and lookup, as in `Pattern`
    std::size_t top = 0, tried = 0, left = 0;  // children: where the next begin, with entries, within the bound
    std::vector<std::uint64_t> key;
    std::vector<Seen> seen;
    std::vector<std::uint64_t> seen_words;
    std::uint64_t probes = 0, hits = 0, next_trial = 0;
    unsigned memory_bits = 0;
    bool remembering = true;
};

// The inner loops, compiled for pieces that turn or not, and for a number of lookups (0: any).
template <bool turning, unsigned fixed_lookups>
class BoundedSearchFor final : public BoundedSearch {
public:
    using BoundedSearch::BoundedSearch;

    bool descend(const Pause& pause_now, std::uint32_t cut, std::vector<const Arc*>* paths) override {
        const std::uint32_t floor = length;
        const Arc* last = length ? children[frames[length - 1].at].arc : nullptr;  // the move that led to the state
        std::uint32_t automaton = last ? last->next : start;
        const bool may_remember = !paths;
        top = length ? frames[length - 1].after : 0;
        for (;;) {
            if (state.base == 0) return true;
            bool expanding = true;
            if (length == cut) {
                for (std::uint32_t i = 0; i < length; ++i) paths->push_back(children[frames[i].at].arc);
                expanding = false;
            } else if ((++nodes >= pause && !pause_now(*this)) || (length >= frames.size() && !make_deeper())) {
                stopped = true;
                return false;
            }
            left = 0;
            if (expanding &&
                !(may_remember && remembering && bound - length >= worth_remembering && seen_before(automaton, last)))
                expand(automaton, last);
            if (left) {
                open(top + tried);
            } else if (!backtrack(floor)) {
                return false;
            }
            last = enter();
            automaton = last->next;
        }
    }

    void go_to(std::span<const Arc* const> path) override {
        std::uint32_t common = 0;
        while (common < std::min<std::size_t>(length, path.size()) && children[frames[common].at].arc == path[common])
            ++common;
        while (length > common) leave();
        top = length ? frames[length - 1].after : 0;
        for (const Arc* arc : path.subspan(common)) {
            if (length >= frames.size() && !make_deeper()) throw LimitReached("a path takes more memory than allowed");
            grow(1);
            Child& child = children[top];
            set_out(child, *arc);
            child.number = 0;
            for (std::size_t v = 0; v < count(); ++v) {
                const auto& seat = table.seat(v, kind_of(child.mark));
                if (!seat.data) continue;
                const std::uint64_t entry = ask(seat, child);
                entries[top * count() + v] = entry << 16 | seat.value(entry) * seat.step;
            }
            left = 1;
            open(top + 1);
            enter();
        }
    }

private:
    SLIDELAB_INLINE std::size_t count() const { return fixed_lookups ? fixed_lookups : lookups; }
    SLIDELAB_INLINE unsigned kind_of(Point mark) const { return turning ? marks.kind(mark) : mark; }

    SLIDELAB_INLINE void open(std::size_t after) {
        Frame& frame = frames[length];
        frame.at = frame.row = top;
        frame.end = top + left;
        frame.after = after;
    }

    void grow(std::size_t by) {
        if (children.size() >= top + by) return;
        children.resize(2 * (top + by));
        entries.resize(children.size() * count());
    }

    // The piece that moves and its spots, and the base of the state after; false if there is no solution then.
    SLIDELAB_INLINE bool set_out(Child& child, const Arc& arc) const {
        const Point mark = in[arc.from];
        child.arc = &arc;
        if constexpr (turning) {
            child.mark = marks.turned(mark, arc.turn);
            child.from = static_cast<Point>(arc.from * moves.turns() + marks.turn(mark));
            child.to = static_cast<Point>(arc.to * moves.turns() + marks.turn(child.mark));
        } else {
            child.mark = mark;
            child.from = arc.from;
            child.to = arc.to;
        }
        const unsigned kind = kind_of(mark);
        const std::uint16_t there = heuristic.base(kind, child.to);
        child.base = state.base - heuristic.base(kind, child.from) + there;
        return there != no_distance;
    }

    // The entry of a lookup after a move; it is prefetched.
    SLIDELAB_INLINE std::uint64_t ask(const LookupTable::Seat& seat, const Child& child) {
        if (seat.anew) return heuristic.ask(state, *seat.slow, child.to);
        const Pattern& pattern = patterns[seat.pattern];
        const std::uint64_t entry = IndexChange::next(pattern.entry >> 16, seat.change, pattern.cells,
                                                      seat.image[child.from], seat.image[child.to]);
#if defined(__GNUC__)
        __builtin_prefetch(seat.at(entry));
#endif
        return entry;
    }

    // All moves that stay within the bound, the most promising first: `left` of them, from `top` on.
    SLIDELAB_INLINE void expand(std::uint32_t automaton, const Arc* last) {
        const auto arcs = pruning.arcs(automaton);
        grow(arcs.size());
        Child* const own = children.data() + top;
        std::uint64_t* const rows = entries.data() + top * count();
        const Pattern* const before = patterns.data();
        const bool undo_known = pruning.length() >= 2;
        const std::uint32_t depth = length + 1, limit = bound;
        std::uint32_t exceeded = next;
        // The lookup with the largest bound now is the one that prunes most often.
        std::size_t lead = 0;
        for (std::size_t v = 1; v < count(); ++v)
            if (state.sum[v] > state.sum[lead]) lead = v;
        std::size_t within = 0;
        for (const auto& arc : arcs) {
            if (!undo_known && last && moves.arcs()[last->move].back == arc.move) continue;
            Child& child = own[within];
            if (!set_out(child, arc)) continue;
            child.number = static_cast<std::uint16_t>(within);
            child.bound = depth + child.base;
            if (child.bound > limit) {
                exceeded = std::min(exceeded, child.bound);
                continue;
            }
            if (count())
                if (const auto& seat = table.seat(lead, kind_of(child.mark)); seat.data) child.entry = ask(seat, child);
            ++within;
        }
        tried = within;
        for (std::size_t turn = 0, v = lead; turn < count(); ++turn) {
            const std::size_t many = within, after = v + 1 == count() ? 0 : v + 1;
            const std::uint32_t sum = state.sum[v];
            within = 0;
            for (std::size_t c = 0; c < many; ++c) {
                Child& child = own[within];
                if (within != c) child = own[c];
                const unsigned kind = kind_of(child.mark);
                const auto& seat = table.seat(v, kind);
                std::uint32_t least = depth + child.base + sum;
                if (seat.data) {
                    const unsigned value = seat.value(child.entry);
                    if (value == seat.none) continue;
                    rows[child.number * count() + v] = child.entry << 16 | value * seat.step;
                    least += value * seat.step - static_cast<std::uint16_t>(before[seat.pattern].entry);
                }
                child.bound = std::max(child.bound, least);
                if (child.bound > limit) {
                    exceeded = std::min(exceeded, child.bound);
                    continue;
                }
                if (turn + 1 < count())
                    if (const auto& other = table.seat(after, kind); other.data) child.entry = ask(other, child);
                ++within;
            }
            v = after;
        }
        for (std::size_t c = 1; c < within; ++c)
            for (std::size_t k = c; k > 0 && own[k].bound < own[k - 1].bound; --k) std::swap(own[k], own[k - 1]);
        left = within;
        next = exceeded;
    }

    // Enters the first child of the state at the end of the path; returns the move.
    SLIDELAB_INLINE const Arc* enter() {
        Frame& frame = frames[length];
        const Child& child = children[frame.at];
        const unsigned kind = kind_of(child.mark);
        frame.base = state.base;
        state.base = child.base;
        const std::uint64_t* row = entries.data() + (frame.row + child.number) * count();
        for (std::size_t v = 0; v < count(); ++v) {
            const auto& seat = table.seat(v, kind);
            if (!seat.data) continue;
            Pattern& pattern = patterns[seat.pattern];
            kept[length * count() + v] = pattern;
            state.sum[v] += static_cast<std::uint16_t>(row[v]);
            state.sum[v] -= static_cast<std::uint16_t>(pattern.entry);
            const Point to = seat.image[child.to];
            pattern.entry = row[v];
            if (seat.change.passed)
                pattern.cells = IndexChange::moved(pattern.cells, seat.byte, seat.image[child.from], to);
            if (seat.anew) state.own[seat.slow->place] = to;
        }
        frame.there = in[child.arc->to];
        in[child.arc->to] = child.mark;
        top = frame.after;
        ++length;
        return child.arc;
    }

    // Takes the last move back.
    SLIDELAB_INLINE Frame& leave() {
        Frame& frame = frames[--length];
        const Child& child = children[frame.at];
        const unsigned kind = kind_of(child.mark);
        for (std::size_t v = 0; v < count(); ++v) {
            const auto& seat = table.seat(v, kind);
            if (!seat.data) continue;
            Pattern& pattern = patterns[seat.pattern];
            const Pattern& before = kept[length * count() + v];
            state.sum[v] += static_cast<std::uint16_t>(before.entry);
            state.sum[v] -= static_cast<std::uint16_t>(pattern.entry);
            pattern = before;
            if (seat.anew) state.own[seat.slow->place] = seat.image[child.from];
        }
        state.base = frame.base;
        in[child.arc->to] = frame.there;
        return frame;
    }

    // Takes moves back until a state has a child that was not entered; false if there is none above `floor`.
    SLIDELAB_INLINE bool backtrack(std::uint32_t floor) {
        while (length > floor) {
            Frame& frame = leave();
            if (++frame.at < frame.end) return true;
        }
        return false;
    }
};

}  // namespace slidelab
