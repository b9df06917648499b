#include "gourds/support.hpp"

namespace {

TEST("plays and rows") {
    Random random(1);
    for (const auto& board : boards(random))
        for (int round = 0; round < 6; ++round) {
            const Plain start = any_position(board, random);
            Plain plain = start;
            GourdTrain train = train_of(start, &random);
            Cells rows, bare;
            for (int step = 0; step < 200; ++step) {
                const auto back = i32(random() % board.cells());
                const auto move = plain.move_to(back);
                CHECK(refused([&] { train.play(back); }) == !move);
                if (move) {
                    const auto piece = i32(move->gourd + 1);
                    const Cells row{
                        piece,      move->kind, plain.ends[2 * move->gourd], plain.ends[2 * move->gourd + 1],
                        move->head, move->tail};
                    rows.insert(rows.end(), row.begin(), row.end());
                    bare.insert(bare.end(), row.begin(), row.end());
                    if (move->kind == 1) bare[bare.size() - 5] = 0;
                    plain.apply(*move);
                }
                CHECK(train.ends() == plain.ends);
                CHECK(train.hole() == plain.hole());
            }
            check_sound(train, start);
            const GourdTrain first = train_of(start);
            CHECK(first.rows_of_path(train.path(), board.coordinates) == rows);
            CHECK(first.rows_of_path(train.path(), {}) == bare);
            CHECK(first.path().empty());
            GourdTrain again(first);
            again.play(train.path());
            CHECK(again.ends() == train.ends());
            CHECK(again.path() == train.path());
            CHECK(GourdTrain(train).path().empty());
            CHECK(first.with(plain.ends).ends() == plain.ends);
            again.clear_path();
            CHECK(again.path().empty());
        }
}

TEST("pulls") {
    Random random(2);
    int cycles = 0;
    for (const auto& board : boards(random))
        for (int round = 0; round < 12; ++round) {
            const std::size_t length = 3 + 2 * (random() % ((board.cells() - 1) / 2));
            const auto cycle = any_cycle(board, length, random);
            if (!cycle) continue;
            const auto start = along(board, *cycle, random);
            if (!start) continue;
            ++cycles;
            const auto n = static_cast<std::int64_t>(length);
            const auto from = std::find(cycle->begin(), cycle->end(), start->hole()) - cycle->begin();
            const auto at = [&](std::int64_t steps) {
                return (*cycle)[static_cast<std::size_t>(((from + steps) % n + n) % n)];
            };

            // A round: every gourd is one place on, and the hole where it was.
            for (const int sign : {1, -1}) {
                GourdTrain train = train_of(*start);
                train.pull(*cycle, sign * n);
                check_sound(train, *start);
                CHECK(train.hole() == start->hole());
                CHECK(train.path().size() == length);
                for (std::int64_t p = 0; p < n / 2; ++p) {
                    const GourdTrain before = train_of(*start);
                    const auto q = (p - sign + n / 2) % (n / 2);
                    const auto gourd = before.at(at(2 * p + 1)) / 2;
                    CHECK(train.at(at(2 * q + 1)) / 2 == gourd);
                    CHECK(train.at(at(2 * q + 2)) / 2 == gourd);
                }
                for (std::size_t g = 0; g < train.gourds(); ++g)
                    if (!contains(*cycle, start->ends[2 * g])) CHECK(train.ends()[2 * g] == start->ends[2 * g]);
            }
            // Any number of pulls, and back.
            const auto pulls = static_cast<std::int64_t>(random() % (3 * length)) - n;
            GourdTrain train = train_of(*start);
            train.pull(*cycle, pulls);
            CHECK(train.hole() == at(((2 * pulls) % n + n) % n));
            check_sound(train, *start);
            train.pull(*cycle, -pulls);
            CHECK(train.ends() == start->ends);
            check_sound(train, *start);
            train.pull(*cycle, 0);
            CHECK(train.ends() == start->ends);
            // To a cell, in the shorter direction.
            const std::int64_t target = static_cast<std::int64_t>(random() % length);
            const auto made = train.pull_to(*cycle, at(target));
            CHECK(train.hole() == at(target));
            CHECK(((2 * made - target) % n + n) % n == 0);
            CHECK(2 * std::abs(made) <= n);
            check_sound(train, *start);
        }
    CHECK(cycles > 100);
}

bool lies_along(const GourdTrain& train, const Cells& cycle) {
    const std::size_t hole =
        static_cast<std::size_t>(std::find(cycle.begin(), cycle.end(), train.hole()) - cycle.begin());
    for (std::size_t i = 1; i < cycle.size(); i += 2)
        if (train.at(cycle[(hole + i) % cycle.size()]) / 2 != train.at(cycle[(hole + i + 1) % cycle.size()]) / 2)
            return false;
    return true;
}

TEST("gourds along a cycle") {
    Random random(3);
    int aligned = 0;
    for (const auto& board : boards(random))
        for (int round = 0; round < 8; ++round) {
            auto cycle = any_cycle(board, board.cells(), random);
            if (!cycle) continue;
            const Plain start = any_position(board, random);
            GourdTrain train = train_of(start, &random);
            // Stopped now and then: the position is one the path leads to, and it can be taken up again.
            for (int n = 1; n < 4; ++n) {
                try {
                    train.align(*cycle, stop_after(n));
                } catch (const Stopped&) {
                }
                check_sound(train, start);
            }
            train.align(*cycle, quiet);
            CHECK(lies_along(train, *cycle));
            check_sound(train, start);
            const std::size_t length = train.path().size();
            train.align(*cycle, quiet);
            CHECK(train.path().size() == length);
            ++aligned;
        }
    for (int width = 2; width < 14; ++width) {
        const Board board = strip(width);
        Cells cycle = around_the_strip(board, width);
        turn_about(cycle, random);
        const Plain start = any_position(board, random);
        GourdTrain train = train_of(start);
        train.align(cycle, quiet);
        CHECK(lies_along(train, cycle));
        check_sound(train, start);
    }
    CHECK(aligned > 50);
}

TEST("bad trains") {
    const auto bad = [](const Cells& offsets, const Cells& neighbours, const Cells& ends) {
        return refused([&] { GourdTrain(offsets, neighbours, ends); });
    };
    const Cells offsets{0, 2, 4, 6}, triangle{1, 2, 0, 2, 0, 1};
    CHECK(!bad(offsets, triangle, {0, 1}));
    CHECK(bad({}, {}, {}));
    CHECK(bad({0}, {}, {}));
    CHECK(!bad({0, 0}, {}, {}));  // nothing but a hole
    CHECK(bad({0, 1}, {0}, {}));
    CHECK(bad({1, 2, 4, 6}, triangle, {0, 1}));
    CHECK(bad({0, 4, 2, 6}, triangle, {0, 1}));
    CHECK(bad({0, -2, 4, 6}, triangle, {0, 1}));
    CHECK(bad({0, 2, 4, 7}, triangle, {0, 1}));
    CHECK(bad({0, 2, 4, -1}, triangle, {0, 1}));
    CHECK(bad({0, 2, 4, 5}, triangle, {0, 1}));
    CHECK(bad(offsets, {1, 2, 0, 2, 0, 3}, {0, 1}));
    CHECK(bad(offsets, {1, 2, 0, 2, 0, -1}, {0, 1}));
    CHECK(bad(offsets, {1, 2, 0, 2, 0, 2}, {0, 1}));
    CHECK(bad(offsets, {1, 1, 0, 2, 0, 1}, {0, 1}));  // one direction only
    CHECK(bad({0, 1, 2, 3}, {1, 2, 0}, {0, 1}));
    CHECK(bad(offsets, triangle, {}));
    CHECK(bad(offsets, triangle, {0}));
    CHECK(bad(offsets, triangle, {0, 0}));
    CHECK(bad(offsets, triangle, {0, 3}));
    CHECK(bad(offsets, triangle, {0, -1}));
    CHECK(bad(offsets, triangle, {0, 1, 2}));
    CHECK(bad({0, 1, 3, 4}, {1, 0, 2, 1}, {0, 2}));
    // An even number of cells: half a gourd.
    CHECK(bad({0, 1, 2}, {1, 0}, {0}));
    CHECK(bad({0, 3, 6, 9, 12}, {1, 2, 3, 0, 2, 3, 0, 1, 3, 0, 1, 2}, {0, 1, 2}));
    CHECK(bad(Cells(1'000'001, 0), {}, Cells(999'999, 0)));

    GourdTrain alone({0, 0}, {}, {});
    CHECK(refused([&] { alone.play(0); }));
    CHECK(refused([&] { alone.align({0}, quiet); }));
    CHECK(GourdBidirectional<>(alone, alone).search(10, quiet));
    CHECK(search_gourds(alone, {0}, alone)->empty());

    GourdTrain train(offsets, triangle, {0, 1});
    for (const auto c :
         {-1, 2, 3, std::numeric_limits<std::int32_t>::max(), std::numeric_limits<std::int32_t>::min()}) {
        CHECK(refused([&] { train.play(c); }));
        CHECK(refused([&] { train.rows_of_path(Cells{c}, {}); }));
        if (c != 2) CHECK(refused([&] { train.pull_to({0, 1, 2}, c); }));
        if (c != 2) CHECK(refused([&] { train.pull({0, 1, c}, 1); }));
        if (c != 2) CHECK(refused([&] { train.checked(c); }));
    }
    CHECK(refused([&] { train.rows_of_path({}, Cells(5, 0)); }));
    for (const Cells& cycle :
         {Cells{}, Cells{0}, Cells{0, 1}, Cells{0, 1, 1}, Cells{0, 1, 2, 0, 1}, Cells{0, 1, 2, 0}}) {
        CHECK(refused([&] { train.pull(cycle, 1); }));
        CHECK(refused([&] { train.pull_to(cycle, 0); }));
        CHECK(refused([&] { train.align(cycle, quiet); }));
    }
    for (const auto pulls : {std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max(),
                             std::int64_t{-1'000'000'001}})
        CHECK(refused([&] { train.pull({0, 1, 2}, pulls); }));
    CHECK(train.path().empty());
    train.pull({0, 1, 2}, 3'000);
    CHECK(train.path().size() == 3'000);
    // Coordinates at the limits.
    const auto least = std::numeric_limits<std::int32_t>::min(), greatest = std::numeric_limits<std::int32_t>::max();
    CHECK(train.rows_of_path(Cells{train.ends()[0]}, Cells{least, greatest, greatest, least, least, least}).size() ==
          6);
}

// Random arguments of all kinds.
TEST("random arguments") {
    Random random(18);
    for (const auto& board : {flower(1), strip(4), parallelogram(3, 3), complete(5), circle(7)})
        for (int round = 0; round < 25; ++round) {
            const Plain start = any_position(board, random);
            GourdTrain train = train_of(start, &random);
            const auto n = static_cast<std::int32_t>(board.cells());
            const auto cell = [&] {
                return random() % 20 == 0 ? i32(random() % 5) - 2 + n * i32(random() % 2)
                                          : i32(random() % board.cells());
            };
            for (int call = 0; call < 60; ++call) {
                Cells cycle;
                if (random() % 2 == 0) {
                    if (const auto found = any_cycle(board, 3 + 2 * (random() % (board.cells() / 2)), random))
                        cycle = *found;
                } else {
                    cycle.resize(random() % 12);
                    for (auto& c : cycle) c = cell();
                }
                const GourdTrain goal = train_of(any_position(board, random));
                const auto c = cell();
                const auto pulls = static_cast<std::int64_t>(random() % 40) - 20;
                refused([&] {
                    switch (random() % 7) {
                        case 0:
                            train.play(cycle);
                            break;
                        case 1:
                            train.pull(cycle, pulls);
                            break;
                        case 2:
                            train.pull_to(cycle, c);
                            break;
                        case 3:
                            train.align(cycle, quiet);
                            break;
                        case 4:
                            train.exchange(cycle, cycle.size() > 2 ? Cells{cycle[1], cycle[0], cycle[2]} : cycle, goal,
                                           quiet);
                            break;
                        case 5:
                            GourdSorter(train, cycle, goal, quiet).run();
                            break;
                        default:
                            (void)search_gourds(train, cycle, goal);
                    }
                });
                check_sound(train, start);
            }
            // Nothing is left behind: a cycle works as ever.
            if (const auto cycle = any_cycle(board, 3, random);
                cycle && contains(*cycle, train.hole()) && lies_along(train, *cycle)) {
                const Cells before = train.ends();
                train.pull(*cycle, 1);
                train.pull(*cycle, -1);
                CHECK(train.ends() == before);
            }
        }
}

}  // namespace
