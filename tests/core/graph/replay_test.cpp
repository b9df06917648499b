#include "gourds/support.hpp"

namespace {

// Pieces of one, two or three cells; the rule is a list of what each may do, given as cells after and cells that must
// be empty.
using Doing = std::pair<Cells, Cells>;

using Rule = std::function<std::vector<Doing>(const Board&, const Cells& before)>;

std::vector<Doing> tile_rule(const Board& board, const Cells& before) {
    std::vector<Doing> out;
    for (const int c : board.graph[z(before[0])]) out.push_back({{c}, {c}});
    return out;
}

std::vector<Doing> gourd_rule(const Board& board, const Cells& before) {
    std::vector<Doing> out;
    for (std::int32_t hole = 0; hole < i32(board.cells()); ++hole) {
        if (contains(before, hole)) continue;
        const bool head = board.touch(before[0], hole), tail = board.touch(before[1], hole);
        if (head && tail) out.push_back({{hole, before[1]}, {hole}}), out.push_back({{before[0], hole}, {hole}});
        if (head && !tail) out.push_back({{hole, before[0]}, {hole}});
        if (!head && tail) out.push_back({{before[1], hole}, {hole}});
    }
    return out;
}

// Worms of three cells that creep one cell, or two at once; and jump onto the same cells in another order over either
// of two cells.
std::vector<Doing> worm_rule(const Board& board, const Cells& before) {
    std::vector<Doing> out;
    for (const int one : board.graph[z(before[2])]) {
        if (contains(before, one)) continue;
        out.push_back({{before[1], before[2], one}, {one}});
        out.push_back({{before[2], before[1], before[0]}, {one}});
        for (const int two : board.graph[z(one)])
            if (!contains(before, two)) out.push_back({{before[2], one, two}, {one, two}});
    }
    for (const int one : board.graph[z(before[0])])
        if (!contains(before, one)) out.push_back({{one, before[0], before[1]}, {one}});
    return out;
}

std::vector<Cells> all_placements(const Board& board, std::size_t width) {
    std::vector<Cells> out;
    for (std::int32_t c = 0; c < i32(board.cells()); ++c) out.push_back({c});
    for (std::size_t k = 1; k < width; ++k) {
        std::vector<Cells> next;
        for (const auto& cells : out)
            for (const int c : board.graph[z(cells.back())])
                if (!contains(cells, c)) next.push_back(cells), next.back().push_back(c);
        out = next;
    }
    return out;
}

TEST("replay") {
    Random random(19);
    const Rule rules[] = {tile_rule, gourd_rule, worm_rule};
    int legal = 0, illegal = 0;
    for (std::size_t width = 1; width <= 3; ++width)
        for (const auto& board : {flower(1), parallelogram(4, 3), complete(7), circle(8), flower(2)}) {
            const Rule& rule = rules[width - 1];
            const auto placements = all_placements(board, width);
            Cells steps;
            for (const auto& before : placements)
                for (const auto& [after, holes] : rule(board, before)) {
                    steps.insert(steps.end(), before.begin(), before.end());
                    steps.insert(steps.end(), after.begin(), after.end());
                    steps.insert(steps.end(), holes.begin(), holes.end());
                    steps.insert(steps.end(), width - holes.size(), -1);
                }
            for (int round = 0; round < 6; ++round) {
                Cells pieces;
                for (int i = 0; i < 100; ++i) {
                    const auto& cells = placements[random() % placements.size()];
                    const bool fits =
                        std::none_of(cells.begin(), cells.end(), [&](auto c) { return contains(pieces, c); });
                    if (fits && pieces.size() + width + 1 < board.cells())
                        pieces.insert(pieces.end(), cells.begin(), cells.end());
                }
                Cells now = pieces, good;
                Replay single(board.cells(), width, 3 * width, steps, pieces), whole(single);
                const auto count = pieces.size() / width;
                for (int step = 0; step < 120; ++step) {
                    const std::size_t p = random() % count;
                    const Cells before(now.begin() + static_cast<std::ptrdiff_t>(p * width),
                                       now.begin() + static_cast<std::ptrdiff_t>((p + 1) * width));
                    const auto doings = rule(board, before);
                    if (doings.empty()) continue;
                    Cells row{i32(p + 1), i32(random() % 9) - 3};
                    row.insert(row.end(), before.begin(), before.end());
                    const auto& after = doings[random() % doings.size()].first;
                    row.insert(row.end(), after.begin(), after.end());
                    if (random() % 4 == 0) {
                        const std::size_t i = random() % row.size();
                        row[i] = random() % 5 == 0 ? static_cast<std::int32_t>(random())
                                                   : i32(random() % (board.cells() + 2)) - 1;
                    }
                    // By the rule alone.
                    bool allowed = row[0] >= 1 && z(row[0]) <= count;
                    const std::size_t q = allowed ? z(row[0]) - 1 : 0;
                    const Cells from(row.begin() + 2, row.begin() + 2 + static_cast<std::ptrdiff_t>(width)),
                        to(row.end() - static_cast<std::ptrdiff_t>(width), row.end());
                    allowed = allowed && std::equal(from.begin(), from.end(),
                                                    now.begin() + static_cast<std::ptrdiff_t>(q * width));
                    if (allowed) {
                        allowed = false;
                        for (const auto& [cells, holes] : rule(board, from))
                            allowed = allowed || (cells == to && std::none_of(holes.begin(), holes.end(), [&](auto c) {
                                                      return contains(now, c);
                                                  }));
                    }
                    CHECK(single.play(row, quiet) == (allowed ? 1u : 0u));
                    if (allowed) {
                        std::copy(to.begin(), to.end(), now.begin() + static_cast<std::ptrdiff_t>(q * width));
                        good.insert(good.end(), row.begin(), row.end());
                    }
                    CHECK(single.pieces() == now);
                    (allowed ? legal : illegal) += 1;
                }
                const std::size_t rows = good.size() / (2 + 2 * width);
                CHECK(Replay(whole).play(good, quiet) == rows);
                good.insert(good.end(), 2 + 2 * width, 0);
                CHECK(whole.play(good, quiet) == rows);
                CHECK(whole.pieces() == now);
            }
        }
    CHECK(legal > 500 && illegal > 500);
}

// A solution of a train, in rows.
TEST("replay of a path") {
    Random random(20);
    const Board board = flower(2);
    Cells steps;
    for (const auto& before : all_placements(board, 2))
        for (const auto& [after, holes] : gourd_rule(board, before)) {
            for (const auto& part : {before, after}) steps.insert(steps.end(), part.begin(), part.end());
            steps.insert(steps.end(), {holes[0], -1});
        }
    for (int round = 0; round < 10; ++round) {
        const Plain start = any_position(board, random);
        GourdTrain train = train_of(start);
        for (int i = 0; i < 300; ++i) {
            const auto moves = Plain{&board, train.ends()}.moves();
            train.play(moves[random() % moves.size()].back);
        }
        Replay replay(board.cells(), 2, 6, steps, start.ends);
        CHECK(replay.play(train_of(start).rows_of_path(train.path(), board.coordinates), quiet) == 300);
        CHECK(replay.pieces() == train.ends());
        CHECK_THROWS(Stopped, replay.play(Cells(6, 0), stop_after(1)));
        CHECK(replay.pieces() == train.ends());
    }
}

TEST("bad replay") {
    const auto bad = [](std::size_t cells, std::size_t width, const Cells& steps, const Cells& pieces) {
        return refused([&] { Replay(cells, width, 3 * width, steps, pieces); });
    };
    CHECK(!bad(2, 1, {0, 1, 1}, {0}));
    CHECK(!bad(2, 1, {}, {}));
    CHECK(!bad(0, 1, {}, {}));
    CHECK(bad(2, 0, {}, {}));
    CHECK(bad(2, 0, {0, 1, 1}, {0}));
    CHECK(bad(2, 1, {0, 1}, {0}));
    CHECK(bad(2, 2, {0, 1, 1, 0, 0, 0}, {0}));
    CHECK(bad(2, 1, {0, 2, 1}, {0}));
    CHECK(bad(2, 1, {2, 1, 1}, {0}));
    CHECK(bad(2, 1, {0, 1, 2}, {0}));
    CHECK(bad(2, 1, {-1, 1, 1}, {0}));
    CHECK(bad(2, 1, {0, -1, 1}, {0}));
    CHECK(bad(2, 1, {0, 1, -2}, {0}));
    CHECK(!bad(2, 1, {0, 1, -1}, {0}));
    CHECK(bad(2, 1, {}, {2}));
    CHECK(bad(2, 1, {}, {-1}));
    CHECK(bad(2, 1, {}, {0, 0}));
    CHECK(bad(2, 2, {}, {0, 0}));
    CHECK(bad(std::size_t{1} << 40, 1, {}, {}));
    CHECK(bad(~std::size_t{0}, 1, {}, {}));
    CHECK(bad(5, ~std::size_t{0}, {}, {}));
    CHECK(bad(5, std::size_t{6'148'914'691'236'517'206}, {0, 1}, {}));  // three times that is two
    CHECK(bad(5, std::size_t{1} << 63, {}, {}));
    Replay replay(3, 1, 3, {0, 1, 1, 1, 0, 0, 0, 1, 2}, {0});
    CHECK(refused([&] { replay.play(Cells{1, 0, 0}, quiet); }));
    CHECK(replay.play({}, quiet) == 0);
    for (const auto piece :
         {0, -1, 2, std::numeric_limits<std::int32_t>::max(), std::numeric_limits<std::int32_t>::min()}) {
        CHECK(replay.play(Cells{piece, 0, 0, 1}, quiet) == 0);
        if (piece != 0) CHECK(replay.play(Cells{1, 0, piece, 1}, quiet) == 0);
        CHECK(replay.play(Cells{1, 0, 0, piece}, quiet) == 0);
    }
    CHECK(replay.play(Cells{1, 0, 0, 1, 1, 0, 1, 0, 1, 0, 1, 0}, quiet) == 2);
    CHECK(replay.pieces() == Cells{0});
}

}  // namespace
