// Pattern tables and iterative deepening of src/core without Python, meant to run under the sanitizers.
//
// What is compared with what: the two ways to make a table with each other and with a search over labelled
// states, solutions with the distances of a breadth-first search.
#include "check.hpp"
#include "deepening.hpp"
#include "hole_pattern_search.hpp"
#include "label_pattern.hpp"

#include <deque>
#include <map>

using namespace slidelab;

namespace {

// The n x m board, and its tiles as a step table.
struct Board {
    int width, height;
    int cells() const { return width * height; }
    std::vector<int> around(int cell) const {
        std::vector<int> out;
        const int x = cell % width, y = cell / width;
        if (x > 0) out.push_back(cell - 1);
        if (x + 1 < width) out.push_back(cell + 1);
        if (y > 0) out.push_back(cell - width);
        if (y + 1 < height) out.push_back(cell + width);
        return out;
    }
    std::vector<std::uint64_t> masks() const {
        std::vector<std::uint64_t> out(static_cast<std::size_t>(cells()), 0);
        for (int c = 0; c < cells(); ++c)
            for (int d : around(c)) out[static_cast<std::size_t>(c)] |= std::uint64_t{1} << d;
        return out;
    }
    StepTable steps() const {
        StepTable t;
        t.cells = static_cast<std::size_t>(cells());
        for (int c = 0; c < cells(); ++c) {
            t.placements.push_back(c);
            t.rank.push_back(c);
            for (int d : around(c)) t.steps.push_back({c, d, 0, {d, -1, -1, -1}});
        }
        return t;
    }
};

using State = std::vector<Point>;  // the cell of each tile; the hole is what is left

int hole_of(const Board& board, const State& state) {
    std::uint64_t used = 0;
    for (auto c : state) used |= std::uint64_t{1} << c;
    for (int c = 0; c < board.cells(); ++c)
        if (!(used >> c & 1)) return c;
    return -1;
}

std::vector<std::pair<std::size_t, State>> moves(const Board& board, const State& state) {
    std::vector<std::pair<std::size_t, State>> out;
    const int hole = hole_of(board, state);
    for (int d : board.around(hole))
        for (std::size_t t = 0; t < state.size(); ++t)
            if (state[t] == d) {
                State other = state;
                other[t] = static_cast<Point>(hole);
                out.emplace_back(t, other);
            }
    return out;
}

// Fewest moves from the goal, counting those of some tiles only.
std::map<State, unsigned> distances(const Board& board, const State& goal, const std::vector<bool>& counts) {
    std::map<State, unsigned> cost{{goal, 0}};
    std::deque<State> queue{goal};
    while (!queue.empty()) {
        const State state = queue.front();
        queue.pop_front();
        for (const auto& [tile, other] : moves(board, state)) {
            const unsigned there = cost[state] + counts[tile];
            const auto [it, fresh] = cost.try_emplace(other, there);
            if (!fresh && it->second <= there) continue;
            it->second = there;
            if (counts[tile])
                queue.push_back(other);
            else
                queue.push_front(other);
        }
    }
    return cost;
}

State in_order(const Board& board) {
    State goal;
    for (int c = 0; c + 1 < board.cells(); ++c) goal.push_back(static_cast<Point>(c));
    return goal;
}

void test_ranks() {
    for (unsigned n = 1; n <= 7; ++n)
        for (unsigned k = 1; k <= std::min(n, 4u); ++k) {
            const TileRanks ranks(n, k);
            for (std::uint64_t r = 0; r < ranks.count(); ++r) {
                std::array<std::uint8_t, TileRanks::most_cells> cells;
                ranks.unrank(r, cells.data());
                for (unsigned i = 0; i < k; ++i)
                    for (unsigned j = 0; j < i; ++j) CHECK(cells[i] < n && cells[i] != cells[j]);
                CHECK(ranks.rank(cells.data()) == r);
            }
        }
    const TileRanks large(64, 3);
    std::array<std::uint8_t, TileRanks::most_cells> cells{63, 0, 62};
    const auto r = large.rank(cells.data());
    CHECK(r < large.count());
    large.unrank(r, cells.data());
    CHECK(cells[0] == 63 && cells[1] == 0 && cells[2] == 62);
    CHECK_THROWS(std::invalid_argument, TileRanks(65, 2));
    CHECK_THROWS(std::invalid_argument, TileRanks(4, 5));
    CHECK_THROWS(std::invalid_argument, TileRanks(4, 0));
    CHECK_THROWS(LimitReached, TileRanks(64, 12));
}

std::vector<std::uint8_t> by_labels(const Board& board, const State& goal, const std::vector<std::uint32_t>& group) {
    const GainGraph graph(board.steps(), goal.size(), 1000, quiet);
    LabelInput in;
    in.shapes = graph.shape_count();
    in.pieces = goal.size();
    for (const auto& e : graph.edges()) in.edges.push_back({e.source, e.target, e.slot_from, e.slot_to, e.turn});
    for (std::size_t s = 0; s < in.shapes; ++s)
        for (auto p : graph.slots(s)) in.placement.push_back(static_cast<Point>(p));
    const std::vector<std::uint16_t> hole{static_cast<std::uint16_t>(hole_of(board, goal))};
    in.goal_shape = static_cast<std::uint32_t>(graph.find(hole));
    const auto slots = graph.slots(in.goal_shape);
    for (auto tile : group)
        in.goal_points.push_back(static_cast<Point>(std::find(slots.begin(), slots.end(), goal[tile]) - slots.begin()));
    const auto n = static_cast<unsigned>(board.cells());
    return LabelPattern(in, PatternIndex(n, n, true, static_cast<unsigned>(group.size()))).build(quiet);
}

void test_tables() {
    for (const Board board : {Board{3, 2}, Board{4, 2}, Board{5, 1}}) {
        const State goal = in_order(board);
        for (const std::vector<std::uint32_t>& group : {std::vector<std::uint32_t>{0}, {1, 3}, {3, 0, 2}}) {
            std::vector<bool> counts(goal.size(), false);
            std::vector<std::uint8_t> cells;
            for (auto tile : group) {
                counts[tile] = true;
                cells.push_back(static_cast<std::uint8_t>(goal[tile]));
            }
            const HolePattern pattern(board.masks(), cells, static_cast<std::uint8_t>(hole_of(board, goal)));
            const auto table = pattern.build(2, quiet);
            CHECK(table == pattern.build(1, quiet) && table == by_labels(board, goal, group));
            std::vector<std::uint8_t> plain(table.size(), no_way);
            for (const auto& [state, cost] : distances(board, goal, counts)) {
                std::vector<std::uint8_t> own;
                for (auto tile : group) own.push_back(static_cast<std::uint8_t>(state[tile]));
                auto& entry = plain[pattern.ranks().rank(own.data())];
                entry = std::min(entry, static_cast<std::uint8_t>(cost));
            }
            CHECK(table == plain);
        }
    }
    // Five tiles and more, by the search of layers.
    for (const auto& [board, goal] : {std::pair<Board, std::vector<std::uint8_t>>{{3, 2}, {4, 0, 1, 2, 3}},
                                      {{3, 3}, {0, 3, 6, 7, 4}},
                                      {{4, 2}, {7, 6, 5, 3, 2, 1}},
                                      {{4, 3}, {11, 0, 5, 6, 9}},
                                      {{7, 1}, {0, 1, 2, 3, 4}}}) {
        for (int hole = 0; hole < board.cells(); ++hole) {
            if (std::find(goal.begin(), goal.end(), hole) != goal.end()) continue;
            const HolePatternSearch search(board.masks(), goal, static_cast<std::uint8_t>(hole), quiet);
            CHECK(search.build(2, quiet) == HolePattern(board.masks(), goal, static_cast<std::uint8_t>(hole)).build(1, quiet));
        }
    }
    CHECK_THROWS(std::invalid_argument, HolePatternSearch(Board{3, 2}.masks(), {0, 1, 2, 3}, 5, quiet));
    CHECK_THROWS(std::invalid_argument, HolePatternSearch(Board{3, 2}.masks(), {0, 1, 2, 3, 4}, 4, quiet));
    CHECK_THROWS(std::invalid_argument, HolePattern({2, 1}, {0}, 0));
    CHECK_THROWS(std::invalid_argument, HolePattern({2, 0}, {0}, 1));
    CHECK_THROWS(std::invalid_argument, HolePattern({2, 1}, {5}, 1));
    struct Enough {};
    const HolePattern stopped(Board{4, 4}.masks(), {0, 1, 2, 3}, 15);
    CHECK_THROWS(Enough, stopped.build(2, [](const char*, std::uint64_t depth, std::uint64_t) {
        if (depth == 9) throw Enough{};
    }));
}

void test_solutions() {
    const Board board{3, 3};
    const State goal = in_order(board);
    const auto exact = distances(board, goal, std::vector<bool>(8, true));
    CHECK(exact.size() == 181440);
    for (const auto& groups : {std::vector<std::vector<std::uint32_t>>{{0, 1, 2, 5}, {4, 3, 6, 7}}, {{0}, {7, 1}}, {}}) {
        std::vector<std::vector<std::uint8_t>> tables;
        std::vector<PatternGroup> patterns;
        for (const auto& group : groups) {
            std::vector<std::uint8_t> cells;
            for (auto tile : group) cells.push_back(static_cast<std::uint8_t>(goal[tile]));
            tables.push_back(HolePattern(board.masks(), cells, 8).build(1, quiet));
        }
        for (std::size_t g = 0; g < groups.size(); ++g)
            patterns.push_back({groups[g], PatternIndex(9, 9, true, static_cast<unsigned>(groups[g].size())), tables[g]});
        const Deepening search(board.steps(), 8, patterns);
        std::size_t number = 0;
        for (const auto& [state, cost] : exact) {
            if (++number % 4001 || (groups.size() != 2 && cost > 16) || (tables.size() == 2 && groups[0].size() == 1 && cost > 16)) continue;
            CHECK(*search.estimate(state) <= cost);
            const auto found = search.solve(state, goal, plenty, quiet);
            CHECK(found.steps && found.steps->size() == cost && found.bound == cost);
            State now = state;
            for (const auto& step : *found.steps) {
                CHECK(now[step.piece] == step.from && step.to == hole_of(board, now));
                now[step.piece] = step.to;
            }
            CHECK(now == goal);
        }
        const auto stopped = search.solve(exact.rbegin()->first, goal, 10, quiet);
        CHECK(!stopped.steps || stopped.steps->size() < 10);
        CHECK_THROWS(std::invalid_argument, search.estimate({0, 1}));
        CHECK_THROWS(std::invalid_argument, search.estimate({0, 1, 2, 3, 4, 5, 6, 6}));
        CHECK_THROWS(std::invalid_argument, search.estimate({0, 1, 2, 3, 4, 5, 6, 9}));
    }
    std::vector<std::uint8_t> wrong(3);
    CHECK_THROWS(std::invalid_argument, Deepening(board.steps(), 8, {{{0}, PatternIndex(9, 9, true, 1), wrong}}));
    CHECK_THROWS(std::invalid_argument, Deepening(board.steps(), 10, {}));
}

}  // namespace

int main() {
    const std::pair<const char*, void (*)()> tests[] = {
        {"ranks of tiles", test_ranks}, {"pattern tables", test_tables}, {"shortest solutions", test_solutions}};
    for (const auto& [name, test] : tests) {
        std::cout << name << std::endl;
        test();
        ++passed;
    }
    std::cout << passed << " passed, 0 failed\n";
}
