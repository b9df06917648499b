// Solvers for boards of any size of src/core without Python, meant to run under the sanitizers.
//
// What is compared with what: every move with the rule itself, played on labelled cells or placements by code that
// knows nothing of shapes, decisions or windows; tables with lists made by hand; shortened solutions with the
// distances of a breadth-first search.
#include "check.hpp"
#include "huge/peeler.hpp"
#include "pieces.hpp"
#include "huge/shortener.hpp"

#include <deque>
#include <map>
#include <set>

using namespace slidelab;

namespace {

using Ear = Peeler::Cells;
using Tiles = std::vector<std::int32_t>;  // of each cell, 0 for a hole
using Move = std::array<std::int32_t, 3>;  // placement before, placement after, turn
using Moves = std::vector<Move>;

std::uint32_t u(int number) { return static_cast<std::uint32_t>(number); }
std::size_t z(std::int32_t number) { return static_cast<std::size_t>(number); }

template <class F>
bool refused(F f) {
    try {
        f();
    } catch (const std::invalid_argument&) {
        return true;
    }
    return false;
}

// ---------------------------------------------------------------- boards

// Hexagons in the form of a parallelogram.
Graph hexagons(int width, int height) {
    Graph graph = grid(width, height);
    for (int y = 0; y + 1 < height; ++y)
        for (int x = 1; x < width; ++x) {
            graph[z(y * width + x)].insert((y + 1) * width + x - 1);
            graph[z((y + 1) * width + x - 1)].insert(y * width + x);
        }
    return graph;
}

Graph circle(int cells) {
    std::vector<std::pair<int, int>> edges;
    for (int c = 0; c < cells; ++c) edges.emplace_back(c, (c + 1) % cells);
    return graph_of(z(cells), edges);
}

// Two blocks and a bridge over which no piece gets far: a search sees all of its block before it knows.
Graph two_blocks(int side) {
    const Graph block = grid(side, side);
    Graph board = block;
    const int half = side * side;
    for (const auto& around : block) {
        board.emplace_back();
        for (int c : around) board.back().insert(c + half);
    }
    board[z(half - 1)].insert(half);
    board[z(half)].insert(half - 1);
    return board;
}

std::vector<HoleGraph::Step> hole_steps(const StepTable& table) {
    std::vector<HoleGraph::Step> out;
    for (const auto& s : table.steps) out.push_back({s.from, s.to, s.needs[1]});
    return out;
}
std::vector<HoleGraph::Step> hole_steps(const Graph& graph, bool wide) { return hole_steps(wide ? wide_tiles(graph) : tiles(graph)); }

bool touch(const Graph& graph, std::uint32_t a, std::uint32_t b) { return graph[a].count(static_cast<int>(b)) > 0; }

Tiles shuffled(std::size_t cells, std::size_t holes, std::mt19937_64& random) {
    Tiles out(cells, 0);
    for (std::size_t k = holes; k < cells; ++k) out[k] = static_cast<std::int32_t>(k - holes + 1);
    for (std::size_t i = cells; i > 1; --i) std::swap(out[i - 1], out[below(random, i)]);
    return out;
}

// The pieces in order, and the holes on the last cells.
Tiles sorted(std::size_t cells, std::size_t holes) {
    Tiles out(cells, 0);
    std::iota(out.begin(), out.end() - static_cast<std::ptrdiff_t>(holes), 1);
    return out;
}

// A board that falls apart into ears: a block of 2 by 3 cells, then chains with both ends on what is there.
struct Eared {
    Graph graph = grid(3, 2);
    std::vector<Ear> ears;

    Eared(std::size_t many, std::size_t longest, std::mt19937_64& random) {
        for (std::size_t k = 0; k < many; ++k) {
            const auto a = static_cast<int>(below(random, graph.size()));
            int b = a;
            while (b == a) b = static_cast<int>(below(random, graph.size()));
            Ear ear;
            int before = a;
            for (std::size_t length = 1 + below(random, longest); length > 0; --length) {
                const auto c = static_cast<int>(graph.size());
                graph.emplace_back();
                join(before, c);
                ear.push_back(u(c));
                before = c;
            }
            join(before, b);
            ears.push_back(ear);
        }
        std::reverse(ears.begin(), ears.end());
    }

private:
    void join(int a, int b) {
        graph[z(a)].insert(b);
        graph[z(b)].insert(a);
    }
};

// ---------------------------------------------------------------- a peeler that is watched

struct Watched {
    Graph graph;
    bool wide;
    Tiles now, goal;
    std::vector<bool> closed;
    std::size_t seen = 0;
    Peeler peeler;

    Watched(Graph board, bool with_two_holes, Tiles lies, Tiles wants)
        : graph(std::move(board)), wide(with_two_holes), now(std::move(lies)), goal(std::move(wants)), closed(graph.size(), false),
          peeler(graph.size(), hole_steps(graph, wide), now, goal) {}

    bool legal(std::uint32_t from, std::uint32_t to) const {
        if (from >= now.size() || to >= now.size() || now[from] == 0 || now[to] != 0 || !touch(graph, from, to)) return false;
        if (!wide) return true;
        return std::any_of(graph[from].begin(), graph[from].end(), [&](int c) { return now[z(c)] == 0 && touch(graph, to, u(c)); });
    }
    // What was played since the last time: legal, and nothing of it on closed cells.
    void watch() {
        CHECK(peeler.moves().size() >= seen);
        for (; seen < peeler.moves().size(); ++seen) {
            const auto [from, to] = peeler.moves()[seen];
            CHECK(legal(from, to));
            CHECK(!closed[from] && !closed[to]);
            std::swap(now[from], now[to]);
        }
        CHECK(now == peeler.lies());
    }
    // Whether there was a way; if not, all that was played is legal still.
    bool place(const Ear& ear, const Tick& tick = quiet) {
        try {
            peeler.place(ear, tick);
        } catch (const LimitReached&) {
            watch();
            return false;
        }
        watch();
        for (auto c : ear) {
            CHECK(now[c] == goal[c]);
            closed[c] = true;
        }
        return true;
    }
    bool fill(const Ear& ear, const Tick& tick = quiet) {
        try {
            peeler.fill(ear, tick);
        } catch (const LimitReached&) {
            watch();
            return false;
        }
        watch();
        for (auto c : ear) {
            CHECK(now[c] != 0);
            closed[c] = true;
        }
        return true;
    }
    // Everything closed is right, and no piece is lost.
    void finish() const {
        for (std::size_t c = 0; c < now.size(); ++c) CHECK(!closed[c] || now[c] == goal[c]);
        CHECK(std::is_permutation(now.begin(), now.end(), goal.begin()));
    }
};

// ---------------------------------------------------------------- a plain simulation of any rule

struct Plain {
    StepTable table;
    using State = std::vector<Shortener::Spot>;  // of each piece

    std::vector<bool> covered(const State& state) const {
        std::vector<bool> out(table.cells, false);
        for (const auto& [placement, turn] : state)
            for (auto c : table.cells_of(z(placement))) {
                CHECK(!out[z(c)]);
                out[z(c)] = true;
            }
        return out;
    }
    std::vector<std::pair<Move, State>> after(const State& state) const {
        const auto full = covered(state);
        std::vector<std::size_t> piece(table.placement_count(), state.size());
        for (std::size_t k = 0; k < state.size(); ++k) piece[z(state[k].first)] = k;
        std::vector<std::pair<Move, State>> out;
        for (const auto& s : table.steps) {
            const std::size_t k = piece[z(s.from)];
            if (k == state.size() || std::any_of(s.needs.begin(), s.needs.end(), [&](auto c) { return c >= 0 && full[z(c)]; })) continue;
            const Move move{s.from, s.to, s.turn};
            if (std::any_of(out.begin(), out.end(), [&](const auto& there) { return there.first == move; })) continue;
            State other = state;
            other[k] = {s.to, (state[k].second + s.turn) % static_cast<std::int32_t>(table.turns)};
            out.emplace_back(move, std::move(other));
        }
        return out;
    }
    State play(const State& state, const Move& move) const {
        for (auto& [there, other] : after(state))
            if (there == move) return other;
        fail(__FILE__, __LINE__, "a legal move");
    }
    State end(State state, const Moves& moves) const {
        for (const auto& m : moves) state = play(state, m);
        return state;
    }
    Moves walk(State state, std::size_t length, std::mt19937_64& random) const {
        Moves out;
        while (out.size() < length) {
            const auto ways = after(state);
            if (ways.empty()) break;
            const auto& [move, other] = ways[below(random, ways.size())];
            out.push_back(move);
            state = other;
        }
        return out;
    }
    std::map<State, unsigned> distances(const State& start) const {
        std::map<State, unsigned> out{{start, 0}};
        std::deque<State> queue{start};
        while (!queue.empty()) {
            const unsigned far = out.at(queue.front());
            for (auto& [move, other] : after(queue.front()))
                if (out.emplace(other, far + 1).second) queue.push_back(other);
            queue.pop_front();
        }
        return out;
    }
    bool repeats(State state, const Moves& moves) const {
        std::set<State> seen{state};
        for (const auto& m : moves)
            if (!seen.insert(state = play(state, m)).second) return true;
        return false;
    }
};

Moves moves_of(const Shortener& shortener) {
    Moves out;
    for (std::size_t i = 0; i < shortener.size(); ++i) out.push_back({shortener.step(i).from, shortener.step(i).to, shortener.step(i).turn});
    return out;
}

struct Kind {
    const char* name;
    Plain plain;
    Plain::State start;
    bool is_small;  // all its states can be listed
};

// Pieces put down at random until there are so many, and one can move.
Plain::State laid(const Plain& plain, std::size_t pieces, std::mt19937_64& random) {
    const StepTable& table = plain.table;
    for (;;) {
        Plain::State out;
        std::vector<bool> full(table.cells, false);
        for (int tries = 0; tries < 100 && out.size() < pieces; ++tries) {
            const std::size_t p = below(random, table.placement_count());
            const auto cells = table.cells_of(p);
            if (std::any_of(cells.begin(), cells.end(), [&](auto c) { return full[z(c)]; })) continue;
            for (auto c : cells) full[z(c)] = true;
            out.emplace_back(static_cast<std::int32_t>(p), static_cast<std::int32_t>(below(random, table.turns)));
        }
        if (out.size() == pieces && !plain.after(out).empty()) return out;
    }
}

std::vector<Kind> kinds(std::mt19937_64& random) {
    std::vector<Kind> out;
    const auto add = [&](const char* name, StepTable table, std::size_t pieces, bool is_small) {
        Plain plain{std::move(table)};
        auto start = laid(plain, pieces, random);
        out.push_back({name, std::move(plain), std::move(start), is_small});
    };
    add("5 tiles", tiles(grid(3, 2)), 5, true);
    add("3 tiles", tiles(grid(3, 2)), 3, true);
    add("2 tiles, 7 holes", tiles(grid(3, 3)), 2, true);
    add("3 tiles, 6 holes", tiles(grid(3, 3)), 3, true);
    add("24 tiles", tiles(grid(5, 5)), 24, false);
    add("20 tiles", tiles(grid(5, 5)), 20, false);
    add("16 tiles, 9 holes", tiles(grid(5, 5)), 16, false);
    add("4 hexagonal tiles", wide_tiles(hexagons(3, 2)), 4, true);
    add("5 hexagonal tiles", wide_tiles(hexagons(3, 3)), 5, true);
    add("23 hexagonal tiles", wide_tiles(hexagons(5, 5)), 23, false);
    add("21 hexagonal tiles", wide_tiles(hexagons(5, 5)), 21, false);
    add("2 gourds", gourds(hexagons(3, 2)), 2, true);
    add("3 gourds", gourds(hexagons(4, 2)), 3, true);
    add("3 gourds on squares", gourds(grid(3, 3)), 3, true);
    add("9 gourds", gourds(hexagons(5, 4)), 9, false);
    add("triangle", triangles(5), 1, true);
    add("2 triangles", triangles(7), 2, true);
    add("2 triangles, 3 holes", triangles(9), 2, false);
    return out;
}

// ---------------------------------------------------------------- hole graphs

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
                const bool goes = std::all_of(holes.begin(), holes.end(), [&](auto c) { return c == to || (touch(board, c, to) && touch(board, c, u(from))); });
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
        CHECK(graph.shapes_at(c).size() == static_cast<std::size_t>(std::count_if(shapes.begin(), shapes.end(), [&](const auto& s) { return s.count(c); })));
        std::set<std::uint32_t> around, listed(graph.neighbours(c).begin(), graph.neighbours(c).end());
        for (int other : board[c])
            if (!wide || std::any_of(board[c].begin(), board[c].end(), [&](int b) { return touch(board, u(b), u(other)); })) around.insert(u(other));
        CHECK(around == listed && listed.size() == graph.neighbours(c).size());
        CHECK(graph.decisions(c) == decisions[c].size() && graph.first_decision(c) == total);
        for (std::uint32_t d = graph.first_decision(c); d < graph.first_decision(c) + graph.decisions(c); ++d) {
            CHECK(decisions[c].count(graph.decision_shape(d)));
            CHECK(graph.decision_of(c, graph.decision_shape(d)) == d);
        }
        for (std::uint32_t s = 0; s < graph.shapes(); ++s) CHECK((graph.decision_of(c, s) == HoleGraph::none) == !decisions[c].count(s));
        total += decisions[c].size();
    }
    CHECK(graph.decisions() == total);
    if (wide)
        for (std::uint32_t a = 0; a < cells; ++a)
            for (std::uint32_t b = a; b < cells; ++b) CHECK((graph.find(a, b) == HoleGraph::none) == !shapes.count({a, b}));
}

void test_hole_graph() {
    std::mt19937_64 random(1);
    for (const auto& board : {grid(1, 1), grid(1, 4), grid(2, 2), grid(4, 3), circle(7), hexagons(4, 3), Eared(5, 4, random).graph}) check_graph(board, false);
    for (const auto& board : {hexagons(2, 2), hexagons(3, 2), hexagons(5, 4), circle(3)}) check_graph(board, true);
    // Where no three cells touch each other, nothing moves.
    CHECK(HoleGraph(9, hole_steps(grid(3, 3), true)).decisions() == 0);
}

void test_distances() {
    std::mt19937_64 random(2);
    for (const auto& board : {grid(1, 300), circle(520), grid(7, 5), hexagons(5, 5), Eared(6, 9, random).graph, Graph(3)}) {
        const HoleGraph graph(board.size(), hole_steps(board, false));
        const CellDistances far(graph);
        for (std::uint32_t a = 0; a < board.size(); a += 1 + u(static_cast<int>(board.size() / 20))) {
            std::vector<unsigned> plain(board.size(), 1000);
            std::deque<std::uint32_t> queue{a};
            plain[a] = 0;
            for (; !queue.empty(); queue.pop_front())
                for (int c : board[queue.front()])
                    if (plain[z(c)] == 1000) plain[z(c)] = plain[queue.front()] + 1, queue.push_back(u(c));
            for (std::uint32_t b = 0; b < board.size(); ++b) {
                CHECK(far(a, b) == std::min(255u, plain[b]) && far.row(a)[b] == far(a, b));
            }
        }
    }
    bool too_large = false;
    try {
        const CellDistances far(HoleGraph(CellDistances::most_cells + 1, {}));
    } catch (const LimitReached&) {
        too_large = true;
    }
    CHECK(too_large);
}

void test_key_set() {
    std::mt19937_64 random(3);
    KeySet set;
    for (int round = 0; round < 40; ++round) {
        set.clear();
        CHECK(set.size() == 0);
        std::map<std::uint64_t, std::uint32_t> plain;
        // Near ones, far ones, and those that the probing may confuse.
        const std::size_t many = below(random, round % 10 == 0 ? 20000 : 1000);
        for (std::size_t i = 0; i < many; ++i) {
            const std::uint64_t key = i % 3 == 0 ? below(random, 500) : i % 3 == 1 ? random() : below(random, 500) << 54;
            const auto [number, is_new] = set.insert(key);
            const auto [at, fresh] = plain.emplace(key, static_cast<std::uint32_t>(plain.size()));
            CHECK(is_new == fresh && number == at->second && set.key(number) == key);
        }
        CHECK(set.size() == plain.size());
    }
    KeySet fresh;
    CHECK(fresh.insert(0) == std::pair(0u, true) && fresh.insert(0) == std::pair(0u, false) && fresh.insert(~std::uint64_t{0}).second);
}

// ---------------------------------------------------------------- peeling tiles

// Rows from the top: one by one, the last cells of a row together or all of it as a chain; then columns of two.
std::vector<Ear> rows_then_columns(int width, int height, std::size_t together) {
    std::vector<Ear> out;
    const auto many = static_cast<int>(together);
    for (int y = 0; y + 2 < height; ++y) {
        for (int x = 0; x < width - many; ++x) out.push_back({u(y * width + x)});
        Ear ear;
        for (int x = std::max(0, width - many); x < width; ++x) ear.push_back(u(y * width + x));
        if (y % 2) std::reverse(ear.begin(), ear.end());
        out.push_back(ear);
    }
    for (int x = 0; x + 2 < width; ++x) out.push_back({u((height - 2) * width + x), u((height - 1) * width + x)});
    return out;
}

void test_tiles() {
    std::mt19937_64 random(4);
    for (const auto& [width, height] : {std::pair(3, 3), {4, 4}, {6, 5}, {9, 8}, {3, 12}})
        for (std::size_t holes : {1, 2, 3, 4})
            for (int round = 0; round < 3; ++round) {
                const Graph board = grid(width, height);
                Watched w(board, false, shuffled(board.size(), holes, random), sorted(board.size(), holes));
                for (const auto& ear : rows_then_columns(width, height, 2)) {
                    const bool placed = std::all_of(ear.begin(), ear.end(), [&](auto c) { return w.goal[c] != 0; });
                    CHECK(placed ? w.place(ear) : refused([&] { w.peeler.place(ear, quiet); }));
                }
                w.finish();
            }
}

// Chains of three cells and more are loaded like a queue. `all`: also if the only holes are in the chain, or pieces that
// belong into it already lie there.
void check_chains(bool all) {
    std::mt19937_64 random(5);
    std::map<std::size_t, unsigned> placed;
    const auto place = [&](Watched& w, const Ear& ear) {
        std::set<std::int32_t> inside, wanted;
        for (auto c : ear) inside.insert(w.now[c]), wanted.insert(w.goal[c]);
        const bool mixed = std::any_of(wanted.begin(), wanted.end(), [&](auto tile) { return inside.count(tile) > 0; });
        const bool easy = ear.size() < 3 || (!mixed && inside.count(0) == 0);
        const bool went_well = w.place(ear);
        CHECK(went_well || !(all || easy));
        placed[ear.size()] += went_well;
        return went_well;
    };
    // Whole rows, from one end or the other.
    for (const auto& [width, height] : {std::pair(3, 4), {4, 5}, {5, 5}, {8, 6}})
        for (std::size_t holes : {1, 2, 5})
            for (int round = 0; round < 4; ++round) {
                const Graph board = grid(width, height);
                Watched w(board, false, shuffled(board.size(), holes, random), sorted(board.size(), holes));
                for (int y = 0; y + 2 < height; ++y) {
                    Ear ear(z(width));
                    std::iota(ear.begin(), ear.end(), u(y * width));
                    if (round % 2) std::reverse(ear.begin(), ear.end());
                    if (!place(w, ear)) break;
                }
                w.finish();
            }
    // Ears of any length on boards that are nothing but ears.
    for (int round = 0; round < 120; ++round) {
        const Eared board(2 + below(random, 6), 5, random);
        const std::size_t cells = board.graph.size(), holes = 1 + below(random, 3);
        Tiles goal = shuffled(cells, holes, random);
        std::stable_partition(goal.begin(), goal.end(), [](auto tile) { return tile == 0; });  // holes in the block
        Watched w(board.graph, false, shuffled(cells, holes, random), goal);
        for (const auto& ear : board.ears)
            if (!place(w, ear)) break;
        w.finish();
    }
    for (std::size_t length = 1; length <= 5; ++length) CHECK(placed[length] > 10);
}
void test_chains_of_tiles() { check_chains(false); }

void test_circle() {
    // Only the order round the circle can't be changed: one piece goes anywhere.
    std::mt19937_64 random(6);
    for (int cells : {3, 4, 9, 30}) {
        const Graph board = circle(cells);
        Watched w(board, false, shuffled(z(cells), 1, random), sorted(z(cells), 1));
        CHECK(w.place({0}));
        w.finish();
    }
    // What can't be reached is said so, and the peeler goes on.
    Watched w(graph_of(6, {{0, 1}, {1, 2}, {2, 0}, {3, 4}, {4, 5}, {5, 3}}), false, {1, 2, 0, 3, 4, 5}, {3, 2, 0, 1, 4, 5});
    CHECK(!w.place({0}) && !w.place({3}) && w.place({1}));
    CHECK(refused([&] { w.peeler.place({0, 3}, quiet); }));
}

// ---------------------------------------------------------------- peeling hexagonal tiles

void test_hexagonal_tiles() {
    std::mt19937_64 random(7);
    // Ears of any form after a walk that leads away from the goal, so there is a way. Some ways are too hard to wait for.
    std::map<std::pair<std::size_t, std::size_t>, std::pair<unsigned, unsigned>> tried;  // by holes and length, and with success
    for (const auto& [width, height] : {std::pair(4, 4), {5, 5}, {6, 7}})
        for (std::size_t holes : {2, 3, 4})
            for (int round = 0; round < 24; ++round) {
                const Graph board = hexagons(width, height);
                Watched there(board, true, sorted(board.size(), holes), sorted(board.size(), holes));
                for (int moves = 0; moves < 60;) {
                    const auto from = static_cast<std::uint32_t>(below(random, board.size())), to = static_cast<std::uint32_t>(below(random, board.size()));
                    if (!there.legal(from, to)) continue;
                    std::swap(there.now[from], there.now[to]);
                    ++moves;
                }
                Watched w(board, true, there.now, there.goal);
                const std::size_t length = z(round % 4 + 1);
                Ear ear;
                while (ear.size() < length) {
                    const auto c = static_cast<std::uint32_t>(below(random, board.size()));
                    const bool next = ear.empty() || std::any_of(ear.begin(), ear.end(), [&](auto other) { return touch(board, other, c); });
                    if (next && w.goal[c] != 0 && std::find(ear.begin(), ear.end(), c) == ear.end()) ear.push_back(c);
                }
                unsigned heard = 0;
                bool went_well = false;
                try {
                    went_well = w.place(ear, [&](const char*, std::uint64_t, std::uint64_t) {
                        if (++heard == 20) throw TimeUp{};
                    });
                } catch (const TimeUp&) {
                    w.watch();
                }
                ++tried[{holes, length}].first;
                tried[{holes, length}].second += went_well;
                w.finish();
            }
    for (const auto& [what, counts] : tried) CHECK(10 * counts.second >= 7 * counts.first);
    // Rows from the top, with one more hole than work.
    for (std::size_t together : {2, 3}) {
        const Graph board = hexagons(5, 5);
        Tiles lies = shuffled(25, 3, random);
        for (std::size_t k = 0; k < 2; ++k) std::swap(*std::find(lies.begin() + static_cast<std::ptrdiff_t>(k), lies.end(), 0), lies[k]);
        Watched w(board, true, lies, sorted(25, 3));
        for (std::uint32_t y = 0; y < 2; ++y) {
            Ear ear;
            for (std::uint32_t x = 0; x < 5; ++x)
                if (x < 5 - together) CHECK(w.place({y * 5 + x}));
                else ear.push_back(y * 5 + x);
            CHECK(w.place(ear));
        }
        w.finish();
    }
    // More at once than are searched for.
    Tiles lies = sorted(36, 2);
    std::swap(lies[0], lies[1]);
    Watched w(hexagons(6, 6), true, sorted(36, 2), lies);
    CHECK(!w.place({0, 1, 2, 3, 4}) && w.place({7}));
}

// ---------------------------------------------------------------- holes that are filled, moves from elsewhere

void test_fill() {
    std::mt19937_64 random(8);
    for (bool wide : {false, true})
        for (std::size_t holes : {2, 3, 5, 9})
            for (int round = 0; round < 4; ++round) {
                const Graph board = wide ? hexagons(5, 5) : grid(5, 5);
                Tiles lies = shuffled(25, holes, random);
                if (wide)  // two holes that can work, and that stay open
                    for (std::size_t k : {23, 24}) std::swap(*std::find(lies.begin(), lies.end(), 0), lies[k]);
                Watched w(board, wide, lies, lies);
                for (std::size_t c = 0; c < (wide ? 10 : 14);) {
                    Ear ear;
                    for (const std::size_t end = c + 1 + below(random, 3); c < end; ++c) ear.push_back(static_cast<std::uint32_t>(c));
                    if (!w.fill(ear)) {
                        CHECK(wide);
                        break;
                    }
                    CHECK(refused([&] { w.peeler.fill(ear, quiet); }));
                }
                w.watch();
                CHECK(std::is_permutation(w.now.begin(), w.now.end(), lies.begin()));
            }
    // There are no pieces left.
    Watched w(grid(2, 2), false, {1, 0, 0, 0}, {1, 0, 0, 0});
    CHECK(w.fill({0}) && !w.fill({1}));
}

// A tick that stops the search at its k-th call: moves up to there are legal, and the peeler goes on.
void test_stopped() {
    const int side = 12, half = side * side;
    const Graph board = two_blocks(side);
    Tiles lies = sorted(board.size(), 1), goal = lies;
    std::swap(goal[0], goal[z(half + side)]);
    std::swap(goal[1], goal[2]);
    for (unsigned calls = 0; calls < 4; ++calls) {
        Watched w(board, false, lies, goal);
        unsigned heard = 0;
        CHECK_THROWS(TimeUp, w.place({0}, [&](const char*, std::uint64_t, std::uint64_t) {
            if (heard++ == calls) throw TimeUp{};
        }));
        w.watch();
        CHECK(!w.place({0}) && w.place({1}) && w.place({u(half)}));
        w.finish();
    }
}

// ---------------------------------------------------------------- shortening

void check_shortened(const Kind& kind, const Moves& moves, const Shortener& shortener, std::size_t most) {
    const Moves after = moves_of(shortener);
    CHECK(after.size() <= most);
    CHECK(kind.plain.end(kind.start, after) == kind.plain.end(kind.start, moves));
}

void test_load() {
    std::mt19937_64 random(11);
    for (const auto& kind : kinds(random)) {
        Shortener shortener(kind.plain.table, kind.start);
        CHECK(shortener.size() == 0);
        for (std::size_t length : {0, 1, 2, 77}) {
            const Moves moves = kind.plain.walk(kind.start, length, random);
            shortener.load(moves);
            CHECK(moves_of(shortener) == moves);
        }
    }
}

void test_loops() {
    std::mt19937_64 random(12);
    for (const auto& kind : kinds(random)) {
        Shortener shortener(kind.plain.table, kind.start);
        for (std::size_t length : {0, 1, 2, 3, 10, 300}) {
            const Moves moves = kind.plain.walk(kind.start, length, random);
            shortener.load(moves);
            shortener.cut_loops();
            check_shortened(kind, moves, shortener, moves.size());
            const Moves after = moves_of(shortener);
            CHECK(!kind.plain.repeats(kind.start, after));
            // What has no loops stays as it is.
            shortener.cut_loops();
            CHECK(moves_of(shortener) == after);
            CHECK(kind.plain.repeats(kind.start, moves) || after == moves);
        }
    }
}

void test_passes() {
    std::mt19937_64 random(13);
    for (const auto& kind : kinds(random)) {
        Shortener shortener(kind.plain.table, kind.start);
        for (const auto& [length, nodes] : std::vector<std::pair<unsigned, std::uint64_t>>{
                 {0, 100}, {2, 0}, {2, 10}, {3, 1}, {7, 30}, {12, 500}, {24, 2000}, {61, 100}, {120, 300}, {~0u, 50}}) {
            const Moves moves = kind.plain.walk(kind.start, 30 + below(random, 170), random);
            shortener.load(moves);
            if (random() & 1) shortener.cut_loops();
            std::size_t before = shortener.size();
            for (int round = 0; round < 2; ++round) {
                CHECK(shortener.pass(length, nodes, quiet));
                check_shortened(kind, moves, shortener, before);
                CHECK(nodes > 0 || shortener.size() == before);
                before = shortener.size();
            }
            shortener.cut_loops();
            check_shortened(kind, moves, shortener, before);
        }
    }
}

// A stretch as long as all of it: as short as can be, unless there are so many holes that not all pieces are tried.
void test_shortest() {
    std::mt19937_64 random(14);
    for (const auto& kind : kinds(random)) {
        if (!kind.is_small) continue;
        const auto far = kind.plain.distances(kind.start);
        std::size_t holes = kind.plain.table.cells - kind.start.size() * kind.plain.table.piece_cells;
        Shortener shortener(kind.plain.table, kind.start);
        for (std::size_t length : {2, 5, 9, 20, 40, 80, 120})
            for (int round = 0; round < 2; ++round) {
                const Moves moves = kind.plain.walk(kind.start, length, random);
                shortener.load(moves);
                CHECK(shortener.pass(120, plenty, quiet));
                check_shortened(kind, moves, shortener, moves.size());
                CHECK(holes > 6 || shortener.size() == far.at(kind.plain.end(kind.start, moves)));
                CHECK(shortener.size() >= far.at(kind.plain.end(kind.start, moves)));
            }
    }
}

void test_eight() {
    std::mt19937_64 random(15);
    for (bool wide : {false, true}) {
        const Plain plain{wide ? wide_tiles(hexagons(3, 3)) : tiles(grid(3, 3))};
        Plain::State start;
        for (std::int32_t c = 0; c < (wide ? 7 : 8); ++c) start.emplace_back(c, 0);
        Shortener shortener(plain.table, start);
        // Plain distances by a search of layers over states as text, for that many states a map is slow.
        const auto text = [](const Plain::State& state) {
            std::string out;
            for (const auto& spot : state) out += static_cast<char>('a' + spot.first);
            return out;
        };
        std::map<std::string, unsigned> far;
        std::vector<Plain::State> layer{start};
        far[text(start)] = 0;
        for (unsigned depth = 1; depth <= 13; ++depth) {
            std::vector<Plain::State> next;
            for (const auto& state : layer)
                for (const auto& [move, other] : plain.after(state))
                    if (far.emplace(text(other), depth).second) next.push_back(other);
            layer = std::move(next);
        }
        unsigned compared = 0;
        for (int round = 0; round < 40; ++round) {
            const Moves moves = plain.walk(start, 20 + below(random, 50), random);
            shortener.load(moves);
            shortener.cut_loops();
            CHECK(shortener.pass(120, plenty, quiet));
            const Plain::State end = plain.end(start, moves);
            CHECK(plain.end(start, moves_of(shortener)) == end);
            const auto found = far.find(text(end));
            compared += found != far.end();
            CHECK(found != far.end() ? shortener.size() == found->second : shortener.size() > 13);
        }
        CHECK(compared > 5);
    }
}

void test_stopped_passes() {
    std::mt19937_64 random(16);
    unsigned stopped = 0;
    for (const auto& kind : kinds(random)) {
        Shortener shortener(kind.plain.table, kind.start);
        const Moves moves = kind.plain.walk(kind.start, 400, random);
        for (unsigned calls : {0, 1, 2, 5, 1000}) {
            shortener.load(moves);
            unsigned heard = 0;
            const bool finished = shortener.pass(6, 40, [&](const char*, std::uint64_t done, std::uint64_t total) {
                CHECK(done <= total);
                if (heard++ == calls) throw TimeUp{};
            });
            CHECK(finished == (heard <= calls));
            stopped += !finished;
            check_shortened(kind, moves, shortener, moves.size());
            const std::size_t before = shortener.size();
            CHECK(shortener.pass(9, 40, quiet));
            check_shortened(kind, moves, shortener, before);
        }
    }
    CHECK(stopped > 30);
}

// An error from a tick goes on to the caller, and leaves a solution.
void test_failed_pass() {
    std::mt19937_64 random(20);
    const auto kind = kinds(random)[0];
    Shortener shortener(kind.plain.table, kind.start);
    const Moves moves = kind.plain.walk(kind.start, 400, random);
    shortener.load(moves);
    unsigned heard = 0;
    CHECK_THROWS(std::runtime_error, shortener.pass(6, 40, [&](const char*, std::uint64_t, std::uint64_t) {
        if (heard++ == 2) throw std::runtime_error("stop");
    }));
    check_shortened(kind, moves, shortener, moves.size());
}
// One long search asks whether it should go on.
void test_listening() {
    const Plain plain{tiles(grid(4, 4))};
    Plain::State start;
    for (std::int32_t c = 0; c < 15; ++c) start.emplace_back(c, 0);
    std::mt19937_64 random(22);
    Shortener shortener(plain.table, start);
    shortener.load(plain.walk(start, 120, random));
    unsigned heard = 0;
    shortener.pass(120, 3'000'000, [&](const char*, std::uint64_t, std::uint64_t) { ++heard; });
    CHECK(heard > 0);
}

// ---------------------------------------------------------------- bad input

void test_bad_graphs() {
    using Steps = std::vector<HoleGraph::Step>;
    const auto made = [](std::size_t cells, const Steps& steps) { HoleGraph(cells, steps); };
    for (std::size_t cells : {std::size_t{0}, std::size_t{1} << 24, std::size_t{1} << 32, ~std::size_t{0}}) CHECK(refused([&] { made(cells, {}); }));
    const auto least = std::numeric_limits<std::int32_t>::min(), most = std::numeric_limits<std::int32_t>::max();
    for (std::int32_t bad : {-1, 4, least, most}) {
        CHECK(refused([&] { made(4, {{bad, 1, -1}}); }));
        CHECK(refused([&] { made(4, {{1, bad, -1}}); }));
        CHECK(refused([&] { made(4, {{0, 1, 2}, {bad, 1, 2}}); }));
        CHECK(refused([&] { made(4, {{0, 1, 2}, {0, 1, bad}}); }));
    }
    CHECK(refused([&] { made(4, {{1, 1, -1}}); }) && refused([&] { made(4, {{0, 1, 1}}); }) && refused([&] { made(4, {{0, 1, 0}}); }));
    CHECK(refused([&] { made(4, {{0, 1, -1}, {0, 1, 2}}); }) && refused([&] { made(4, {{0, 1, 2}, {0, 1, -1}}); }));
    CHECK(refused([&] { made(4, {{0, 1, 2}}); }));  // no way back
    made(4, {});
    made(1, {});
}

void test_bad_peelers() {
    const Graph board = grid(3, 2);
    const auto steps = hole_steps(board, false);
    const auto made = [&](std::size_t cells, Tiles lies, Tiles goal) { Peeler(cells, steps, std::move(lies), std::move(goal)); };
    const Tiles good{1, 2, 3, 4, 5, 0};
    made(6, good, good);
    made(6, {0, 0, 0, 0, 0, 0}, {0, 0, 0, 0, 0, 0});
    made(6, {6, 0, 0, 0, 0, 2}, {0, 0, 2, 6, 0, 0});
    CHECK(refused([&] { made(5, good, good); }) && refused([&] { made(7, good, good); }));
    CHECK(refused([&] { made(6, {}, good); }) && refused([&] { made(6, good, {}); }) && refused([&] { made(6, good, {1, 2, 3, 4, 5, 0, 0}); }));
    for (std::int32_t bad : {-1, 7, 1, std::numeric_limits<std::int32_t>::min(), std::numeric_limits<std::int32_t>::max()}) {
        CHECK(refused([&] { made(6, {1, 2, 3, 4, bad, 0}, good); }));
        CHECK(refused([&] { made(6, good, {1, 2, 3, 4, bad, 0}); }));
    }
    CHECK(refused([&] { made(6, good, {1, 2, 3, 4, 6, 0}); }) && refused([&] { made(6, good, {1, 2, 3, 4, 0, 0}); }));
    Watched w(board, false, {5, 4, 3, 2, 1, 0}, good);
    for (const Ear& ear : {Ear{6}, Ear{~0u}, Ear{5}, Ear{0, 5}, Ear{0, 6}, Ear{5, 0}}) CHECK(refused([&] { w.peeler.place(ear, quiet); }));
    for (const Ear& ear : {Ear{6}, Ear{~0u}, Ear{0, 6}}) CHECK(refused([&] { w.peeler.fill(ear, quiet); }));
    CHECK(w.seen == 0 && w.peeler.moves().empty());
    CHECK(w.place({}) && w.fill({}) && w.place({0}));
    for (const Ear& ear : {Ear{0}, Ear{1, 0}, Ear{0, 3}}) {
        CHECK(refused([&] { w.peeler.place(ear, quiet); }));
        CHECK(refused([&] { w.peeler.fill(ear, quiet); }));
    }
    // The ends of a chain between nothing.
    Watched chain(grid(4, 1), false, {3, 1, 2, 0}, {1, 2, 3, 0});
    CHECK(refused([&] { chain.peeler.place({0, 1, 2}, quiet); }));
    chain.watch();
}

// Any ears on any boards: a way, a message, never anything that is not a move.
void test_any_ears() {
    std::mt19937_64 random(17);
    for (int round = 0; round < 150; ++round) {
        const bool wide = random() & 1;
        const auto width = static_cast<int>(1 + below(random, 5)), height = static_cast<int>(1 + below(random, 4));
        Graph board = wide ? hexagons(width, height) : random() % 4 ? grid(width, height) : Eared(below(random, 4), 4, random).graph;
        const std::size_t cells = board.size(), holes = below(random, std::min<std::size_t>(cells, 5) + 1);
        Watched w(board, wide, shuffled(cells, holes, random), shuffled(cells, holes, random));
        for (int k = 0; k < 6; ++k) {
            const bool fills = below(random, 4) == 0;
            Ear ear;
            // A walk that meets no cell twice; for hexagonal tiles any cells will do.
            auto c = static_cast<std::uint32_t>(below(random, cells));
            for (std::size_t length = 1 + below(random, 4); length > 0; --length) {
                ear.push_back(c);
                std::vector<std::uint32_t> next;
                for (int other : board[c])
                    if (std::find(ear.begin(), ear.end(), u(other)) == ear.end()) next.push_back(u(other));
                if (wide)
                    for (std::uint32_t other = 0; other < cells; ++other)
                        if (std::find(ear.begin(), ear.end(), other) == ear.end() && below(random, cells) == 0) next.push_back(other);
                if (next.empty()) break;
                c = next[below(random, next.size())];
            }
            if (below(random, 20) == 0) ear.push_back(static_cast<std::uint32_t>(random()) | 0x100);
            const bool bad = std::any_of(ear.begin(), ear.end(), [&](auto cell) { return cell >= cells || w.closed[cell] || (!fills && w.goal[cell] == 0); });
            bool is_refused = false;
            try {
                fills ? w.fill(ear) : w.place(ear);
            } catch (const std::invalid_argument&) {
                is_refused = true;
            }
            CHECK(is_refused || !bad);
            w.watch();
        }
        CHECK(std::is_permutation(w.now.begin(), w.now.end(), w.goal.begin()));
    }
}

void test_bad_shorteners() {
    std::mt19937_64 random(18);
    const auto made = [](StepTable table, Plain::State pieces) { Shortener(std::move(table), std::move(pieces)); };
    const auto least = std::numeric_limits<std::int32_t>::min(), most = std::numeric_limits<std::int32_t>::max();
    for (const auto& kind : kinds(random)) {
        const auto& table = kind.plain.table;
        made(table, kind.start);
        made(table, {});
        const auto placements = static_cast<std::int32_t>(table.placement_count()), turns = static_cast<std::int32_t>(table.turns);
        for (const Shortener::Spot& bad : {Shortener::Spot{-1, 0}, {placements, 0}, {least, 0}, {most, 0}, {0, -1}, {0, turns}, {0, most}, {0, least}})
            CHECK(refused([&] { made(table, {bad}); }));
        auto twice = kind.start;
        twice.push_back(kind.start[0]);
        CHECK(refused([&] { made(table, twice); }));
        Shortener shortener(table, kind.start);
        const Moves good = kind.plain.walk(kind.start, 20, random);
        for (int round = 0; round < 100; ++round) {
            Moves moves = good;
            auto& number = moves[below(random, moves.size())][below(random, 3)];
            const std::int32_t before = number;
            number = std::array{least, -1, most, placements, turns, static_cast<std::int32_t>(below(random, table.placement_count()))}[below(random, 6)];
            // Is it legal by chance?
            bool legal = true;
            auto state = kind.start;
            for (const auto& m : moves) {
                const auto ways = kind.plain.after(state);
                const auto found = std::find_if(ways.begin(), ways.end(), [&](const auto& way) { return way.first == m; });
                legal = found != ways.end();
                if (!legal) break;
                state = found->second;
            }
            CHECK(legal || before != number);
            CHECK(refused([&] { shortener.load(moves); }) == !legal);
            // It can be used again, also with what was read of the bad ones.
            if (round % 10 == 0) shortener.cut_loops(), shortener.pass(10, 20, quiet);
        }
        shortener.load(good);
        CHECK(moves_of(shortener) == good);
        CHECK(shortener.pass(10, 100, quiet));
        check_shortened(kind, good, shortener, good.size());
    }
    StepTable table = tiles(grid(3, 2));
    const auto spoiled = [&](auto spoil) {
        StepTable bad = table;
        spoil(bad);
        CHECK(refused([&] { made(bad, {{0, 0}}); }));
    };
    spoiled([](StepTable& t) { t.cells = 0; });
    spoiled([](StepTable& t) { t.cells = 5; });
    spoiled([](StepTable& t) { t.turns = 0; });
    spoiled([](StepTable& t) { t.piece_cells = 0; });
    spoiled([](StepTable& t) { t.steps[0].to = -1; });
    spoiled([](StepTable& t) { t.steps[0].needs[0] = 6; });
    spoiled([](StepTable& t) { t.steps[0].needs[0] = -1; });
    spoiled([](StepTable& t) { t.steps.pop_back(); });
    spoiled([](StepTable& t) { t.placements[1] = 0; });
}

// ---------------------------------------------------------------- what was found to fail

// Run by name only, until it is mended.

void test_all_chains() { check_chains(true); }
// Cells that do not touch, or come twice, are no chain: pieces would jump, or be lost.
void test_no_chain() {
    const Tiles lies = sorted(30, 1);
    Tiles goal = lies;
    std::reverse(goal.begin(), goal.end() - 1);
    for (const Ear& ear : {Ear{0, 2, 4}, Ear{0, 1, 3, 4}, Ear{0, 0, 1}, Ear{1, 2, 2}, Ear{0, 1, 0}}) {
        Watched w(grid(5, 6), false, lies, goal);
        bool is_refused = false;
        try {
            is_refused = refused([&] { w.peeler.place(ear, quiet); });
        } catch (const LimitReached&) {
        }
        w.watch();
        CHECK(is_refused);
    }
}
// Cells that a failed fill leaves barred stay in the way of all that comes.
void test_barred_by_fill() {
    Watched w(grid(3, 3), false, {1, 0, 0, 0, 0, 0, 0, 0, 0}, {0, 0, 0, 0, 0, 0, 0, 0, 1});
    CHECK(!w.fill({0, 1}));
    CHECK(w.place({8}));
}
void test_barred_by_tick() {
    const Graph board = two_blocks(12);
    Tiles lies = sorted(board.size(), 1), goal = lies;
    std::swap(goal[2], goal[160]);
    std::swap(goal[0], goal[5]);
    Watched w(board, false, lies, goal);
    CHECK_THROWS(TimeUp, w.peeler.place({0, 1, 2}, [](const char*, std::uint64_t, std::uint64_t) { throw TimeUp{}; }));
    w.watch();
    CHECK(w.place({0}));
}
// Steps that can't be taken back: a search that goes round for ever, as its costs are less than nothing.
void test_one_way() {
    CHECK(refused([] { HoleGraph(3, std::vector<HoleGraph::Step>{{0, 1, -1}, {1, 2, -1}, {2, 0, -1}}); }));
}
// What can't be loaded does not take the place of what was.
void test_failed_load() {
    std::mt19937_64 random(21);
    const auto kind = kinds(random)[0];
    Shortener shortener(kind.plain.table, kind.start);
    const Moves good = kind.plain.walk(kind.start, 20, random);
    shortener.load(good);
    Moves bad = good;
    bad[10] = {-1, -1, -1};
    CHECK(refused([&] { shortener.load(bad); }));
    CHECK(moves_of(shortener) == good);
}
}  // namespace

int main(int argc, char** argv) {
    const std::pair<const char*, void (*)()> tests[] = {
        {"hole graphs", test_hole_graph},
        {"distances of cells", test_distances},
        {"sets of keys", test_key_set},
        {"tiles", test_tiles},
        {"chains of tiles", test_chains_of_tiles},
        {"circles", test_circle},
        {"hexagonal tiles", test_hexagonal_tiles},
        {"holes that are filled", test_fill},
        {"peeling that is stopped", test_stopped},
        {"moves that are loaded", test_load},
        {"loops", test_loops},
        {"passes", test_passes},
        {"shortest solutions", test_shortest},
        {"shortest solutions of the 8-puzzle", test_eight},
        {"passes that are stopped", test_stopped_passes},
        {"passes that fail", test_failed_pass},
        {"searches that listen", test_listening},
        {"bad graphs", test_bad_graphs},
        {"bad peelers", test_bad_peelers},
        {"any ears", test_any_ears},
        {"bad shorteners", test_bad_shorteners},
        {"all chains of tiles", test_all_chains},
        {"no chain", test_no_chain},
        {"barred by a failed fill", test_barred_by_fill},
        {"barred by a tick", test_barred_by_tick},
        {"one way", test_one_way},
        {"a load that fails", test_failed_load},
    };
    for (const auto& [name, test] : tests) {
        if (argc > 1 && std::string(argv[1]) != name) continue;
        std::cout << name << std::endl;
        test();
        ++passed;
    }
    std::cout << passed << " passed, 0 failed\n";
}
