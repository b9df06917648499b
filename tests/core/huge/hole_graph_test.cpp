#include "huge/support.hpp"

namespace {

void check_graph(const Graph& board, bool wide) {
    const HoleGraph graph(board.size(), hole_steps(board, wide));
    const auto cells = u(static_cast<int>(board.size()));
    CHECK(graph.cells() == cells && graph.holes() == (wide ? 2u : 1u));
    std::set<std::set<std::uint32_t>> shapes;
    std::size_t arcs = 0;
    std::map<std::uint32_t, std::set<std::uint32_t>> decisions;
    for (std::uint32_t s = 0; s < graph.shapes(); ++s) {
        const std::set<std::uint32_t> holes(graph.cells(s).begin(), graph.cells(s).end());
        CHECK(holes.size() == graph.holes() && shapes.insert(holes).second);
        CHECK(graph.find(*holes.begin(), wide ? *holes.rbegin() : HoleGraph::none) == s);
        CHECK(graph.find(*holes.rbegin(), wide ? *holes.begin() : HoleGraph::none) == s);
        std::set<std::array<std::uint32_t, 2>> expected, found;
        for (auto to : holes)
            for (int from : board[to]) {
                if (holes.count(u(from))) continue;
                const bool goes = std::all_of(holes.begin(), holes.end(), [&](auto c) {
                    return c == to || (touch(board, c, to) && touch(board, c, u(from)));
                });
                if (goes) expected.insert({u(from), to});
            }
        for (const auto& arc : graph.arcs(s)) {
            CHECK(arc.shape == s && &graph.arc(graph.number(arc)) == &arc);
            CHECK(found.insert({arc.from, arc.to}).second);
            std::set<std::uint32_t> after = holes;
            after.erase(arc.to);
            after.insert(arc.from);
            CHECK(after == std::set<std::uint32_t>(graph.cells(arc.next).begin(), graph.cells(arc.next).end()));
            decisions[arc.from].insert(s);
        }
        CHECK(found == expected);
        arcs += found.size();
    }
    CHECK(arcs == hole_steps(board, wide).size());
    std::size_t total = 0;
    for (std::uint32_t c = 0; c < cells; ++c) {
        for (auto s : graph.shapes_at(c)) CHECK(std::count(graph.cells(s).begin(), graph.cells(s).end(), c) == 1);
        CHECK(graph.shapes_at(c).size() ==
              static_cast<std::size_t>(
                  std::count_if(shapes.begin(), shapes.end(), [&](const auto& s) { return s.count(c); })));
        std::set<std::uint32_t> around, listed(graph.neighbours(c).begin(), graph.neighbours(c).end());
        for (int other : board[c])
            if (!wide ||
                std::any_of(board[c].begin(), board[c].end(), [&](int b) { return touch(board, u(b), u(other)); }))
                around.insert(u(other));
        CHECK(around == listed && listed.size() == graph.neighbours(c).size());
        CHECK(graph.decisions(c) == decisions[c].size() && graph.first_decision(c) == total);
        for (std::uint32_t d = graph.first_decision(c); d < graph.first_decision(c) + graph.decisions(c); ++d) {
            CHECK(decisions[c].count(graph.decision_shape(d)));
            CHECK(graph.decision_of(c, graph.decision_shape(d)) == d);
        }
        for (std::uint32_t s = 0; s < graph.shapes(); ++s)
            CHECK((graph.decision_of(c, s) == HoleGraph::none) == !decisions[c].count(s));
        total += decisions[c].size();
    }
    CHECK(graph.decisions() == total);
    if (wide)
        for (std::uint32_t a = 0; a < cells; ++a)
            for (std::uint32_t b = a; b < cells; ++b)
                CHECK((graph.find(a, b) == HoleGraph::none) == !shapes.count({a, b}));
}

TEST("hole graphs") {
    std::mt19937_64 random(1);
    for (const auto& board :
         {grid(1, 1), grid(1, 4), grid(2, 2), grid(4, 3), circle(7), hexagons(4, 3), Eared(5, 4, random).graph})
        check_graph(board, false);
    for (const auto& board : {hexagons(2, 2), hexagons(3, 2), hexagons(5, 4), circle(3)}) check_graph(board, true);
    // Where no three cells touch each other, nothing moves.
    CHECK(HoleGraph(9, hole_steps(grid(3, 3), true)).decisions() == 0);
}

TEST("distances of cells") {
    std::mt19937_64 random(2);
    for (const auto& board :
         {grid(1, 300), circle(520), grid(7, 5), hexagons(5, 5), Eared(6, 9, random).graph, Graph(3)}) {
        const HoleGraph graph(board.size(), hole_steps(board, false));
        // Kept all, or so few that rows are dropped and found again.
        CellDistances far(graph, plenty), few(graph, 0);
        const Tick tick = quiet;
        for (std::uint32_t a = 0; a < board.size(); a += 1 + u(static_cast<int>(board.size() / 20))) {
            std::vector<unsigned> plain(board.size(), 1000);
            std::deque<std::uint32_t> queue{a};
            plain[a] = 0;
            for (; !queue.empty(); queue.pop_front())
                for (int c : board[queue.front()])
                    if (plain[z(c)] == 1000) plain[z(c)] = plain[queue.front()] + 1, queue.push_back(u(c));
            for (std::uint32_t b = 0; b < board.size(); ++b) {
                const auto exact = std::min(255u, plain[b]);
                CHECK(far.row(a, tick)[b] == exact && far.row(b, tick)[a] == exact);
                CHECK(few.row(a, tick)[b] == exact && few.row(b, tick)[a] == exact);
            }
        }
    }
}

TEST("memory for distances") {
    const Graph board = grid(30, 20);
    const HoleGraph graph(board.size(), hole_steps(board, false));
    for (std::uint64_t bytes : {std::uint64_t{0}, std::uint64_t{300 * 600}, std::uint64_t{300 * 600 + 599}, plenty}) {
        CellDistances far(graph, bytes);
        const std::size_t most = std::clamp<std::size_t>(bytes / 600, CellDistances::min_rows, 600);
        std::size_t ticks = 0;
        const Tick tick = [&](const char*, std::uint64_t, std::uint64_t) { ++ticks; };
        CHECK(far.rows() == 0);
        for (std::uint32_t c = 0; c < 600; ++c) {
            far.row(c, tick), far.row(c, tick);
            CHECK(far.rows() == std::min<std::size_t>(c + 1, most) && ticks == c + 1);  // each row once
        }
        far.row(599, tick), far.row(u(static_cast<int>(600 - most)), tick);
        CHECK(ticks == 600);
        far.row(0, tick);
        CHECK(ticks == (most < 600 ? 601 : 600) && far.rows() == most);
    }
    // A tick that throws leaves everything as it was.
    CellDistances far(graph, 0);
    const Tick stop = [](const char*, std::uint64_t, std::uint64_t) { throw OutOfTime{}; };
    for (std::uint32_t c = 0; c < 600; ++c) {
        CHECK_THROWS(OutOfTime, far.row(c, stop));
        CHECK(far.row(c, quiet)[c] == 0 && far.row(c, stop)[0] == c % 30 + c / 30);
    }
}

// Boards of many cells, far more than a table of all pairs could have.
TEST("distances on large boards") {
    const Graph board = grid(400, 300);
    const HoleGraph graph(board.size(), hole_steps(board, false));
    CellDistances far(graph, 0);
    for (int a : {0, 399, 60200, 119999})
        for (int b = 0; b < 120000; b += 1009) {
            const int apart = std::abs(a % 400 - b % 400) + std::abs(a / 400 - b / 400);
            CHECK(far.row(u(a), quiet)[u(b)] == std::min(255u, u(apart)));
        }
    CHECK(far.rows() == 4);
}

TEST("bad graphs") {
    using Steps = std::vector<HoleGraph::Step>;
    const auto made = [](std::size_t cells, const Steps& steps) { HoleGraph(cells, steps); };
    for (std::size_t cells : {std::size_t{0}, std::size_t{1} << 24, std::size_t{1} << 32, ~std::size_t{0}})
        CHECK(refused([&] { made(cells, {}); }));
    const auto least = std::numeric_limits<std::int32_t>::min(), most = std::numeric_limits<std::int32_t>::max();
    for (std::int32_t bad : {-1, 4, least, most}) {
        CHECK(refused([&] { made(4, {{bad, 1, -1}}); }));
        CHECK(refused([&] { made(4, {{1, bad, -1}}); }));
        CHECK(refused([&] { made(4, {{0, 1, 2}, {bad, 1, 2}}); }));
        CHECK(refused([&] { made(4, {{0, 1, 2}, {0, 1, bad}}); }));
    }
    CHECK(refused([&] { made(4, {{1, 1, -1}}); }) && refused([&] { made(4, {{0, 1, 1}}); }) &&
          refused([&] { made(4, {{0, 1, 0}}); }));
    CHECK(refused([&] { made(4, {{0, 1, -1}, {0, 1, 2}}); }) && refused([&] { made(4, {{0, 1, 2}, {0, 1, -1}}); }));
    CHECK(refused([&] { made(4, {{0, 1, 2}}); }));  // no way back
    made(4, {});
    made(1, {});
}

// Steps that can't be taken back: a search that goes round for ever, as its costs are less than nothing.
TEST("one way") {
    CHECK(refused([] { HoleGraph(3, std::vector<HoleGraph::Step>{{0, 1, -1}, {1, 2, -1}, {2, 0, -1}}); }));
}

}  // namespace
