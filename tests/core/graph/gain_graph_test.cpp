#include "group/support.hpp"

namespace {

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
                if (std::any_of(step.holes.begin(), step.holes.end(), [&](auto c) { return covered.count(c); }))
                    continue;
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

    void extend(std::size_t from, std::size_t left, Shape& chosen, std::vector<bool>& covered,
                std::set<Shape>& out) const {
        if (left == 0) {
            out.insert(chosen);
            return;
        }
        for (std::size_t p = from; p < table.placement_count(); ++p) {
            const auto cells = table.cells_of(p);
            if (std::any_of(cells.begin(), cells.end(), [&](auto c) { return covered[static_cast<std::size_t>(c)]; }))
                continue;
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
            const auto slot =
                static_cast<std::size_t>(std::find(there.begin(), there.end(), state[k].first) - there.begin());
            for (std::size_t mark = 0; mark < w; ++mark)
                out[k * w + mark] =
                    static_cast<Point>(slot * w + (mark + static_cast<std::size_t>(state[k].second)) % w);
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
    UnionFind parts(c.graph.shape_count());
    for (std::uint32_t s = 0; s < c.graph.shape_count(); ++s) isolated += c.plain.moves(c.home(s)).empty();
    for (const auto& [source, target, gain] : mine) parts.unite(source, target);
    CHECK(isolated == c.graph.isolated());
    for (std::uint32_t s = 0; s < c.graph.shape_count(); ++s) CHECK(c.graph.family()[s] == parts.find(s));
}

Span check_tree(const Compared& c, std::uint32_t base, bool along_line) {
    const Span span = c.graph.span(base, plenty, quiet, along_line);
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

// The breadth-first tree, and the one along the line: no tree has more edges that leave all pieces in their slots.
Span check_span(const Compared& c, std::uint32_t base) {
    const Span line = check_tree(c, base, true);
    UnionFind parts(c.graph.shape_count());
    auto is_still = [](const Edge& e) { return e.slot_from == e.slot_to && e.turn == 0; };
    std::size_t most = 0, taken = 0;
    for (const Edge& e : c.graph.edges())
        if (is_still(e) && c.graph.family()[e.source] == c.graph.family()[base])
            most += parts.unite(e.source, e.target);
    for (const std::int64_t edge : line.parent_edge)
        taken += edge >= 0 && is_still(c.graph.edges()[static_cast<std::size_t>(edge) / 2]);
    CHECK(taken == most);
    return check_tree(c, base, false);
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

TEST("tiles") {
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

TEST("fifteen") {
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

TEST("gourds and triangles") {
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

TEST("edge cases") {
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

TEST("limits") {
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
    CHECK_THROWS(LimitReached, g.span(0, tables, quiet));
    CHECK_THROWS(LimitReached, g.span(0, tables + tables / 3 + 4, quiet));  // the tree fits, its loops do not
    CHECK(g.span(0, 8 * tables, quiet).shapes.size() == 16);
    // The 24 moves, and twice that while their list grows; as much again for what is around each shape.
    CHECK_THROWS(LimitReached, GainGraph(tiles(grid(4, 4)), 15, 16, quiet, 2 * 24 * sizeof(Edge) - 1));
    CHECK(GainGraph(tiles(grid(4, 4)), 15, 16, quiet, 4 * 32 * sizeof(Edge)).edges().size() == 24);

    struct Stop {};
    const Tick stop = [](const char*, std::uint64_t, std::uint64_t) { throw Stop{}; };
    CHECK_THROWS(Stop, GainGraph(tiles(grid(4, 4)), 15, 16, stop));
    CHECK_THROWS(Stop, g.span(0, plenty, stop));
    CHECK_THROWS(Stop, Group(9, {long_cycle(9, 0, 9)}, 1, plenty, stop));
    CHECK_THROWS(Stop, ShortWords(3, {long_cycle(3, 0, 3)}, {1}, {0}, {3}, 1, 5, stop));
}

TEST("bad tables") {
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
    refused([](StepTable& t) { t.steps[0].holes[0] = -1; });
    refused([](StepTable& t) { t.steps[0].holes[1] = 6; });
    refused([](StepTable& t) { t.steps[0].holes[3] = -2; });
    refused([](StepTable& t) { t.steps.pop_back(); });                             // a way there but none back
    refused([](StepTable& t) { std::swap(t.steps[0].holes, t.steps[1].holes); });  // enters a cell unasked
    StepTable moved = tiles(grid(2, 2));
    std::swap(moved.placements[0], moved.placements[1]);
    CHECK_THROWS(std::invalid_argument, GainGraph(moved, 3, 100, quiet));
    StepTable more = tiles(grid(2, 2));
    more.placements.push_back(0);
    CHECK_THROWS(std::invalid_argument, GainGraph(more, 3, 100, quiet));
}

}  // namespace
