#include "gourds/support.hpp"

namespace {

TEST("two cycles") {
    Random random(4);
    std::size_t most = 0, single = 0;
    for (int width = 3; width < 11; ++width)
        for (int i = 0; i + 2 < width; ++i)
            for (int round = 0; round < 4; ++round) {
                const TwoWays two(width, i);
                const Plain start = two.position(random), goal = two.position(random);
                Cells first = two.left, second = two.right;
                if (random() % 2 == 0) std::swap(first, second);
                turn_about(first, random);
                turn_about(second, random);
                GourdTrain train = train_of(start);
                const GourdTrain target = train_of(goal);
                const auto wanted = TwoWays::on(first, goal.ends);
                std::size_t expected = 0;
                for (const auto g : TwoWays::on(first, start.ends)) expected += 1 - wanted.count(g);
                if (round == 0) {
                    GourdTrain stopped(train);
                    for (int n = 1; n < 6; ++n) {
                        try {
                            stopped.exchange(first, second, target, stop_after(n));
                        } catch (const Stopped&) {
                        }
                        check_sound(stopped, start);
                        CHECK(stopped.hole() == start.hole());
                    }
                    stopped.exchange(first, second, target, quiet);
                    CHECK(TwoWays::on(first, stopped.ends()) == wanted);
                }
                CHECK(train.exchange(first, second, target, quiet) == expected);
                CHECK(TwoWays::on(first, train.ends()) == wanted);
                CHECK(train.hole() == start.hole());
                check_sound(train, start);
                if (expected == 1) {
                    std::size_t moves = 0;
                    for (std::size_t g = 0; g < train.gourds(); ++g) {
                        const bool in_first = TwoWays::on(first, start.ends).count(g) > 0;
                        if (in_first != (wanted.count(g) > 0))
                            moves += two.moves_over(in_first ? first : second, start.ends, g);
                    }
                    CHECK(train.path().size() == moves);
                    ++single;
                }
                CHECK(train.exchange(first, second, target, quiet) == 0);
                CHECK(train.exchange(first, second, train, quiet) == 0);
                most = std::max(most, expected);
            }
    CHECK(most >= 3 && single >= 10);
}

TEST("two bad cycles") {
    Random random(5);
    const TwoWays two(6, 2);
    const Plain start = two.position(random), goal = two.position(random);
    GourdTrain train = train_of(start);
    const GourdTrain target = train_of(goal);
    const auto bad = [&](const Cells& a, const Cells& b, const GourdTrain& g) {
        return refused([&] { train.exchange(a, b, g, quiet); });
    };
    CHECK(bad({}, two.right, target));
    CHECK(bad(two.left, {}, target));
    CHECK(bad(two.left, two.left, target));
    CHECK(bad(two.left, {-1}, target));
    CHECK(bad(two.left, {0, 1, 1'000}, target));
    CHECK(bad({1'000, 1, 2}, two.right, target));
    CHECK(bad(around_the_strip(two.board, 6), two.right, target));
    CHECK(bad({two.board.cell(0, 0), two.board.cell(1, 0), two.board.cell(0, 1)}, two.right, target));  // not the hole
    const Board small = strip(5);
    CHECK(bad(two.left, two.right, train_of(any_position(small, random))));
    // Goals that are not along the cycles: refused at once or later, the train stays sound.
    for (int round = 0; round < 300; ++round) {
        const Plain any = any_position(two.board, random);
        const Plain& from = round % 2 == 0 ? start : any;
        GourdTrain other = train_of(from);
        refused([&] { other.exchange(two.left, two.right, train_of(round % 3 == 0 ? goal : any), quiet); });
        check_sound(other, from);
    }
    CHECK(train.path().empty());
    train.exchange(two.left, two.right, target, quiet);
    CHECK(TwoWays::on(two.left, train.ends()) == TwoWays::on(two.left, goal.ends));
}

void check_sort(const Board& board, const Cells& cycle, Random& random) {
    const Plain start = *along(board, cycle, random), goal = *along(board, cycle, random);
    GourdTrain train = train_of(start);
    const GourdTrain target = train_of(goal);
    for (int n = 1; n < 40; n += 6) {
        try {
            const Tick stop = stop_after(n);
            GourdSorter(train, cycle, target, stop).run();
            break;
        } catch (const Stopped&) {
            check_sound(train, start);
        }
    }
    GourdSorter(train, cycle, target, quiet).run();
    CHECK(train.ends() == goal.ends);
    check_sound(train, start);
    GourdTrain again = train_of(start);
    GourdSorter sorting(again, cycle, target, quiet);  // with a tick that is gone by the time it runs
    sorting.run();
    CHECK(again.ends() == goal.ends);
    check_sound(again, start);
    CHECK(target.path().empty());
}

TEST("sorting") {
    Random random(6);
    for (int round = 0; round < 3; ++round) {
        for (int length = 0; length < 5; ++length) {
            const Board board = bay(length);
            Cells cycle(board.cells());
            for (std::size_t c = 0; c < cycle.size(); ++c) cycle[c] = i32(c);
            CHECK(!board.touch(0, 3));
            check_sort(board, cycle, random);
        }
        for (int width = 3; width < 8; ++width) {
            const Board board = strip(width);
            Cells cycle = around_the_strip(board, width);
            std::rotate(cycle.begin(), cycle.begin() + 2, cycle.end());
            std::reverse(cycle.begin(), cycle.end());  // (1, 0), (0, 0), (0, 1), (1, 1), ...
            CHECK(board.touch(cycle[0], cycle[3]));
            check_sort(board, cycle, random);
        }
        for (int cells : {5, 7, 9}) {
            const Board board = complete(cells);
            check_sort(board, *any_cycle(board, board.cells(), random), random);
        }
    }
}

TEST("bad sorting") {
    Random random(7);
    const Board board = bay(2);
    Cells cycle(board.cells());
    for (std::size_t c = 0; c < cycle.size(); ++c) cycle[c] = i32(c);
    const Plain start = *along(board, cycle, random), goal = *along(board, cycle, random);
    const GourdTrain target = train_of(goal);
    const auto bad = [&](const Cells& w, const GourdTrain& g) {
        GourdTrain train = train_of(start);
        const bool out = refused([&] { GourdSorter(train, w, g, quiet).run(); });
        check_sound(train, start);
        return out;
    };
    CHECK(!bad(cycle, target));
    CHECK(bad({}, target));
    CHECK(bad({0, 1, 2}, target));
    CHECK(bad({0, 1, 2, 3, -1}, target));
    CHECK(bad({0, 1, 2, 3, 1'000}, target));
    CHECK(bad({0, 1, 2, 3, 4, 4, 4}, target));
    CHECK(bad({0, 1, 2, 3, 4, 5}, target));
    CHECK(bad({1, 2, 3, 4, 5, 6, 7, 8, 0}, target));
    // Heads where they should be, but not along the cycle.
    const Board seven = complete(7);
    GourdTrain here = train_of({&seven, {1, 2, 3, 4, 5, 6}}), across = train_of({&seven, {1, 4, 3, 6, 5, 2}});
    CHECK(refused([&] { GourdSorter(here, {0, 1, 2, 3, 4, 5, 6}, across, quiet).run(); }));
    CHECK(refused([&] { GourdSorter(across, {0, 1, 2, 3, 4, 5, 6}, here, quiet).run(); }));
    const Board small = bay(1), large = bay(4);
    CHECK(bad(cycle, train_of(any_position(small, random))));
    for (int round = 0; round < 200; ++round) {
        bad(cycle, train_of(any_position(board, random)));
        bad(cycle, train_of(any_position(large, random)));
        const Plain any = any_position(board, random);
        GourdTrain train = train_of(any);
        if (!refused([&] { GourdSorter(train, cycle, target, quiet).run(); })) CHECK(train.ends() == goal.ends);
        check_sound(train, any);
        Cells wild(5 + 2 * (random() % 3));
        for (auto& c : wild) c = i32(random() % (board.cells() + 1)) - (random() % 20 == 0);
        bad(wild, target);
    }
}

}  // namespace
