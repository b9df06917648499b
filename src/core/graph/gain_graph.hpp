// The gain graph of a puzzle: shapes joined by moves, each move with what it does to the pieces.
//
// Shapes are those of shapes.hpp, with their slots in a fixed order. So a step takes the piece out of slot i and puts
// it into slot j, the pieces between move up by one, and the piece itself may be turned: three small numbers (i, j,
// turn) are the whole gain.
#pragma once

#include "base/key_set.hpp"
#include "base/limited_growth.hpp"
#include "base/union_find.hpp"
#include "graph/shapes.hpp"

#include <tuple>

namespace slidelab {

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
    std::vector<std::uint32_t> shapes;      // parents before their children, base first
    std::vector<std::int64_t> parent_edge;  // for each of them: edge * 2 + (walked backwards), -1 at the base
    std::vector<std::uint32_t> parent;      // index into shapes
    std::vector<Point> potentials;          // degree entries each: base slot point -> slot point there
    std::vector<Point> generators;          // degree entries each, distinct, without the identity
    std::vector<std::uint32_t> generator_edge;
};

class GainGraph {
public:
    // `max_bytes` is for the edges; the shapes are counted before.
    GainGraph(StepTable table, std::size_t pieces, std::uint64_t max_shapes, const Tick& tick,
              std::uint64_t max_bytes = std::uint64_t(-1))
        : shapes_(std::move(table), pieces, max_shapes, tick) {
        index_steps();
        build_edges(max_bytes, tick);
        find_families(tick);
    }

    const Shapes& shapes() const { return shapes_; }
    std::size_t shape_count() const { return shapes_.count(); }
    std::size_t width() const { return shapes_.width(); }
    std::size_t degree() const { return pieces() * table().turns; }
    std::size_t pieces() const { return shapes_.pieces(); }
    const StepTable& table() const { return shapes_.table(); }
    bool by_hole() const { return shapes_.by_hole(); }
    const std::vector<std::uint16_t>& keys() const { return shapes_.keys(); }
    const std::vector<Edge>& edges() const { return edges_; }
    const std::vector<std::uint32_t>& family() const { return family_; }
    std::int64_t find(std::span<const std::uint16_t> key) const { return shapes_.find(key); }
    std::vector<std::int32_t> slots(std::size_t shape) const { return shapes_.slots(shape); }
    std::uint64_t isolated() const {
        std::uint64_t count = 0;
        for (std::size_t s = 0; s < shape_count(); ++s) count += first_[s] == first_[s + 1];
        return count;
    }

    struct Carried {
        std::uint32_t shape;
        std::size_t slot_from, slot_to;
    };

    // Where a legal move of the piece on one placement to another leads, and between which slots.
    Carried move(std::uint32_t shape, std::int32_t from, std::int32_t to, std::int32_t turn) const {
        const auto turns = static_cast<std::int32_t>(table().turns);
        for (std::size_t k = first_[shape]; k < first_[shape + 1]; ++k) {
            const Edge& e = edges_[around_[k] / 2];
            const auto& step = table().steps[e.step];
            if (around_[k] & 1) {
                if (step.to == from && step.from == to && (step.turn + turn) % turns == 0)
                    return {e.source, e.slot_to, e.slot_from};
            } else if (step.from == from && step.to == to && step.turn == turn) {
                return {e.target, e.slot_from, e.slot_to};
            }
        }
        throw std::logic_error("no such move");
    }

    // Spanning tree of the family of `base`, potentials and distinct loop gains. Of `max_bytes` a quarter is for the
    // loops, since whoever computes their group copies them. The tree is breadth-first; `along_line` takes edges whose
    // gain is the identity before all others, so that holes follow the line through the board.
    Span span(std::uint32_t base, std::uint64_t max_bytes, const Tick& tick, bool along_line = false) const {
        if (base >= shape_count()) throw std::invalid_argument("no such shape");
        Span out;
        out.base = base;
        LocalIndex local(shape_count(), family_size_[family_[base]]);
        walk_tree(out, local, max_bytes - max_bytes / 4, along_line, tick);
        collect_loops(out, local, max_bytes / 4, tick);
        return out;
    }

private:
    static constexpr std::uint32_t empty = KeySet::none;

    // Where each shape of a family stands in it. There may be thousands of small families, so a table over all shapes
    // is only laid out for a family that fills a good part of it.
    class LocalIndex {
    public:
        LocalIndex(std::size_t shapes, std::size_t members) {
            if (members > shapes / 32) table_.assign(shapes, empty);
        }
        std::uint32_t operator[](std::uint32_t shape) const {
            return table_.empty() ? keys_.find(shape) : table_[shape];
        }
        // The next shape of the family.
        void add(std::uint32_t shape) {
            if (table_.empty()) keys_.insert(shape);
            else table_[shape] = count_++;
        }

    private:
        std::vector<std::uint32_t> table_;
        std::uint32_t count_ = 0;
        KeySet keys_;
    };

    void index_steps() {
        std::vector<std::vector<std::uint32_t>> by(table().cells);
        for (std::size_t i = 0; i < table().steps.size(); ++i)
            by[static_cast<std::size_t>(table().steps[i].holes[0])].push_back(static_cast<std::uint32_t>(i));
        steps_at_.push_back(0);
        for (auto& list : by) {
            steps_of_.insert(steps_of_.end(), list.begin(), list.end());
            steps_at_.push_back(steps_of_.size());
        }
    }

    struct Scratch {
        std::vector<std::uint8_t> hole;
        std::vector<std::int32_t> placement_at;  // of each cell, -1 for a hole
        std::vector<std::uint16_t> holes, key;
    };

    void load(std::size_t shape, Scratch& w) const {
        const auto key = shapes_.key(shape);
        if (shapes_.by_hole()) {
            // Few holes on a board that may be large: only they are touched.
            for (auto h : w.holes) w.hole[h] = false;
            for (auto h : key) w.hole[h] = true;
            w.holes.assign(key.begin(), key.end());
        } else {
            std::fill(w.hole.begin(), w.hole.end(), true);
            std::fill(w.placement_at.begin(), w.placement_at.end(), -1);
            for (auto p : key)
                for (auto c : table().cells_of(p)) {
                    w.hole[static_cast<std::size_t>(c)] = false;
                    w.placement_at[static_cast<std::size_t>(c)] = p;
                }
            w.holes.clear();
            for (std::size_t c = 0; c < table().cells; ++c)
                if (w.hole[c]) w.holes.push_back(static_cast<std::uint16_t>(c));
        }
    }

    bool applies(const StepTable::Step& step, const Scratch& w) const {
        for (auto c : step.holes) {
            if (c < 0) break;
            if (!w.hole[static_cast<std::size_t>(c)]) return false;
        }
        if (shapes_.by_hole()) return !w.hole[static_cast<std::size_t>(step.from)];
        return w.placement_at[static_cast<std::size_t>(
                   table().placements[static_cast<std::size_t>(step.from) * table().piece_cells])] == step.from;
    }

    // Slot numbers before and after, and the key of the shape the step leads to.
    std::pair<std::size_t, std::size_t> follow(std::size_t shape, const StepTable::Step& step, Scratch& w) const {
        const auto key = shapes_.key(shape);
        const std::int32_t rank_from = shapes_.slot_rank(static_cast<std::size_t>(step.from));
        const std::int32_t rank_to = shapes_.slot_rank(static_cast<std::size_t>(step.to));
        w.key.clear();
        std::size_t before_from = 0, before_to = 0;
        if (shapes_.by_hole()) {
            // A slot number is a rank less the holes before it; the moved piece leaves a hole behind.
            for (auto h : key) {
                before_from += table().rank[h] < rank_from;
                before_to += h != step.to && table().rank[h] < rank_to;
                if (h != step.to) w.key.push_back(h);
            }
            before_to += rank_from < rank_to;
            const auto left = static_cast<std::uint16_t>(step.from);
            w.key.insert(std::lower_bound(w.key.begin(), w.key.end(), left), left);
            return {static_cast<std::size_t>(rank_from) - before_from, static_cast<std::size_t>(rank_to) - before_to};
        }
        bool placed = false;
        for (auto p : key) {
            before_from += shapes_.slot_rank(p) < rank_from;
            if (p == step.from) continue;
            before_to += shapes_.slot_rank(p) < rank_to;
            if (!placed && shapes_.slot_rank(p) > rank_to) {
                w.key.push_back(static_cast<std::uint16_t>(step.to));
                placed = true;
            }
            w.key.push_back(p);
        }
        if (!placed) w.key.push_back(static_cast<std::uint16_t>(step.to));
        return {before_from, before_to};
    }

    void build_edges(std::uint64_t max_bytes, const Tick& tick) {
        const std::size_t shapes = shape_count();
        // Half for the list of edges, half for what is around each shape, which has two entries an edge.
        static_assert(2 * sizeof(around_[0]) <= sizeof(Edge));
        first_.assign(shapes + 1, 0);
        if (pieces() == 0 || shapes_.holes() == 0 || shapes_.empty()) return;
        Scratch w{std::vector<std::uint8_t>(table().cells), std::vector<std::int32_t>(table().cells, -1), {}, {}};
        std::vector<Edge> found;
        std::vector<std::uint32_t> both;  // how many edge ends at each shape
        both.assign(shapes, 0);
        const std::size_t often = tick_mask(shapes_.by_hole() ? 16 * width() : table().cells);
        for (std::size_t s = 0; s < shapes; ++s) {
            if ((s & often) == 0) tick("moves", s, shapes);
            load(s, w);
            found.clear();
            for (const std::size_t cell : w.holes) {
                for (std::size_t k = steps_at_[cell]; k < steps_at_[cell + 1]; ++k) {
                    const auto& step = table().steps[steps_of_[k]];
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
            // Several steps may move the same piece in the same way (with different second holes): one edge.
            std::sort(found.begin(), found.end(), [](const Edge& a, const Edge& b) {
                return std::tie(a.target, a.slot_from, a.slot_to, a.turn, a.step) <
                       std::tie(b.target, b.slot_from, b.slot_to, b.turn, b.step);
            });
            for (std::size_t e = 0; e < found.size(); ++e) {
                if (e && found[e].target == found[e - 1].target && found[e].slot_from == found[e - 1].slot_from &&
                    found[e].slot_to == found[e - 1].slot_to && found[e].turn == found[e - 1].turn)
                    continue;
                reserve_within(edges_, 1, max_bytes / 2, "the moves between shapes");
                edges_.push_back(found[e]);
                ++both[found[e].source];
                ++both[found[e].target];
            }
        }
        for (std::size_t s = 0; s < shapes; ++s) first_[s + 1] = first_[s] + both[s];
        around_.resize(first_[shapes]);
        std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
        for (std::size_t e = 0; e < edges_.size(); ++e) {
            if ((e & 0x3fff) == 0) tick("moves", shapes, shapes);
            around_[next[edges_[e].source]++] = static_cast<std::uint64_t>(e) * 2;
            around_[next[edges_[e].target]++] = static_cast<std::uint64_t>(e) * 2 + 1;
        }
    }

    void find_families(const Tick& tick) {
        UnionFind parts(shape_count());
        for (std::size_t e = 0; e < edges_.size(); ++e) {
            if ((e & 0x3fff) == 0) tick("families", e, edges_.size());
            parts.unite(edges_[e].source, edges_[e].target);
        }
        family_.resize(shape_count());
        family_size_.assign(shape_count(), 0);
        for (std::size_t s = 0; s < family_.size(); ++s) {
            if ((s & 0x3fff) == 0) tick("families", s, family_.size());
            family_[s] = parts.find(static_cast<std::uint32_t>(s));
            ++family_size_[family_[s]];
        }
    }

    Point carry(const Edge& e, bool backwards, Point point) const {
        return backwards
                   ? carried(table().turns, e.slot_to, e.slot_from, (table().turns - e.turn) % table().turns, point)
                   : carried(table().turns, e.slot_from, e.slot_to, e.turn, point);
    }

    void walk_tree(Span& out, LocalIndex& local, std::uint64_t max_bytes, bool along_line, const Tick& tick) const {
        const std::size_t d = degree();
        const std::uint64_t members = family_size_[family_[out.base]];
        if (members * std::max<std::size_t>(d, 1) * sizeof(Point) > max_bytes)
            throw LimitReached("the tables of " + std::to_string(members) + " shapes do not fit the memory limit");
        out.shapes.push_back(out.base);
        out.parent_edge.push_back(-1);
        out.parent.push_back(0);
        local.add(out.base);
        out.potentials.resize(members * d);
        for (std::size_t x = 0; x < d; ++x) out.potentials[x] = static_cast<Point>(x);
        const std::size_t often = tick_mask(d);
        // Edges with the identity are followed from every shape as soon as it is in the tree, one other edge whenever
        // there are none left.
        std::size_t followed = 0;
        for (std::size_t at = 0; at < out.shapes.size();) {
            for (; along_line && followed < out.shapes.size(); ++followed) {
                if ((followed & often) == 0) tick("tree", followed, members);
                add_neighbours(out, local, followed, Edges::identity);
            }
            if ((at & often) == 0) tick("tree", at, members);
            if (!add_neighbours(out, local, at, along_line ? Edges::first : Edges::all)) ++at;
        }
    }

    enum class Edges { all, identity, first };

    // Adds the shapes next to one in the tree; whether there may be more of them.
    bool add_neighbours(Span& out, LocalIndex& local, std::size_t at, Edges which) const {
        const std::size_t d = degree();
        const std::uint32_t s = out.shapes[at];
        for (std::size_t k = first_[s]; k < first_[s + 1]; ++k) {
            const Edge& e = edges_[around_[k] / 2];
            if (which == Edges::identity && (e.slot_from != e.slot_to || e.turn)) continue;
            const bool backwards = around_[k] & 1;
            const std::uint32_t t = backwards ? e.source : e.target;
            if (local[t] != empty) continue;
            local.add(t);
            const Point* from = out.potentials.data() + at * d;
            Point* to = out.potentials.data() + out.shapes.size() * d;
            for (std::size_t x = 0; x < d; ++x) to[x] = carry(e, backwards, from[x]);
            out.shapes.push_back(t);
            out.parent_edge.push_back(static_cast<std::int64_t>(around_[k]));
            out.parent.push_back(static_cast<std::uint32_t>(at));
            if (which == Edges::first) return true;
        }
        return false;
    }

    void collect_loops(Span& out, const LocalIndex& local, std::uint64_t max_bytes, const Tick& tick) const {
        const std::size_t d = degree();
        if (d == 0) return;
        Permutation gain(d), back(d);
        HashIndex seen;
        auto generator = [&](std::size_t g) { return std::span<const Point>(out.generators.data() + g * d, d); };
        auto equals = [&](const Permutation& p) {
            return [&](std::uint32_t g) { return std::equal(p.begin(), p.end(), generator(g).begin()); };
        };
        auto hash_of = [&](std::uint32_t g) { return hash_values(generator(g)); };
        auto reached_by = [&](std::size_t place_in_tree, std::uint64_t edge) {
            const std::int64_t step = out.parent_edge[place_in_tree];
            return step >= 0 && static_cast<std::uint64_t>(step) / 2 == edge;
        };
        const std::size_t often = tick_mask(8 * d);
        for (std::size_t at = 0; at < out.shapes.size(); ++at) {
            if ((at & often) == 0) tick("loops", at, out.shapes.size());
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
                seen.make_room(1, hash_of, tick);
                if (seen.find(hash_values<Point>(back), equals(back)) != HashIndex::none)
                    continue;  // the inverse of a known loop
                if (!seen.insert(hash_values<Point>(gain), equals(gain), hash_of).second) continue;
                reserve_within(out.generators, d, max_bytes, "the loops of all shapes");
                out.generators.insert(out.generators.end(), gain.begin(), gain.end());
                out.generator_edge.push_back(static_cast<std::uint32_t>(n));
            }
        }
    }

    Shapes shapes_;
    std::vector<std::size_t> steps_at_;
    std::vector<std::uint32_t> steps_of_;
    std::vector<Edge> edges_;
    std::vector<std::size_t> first_;
    std::vector<std::uint64_t> around_;
    std::vector<std::uint32_t> family_, family_size_;
};

}  // namespace slidelab
