// Walks of the holes: every move is replayed by the rule, and the gain is computed anew from the two boards.
#include "huge/support.hpp"

namespace {

using Tiles = std::vector<std::int32_t>;  // of each cell, 0 for a hole

Tiles shuffled_tiles(std::size_t cells, std::size_t holes, std::mt19937_64& random) {
    Tiles out(cells, 0);
    for (std::size_t k = holes; k < cells; ++k) out[k] = static_cast<std::int32_t>(k - holes + 1);
    for (std::size_t i = cells; i > 1; --i) std::swap(out[i - 1], out[below(random, i)]);
    return out;
}

std::vector<unsigned> plain_distances(const Graph& board, std::uint32_t from) {
    std::vector<unsigned> out(board.size(), 1000);
    std::deque<std::uint32_t> queue{from};
    out[from] = 0;
    for (; !queue.empty(); queue.pop_front())
        for (int c : board[queue.front()])
            if (out[z(c)] == 1000) out[z(c)] = out[queue.front()] + 1, queue.push_back(u(c));
    return out;
}

// The sum over all pieces of weight and distance from the goal; by coordinates 5 max + 2 min, else 5 times the steps.
std::int64_t potential(const Graph& board, const Tiles& now, const Tiles& goal,
                       const std::vector<std::uint32_t>& weights, int width) {
    std::int64_t sum = 0;
    for (std::uint32_t c = 0; c < now.size(); ++c) {
        if (now[c] == 0) continue;
        const auto aim = static_cast<std::uint32_t>(std::find(goal.begin(), goal.end(), now[c]) - goal.begin());
        std::int64_t far = 5 * plain_distances(board, aim)[c];
        if (width > 0) {
            const int a = static_cast<int>(aim), b = static_cast<int>(c);
            const int dx = std::abs(a % width - b % width), dy = std::abs(a / width - b / width);
            far = 5 * std::max(dx, dy) + 2 * std::min(dx, dy);
        }
        sum += static_cast<std::int64_t>(weights[z(now[c])]) * far;
    }
    return sum;
}

bool is_legal(const Graph& board, bool wide, const Tiles& now, std::uint32_t from, std::uint32_t to) {
    if (now[from] == 0 || now[to] != 0 || !touch(board, from, to)) return false;
    return !wide || std::any_of(board[from].begin(), board[from].end(),
                                [&](int c) { return now[z(c)] == 0 && touch(board, to, u(c)); });
}

std::vector<CellDistances::Position> grid_positions(int width, std::size_t cells) {
    std::vector<CellDistances::Position> out;
    for (int c = 0; c < static_cast<int>(cells); ++c) out.push_back({c % width, c / width});
    return out;
}

TEST("walks of holes") {
    std::mt19937_64 random(3);
    for (int round = 0; round < 60; ++round) {
        const bool wide = round % 3 == 0, by_coordinates = round % 3 == 1;
        const int width = 4 + static_cast<int>(below(random, 9)), height = 4 + static_cast<int>(below(random, 9));
        const Graph board = wide || round % 2 ? (wide ? hexagons(width, height) : grid(width, height))
                            : by_coordinates  ? grid(width, height)
                                              : Eared(12, 4, random).graph;
        const std::size_t cells = board.size(),
                          holes = (wide ? 2 : 1) + (round % 4 == 3 ? below(random, cells / 2) : 0);
        Tiles now = shuffled_tiles(cells, holes, random), goal = shuffled_tiles(cells, holes, random);
        if (wide)  // two holes that can work
            for (std::size_t k : {cells - 2, cells - 1}) std::swap(*std::find(now.begin(), now.end(), 0), now[k]);
        Peeler peeler(cells, hole_steps(board, wide), now, goal, plenty,
                      by_coordinates ? grid_positions(width, cells) : std::vector<CellDistances::Position>{});
        std::vector<std::uint32_t> weights(cells + 1);
        for (auto& w : weights) w = 16 + static_cast<std::uint32_t>(below(random, 128));
        // A closed cell stays as it is.
        const bool closes = by_coordinates && holes == 1 && goal[0] != 0;
        if (closes) peeler.place({0}, quiet);
        std::size_t seen = 0;
        const auto replay = [&](bool is_walk) {
            for (; seen < peeler.moves().size(); ++seen) {
                const auto [from, to] = peeler.moves()[seen];
                CHECK(is_legal(board, wide, now, from, to));
                CHECK(!is_walk || !closes || (from != 0 && to != 0));
                std::swap(now[from], now[to]);
            }
            CHECK(now == peeler.pieces());
        };
        replay(false);
        const double min_gain = 0.5 + static_cast<double>(below(random, 3));
        const Peeler::Search search{1 + below(random, 60), static_cast<unsigned>(6 + below(random, 59)), min_gain};
        for (int again = 0; again < 2; ++again) {
            const auto before = potential(board, now, goal, weights, by_coordinates ? width : 0);
            const std::size_t length = peeler.moves().size();
            CHECK(peeler.walk(weights, search, quiet) == peeler.moves().size() - length);
            replay(true);
            // All windows of chunks but the last gained enough; the last one ended the walk.
            const auto gain = before - potential(board, now, goal, weights, by_coordinates ? width : 0);
            const auto window = static_cast<double>(10 * (search.depth / 6));
            CHECK(static_cast<double>(gain) >=
                  80 * min_gain * (static_cast<double>(peeler.moves().size() - length) - window) - window * 5 * 144);
        }
    }
}

TEST("long walks") {
    // On a board in disorder the holes move far, and nearly every move is good.
    std::mt19937_64 random(4);
    const int width = 30;
    const Graph board = grid(width, width);
    const Tiles now = shuffled_tiles(board.size(), 1, random), goal = shuffled_tiles(board.size(), 1, random);
    Peeler peeler(board.size(), hole_steps(board, false), now, goal, plenty, grid_positions(width, board.size()));
    const std::vector<std::uint32_t> weights(board.size() + 1, 16);
    const auto before = potential(board, now, goal, weights, width);
    const std::size_t length = peeler.walk(weights, {200, 60, 0.5}, quiet);
    const auto after = potential(board, peeler.pieces(), goal, weights, width);
    CHECK(length > 1000 && before - after > 80 * static_cast<std::int64_t>(length) / 2);
}

TEST("walks that are stopped") {
    std::mt19937_64 random(5);
    const Graph board = grid(12, 12);
    const Tiles start = shuffled_tiles(144, 1, random), goal = shuffled_tiles(144, 1, random);
    for (unsigned calls : {0, 1, 3, 10}) {
        Peeler peeler(144, hole_steps(board, false), start, goal, plenty);
        unsigned ticks = 0;
        CHECK_THROWS(OutOfTime, peeler.walk(std::vector<std::uint32_t>(145, 16), {50, 60, 0.1},
                                            [&](const char* phase, std::uint64_t, std::uint64_t) {
                                                if (std::string_view(phase) == "walk" && ticks++ == calls)
                                                    throw OutOfTime{};
                                            }));
        Tiles now = start;
        for (const auto& [from, to] : peeler.moves()) {
            CHECK(is_legal(board, false, now, from, to));
            std::swap(now[from], now[to]);
        }
        CHECK(now == peeler.pieces());
        peeler.place({0}, quiet);
        CHECK(peeler.pieces()[0] == goal[0]);
    }
}

TEST("walks without room") {
    // No hole, only holes, one cell, a hole that cannot move.
    for (const Tiles& tiles : {Tiles{1, 2, 3, 4}, Tiles{0, 0, 0, 0}}) {
        Peeler peeler(4, hole_steps(grid(2, 2), false), tiles, tiles, plenty);
        CHECK(peeler.walk(std::vector<std::uint32_t>(5, 16), {10, 60, 0.5}, quiet) == 0);
    }
    Peeler one(1, {}, {0}, {0}, plenty);
    CHECK(one.walk({16, 16}, {10, 60, 0.5}, quiet) == 0);
    Peeler dead_end(3, hole_steps(grid(3, 1), false), {1, 2, 0}, {1, 2, 0}, plenty);
    CHECK(dead_end.walk({16, 16, 16, 16}, {10, 60, 0.5}, quiet) == 0);
}

TEST("bad walks") {
    const Tiles tiles{1, 2, 3, 0};
    Peeler peeler(4, hole_steps(grid(2, 2), false), tiles, tiles, plenty);
    const std::vector<std::uint32_t> weights(5, 16);
    const double infinite = std::numeric_limits<double>::infinity();
    for (const Peeler::Search& search :
         {Peeler::Search{0, 60, 0.5}, Peeler::Search{10, 5, 0.5}, Peeler::Search{10, 65, 0.5},
          Peeler::Search{10, 60, 0.0}, Peeler::Search{10, 60, -1.0}, Peeler::Search{10, 60, infinite},
          Peeler::Search{10, 60, std::numeric_limits<double>::quiet_NaN()}})
        CHECK(refused([&] { peeler.walk(weights, search, quiet); }));
    for (const auto& bad :
         {std::vector<std::uint32_t>{}, std::vector<std::uint32_t>(4, 16), std::vector<std::uint32_t>(5, 1u << 31)})
        CHECK(refused([&] { peeler.walk(bad, {10, 60, 0.5}, quiet); }));
    CHECK(peeler.moves().empty());
}

// Where distances are those of coordinates, and where they must not be.
TEST("distances by coordinates") {
    using Positions = std::vector<CellDistances::Position>;
    std::mt19937_64 random(6);
    int exact = 0, searched = 0;
    for (int round = 0; round < 400; ++round) {
        // Any set of squares in a small rectangle, most of them with few cells missing.
        const int width = 1 + static_cast<int>(below(random, 6)), height = 1 + static_cast<int>(below(random, 6));
        Positions positions;
        for (int y = 0; y < height; ++y)
            for (int x = 0; x < width; ++x)
                if (below(random, 12) > 0) positions.push_back({x - 3, y});
        if (positions.empty()) continue;
        std::shuffle(positions.begin(), positions.end(), random);
        Graph board(positions.size());
        for (std::size_t a = 0; a < board.size(); ++a)
            for (std::size_t b = 0; b < board.size(); ++b)
                if (std::abs(positions[a][0] - positions[b][0]) + std::abs(positions[a][1] - positions[b][1]) == 1 &&
                    (round % 5 || below(random, 30) > 0 || a > b))
                    board[a].insert(static_cast<int>(b)), board[b].insert(static_cast<int>(a));
        const HoleGraph graph(board.size(), hole_steps(board, false));
        CellDistances far(graph, plenty, positions);
        (far.is_grid() ? exact : searched) += 1;
        for (std::uint32_t a = 0; a < board.size(); ++a) {
            const auto plain = plain_distances(board, a);
            for (std::uint32_t b = 0; b < board.size(); ++b)
                CHECK(far.row(a, quiet)[b] == std::min(255u, plain[b]) && far.row(a, quiet).is_exact(plain[b] % 255));
        }
        CHECK(far.rows() == (far.is_grid() ? 0 : board.size()));
    }
    CHECK(exact > 50 && searched > 50);
    // Rectangles are; other neighbours, other coordinates and pieces of a board are not.
    const Graph square = grid(5, 5);
    const HoleGraph graph(25, hole_steps(square, false)), hex(25, hole_steps(hexagons(5, 5), false));
    CHECK(CellDistances(graph, 0, grid_positions(5, 25)).is_grid());
    CHECK(!CellDistances(graph, 0, {}).is_grid() && !CellDistances(graph, 0, grid_positions(5, 24)).is_grid());
    CHECK(!CellDistances(graph, 0, grid_positions(25, 25)).is_grid());
    CHECK(!CellDistances(hex, 0, grid_positions(5, 25)).is_grid());
    CHECK(!CellDistances(graph, 0, Positions(25, {0, 0})).is_grid());
    Positions huge = grid_positions(5, 25);
    for (auto& p : huge) p[0] += std::numeric_limits<std::int32_t>::max() - 10;
    CHECK(!CellDistances(graph, 0, huge).is_grid());
    // Longer than a byte can tell.
    const Graph line = grid(400, 2);
    const HoleGraph long_graph(800, hole_steps(line, false));
    CellDistances far(long_graph, 0, grid_positions(400, 800));
    CHECK(far.is_grid() && far.row(0, quiet)[799] == 400 && far.row(0, quiet).is_exact(400) && far.rows() == 0);
}

}  // namespace
