// Pattern tables and searches of src/core without Python, meant to run under the sanitizers.
//
// What is compared with what: all with a plain simulation that moves labelled pieces one by one and knows nothing
// of slots. Tables, distances of single pieces and estimates with its searches in which some moves cost nothing,
// walks that are left out with lists of all walks, solutions with the distances of a breadth-first search.
#include "search/best_first.hpp"
#include "check.hpp"
#include "hole_pattern.hpp"
#include "pieces.hpp"
#include "search/pattern_database.hpp"
#include "search/single_distances.hpp"

#include <cmath>
#include <deque>
#include <map>
#include <set>
#include <unordered_map>

using namespace slidelab;

namespace {

// ---------------------------------------------------------------- puzzles, plainly

using State = std::vector<Point>;  // the spot of each piece

struct Puzzle {
    StepTable table;
    GainGraph graph;
    std::shared_ptr<const MoveTable> moves;
    std::vector<std::vector<StepTable::Step>> steps;  // by placement
    std::map<std::vector<Point>, std::uint32_t> number;  // of the shape with these placements, sorted

    Puzzle(StepTable t, std::size_t pieces)
        : table(std::move(t)), graph(table, pieces, 1000000, quiet), moves(std::make_shared<const MoveTable>(graph)), steps(table.placement_count()) {
        for (const auto& step : table.steps) steps[static_cast<std::size_t>(step.from)].push_back(step);
        for (std::uint32_t s = 0; s < graph.shape_count(); ++s) {
            std::vector<Point> placements;
            for (auto p : graph.slots(s)) placements.push_back(static_cast<Point>(p));
            std::sort(placements.begin(), placements.end());
            CHECK(number.emplace(placements, s).second);
        }
    }

    std::size_t turns() const { return table.turns; }
    std::size_t spots() const { return table.placement_count() * table.turns; }

    // The piece that moves, and the state after.
    std::vector<std::pair<std::size_t, State>> after(const State& state) const {
        std::vector<bool> covered(table.cells, false);
        for (auto spot : state)
            for (auto c : table.cells_of(spot / turns())) covered[static_cast<std::size_t>(c)] = true;
        std::vector<std::pair<std::size_t, State>> out;
        for (std::size_t k = 0; k < state.size(); ++k)
            for (const auto& step : steps[state[k] / turns()]) {
                if (std::any_of(step.needs.begin(), step.needs.end(), [&](auto c) { return c >= 0 && covered[static_cast<std::size_t>(c)]; })) continue;
                State other = state;
                const std::size_t turn = (state[k] + static_cast<std::size_t>(step.turn)) % turns();
                other[k] = static_cast<Point>(static_cast<std::size_t>(step.to) * turns() + turn);
                if (std::find(out.begin(), out.end(), std::pair(k, other)) == out.end()) out.emplace_back(k, std::move(other));
            }
        return out;
    }

    std::uint32_t shape(const State& state) const {
        std::vector<Point> placements;
        for (auto spot : state) placements.push_back(static_cast<Point>(spot / turns()));
        std::sort(placements.begin(), placements.end());
        return number.at(placements);
    }

    // Piece k in slot k, unturned.
    State home(std::size_t shape) const {
        State out;
        for (auto p : graph.slots(shape)) out.push_back(static_cast<Point>(static_cast<std::size_t>(p) * turns()));
        return out;
    }

    // The slot point of a spot.
    Point point(std::uint32_t shape, Point spot) const {
        const auto slots = graph.slots(shape);
        const auto slot = std::find(slots.begin(), slots.end(), static_cast<std::int32_t>(spot / turns())) - slots.begin();
        return static_cast<Point>(static_cast<std::size_t>(slot) * turns() + spot % turns());
    }

    // What a move of the core does to a state, without looking whether it may.
    State follow(State state, std::uint32_t arc_number) const {
        const auto& arc = moves->arcs()[arc_number];
        for (auto& spot : state)
            if (spot / turns() == arc.from) {
                spot = static_cast<Point>(arc.to * turns() + (spot + arc.turn) % turns());
                return state;
            }
        fail(__FILE__, __LINE__, "no such piece");
    }

    // The same, but it must be one of the moves above.
    State play(const State& state, std::uint32_t arc_number) const {
        State there = follow(state, arc_number);
        const auto all = after(state);
        CHECK(std::any_of(all.begin(), all.end(), [&](const auto& move) { return move.second == there; }));
        CHECK(shape(state) == moves->arcs()[moves->arcs()[arc_number].back].target && shape(there) == moves->arcs()[arc_number].target);
        return there;
    }
};

// Which pieces look alike: a kind for each, and for each kind after how many turns it looks the same again.
struct Looks {
    std::vector<unsigned> kind;
    std::vector<std::uint8_t> period;

    static Looks numbered(const Puzzle& p) {
        Looks out;
        for (unsigned k = 0; k < p.graph.pieces(); ++k) out.kind.push_back(k);
        out.period.assign(p.graph.pieces(), static_cast<std::uint8_t>(p.turns()));
        return out;
    }
    Marks marks(const Puzzle& p) const { return {period, p.turns()}; }

    std::u16string of(const Puzzle& p, const State& state) const {
        std::u16string out(p.table.placement_count(), u'\0');
        for (std::size_t k = 0; k < state.size(); ++k)
            out[state[k] / p.turns()] = static_cast<char16_t>(1 + 3 * kind[k] + state[k] % p.turns() % period[kind[k]]);
        return out;
    }
    Situation situation(const Puzzle& p, const State& state) const {
        Situation out;
        out.shape = p.shape(state);
        out.marks.assign(state.size(), 0);
        const Marks m = marks(p);
        for (std::size_t k = 0; k < state.size(); ++k)
            out.marks[p.point(out.shape, state[k]) / p.turns()] = m.mark(kind[k], static_cast<unsigned>(state[k] % p.turns()));
        return out;
    }
};

// Fewest moves from the goal to all that can be reached, counting those of some pieces only.
using Distances = std::unordered_map<std::u16string, std::pair<State, unsigned>>;

Distances distances(const Puzzle& p, const State& goal, const Looks& looks, const std::vector<bool>& counts) {
    Distances out{{looks.of(p, goal), {goal, 0}}};
    std::deque<std::pair<State, unsigned>> queue{{goal, 0}};
    while (!queue.empty()) {
        const auto [state, cost] = std::move(queue.front());
        queue.pop_front();
        if (out.at(looks.of(p, state)).second != cost) continue;
        for (auto& [piece, other] : p.after(state)) {
            const unsigned there = cost + counts[piece];
            const auto [it, fresh] = out.try_emplace(looks.of(p, other), other, there);
            if (!fresh && it->second.second <= there) continue;
            it->second = {other, there};
            if (counts[piece])
                queue.emplace_back(std::move(other), there);
            else
                queue.emplace_front(std::move(other), there);
        }
    }
    return out;
}

Distances distances(const Puzzle& p, const State& goal) {
    return distances(p, goal, Looks::numbered(p), std::vector<bool>(goal.size(), true));
}

// The least over all states in which some pieces lie on the same spots.
using Table = std::map<State, unsigned>;

Table plain_table(const Puzzle& p, const State& goal, const std::vector<Point>& group) {
    std::vector<bool> counts(goal.size(), false);
    for (auto piece : group) counts[piece] = true;
    Table out;
    for (const auto& [look, found] : distances(p, goal, Looks::numbered(p), counts)) {
        State own;
        for (auto piece : group) own.push_back(found.first[piece]);
        const auto [it, fresh] = out.emplace(own, found.second);
        it->second = std::min(it->second, found.second);
    }
    return out;
}

Graph ring(int n) {
    std::vector<std::pair<int, int>> edges;
    for (int i = 0; i < n; ++i) edges.emplace_back(i, (i + 1) % n);
    return graph_of(static_cast<std::size_t>(n), edges);
}

// Hexagons: one in the middle, six around it.
Graph flower() {
    std::vector<std::pair<int, int>> edges;
    for (int k = 1; k <= 6; ++k) {
        edges.emplace_back(0, k);
        edges.emplace_back(k, k % 6 + 1);
    }
    return graph_of(7, edges);
}

Graph wheel() { return graph_of(5, {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {4, 0}, {4, 1}, {4, 2}, {4, 3}}); }
Graph kite() { return graph_of(6, {{0, 1}, {1, 2}, {3, 4}, {4, 5}, {0, 3}, {1, 4}, {2, 5}, {0, 4}}); }

std::vector<Puzzle> small_puzzles() {
    std::vector<Puzzle> out;
    out.reserve(16);
    out.emplace_back(tiles(grid(2, 2)), 3);
    out.emplace_back(tiles(grid(3, 2)), 5);
    out.emplace_back(tiles(grid(3, 2)), 3);
    out.emplace_back(tiles(grid(3, 2)), 1);
    out.emplace_back(tiles(grid(4, 1)), 3);
    out.emplace_back(tiles(ring(5)), 4);
    out.emplace_back(tiles(wheel()), 3);
    out.emplace_back(tiles(Graph(2)), 1);
    out.emplace_back(wide_tiles(flower()), 4);
    out.emplace_back(wide_tiles(flower()), 6);
    out.emplace_back(gourds(kite()), 2);
    out.emplace_back(gourds(wheel()), 1);
    out.emplace_back(triangles(5), 1);
    out.emplace_back(triangles(7), 2);
    return out;
}

struct Enough {};

// A tick that throws when it is called for the n-th time.
template <class What>
Tick throws_at(std::uint64_t n) {
    auto calls = std::make_shared<std::uint64_t>(0);
    return [=](const char*, std::uint64_t, std::uint64_t) {
        if (++*calls >= n) throw What{};
    };
}

// ---------------------------------------------------------------- moves, marks, sets of states

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
                const std::vector<Point> spots(cells.begin(), cells.begin() + k);
                CHECK(PatternIndex(n, n, true, k)(spots.data()) == r);
            }
        }
    for (unsigned k : {1u, 3u, 6u}) {
        const TileRanks large(64, k);
        std::array<std::uint8_t, TileRanks::most_cells> cells{63, 0, 62, 61, 60, 59}, again{};
        const auto r = large.rank(cells.data());
        CHECK(r < large.count());
        large.unrank(r, again.data());
        CHECK(std::equal(cells.begin(), cells.begin() + k, again.begin()));
        large.unrank(large.count() - 1, again.data());
        CHECK(large.rank(again.data()) == large.count() - 1);
    }
    CHECK_THROWS(std::invalid_argument, TileRanks(65, 2));
    CHECK_THROWS(std::invalid_argument, TileRanks(4, 5));
    CHECK_THROWS(std::invalid_argument, TileRanks(4, 0));
    CHECK_THROWS(LimitReached, TileRanks(64, 12));
    const PatternIndex pairs(9, 7, false, 2);
    const std::vector<Point> spots{3, 6};
    CHECK(pairs.count() == 49 && !pairs.dense() && pairs(spots.data()) == 27);
    CHECK(!PatternIndex(65, 65, true, 2).dense());
    CHECK_THROWS(std::invalid_argument, PatternIndex(9, 9, true, 0));
    CHECK_THROWS(std::invalid_argument, PatternIndex(9, 0, false, 1));
    CHECK_THROWS(LimitReached, PatternIndex(9, 65535, false, 3));
}

void test_moves() {
    for (const auto& p : small_puzzles()) {
        const auto& moves = *p.moves;
        CHECK(moves.shapes() == p.graph.shape_count() && moves.pieces() == p.graph.pieces() && moves.spots() == p.spots());
        for (std::uint32_t s = 0; s < moves.shapes(); ++s) {
            const auto slots = p.graph.slots(s);
            CHECK(std::equal(slots.begin(), slots.end(), moves.slots(s).begin(), moves.slots(s).end()));
            const State home = p.home(s);
            std::set<State> reached, plain;
            for (const auto& [piece, other] : p.after(home)) plain.insert(other);
            for (std::uint32_t a = 0; a < moves.arcs(s).size(); ++a) {
                const std::uint32_t number = moves.first(s) + a;
                const auto& arc = moves.arcs()[number];
                CHECK(&arc == &moves.arcs(s)[a] && moves.arcs()[arc.back].back == number && moves.arcs()[arc.back].target == s);
                const State there = p.play(home, number);
                CHECK(reached.insert(there).second && p.play(there, arc.back) == home);
            }
            CHECK(reached == plain);
        }
    }
}

void test_marks() {
    std::mt19937_64 random(5);
    for (const auto& [turns, periods] : {std::pair<std::size_t, std::vector<std::uint8_t>>{1, {1}},
                                         {1, std::vector<std::uint8_t>(15, 1)},
                                         {1, std::vector<std::uint8_t>(257, 1)},
                                         {2, {2, 1, 2}},
                                         {2, {1}},
                                         {3, {1, 3, 3, 1, 3}},
                                         {3, std::vector<std::uint8_t>(max_degree / 4, 3)}}) {
        const Marks marks(periods, turns);
        CHECK(marks.kinds() == periods.size() && marks.bits() <= 16);
        const std::size_t step = std::max<std::size_t>(1, periods.size() / 100);
        std::set<Point> all;
        for (unsigned kind = 0; kind < periods.size(); kind += static_cast<unsigned>(step))
            for (unsigned turn = 0; turn < turns; ++turn) {
                const Point m = marks.mark(kind, turn);
                all.insert(m);
                CHECK(marks.is_mark(m) && m >> marks.bits() == 0 && marks.kind(m) == kind && marks.turn(m) == turn % periods[kind]);
                for (unsigned by = 0; by < turns; ++by) CHECK(marks.turned(m, by) == marks.mark(kind, turn + by));
            }
        for (unsigned m = 0; m <= 0xffff; ++m)
            if (marks.is_mark(static_cast<Point>(m))) CHECK(marks.mark(marks.kind(static_cast<Point>(m)), marks.turn(static_cast<Point>(m))) == m);
        if (step == 1) {
            std::size_t ways = 0;
            for (auto p : periods) ways += p;
            CHECK(all.size() == ways);
        }
        for (std::size_t pieces : {0, 1, 3, 8, 9, 63, 64, 65}) {
            const Packing packing(marks.bits(), pieces);
            CHECK(packing.words() == (pieces + 64 / marks.bits() - 1) / (64 / marks.bits()));
            std::vector<Point> slots(pieces), in(pieces + 5, 0xffff), back(pieces + 5, 0xffff);
            std::iota(slots.begin(), slots.end(), Point{3});
            for (std::size_t i = pieces; i > 1; --i) std::swap(slots[i - 1], slots[below(random, i)]);
            for (auto s : slots) in[s] = marks.mark(static_cast<unsigned>(below(random, periods.size())), static_cast<unsigned>(below(random, turns)));
            std::vector<std::uint64_t> words(packing.words() + 1, 0x5555);
            packing.pack(slots, in.data(), words.data());
            packing.unpack(slots, words.data(), back.data());
            CHECK(back == in && words.back() == 0x5555);
        }
    }
    CHECK_THROWS(std::invalid_argument, Marks({}, 1));
    CHECK_THROWS(std::invalid_argument, Marks({1}, 0));
    CHECK_THROWS(std::invalid_argument, Marks({1}, 4));
    CHECK_THROWS(std::invalid_argument, Marks({0}, 1));
    CHECK_THROWS(std::invalid_argument, Marks({2}, 1));
    CHECK_THROWS(std::invalid_argument, Marks({1, 2}, 3));
}

void test_state_set() {
    std::mt19937_64 random(6);
    for (std::size_t words : {0, 1, 3}) {
        StateSet set(words);
        std::map<std::vector<std::uint64_t>, std::uint32_t> plain;
        for (int trial = 0; trial < 20000; ++trial) {
            std::vector<std::uint64_t> key{below(random, words ? 10 : 6000)};
            for (std::size_t w = 0; w < words; ++w) key.push_back(below(random, words == 1 ? 2000 : 20) << (trial % 2 ? 0 : 50));
            const auto shape = static_cast<std::uint32_t>(key[0]);
            const auto known = plain.find(key);
            CHECK(set.find(shape, key.data() + 1) == (known == plain.end() ? StateSet::none : known->second));
            const auto [number, fresh] = set.insert(shape, key.data() + 1);
            CHECK(fresh == (known == plain.end()) && number == plain.emplace(key, plain.size()).first->second);
        }
        CHECK(set.size() == plain.size() && set.size() > 4096);
        for (const auto& [key, number] : plain)
            CHECK(set.shape(number) == key[0] && std::equal(key.begin() + 1, key.end(), set.state(number)));
    }
    Chunked<std::uint16_t> list(3);
    std::vector<std::uint16_t*> places;
    for (std::uint16_t i = 0; i < 10000; ++i) {
        places.push_back(list.add());
        std::fill_n(places.back(), 3, i);
    }
    for (std::uint16_t i = 0; i < 10000; ++i) CHECK(list[i] == places[i] && list[i][0] == i && list[i][2] == i);
    CHECK(list.size() == 10000);
}

// ---------------------------------------------------------------- walks

using Walk = std::vector<std::uint32_t>;

// From one shape, all walks up to some length in order of length and then of moves: those that come first to a state.
std::set<Walk> first_walks(const Puzzle& p, std::uint32_t root, unsigned length) {
    std::set<Walk> first{{}};
    std::set<State> seen{p.home(root)};
    struct Gone {
        Walk walk;
        State state;
        std::uint32_t shape;
    };
    std::vector<Gone> layer{{{}, p.home(root), root}};
    for (unsigned l = 1; l <= length; ++l) {
        std::vector<Gone> next;
        for (const auto& gone : layer)
            for (std::uint32_t a = 0; a < p.moves->arcs(gone.shape).size(); ++a) {
                Walk longer = gone.walk;
                longer.push_back(p.moves->first(gone.shape) + a);
                State there = p.follow(gone.state, longer.back());
                if (seen.insert(there).second) first.insert(longer);
                next.push_back({std::move(longer), std::move(there), p.moves->arcs(gone.shape)[a].target});
            }
        layer = std::move(next);
    }
    return first;
}

// A walk may be gone on if and only if no part of it, up to the length that is known, is a later twin.
void check_every_walk(const Puzzle& p, const Walks& walks, unsigned longest) {
    std::vector<std::set<Walk>> first;
    for (std::uint32_t s = 0; s < p.moves->shapes(); ++s) first.push_back(first_walks(p, s, walks.length()));
    auto go = [&](auto& self, Walk& walk, std::vector<std::uint32_t>& shapes, std::uint32_t at) -> void {
        if (walk.size() == longest) return;
        std::map<std::uint32_t, const Walks::Arc*> allowed;
        for (const auto& arc : walks.arcs(at)) CHECK(allowed.emplace(arc.move, &arc).second);
        std::size_t found = 0;
        for (std::uint32_t a = 0; a < p.moves->arcs(shapes.back()).size(); ++a) {
            const std::uint32_t move = p.moves->first(shapes.back()) + a;
            const auto& plain = p.moves->arcs()[move];
            walk.push_back(move);
            bool wanted = true;
            for (std::size_t l = 1; wanted && l <= std::min<std::size_t>(walks.length(), walk.size()); ++l) {
                const Walk part(walk.end() - static_cast<std::ptrdiff_t>(l), walk.end());
                wanted = first[shapes[walk.size() - l]].count(part);
            }
            CHECK(wanted == (allowed.count(move) == 1));
            if (wanted) {
                const auto& arc = *allowed.at(move);
                CHECK(arc.from == plain.from && arc.to == plain.to && arc.turn == plain.turn && arc.next < walks.states());
                ++found;
                shapes.push_back(plain.target);
                self(self, walk, shapes, arc.next);
                shapes.pop_back();
            }
            walk.pop_back();
        }
        CHECK(found == allowed.size());
    };
    for (std::uint32_t s = 0; s < p.moves->shapes(); ++s) {
        Walk walk;
        std::vector<std::uint32_t> shapes{s};
        go(go, walk, shapes, s);
    }
}

// Every state is reached by an allowed walk of the length of a shortest, and up to the length that is known by no other.
void check_shortest_walks(const Puzzle& p, const Walks& walks, std::uint32_t root, unsigned longest) {
    std::map<State, unsigned> distance{{p.home(root), 0}};
    std::vector<State> shell{p.home(root)};
    std::map<std::pair<std::uint32_t, State>, std::uint64_t> gone{{{root, p.home(root)}, 1}};
    for (unsigned length = 1; length <= longest; ++length) {
        std::vector<State> next_shell;
        for (const auto& state : shell)
            for (auto& [piece, other] : p.after(state))
                if (distance.emplace(other, length).second) next_shell.push_back(std::move(other));
        shell = std::move(next_shell);
        decltype(gone) next;
        for (const auto& [at, ways] : gone)
            for (const auto& arc : walks.arcs(at.first)) {
                State there = p.follow(at.second, arc.move);
                if (length > walks.length() && distance.at(there) < length) continue;  // no shortest walk, whatever follows
                next[{arc.next, std::move(there)}] += ways;
            }
        gone = std::move(next);
        std::set<State> reached;
        std::uint64_t ways = 0;
        for (const auto& [at, count] : gone) {
            reached.insert(at.second);
            ways += count;
        }
        CHECK(reached == std::set<State>(shell.begin(), shell.end()));
        if (length <= walks.length()) CHECK(ways == shell.size());
    }
}

void test_walks() {
    for (const auto& p : small_puzzles()) {
        const std::size_t shapes = p.moves->shapes();
        const double branches = static_cast<double>(p.moves->arcs().size()) / static_cast<double>(shapes);
        for (unsigned longest = 0; longest <= 5 && static_cast<double>(shapes) * std::pow(branches, longest) < 5000; ++longest) {
            const Walks walks(*p.moves, 1000000, longest, quiet);
            CHECK(walks.length() <= longest);
            check_every_walk(p, walks, std::min(longest + 2, 6u));
        }
        for (std::size_t most : {shapes - 1, shapes, 5 * shapes, std::size_t{20000}}) {
            const Walks walks(*p.moves, most, 14, quiet);
            CHECK(most > shapes || walks.length() == 0);
            for (std::uint32_t s = 0; s < std::min<std::size_t>(shapes, 2); ++s) check_shortest_walks(p, walks, s, branches > 4 ? 5 : 10);
        }
    }
    const Puzzle eight(tiles(grid(3, 3)), 8);
    for (std::size_t most : {60, 2000, 100000}) {
        const Walks walks(*eight.moves, most, 14, quiet);
        for (std::uint32_t s : {0, 1, 4}) check_shortest_walks(eight, walks, s, 12);
    }
    const Puzzle six(tiles(grid(3, 3)), 6);
    check_shortest_walks(six, Walks(*six.moves, 30000, 14, quiet), 11, 6);
    // Around a block of four and back again in twelve moves: six one way are the twins of six the other way.
    const Walks around(*eight.moves, 100000, 14, quiet);
    CHECK(around.length() >= 6 && around.states() > 9);
    CHECK_THROWS(Enough, Walks(*eight.moves, 100000, 14, throws_at<Enough>(3)));
}

// ---------------------------------------------------------------- tables

std::vector<std::uint64_t> masks(const Graph& graph) {
    std::vector<std::uint64_t> out(graph.size(), 0);
    for (std::size_t c = 0; c < graph.size(); ++c)
        for (int d : graph[c]) out[c] |= std::uint64_t{1} << d;
    return out;
}

PatternIndex index_for(const Puzzle& p, std::size_t pieces) {
    return {static_cast<unsigned>(p.table.cells), p.spots(), p.table.piece_cells == 1, static_cast<unsigned>(pieces)};
}

// The pieces must lie unturned at the goal.
std::vector<std::uint8_t> table_of(const Puzzle& p, const State& goal, const std::vector<Point>& group, unsigned threads = 1) {
    const std::uint32_t shape = p.shape(goal);
    std::vector<std::uint32_t> slots;
    for (auto piece : group) slots.push_back(static_cast<std::uint32_t>(p.point(shape, goal[piece]) / p.turns()));
    return RegionPattern(p.graph, shape, slots, index_for(p, group.size()), plenty, quiet).build(threads, quiet);
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

void test_hole_patterns() {
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
            std::vector<std::uint8_t> plain(table.size(), no_way);
            for (const auto& [own, cost] : plain_table(p, goal, group)) plain[pattern.ranks().rank(own.data())] = static_cast<std::uint8_t>(cost);
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
                                       {grid(4, 3), {10, 0, 5, 6, 9}}}) {
        const Puzzle p(tiles(board), board.size() - 1);
        State goal(p.graph.pieces());
        std::iota(goal.begin(), goal.end(), Point{0});
        CHECK(table_of(p, goal, {group.begin(), group.end()}, 2) == HolePattern(masks(board), group, static_cast<std::uint8_t>(board.size() - 1)).build(1, quiet));
    }
}

void test_tables() {
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
                CHECK(table[index(at.data())] == (known == plain.end() ? no_way : known->second));
            });
            CHECK(reached == plain.size());
        }
    }
    const Puzzle& p = puzzles[1];
    const PatternIndex two = index_for(p, 2);
    CHECK_THROWS(std::invalid_argument, RegionPattern(p.graph, 6, {0, 1}, two, plenty, quiet));
    CHECK_THROWS(std::invalid_argument, RegionPattern(p.graph, 0, {0, 0}, two, plenty, quiet));
    CHECK_THROWS(std::invalid_argument, RegionPattern(p.graph, 0, {0, 5}, two, plenty, quiet));
    CHECK_THROWS(std::invalid_argument, RegionPattern(p.graph, 0, {0}, two, plenty, quiet));
    CHECK_THROWS(std::invalid_argument, RegionPattern(p.graph, 0, {}, two, plenty, quiet));
    CHECK_THROWS(LimitReached, RegionPattern(p.graph, 0, {0, 1}, two, 100, quiet).build(1, quiet));
    CHECK_THROWS(Enough, RegionPattern(p.graph, 0, {0, 1}, two, plenty, throws_at<Enough>(1)));
    const RegionPattern stopped(p.graph, 0, {0, 1}, two, plenty, quiet);
    CHECK_THROWS(Enough, stopped.build(1, throws_at<Enough>(2)));
}

// Against the definition, entry by entry.
struct PackedWay {
    bool halves;
    std::uint16_t step;
    std::uint64_t cut;
};

PackedWay check_packed(const PatternIndex& index, std::size_t spots, const std::vector<std::uint8_t>& table, const std::vector<std::uint16_t>& alone) {
    TablePacker packer(index, spots, table, alone);
    const auto data = packer.pack(3, quiet);
    TablePacker again(index, spots, table, alone);
    CHECK(again.pack(1, quiet) == data && again.halves() == packer.halves() && again.step() == packer.step() && again.cut() == packer.cut());
    const PackedTable packed{index, data, packer.halves(), packer.step()};
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
        if (table[entry] == no_way) {
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

void test_packing() {
    std::mt19937_64 random(8);
    struct Shape {
        unsigned cells;
        std::size_t spots;
        bool single;
        unsigned pieces;
    };
    for (const auto& [cells, spots, single, pieces] : {Shape{13, 13, true, 4}, {9, 9, true, 2}, {5, 5, true, 1}, {7, 7, true, 3}, {6, 6, true, 6},
                                                       {64, 64, true, 2}, {5, 6, false, 4}, {5, 7, false, 3}, {5, 9, false, 1}, {70, 70, true, 2}}) {
        const PatternIndex index(cells, spots, single, pieces);
        std::vector<std::uint16_t> alone(pieces * spots);
        for (auto& a : alone) a = static_cast<std::uint16_t>(below(random, 40));
        // Tables with entries up to so much more than alone, and now and then one with far more.
        auto make = [&](unsigned step, unsigned most, std::uint64_t rare, unsigned far) {
            std::vector<std::uint8_t> table(index.count(), no_way);
            std::uint64_t number = 0;
            each_way(spots, pieces, index.dense(), [&](const State& own) {
                unsigned sum = 0;
                for (std::size_t k = 0; k < own.size(); ++k) sum += alone[k * spots + own[k]];
                if (++number % 11 == 0) return;
                unsigned more = step * static_cast<unsigned>(below(random, most + 1));
                if (rare && number % rare == 1) more = step * far;
                if (number == 2) more = step;
                if (sum + more < no_way) table[index(own.data())] = static_cast<std::uint8_t>(sum + more);
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
        const auto none = check_packed(index, spots, std::vector<std::uint8_t>(index.count(), no_way), alone);
        CHECK(none.halves && none.step == 1);
        auto strange = make(1, 14, 0, 0);
        for (auto& entry : strange)
            if (below(random, 5) == 0) entry = static_cast<std::uint8_t>(below(random, 3));  // less than alone: that says nothing
        check_packed(index, spots, strange, alone);
        auto unreachable = alone;
        unreachable[0] = no_way_there;
        check_packed(index, spots, make(1, 14, 0, 0), unreachable);
        for (unsigned n : {1u, 2u, static_cast<unsigned>(spots) + 1})
            for (unsigned threads : {1u, 3u}) {
                const auto table = make(1, 14, 0, 0);
                TablePacker stopped(index, spots, table, alone);
                try {
                    stopped.pack(threads, throws_at<Enough>(n));  // a thread may have done all before the one that ticks
                } catch (const Enough&) {
                    continue;
                }
                CHECK(threads > 1);
            }
        const std::vector<std::uint8_t> short_table(index.count() - 1);
        CHECK_THROWS(std::invalid_argument, TablePacker(index, spots, short_table, alone));
        const std::vector<std::uint8_t> table(index.count());
        CHECK_THROWS(std::invalid_argument, TablePacker(index, spots, table, std::span(alone).first(alone.size() - 1)));
    }
}

void test_checksum() {
    std::mt19937_64 random(9);
    std::set<std::uint64_t> of_zeros;
    for (std::size_t size : {0, 1, 7, 8, 31, 32, 33, 40, 64, 100, 257}) {
        std::vector<std::uint8_t> bytes(size);
        CHECK(of_zeros.insert(checksum(bytes)).second);
        for (auto& b : bytes) b = static_cast<std::uint8_t>(random());
        const std::uint64_t sum = checksum(bytes);
        for (std::size_t bit = 0; bit < 8 * size; ++bit) {
            bytes[bit / 8] ^= static_cast<std::uint8_t>(1u << bit % 8);
            CHECK(checksum(bytes) != sum);
            bytes[bit / 8] ^= static_cast<std::uint8_t>(1u << bit % 8);
        }
        if (size > 8) {  // parts that change places
            auto turned = bytes;
            std::rotate(turned.begin(), turned.begin() + 8, turned.end());
            CHECK(checksum(turned) != sum);
        }
        std::vector<std::uint8_t> moved(size + 3);
        std::copy(bytes.begin(), bytes.end(), moved.begin() + 3);
        CHECK(checksum(std::span(moved).subspan(3)) == sum);
    }
}

// ---------------------------------------------------------------- single pieces and estimates

std::vector<std::uint16_t> alone_rows(const Puzzle& p, const State& goal) {
    const SingleDistances single(p.graph);
    std::vector<std::uint16_t> out;
    const std::uint32_t shape = p.shape(goal);
    for (auto spot : goal) {
        const auto row = single.to(shape, p.point(shape, spot), quiet);
        out.insert(out.end(), row.begin(), row.end());
    }
    return out;
}

void test_single_distances() {
    for (const auto& p : small_puzzles()) {
        const SingleDistances single(p.graph);
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
                    const double found = single.together(shape, p.point(shape, goal[a]), p.point(shape, goal[b]), alone[a], alone[b], quiet);
                    CHECK(std::abs(found - sum / count) < 1e-9);
                }
        }
    }
    const Puzzle p(tiles(grid(3, 2)), 5);
    const SingleDistances single(p.graph);
    const std::vector<std::uint16_t> row(6);
    CHECK_THROWS(std::invalid_argument, single.to(6, 0, quiet));
    CHECK_THROWS(std::invalid_argument, single.to(0, 5, quiet));
    CHECK_THROWS(std::invalid_argument, single.together(6, 0, 1, row, row, quiet));
    CHECK_THROWS(std::invalid_argument, single.together(0, 5, 1, row, row, quiet));
    CHECK_THROWS(std::invalid_argument, single.together(0, 0, 5, row, row, quiet));
    CHECK_THROWS(std::invalid_argument, single.together(0, 1, 1, row, row, quiet));
    CHECK_THROWS(std::invalid_argument, single.together(0, 0, 1, std::span(row).first(5), row, quiet));
    CHECK_THROWS(std::invalid_argument, single.together(0, 0, 1, row, std::span(row).first(5), quiet));
    CHECK_THROWS(Enough, single.to(0, 0, throws_at<Enough>(2)));
    CHECK_THROWS(Enough, single.together(0, 0, 1, row, row, throws_at<Enough>(2)));
}

using Groups = std::vector<std::vector<Point>>;

// Tables of groups, and views of them: how a symmetry carries spots, and so which pieces the tables are asked for.
struct Guide {
    std::vector<std::vector<std::uint8_t>> data;
    std::vector<Table> plain;
    std::vector<std::uint16_t> alone;
    std::vector<std::pair<State, Groups>> seen;  // the image of each spot, and the pieces
    std::shared_ptr<const Estimate> estimate;

    Guide(const Puzzle& p, const State& goal, const Groups& groups, const std::vector<State>& images, bool plainly = true) {
        alone = alone_rows(p, goal);
        std::vector<PackedTable> tables;
        data.reserve(groups.size());
        for (const auto& group : groups) {
            const auto table = table_of(p, goal, group);
            std::vector<std::uint16_t> rows;
            for (auto piece : group) rows.insert(rows.end(), alone.begin() + piece * p.spots(), alone.begin() + (piece + 1) * p.spots());
            TablePacker packer(index_for(p, group.size()), p.spots(), table, rows);
            data.push_back(packer.pack(2, quiet));
            CHECK(packer.cut() == 0);
            tables.push_back({index_for(p, group.size()), data.back(), packer.halves(), packer.step()});
            if (plainly) plain.push_back(plain_table(p, goal, group));
        }
        std::vector<PatternView> views;
        for (const auto& image : images) {
            PatternView view;
            Groups asked;
            for (std::size_t k = 0; k < goal.size(); ++k) view.image.insert(view.image.end(), image.begin(), image.end());
            for (std::uint32_t g = 0; g < groups.size(); ++g) {
                std::vector<Point> pieces;
                for (auto piece : groups[g])
                    for (Point other = 0; other < goal.size(); ++other)
                        if (image[goal[other]] == goal[piece]) pieces.push_back(other);
                CHECK(pieces.size() == groups[g].size());
                view.groups.emplace_back(g, pieces);
                asked.push_back(pieces);
            }
            seen.emplace_back(image, asked);
            views.push_back(view);
        }
        estimate = std::make_shared<const Estimate>(goal.size(), p.spots(), alone, tables, views);
    }

    // The bound as it is meant: single pieces, or the best view of the tables.
    std::optional<unsigned> bound(const Puzzle& p, const State& state) const {
        unsigned base = 0;
        for (std::size_t k = 0; k < state.size(); ++k) {
            if (alone[k * p.spots() + state[k]] == no_way_there) return std::nullopt;
            base += alone[k * p.spots() + state[k]];
        }
        unsigned best = base;
        for (const auto& [image, groups] : seen) {
            unsigned sum = base;
            for (std::size_t g = 0; g < groups.size(); ++g) {
                State own;
                for (auto piece : groups[g]) {
                    own.push_back(image[state[piece]]);
                    sum -= alone[piece * p.spots() + state[piece]];
                }
                const auto known = plain[g].find(own);
                if (known == plain[g].end()) return std::nullopt;
                sum += known->second;
            }
            best = std::max(best, sum);
        }
        return best;
    }
};

State same_spots(const Puzzle& p) {
    State out(p.spots());
    std::iota(out.begin(), out.end(), Point{0});
    return out;
}

std::vector<std::pair<Point, Point>> kinds_and_spots(const State& state) {
    std::vector<std::pair<Point, Point>> out;
    for (Point k = 0; k < state.size(); ++k) out.emplace_back(k, state[k]);
    return out;
}

// All states, also those from which there is no way, and all their moves.
void check_estimate(const Puzzle& p, const State& goal, const Guide& guide) {
    const auto exact = distances(p, goal);
    const Looks numbered = Looks::numbered(p);
    Estimate::State s;
    auto look = [&](const State& state) {
        const auto wanted = guide.bound(p, state);
        CHECK(guide.estimate->load(kinds_and_spots(state), s) == wanted.has_value());
        const auto known = exact.find(numbered.of(p, state));
        if (known != exact.end()) CHECK(wanted && *wanted <= known->second.second);
        if (!wanted) return;
        CHECK(s.bound == *wanted);
        const auto before = s.own;
        for (const auto& [piece, other] : p.after(state)) {
            const auto there = guide.bound(p, other);
            CHECK(guide.estimate->after(s, static_cast<unsigned>(piece), state[piece], other[piece]) == (there ? *there : Estimate::none));
            CHECK(s.own == before);
        }
    };
    for (std::uint32_t shape = 0; shape < p.moves->shapes(); ++shape) {
        State state = p.home(shape);
        std::sort(state.begin(), state.end());
        do {
            look(state);
            if (p.turns() == 1) continue;
            for (std::size_t turned = 1; turned < p.turns(); ++turned) {
                State other = state;
                for (std::size_t k = 0; k < other.size(); k += 2) other[k] = static_cast<Point>(other[k] + turned);
                look(other);
            }
        } while (std::next_permutation(state.begin(), state.end()));
    }
}

// Mirrored along the diagonal.
State transposed(int width) {
    State out;
    for (int c = 0; c < width * width; ++c) out.push_back(static_cast<Point>(c % width * width + c / width));
    return out;
}

void test_estimates() {
    {
        const Puzzle p(tiles(grid(3, 2)), 5);
        const State goal{0, 1, 2, 3, 4}, turned{5, 4, 3, 2, 1};
        check_estimate(p, goal, Guide(p, goal, {{0, 3}, {4, 1, 2}}, {same_spots(p)}));
        check_estimate(p, goal, Guide(p, goal, {{0, 3, 4, 1, 2}}, {same_spots(p)}));
        check_estimate(p, turned, Guide(p, turned, {{0, 1, 2}, {4, 3}}, {same_spots(p)}));
        check_estimate(p, goal, Guide(p, goal, {}, {}));
    }
    {
        const Puzzle p(tiles(grid(3, 3)), 4);
        const State goal{0, 4, 1, 3}, mirrored = transposed(3);
        check_estimate(p, goal, Guide(p, goal, {{0, 2}, {3, 1}}, {same_spots(p), mirrored}));
        check_estimate(p, goal, Guide(p, goal, {{2}, {0, 3}, {1}}, {mirrored}));
        check_estimate(p, goal, Guide(p, goal, {{1, 2}, {3}, {0}}, {same_spots(p), mirrored, same_spots(p), mirrored}));
    }
    for (const auto& p : small_puzzles()) {
        if (p.graph.edges().empty() || p.graph.pieces() > 4) continue;
        const State goal = p.home(0);
        std::vector<Point> all(goal.size());
        std::iota(all.begin(), all.end(), Point{0});
        check_estimate(p, goal, Guide(p, goal, {all}, {same_spots(p)}));
        if (all.size() > 1) check_estimate(p, goal, Guide(p, goal, {{all.back()}, {all.begin(), all.end() - 1}}, {same_spots(p)}));
    }
    // What does not fit together.
    const std::vector<std::uint16_t> base(2 * 4);
    const std::vector<std::uint8_t> data(12), half(6);
    const PackedTable pair{PatternIndex(4, 4, true, 2), data, false, 1}, halves{PatternIndex(4, 4, true, 2), half, true, 1};
    const std::vector<Point> image(2 * 4);
    auto make = [](std::size_t kinds, std::size_t spots, std::vector<std::uint16_t> alone, std::vector<PackedTable> tables, std::vector<PatternView> views) {
        return Estimate(kinds, spots, std::move(alone), std::move(tables), std::move(views)).views();
    };
    CHECK(make(2, 4, base, {pair, halves}, {{image, {{0, {0, 1}}}}, {image, {{1, {1, 0}}}}}) == 2);
    CHECK_THROWS(std::invalid_argument, make(0, 4, {}, {}, {}));
    CHECK_THROWS(std::invalid_argument, make(2, 0, {}, {}, {}));
    CHECK_THROWS(std::invalid_argument, make(2, 3, base, {}, {}));
    CHECK_THROWS(std::invalid_argument, make(2, 4, base, {{pair.index, half, false, 1}}, {}));
    CHECK_THROWS(std::invalid_argument, make(2, 4, base, {{pair.index, data, true, 1}}, {}));
    CHECK_THROWS(std::invalid_argument, make(2, 4, base, {{pair.index, data, false, 0}}, {}));
    CHECK_THROWS(std::invalid_argument, make(2, 4, base, {pair}, {{{0, 1}, {{0, {0, 1}}}}}));
    CHECK_THROWS(std::invalid_argument, make(2, 4, base, {pair}, {{{0, 1, 2, 3, 0, 1, 2, 4}, {{0, {0, 1}}}}}));
    CHECK_THROWS(std::invalid_argument, make(2, 4, base, {pair}, {{image, {{1, {0, 1}}}}}));
    CHECK_THROWS(std::invalid_argument, make(2, 4, base, {pair}, {{image, {{0, {0}}}}}));
    CHECK_THROWS(std::invalid_argument, make(2, 4, base, {pair}, {{image, {{0, {0, 0}}}}}));
    CHECK_THROWS(std::invalid_argument, make(2, 4, base, {pair}, {{image, {{0, {0, 2}}}}}));
    CHECK_THROWS(std::invalid_argument, make(2, 4, base, {pair}, {{image, {{0, {0, 1}}, {0, {1, 0}}}}}));
    CHECK_THROWS(std::invalid_argument, make(2, 4, base, {pair}, std::vector<PatternView>(5, PatternView{image, {}})));
}

// ---------------------------------------------------------------- searches

// Single pieces of these looks, whichever of their places they go to.
std::shared_ptr<const Estimate> estimate_by_looks(const Puzzle& p, const State& goal, const Looks& looks) {
    const auto alone = alone_rows(p, goal);
    std::vector<std::uint16_t> base(looks.period.size() * p.spots(), no_way_there);
    for (std::size_t k = 0; k < goal.size(); ++k)
        for (std::size_t spot = 0; spot < p.spots(); ++spot)
            for (std::size_t by = 0; by < p.turns(); by += looks.period[looks.kind[k]]) {
                auto& entry = base[looks.kind[k] * p.spots() + spot];
                entry = std::min(entry, alone[k * p.spots() + spot / p.turns() * p.turns() + (spot + by) % p.turns()]);
            }
    return std::make_shared<const Estimate>(looks.period.size(), p.spots(), base, std::vector<PackedTable>{}, std::vector<PatternView>{});
}

// Knows of a piece only whether it is at home.
std::shared_ptr<const Estimate> at_home_or_not(const Puzzle& p, const State& goal) {
    std::vector<std::uint16_t> base(goal.size() * p.spots(), 1);
    for (std::size_t k = 0; k < goal.size(); ++k) base[k * p.spots() + goal[k]] = 0;
    return std::make_shared<const Estimate>(goal.size(), p.spots(), base, std::vector<PackedTable>{}, std::vector<PatternView>{});
}

// The length of a solution, played to its end.
std::optional<unsigned> length(const Puzzle& p, const Looks& looks, State state, const State& goal, const Found& found) {
    if (!found.arcs) return std::nullopt;
    for (auto arc : *found.arcs) state = p.play(state, arc);
    CHECK(looks.of(p, state) == looks.of(p, goal));
    return static_cast<unsigned>(found.arcs->size());
}

void check_searches(const Puzzle& p, const Looks& looks, const State& goal, const std::shared_ptr<const Estimate>& estimate,
                    const std::vector<std::shared_ptr<const Walks>>& walks, const State& state, unsigned cost) {
    const Situation start = looks.situation(p, state), end = looks.situation(p, goal);
    for (const auto& w : walks) {
        const Deepening deepening(p.moves, w, looks.marks(p), estimate);
        const auto found = deepening.solve(start, 0, Estimate::none, plenty, quiet);
        CHECK(found.finished && length(p, looks, state, goal, found) == cost && found.bound == cost);
        if (w != walks.back()) continue;
        const auto known = deepening.solve(start, cost, cost + 1, plenty, quiet);
        CHECK(known.finished && length(p, looks, state, goal, known) == cost && known.bound == cost && known.nodes <= found.nodes);
        const auto below = deepening.solve(start, 0, cost, plenty, quiet);
        CHECK(below.finished && !below.arcs && below.bound == cost);
    }
    const BestFirst best(p.moves, looks.marks(p), estimate);
    for (std::uint32_t weight : {100u, 140u, 300u}) {
        BestFirstLimits limits;
        limits.weight = weight;
        const auto found = best.solve(start, limits, quiet);
        const auto moves = length(p, looks, state, goal, found);
        CHECK(found.finished && moves && 100 * *moves <= weight * cost && found.bound <= cost && (weight > 100 || found.bound == cost));
        limits.below = cost + 1;
        CHECK(length(p, looks, state, goal, best.solve(start, limits, quiet)) == cost);
        limits.below = cost;
        const auto below = best.solve(start, limits, quiet);
        CHECK(below.finished && !below.arcs && below.bound == cost);
    }
    const TwoSided both(p.moves, looks.marks(p));
    const auto found = both.solve(start, end, {}, quiet);
    CHECK(found.finished && length(p, looks, state, goal, found) == cost && found.bound == cost);
    if (cost < 12) {
        const auto plain = TwoSided(p.moves, looks.marks(p), false).solve(start, end, {}, quiet);
        CHECK(plain.finished && length(p, looks, state, goal, plain) == cost && plain.bound == cost && plain.nodes >= found.nodes / 2);
    }
    if (cost > 0) {
        BestFirstLimits limits;
        limits.below = cost;
        const auto below = both.solve(start, end, limits, quiet);
        CHECK(below.finished && !below.arcs && below.bound == cost);
    }
}

std::vector<std::shared_ptr<const Walks>> walks_for(const Puzzle& p) {
    std::vector<std::shared_ptr<const Walks>> out;
    for (std::size_t most : {0, 200}) out.push_back(std::make_shared<const Walks>(*p.moves, most, 14, quiet));
    out.push_back(std::make_shared<const Walks>(*p.moves, 100000, 1, quiet));
    out.push_back(std::make_shared<const Walks>(*p.moves, 20000, 14, quiet));
    return out;
}

// Small puzzles from everywhere: numbered pieces, pieces of two kinds, pieces that look the same when turned.
void test_small_searches() {
    for (const auto& p : small_puzzles()) {
        const State goal = p.home(p.moves->shapes() / 2);
        const auto walks = walks_for(p);
        std::vector<Looks> all{Looks::numbered(p)};
        if (goal.size() > 1) {
            Looks two = all[0];
            for (auto& kind : two.kind) kind = kind > goal.size() / 3;
            two.period.resize(2);
            all.push_back(two);
        }
        Looks alike = all[0];
        std::fill(alike.kind.begin(), alike.kind.end(), 0u);
        alike.period.assign(1, 1);
        all.push_back(alike);
        for (const auto& looks : all) {
            const auto estimate = estimate_by_looks(p, goal, looks);
            const auto exact = distances(p, goal, looks, std::vector<bool>(goal.size(), true));
            std::size_t number = 0;
            for (const auto& [look, found] : exact) {
                if (number++ % (exact.size() / 5 + 1)) continue;
                check_searches(p, looks, goal, estimate, walks, found.first, found.second);
            }
            if (looks.kind == all[0].kind && looks.period == all[0].period && !p.graph.edges().empty()) {
                std::vector<Point> group(goal.size());
                std::iota(group.begin(), group.end(), Point{0});
                const Guide guide(p, goal, {group}, {same_spots(p)}, false);  // the table knows every distance
                number = 0;
                for (const auto& [look, found] : exact)
                    if (number++ % (exact.size() / 5 + 1) == 0) check_searches(p, looks, goal, guide.estimate, walks, found.first, found.second);
            }
        }
    }
}

struct Eight {
    Puzzle p{tiles(grid(3, 3)), 8};
    Looks looks = Looks::numbered(p);
    State goal{0, 1, 2, 3, 4, 5, 6, 7};
    Distances exact = distances(p, goal);
    std::vector<std::shared_ptr<const Walks>> walks = walks_for(p);
};

const Eight& eight() {
    static const Eight e;
    return e;
}

void test_eight() {
    const Eight& e = eight();
    CHECK(e.exact.size() == 181440);
    struct Case {
        Groups groups;
        std::vector<State> images;
        unsigned most;
    };
    const State same = same_spots(e.p), mirrored = transposed(3);
    for (const auto& [groups, images, most] : {Case{{{0, 1, 2, 5}, {4, 3, 6, 7}}, {same, mirrored}, 31}, {{{0, 1, 2, 5}, {4, 3, 6, 7}}, {same}, 31},
                                               {{{0}, {7, 1}}, {mirrored, same, mirrored, same}, 20}, {{}, {}, 20}}) {
        const Guide guide(e.p, e.goal, groups, images, false);
        std::size_t number = 0, done = 0;
        for (const auto& [look, found] : e.exact) {
            if (++number % 10007 || found.second > most) continue;
            check_searches(e.p, e.looks, e.goal, guide.estimate, e.walks, found.first, found.second);
            ++done;
        }
        CHECK(done > 3);
        check_searches(e.p, e.looks, e.goal, guide.estimate, e.walks, e.goal, 0);
    }
}

void test_limits() {
    const Eight& e = eight();
    const Guide guide(e.p, e.goal, {}, {}, false);
    std::vector<std::pair<State, unsigned>> far;
    for (const auto& [look, found] : e.exact)
        if (found.second == (far.empty() ? 31u : 24u) && far.size() < 2) far.push_back(found);
    const Marks marks = e.looks.marks(e.p);
    const Deepening deepening(e.p.moves, e.walks.back(), marks, guide.estimate);
    const Deepening blind(e.p.moves, e.walks.back(), marks, at_home_or_not(e.p, e.goal));
    const BestFirst best(e.p.moves, marks, guide.estimate);
    const TwoSided both(e.p.moves, marks);
    const Situation end = e.looks.situation(e.p, e.goal);
    for (const auto& [state, cost] : far) {
        const Situation start = e.looks.situation(e.p, state);
        Estimate::State s;
        CHECK(guide.estimate->load(start.pieces(*e.p.moves, marks), s));
        // A search that was stopped has no solution, and a bound that is one; one that was not, all.
        auto check = [&, &state = state, &cost = cost](const Found& found, std::uint32_t weight, bool may_finish) {
            CHECK(found.bound <= cost);
            if (!found.finished) {
                CHECK(!found.arcs);
                return;
            }
            const auto moves = length(e.p, e.looks, state, e.goal, found);
            CHECK(may_finish && moves && 100 * *moves <= weight * cost);
        };
        std::uint32_t bound = 0;
        for (std::uint64_t nodes : {0, 1, 2, 100, 4095, 4096, 4097, 30000}) {
            const auto deep = deepening.solve(start, 0, Estimate::none, nodes, quiet);
            check(deep, 100, nodes > 1000);
            CHECK(deep.bound >= s.bound && deep.bound >= bound && deep.nodes <= nodes + 1);
            bound = deep.bound;
            for (std::uint32_t weight : {100u, 140u, 300u}) {
                BestFirstLimits limits;
                limits.weight = weight;
                limits.nodes = nodes;
                const auto found = best.solve(start, limits, quiet);
                check(found, weight, nodes > 50);
                CHECK(found.bound >= s.bound && found.nodes <= nodes + 1);
            }
            BestFirstLimits limits;
            limits.nodes = nodes;
            const auto found = both.solve(start, end, limits, quiet);
            check(found, 100, nodes > 1000);
            CHECK(found.nodes <= nodes + 1 && (nodes < 4000 || found.bound > 10));
        }
        for (std::uint64_t bytes : {0, 1, 50, 5000, 1000000, 100000000}) {
            BestFirstLimits limits;
            limits.bytes = bytes;
            check(best.solve(start, limits, quiet), 100, bytes > 5000);
            check(both.solve(start, end, limits, quiet), 100, bytes > 5000);
            limits.weight = 200;
            check(best.solve(start, limits, quiet), 200, bytes > 50);
        }
        for (std::uint32_t below : {0u, 1u, s.bound, s.bound + 1, cost - 2, cost - 1}) {
            BestFirstLimits limits;
            limits.below = below;
            for (const auto& found : {best.solve(start, limits, quiet), deepening.solve(start, 0, below, plenty, quiet)})
                CHECK(found.finished && !found.arcs && found.bound == below);
            const auto found = both.solve(start, end, limits, quiet);
            CHECK(found.finished && !found.arcs && found.bound == std::max(below, 1u));
        }
        for (std::uint64_t n : {1, 2, 5}) {
            const auto deep = blind.solve(start, 0, Estimate::none, plenty, throws_at<TimeUp>(n));
            check(deep, 100, cost < 31);
            CHECK(deep.finished || (deep.nodes == n * 0x10000 && deep.bound >= 8));
            for (std::uint32_t weight : {100u, 140u, 300u}) {
                BestFirstLimits limits;
                limits.weight = weight;
                const auto found = best.solve(start, limits, throws_at<TimeUp>(n));
                check(found, weight, true);
                CHECK(found.finished || found.nodes == n * 0x1000);
            }
            const auto found = both.solve(start, end, {}, throws_at<TimeUp>(n));
            check(found, 100, true);
            CHECK(found.finished || found.nodes == n * 0x1000);
        }
        if (cost == 31) {
            CHECK_THROWS(Enough, blind.solve(start, 0, Estimate::none, plenty, throws_at<Enough>(1)));
            CHECK_THROWS(Enough, best.solve(start, {}, throws_at<Enough>(1)));
            CHECK_THROWS(Enough, both.solve(start, end, {}, throws_at<Enough>(1)));
        }
    }
    CHECK(far.size() == 2);
    // Two tiles swapped: no way, but it takes a search of all to know.
    State odd = e.goal;
    std::swap(odd[0], odd[1]);
    const Situation start = e.looks.situation(e.p, odd);
    const auto never = deepening.solve(start, 0, 20, plenty, quiet);
    CHECK(never.finished && !never.arcs && never.bound == 20);
    const Puzzle p(tiles(grid(3, 2)), 5);
    const Looks looks = Looks::numbered(p);
    const State goal = p.home(0);
    odd = goal;
    std::swap(odd[0], odd[1]);
    const auto estimate = estimate_by_looks(p, goal, looks);
    const auto found = BestFirst(p.moves, looks.marks(p), estimate).solve(looks.situation(p, odd), {}, quiet);
    CHECK(found.finished && !found.arcs && found.bound == Estimate::none && found.nodes == 360);
    const auto twice = TwoSided(p.moves, looks.marks(p)).solve(looks.situation(p, odd), looks.situation(p, goal), {}, quiet);
    CHECK(twice.finished && !twice.arcs);
    // A line: single pieces tell at once.
    const Puzzle line(tiles(grid(4, 1)), 3);
    const Looks by_number = Looks::numbered(line);
    const State first = line.home(0);
    State wrong = first;
    std::swap(wrong[0], wrong[1]);
    const auto known = Guide(line, first, {{0, 1, 2}}, {same_spots(line)}, false);
    for (const auto& none : {Deepening(line.moves, walks_for(line).back(), by_number.marks(line), known.estimate)
                                 .solve(by_number.situation(line, wrong), 0, Estimate::none, plenty, quiet),
                             BestFirst(line.moves, by_number.marks(line), known.estimate).solve(by_number.situation(line, wrong), {}, quiet)})
        CHECK(none.finished && !none.arcs && none.nodes == 0);
}

void test_bad_input() {
    const Puzzle p(tiles(grid(3, 2)), 5);
    const Looks looks = Looks::numbered(p);
    const State goal = p.home(0);
    const auto estimate = estimate_by_looks(p, goal, looks);
    const auto walks = walks_for(p)[0];
    const Marks marks = looks.marks(p), fewer({1, 1, 1}, 1);
    const Deepening deepening(p.moves, walks, marks, estimate);
    const BestFirst best(p.moves, marks, estimate);
    const TwoSided both(p.moves, marks);
    const Situation good{0, {0, 1, 2, 3, 4}};
    for (const Situation& bad : {Situation{6, {0, 1, 2, 3, 4}}, {0, {0, 1, 2, 3}}, {0, {0, 1, 2, 3, 4, 4}}, {0, {0, 1, 2, 3, 5}}, {0, {}}}) {
        CHECK_THROWS(std::invalid_argument, deepening.solve(bad, 0, 10, 10, quiet));
        CHECK_THROWS(std::invalid_argument, best.solve(bad, {}, quiet));
        CHECK_THROWS(std::invalid_argument, both.solve(bad, good, {}, quiet));
        CHECK_THROWS(std::invalid_argument, both.solve(good, bad, {}, quiet));
    }
    BestFirstLimits limits;
    for (std::uint32_t weight : {0u, 99u, 100001u}) {
        limits.weight = weight;
        CHECK_THROWS(std::invalid_argument, best.solve(good, limits, quiet));
    }
    CHECK_THROWS(std::invalid_argument, Deepening(p.moves, walks, fewer, estimate));
    CHECK_THROWS(std::invalid_argument, BestFirst(p.moves, fewer, estimate));
    const auto elsewhere = std::make_shared<const Estimate>(5, 7, std::vector<std::uint16_t>(35), std::vector<PackedTable>{}, std::vector<PatternView>{});
    CHECK_THROWS(std::invalid_argument, Deepening(p.moves, walks, marks, elsewhere));
    CHECK_THROWS(std::invalid_argument, BestFirst(p.moves, marks, elsewhere));
}

// Numbers that do not fit where they are kept must be noticed, not cut off.
template <class Do>
bool refused(const Do& run) {
    try {
        run();
    } catch (const std::invalid_argument&) {
        return true;
    } catch (const LimitReached&) {
        return true;
    }
    return false;
}

void test_views_that_miss_pieces() {
    const Puzzle p(tiles(grid(3, 2)), 5);
    const State goal{0, 1, 2, 3, 4};
    check_estimate(p, goal, Guide(p, goal, {{4, 3}}, {same_spots(p)}));
    check_estimate(p, goal, Guide(p, goal, {{0, 3, 4}}, {same_spots(p)}));
}

void test_large_estimates() {
    // Three tiles on a ring of four, and each is said to need much.
    const Puzzle p(tiles(ring(4)), 3);
    const Looks looks = Looks::numbered(p);
    const State goal = p.home(0);
    for (std::uint16_t much : {20000, 21845, 32768, 60000}) {
        std::vector<std::uint16_t> base(3 * 4, much);
        for (std::size_t k = 0; k < 3; ++k) base[k * 4 + goal[k]] = 0;
        const auto estimate = std::make_shared<const Estimate>(3, 4, base, std::vector<PackedTable>{}, std::vector<PatternView>{});
        for (const auto& [look, found] : distances(p, goal)) {
            const auto& state = found.first;
            const auto deep = Deepening(p.moves, walks_for(p).back(), looks.marks(p), estimate).solve(looks.situation(p, state), 0, Estimate::none, 1000, quiet);
            length(p, looks, state, goal, deep);  // if there is one, it ends at the goal
            refused([&] {
                const auto best = BestFirst(p.moves, looks.marks(p), estimate).solve(looks.situation(p, state), {}, quiet);
                CHECK(length(p, looks, state, goal, best).has_value() || !best.finished);
            });
        }
    }
}

void test_long_solutions() {
    // Around a ring, the only way: n (n - 1) / 2 moves to what is farthest.
    const int n = 363;
    const Puzzle p(tiles(ring(n)), n - 1);
    const auto pieces = static_cast<unsigned>(n - 1);
    const State goal = p.home(0);
    const auto estimate = at_home_or_not(p, goal);
    const Marks marks(std::vector<std::uint8_t>(pieces, 1), 1);
    Situation start;
    for (unsigned k = 0; k < pieces; ++k) start.marks.push_back(static_cast<Point>((k + pieces / 2) % pieces));
    refused([&] {
        const auto best = BestFirst(p.moves, marks, estimate).solve(start, {}, quiet);
        CHECK(best.arcs || !best.finished);
    });
}

void test_what_does_not_fit() {
    const std::vector<std::uint16_t> base(2 * 9);
    const std::vector<Point> image(2 * 9, 8);
    const std::vector<std::uint8_t> data(300), alone_table(12);
    const std::vector<std::uint16_t> alone(2 * 9);
    auto make = [&](const PatternIndex& index, std::uint16_t step) {
        const PackedTable table{index, std::span(data).first(index.count()), false, step};
        return refused([&] { Estimate(2, 9, base, {table}, {{image, {{0, {0, 1}}}}}); });
    };
    CHECK(!make(PatternIndex(9, 9, true, 2), 255));
    CHECK(make(PatternIndex(9, 9, true, 2), 300));     // sums of such steps are kept in sixteen bits
    CHECK(make(PatternIndex(4, 4, true, 2), 1));       // a table for fewer cells
    CHECK(make(PatternIndex(4, 4, false, 2), 1));
    CHECK(refused([&] { PatternIndex(4, 9, true, 2); }));  // spots that are no cells
    CHECK(refused([&] { TablePacker(PatternIndex(4, 4, true, 2), 9, alone_table, alone); }));
    // Spots are numbered with sixteen bits.
    CHECK(refused([&] { Estimate(1, 70000, std::vector<std::uint16_t>(70000), {}, {}); }));
    // Marks of pieces that turn, on a board where none do.
    const Puzzle p(tiles(grid(3, 2)), 5);
    const auto estimate = estimate_by_looks(p, p.home(0), Looks::numbered(p));
    const Marks turning(std::vector<std::uint8_t>(5, 2), 2);
    CHECK(refused([&] { Deepening(p.moves, walks_for(p)[0], turning, estimate); }));
    CHECK(refused([&] { BestFirst(p.moves, turning, estimate); }));
    CHECK(refused([&] { TwoSided(p.moves, turning); }));
    // Tables are for numbered pieces: each of them once.
    const Guide guide(p, p.home(0), {{0, 1}, {2, 3, 4}}, {same_spots(p)}, false);
    const Situation twice{0, {0, 1, 2, 3, 3}};
    const Marks marks = Looks::numbered(p).marks(p);
    CHECK(refused([&] { Deepening(p.moves, walks_for(p)[0], marks, guide.estimate).solve(twice, 0, 10, 10, quiet); }));
    CHECK(refused([&] { BestFirst(p.moves, marks, guide.estimate).solve(twice, {}, quiet); }));
}

}  // namespace

int main(int argc, char** argv) {
    const std::pair<const char*, void (*)()> tests[] = {
        {"ranks of tiles", test_ranks},
        {"moves", test_moves},
        {"marks", test_marks},
        {"sets of states", test_state_set},
        {"walks", test_walks},
        {"pattern tables of one hole", test_hole_patterns},
        {"pattern tables", test_tables},
        {"packed tables", test_packing},
        {"checksums", test_checksum},
        {"single pieces", test_single_distances},
        {"estimates", test_estimates},
        {"searches of small puzzles", test_small_searches},
        {"searches of the 8-puzzle", test_eight},
        {"searches that are stopped", test_limits},
        {"bad input", test_bad_input},
        {"views that miss pieces", test_views_that_miss_pieces},
        {"large estimates", test_large_estimates},
        {"long solutions", test_long_solutions},
        {"what does not fit", test_what_does_not_fit},
    };
    for (const auto& [name, test] : tests) {
        if (argc > 1 && std::string(argv[1]) != name) continue;
        std::cout << name << std::endl;
        test();
        ++passed;
    }
    std::cout << passed << " passed, 0 failed\n";
}
