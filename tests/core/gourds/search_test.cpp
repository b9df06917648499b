#include "gourds/support.hpp"

namespace {

std::vector<Board> small_boards(int cells, Random& random) {
    std::vector<Board> out{strip((cells + 1) / 2), complete(cells), circle(cells), chords(cells, 2, random),
                           chords(cells, 4, random)};
    if (cells == 7) out.push_back(flower(1));
    if (cells == 5) out.push_back(hexagons({{0, 0}, {1, -1}, {1, 0}, {1, 1}, {0, 1}}));
    return out;
}

TEST("shortest searches") {
    Random random(8);
    for (int cells : {5, 7})
        for (const auto& board : small_boards(cells, random)) {
            const Plain start = any_position(board, random);
            const auto far = distances(start);
            GourdTrain train = train_of(start, &random);
            Cells all(board.cells());
            for (std::size_t c = 0; c < all.size(); ++c) all[c] = i32(c);
            std::shuffle(all.begin(), all.end(), random);
            const std::size_t step = 1 + far.size() / 100;
            std::size_t i = 0;
            for (const auto& [ends, depth] : far) {
                if (i++ % step != 0) continue;
                const auto found = search_gourds(train, all, train.with(ends));
                CHECK(found && found->size() == depth);
                Plain plain = start;
                CHECK(plain.play(*found) && plain.ends == ends);
            }
            for (int round = 0; round < 30; ++round) {
                const Plain goal = any_position(board, random);
                CHECK(search_gourds(train, all, train_of(goal)).has_value() == (far.count(goal.ends) > 0));
            }
        }
}

// On a few cells of a larger board.
TEST("searches within a board") {
    Random random(9);
    const Board board = flower(2);
    for (int round = 0; round < 60; ++round) {
        const Plain start = any_position(board, random);
        Cells cells{start.hole()}, closed;
        for (std::size_t i = 0; i < 2 + random() % 2; ++i) {
            const std::size_t g = random() % (start.ends.size() / 2);
            if (!contains(cells, start.ends[2 * g]))
                cells.insert(cells.end(), {start.ends[2 * g], start.ends[2 * g + 1]});
        }
        for (const auto c : start.ends)
            if (!contains(cells, c)) closed.push_back(c);
        const auto far = distances(start, closed);
        GourdTrain train = train_of(start);
        std::shuffle(cells.begin(), cells.end(), random);
        for (const auto& [ends, depth] : far) {
            const auto found = search_gourds(train, cells, train.with(ends));
            CHECK(found && found->size() == depth);
            Plain plain = start;
            CHECK(plain.play(*found) && plain.ends == ends);
        }
    }
}

TEST("bad searches") {
    Random random(10);
    const Board board = flower(1), large = flower(2);
    const Plain start = any_position(board, random);
    const GourdTrain train = train_of(start), other = train_of(any_position(large, random));
    const auto bad = [&](const Cells& cells, const GourdTrain& goal) {
        return refused([&] { search_gourds(train, cells, goal); });
    };
    const Cells all{0, 1, 2, 3, 4, 5, 6};
    CHECK(!bad(all, train));
    CHECK(!bad({start.hole()}, train));
    CHECK(bad({}, train));
    CHECK(bad({0, 1, 2, 3, 4, 5, -1}, train));
    CHECK(bad({0, 1, 2, 3, 4, 5, 7}, train));
    CHECK(bad({0, 1, 2, 3, 4, 5, 5}, train));
    CHECK(bad(Cells(12, 0), train));
    CHECK(bad({start.ends[1]}, train));                                // only a tail
    CHECK(bad({start.ends[0], start.ends[1], start.ends[3]}, train));  // a tail instead of the hole
    CHECK(bad({start.ends[0], start.hole(), start.ends[3]}, train));
    bad(all, other);
    CHECK(refused([&] { search_gourds(other, {other.hole(), other.ends()[16], other.ends()[17]}, train); }));
    const SmallGourdSearch local(train, all);
    const auto good = local.state_of(train);
    CHECK(local.search(good, good)->empty());
    for (const std::uint64_t state : {std::uint64_t{0}, ~std::uint64_t{0}, std::uint64_t{0x111111},
                                      good | std::uint64_t{0x7000000}, std::uint64_t{0xfedcba}}) {
        CHECK_THROWS(std::invalid_argument, local.search(state, good));
        CHECK_THROWS(std::invalid_argument, local.search(good, state));
    }
    const SmallGourdSearch alone(train, {start.hole()});
    CHECK(alone.search(0, 0)->empty());
    CHECK_THROWS(std::invalid_argument, alone.search(1, 0));
}

TEST("positions that are near") {
    Random random(11);
    std::vector<Board> all = small_boards(7, random);
    for (const auto& board : small_boards(5, random)) all.push_back(board);
    for (const auto& board : all) {
        const Plain start = any_position(board, random);
        const auto far = distances(start);
        std::vector<std::pair<Cells, std::uint32_t>> list(far.begin(), far.end());
        for (int round = 0; round < 25; ++round) {
            const auto& [ends, depth] = list[random() % list.size()];
            const GourdTrain train = train_of(start, &random), goal = train_of({&board, ends}, &random);
            GourdBidirectional<> near(train, goal);
            CHECK(near.search(1'000'000, quiet));
            CHECK(near.path().size() == depth);
            CHECK(near.lower_bound() <= depth);
            Plain plain = start;
            CHECK(plain.play(near.path()) && plain.ends == ends);
            const Cells path = near.path();
            CHECK(near.search(1'000'000, quiet) && near.path() == path);
            // With too little patience, then with more; and stopped.
            GourdBidirectional<> poor(train, goal);
            std::size_t most = random() % 20, before = 0;
            while (!poor.search(most, quiet)) {
                CHECK(poor.lower_bound() <= depth);
                CHECK(poor.lower_bound() >= before);
                CHECK(poor.path().empty());
                before = poor.lower_bound();
                try {
                    if (most > 5) poor.search(most + 5, stop_after(1));
                } catch (const Stopped&) {
                }
                most += 20;
            }
            CHECK(poor.path().size() == depth);
            plain = start;
            CHECK(plain.play(poor.path()) && plain.ends == ends);
        }
        for (int round = 0; round < 20; ++round) {
            const Plain goal = any_position(board, random);
            GourdBidirectional<> near(train_of(start), train_of(goal));
            CHECK(near.search(1'000'000, quiet) == (far.count(goal.ends) > 0));
        }
    }
    // A few moves on a large board.
    const Board board = parallelogram(9, 7);
    for (int round = 0; round < 20; ++round) {
        const Plain start = any_position(board, random);
        Plain goal = start;
        goal.walk(round, random);
        GourdBidirectional<> near(train_of(start), train_of(goal));
        if (!near.search(20'000, quiet)) {
            CHECK(near.lower_bound() <= z(round));
            continue;
        }
        CHECK(near.path().size() <= z(round));
        Plain plain = start;
        CHECK(plain.play(near.path()) && plain.ends == goal.ends);
    }
    const Board small = flower(1);
    CHECK_THROWS(std::invalid_argument,
                 GourdBidirectional<>(train_of(any_position(board, random)), train_of(any_position(small, random))));
}

// So few hashes that nearly all states share theirs with others.
template <std::uint64_t mask>
struct PoorHash {
    static std::uint64_t mark(std::size_t end, std::int32_t cell) { return GourdHash::mark(end, cell) & mask; }
};

template <std::uint64_t mask>
void check_collisions() {
    Random random(12);
    for (const auto& board : small_boards(7, random)) {
        const Plain start = any_position(board, random);
        const auto far = distances(start);
        std::vector<std::pair<Cells, std::uint32_t>> list(far.begin(), far.end());
        for (int round = 0; round < 5; ++round) {
            const auto& [ends, depth] = list[random() % list.size()];
            const Plain goal{&board, ends};
            GourdBidirectional<PoorHash<mask>> poor(train_of(start), train_of(goal));
            CHECK(poor.search(1'000'000, quiet) && poor.path().size() == depth);
            Plain plain = start;
            CHECK(plain.play(poor.path()) && plain.ends == ends);
            GourdBidirectional<> good(train_of(start), train_of(goal));
            CHECK(good.search(1'000'000, quiet) && good.path() == poor.path());
        }
    }
}

TEST("hash collisions") {
    check_collisions<0>();
    check_collisions<1>();
    check_collisions<0xff>();
}

TEST("best-first searches") {
    Random random(12);
    for (const auto& board : {flower(1), strip(4), strip(5), parallelogram(3, 3), parallelogram(5, 3)})
        for (int round = 0; round < 6; ++round) {
            const Plain start = any_position(board, random);
            Plain goal = start;
            goal.walk(200, random);
            const GourdTrain train = train_of(start, &random), target = train_of(goal);
            GourdBestFirst search(train, target, board.coordinates);
            for (const unsigned weight : {3u, 10u, 1'000u}) {
                const auto found = search.search(weight, 1'000'000, quiet);
                CHECK(found);
                Plain plain = start;
                CHECK(plain.play(*found) && plain.ends == goal.ends);
                // Given up or stopped in between, it begins where it began.
                search.search(weight, random() % 50, quiet);
                try {
                    search.search(weight, 1'000'000, stop_after(1 + static_cast<int>(random() % 3)));
                } catch (const Stopped&) {
                }
            }
            CHECK(start.ends == goal.ends || !search.search(1, 0, quiet));
            CHECK(GourdBestFirst(train, train, board.coordinates).search(1, 0, quiet)->empty());
            CHECK(train.path().empty());
        }
    // Coordinates that say nothing, or far too much.
    const Board board = flower(1);
    for (int round = 0; round < 6; ++round) {
        const Plain start = any_position(board, random);
        const auto far = distances(start);
        const Plain goal = any_position(board, random);
        Cells wild(14);
        for (auto& c : wild) c = static_cast<std::int32_t>(random());
        const Cells limits(
            14, round % 2 == 0 ? std::numeric_limits<std::int32_t>::min() : std::numeric_limits<std::int32_t>::max());
        for (const auto& coordinates : {Cells(14, 0), limits, wild}) {
            const auto found =
                GourdBestFirst(train_of(start), train_of(goal), coordinates).search(1'000, 1'000'000, quiet);
            CHECK(found.has_value() == (far.count(goal.ends) > 0));
            Plain plain = start;
            if (found) CHECK(plain.play(*found) && plain.ends == goal.ends);
        }
    }
    const GourdTrain train = train_of(any_position(board, random));
    const Board large = flower(2);
    CHECK_THROWS(std::invalid_argument,
                 GourdBestFirst(train, train_of(any_position(large, random)), board.coordinates));
    CHECK_THROWS(std::invalid_argument, GourdBestFirst(train, train, {}));
    CHECK_THROWS(std::invalid_argument, GourdBestFirst(train, train, Cells(15, 0)));
    CHECK_THROWS(std::invalid_argument, GourdBestFirst(train, train, board.coordinates).search(0, 10, quiet));
    CHECK_THROWS(std::invalid_argument, GourdBestFirst(train, train, board.coordinates).search(1'001, 10, quiet));
}

}  // namespace
