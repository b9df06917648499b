#include "huge/support.hpp"

namespace {

using Tiles = std::vector<std::int32_t>;  // of each cell, 0 for a hole

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

struct Watched {
    Graph graph;
    bool wide;
    Tiles now, goal;
    std::vector<bool> closed;
    std::size_t seen = 0;
    Peeler peeler;

    Watched(Graph board, bool with_two_holes, Tiles lies, Tiles wants, std::uint64_t max_bytes = plenty)
        : graph(std::move(board)), wide(with_two_holes), now(std::move(lies)), goal(std::move(wants)),
          closed(graph.size(), false), peeler(graph.size(), hole_steps(graph, wide), now, goal, max_bytes) {}

    bool legal(std::uint32_t from, std::uint32_t to) const {
        if (from >= now.size() || to >= now.size() || now[from] == 0 || now[to] != 0 || !touch(graph, from, to))
            return false;
        if (!wide) return true;
        return std::any_of(graph[from].begin(), graph[from].end(),
                           [&](int c) { return now[z(c)] == 0 && touch(graph, to, u(c)); });
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
        CHECK(now == peeler.pieces());
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

TEST("tiles") {
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

// Chains of three cells and more are loaded like a queue. `all`: also if the only holes are in the chain, or pieces
// that belong into it already lie there.
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

TEST("chains of tiles") { check_chains(false); }

TEST("circles") {
    // Only the order round the circle can't be changed: one piece goes anywhere.
    std::mt19937_64 random(6);
    for (int cells : {3, 4, 9, 30}) {
        const Graph board = circle(cells);
        Watched w(board, false, shuffled(z(cells), 1, random), sorted(z(cells), 1));
        CHECK(w.place({0}));
        w.finish();
    }
    // What can't be reached is said so, and the peeler goes on.
    Watched w(graph_of(6, {{0, 1}, {1, 2}, {2, 0}, {3, 4}, {4, 5}, {5, 3}}), false, {1, 2, 0, 3, 4, 5},
              {3, 2, 0, 1, 4, 5});
    CHECK(!w.place({0}) && !w.place({3}) && w.place({1}));
    CHECK(refused([&] { w.peeler.place({0, 3}, quiet); }));
}

TEST("hexagonal tiles") {
    std::mt19937_64 random(7);
    // Ears of any form after a walk that leads away from the goal, so there is a way. Some ways are too hard to wait
    // for.
    std::map<std::pair<std::size_t, std::size_t>, std::pair<unsigned, unsigned>>
        tried;  // by holes and length, and with success
    for (const auto& [width, height] : {std::pair(4, 4), {5, 5}, {6, 7}})
        for (std::size_t holes : {2, 3, 4})
            for (int round = 0; round < 24; ++round) {
                const Graph board = hexagons(width, height);
                Watched there(board, true, sorted(board.size(), holes), sorted(board.size(), holes));
                for (int moves = 0; moves < 60;) {
                    const auto from = static_cast<std::uint32_t>(below(random, board.size())),
                               to = static_cast<std::uint32_t>(below(random, board.size()));
                    if (!there.legal(from, to)) continue;
                    std::swap(there.now[from], there.now[to]);
                    ++moves;
                }
                Watched w(board, true, there.now, there.goal);
                const std::size_t length = z(round % 4 + 1);
                Ear ear;
                while (ear.size() < length) {
                    const auto c = static_cast<std::uint32_t>(below(random, board.size()));
                    const bool next = ear.empty() || std::any_of(ear.begin(), ear.end(),
                                                                 [&](auto other) { return touch(board, other, c); });
                    if (next && w.goal[c] != 0 && std::find(ear.begin(), ear.end(), c) == ear.end()) ear.push_back(c);
                }
                unsigned ticks = 0;
                bool went_well = false;
                try {
                    went_well = w.place(ear, [&](const char* phase, std::uint64_t, std::uint64_t) {
                        if (std::string_view(phase) == "route" && ++ticks == 20) throw OutOfTime{};
                    });
                } catch (const OutOfTime&) {
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
        for (std::size_t k = 0; k < 2; ++k)
            std::swap(*std::find(lies.begin() + static_cast<std::ptrdiff_t>(k), lies.end(), 0), lies[k]);
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

TEST("holes that are filled") {
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
                    for (const std::size_t end = c + 1 + below(random, 3); c < end; ++c)
                        ear.push_back(static_cast<std::uint32_t>(c));
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

// Distances that are dropped and found again all the time lead to the same moves.
TEST("peeling with little memory") {
    std::mt19937_64 random(9);
    for (bool wide : {false, true}) {
        const int width = 24, height = wide ? 16 : 22;
        const Graph board = wide ? hexagons(width, height) : grid(width, height);
        const std::size_t cells = board.size(), holes = wide ? 2 : 1;
        Tiles lies = shuffled(cells, holes, random);
        if (wide)  // two holes that can work
            for (std::size_t k : {cells - 2, cells - 1}) std::swap(*std::find(lies.begin(), lies.end(), 0), lies[k]);
        Watched all(board, wide, lies, sorted(cells, holes)), few(board, wide, lies, sorted(cells, holes), 0);
        unsigned found_all = 0, found_few = 0;
        const auto count = [](unsigned& found) {
            return [&found](const char* phase, std::uint64_t, std::uint64_t) {
                found += std::string_view(phase) == "distances";
            };
        };
        for (const auto& ear : rows_then_columns(width, wide ? 4 : height, 2)) {
            if (wide && ear.size() > 1) continue;
            CHECK(all.place(ear, count(found_all)) == few.place(ear, count(found_few)));
        }
        CHECK(all.peeler.moves() == few.peeler.moves() && !all.peeler.moves().empty());
        CHECK(found_all <= cells && found_few > found_all);
    }
}

// A tick that stops the search at its k-th call: moves up to there are legal, and the peeler goes on.
TEST("peeling that is stopped") {
    const int side = 12, half = side * side;
    const Graph board = two_blocks(side);
    Tiles lies = sorted(board.size(), 1), goal = lies;
    std::swap(goal[0], goal[z(half + side)]);
    std::swap(goal[1], goal[2]);
    for (unsigned calls : {0, 1, 2, 3, 5, 20, 80}) {
        Watched w(board, false, lies, goal);
        unsigned ticks = 0;
        CHECK_THROWS(OutOfTime, w.place({0}, [&](const char*, std::uint64_t, std::uint64_t) {
            if (ticks++ == calls) throw OutOfTime{};
        }));
        w.watch();
        CHECK(!w.place({0}) && w.place({1}) && w.place({u(half)}));
        w.finish();
    }
}

TEST("bad peelers") {
    const Graph board = grid(3, 2);
    const auto steps = hole_steps(board, false);
    const auto made = [&](std::size_t cells, Tiles lies, Tiles goal) {
        Peeler(cells, steps, std::move(lies), std::move(goal), plenty);
    };
    const Tiles good{1, 2, 3, 4, 5, 0};
    made(6, good, good);
    made(6, {0, 0, 0, 0, 0, 0}, {0, 0, 0, 0, 0, 0});
    made(6, {6, 0, 0, 0, 0, 2}, {0, 0, 2, 6, 0, 0});
    CHECK(refused([&] { made(5, good, good); }) && refused([&] { made(7, good, good); }));
    CHECK(refused([&] { made(6, {}, good); }) && refused([&] { made(6, good, {}); }) &&
          refused([&] { made(6, good, {1, 2, 3, 4, 5, 0, 0}); }));
    for (std::int32_t bad :
         {-1, 7, 1, std::numeric_limits<std::int32_t>::min(), std::numeric_limits<std::int32_t>::max()}) {
        CHECK(refused([&] { made(6, {1, 2, 3, 4, bad, 0}, good); }));
        CHECK(refused([&] { made(6, good, {1, 2, 3, 4, bad, 0}); }));
    }
    CHECK(refused([&] { made(6, good, {1, 2, 3, 4, 6, 0}); }) && refused([&] { made(6, good, {1, 2, 3, 4, 0, 0}); }));
    Watched w(board, false, {5, 4, 3, 2, 1, 0}, good);
    for (const Ear& ear : {Ear{6}, Ear{~0u}, Ear{5}, Ear{0, 5}, Ear{0, 6}, Ear{5, 0}})
        CHECK(refused([&] { w.peeler.place(ear, quiet); }));
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
TEST("any ears") {
    std::mt19937_64 random(17);
    for (int round = 0; round < 150; ++round) {
        const bool wide = random() & 1;
        const auto width = static_cast<int>(1 + below(random, 5)), height = static_cast<int>(1 + below(random, 4));
        Graph board = wide           ? hexagons(width, height)
                      : random() % 4 ? grid(width, height)
                                     : Eared(below(random, 4), 4, random).graph;
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
                        if (std::find(ear.begin(), ear.end(), other) == ear.end() && below(random, cells) == 0)
                            next.push_back(other);
                if (next.empty()) break;
                c = next[below(random, next.size())];
            }
            if (below(random, 20) == 0) ear.push_back(static_cast<std::uint32_t>(random()) | 0x100);
            const bool bad = std::any_of(ear.begin(), ear.end(), [&](auto cell) {
                return cell >= cells || w.closed[cell] || (!fills && w.goal[cell] == 0);
            });
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

TEST("all chains of tiles") { check_chains(true); }

// Cells that do not touch, or come twice, are no chain: pieces would jump, or be lost.
TEST("no chain") {
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
TEST("barred by a failed fill") {
    Watched w(grid(3, 3), false, {1, 0, 0, 0, 0, 0, 0, 0, 0}, {0, 0, 0, 0, 0, 0, 0, 0, 1});
    CHECK(!w.fill({0, 1}));
    CHECK(w.place({8}));
}

TEST("barred by a tick") {
    const Graph board = two_blocks(12);
    Tiles lies = sorted(board.size(), 1), goal = lies;
    std::swap(goal[2], goal[160]);
    std::swap(goal[0], goal[5]);
    Watched w(board, false, lies, goal);
    CHECK_THROWS(OutOfTime,
                 w.peeler.place({0, 1, 2}, [](const char*, std::uint64_t, std::uint64_t) { throw OutOfTime{}; }));
    w.watch();
    CHECK(w.place({0}));
}

}  // namespace
