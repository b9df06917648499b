#include "homology/morse_complex.hpp"

#include "boards.hpp"
#include "check.hpp"

using namespace slidelab;

namespace {

constexpr std::uint64_t ample = std::uint64_t{1} << 28;

Graph complete(std::size_t n) {
    std::vector<std::pair<int, int>> edges;
    for (int a = 0; a < static_cast<int>(n); ++a)
        for (int b = 0; b < a; ++b) edges.emplace_back(b, a);
    return graph_of(n, edges);
}

// Hexagonal tiles: a second hole must touch both cells of a move.
StepTable hextiles(const Graph& graph) {
    StepTable table = start_table(graph.size(), 1, 1, nullptr);
    for (std::int32_t c = 0; c < static_cast<std::int32_t>(graph.size()); ++c) {
        table.placements.push_back(c);
        const auto& around = graph[static_cast<std::size_t>(c)];
        for (int to : around)
            for (int beside : around)
                if (graph[static_cast<std::size_t>(to)].contains(beside))
                    table.steps.push_back({c, to, 0, {to, beside}});
    }
    return table;
}

// A tile with two readings on a graph, which every move turns over.
StepTable turning(const Graph& graph) {
    StepTable table = tiles(graph);
    table.turns = 2;
    for (auto& step : table.steps) step.turn = 1;
    return table;
}

std::vector<PieceCells::Polygon> triangles(const Graph& graph) {
    std::vector<PieceCells::Polygon> out;
    for (int a = 0; a < static_cast<int>(graph.size()); ++a)
        for (int b : graph[static_cast<std::size_t>(a)])
            for (int c : graph[static_cast<std::size_t>(b)])
                if (a < b && b < c && graph[static_cast<std::size_t>(a)].contains(c))
                    out.push_back({{a, 0}, {b, 0}, {c, 0}});
    return out;
}

// Hexagons around one in the middle.
Graph flower() {
    return graph_of(7,
                    {{0, 1}, {0, 2}, {0, 3}, {1, 3}, {1, 4}, {2, 3}, {2, 5}, {3, 4}, {3, 5}, {3, 6}, {4, 6}, {5, 6}});
}

struct Case {
    StepTable table;
    std::size_t pieces;
    std::vector<PieceCells::Polygon> polygons;
};

std::vector<Case> cases() {
    return {{tiles(complete(5)), 2, {}},
            {tiles(grid(3, 3)), 4, {}},
            {tiles(grid(3, 3)), 3, {{{0, 0}, {1, 0}, {4, 0}, {3, 0}}, {{4, 0}, {5, 0}, {8, 0}, {7, 0}}}},
            {turning(grid(3, 2)), 3, {}},
            {hextiles(flower()), 3, {}},
            {hextiles(flower()), 3, triangles(flower())},
            {hextiles(complete(6)), 2, {}}};
}

using Place = std::pair<std::uint32_t, Permutation>;  // a cell, and where the slot points of the first anchor have gone

void add_faces(const ShapeComplex& complex, const Place& at, std::int64_t times, std::map<Place, std::int64_t>& sum) {
    std::vector<ShapeComplex::Face> faces;
    complex.faces(at.first, faces);
    for (const auto& f : faces) {
        Permutation gain = at.second;
        CHECK(complex.follow(complex.shape(at.first), f.piece_cell, f.vertex, &gain) == complex.shape(f.cell));
        CHECK(complex.dimension(f.cell) == complex.dimension(at.first) - 1);
        sum[{f.cell, gain}] += times * f.sign;
    }
}

TEST("the boundary of a boundary is zero on every sheet") {
    for (const auto& [table, pieces, polygons] : cases()) {
        const GainGraph graph(table, pieces, 100000, no_tick);
        const ShapeComplex complex(graph, polygons, ample, no_tick);
        for (std::uint32_t c = 0; c < complex.size(); ++c) {
            std::map<Place, std::int64_t> once, twice;
            add_faces(complex, {c, identity(graph.degree())}, 1, once);
            for (const auto& [place, times] : once) add_faces(complex, place, times, twice);
            for (const auto& [place, times] : twice) CHECK(times == 0);
        }
    }
}

std::vector<std::int64_t> f_vector(const ShapeComplex& complex) {
    std::vector<std::int64_t> out(static_cast<std::size_t>(complex.dimension()) + 1, 0);
    for (std::uint32_t c = 0; c < complex.size(); ++c) ++out[static_cast<std::size_t>(complex.dimension(c))];
    return out;
}

TEST("cells are counted as by hand") {
    // Two tiles on five vertices: 10 edges with 3 places for the other tile, 15 pairs of disjoint edges; each pair is a
    // square for each of the 4 ways to begin, all of which are the same cell.
    const GainGraph graph(tiles(complete(5)), 2, 1000, no_tick);
    CHECK((f_vector(ShapeComplex(graph, {}, ample, no_tick)) == std::vector<std::int64_t>{10, 30, 15}));
    const GainGraph one_hole(tiles(grid(4, 4)), 15, 1000, no_tick);
    CHECK((f_vector(ShapeComplex(one_hole, {}, ample, no_tick)) == std::vector<std::int64_t>{16, 24}));
    // A tile alone on three touching hexagons, two of them empty, fills the triangle if it is hard.
    const GainGraph alone(hextiles(complete(3)), 1, 10, no_tick);
    CHECK((f_vector(ShapeComplex(alone, {}, ample, no_tick)) == std::vector<std::int64_t>{3, 3}));
    CHECK(
        (f_vector(ShapeComplex(alone, triangles(complete(3)), ample, no_tick)) == std::vector<std::int64_t>{3, 3, 1}));
}

TEST("companions that are empty in turns") {
    // On a complete graph, one tile may be the companion's guest while the other moves: the moves 0>1 and 2>3 with the
    // holes 1, 3 alone: 0>1 needs another hole than 1, which is 3 before and 2 after the other move.
    const GainGraph graph(hextiles(complete(4)), 2, 100, no_tick);
    CHECK((f_vector(ShapeComplex(graph, {}, ample, no_tick)) == std::vector<std::int64_t>{6, 12, 3}));
}

TEST("the matching leaves as much as the Euler characteristic says") {
    for (const auto& [table, pieces, polygons] : cases()) {
        const GainGraph graph(table, pieces, 100000, no_tick);
        const ShapeComplex complex(graph, polygons, ample, no_tick);
        const MorseComplex morse(complex, true, ample, no_tick);
        std::int64_t all = 0, left = 0;
        for (std::uint32_t c = 0; c < complex.size(); ++c) {
            const std::int64_t sign = complex.dimension(c) % 2 ? -1 : 1;
            all += sign;
            left += morse.is_critical(c) * sign;
        }
        CHECK(all == left);
    }
}

TEST("the reduced boundary of a reduced boundary is zero") {
    for (const auto& [table, pieces, polygons] : cases()) {
        const GainGraph graph(table, pieces, 100000, no_tick);
        const ShapeComplex complex(graph, polygons, ample, no_tick);
        const MorseComplex morse(complex, true, ample, no_tick);
        for (std::uint32_t base = 0; base < graph.shape_count(); ++base) {
            if (graph.family()[base] != base) continue;
            const Span span = graph.span(base, ample, no_tick);
            GainWords words(graph.degree(), ample);
            for (int k = 3; k <= complex.dimension(); ++k) {
                const auto upper = morse.boundary(k, span, words, no_tick);
                const auto lower = morse.boundary(k - 1, span, words, no_tick);
                for (const auto& terms : upper) {
                    std::map<std::pair<std::uint32_t, std::uint32_t>, std::int64_t> sum;
                    for (const auto& t : terms)
                        for (const auto& u : lower[t.row])
                            sum[{u.row, words.then(t.gain, u.gain)}] += t.coefficient * u.coefficient;
                    for (const auto& [place, times] : sum) CHECK(times == 0);
                }
            }
        }
    }
}

TEST("limits and wrong polygons") {
    const GainGraph graph(tiles(grid(3, 3)), 4, 1000, no_tick);
    CHECK_THROWS(LimitReached, ShapeComplex(graph, {}, 1000, no_tick));
    CHECK_THROWS(std::invalid_argument, ShapeComplex(graph, {{{0, 0}, {1, 0}}}, ample, no_tick));
    CHECK_THROWS(std::invalid_argument, ShapeComplex(graph, {{{0, 0}, {1, 0}, {5, 0}}}, ample, no_tick));
    CHECK_THROWS(std::invalid_argument, ShapeComplex(graph, {{{1, 0}, {0, 0}, {3, 0}}}, ample, no_tick));
    const ShapeComplex complex(graph, {}, ample, no_tick);
    CHECK_THROWS(LimitReached, MorseComplex(complex, true, 1000, no_tick));
    const Tick stop = [](const char*, std::uint64_t, std::uint64_t) { throw OutOfTime(); };
    CHECK_THROWS(OutOfTime, ShapeComplex(graph, {}, ample, stop));
    const GainGraph large(tiles(grid(300, 1)), 299, 1000, no_tick);
    CHECK_THROWS(LimitReached, ShapeComplex(large, {}, ample, no_tick));
}

}  // namespace
