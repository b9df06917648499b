#include "search/support.hpp"

namespace {

std::vector<std::uint64_t> masks(const Graph& graph) {
    std::vector<std::uint64_t> out(graph.size(), 0);
    for (std::size_t c = 0; c < graph.size(); ++c)
        for (int d : graph[c]) out[c] |= std::uint64_t{1} << d;
    return out;
}

// All ways to lay pieces on spots, as a table counts them.
template <class Do>
void each_way(std::size_t spots, std::size_t pieces, bool apart, const Do& use) {
    std::vector<Point> at;
    auto lay = [&](auto& self) -> void {
        if (at.size() == pieces) return use(at);
        for (Point spot = 0; spot < spots; ++spot) {
            if (apart && std::find(at.begin(), at.end(), spot) != at.end()) continue;
            at.push_back(spot);
            self(self);
            at.pop_back();
        }
    };
    lay(lay);
}

TEST("pattern databases of one hole") {
    for (const auto& [width, height] : {std::pair(3, 2), {4, 2}, {5, 1}}) {
        const Graph board = grid(width, height);
        const Puzzle p(tiles(board), board.size() - 1);
        const auto hole = static_cast<std::uint8_t>(board.size() - 1);
        State goal(p.graph.pieces());
        std::iota(goal.begin(), goal.end(), Point{0});
        for (const std::vector<Point>& group : {std::vector<Point>{0}, {1, 3}, {3, 0, 2}}) {
            const HolePattern pattern(masks(board), {group.begin(), group.end()}, hole);
            const auto table = pattern.build(2, quiet);
            CHECK(table == pattern.build(1, quiet));
            std::vector<std::uint8_t> plain(table.size(), unreachable);
            for (const auto& [own, cost] : plain_table(p, goal, group))
                plain[pattern.ranks().rank(own.data())] = static_cast<std::uint8_t>(cost);
            CHECK(table == plain);
        }
    }
    CHECK_THROWS(std::invalid_argument, HolePattern({2, 1}, {0}, 0));
    CHECK_THROWS(std::invalid_argument, HolePattern({2, 0}, {0}, 1));
    CHECK_THROWS(std::invalid_argument, HolePattern({2, 1}, {5}, 1));
    const HolePattern stopped(masks(grid(4, 4)), {0, 1, 2, 3}, 15);
    CHECK_THROWS(Enough, stopped.build(2, [](const char*, std::uint64_t depth, std::uint64_t) {
        if (depth == 9) throw Enough{};
    }));
    // Those of many pieces, against the other way to make them.
    for (const auto& [board, group] : {std::pair<Graph, std::vector<std::uint8_t>>{grid(3, 3), {0, 3, 6, 7, 4}},
                                       {grid(4, 2), {6, 5, 4, 2, 1, 0}},
                                       {grid(4, 3), {10, 0, 5, 6, 9}},
                                       {grid(4, 2), {3, 0, 6, 2, 5, 1, 4}},
                                       {grid(3, 3), {7, 2, 0, 4, 6, 1, 3, 5}},
                                       {grid(9, 1), {4, 1, 7, 2}},
                                       {grid(8, 8), {62, 0}}}) {
        const Puzzle p(tiles(board), board.size() - 1);
        State goal(p.graph.pieces());
        std::iota(goal.begin(), goal.end(), Point{0});
        CHECK(table_of(p, goal, {group.begin(), group.end()}, 2) ==
              HolePattern(masks(board), group, static_cast<std::uint8_t>(board.size() - 1)).build(1, quiet));
    }
}

// Whether the hole is in another part of the free cells than the largest, of several the one with the smallest number.
bool is_elsewhere(const Puzzle& p, const Graph& board, const State& own, std::size_t hole) {
    const auto& rank = p.table.rank;
    std::vector<int> part(board.size(), -1);
    for (auto cell : own) part[cell] = -2;
    std::vector<std::size_t> sizes;
    for (std::size_t r = 0; r < board.size(); ++r) {  // cells along the line
        const auto first =
            static_cast<std::size_t>(std::find(rank.begin(), rank.end(), static_cast<int>(r)) - rank.begin());
        if (part[first] != -1) continue;
        std::vector<std::size_t> queue{first};
        part[first] = static_cast<int>(sizes.size());
        for (std::size_t i = 0; i < queue.size(); ++i)
            for (int next : board[queue[i]])
                if (part[static_cast<std::size_t>(next)] == -1) {
                    part[static_cast<std::size_t>(next)] = part[first];
                    queue.push_back(static_cast<std::size_t>(next));
                }
        sizes.push_back(queue.size());
    }
    return part[hole] != std::max_element(sizes.begin(), sizes.end()) - sizes.begin();
}

TEST("pattern databases that know the region of the hole") {
    std::mt19937_64 random(5);
    for (const Graph& board : {grid(3, 2), grid(4, 2), grid(3, 3), grid(7, 1), ring(6)})
        for (const bool shuffled : {false, true}) {
            const Puzzle p(tiles(board, shuffled ? &random : nullptr), board.size() - 1);
            const State goal = p.home(p.moves->shapes() / 2);
            for (std::size_t k = 1; k <= std::min<std::size_t>(4, goal.size()); ++k) {
                std::vector<Point> group(goal.size());
                std::iota(group.begin(), group.end(), Point{0});
                for (std::size_t i = group.size(); i > 1; --i) std::swap(group[i - 1], group[below(random, i)]);
                group.resize(k);
                const HoleRegions regions(*p.moves, static_cast<unsigned>(k));
                const PatternIndex index = index_for(p, k);
                const auto table = table_of(p, goal, group, 2, true), least = table_of(p, goal, group);
                CHECK(table.size() == 2 * index.count());
                std::vector<bool> counts(goal.size(), false);
                for (auto piece : group) counts[piece] = true;
                std::vector<std::uint8_t> expected(table.size(), unreachable);
                for (const auto& [look, found] : distances(p, goal, Looks::numbered(p), counts)) {
                    State own, at;
                    std::uint64_t set = 0;
                    for (auto piece : group) {
                        own.push_back(found.first[piece]);
                        at.push_back(static_cast<Point>(p.table.rank[own.back()]));
                        set |= std::uint64_t{1} << at.back();
                    }
                    std::vector<bool> covered(board.size(), false);
                    for (auto cell : found.first) covered[cell] = true;
                    const auto hole =
                        static_cast<std::size_t>(std::find(covered.begin(), covered.end(), false) - covered.begin());
                    const bool elsewhere = is_elsewhere(p, board, own, hole);
                    CHECK(regions.elsewhere(set, static_cast<unsigned>(p.table.rank[hole])) == elsewhere);
                    auto& entry = expected[index(at.data()) + (elsewhere ? index.count() : 0)];
                    entry = std::min(entry, static_cast<std::uint8_t>(found.second));
                }
                for (std::uint64_t i = 0; i < index.count(); ++i) {
                    const std::uint8_t here = table[i], other = table[i + index.count()];
                    CHECK(here == expected[i] && std::min(here, other) == least[i]);
                    CHECK(other == expected[i + index.count()] ||
                          (expected[i + index.count()] == unreachable && other == here));
                }
            }
        }
    const Puzzle two_holes(tiles(grid(3, 2)), 4);
    CHECK_THROWS(std::invalid_argument, HoleRegions(*two_holes.moves, 2));
    CHECK_THROWS(std::invalid_argument, table_of(two_holes, two_holes.home(0), {0, 1}, 1, true));
}

TEST("pattern databases") {
    std::mt19937_64 random(4);
    std::vector<Puzzle> puzzles = small_puzzles();
    puzzles.reserve(puzzles.size() + 3);
    puzzles.emplace_back(tiles(grid(3, 2), &random), 5);  // slots along some other line
    puzzles.emplace_back(tiles(grid(4, 2), &random), 5);
    puzzles.emplace_back(tiles(grid(7, 1)), 6);
    for (const auto& p : puzzles) {
        const State goal = p.home(p.moves->shapes() / 2);
        for (std::size_t k = 1; k <= goal.size(); ++k) {
            std::vector<Point> group(goal.size());
            std::iota(group.begin(), group.end(), Point{0});
            for (std::size_t i = group.size(); i > 1; --i) std::swap(group[i - 1], group[below(random, i)]);
            group.resize(k);
            const auto table = table_of(p, goal, group);
            const PatternIndex index = index_for(p, k);
            CHECK(table == table_of(p, goal, group, 3) && table.size() == index.count());
            const auto plain = plain_table(p, goal, group);
            std::size_t reached = 0;
            each_way(p.spots(), k, index.dense(), [&](const State& own) {
                const auto known = plain.find(own);
                reached += known != plain.end();
                State at = own;
                for (auto& spot : at)
                    if (index.dense()) spot = static_cast<Point>(p.table.rank[spot]);
                CHECK(table[index(at.data())] == (known == plain.end() ? unreachable : known->second));
            });
            CHECK(reached == plain.size());
        }
    }
    const Puzzle& p = puzzles[1];
    const PatternIndex two = index_for(p, 2);
    CHECK_THROWS(std::invalid_argument, PatternDatabaseBuilder(p.moves, 6, {0, 1}, two, plenty, quiet));
    CHECK_THROWS(std::invalid_argument, PatternDatabaseBuilder(p.moves, 0, {0, 0}, two, plenty, quiet));
    CHECK_THROWS(std::invalid_argument, PatternDatabaseBuilder(p.moves, 0, {0, 5}, two, plenty, quiet));
    CHECK_THROWS(std::invalid_argument, PatternDatabaseBuilder(p.moves, 0, {0}, two, plenty, quiet));
    CHECK_THROWS(std::invalid_argument, PatternDatabaseBuilder(p.moves, 0, {}, two, plenty, quiet));
    CHECK_THROWS(LimitReached, PatternDatabaseBuilder(p.moves, 0, {0, 1}, two, 100, quiet).build(1, quiet));
    CHECK_THROWS(Enough, PatternDatabaseBuilder(p.moves, 0, {0, 1}, two, plenty, throws_at<Enough>(1)));
    // The regions themselves may be too many.
    const Puzzle large(tiles(grid(5, 5)), 24);
    const PatternIndex eight(25, 25, true, 8);
    for (const std::uint64_t bytes : {1'000'000u, 10'000'000u, 100'000'000u})
        CHECK_THROWS(
            LimitReached,
            PatternDatabaseBuilder(large.moves, 0, {0, 1, 2, 3, 4, 5, 6, 7}, eight, bytes, quiet).build(1, quiet));
    const PatternDatabaseBuilder stopped(p.moves, 0, {0, 1}, two, plenty, quiet);
    CHECK_THROWS(Enough, stopped.build(1, throws_at<Enough>(2)));
}

// Against the definition, entry by entry.
struct PackedWay {
    bool halves;
    std::uint16_t step;
    std::uint64_t cut;
};

PackedWay check_packed(const PatternIndex& index, std::size_t spots, const std::vector<std::uint8_t>& table,
                       const std::vector<std::uint16_t>& alone) {
    DatabasePacker packer(index, spots, table, alone);
    const auto data = packer.pack(3, quiet);
    DatabasePacker again(index, spots, table, alone);
    CHECK(again.pack(1, quiet) == data && again.halves() == packer.halves() && again.step() == packer.step() &&
          again.cut() == packer.cut());
    const PackedDatabase packed{index, data, packer.halves(), packer.step()};
    CHECK(data.size() == packed.bytes() && packer.step() > 0);
    const unsigned most = packed.none() - 1;
    std::uint64_t cut = 0, ways = 0, known = 0;
    unsigned common = 0;
    each_way(spots, index.pieces(), index.dense(), [&](const State& own) {
        ++ways;
        const std::uint64_t entry = index(own.data());
        unsigned sum = 0;
        for (std::size_t k = 0; k < own.size(); ++k) sum += alone[k * spots + own[k]];
        const unsigned value = packed.value(entry);
        if (table[entry] == unreachable) {
            CHECK(value == packed.none());
            return;
        }
        CHECK(value != packed.none());
        if (table[entry] < sum) {
            CHECK(value == 0);
            return;
        }
        ++known;
        const unsigned more = table[entry] - sum;
        common = std::gcd(common, more);
        CHECK(more % packer.step() == 0 && value == std::min(more / packer.step(), most));
        cut += more / packer.step() > most;
    });
    CHECK(ways == index.count() && packer.cut() == cut && cut <= known / 1000 && packer.step() == std::max(1u, common));
    return {packer.halves(), packer.step(), packer.cut()};
}

TEST("packed tables") {
    std::mt19937_64 random(8);
    struct Shape {
        unsigned cells;
        std::size_t spots;
        bool single;
        unsigned pieces;
    };
    for (const auto& [cells, spots, single, pieces] : {Shape{13, 13, true, 4},
                                                       {9, 9, true, 2},
                                                       {5, 5, true, 1},
                                                       {7, 7, true, 3},
                                                       {6, 6, true, 6},
                                                       {64, 64, true, 2},
                                                       {5, 6, false, 4},
                                                       {5, 7, false, 3},
                                                       {5, 9, false, 1},
                                                       {70, 70, true, 2}}) {
        const PatternIndex index(cells, spots, single, pieces);
        std::vector<std::uint16_t> alone(pieces * spots);
        for (auto& a : alone) a = static_cast<std::uint16_t>(below(random, 40));
        // Tables with entries up to so much more than alone, and now and then one with far more.
        auto make = [&](unsigned step, unsigned most, std::uint64_t rare, unsigned far) {
            std::vector<std::uint8_t> table(index.count(), unreachable);
            std::uint64_t number = 0;
            each_way(spots, pieces, index.dense(), [&](const State& own) {
                unsigned sum = 0;
                for (std::size_t k = 0; k < own.size(); ++k) sum += alone[k * spots + own[k]];
                if (++number % 11 == 0) return;
                unsigned more = step * static_cast<unsigned>(below(random, most + 1));
                if (rare && number % rare == 1) more = step * far;
                if (number == 2) more = step;
                if (sum + more < unreachable) table[index(own.data())] = static_cast<std::uint8_t>(sum + more);
            });
            return table;
        };
        const auto small = check_packed(index, spots, make(1, 14, 0, 0), alone);
        CHECK(small.halves && small.step == 1 && small.cut == 0);
        const auto even = check_packed(index, spots, make(2, 14, 0, 0), alone);
        CHECK(even.halves && even.step == 2 && even.cut == 0);
        const auto large = check_packed(index, spots, make(1, 60, 0, 0), alone);
        CHECK(index.count() < 40 || (!large.halves && large.cut == 0));
        const auto third = check_packed(index, spots, make(3, 20, 0, 0), alone);
        CHECK(index.count() < 40 || (!third.halves && third.step == 3));
        const auto cut = check_packed(index, spots, make(2, 14, 1500, 15), alone);
        CHECK(index.count() < 5000 || (cut.halves && cut.step == 2 && cut.cut > 0));
        const auto none = check_packed(index, spots, std::vector<std::uint8_t>(index.count(), unreachable), alone);
        CHECK(none.halves && none.step == 1);
        auto strange = make(1, 14, 0, 0);
        for (auto& entry : strange)
            if (below(random, 5) == 0)
                entry = static_cast<std::uint8_t>(below(random, 3));  // less than alone: that says nothing
        check_packed(index, spots, strange, alone);
        auto unreachable = alone;
        unreachable[0] = no_distance;
        check_packed(index, spots, make(1, 14, 0, 0), unreachable);
        for (unsigned n : {1u, 2u, static_cast<unsigned>(spots) + 1})
            for (unsigned threads : {1u, 3u}) {
                const auto table = make(1, 14, 0, 0);
                DatabasePacker stopped(index, spots, table, alone);
                try {
                    stopped.pack(threads,
                                 throws_at<Enough>(n));  // a thread may have done all before the one that ticks
                } catch (const Enough&) {
                    continue;
                }
                CHECK(threads > 1);
            }
        const std::vector<std::uint8_t> short_table(index.count() - 1);
        CHECK_THROWS(std::invalid_argument, DatabasePacker(index, spots, short_table, alone));
        const std::vector<std::uint8_t> table(index.count());
        CHECK_THROWS(std::invalid_argument,
                     DatabasePacker(index, spots, table, std::span(alone).first(alone.size() - 1)));
    }
}

TEST("single pieces") {
    for (const auto& p : small_puzzles()) {
        const SingleDistances single(p.moves);
        CHECK(single.spots() == p.spots());
        for (const std::uint32_t shape : {0u, static_cast<std::uint32_t>(p.moves->shapes() - 1)}) {
            State goal = p.home(shape);
            if (p.turns() > 1) goal[0] = static_cast<Point>(goal[0] + 1);  // one that lies the other way round
            std::vector<std::vector<std::uint16_t>> alone;
            for (Point piece = 0; piece < goal.size(); ++piece) {
                const auto plain = plain_table(p, goal, {piece});
                alone.push_back(single.to(shape, p.point(shape, goal[piece]), quiet));
                CHECK(alone.back().size() == p.spots());
                for (Point spot = 0; spot < p.spots(); ++spot) {
                    const auto known = plain.find({spot});
                    CHECK(alone.back()[spot] == (known == plain.end() ? SingleDistances::none : known->second));
                }
            }
            for (Point a = 0; a < std::min<std::size_t>(goal.size(), 3); ++a)
                for (Point b = 0; b < a; ++b) {
                    double sum = 0, count = 0;
                    for (const auto& [own, cost] : plain_table(p, goal, {a, b})) {
                        sum += static_cast<double>(cost) - alone[a][own[0]] - alone[b][own[1]];
                        ++count;
                    }
                    const double found = single.pair_excess(shape, p.point(shape, goal[a]), p.point(shape, goal[b]),
                                                            alone[a], alone[b], quiet);
                    CHECK(std::abs(found - sum / count) < 1e-9);
                }
        }
    }
    const Puzzle p(tiles(grid(3, 2)), 5);
    const SingleDistances single(p.moves);
    const std::vector<std::uint16_t> row(6);
    CHECK_THROWS(std::invalid_argument, single.to(6, 0, quiet));
    CHECK_THROWS(std::invalid_argument, single.to(0, 5, quiet));
    CHECK_THROWS(std::invalid_argument, single.pair_excess(6, 0, 1, row, row, quiet));
    CHECK_THROWS(std::invalid_argument, single.pair_excess(0, 5, 1, row, row, quiet));
    CHECK_THROWS(std::invalid_argument, single.pair_excess(0, 0, 5, row, row, quiet));
    CHECK_THROWS(std::invalid_argument, single.pair_excess(0, 1, 1, row, row, quiet));
    CHECK_THROWS(std::invalid_argument, single.pair_excess(0, 0, 1, std::span(row).first(5), row, quiet));
    CHECK_THROWS(std::invalid_argument, single.pair_excess(0, 0, 1, row, std::span(row).first(5), quiet));
    CHECK_THROWS(Enough, single.to(0, 0, throws_at<Enough>(2)));
    CHECK_THROWS(Enough, single.pair_excess(0, 0, 1, row, row, throws_at<Enough>(2)));
}

TEST("what does not fit") {
    const std::vector<std::uint16_t> base(2 * 9);
    const std::vector<Point> image(2 * 9, 8);
    const std::vector<std::uint8_t> data(300), alone_table(12);
    const std::vector<std::uint16_t> alone(2 * 9);
    auto make = [&](const PatternIndex& index, std::uint16_t step) {
        const PackedDatabase table{index, std::span(data).first(index.count()), false, step};
        return refused([&] { Heuristic(2, 9, base, {table}, {{image, {{0, {0, 1}}}}}); });
    };
    CHECK(!make(PatternIndex(9, 9, true, 2), 255));
    CHECK(make(PatternIndex(9, 9, true, 2), 300));  // sums of such steps are kept in sixteen bits
    CHECK(make(PatternIndex(4, 4, true, 2), 1));    // a table for fewer cells
    CHECK(make(PatternIndex(4, 4, false, 2), 1));
    CHECK(refused([&] { PatternIndex(4, 9, true, 2); }));  // spots that are no cells
    CHECK(refused([&] { DatabasePacker(PatternIndex(4, 4, true, 2), 9, alone_table, alone); }));
    // Spots are numbered with sixteen bits.
    CHECK(refused([&] { Heuristic(1, 70000, std::vector<std::uint16_t>(70000), {}, {}); }));
    // Marks of pieces that turn, on a board where none do.
    const Puzzle p(tiles(grid(3, 2)), 5);
    const auto heuristic = estimate_by_looks(p, p.home(0), Looks::numbered(p));
    const Marks turning(std::vector<std::uint8_t>(5, 2), 2);
    CHECK(refused([&] { IdaStar(p.moves, walks_for(p)[0], turning, heuristic); }));
    CHECK(refused([&] { AStar(p.moves, turning, heuristic); }));
    CHECK(refused([&] { Bidirectional(p.moves, turning); }));
    // Tables are for numbered pieces: each of them once.
    const Guide guide(p, p.home(0), {{0, 1}, {2, 3, 4}}, {same_spots(p)}, false);
    const SearchState twice{0, {0, 1, 2, 3, 3}};
    const Marks marks = Looks::numbered(p).marks(p);
    CHECK(refused([&] { IdaStar(p.moves, walks_for(p)[0], marks, guide.heuristic).solve(twice, 0, 10, 10, quiet); }));
    CHECK(refused([&] { AStar(p.moves, marks, guide.heuristic).solve(twice, {}, quiet); }));
}

}  // namespace
