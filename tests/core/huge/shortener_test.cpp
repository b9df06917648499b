#include "huge/plain_pieces.hpp"

namespace {

Moves moves_of(const Shortener& shortener) {
    Moves out;
    for (std::size_t i = 0; i < shortener.size(); ++i)
        out.push_back({shortener.step(i).from, shortener.step(i).to, shortener.step(i).turn});
    return out;
}

void check_shortened(const Kind& kind, const Moves& moves, const Shortener& shortener, std::size_t most) {
    const Moves after = moves_of(shortener);
    CHECK(after.size() <= most);
    CHECK(kind.plain.end(kind.start, after) == kind.plain.end(kind.start, moves));
}

TEST("moves that are loaded") {
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

TEST("loops") {
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

TEST("passes") {
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
TEST("shortest solutions") {
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

TEST("shortest solutions of the 8-puzzle") {
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

TEST("passes that are stopped") {
    std::mt19937_64 random(16);
    unsigned stopped = 0;
    for (const auto& kind : kinds(random)) {
        Shortener shortener(kind.plain.table, kind.start);
        const Moves moves = kind.plain.walk(kind.start, 400, random);
        for (unsigned calls : {0, 1, 2, 5, 1000}) {
            shortener.load(moves);
            unsigned ticks = 0;
            const bool finished = shortener.pass(6, 40, [&](const char*, std::uint64_t done, std::uint64_t total) {
                CHECK(done <= total);
                if (ticks++ == calls) throw OutOfTime{};
            });
            CHECK(finished == (ticks <= calls));
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
TEST("passes that fail") {
    std::mt19937_64 random(20);
    const auto kind = kinds(random)[0];
    Shortener shortener(kind.plain.table, kind.start);
    const Moves moves = kind.plain.walk(kind.start, 400, random);
    shortener.load(moves);
    unsigned ticks = 0;
    CHECK_THROWS(std::runtime_error, shortener.pass(6, 40, [&](const char*, std::uint64_t, std::uint64_t) {
        if (ticks++ == 2) throw std::runtime_error("stop");
    }));
    check_shortened(kind, moves, shortener, moves.size());
}

// One long search asks whether it should go on.
TEST("searches that listen") {
    const Plain plain{tiles(grid(4, 4))};
    Plain::State start;
    for (std::int32_t c = 0; c < 15; ++c) start.emplace_back(c, 0);
    std::mt19937_64 random(22);
    Shortener shortener(plain.table, start);
    shortener.load(plain.walk(start, 120, random));
    unsigned ticks = 0;
    shortener.pass(120, 3'000'000, [&](const char*, std::uint64_t, std::uint64_t) { ++ticks; });
    CHECK(ticks > 0);
}

TEST("bad shorteners") {
    std::mt19937_64 random(18);
    const auto made = [](StepTable table, Plain::State pieces) { Shortener(std::move(table), std::move(pieces)); };
    const auto least = std::numeric_limits<std::int32_t>::min(), most = std::numeric_limits<std::int32_t>::max();
    for (const auto& kind : kinds(random)) {
        const auto& table = kind.plain.table;
        made(table, kind.start);
        made(table, {});
        const auto placements = static_cast<std::int32_t>(table.placement_count()),
                   turns = static_cast<std::int32_t>(table.turns);
        for (const Shortener::Spot& bad : {Shortener::Spot{-1, 0},
                                           {placements, 0},
                                           {least, 0},
                                           {most, 0},
                                           {0, -1},
                                           {0, turns},
                                           {0, most},
                                           {0, least}})
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
            number =
                std::array{least,      -1,    most,
                           placements, turns, static_cast<std::int32_t>(below(random, table.placement_count()))}[below(
                    random, 6)];
            // Is it legal by chance?
            bool legal = true;
            auto state = kind.start;
            for (const auto& m : moves) {
                const auto ways = kind.plain.after(state);
                const auto found =
                    std::find_if(ways.begin(), ways.end(), [&](const auto& way) { return way.first == m; });
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
    spoiled([](StepTable& t) { t.steps[0].holes[0] = 6; });
    spoiled([](StepTable& t) { t.steps[0].holes[0] = -1; });
    spoiled([](StepTable& t) { t.steps.pop_back(); });
    spoiled([](StepTable& t) { t.placements[1] = 0; });
}

// What can't be loaded does not take the place of what was.
TEST("a load that fails") {
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
