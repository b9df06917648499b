// The gain graph of a puzzle: shapes joined by moves, each move with what it does to the pieces.
//
// A rule has been turned, outside, into two tables that know nothing of geometry:
//   placements  the ways one piece can lie on the board (its cells in a fixed reading), and
//   steps       piece goes from placement to placement, if certain cells are holes.
// A shape is a set of disjoint placements. Its slots are its placements sorted by the rank of their
// first cell along one line through the board. So a step takes the piece out of slot i and puts it
// into slot j, the pieces between move up by one, and the piece itself may be turned: three small
// numbers (i, j, turn) are the whole gain. One piece per cell is the common case and may have very
// many pieces and few holes; there a shape is stored as its holes, otherwise as its placements.
#pragma once

#include "group/permutation.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace slidelab {

struct StepTable {
    static constexpr std::size_t max_needs = 4;
    struct Step {
        std::int32_t from, to;
        std::int32_t turn;
        std::array<std::int32_t, max_needs> needs;  // cells that must be holes, -1 = none; needs[0] is always a cell
    };
    std::size_t cells = 0, piece_cells = 1, turns = 1;
    std::vector<std::int32_t> placements;  // piece_cells entries each
    std::vector<Step> steps;
    std::vector<std::int32_t> rank;  // of each cell along the line that orders the slots

    std::size_t placement_count() const { return placements.size() / piece_cells; }
    std::span<const std::int32_t> cells_of(std::size_t placement) const {
        return {placements.data() + placement * piece_cells, piece_cells};
    }

    void check() const {
        auto fail = [](const char* what) { throw std::invalid_argument(what); };
        if (cells == 0 || cells > max_degree) fail("number of cells out of range");
        if (piece_cells == 0 || piece_cells > 3 || turns == 0 || turns > 3) fail("piece size out of range");
        if (rank.size() != cells) fail("one rank a cell expected");
        std::vector<bool> seen(cells, false);
        for (auto r : rank) {
            if (r < 0 || static_cast<std::size_t>(r) >= cells || seen[static_cast<std::size_t>(r)])
                fail("ranks must be a permutation of the cells");
            seen[static_cast<std::size_t>(r)] = true;
        }
        if (placements.size() % piece_cells || placement_count() > max_degree) fail("placements out of range");
        for (auto c : placements)
            if (c < 0 || static_cast<std::size_t>(c) >= cells) fail("placement outside the board");
        for (std::size_t p = 0; p < placement_count(); ++p)
            for (std::size_t k = 1; k < piece_cells; ++k)
                if (covers(cells_of(p).first(k), cells_of(p)[k])) fail("a placement covers a cell twice");
        if (piece_cells == 1) {
            if (placement_count() != cells) fail("one placement a cell expected");
            for (std::size_t c = 0; c < cells; ++c)
                if (placements[c] != static_cast<std::int32_t>(c)) fail("placement c must lie on cell c");
        }
        const auto count = static_cast<std::int32_t>(placement_count());
        for (const auto& s : steps) {
            if (s.from < 0 || s.from >= count || s.to < 0 || s.to >= count || s.from == s.to)
                fail("step between unknown placements");
            if (s.turn < 0 || static_cast<std::size_t>(s.turn) >= turns) fail("turn out of range");
            if (s.needs[0] < 0) fail("a step needs a hole");
            for (auto c : s.needs)
                if (c < -1 || c >= static_cast<std::int32_t>(cells)) fail("needed cell outside the board");
            for (auto c : cells_of(static_cast<std::size_t>(s.to)))
                if (!covers(cells_of(static_cast<std::size_t>(s.from)), c) && !covers(s.needs, c))
                    fail("a step must need the cells it enters");
        }
        if (!reversible()) fail("a step has no way back");
    }

private:
    static bool covers(std::span<const std::int32_t> list, std::int32_t cell) {
        return std::find(list.begin(), list.end(), cell) != list.end();
    }

    // Edges are found from their lower end only and walked both ways, so to every step there must be
    // one back that needs no other holes than those the step needed or left behind. Without it a
    // one-way move would be lost, or walked against its direction, and nobody would notice.
    bool reversible() const {
        std::vector<std::size_t> order(steps.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        auto ends = [&](std::size_t i) { return std::pair(steps[i].from, steps[i].to); };
        std::sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) { return ends(i) < ends(j); });
        auto undoes = [&](const Step& back, const Step& s) {
            if (static_cast<std::size_t>(back.turn + s.turn) % turns != 0) return false;
            return std::all_of(back.needs.begin(), back.needs.end(), [&](std::int32_t c) {
                return c < 0 || (!covers(cells_of(static_cast<std::size_t>(s.to)), c) &&
                                 (covers(s.needs, c) || covers(cells_of(static_cast<std::size_t>(s.from)), c)));
            });
        };
        return std::all_of(steps.begin(), steps.end(), [&](const Step& s) {
            const std::pair wanted(s.to, s.from);
            auto it = std::lower_bound(order.begin(), order.end(), wanted,
                                       [&](std::size_t i, const auto& pair) { return ends(i) < pair; });
            for (; it != order.end() && ends(*it) == wanted; ++it)
                if (undoes(steps[*it], s)) return true;
            return false;
        });
    }
};

struct Edge {
    std::uint32_t source, target;
    std::uint16_t slot_from, slot_to;
    std::uint16_t turn;
    std::uint32_t step;
};

// Where a slot point goes when the piece of slot `from` goes to slot `to` and is turned.
inline Point carried(std::size_t turns, std::size_t from, std::size_t to, std::size_t turn, Point point) {
    std::size_t slot = point / turns, mark = point % turns;
    if (slot == from) {
        slot = to;
        mark = (mark + turn) % turns;
    } else if (from < to) {
        slot -= slot > from && slot <= to;
    } else {
        slot += slot >= to && slot < from;
    }
    return static_cast<Point>(slot * turns + mark);
}

// A connected family of shapes seen from one of them: a spanning tree, the gain from the base along
// the tree to every shape, and the gains of the loops that the other edges close.
struct Span {
    std::uint32_t base = 0;
    std::vector<std::uint32_t> shapes;       // in breadth-first order, base first
    std::vector<std::int64_t> parent_edge;   // for each of them: edge * 2 + (walked backwards), -1 at the base
    std::vector<std::uint32_t> parent;       // index into shapes
    std::vector<Point> potentials;           // degree entries each: base slot point -> slot point there
    std::vector<Point> generators;           // degree entries each, distinct, without the identity
    std::vector<std::uint32_t> generator_edge;
};

class GainGraph {
public:
    GainGraph(StepTable table, std::size_t pieces, std::uint64_t max_shapes, const Tick& tick)
        : table_(std::move(table)), pieces_(pieces) {
        table_.check();
        // Divided, not multiplied: a huge number must not wrap round to a small one.
        if (pieces_ > table_.cells / table_.piece_cells) throw std::invalid_argument("more pieces than fit the board");
        holes_ = table_.cells - pieces_ * table_.piece_cells;
        if (pieces_ * table_.turns > max_degree) throw LimitReached("too many pieces");
        by_hole_ = table_.piece_cells == 1;
        width_ = by_hole_ ? holes_ : pieces_;
        index_steps();
        enumerate(std::min<std::uint64_t>(max_shapes, empty - 1), tick);
        build_edges(tick);
        find_families();
    }

    std::size_t shape_count() const { return width_ ? keys_.size() / width_ : 1; }
    std::size_t width() const { return width_; }
    std::size_t degree() const { return pieces_ * table_.turns; }
    std::size_t pieces() const { return pieces_; }
    const StepTable& table() const { return table_; }
    bool by_hole() const { return by_hole_; }
    const std::vector<std::uint16_t>& keys() const { return keys_; }
    const std::vector<Edge>& edges() const { return edges_; }
    const std::vector<std::uint32_t>& family() const { return family_; }
    std::uint64_t isolated() const {
        std::uint64_t count = 0;
        for (std::size_t s = 0; s < shape_count(); ++s) count += first_[s] == first_[s + 1];
        return count;
    }

    // The number of the shape with these sorted holes (or placements sorted by slot), -1 if none.
    std::int64_t find(std::span<const std::uint16_t> key) const {
        if (key.size() != width_) return -1;
        const auto slot = probe(key);
        return table_index_[slot] == empty ? -1 : static_cast<std::int64_t>(table_index_[slot]);
    }

    // The placement in every slot of a shape.
    std::vector<std::int32_t> slots(std::size_t shape) const {
        std::vector<std::int32_t> out(pieces_);
        const auto key = key_of(shape);
        if (!by_hole_) {
            std::copy(key.begin(), key.end(), out.begin());
            return out;
        }
        std::vector<std::int32_t> cell_at(table_.cells);
        for (std::size_t c = 0; c < table_.cells; ++c) cell_at[static_cast<std::size_t>(table_.rank[c])] = static_cast<std::int32_t>(c);
        std::vector<bool> hole(table_.cells, false);
        for (auto h : key) hole[h] = true;
        std::size_t i = 0;
        for (auto c : cell_at)
            if (!hole[static_cast<std::size_t>(c)]) out[i++] = c;
        return out;
    }

    // Spanning tree of the family of `base`, potentials and distinct loop gains.
    Span span(std::uint32_t base, std::uint64_t max_bytes, const Tick& tick) const {
        if (base >= shape_count()) throw std::invalid_argument("no such shape");
        Span out;
        out.base = base;
        LocalIndex local(shape_count(), family_size_[family_[base]]);
        walk_tree(out, local, max_bytes, tick);
        collect_loops(out, local, max_bytes, tick);
        return out;
    }

private:
    static constexpr std::uint32_t empty = std::numeric_limits<std::uint32_t>::max();

    // Where each shape of a family stands in it. There may be thousands of small families, so a
    // table over all shapes is only laid out for a family that fills a good part of it.
    class LocalIndex {
    public:
        LocalIndex(std::size_t shapes, std::size_t members) {
            if (members > shapes / 32)
                table_.assign(shapes, empty);
            else
                map_.reserve(2 * members);
        }
        std::uint32_t operator[](std::uint32_t shape) const {
            if (!table_.empty()) return table_[shape];
            const auto found = map_.find(shape);
            return found == map_.end() ? empty : found->second;
        }
        void set(std::uint32_t shape, std::size_t place) {
            if (!table_.empty())
                table_[shape] = static_cast<std::uint32_t>(place);
            else
                map_[shape] = static_cast<std::uint32_t>(place);
        }

    private:
        std::vector<std::uint32_t> table_;
        std::unordered_map<std::uint32_t, std::uint32_t> map_;
    };

    std::span<const std::uint16_t> key_of(std::size_t shape) const { return {keys_.data() + shape * width_, width_}; }

    static std::uint64_t hash(std::span<const std::uint16_t> key) {
        std::uint64_t h = 0x9e3779b97f4a7c15ull;
        for (auto v : key) {
            h ^= v;
            h *= 0xff51afd7ed558ccdull;
            h ^= h >> 32;
        }
        return h;
    }

    std::size_t probe(std::span<const std::uint16_t> key) const {
        const std::size_t mask = table_index_.size() - 1;
        std::size_t slot = hash(key) & mask;
        while (table_index_[slot] != empty && !std::equal(key.begin(), key.end(), key_of(table_index_[slot]).begin()))
            slot = (slot + 1) & mask;
        return slot;
    }

    void index_steps() {
        std::vector<std::vector<std::uint32_t>> by(table_.cells);
        for (std::size_t i = 0; i < table_.steps.size(); ++i)
            by[static_cast<std::size_t>(table_.steps[i].needs[0])].push_back(static_cast<std::uint32_t>(i));
        steps_at_.push_back(0);
        for (auto& list : by) {
            steps_of_.insert(steps_of_.end(), list.begin(), list.end());
            steps_at_.push_back(steps_of_.size());
        }
        slot_rank_.resize(table_.placement_count());
        for (std::size_t p = 0; p < slot_rank_.size(); ++p) {
            std::int32_t best = std::numeric_limits<std::int32_t>::max();
            for (auto c : table_.cells_of(p)) best = std::min(best, table_.rank[static_cast<std::size_t>(c)]);
            slot_rank_[p] = best;
        }
    }

    void add_shape(std::span<const std::uint16_t> key, std::uint64_t max_shapes, const Tick& tick) {
        const std::uint64_t count = ++enumerated_;
        if (count > max_shapes) throw LimitReached("more than " + std::to_string(max_shapes) + " shapes");
        keys_.insert(keys_.end(), key.begin(), key.end());
        if ((count & 0xffff) == 0) tick("shapes", count, 0);
    }

    void enumerate(std::uint64_t max_shapes, const Tick& tick) {
        if (by_hole_)
            enumerate_holes(max_shapes, tick);
        else
            enumerate_packings(max_shapes, tick);
        std::size_t capacity = 16;
        while (capacity < 2 * enumerated_) capacity *= 2;
        table_index_.assign(capacity, empty);
        for (std::size_t s = 0; s < shape_count() && enumerated_; ++s)
            table_index_[probe(key_of(s))] = static_cast<std::uint32_t>(s);
    }

    void enumerate_holes(std::uint64_t max_shapes, const Tick& tick) {
        std::vector<std::uint16_t> pick(holes_);
        std::iota(pick.begin(), pick.end(), std::uint16_t{0});
        while (true) {
            add_shape(pick, max_shapes, tick);
            std::size_t i = holes_;
            while (i > 0 && pick[i - 1] == table_.cells - holes_ + i - 1) --i;
            if (i == 0) return;
            ++pick[i - 1];
            for (std::size_t j = i; j < holes_; ++j) pick[j] = static_cast<std::uint16_t>(pick[j - 1] + 1);
        }
    }

    // All sets of `pieces_` disjoint placements. Cells are settled in the order of their rank, so
    // the placements come out sorted by slot; the stack is explicit because boards may be long.
    // Pieces are counted as well as holes, or few pieces on a large board would take the time of
    // all packings with more of them.
    void enumerate_packings(std::uint64_t max_shapes, const Tick& tick) {
        std::vector<std::int32_t> cell_at(table_.cells);
        for (std::size_t c = 0; c < table_.cells; ++c) cell_at[static_cast<std::size_t>(table_.rank[c])] = static_cast<std::int32_t>(c);
        std::vector<std::vector<std::uint16_t>> starting(table_.cells);  // placements by rank of first cell
        for (std::size_t p = 0; p < slot_rank_.size(); ++p)
            starting[static_cast<std::size_t>(slot_rank_[p])].push_back(static_cast<std::uint16_t>(p));

        struct Frame {
            std::size_t rank, choice;
            bool hole;
        };
        std::vector<Frame> stack;
        std::vector<std::uint16_t> chosen;
        std::vector<bool> covered(table_.cells, false);
        std::size_t holes = 0, rank = 0;
        std::uint64_t steps = 0;
        auto fits = [&](std::uint16_t p) {
            for (auto c : table_.cells_of(p))
                if (covered[static_cast<std::size_t>(c)]) return false;
            return true;
        };
        auto put = [&](std::uint16_t p, bool value) {
            for (auto c : table_.cells_of(p)) covered[static_cast<std::size_t>(c)] = value;
        };
        std::size_t choice = 0;
        while (true) {
            if ((++steps & 0xfffff) == 0) tick("shapes", enumerated_, 0);
            while (rank < table_.cells && covered[static_cast<std::size_t>(cell_at[rank])]) ++rank, choice = 0;
            bool forward = false;
            if (rank == table_.cells) {
                if (holes == holes_) add_shape(chosen, max_shapes, tick);
            } else {
                const auto& options = starting[rank];
                if (chosen.size() == pieces_) choice = std::max(choice, options.size());
                while (choice < options.size() && !fits(options[choice])) ++choice;
                if (choice < options.size()) {
                    put(options[choice], true);
                    chosen.push_back(options[choice]);
                    stack.push_back({rank, choice, false});
                    forward = true;
                } else if (choice == options.size() && holes < holes_) {
                    ++holes;
                    stack.push_back({rank, choice, true});
                    forward = true;
                }
            }
            if (forward) {
                ++rank;
                choice = 0;
                continue;
            }
            if (stack.empty()) return;
            const Frame top = stack.back();
            stack.pop_back();
            if (top.hole) {
                --holes;
            } else {
                put(starting[top.rank][top.choice], false);
                chosen.pop_back();
            }
            rank = top.rank;
            choice = top.choice + 1;
        }
    }

    struct Scratch {
        std::vector<std::uint8_t> hole;
        std::vector<std::int32_t> placement_at;  // of each cell, -1 for a hole
        std::vector<std::uint16_t> holes, key;
    };

    void load(std::size_t shape, Scratch& w) const {
        const auto key = key_of(shape);
        if (by_hole_) {
            // Few holes on a board that may be large: only they are touched.
            for (auto h : w.holes) w.hole[h] = false;
            for (auto h : key) w.hole[h] = true;
            w.holes.assign(key.begin(), key.end());
        } else {
            std::fill(w.hole.begin(), w.hole.end(), true);
            std::fill(w.placement_at.begin(), w.placement_at.end(), -1);
            for (auto p : key)
                for (auto c : table_.cells_of(p)) {
                    w.hole[static_cast<std::size_t>(c)] = false;
                    w.placement_at[static_cast<std::size_t>(c)] = p;
                }
            w.holes.clear();
            for (std::size_t c = 0; c < table_.cells; ++c)
                if (w.hole[c]) w.holes.push_back(static_cast<std::uint16_t>(c));
        }
    }

    bool applies(const StepTable::Step& step, const Scratch& w) const {
        for (auto c : step.needs)
            if (c >= 0 && !w.hole[static_cast<std::size_t>(c)]) return false;
        if (by_hole_) return !w.hole[static_cast<std::size_t>(step.from)];
        return w.placement_at[static_cast<std::size_t>(table_.placements[static_cast<std::size_t>(step.from) * table_.piece_cells])] == step.from;
    }

    // Slot numbers before and after, and the key of the shape the step leads to.
    std::pair<std::size_t, std::size_t> follow(std::size_t shape, const StepTable::Step& step, Scratch& w) const {
        const auto key = key_of(shape);
        const std::int32_t rank_from = slot_rank_[static_cast<std::size_t>(step.from)];
        const std::int32_t rank_to = slot_rank_[static_cast<std::size_t>(step.to)];
        w.key.clear();
        std::size_t before_from = 0, before_to = 0;
        if (by_hole_) {
            // A slot number is a rank less the holes before it; the moved piece leaves a hole behind.
            for (auto h : key) {
                before_from += table_.rank[h] < rank_from;
                before_to += h != step.to && table_.rank[h] < rank_to;
                if (h != step.to) w.key.push_back(h);
            }
            before_to += rank_from < rank_to;
            const auto left = static_cast<std::uint16_t>(step.from);
            w.key.insert(std::lower_bound(w.key.begin(), w.key.end(), left), left);
            return {static_cast<std::size_t>(rank_from) - before_from, static_cast<std::size_t>(rank_to) - before_to};
        }
        bool placed = false;
        for (auto p : key) {
            before_from += slot_rank_[p] < rank_from;
            if (p == step.from) continue;
            before_to += slot_rank_[p] < rank_to;
            if (!placed && slot_rank_[p] > rank_to) {
                w.key.push_back(static_cast<std::uint16_t>(step.to));
                placed = true;
            }
            w.key.push_back(p);
        }
        if (!placed) w.key.push_back(static_cast<std::uint16_t>(step.to));
        return {before_from, before_to};
    }

    void build_edges(const Tick& tick) {
        const std::size_t shapes = shape_count();
        first_.assign(shapes + 1, 0);
        if (pieces_ == 0 || holes_ == 0 || enumerated_ == 0) return;
        Scratch w{std::vector<std::uint8_t>(table_.cells), std::vector<std::int32_t>(table_.cells, -1), {}, {}};
        std::vector<Edge> found;
        std::vector<std::uint32_t> both;  // how many edge ends at each shape
        both.assign(shapes, 0);
        for (std::size_t s = 0; s < shapes; ++s) {
            if ((s & 0x3fff) == 0) tick("moves", s, shapes);
            load(s, w);
            found.clear();
            for (const std::size_t cell : w.holes) {
                for (std::size_t k = steps_at_[cell]; k < steps_at_[cell + 1]; ++k) {
                    const auto& step = table_.steps[steps_of_[k]];
                    if (!applies(step, w)) continue;
                    const auto [i, j] = follow(s, step, w);
                    const std::int64_t target = find(w.key);
                    if (target < 0) throw std::logic_error("a step leads to no shape");
                    if (static_cast<std::size_t>(target) <= s) continue;  // each edge once, from its lower end
                    found.push_back({static_cast<std::uint32_t>(s), static_cast<std::uint32_t>(target),
                                     static_cast<std::uint16_t>(i), static_cast<std::uint16_t>(j),
                                     static_cast<std::uint16_t>(step.turn), steps_of_[k]});
                }
            }
            // The same piece may go the same way for two reasons (two second holes): one edge.
            std::sort(found.begin(), found.end(), [](const Edge& a, const Edge& b) {
                return std::tie(a.target, a.slot_from, a.slot_to, a.turn, a.step) <
                       std::tie(b.target, b.slot_from, b.slot_to, b.turn, b.step);
            });
            for (std::size_t e = 0; e < found.size(); ++e) {
                if (e && found[e].target == found[e - 1].target && found[e].slot_from == found[e - 1].slot_from &&
                    found[e].slot_to == found[e - 1].slot_to && found[e].turn == found[e - 1].turn)
                    continue;
                edges_.push_back(found[e]);
                ++both[found[e].source];
                ++both[found[e].target];
            }
        }
        for (std::size_t s = 0; s < shapes; ++s) first_[s + 1] = first_[s] + both[s];
        around_.resize(first_[shapes]);
        std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
        for (std::size_t e = 0; e < edges_.size(); ++e) {
            around_[next[edges_[e].source]++] = static_cast<std::uint64_t>(e) * 2;
            around_[next[edges_[e].target]++] = static_cast<std::uint64_t>(e) * 2 + 1;
        }
    }

    void find_families() {
        Partition parts(shape_count());
        for (const auto& e : edges_) parts.unite(e.source, e.target);
        family_.resize(shape_count());
        family_size_.assign(shape_count(), 0);
        for (std::size_t s = 0; s < family_.size(); ++s) {
            family_[s] = parts.find(static_cast<std::uint32_t>(s));
            ++family_size_[family_[s]];
        }
    }

    Point carry(const Edge& e, bool backwards, Point point) const {
        return backwards ? carried(table_.turns, e.slot_to, e.slot_from, (table_.turns - e.turn) % table_.turns, point)
                         : carried(table_.turns, e.slot_from, e.slot_to, e.turn, point);
    }

    void walk_tree(Span& out, LocalIndex& local, std::uint64_t max_bytes, const Tick& tick) const {
        const std::size_t d = degree();
        const std::uint64_t members = family_size_[family_[out.base]];
        if (members * std::max<std::size_t>(d, 1) * sizeof(Point) > max_bytes)
            throw LimitReached("the tables of " + std::to_string(members) + " shapes do not fit the memory limit");
        out.shapes.push_back(out.base);
        out.parent_edge.push_back(-1);
        out.parent.push_back(0);
        local.set(out.base, 0);
        out.potentials.resize(members * d);
        for (std::size_t x = 0; x < d; ++x) out.potentials[x] = static_cast<Point>(x);
        for (std::size_t at = 0; at < out.shapes.size(); ++at) {
            if ((at & 0x3fff) == 0) tick("tree", at, members);
            const std::uint32_t s = out.shapes[at];
            for (std::size_t k = first_[s]; k < first_[s + 1]; ++k) {
                const Edge& e = edges_[around_[k] / 2];
                const bool backwards = around_[k] & 1;
                const std::uint32_t t = backwards ? e.source : e.target;
                if (local[t] != empty) continue;
                local.set(t, out.shapes.size());
                const Point* from = out.potentials.data() + at * d;
                Point* to = out.potentials.data() + out.shapes.size() * d;
                for (std::size_t x = 0; x < d; ++x) to[x] = carry(e, backwards, from[x]);
                out.shapes.push_back(t);
                out.parent_edge.push_back(static_cast<std::int64_t>(around_[k]));
                out.parent.push_back(static_cast<std::uint32_t>(at));
            }
        }
    }

    void collect_loops(Span& out, const LocalIndex& local, std::uint64_t max_bytes, const Tick& tick) const {
        const std::size_t d = degree();
        if (d == 0) return;
        Permutation gain(d), back(d);
        std::vector<std::uint32_t> seen(64, empty);
        auto generator = [&](std::size_t g) { return std::span<const Point>(out.generators.data() + g * d, d); };
        auto place = [&](std::span<const Point> p) {
            std::size_t slot = hash(p) & (seen.size() - 1);
            while (seen[slot] != empty && !std::equal(p.begin(), p.end(), generator(seen[slot]).begin()))
                slot = (slot + 1) & (seen.size() - 1);
            return slot;
        };
        auto reached_by = [&](std::size_t place_in_tree, std::uint64_t edge) {
            const std::int64_t step = out.parent_edge[place_in_tree];
            return step >= 0 && static_cast<std::uint64_t>(step) / 2 == edge;
        };
        for (std::size_t at = 0; at < out.shapes.size(); ++at) {
            if ((at & 0xfff) == 0) tick("loops", at, out.shapes.size());
            const std::uint32_t s = out.shapes[at];
            const Point* at_source = out.potentials.data() + at * d;
            for (std::size_t k = first_[s]; k < first_[s + 1]; ++k) {
                if (around_[k] & 1) continue;  // each edge once, from its source
                const std::uint64_t n = around_[k] / 2;
                const Edge& e = edges_[n];
                const std::size_t to = local[e.target];
                if (reached_by(at, n) || reached_by(to, n)) continue;
                const Point* at_target = out.potentials.data() + to * d;
                for (std::size_t x = 0; x < d; ++x) back[at_target[x]] = static_cast<Point>(x);
                for (std::size_t x = 0; x < d; ++x) gain[x] = back[carry(e, false, at_source[x])];
                if (is_identity(gain)) continue;
                for (std::size_t x = 0; x < d; ++x) back[gain[x]] = static_cast<Point>(x);
                if (seen[place(back)] != empty) continue;  // the same loop walked the other way
                const std::size_t slot = place(gain);
                if (seen[slot] != empty) continue;
                const std::size_t count = out.generator_edge.size();
                if ((out.shapes.size() + count + 1) * d * sizeof(Point) > max_bytes)  // potentials and loops together
                    throw LimitReached("more than " + std::to_string(count) + " different loops do not fit the memory limit");
                seen[slot] = static_cast<std::uint32_t>(count);
                out.generators.insert(out.generators.end(), gain.begin(), gain.end());
                out.generator_edge.push_back(static_cast<std::uint32_t>(n));
                if (2 * (count + 1) > seen.size()) {
                    seen.assign(seen.size() * 4, empty);
                    for (std::size_t g = 0; g <= count; ++g) seen[place(generator(g))] = static_cast<std::uint32_t>(g);
                }
            }
        }
    }

    StepTable table_;
    std::size_t pieces_, holes_ = 0, width_ = 0;
    bool by_hole_ = true;
    std::uint64_t enumerated_ = 0;
    std::vector<std::size_t> steps_at_;
    std::vector<std::uint32_t> steps_of_;
    std::vector<std::int32_t> slot_rank_;
    std::vector<std::uint16_t> keys_;
    std::vector<std::uint32_t> table_index_;
    std::vector<Edge> edges_;
    std::vector<std::size_t> first_;
    std::vector<std::uint64_t> around_;
    std::vector<std::uint32_t> family_, family_size_;
};

}  // namespace slidelab
