// Every loop that can last ticks: big inputs for each class, with ticks that are counted and ticks that stop the work.
#include "arrays/batch.hpp"
#include "base/key_set.hpp"
#include "base/parallel.hpp"
#include "boards.hpp"
#include "gourds/bidirectional.hpp"
#include "gourds/carrier.hpp"
#include "gourds/small_search.hpp"
#include "graph/replay.hpp"
#include "group/group.hpp"
#include "group/short_words.hpp"
#include "huge/peeler.hpp"
#include "huge/shortener.hpp"
#include "layers/layer_search.hpp"
#include "search/ida_star.hpp"
#include "search/pattern_database.hpp"
#include "search/single_distances.hpp"
#include "ticks.hpp"

using namespace slidelab;

namespace {

using Cells = GourdTrain::Cells;

std::vector<HoleGraph::Step> hole_steps(const Graph& graph) {
    std::vector<HoleGraph::Step> out;
    for (const auto& s : tiles(graph).steps) out.push_back({s.from, s.to, -1});
    return out;
}

TEST("hash tables that grow tick") {
    KeySet keys;
    for (std::uint64_t k = 0; k < 200'000; ++k) keys.insert(k * k);
    // A tick that throws leaves the set as it was.
    for (std::uint64_t n : {1, 5, 12}) CHECK_THROWS(Stop, keys.make_room(1'000'000, stop_at(n)));
    CHECK(count_ticks([&](const Tick& tick) { keys.make_room(1'000'000, tick); }) >= 12);
    CHECK(count_ticks([&](const Tick& tick) { keys.make_room(1'000'000, tick); }) == 0);
    CHECK(keys.size() == 200'000);
    for (std::uint64_t k = 0; k < 200'000; ++k) CHECK(keys.find(k * k) == k);
    CHECK(keys.insert(7).second && keys.find(7) == 200'000 && keys.find(8) == KeySet::none);
    // Room for exactly so many: none of them moves the others.
    HashIndex index;
    std::vector<std::uint64_t> values;
    const auto hash_of = [&](std::uint32_t i) { return values[i]; };
    for (std::size_t count : {1, 31, 32, 33, 500, 2000}) {
        index.make_room(count, hash_of, quiet);
        const std::size_t bytes = index.bytes();
        for (std::size_t i = 0; i < count; ++i) {
            values.push_back(values.size() * 0x9e3779b97f4a7c15ull);
            index.insert(values.back(), [](std::uint32_t) { return false; }, hash_of);
        }
        CHECK(index.bytes() == bytes);
    }
}

TEST("tasks that take long are stopped in all threads") {
    for (unsigned threads : {1u, 2u, 4u}) {
        std::atomic<unsigned> stopped{0};
        const auto work = [&](std::size_t, unsigned, const Tick& own) {
            try {
                for (;;) own("work", 0, 0);
            } catch (...) {
                ++stopped;
                throw;
            }
        };
        CHECK_THROWS(Stop, parallel_for(4, threads, "tasks", stop_at(1000), work));
        CHECK(stopped >= 1 && stopped <= threads);
    }
}

TEST("tables of steps and moves tick") {
    const StepTable table = tiles(grid(200, 150));
    check_ticks(20, [&](const Tick& tick) { table.check(tick); });
    check_ticks(30, [&](const Tick& tick) { NumberedMoves(table, tick); });
    std::vector<std::uint32_t> counts(30'000, 1);
    check_ticks(30, [&](const Tick& tick) { Batches(table, counts, tick); });
    std::vector<std::int32_t> rows;
    for (const auto& s : table.steps) rows.insert(rows.end(), {s.from, s.to, s.holes[0]});
    check_ticks(10, [&](const Tick& tick) { Replay(30'000, 1, 3, rows, {0, 1, 2}, tick); });
}

TEST("gain graphs tick") {
    const StepTable table = tiles(grid(20, 20));
    check_ticks(5, [&](const Tick& tick) { GainGraph(table, 399, 1000, tick); });
    const GainGraph graph(table, 399, 1000, quiet);
    check_ticks(8, [&](const Tick& tick) { graph.span(0, plenty, tick); });
    const StepTable two = tiles(grid(12, 12));
    check_ticks(5, [&](const Tick& tick) { GainGraph(two, 142, 100'000, tick); });
    const GainGraph wide(two, 142, 100'000, quiet);
    check_ticks(30, [&](const Tick& tick) { MoveTable(wide, tick); });
    const MoveTable moves(wide);
    check_ticks(50, [&](const Tick& tick) { DuplicatePruning(moves, 100'000, 3, tick); });
    const SingleDistances single(std::make_shared<const MoveTable>(wide));
    check_ticks(50, [&](const Tick& tick) { single.to(0, 5, tick); });
}

TEST("groups tick") {
    // Rotations of a long cycle by all amounts: one orbit, no giant.
    const std::size_t degree = 300;
    std::vector<Permutation> rotations;
    for (std::size_t by = 1; by < 60; ++by) {
        Permutation p(degree);
        for (std::size_t x = 0; x < degree; ++x) p[x] = static_cast<Point>((x + by) % degree);
        rotations.push_back(p);
    }
    check_ticks(50, [&](const Tick& tick) { Group(degree, rotations, 1, plenty, tick); });
    check_ticks(1, [&](const Tick& tick) { minimal_block(degree, rotations, 0, 150, tick); });
    const Group group(degree, rotations, 1, plenty, quiet);
    const auto [base, lengths] = group.base();
    const std::vector<Permutation> one{rotations[0]};
    check_ticks(100, [&, base = base, lengths = lengths](const Tick& tick) {
        ShortWords(degree, one, {1}, base, lengths, 1, 3, tick);
    });
}

TEST("layer searches tick") {
    const GainGraph graph(tiles(grid(4, 3)), 11, 1000, quiet);
    const auto input = [&] {
        CodeInput in;
        in.shapes = graph.shape_count();
        in.pieces = 11;
        for (const auto& e : graph.edges()) in.edges.push_back({e.source, e.target, e.slot_from, e.slot_to, e.turn});
        in.labels.assign(11, 0);
        for (std::uint32_t k = 0; k < 11; ++k) in.main.push_back(k);
        return in;
    };
    check_ticks(5, [&](const Tick& tick) { StateCode(input(), plenty, tick); });
    const auto code = std::make_shared<const StateCode>(input(), plenty, quiet);
    LayerSearch search(code, {});
    search.begin({0, 0, 0});
    for (int layer = 0; layer < 4; ++layer) search.advance(1, quiet);
    // All words are looked at, many more than have states.
    check_ticks(50, [&](const Tick& tick) { search.last_layer(1'000'000, tick); });
    CHECK(search.last_layer(1'000'000).size() == search.layers().back());
    const std::vector<std::uint64_t> farthest{search.layers().back() - 1};
    check_ticks(1, [&](const Tick& tick) { search.layer_states(farthest, tick); });
    CHECK(count_ticks([&](const Tick& tick) { search.last_layer(1, tick); }) <= 50);
    check_ticks(1,
                [&](const Tick& tick) { search.each_word(tick, [](std::uint32_t, std::uint32_t, std::uint64_t) {}); });
}

TEST("pattern databases tick") {
    const GainGraph graph(tiles(grid(4, 3)), 11, 1000, quiet);
    const PatternIndex index(12, 12, true, 6);
    const std::vector<std::uint32_t> slots{0, 1, 2, 3, 4, 5};
    std::vector<std::uint8_t> table;
    check_ticks(100, [&](const Tick& tick) {
        table = PatternDatabaseBuilder(std::make_shared<const MoveTable>(graph), 0, slots, index, plenty, tick)
                    .build(1, tick);
    });
    const std::vector<std::uint16_t> alone(6 * 12, 0);
    check_ticks(24 + 20, [&](const Tick& tick) { DatabasePacker(index, 12, table, alone).pack(1, tick); });
    // Six pieces of ten: the other threads stop within their tasks, too.
    CHECK_THROWS(Stop, DatabasePacker(index, 12, table, alone).pack(2, stop_at(9)));
    const std::vector<std::uint8_t> bytes(20 << 20, 7);
    check_ticks(20, [&](const Tick& tick) { checksum(bytes, tick); });
    CHECK(checksum(bytes, stop_at(0)) == checksum(bytes));
}

TEST("boards for peeling tick") {
    const Graph board = grid(120, 100);
    const auto steps = hole_steps(board);
    check_ticks(90, [&](const Tick& tick) { HoleGraph(board.size(), steps, tick); });
    std::vector<std::int32_t> lies(board.size());
    std::iota(lies.begin(), lies.end(), 0);
    check_ticks(90, [&](const Tick& tick) { Peeler(board.size(), steps, lies, lies, plenty, {}, tick); });
    const HoleGraph graph(board.size(), steps);
    const std::vector<std::array<std::int32_t, 2>> pairs(200, {0, 11'999});
    check_ticks(200, [&](const Tick& tick) { CHECK(graph.distance_sum(pairs, tick) == 200 * 218); });
    // Far pieces: their paths, and the distances they need.
    std::vector<std::int32_t> goal = lies;
    std::swap(goal[1], goal[11'999]);
    std::swap(goal[2], goal[11'998]);
    check_ticks(200, [&](const Tick& tick) { Peeler(board.size(), steps, lies, goal, plenty).place({11'999}, tick); });
}

// A hole that runs up and down the board, and moves as the shortener takes them.
std::vector<std::array<std::int32_t, 3>> up_and_down(int cells, std::size_t count) {
    std::vector<std::array<std::int32_t, 3>> out;
    for (int hole = 0, step = 1; out.size() < count; hole += step) {
        if (hole + step < 0 || hole + step >= cells) step = -step;
        out.push_back({hole + step, hole, 0});
    }
    return out;
}

TEST("shorteners tick") {
    const int cells = 100;
    const StepTable table = tiles(grid(cells, 1));
    std::vector<Shortener::Spot> pieces;
    for (int c = 1; c < cells; ++c) pieces.emplace_back(c, 0);
    const StepTable large = tiles(grid(200, 150));
    check_ticks(20, [&](const Tick& tick) { Shortener(large, {}, tick); });
    Shortener shortener(table, pieces);
    const auto moves = up_and_down(cells, 50'000), few = up_and_down(cells, 10);
    check_ticks(12, [&](const Tick& tick) { Shortener(shortener).load(moves, tick); });
    // A load that is stopped keeps what was loaded before.
    shortener.load(few);
    CHECK_THROWS(Stop, shortener.load(moves, stop_at(3)));
    CHECK(shortener.size() == 10);
    shortener.load(moves);
    // Loops that are cut only in part are not cut at all.
    const std::uint64_t calls = count_ticks([&](const Tick& tick) { Shortener(shortener).cut_loops(tick); });
    CHECK(calls >= 13);
    for (std::uint64_t n = 1; n <= calls; ++n) {
        CHECK_THROWS(Stop, shortener.cut_loops(stop_at(n)));
        CHECK(shortener.size() == moves.size());
        for (std::size_t i = 0; i < moves.size(); i += 997) CHECK(shortener.step(i).from == moves[i][0]);
    }
    shortener.cut_loops();
    CHECK(shortener.size() < 200);
}

// Gourds round a ring of cells.
GourdTrain ring_train(int gourds) {
    const int around = 2 * gourds + 1;
    Cells offsets{0}, neighbours, ends;
    for (int c = 0; c < around; ++c) {
        const int before = (c + around - 1) % around, after = (c + 1) % around;
        neighbours.insert(neighbours.end(), {std::min(before, after), std::max(before, after)});
        offsets.push_back(2 * (c + 1));
        if (c > 0) ends.push_back(c);
    }
    return {offsets, neighbours, ends};
}

TEST("gourds tick") {
    GourdTrain train = ring_train(50);
    Cells cycle(101);
    std::iota(cycle.begin(), cycle.end(), 0);
    check_ticks(60, [&](const Tick& tick) { GourdTrain(train).pull(cycle, 1'000'000, tick); });
    check_ticks(60, [&](const Tick& tick) { GourdTrain(train).pull(cycle, -1'000'000, tick); });
    // A pull that is stopped goes on from where it was.
    GourdTrain whole(train);
    whole.pull(cycle, 300'000);
    for (std::uint64_t n : {1, 2, 9}) {
        GourdTrain part(train);
        CHECK_THROWS(Stop, part.pull(cycle, 300'000, stop_at(n)));
        CHECK(part.path().size() < 300'000);
        part.pull(cycle, 300'000 - static_cast<std::int64_t>(part.path().size()));
        CHECK(part.path() == whole.path() && part.ends() == whole.ends() && part.hole() == whole.hole());
    }
    check_ticks(18, [&](const Tick& tick) { GourdTrain(train).play(whole.path(), tick); });
    check_ticks(18, [&](const Tick& tick) { train.rows_of_path(whole.path(), {}, tick); });
    GourdTrain large = ring_train(40'000);
    Cells long_cycle(80'001);
    std::iota(long_cycle.begin(), long_cycle.end(), 0);
    check_ticks(1, [&](const Tick& tick) { GourdTrain(large).pull_to(long_cycle, 40'000, tick); });
    const std::vector<std::int32_t> coordinates(2 * 101, 0);
    const auto rounds = [&](GourdCarrier& carrier, const Tick& tick) {
        return carrier.carry(0, 51, 52, {4, 4, true, 1000}, tick);
    };
    // A carrier that was stopped can be used again, and does the same.
    GourdTrain fresh(train);
    GourdCarrier other(fresh, coordinates);
    const std::uint64_t calls = count_ticks([&](const Tick& tick) { rounds(other, tick); });
    CHECK(calls >= 3);
    for (std::uint64_t n = 1; n <= calls; ++n) {
        GourdTrain carried(train);
        GourdCarrier carrier(carried, coordinates);
        CHECK_THROWS(Stop, rounds(carrier, stop_at(n)));
        CHECK(carried.path().empty());
        rounds(carrier, quiet);
        CHECK(carried.path() == fresh.path() && carried.ends() == fresh.ends());
    }
}

}  // namespace
