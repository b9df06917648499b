// The headers of src/core without Python, meant to run under the sanitizers (make sanitize).
//
// What is compared with what: gain graphs with a plain simulation that moves labelled pieces one by
// one, groups with the set of all their elements or with orders known from the literature, words and
// straight-line programs with the permutations they multiply out to.
#include "boards.hpp"
#include "check.hpp"
#include "graph/gain_graph.hpp"
#include "group/group.hpp"
#include "pieces.hpp"
#include "graph/polyhexes.hpp"
#include "group/short_words.hpp"

#include <cstdlib>
#include <iostream>
#include <map>
#include <set>

using namespace slidelab;

namespace {

// ---------------------------------------------------------------- permutations, plainly

using Elements = std::set<Permutation>;

// 1-based cycles, as books write them.
Permutation cycles(std::size_t degree, const std::vector<std::vector<int>>& list) {
    Permutation p = identity(degree);
    for (const auto& cycle : list)
        for (std::size_t i = 0; i < cycle.size(); ++i)
            p[static_cast<std::size_t>(cycle[i] - 1)] = static_cast<Point>(cycle[(i + 1) % cycle.size()] - 1);
    return p;
}

// The cycle first, first + 1, ..., first + length - 1 (0-based).
Permutation long_cycle(std::size_t degree, std::size_t first, std::size_t length) {
    Permutation p = identity(degree);
    for (std::size_t i = 0; i < length; ++i) p[first + i] = static_cast<Point>(first + (i + 1) % length);
    return p;
}

Permutation shuffled(std::size_t degree, std::mt19937_64& random) {
    Permutation p = identity(degree);
    for (std::size_t i = degree; i > 1; --i) std::swap(p[i - 1], p[below(random, i)]);
    return p;
}

Elements closure(std::size_t degree, const std::vector<Permutation>& generators) {
    Elements all{identity(degree)};
    std::vector<Permutation> queue{identity(degree)};
    while (!queue.empty()) {
        const Permutation p = queue.back();
        queue.pop_back();
        for (const auto& g : generators) {
            Permutation q = compose(p, g);
            if (all.insert(q).second) queue.push_back(std::move(q));
        }
    }
    return all;
}

bool odd_by_inversions(const Permutation& p) {
    bool odd = false;
    for (std::size_t x = 0; x < p.size(); ++x)
        for (std::size_t y = 0; y < x; ++y) odd ^= p[y] > p[x];
    return odd;
}

std::vector<Permutation> evaluate(const StraightLine& program, const std::vector<Permutation>& generators) {
    std::vector<Permutation> values;
    for (const auto& line : program.lines) {
        if (line.op == StraightLine::generator) {
            values.push_back(generators.at(line.a));
        } else if (line.op == StraightLine::product) {
            values.push_back(compose(values.at(line.a), values.at(line.b)));
        } else if (line.op == StraightLine::inverted) {
            values.push_back(inverse(values.at(line.a)));
        } else {
            CHECK(line.op == StraightLine::powered);
            values.push_back(power(values.at(line.a), line.b));
        }
    }
    return values;
}

Group group(std::size_t degree, std::vector<Permutation> generators, std::uint64_t seed = 1) {
    return Group(degree, std::move(generators), seed, plenty, quiet);
}

std::uint64_t factorial(std::uint64_t n) { return n < 2 ? 1 : n * factorial(n - 1); }

std::uint64_t order(const Group& g) {
    std::uint64_t out = 1;
    for (const auto& giant : g.giants()) out *= factorial(g.orbits()[giant.orbit].size()) / 2;
    for (auto length : g.chain_lengths()) out *= length;
    std::uint64_t again = 1;
    for (auto length : g.base().second) again *= length;
    CHECK(out == again);
    return out;
}

// All that a group says of itself, held against its generators: witnesses, factors, random elements.
void check_witnesses(const Group& g, const std::vector<Permutation>& generators, std::uint64_t seed) {
    const auto values = evaluate(g.program(), generators);
    std::vector<bool> in_giant(g.degree(), false);
    for (const auto& giant : g.giants()) {
        const auto& orbit = g.orbits()[giant.orbit];
        const std::set<Point> inside(orbit.begin(), orbit.end());
        for (auto x : orbit) in_giant[x] = true;
        const Permutation& cycle = values.at(giant.line);
        std::size_t moved = 0;
        Point at = 0;
        for (std::size_t x = 0; x < g.degree(); ++x)
            if (cycle[x] != x) {
                CHECK(inside.count(static_cast<Point>(x)) == 1);
                ++moved;
                at = static_cast<Point>(x);
            }
        CHECK(moved == giant.prime);
        CHECK(2 * moved > orbit.size() && moved + 3 <= orbit.size());
        std::size_t length = 1;
        for (Point x = cycle[at]; x != at; x = cycle[x]) ++length;
        CHECK(length == moved);
        for (std::size_t d = 2; d * d <= length; ++d) CHECK(length % d != 0);
    }
    std::mt19937_64 random(seed);
    for (int trial = 0; trial < 5; ++trial) {
        const Permutation p = g.random_element(random);
        CHECK(is_permutation_of_points(p));
        CHECK(g.contains(p));
        const auto product = g.factor(p);
        CHECK(product.has_value());
        Permutation q = identity(g.degree());
        for (auto [line, inverted] : *product) q = compose(q, inverted ? inverse(values.at(line)) : values.at(line));
        for (std::size_t x = 0; x < g.degree(); ++x) CHECK(in_giant[x] || q[x] == p[x]);
        const Permutation difference = compose(q, inverse(p));
        for (const auto& giant : g.giants()) {
            const auto& orbit = g.orbits()[giant.orbit];
            Permutation on;
            for (auto x : orbit)
                on.push_back(static_cast<Point>(std::lower_bound(orbit.begin(), orbit.end(), difference[x]) - orbit.begin()));
            CHECK(!odd_by_inversions(on));
        }
    }
}

// The base and its orbit lengths, seen in the set of all elements.
void check_base(const Group& g, Elements elements) {
    const auto [base, lengths] = g.base();
    for (std::size_t l = 0; l < base.size(); ++l) {
        std::set<Point> images;
        Elements fixing;
        for (const auto& p : elements) {
            images.insert(p[base[l]]);
            if (p[base[l]] == base[l]) fixing.insert(p);
        }
        CHECK(images.size() == lengths[l]);
        elements = std::move(fixing);
    }
    CHECK(elements.size() == 1);
}

bool carries(const Permutation& g, const std::vector<std::uint32_t>& a, const std::vector<std::uint32_t>& b) {
    for (std::size_t x = 0; x < g.size(); ++x)
        if (b[g[x]] != a[x]) return false;
    return true;
}

void check_recolour(const Group& g, const Elements& elements, int trials, std::mt19937_64& random) {
    for (int trial = 0; trial < trials; ++trial) {
        const std::uint64_t kinds = 1 + below(random, g.degree() + 1);
        std::vector<std::uint32_t> a(g.degree()), b(g.degree());
        for (auto& colour : a) colour = static_cast<std::uint32_t>(below(random, kinds));
        if (trial % 5 == 0) std::iota(a.begin(), a.end(), 0xfffffff0u);  // all different, and near the largest number
        const Permutation p = trial % 2 ? shuffled(g.degree(), random) : g.random_element(random);
        for (std::size_t x = 0; x < a.size(); ++x) b[p[x]] = a[x];
        const bool wanted =
            std::any_of(elements.begin(), elements.end(), [&](const Permutation& e) { return carries(e, a, b); });
        const auto [found, certain] = g.recolour(a, b, 1u << 30);
        CHECK(certain);
        CHECK(found.has_value() == wanted);
        if (found) {
            CHECK(is_permutation_of_points(*found));
            CHECK(elements.count(*found) == 1);
            CHECK(carries(*found, a, b));
        }
    }
}

void test_permutations() {
    std::mt19937_64 random(7);
    CHECK(identity(0).empty() && is_identity(identity(0)) && is_identity(identity(max_degree)));
    for (int trial = 0; trial < 200; ++trial) {
        const std::size_t n = 1 + below(random, 12);
        const auto a = shuffled(n, random), b = shuffled(n, random), c = shuffled(n, random);
        CHECK(is_permutation_of_points(a));
        for (std::size_t x = 0; x < n; ++x) CHECK(compose(a, b)[x] == b[a[x]]);
        CHECK(compose(compose(a, b), c) == compose(a, compose(b, c)));
        CHECK(is_identity(compose(a, inverse(a))) && is_identity(compose(inverse(a), a)));
        CHECK(inverse(compose(a, b)) == compose(inverse(b), inverse(a)));
        CHECK(Group::is_odd(a) == odd_by_inversions(a));
        Permutation p = identity(n);
        for (std::uint64_t k = 0; k < 20; ++k, p = compose(p, a)) CHECK(power(a, k) == p);
        CHECK(is_identity(power(a, 27720)));  // lcm of 1..12
    }
    CHECK(!is_permutation_of_points(Permutation{0, 0}) && !is_permutation_of_points(Permutation{1, 2}));
    CHECK(is_permutation_of_points(Permutation{}));
    std::array<int, 6> counts{};
    for (int k = 0; k < 6000; ++k) ++counts[below(random, 6)];
    for (int count : counts) CHECK(count > 850 && count < 1150);
    CHECK(below(random, 1) == 0);

    Partition parts(6);
    CHECK(parts.unite(4, 2) && parts.unite(5, 4) && !parts.unite(2, 5));
    CHECK(parts.find(5) == 2 && parts.find(0) == 0 && parts.size() == 6);
}

void test_straight_line() {
    const std::vector<Permutation> generators{long_cycle(9, 0, 9), cycles(9, {{1, 2}}), cycles(9, {{4, 6, 7}})};
    StraightLine program;
    std::vector<Element> elements;
    for (std::uint32_t i = 0; i < generators.size(); ++i)
        elements.push_back({generators[i], program.add(StraightLine::generator, i)});
    ElementSource source(elements, 3, program);
    std::vector<Element> made;
    for (int k = 0; k < 50; ++k) made.push_back(source.next());
    made.push_back(raise(made.back(), 6, program));
    made.push_back(invert(made.back(), program));
    const auto values = evaluate(program, generators);
    for (const auto& e : made) CHECK(values.at(e.line) == e.image);
    StraightLine nothing;
    CHECK(ElementSource({}, 1, nothing).empty());
}

// ---------------------------------------------------------------- gain graphs

// Seven hexagons: one in the middle, six around it.
Graph flower() {
    Graph graph(7);
    for (int k = 1; k <= 6; ++k)
        for (int other : {0, k % 6 + 1}) {
            graph[static_cast<std::size_t>(k)].insert(other);
            graph[static_cast<std::size_t>(other)].insert(k);
        }
    return graph;
}

// Labelled pieces moved one by one: (placement, turn) of each. Nothing here knows of slots.
struct Plain {
    using State = std::vector<std::pair<std::int32_t, std::int32_t>>;
    using Shape = std::vector<std::int32_t>;  // placements in order of number

    const StepTable& table;

    std::vector<State> moves(const State& state) const {
        std::set<std::int32_t> covered;
        for (auto [placement, turn] : state)
            for (auto c : table.cells_of(static_cast<std::size_t>(placement))) covered.insert(c);
        std::vector<State> out;
        for (std::size_t k = 0; k < state.size(); ++k)
            for (const auto& step : table.steps) {
                if (step.from != state[k].first) continue;
                if (std::any_of(step.needs.begin(), step.needs.end(), [&](auto c) { return covered.count(c); })) continue;
                State after = state;
                after[k] = {step.to, (state[k].second + step.turn) % static_cast<std::int32_t>(table.turns)};
                out.push_back(after);
            }
        return out;
    }

    static Shape shape(const State& state) {
        Shape out;
        for (auto [placement, turn] : state) out.push_back(placement);
        std::sort(out.begin(), out.end());
        return out;
    }

    std::set<Shape> shapes(std::size_t pieces) const {
        std::set<Shape> out;
        Shape chosen;
        std::vector<bool> covered(table.cells, false);
        extend(0, pieces, chosen, covered, out);
        return out;
    }

    void extend(std::size_t from, std::size_t left, Shape& chosen, std::vector<bool>& covered, std::set<Shape>& out) const {
        if (left == 0) {
            out.insert(chosen);
            return;
        }
        for (std::size_t p = from; p < table.placement_count(); ++p) {
            const auto cells = table.cells_of(p);
            if (std::any_of(cells.begin(), cells.end(), [&](auto c) { return covered[static_cast<std::size_t>(c)]; })) continue;
            for (auto c : cells) covered[static_cast<std::size_t>(c)] = true;
            chosen.push_back(static_cast<std::int32_t>(p));
            extend(p + 1, left - 1, chosen, covered, out);
            chosen.pop_back();
            for (auto c : cells) covered[static_cast<std::size_t>(c)] = false;
        }
    }
};

// A gain graph of the core beside the plain simulation.
struct Compared {
    StepTable table;
    GainGraph graph;
    Plain plain;
    std::map<Plain::Shape, std::uint32_t> number;
    std::vector<std::vector<std::int32_t>> slots;

    Compared(StepTable t, std::size_t pieces)
        : table(std::move(t)), graph(table, pieces, 1000000, quiet), plain{table} {
        for (std::uint32_t s = 0; s < graph.shape_count(); ++s) {
            slots.push_back(graph.slots(s));
            Plain::Shape shape = slots.back();
            std::sort(shape.begin(), shape.end());
            CHECK(number.emplace(shape, s).second);
        }
    }
    Compared(const Compared&) = delete;

    // Piece k in slot k, unturned.
    Plain::State home(std::size_t shape) const {
        Plain::State out;
        for (auto placement : slots[shape]) out.emplace_back(placement, 0);
        return out;
    }

    // Where the marks of the pieces lie: point of piece -> point of slot.
    Permutation where(const Plain::State& state) const {
        const auto& there = slots[number.at(Plain::shape(state))];
        const std::size_t w = table.turns;
        Permutation out(state.size() * w);
        for (std::size_t k = 0; k < state.size(); ++k) {
            const auto slot = static_cast<std::size_t>(std::find(there.begin(), there.end(), state[k].first) - there.begin());
            for (std::size_t mark = 0; mark < w; ++mark)
                out[k * w + mark] = static_cast<Point>(slot * w + (mark + static_cast<std::size_t>(state[k].second)) % w);
        }
        return out;
    }

    // (source, target, gain) of every move, both ways.
    std::set<std::tuple<std::uint32_t, std::uint32_t, Permutation>> moves() const {
        std::set<std::tuple<std::uint32_t, std::uint32_t, Permutation>> out;
        for (std::uint32_t s = 0; s < graph.shape_count(); ++s)
            for (const auto& after : plain.moves(home(s))) out.emplace(s, number.at(Plain::shape(after)), where(after));
        return out;
    }

    Permutation gain(const Edge& e) const {
        auto state = home(e.source);
        const auto& step = table.steps.at(e.step);
        CHECK(state.at(e.slot_from).first == step.from);
        state[e.slot_from] = {step.to, step.turn};
        CHECK(number.at(Plain::shape(state)) == e.target);
        CHECK(slots[e.target].at(e.slot_to) == step.to);
        CHECK(e.turn == step.turn);
        return where(state);
    }
};

void check_shapes(const Compared& c) {
    std::set<Plain::Shape> found;
    for (const auto& [shape, n] : c.number) found.insert(shape);
    CHECK(found == c.plain.shapes(c.graph.pieces()));
    for (std::uint32_t s = 0; s < c.graph.shape_count(); ++s) {
        const auto* key = c.graph.keys().data() + s * c.graph.width();
        CHECK(c.graph.find({key, c.graph.width()}) == static_cast<std::int64_t>(s));
        std::int32_t last = -1;  // slots are in the order of the least rank of their cells
        for (auto placement : c.slots[s]) {
            std::int32_t least = static_cast<std::int32_t>(c.table.cells);
            for (auto cell : c.table.cells_of(static_cast<std::size_t>(placement)))
                least = std::min(least, c.table.rank[static_cast<std::size_t>(cell)]);
            CHECK(last < least);
            last = least;
        }
    }
}

void check_edges(const Compared& c) {
    std::set<std::tuple<std::uint32_t, std::uint32_t, Permutation>> mine;
    for (const auto& e : c.graph.edges()) {
        CHECK(e.source < e.target);
        const Permutation gain = c.gain(e);
        CHECK(mine.emplace(e.source, e.target, gain).second);
        CHECK(mine.emplace(e.target, e.source, inverse(gain)).second);
    }
    CHECK(mine == c.moves());
    std::uint64_t isolated = 0;
    Partition parts(c.graph.shape_count());
    for (std::uint32_t s = 0; s < c.graph.shape_count(); ++s) isolated += c.plain.moves(c.home(s)).empty();
    for (const auto& [source, target, gain] : mine) parts.unite(source, target);
    CHECK(isolated == c.graph.isolated());
    for (std::uint32_t s = 0; s < c.graph.shape_count(); ++s) CHECK(c.graph.family()[s] == parts.find(s));
}

std::vector<Permutation> rows(const std::vector<Point>& values, std::size_t degree) {
    std::vector<Permutation> out;
    for (std::size_t at = 0; degree && at < values.size(); at += degree)
        out.emplace_back(values.begin() + static_cast<std::ptrdiff_t>(at), values.begin() + static_cast<std::ptrdiff_t>(at + degree));
    return out;
}

Span check_span(const Compared& c, std::uint32_t base) {
    const Span span = c.graph.span(base, plenty, quiet);
    const std::size_t d = c.graph.degree(), members = span.shapes.size();
    CHECK(span.base == base && span.shapes.at(0) == base && span.parent_edge.at(0) == -1);
    CHECK(span.parent.size() == members && span.parent_edge.size() == members && span.potentials.size() == members * d);
    const auto& family = c.graph.family();
    CHECK(members == static_cast<std::size_t>(std::count(family.begin(), family.end(), family[base])));
    std::map<std::uint32_t, std::size_t> place;
    for (std::size_t k = 0; k < members; ++k) {
        CHECK(family[span.shapes[k]] == family[base]);
        CHECK(place.emplace(span.shapes[k], k).second);
    }
    if (d == 0) return span;
    const auto potentials = rows(span.potentials, d);
    CHECK(is_identity(potentials[0]));
    std::set<std::uint64_t> tree;
    for (std::size_t k = 1; k < members; ++k) {
        const auto n = static_cast<std::size_t>(span.parent_edge[k]) / 2;
        const bool backwards = span.parent_edge[k] & 1;
        const Edge& e = c.graph.edges().at(n);
        tree.insert(n);
        CHECK(span.parent[k] < k);
        CHECK((backwards ? e.target : e.source) == span.shapes[span.parent[k]]);
        CHECK((backwards ? e.source : e.target) == span.shapes[k]);
        const Permutation gain = backwards ? inverse(c.gain(e)) : c.gain(e);
        CHECK(potentials[k] == compose(potentials[span.parent[k]], gain));
    }
    // Every loop is the identity, a generator or the inverse of one; generators are all different.
    const auto generators = rows(span.generators, d);
    CHECK(generators.size() == span.generator_edge.size());
    auto loop = [&](std::size_t n) {
        const Edge& e = c.graph.edges()[n];
        return compose(compose(potentials[place.at(e.source)], c.gain(e)), inverse(potentials[place.at(e.target)]));
    };
    Elements have;
    for (std::size_t g = 0; g < generators.size(); ++g) {
        CHECK(generators[g] == loop(span.generator_edge[g]));
        CHECK(!is_identity(generators[g]));
        CHECK(have.insert(generators[g]).second);
    }
    for (std::size_t n = 0; n < c.graph.edges().size(); ++n) {
        if (family[c.graph.edges()[n].source] != family[base] || tree.count(n)) continue;
        const Permutation p = loop(n);
        CHECK(is_identity(p) || have.count(p) || have.count(inverse(p)));
    }
    return span;
}

// All labelled states met from the base: at the base they must be exactly the group of the loops.
void check_reach(const Compared& c, std::uint32_t base) {
    const Span span = c.graph.span(base, plenty, quiet);
    std::set<Plain::State> seen{c.home(base)};
    std::vector<Plain::State> queue{c.home(base)};
    Elements at_base;
    while (!queue.empty()) {
        const auto state = queue.back();
        queue.pop_back();
        if (c.number.at(Plain::shape(state)) == base) at_base.insert(c.where(state));
        for (auto& after : c.plain.moves(state))
            if (seen.insert(after).second) queue.push_back(after);
    }
    const auto generators = rows(span.generators, c.graph.degree());
    CHECK(at_base == closure(c.graph.degree(), generators));
    CHECK(seen.size() == at_base.size() * span.shapes.size());
    const Group g = group(c.graph.degree(), generators);
    CHECK(order(g) == at_base.size());
    check_witnesses(g, generators, 5);
}

void check_all(StepTable table, std::size_t pieces, bool reach) {
    const Compared c(std::move(table), pieces);
    check_shapes(c);
    check_edges(c);
    std::set<std::uint32_t> families(c.graph.family().begin(), c.graph.family().end());
    for (auto base : families) {
        check_span(c, base);
        if (reach) check_reach(c, base);
    }
    // A base in the middle of its family serves as well.
    if (c.graph.shape_count()) check_span(c, static_cast<std::uint32_t>(c.graph.shape_count() / 2));
}

void test_tiles() {
    std::mt19937_64 random(11);
    check_all(tiles(grid(2, 2)), 3, true);
    for (std::size_t pieces = 0; pieces <= 4; ++pieces) check_all(tiles(grid(2, 2), &random), pieces, true);
    for (std::size_t pieces = 0; pieces <= 6; ++pieces) check_all(tiles(grid(3, 2), &random), pieces, true);
    check_all(tiles(grid(3, 3)), 8, true);
    check_all(tiles(grid(3, 3), &random), 7, false);
    check_all(tiles(grid(3, 3), &random), 2, true);
    check_all(tiles(grid(5, 1)), 3, true);
    check_all(tiles(flower(), &random), 5, true);
    check_all(wide_tiles(flower(), &random), 5, true);
    check_all(wide_tiles(flower()), 4, false);
    check_all(tiles(Graph(3)), 2, true);  // three cells, nothing touches
}

void test_fifteen() {
    const Compared eight(tiles(grid(3, 3)), 8);
    const auto small = eight.graph.span(8, plenty, quiet);
    CHECK(order(group(8, rows(small.generators, 8))) == 20160);
    std::mt19937_64 random(5);
    for (auto* source : {static_cast<std::mt19937_64*>(nullptr), &random}) {
        const Compared c(tiles(grid(4, 4), source), 15);
        CHECK(c.graph.shape_count() == 16 && c.graph.edges().size() == 24 && c.graph.isolated() == 0);
        CHECK(c.graph.degree() == 15 && c.graph.width() == 1 && c.graph.by_hole());
        check_shapes(c);
        check_edges(c);
        const auto generators = rows(check_span(c, 15).generators, 15);
        const Group g = group(15, generators);
        CHECK(g.giants().size() == 1 && g.chain_lengths().empty());
        CHECK(order(g) == 653837184000ull);
        CHECK(!g.contains(cycles(15, {{14, 15}})) && g.contains(cycles(15, {{13, 14, 15}})));
        check_witnesses(g, generators, 1);
    }
    const Compared two(tiles(grid(4, 4), &random), 14);
    CHECK(two.graph.shape_count() == 120);
    check_edges(two);
    CHECK(order(group(14, rows(check_span(two, 7).generators, 14))) == factorial(14));
}

void test_gourds() {
    std::mt19937_64 random(3);
    // Three cells in a row, one gourd: it goes there and back, two shapes, one edge.
    StepTable row;
    row.cells = 3;
    row.piece_cells = row.turns = 2;
    row.placements = {0, 1, 1, 2};
    row.rank = {0, 1, 2};
    row.steps = {{0, 1, 0, {2, -1, -1, -1}}, {1, 0, 0, {0, -1, -1, -1}}};
    const Compared c(row, 1);
    CHECK(c.graph.shape_count() == 2 && c.graph.edges().size() == 1 && c.graph.degree() == 2 && !c.graph.by_hole());
    check_all(row, 1, true);
    check_all(gourds(grid(3, 1)), 1, true);

    // Round a triangle of cells the gourd comes back the other way round.
    Graph triangle(3);
    for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b)
            if (a != b) triangle[static_cast<std::size_t>(a)].insert(b);
    const Compared round(gourds(triangle), 1);
    CHECK(round.graph.shape_count() == 3);
    CHECK(closure(2, rows(check_span(round, 0).generators, 2)).size() == 2);
    check_all(gourds(triangle), 1, true);

    check_all(gourds(flower(), &random), 3, true);
    for (std::size_t pieces = 0; pieces <= 2; ++pieces) check_all(gourds(flower(), &random), pieces, true);
    check_all(gourds(grid(3, 3), &random), 4, true);
    check_all(gourds(grid(4, 2)), 3, true);
    check_all(triangles(4, &random), 1, true);
    check_all(triangles(5, &random), 1, true);
    check_all(triangles(7, &random), 2, false);
    check_all(triangles(6, &random), 2, true);
    check_all(triangles(6, &random), 0, true);
}

void test_edge_cases() {
    const GainGraph full(tiles(grid(3, 2)), 6, 10, quiet);
    CHECK(full.shape_count() == 1 && full.width() == 0 && full.edges().empty() && full.isolated() == 1);
    CHECK(full.find({}) == 0);
    CHECK(full.span(0, plenty, quiet).generators.empty());
    CHECK_THROWS(std::invalid_argument, full.span(1, plenty, quiet));

    const GainGraph bare(gourds(grid(3, 2)), 0, 10, quiet);
    CHECK(bare.shape_count() == 1 && bare.degree() == 0 && bare.slots(0).empty());
    CHECK(bare.span(0, plenty, quiet).shapes.size() == 1);

    // A star of four cells has no place for two gourds.
    Graph star(4);
    for (int leaf : {1, 2, 3}) {
        star[0].insert(leaf);
        star[static_cast<std::size_t>(leaf)].insert(0);
    }
    const GainGraph none(gourds(star), 2, 10, quiet);
    const std::array<std::uint16_t, 2> key{0, 1};
    CHECK(none.shape_count() == 0 && none.isolated() == 0 && none.family().empty() && none.find(key) == -1);
    CHECK_THROWS(std::invalid_argument, none.span(0, plenty, quiet));

    const GainGraph fifteen(tiles(grid(4, 4)), 15, 16, quiet);
    const std::array<std::uint16_t, 1> outside{16};
    CHECK(fifteen.find(outside) == -1 && fifteen.find(key) == -1 && fifteen.find({}) == -1);

    // One or two pieces on a board with very many packings of more of them.
    const GainGraph few(gourds(grid(12, 12)), 1, 1000, quiet);
    CHECK(few.shape_count() == 264 && few.isolated() == 0);
    CHECK(GainGraph(gourds(grid(7, 7)), 2, 100000, quiet).shape_count() == 84 * 83 / 2 - (4 * 1 + 20 * 3 + 25 * 6));
}

void test_limits() {
    CHECK_THROWS(LimitReached, GainGraph(tiles(grid(4, 4)), 15, 15, quiet));
    CHECK_THROWS(LimitReached, GainGraph(tiles(grid(4, 4)), 8, 1000, quiet));
    CHECK_THROWS(LimitReached, GainGraph(gourds(grid(4, 4)), 7, 10, quiet));
    CHECK_THROWS(LimitReached, GainGraph(tiles(grid(2, 2)), 4, 0, quiet));
    CHECK_THROWS(std::invalid_argument, GainGraph(tiles(grid(2, 2)), 5, 10, quiet));
    CHECK_THROWS(std::invalid_argument, GainGraph(gourds(grid(2, 2)), 3, 10, quiet));
    for (std::size_t huge : {std::size_t{1} << 63, std::numeric_limits<std::size_t>::max()}) {
        CHECK_THROWS(std::invalid_argument, GainGraph(tiles(grid(2, 2)), huge, 10, quiet));
        CHECK_THROWS(std::invalid_argument, GainGraph(gourds(grid(2, 2)), huge, 10, quiet));
    }
    const GainGraph g(tiles(grid(4, 4)), 15, 16, quiet);
    const std::size_t tables = 16 * 15 * sizeof(Point);
    CHECK_THROWS(LimitReached, g.span(0, 0, quiet));
    CHECK_THROWS(LimitReached, g.span(0, tables - 1, quiet));
    CHECK_THROWS(LimitReached, g.span(0, tables, quiet));  // the tree fits, its loops do not
    CHECK(g.span(0, 3 * tables, quiet).shapes.size() == 16);

    struct Stop {};
    const Tick stop = [](const char*, std::uint64_t, std::uint64_t) { throw Stop{}; };
    CHECK_THROWS(Stop, GainGraph(tiles(grid(4, 4)), 15, 16, stop));
    CHECK_THROWS(Stop, g.span(0, plenty, stop));
    CHECK_THROWS(Stop, Group(9, {long_cycle(9, 0, 9)}, 1, plenty, stop));
    CHECK_THROWS(Stop, ShortWords(3, {long_cycle(3, 0, 3)}, {1}, {0}, {3}, 1, 5, stop));
}

void test_bad_tables() {
    auto refused = [](auto change) {
        StepTable table = gourds(grid(3, 2));
        change(table);
        CHECK_THROWS(std::invalid_argument, GainGraph(table, 2, 1000, quiet));
    };
    refused([](StepTable& t) { t.cells = 0; });
    refused([](StepTable& t) { t.cells = max_degree + 1; });
    refused([](StepTable& t) { t.cells = 5; });
    refused([](StepTable& t) { t.piece_cells = 0; });
    refused([](StepTable& t) { t.piece_cells = 4; });
    refused([](StepTable& t) { t.turns = 0; });
    refused([](StepTable& t) { t.turns = 4; });
    refused([](StepTable& t) { t.rank.pop_back(); });
    refused([](StepTable& t) { t.rank[0] = t.rank[1]; });
    refused([](StepTable& t) { t.rank[0] = -1; });
    refused([](StepTable& t) { t.rank[0] = 6; });
    refused([](StepTable& t) { t.placements.push_back(0); });
    refused([](StepTable& t) { t.placements[0] = 6; });
    refused([](StepTable& t) { t.placements[0] = -1; });
    refused([](StepTable& t) { t.placements.insert(t.placements.end(), {2, 2}); });
    refused([](StepTable& t) { t.steps[0].from = -1; });
    refused([](StepTable& t) { t.steps[0].to = 7; });
    refused([](StepTable& t) { t.steps[0].to = t.steps[0].from; });
    refused([](StepTable& t) { t.steps[0].turn = 2; });
    refused([](StepTable& t) { t.steps[0].turn = -1; });
    refused([](StepTable& t) { t.steps[0].turn = 1 - t.steps[0].turn; });
    refused([](StepTable& t) { t.steps[0].needs[0] = -1; });
    refused([](StepTable& t) { t.steps[0].needs[1] = 6; });
    refused([](StepTable& t) { t.steps[0].needs[3] = -2; });
    refused([](StepTable& t) { t.steps.pop_back(); });                     // a way there but none back
    refused([](StepTable& t) { std::swap(t.steps[0].needs, t.steps[1].needs); });  // enters a cell unasked
    StepTable moved = tiles(grid(2, 2));
    std::swap(moved.placements[0], moved.placements[1]);
    CHECK_THROWS(std::invalid_argument, GainGraph(moved, 3, 100, quiet));
    StepTable more = tiles(grid(2, 2));
    more.placements.push_back(0);
    CHECK_THROWS(std::invalid_argument, GainGraph(more, 3, 100, quiet));
}

// ---------------------------------------------------------------- groups

std::vector<Permutation> mathieu11(std::size_t degree) {
    return {long_cycle(degree, 0, 11), cycles(degree, {{3, 7, 11, 8}, {4, 10, 5, 6}})};
}

std::vector<Permutation> mathieu12() {
    auto out = mathieu11(12);
    out.push_back(cycles(12, {{1, 12}, {2, 11}, {3, 6}, {4, 8}, {5, 9}, {7, 10}}));
    return out;
}

void expect_order(std::size_t degree, const std::vector<Permutation>& generators, std::uint64_t wanted,
                  std::size_t giants = 0) {
    for (std::uint64_t seed : {1, 2, 3}) {
        const Group g = group(degree, generators, seed);
        CHECK(order(g) == wanted);
        CHECK(g.giants().size() == giants);
        for (const auto& p : generators) CHECK(g.contains(p));
        check_witnesses(g, generators, seed);
    }
}

void test_known_orders() {
    expect_order(0, {}, 1);
    expect_order(4, {}, 1);
    expect_order(4, {identity(4)}, 1);
    expect_order(5, {long_cycle(5, 0, 5)}, 5);
    expect_order(5, {long_cycle(5, 0, 5), cycles(5, {{2, 5}, {3, 4}})}, 10);
    for (std::size_t n = 2; n <= 14; ++n) {
        const std::size_t odd = n % 2 ? n : n - 1;  // a cycle of odd length is even
        expect_order(n, {long_cycle(n, 0, n), cycles(n, {{1, 2}})}, factorial(n), n >= 8);
        if (n > 2) expect_order(n, {long_cycle(n, n - odd, odd), cycles(n, {{1, 2, 3}})}, factorial(n) / 2, n >= 8);
    }
    expect_order(11, mathieu11(11), 7920);
    expect_order(12, mathieu12(), 95040);
    expect_order(24, {long_cycle(24, 0, 23),
                      cycles(24, {{3, 17, 10, 7, 9}, {4, 13, 14, 19, 5}, {8, 18, 11, 12, 23}, {15, 20, 22, 21, 16}}),
                      cycles(24, {{1, 24}, {2, 23}, {3, 12}, {4, 16}, {5, 18}, {6, 10}, {7, 20}, {8, 14}, {9, 21}, {11, 17}, {13, 22}, {15, 19}})},
                 244823040);
    // PSL(2,7) and PGL(2,7) on eight points: 7-cycles, but those prove nothing.
    const auto translation = long_cycle(8, 0, 7), square = cycles(8, {{2, 3, 5}, {4, 7, 6}}),
               root = cycles(8, {{2, 4, 3, 7, 5, 6}}), negated = cycles(8, {{1, 8}, {2, 7}, {3, 4}, {5, 6}});
    expect_order(8, {translation, square, negated}, 168);
    expect_order(8, {translation, root, negated}, 336);
    // C2 wr Sym(9) and C2 wr Alt(7): imprimitive, no giants.
    expect_order(18, {cycles(18, {{1, 2}}), cycles(18, {{1, 3}, {2, 4}}), compose(power(long_cycle(18, 0, 18), 2), identity(18))},
                 512 * factorial(9));
    CHECK_THROWS(std::invalid_argument, group(3, {Permutation{0, 1}}));
    CHECK_THROWS(std::invalid_argument, group(3, {Permutation{0, 1, 1}}));
    CHECK_THROWS(LimitReached, group(max_degree + 1, {}));
    CHECK_THROWS(LimitReached, Group(12, mathieu12(), 1, 500, quiet));
    CHECK_THROWS(std::invalid_argument, (void)group(3, {}).contains(identity(4)));
}

void test_products_and_links() {
    // Sym(9) x Alt(10), next to each other.
    expect_order(19, {long_cycle(19, 0, 9), cycles(19, {{1, 2}}), long_cycle(19, 10, 9), cycles(19, {{10, 11, 12}})},
                 factorial(9) * factorial(10) / 2, 2);
    // The same signs on both: half of Sym(9) x Sym(10).
    const auto both = cycles(19, {{1, 2}, {10, 11}});
    const std::vector<Permutation> linked{long_cycle(19, 0, 9), cycles(19, {{1, 2, 3}}), long_cycle(19, 10, 9),
                                          cycles(19, {{10, 11, 12}}), both};
    expect_order(19, linked, factorial(9) * factorial(10) / 2, 2);
    const Group same_sign = group(19, linked);
    CHECK(same_sign.chain_lengths() == std::vector<std::uint64_t>{2});
    CHECK(!same_sign.contains(cycles(19, {{1, 2}})) && same_sign.contains(both));
    CHECK(!same_sign.contains(cycles(19, {{9, 10}})) && !same_sign.factor(cycles(19, {{9, 10}})));
    // One permutation on two orbits at once: neither is free, so neither is split off.
    expect_order(18, {compose(long_cycle(18, 0, 9), long_cycle(18, 9, 9)), cycles(18, {{1, 2}, {10, 11}})}, factorial(9));
    // Sym(10) whose sign turns two more points; a cycle of three and a fixed point beside it.
    expect_order(16, {long_cycle(16, 0, 9), cycles(16, {{9, 10}, {11, 12}}), cycles(16, {{13, 14, 15}})}, factorial(10) * 3, 1);
    expect_order(22, {long_cycle(22, 0, 11), cycles(22, {{3, 7, 11, 8}, {4, 10, 5, 6}}), long_cycle(22, 11, 11), cycles(22, {{12, 13}})},
                 7920 * factorial(11), 1);
    // Many small orbits; then one long orbit whose tree is as deep as it is long.
    std::vector<Permutation> pairs;
    for (int k = 0; k < 20; ++k) pairs.push_back(cycles(40, {{2 * k + 1, 2 * k + 2}}));
    expect_order(40, pairs, 1u << 20);
    Permutation mirror(400);
    for (std::size_t x = 0; x < 400; ++x) mirror[x] = static_cast<Point>(399 - x);
    expect_order(400, {long_cycle(400, 0, 400), mirror}, 800);
}

void test_giants_at_300() {
    const std::size_t n = 300;
    const auto odd = cycles(n, {{17, 230}}), even = cycles(n, {{17, 230}, {1, 2}});
    const std::vector<Permutation> all{long_cycle(n, 0, n), cycles(n, {{1, 2}})};
    const Group sym = group(n, all);
    CHECK(sym.giants().size() == 1 && sym.chain_lengths() == std::vector<std::uint64_t>{2});
    CHECK(sym.contains(odd) && sym.contains(even));
    check_witnesses(sym, all, 1);
    const std::vector<Permutation> half{long_cycle(n, 1, n - 1), cycles(n, {{1, 2, 3}})};
    const Group alt = group(n, half);
    CHECK(alt.giants().size() == 1 && alt.chain_lengths().empty());
    CHECK(!alt.contains(odd) && alt.contains(even) && !alt.factor(odd) && alt.factor(even));
    check_witnesses(alt, half, 2);
    const auto [base, lengths] = sym.base();
    CHECK(base.size() == n - 1 && lengths.front() == n && lengths.back() == 2);

    // Three orbits of a hundred, their signs adding up to even.
    std::vector<Permutation> three;
    for (std::size_t first : {0, 100, 200}) {
        three.push_back(long_cycle(n, first, 99));
        three.push_back(cycles(n, {{static_cast<int>(first) + 98, static_cast<int>(first) + 99, static_cast<int>(first) + 100}}));
    }
    three.push_back(cycles(n, {{1, 2}, {101, 102}}));
    three.push_back(cycles(n, {{101, 102}, {201, 202}}));
    const Group g = group(n, three);
    CHECK(g.giants().size() == 3 && (g.chain_lengths() == std::vector<std::uint64_t>{2, 2}));
    CHECK(g.contains(cycles(n, {{5, 6}, {250, 251}})) && !g.contains(cycles(n, {{5, 6}})));
    check_witnesses(g, three, 3);
    // All colours different: what is asked for is one permutation, and only its signs decide.
    std::vector<std::uint32_t> a(n), b(n);
    std::iota(a.begin(), a.end(), 0u);
    b = a;
    std::swap(b[3], b[4]);
    CHECK((g.recolour(a, b, 1000) == std::pair<std::optional<Permutation>, bool>{std::nullopt, true}));
    std::swap(b[150], b[160]);
    const auto [found, certain] = g.recolour(a, b, 1000);
    CHECK(certain && found && carries(*found, a, b) && g.contains(*found));
}

// Permutations that respect a random cut of the points, so that groups with several orbits come up.
std::vector<Permutation> random_generators(std::size_t degree, std::mt19937_64& random) {
    const std::size_t cut = below(random, 2) ? degree : below(random, degree + 1);
    std::vector<Permutation> out;
    for (std::uint64_t k = below(random, 4); k > 0; --k) {
        Permutation p = identity(degree);
        const auto left = shuffled(cut, random), right = shuffled(degree - cut, random);
        for (std::size_t x = 0; x < cut; ++x) p[x] = left[x];
        for (std::size_t x = cut; x < degree; ++x) p[x] = static_cast<Point>(cut + right[x - cut]);
        out.push_back(power(p, 1 + below(random, 4)));
    }
    return out;
}

void test_random_groups() {
    std::mt19937_64 random(2024);
    for (int trial = 0; trial < 250; ++trial) {
        const std::size_t degree = 1 + below(random, 6);
        const auto generators = random_generators(degree, random);
        const auto elements = closure(degree, generators);
        const Group g = group(degree, generators, static_cast<std::uint64_t>(trial));
        CHECK(order(g) == elements.size());
        Permutation p = identity(degree);
        do CHECK(g.contains(p) == elements.count(p) && g.factor(p).has_value() == g.contains(p));
        while (std::next_permutation(p.begin(), p.end()));
        check_base(g, elements);
        check_witnesses(g, generators, 9);
        check_recolour(g, elements, 10, random);
    }
    // Large enough for giants, with something linked to them now and then.
    for (int trial = 0; trial < 6; ++trial) {
        const std::size_t degree = 8 + below(random, 4);
        std::vector<Permutation> generators{long_cycle(degree, 0, 7), cycles(degree, {{6, 7, 8}})};
        const auto rest = random_generators(degree - 8, random);
        for (const auto& r : rest) {
            Permutation p = below(random, 2) ? cycles(degree, {{1, 2}}) : identity(degree);
            for (std::size_t x = 8; x < degree; ++x) p[x] = static_cast<Point>(8 + r[x - 8]);
            generators.push_back(p);
        }
        const auto elements = closure(degree, generators);
        const Group g = group(degree, generators, static_cast<std::uint64_t>(trial));
        CHECK(g.giants().size() == 1);
        CHECK(order(g) == elements.size());
        for (int k = 0; k < 200; ++k) {
            const auto p = shuffled(degree, random);
            CHECK(g.contains(p) == elements.count(p));
        }
        check_base(g, elements);
        check_witnesses(g, generators, 9);
        check_recolour(g, elements, 15, random);
    }
}

// Without random elements everything rests on the verification: it must find all that is missing,
// and write down correctly how each new element was made.
void test_verification_alone() {
    std::mt19937_64 random(31);
    auto check = [&](std::size_t degree, const std::vector<Permutation>& generators, std::uint64_t wanted) {
        StraightLine program;
        std::vector<Element> elements;
        for (std::uint32_t i = 0; i < generators.size(); ++i)
            elements.push_back({generators[i], program.add(StraightLine::generator, i)});
        const auto nothing = []() -> std::optional<Element> { return std::nullopt; };
        const StabiliserChain chain(degree, elements, nothing, program, plenty, quiet);
        std::uint64_t size = 1;
        for (auto length : chain.orbit_lengths()) size *= length;
        CHECK(size == wanted);
        const auto values = evaluate(program, generators);
        for (int trial = 0; trial < 5; ++trial) {
            const Permutation p = chain.random_element(random);
            CHECK(chain.contains(p));
            const auto product = chain.factor(p);
            CHECK(product.has_value());
            Permutation q = identity(degree);
            for (auto [line, inverted] : *product) q = compose(q, inverted ? inverse(values.at(line)) : values.at(line));
            CHECK(q == p);
        }
    };
    for (int trial = 0; trial < 300; ++trial) {
        const std::size_t degree = 1 + below(random, 7);
        const auto generators = random_generators(degree, random);
        check(degree, generators, closure(degree, generators).size());
    }
    for (std::size_t n = 8; n <= 13; ++n) {
        check(n, {long_cycle(n, 0, n), cycles(n, {{1, 2}})}, factorial(n));
        check(n, {shuffled(n, random), cycles(n, {{1, 2}}), long_cycle(n, 0, n)}, factorial(n));
    }
    check(11, mathieu11(11), 7920);
    check(12, mathieu12(), 95040);
}

void test_random_elements() {
    // C3 and a linked sign: every element about equally often.
    const std::vector<Permutation> generators{cycles(7, {{1, 2, 3}}), cycles(7, {{4, 5}, {6, 7}}), cycles(7, {{1, 2}, {6, 7}})};
    const auto elements = closure(7, generators);
    const Group g = group(7, generators);
    std::map<Permutation, int> counts;
    std::mt19937_64 random(1);
    for (std::size_t k = 0; k < 300 * elements.size(); ++k) ++counts[g.random_element(random)];
    CHECK(counts.size() == elements.size());
    for (const auto& [p, count] : counts) CHECK(elements.count(p) && count > 200 && count < 400);
    // In a giant: the image of a point and the sign are spread evenly, in Alt no odd one comes.
    const Group sym = group(9, {long_cycle(9, 0, 9), cycles(9, {{1, 2}})});
    const Group alt = group(9, {long_cycle(9, 0, 9), cycles(9, {{1, 2, 3}})});
    std::map<std::pair<Point, bool>, int> seen;
    for (int k = 0; k < 5400; ++k) {
        const auto p = sym.random_element(random);
        ++seen[{p[4], odd_by_inversions(p)}];
        CHECK(!odd_by_inversions(alt.random_element(random)));
    }
    CHECK(seen.size() == 18);
    for (const auto& [what, count] : seen) CHECK(count > 200 && count < 400);
}

void test_recolour_budget() {
    const Group g = group(12, mathieu12());
    std::vector<std::uint32_t> a(12, 0), b(12, 0);
    a[0] = a[1] = 1;
    b[5] = b[7] = 1;
    const auto [none, uncertain] = g.recolour(a, b, 0);
    CHECK(!none && !uncertain);
    const auto [found, certain] = g.recolour(a, b, 100000);
    CHECK(found && certain && carries(*found, a, b) && g.contains(*found));
    CHECK_THROWS(std::invalid_argument, g.recolour({0}, b, 1));
}

// ---------------------------------------------------------------- words and blocks

void check_words(std::size_t degree, const std::vector<Permutation>& generators) {
    const Group g = group(degree, generators);
    const auto [base, lengths] = g.base();
    std::vector<std::uint32_t> weights;
    for (std::size_t k = 0; k < generators.size(); ++k) weights.push_back(static_cast<std::uint32_t>(1 + k));
    const ShortWords words(degree, generators, weights, base, lengths, 4, 400, quiet);
    CHECK(words.complete());
    std::mt19937_64 random(8);
    for (int trial = 0; trial < 40; ++trial) {
        const Permutation p = trial % 2 ? shuffled(degree, random) : g.random_element(random);
        const auto word = words.factor(p);
        CHECK(word.has_value() == g.contains(p));
        if (!word) continue;
        Permutation q = identity(degree);
        for (std::size_t i = 0; i < word->size(); ++i) {
            const auto letter = (*word)[i];
            CHECK(letter != 0 && (i == 0 || (*word)[i - 1] != -letter));
            const auto& generator = generators.at(static_cast<std::size_t>(std::abs(letter)) - 1);
            q = compose(q, letter > 0 ? generator : inverse(generator));
        }
        CHECK(q == p);
    }
    CHECK(words.factor(identity(degree))->empty());
}

void test_short_words() {
    check_words(5, {long_cycle(5, 0, 5)});
    check_words(11, mathieu11(11));
    check_words(12, mathieu12());
    check_words(9, {long_cycle(9, 0, 9), cycles(9, {{1, 2}})});
    check_words(19, {long_cycle(19, 0, 9), cycles(19, {{1, 2, 3}}), long_cycle(19, 10, 9), cycles(19, {{10, 11, 12}}),
                     cycles(19, {{1, 2}, {10, 11}})});
    const GainGraph eight(tiles(grid(3, 3)), 8, 9, quiet);
    check_words(8, rows(eight.span(8, plenty, quiet).generators, 8));

    const ShortWords trivial(3, {}, {}, {}, {}, 1, 10, quiet);
    CHECK(trivial.complete() && trivial.factor(identity(3))->empty() && !trivial.factor(long_cycle(3, 0, 3)));
    const ShortWords hurried(9, {long_cycle(9, 0, 9), cycles(9, {{1, 2}})}, {1, 1}, {0, 1, 2, 3, 4, 5, 6, 7},
                             {9, 8, 7, 6, 5, 4, 3, 2}, 1, 0, quiet);
    CHECK(!hurried.complete());
    const std::vector<Permutation> three{long_cycle(3, 0, 3)};
    CHECK_THROWS(std::invalid_argument, trivial.factor(identity(4)));
    CHECK_THROWS(std::invalid_argument, ShortWords(3, three, {}, {0}, {3}, 1, 1, quiet));
    CHECK_THROWS(std::invalid_argument, ShortWords(3, three, {1}, {0}, {}, 1, 1, quiet));
    CHECK_THROWS(std::invalid_argument, ShortWords(3, three, {1}, {3}, {3}, 1, 1, quiet));
    CHECK_THROWS(std::invalid_argument, ShortWords(3, three, {1}, {0}, {0}, 1, 1, quiet));
    CHECK_THROWS(std::invalid_argument, ShortWords(3, three, {1}, {0}, {4}, 1, 1, quiet));
    CHECK_THROWS(std::invalid_argument, ShortWords(3, {Permutation{0, 0, 1}}, {1}, {0}, {3}, 1, 1, quiet));
}

void test_minimal_block() {
    CHECK((minimal_block(6, {long_cycle(6, 0, 6)}, 0, 3) == std::vector<std::uint32_t>{0, 1, 2, 0, 1, 2}));
    CHECK((minimal_block(6, {long_cycle(6, 0, 6)}, 4, 0) == std::vector<std::uint32_t>{0, 1, 0, 1, 0, 1}));
    CHECK((minimal_block(3, {}, 1, 2) == std::vector<std::uint32_t>{0, 1, 1}));
    CHECK((minimal_block(3, {long_cycle(3, 0, 3)}, 1, 1) == std::vector<std::uint32_t>{0, 1, 2}));
    CHECK(minimal_block(11, mathieu11(11), 0, 5) == std::vector<std::uint32_t>(11, 0));
    CHECK_THROWS(std::invalid_argument, minimal_block(3, {}, 0, 3));
    CHECK_THROWS(std::invalid_argument, minimal_block(3, {}, 3, 0));
    // The images of the pair under all elements, joined.
    std::mt19937_64 random(77);
    for (int trial = 0; trial < 200; ++trial) {
        const std::size_t degree = 1 + below(random, 6);
        const auto generators = random_generators(degree, random);
        const auto a = static_cast<std::uint32_t>(below(random, degree)), b = static_cast<std::uint32_t>(below(random, degree));
        Partition parts(degree);
        for (const auto& p : closure(degree, generators)) parts.unite(p[a], p[b]);
        const auto labels = minimal_block(degree, generators, a, b);
        for (std::uint32_t x = 0; x < degree; ++x) CHECK(labels[x] == parts.find(x));
    }
}

// ---------------------------------------------------------------- polyhexes

void test_polyhexes() {
    const std::array<std::size_t, 8> free{1, 1, 3, 7, 22, 82, 333, 1448}, fixed{1, 3, 11, 44, 186, 814, 3652, 16689};
    for (int n = 1; n <= 8; ++n)
        for (const bool congruent : {true, false}) {
            PolyhexStream stream(n, congruent);
            std::vector<PolyhexStream::Cells> boards;
            while (!stream.done()) stream.next_batch(10, 100, boards);
            CHECK(boards.size() == (congruent ? free : fixed)[static_cast<std::size_t>(n) - 1]);
            std::set<PolyhexStream::Cells> different(boards.begin(), boards.end());
            CHECK(different.size() == boards.size());
            PolyhexStream again(n, congruent);
            PolyhexStream::Cells cells;
            for (std::size_t k = 0; k < std::min<std::size_t>(boards.size(), 50); ++k) CHECK(again.next(cells) && cells == boards[k]);
            if (boards.size() <= 50) CHECK(!again.next(cells) && again.done());
        }
    // The largest size reaches the far corners of the tables.
    PolyhexStream large(PolyhexStream::max_cells);
    PolyhexStream::Cells cells;
    for (int k = 0; k < 20; ++k) {
        CHECK(large.next(cells));
        std::set<PolyhexStream::Cell> left(cells.begin(), cells.end());
        CHECK(left.size() == 18 && cells.front() == PolyhexStream::Cell(0, 0));
        std::vector<PolyhexStream::Cell> queue{cells.front()};
        left.erase(cells.front());
        while (!queue.empty()) {
            const auto [q, r] = queue.back();
            queue.pop_back();
            for (const auto& [dq, dr] : {std::pair{1, 0}, {0, 1}, {-1, 1}, {-1, 0}, {0, -1}, {1, -1}})
                if (left.erase({q + dq, r + dr})) queue.emplace_back(q + dq, r + dr);
        }
        CHECK(left.empty());
    }
    CHECK_THROWS(std::invalid_argument, PolyhexStream(0));
    CHECK_THROWS(std::invalid_argument, PolyhexStream(-3));
    CHECK_THROWS(std::invalid_argument, PolyhexStream(PolyhexStream::max_cells + 1));
}

}  // namespace

int main() {
    const std::pair<const char*, void (*)()> tests[] = {
        {"permutations", test_permutations},
        {"straight-line programs", test_straight_line},
        {"tiles", test_tiles},
        {"fifteen", test_fifteen},
        {"gourds and triangles", test_gourds},
        {"edge cases", test_edge_cases},
        {"limits", test_limits},
        {"bad tables", test_bad_tables},
        {"known orders", test_known_orders},
        {"products and links", test_products_and_links},
        {"giants at degree 300", test_giants_at_300},
        {"random groups", test_random_groups},
        {"verification alone", test_verification_alone},
        {"random elements", test_random_elements},
        {"recolouring within a budget", test_recolour_budget},
        {"short words", test_short_words},
        {"minimal blocks", test_minimal_block},
        {"polyhexes", test_polyhexes},
    };
    for (const auto& [name, test] : tests) {
        std::cout << name << std::endl;
        test();
        ++passed;
    }
    std::cout << passed << " passed, 0 failed\n";
}
