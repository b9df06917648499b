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
#include "search/lookup_table.hpp"

namespace slidelab {

class BoundedSearch {
public:
    using Arc = DuplicatePruning::Arc;
    static constexpr std::uint32_t none = Heuristic::none;
    static constexpr unsigned any_lookups = Heuristic::max_lookups + 1;

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
        patterns.assign(heuristic.entries() + 1, {});
        for (unsigned kind = 0; kind < marks.kinds(); ++kind)
            for (std::size_t v = 0; v < lookups; ++v) {
                const auto& seat = table.kind(kind).seats[v];
                if (!seat.slow || seat.slow->place != seat.slow->first) continue;
                const Point* spots = state.own.data() + seat.slow->first;
                const PatternIndex& index = seat.slow->table->index;
                const std::uint64_t entry = index(spots) * seat.scale();
                const std::uint64_t cells = seat.change.byte ? IndexChange::pack(spots, index.pieces()) : 0;
                if (seat.regions) {
                    const auto elsewhere = seat.regions->elsewhere(IndexChange::set(cells), seat.cell(hole_of(shape)));
                    const unsigned value = seat.value(entry + elsewhere);
                    if (value == seat.none) return false;
                    state.sum[v] += value * seat.step - state.value[seat.pattern];
                    state.value[seat.pattern] = static_cast<std::uint16_t>(value * seat.step);
                }
                patterns[seat.pattern] = {entry << 16 | state.value[seat.pattern], cells};
            }
        for (std::size_t v = 0; v < lookups; ++v) state.bound = std::max(state.bound, state.base + state.sum[v]);
        place_start();
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
    virtual std::vector<std::uint32_t> path() const = 0;

    std::uint64_t nodes = 0, pause = 0;
    std::uint32_t bound = 0;
    std::uint32_t next = none;  // the least bound that was exceeded
    std::uint32_t length = 0;   // of the path
    bool stopped = false;
    Heuristic::State state;

protected:
    static constexpr std::size_t max_path_bytes = std::size_t{1} << 29;  // several million moves

    virtual void place_start() = 0;

    // The entry of a pattern's database and what it adds, `entry << 16 | value`; and the cells of its tiles.
    struct Pattern {
        std::uint64_t entry = 0, cells = 0;
    };

    // The placement that a shape with one hole leaves empty.
    Point hole_of(std::uint32_t shape) const {
        std::vector<char> covered(moves.placements(), 0);
        for (auto placement : moves.slots(shape)) covered[placement] = 1;
        return static_cast<Point>(std::find(covered.begin(), covered.end(), 0) - covered.begin());
    }

    struct Seen {
        std::uint32_t bound = 0, automaton = 0, length = 0;
    };

    bool seen_before(std::uint32_t automaton, const Arc* last) {
        const std::size_t words = packing.words();
        if (seen.empty()) make_table(trial_table_bits);
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
            } else if (memory_bits < full_table_bits) {
                make_table(full_table_bits);
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
    void make_table(unsigned bits) {
        const std::size_t words = packing.words();
        for (memory_bits = bits; memory_bits > 8 && words << memory_bits > max_remembered;) --memory_bits;
        seen.assign(std::size_t{1} << memory_bits, {});
        seen_words.assign(words << memory_bits, 0);
    }

    static constexpr unsigned trial_table_bits = 10, full_table_bits = 16;  // binary logarithms of the entries
    static constexpr std::size_t max_remembered = 1 << 20;                  // words
    static constexpr std::uint32_t worth_remembering = 4;                   // moves left below a state
    static constexpr std::uint64_t enough_probes = 1 << 10, worth_it = 64;

    const MoveTable& moves;
    const DuplicatePruning& pruning;
    const Marks& marks;
    const Heuristic& heuristic;
    const LookupTable& table;
    const Packing packing;
    const std::size_t lookups;
    std::uint32_t start = 0;        // shape
    std::vector<Point> in;          // which mark lies on a placement of the shape
    std::vector<Pattern> patterns;  // of each lookup
    std::vector<std::uint64_t> key;
    std::vector<Seen> seen;
    std::vector<std::uint64_t> seen_words;
    std::uint64_t probes = 0, hits = 0, next_trial = 0;
    unsigned memory_bits = 0;
    bool remembering = true;
};

// The inner loops, compiled for pieces that turn or not, for a number of lookups, and for databases that know the
// region of the hole or not.
template <bool turning, unsigned fixed_lookups, bool by_region = false>
class BoundedSearchFor final : public BoundedSearch {
public:
    using BoundedSearch::BoundedSearch;

    bool descend(const Pause& pause_now, std::uint32_t cut, std::vector<const Arc*>* paths) override {
        const std::uint32_t floor = length;
        const bool may_remember = !paths;
        Child* own = frames[length].at;
        for (;;) {
            if (own->base == 0) return true;
            const Arc* const last = own->arc;  // the move that led to the state
            const std::uint32_t automaton = last ? last->next : start;
            Child* within = nullptr;
            if (length == cut) {
                for (std::uint32_t i = 1; i <= length; ++i) paths->push_back(frames[i].at->arc);
            } else if ((++nodes >= pause && !pause_now(*this)) || !has_room()) {  // may move the children
                stopped = true;
                return false;
            } else if (!(may_remember && remembering && bound - length >= worth_remembering &&
                         seen_before(automaton, last))) {
                within = expand(automaton);
            }
            if (within) open(within);
            else if (!backtrack(floor)) return false;
            own = frames[length].at;
            enter(*own);
        }
    }

    void go_to(std::span<const Arc* const> path) override {
        std::uint32_t common = 0;
        while (common < std::min<std::size_t>(length, path.size()) && frames[common + 1].at->arc == path[common])
            ++common;
        for (; length > common; --length) leave(*frames[length].at);
        for (const Arc* arc : path.subspan(common)) {
            if (!has_room()) throw LimitReached("a path takes more memory than allowed");
            const Child& own = *frames[length].at;
            Child& child = *frames[length].top;
            child.sibling = nullptr;
            set_out(child, *arc, own.base);
            for (std::size_t v = 0; v < count(); ++v) {
                child.entry[v] = next_entry(child.seats[v], child);
                take(child, v, own.sum[v], value(child, v));
            }
            end = &child + 1;
            open(&child);
            enter(child);
        }
    }

    std::vector<std::uint32_t> path() const override {
        std::vector<std::uint32_t> out;
        for (std::uint32_t i = 1; i <= length; ++i) out.push_back(frames[i].at->arc->move);
        return out;
    }

private:
    using Seat = LookupTable::Seat;
    static constexpr std::size_t room = fixed_lookups == any_lookups ? Heuristic::max_lookups : fixed_lookups;

    // A state that a move leads to. While it is on the path, `entry` has what the patterns had before.
    struct alignas(64) Child {
        Child* sibling;  // that is entered next
        const Arc* arc;
        const Seat* seats;
        std::array<std::uint64_t, room> entry;  // of each lookup, as in `Pattern`
        std::array<std::uint32_t, room> sum;    // what the patterns of a lookup add
        std::uint32_t base, bound;
        Point from, to;  // spots
        Point mark, mark_before;
    };

    // A state on the path, and where its children begin.
    struct Frame {
        Child *at, *top;
    };

    SLIDELAB_INLINE std::size_t count() const { return fixed_lookups == any_lookups ? lookups : fixed_lookups; }
    SLIDELAB_INLINE unsigned kind_of(Point mark) const { return turning ? marks.kind(mark) : mark; }

    void place_start() override {
        length = 0;
        children.assign(64 + pruning.max_arcs(), {});
        frames.assign(64, {});
        last_top = children.data() + 64;
        max_length = 63;
        frames[0] = {children.data(), children.data() + 1};
        children[0].base = state.base;
        std::copy_n(state.sum.begin(), room, children[0].sum.begin());
    }

    // Whether there is room for the children of the state, which is made if need be.
    SLIDELAB_INLINE bool has_room() { return (length < max_length && frames[length].top <= last_top) || make_longer(); }
    bool make_longer() {
        if (frames.size() * sizeof(Frame) + children.size() * sizeof(Child) > max_path_bytes) return false;
        if (length >= max_length) frames.resize(2 * frames.size());
        max_length = static_cast<std::uint32_t>(frames.size() - 1);
        if (frames[length].top <= last_top) return true;
        std::vector<Child> more(2 * children.size());
        const auto moved = [&](Child* child) { return child ? more.data() + (child - children.data()) : nullptr; };
        std::copy(children.begin(), children.end(), more.begin());
        for (Child* child = more.data(); child != moved(frames[length].top); ++child)
            child->sibling = moved(child->sibling);
        for (std::uint32_t i = 0; i <= length; ++i) frames[i] = {moved(frames[i].at), moved(frames[i].top)};
        children = std::move(more);
        last_top = children.data() + (children.size() - pruning.max_arcs());
        return true;
    }

    // The state at the end of the path has children: the first of them is next.
    SLIDELAB_INLINE void open(Child* first) { frames[++length] = {first, end}; }

    // The piece that moves and its spots, and the base of the state after; false if there is no solution then.
    SLIDELAB_INLINE bool set_out(Child& child, const Arc& arc, std::uint32_t base) const {
        const Point mark = in[arc.from];
        child.arc = &arc;
        child.mark = mark;
        if constexpr (turning) {
            child.mark_before = mark;
            child.mark = marks.turned(mark, arc.turn);
            child.from = static_cast<Point>(arc.from * moves.turns() + marks.turn(mark));
            child.to = static_cast<Point>(arc.to * moves.turns() + marks.turn(child.mark));
        } else {
            child.from = arc.from;
            child.to = arc.to;
        }
        const auto& kind = table.kind(kind_of(mark));
        child.seats = kind.seats;
        const std::uint16_t there = kind.base[child.to];
        child.base = base - kind.base[child.from] + there;
        return there != no_distance;
    }

    // The entry of a lookup after a move; it is prefetched.
    SLIDELAB_INLINE std::uint64_t next_entry(const Seat& seat, const Child& child) {
        if constexpr (fixed_lookups == any_lookups)
            if (seat.anew) return heuristic.ask(state, *seat.slow, child.to) * seat.scale();
        const Pattern& pattern = patterns[seat.pattern];
        const std::uint64_t entry = IndexChange::next(pattern.entry >> 16, seat.change, pattern.cells,
                                                      seat.words[child.from], seat.words[child.to]);
#if defined(__GNUC__)
        __builtin_prefetch(seat.at(entry));
#endif
        return entry;
    }

    // What the database has at the entry of a lookup. The hole is where the piece came from; mostly it does not matter.
    SLIDELAB_INLINE unsigned value(const Child& child, std::size_t v) const {
        const Seat& seat = child.seats[v];
        if constexpr (by_region)
            if (seat.regions) {
                const unsigned both = *seat.at(child.entry[v]), low = both & 15, high = both >> 4;
                if (low == high) return low;
                const std::uint64_t from = seat.words[child.from], to = seat.words[child.to];
                const std::uint64_t cells = IndexChange::moved(patterns[seat.pattern].cells, seat.change, from, to);
                return seat.regions->elsewhere(IndexChange::set(cells), seat.cell(child.from)) ? high : low;
            }
        return seat.value(child.entry[v]);
    }

    // What a lookup adds after a move, from the value of the entry there and what it added before.
    SLIDELAB_INLINE void take(Child& child, std::size_t v, std::uint32_t before, unsigned value) const {
        const Seat& seat = child.seats[v];
        const std::uint32_t added = value * seat.step;
        child.entry[v] = child.entry[v] << 16 | added;
        child.sum[v] = before + added - static_cast<std::uint16_t>(patterns[seat.pattern].entry);
    }

    // Lists all moves that stay within the bound, the most promising first; returns the first of them.
    SLIDELAB_INLINE Child* expand(std::uint32_t automaton) {
        const Child& own = *frames[length].at;
        const Arc* const last = pruning.length() >= 2 ? nullptr : own.arc;  // may be undone: the automaton allows it
        const std::uint32_t limit = bound - length - 1;
        std::uint32_t exceeded = none - length - 1;
        // The lookup with the largest bound now is the one that prunes most often.
        std::size_t lead = 0;
        for (std::size_t v = 1; v < count(); ++v)
            if (own.sum[v] > own.sum[lead]) lead = v;
        Child *within, **link = &within, *child = frames[length].top;
        for (const auto& arc : pruning.arcs(automaton)) {
            if (last && moves.arcs()[last->move].back == arc.move) continue;
            if (!set_out(*child, arc, own.base)) continue;
            if (child->base > limit) {
                exceeded = std::min(exceeded, child->base);
                continue;
            }
            child->bound = child->base;
            if (count()) child->entry[lead] = next_entry(child->seats[lead], *child);
            *link = child;
            link = &child++->sibling;
        }
        *link = nullptr;
        end = child;
        for (std::size_t turn = 0, v = lead; turn < count(); ++turn) {
            const std::size_t after = v + 1 == count() ? 0 : v + 1;
            link = &within;
            for (child = within; child; child = child->sibling) {
                const unsigned found = value(*child, v);
                if (found == child->seats[v].none) continue;
                take(*child, v, own.sum[v], found);
                child->bound = std::max(child->bound, child->base + child->sum[v]);
                if (child->bound > limit) {
                    exceeded = std::min(exceeded, child->bound);
                    continue;
                }
                if (turn + 1 < count()) child->entry[after] = next_entry(child->seats[after], *child);
                *link = child;
                link = &child->sibling;
            }
            *link = nullptr;
            v = after;
        }
        next = std::min(next, exceeded + length + 1);
        return within && within->sibling ? sorted(within) : within;
    }

    // The same children by their bounds, those with the same bound in the same order.
    static Child* sorted(Child* all) {
        Child* first = nullptr;
        while (all) {
            Child* const child = std::exchange(all, all->sibling);
            Child** link = &first;
            while (*link && (*link)->bound <= child->bound) link = &(*link)->sibling;
            child->sibling = std::exchange(*link, child);
        }
        return first;
    }

    // Makes the move that leads to a child.
    SLIDELAB_INLINE void enter(Child& child) {
        exchange(child);
        in[child.arc->to] = child.mark;
        if constexpr (fixed_lookups == any_lookups) place(child, child.to);
    }

    // Takes it back.
    SLIDELAB_INLINE void leave(Child& child) {
        exchange(child);
        in[child.arc->from] = turning ? child.mark_before : child.mark;
        if constexpr (fixed_lookups == any_lookups) place(child, child.from);
    }

    // Exchanges what the move changes for what was there before.
    SLIDELAB_INLINE void exchange(Child& child) {
        for (std::size_t v = 0; v < count(); ++v) {
            const Seat& seat = child.seats[v];
            Pattern& pattern = patterns[seat.pattern];
            std::swap(pattern.entry, child.entry[v]);
            pattern.cells =
                IndexChange::moved(pattern.cells, seat.change, seat.words[child.from], seat.words[child.to]);
        }
    }

    // The spot of the piece, for patterns that are ranked anew.
    void place(const Child& child, Point spot) {
        for (std::size_t v = 0; v < count(); ++v)
            if (const Seat& seat = child.seats[v]; seat.anew) state.own[seat.slow->place] = seat.slow->image[spot];
    }

    // Takes moves back until a state has a sibling that was not entered; false if there is none above `floor`.
    SLIDELAB_INLINE bool backtrack(std::uint32_t floor) {
        for (; length > floor; --length) {
            Child*& at = frames[length].at;
            leave(*at);
            if ((at = at->sibling)) return true;
        }
        return false;
    }

    std::vector<Frame> frames;    // of the states on the path, from the start on
    std::vector<Child> children;  // of all of them, after the start
    std::uint32_t max_length = 0;
    const Child* last_top = nullptr;  // where the children of a state may begin at the latest
    Child* end = nullptr;             // of the children of the last state that was expanded
};

}  // namespace slidelab
