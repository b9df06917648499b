#include "gourds/support.hpp"

namespace {

using CarrySettings = GourdCarrier::CarrySettings;

// What is on closed cells stays there, move by move.
void check_closed(Plain plain, std::span<const std::int32_t> path, const Cells& closed) {
    for (const auto back : path) {
        const auto move = plain.move_to(back);
        CHECK(move && !contains(closed, plain.ends[2 * move->gourd]) &&
              !contains(closed, plain.ends[2 * move->gourd + 1]));
        plain.apply(*move);
    }
}

TEST("carrying") {
    Random random(13);
    int carried = 0, given_up = 0;
    for (const auto& board : {flower(2), parallelogram(5, 5), parallelogram(7, 3), flower(3)})
        for (int round = 0; round < 6; ++round) {
            const Plain start = any_position(board, random), goal = any_position(board, random);
            GourdTrain train = train_of(start, &random);
            GourdCarrier carrier(train, board.coordinates);
            Cells closed;
            for (std::size_t g = 0; g < train.gourds(); ++g) {
                const bool any = random() % 4 == 0;
                const auto head = goal.ends[2 * g], tail = goal.ends[2 * g + 1];
                const CarrySettings settings{weight(random), weight(random), random() % 3 == 0,
                                             random() % 5 == 0 ? random() % 30 : 600};
                const Plain before{&board, train.ends()};
                const std::size_t length = train.path().size();
                if (!any && carrier.is_closed(before.ends[2 * g])) {
                    CHECK(refused([&] { carrier.carry(g, head, tail, settings, quiet); }));
                    continue;
                }
                const bool done =
                    any ? carrier.fill(head, tail, settings, quiet) : carrier.carry(g, head, tail, settings, quiet);
                if (!done) {
                    CHECK(train.ends() == before.ends);
                    CHECK(train.path().size() == length);
                    CHECK(!carrier.is_closed(head) && !carrier.is_closed(tail));
                    ++given_up;
                    continue;
                }
                check_closed(before, std::span(train.path()).subspan(length), closed);
                if (any) CHECK((train.at(head) ^ 1) == train.at(tail));
                else CHECK(train.ends()[2 * g] == head && train.ends()[2 * g + 1] == tail);
                closed.insert(closed.end(), {head, tail});
                CHECK(refused([&] { carrier.fill(head, tail, settings, quiet); }));
                ++carried;
            }
            for (std::int32_t c = 0; c < i32(board.cells()); ++c) CHECK(carrier.is_closed(c) == contains(closed, c));
            check_sound(train, start);
        }
    CHECK(carried > 100 && given_up > 20);
}

// On small boards it is known whether there is a cycle.
TEST("carrying wherever there is a path") {
    Random random(14);
    int yes = 0, no = 0;
    for (const auto& board :
         {flower(1), strip(3), strip(4), hexagons({{0, 0}, {1, 0}, {2, 0}, {3, 0}, {3, 1}}), bay(1)})
        for (int round = 0; round < 20; ++round) {
            const Plain start = any_position(board, random), goal = any_position(board, random);
            GourdTrain train = train_of(start, &random);
            GourdCarrier carrier(train, board.coordinates);
            Cells closed;
            for (std::size_t g = 0; g < train.gourds(); ++g) {
                if (contains(closed, train.ends()[2 * g]) || contains(closed, goal.ends[2 * g]) ||
                    contains(closed, goal.ends[2 * g + 1]))
                    continue;
                const bool any = random() % 3 == 0;
                const auto head = goal.ends[2 * g], tail = goal.ends[2 * g + 1];
                bool possible = false;
                for (const auto& [ends, depth] : distances({&board, train.ends()}, closed))
                    for (std::size_t h = 0; h < train.gourds(); ++h) {
                        if (ends[2 * h] == head && ends[2 * h + 1] == tail) possible |= any || h == g;
                        if (ends[2 * h] == tail && ends[2 * h + 1] == head) possible |= any;
                    }
                const CarrySettings settings{weight(random), weight(random), random() % 2 == 0, 1'000'000};
                CHECK((any ? carrier.fill(head, tail, settings, quiet)
                           : carrier.carry(g, head, tail, settings, quiet)) == possible);
                if (possible) closed.insert(closed.end(), {head, tail});
                (possible ? yes : no) += 1;
            }
            check_sound(train, start);
        }
    CHECK(yes > 20 && no > 20);
}

TEST("bad carrying") {
    Random random(15);
    const Board board = parallelogram(5, 5);
    const Plain start = any_position(board, random);
    GourdTrain train = train_of(start);
    CHECK_THROWS(std::invalid_argument, GourdCarrier(train, {}));
    CHECK_THROWS(std::invalid_argument, GourdCarrier(train, Cells(49, 0)));
    GourdCarrier carrier(train, board.coordinates);
    const auto bad = [&](std::size_t gourd, std::int32_t head, std::int32_t tail, const CarrySettings& settings) {
        return refused([&] { carrier.carry(gourd, head, tail, settings, quiet); }) &&
               (gourd != 0 || refused([&] { carrier.fill(head, tail, settings, quiet); }));
    };
    for (const auto c : {-1, 25, std::numeric_limits<std::int32_t>::max(), std::numeric_limits<std::int32_t>::min()}) {
        CHECK(refused([&] { carrier.is_closed(c); }));
        CHECK(bad(0, c, 0, {}));
        CHECK(bad(0, 0, c, {}));
    }
    CHECK(bad(0, 0, 0, {}));
    CHECK(bad(0, 0, 24, {}));
    CHECK(bad(12, 0, 1, {}));
    CHECK(bad(~std::size_t{0}, 0, 1, {}));
    CHECK(bad(0, 0, 1, {51, 1, false, 10}));
    CHECK(bad(0, 0, 1, {1, 0xffffffff, false, 10}));
    // Coordinates far away.
    Cells wild(50);
    for (auto& c : wild) c = static_cast<std::int32_t>(random());
    GourdTrain second = train_of(start);
    GourdCarrier far(second, wild);
    for (int i = 0; i < 10; ++i) {
        const auto goal = any_position(board, random);
        if (!far.is_closed(goal.ends[0]) && !far.is_closed(goal.ends[1]))
            far.fill(goal.ends[0], goal.ends[1], {50, 50, i % 2 == 0, 300}, quiet);
    }
    check_sound(second, start);
    // A train that somebody else has moved.
    const auto moves = start.moves();
    train.play(moves[0].back);
    CHECK(bad(0, 0, 1, {}));
    train.play(start.hole());
    CHECK(carrier.fill(0, 1, {}, quiet));
}

// A search that is stopped leaves the train alone, and the next one goes on from there.
TEST("carrying that is stopped") {
    Random random(16);
    const Board board = flower(3);
    int stopped = 0;
    for (int round = 0; round < 10; ++round) {
        const Plain start = any_position(board, random), goal = any_position(board, random);
        GourdTrain train = train_of(start);
        GourdCarrier carrier(train, board.coordinates);
        for (std::size_t g = 0; g < train.gourds(); ++g) {
            const Cells before = train.ends();
            const std::size_t length = train.path().size();
            try {
                carrier.carry(g, goal.ends[2 * g], goal.ends[2 * g + 1], {1, 1, false, 3'000},
                              stop_after(2 + round % 2));
            } catch (const Stopped&) {
                ++stopped;
                CHECK(train.ends() == before);
                CHECK(train.path().size() == length);
            }
            check_sound(train, start);
        }
    }
    CHECK(stopped > 0);
}

// A tick may do anything, even move the gourds.
TEST("ticks that meddle") {
    Random random(17);
    const TwoWays two(7, 2);
    const Board round_bay = bay(3);
    Cells cycle(round_bay.cells());
    for (std::size_t c = 0; c < cycle.size(); ++c) cycle[c] = i32(c);
    for (int round = 0; round < 150; ++round) {
        const Board& board = round % 2 == 0 ? two.board : round_bay;
        const Plain start = round % 2 == 0 ? two.position(random) : *along(board, cycle, random);
        const Plain goal = round % 2 == 0 ? two.position(random) : *along(board, cycle, random);
        GourdTrain train = train_of(start);
        int asked = 0;
        const int when = 1 + round % 7;
        const Tick meddle = [&](const char*, std::uint64_t, std::uint64_t) {
            if (++asked != when) return;
            if (round % 3 == 0) refused([&] { train.pull(round % 2 == 0 ? two.left : cycle, 1 + round % 5); });
            for (int i = 0; i < 1 + round % 4; ++i) {
                const auto moves = Plain{&board, train.ends()}.moves();
                train.play(moves[random() % moves.size()].back);
            }
        };
        refused([&] {
            if (round % 2 == 0) train.exchange(two.left, two.right, train_of(goal), meddle);
            else GourdSorter(train, cycle, train_of(goal), meddle).run();
        });
        check_sound(train, start);
        GourdTrain second = train_of(start);
        asked = 0;
        const Tick pulling = [&](const char*, std::uint64_t, std::uint64_t) {
            if (++asked == when) second.play(Plain{&board, second.ends()}.moves()[0].back);
        };
        refused([&] { second.align(round % 2 == 0 ? around_the_strip(board, 7) : cycle, pulling); });
        check_sound(second, start);
    }
    // A carrier that is asked while it is searching.
    const Board board = flower(3);
    for (int round = 0; round < 5; ++round) {
        const Plain start = any_position(board, random), goal = any_position(board, random);
        GourdTrain train = train_of(start);
        GourdCarrier carrier(train, board.coordinates);
        int asked = 0;
        const Tick again = [&](const char*, std::uint64_t, std::uint64_t) {
            ++asked;
            CHECK(refused([&] { carrier.carry(1, goal.ends[2], goal.ends[3], {}, quiet); }));
            CHECK(refused([&] { carrier.fill(goal.ends[2], goal.ends[3], {}, quiet); }));
        };
        if (carrier.carry(0, goal.ends[0], goal.ends[1], {1, 1, false, 5'000}, again))
            CHECK(train.ends()[0] == goal.ends[0] && train.ends()[1] == goal.ends[1]);
        check_sound(train, start);
        CHECK(asked > 0 || train.path().empty());
        if (!carrier.is_closed(goal.ends[2]) && !carrier.is_closed(train.ends()[2]))
            carrier.carry(1, goal.ends[2], goal.ends[3], {}, quiet);
        check_sound(train, start);
    }
}

}  // namespace
