#include <random>
#include "search/support.hpp"

// Iterative deepening on several threads against one thread, and the changes of database indices against ranking.

namespace {

// Knows of a piece only whether it is at home, so that there is much to search.
std::shared_ptr<const Heuristic> weak_heuristic(const State& goal, std::size_t spots, const Looks& looks,
                                                const Puzzle& p) {
    std::vector<std::uint16_t> base(looks.period.size() * spots, 1);
    for (std::size_t k = 0; k < goal.size(); ++k)
        for (std::size_t turn = 0; turn < p.turns(); turn += looks.period[looks.kind[k]])
            base[looks.kind[k] * spots + goal[k] / p.turns() * p.turns() + (goal[k] + turn) % p.turns()] = 0;
    return std::make_shared<const Heuristic>(looks.period.size(), spots, base, std::vector<PackedDatabase>{},
                                             std::vector<SymmetricLookup>{});
}

void check_threads(const Puzzle& p, const Looks& looks, const State& goal,
                   const std::shared_ptr<const Heuristic>& heuristic,
                   const std::shared_ptr<const DuplicatePruning>& walks, const State& state, unsigned cost) {
    const IdaStar search(p.moves, walks, looks.marks(p), heuristic);
    const SearchState start = looks.situation(p, state);
    const auto alone = search.solve(start, 0, Heuristic::none, plenty, quiet);
    CHECK(alone.finished && length(p, looks, state, goal, alone) == cost && alone.bound == cost);
    for (unsigned threads : {1u, 2u, 4u})
        for (std::uint64_t nodes_per_thread : {0, 10}) {
            const Division division{threads, nodes_per_thread};
            const auto found = search.solve(start, 0, Heuristic::none, plenty, quiet, division);
            CHECK(found.finished && found.arcs == alone.arcs && found.bound == cost);
            const auto below = search.solve(start, 0, cost, plenty, quiet, division);
            CHECK(below.finished && !below.arcs && below.bound == cost);
            const auto at_once = search.solve(start, cost, Heuristic::none, plenty, quiet, division);
            CHECK(at_once.finished && at_once.arcs == alone.arcs);
        }
}

TEST("the index after a move") {
    std::mt19937 rng(1);
    for (unsigned cells : {4u, 9u, 16u, 25u, 63u, 64u})
        for (unsigned tiles = 1; tiles < std::min(cells, 9u) && (cells < 63 || tiles < 7); ++tiles) {
            const PatternIndex index(cells, cells, true, tiles);
            const IndexChange change(index);
            CHECK(change.known());
            std::vector<Point> order(cells);
            std::iota(order.begin(), order.end(), Point{0});
            for (int trial = 0; trial < 200; ++trial) {
                std::shuffle(order.begin(), order.end(), rng);
                std::vector<Point> before(order.begin(), order.begin() + tiles), after = before;
                const unsigned tile = static_cast<unsigned>(rng()) % tiles;
                after[tile] = order[tiles];
                const auto piece = change.piece(tile);
                const std::uint64_t from = change.word(before[tile]), to = change.word(after[tile]);
                const std::uint64_t word = IndexChange::pack(before.data(), tiles);
                CHECK(IndexChange::next(index(before.data()), piece, word, from, to) == index(after.data()));
                CHECK(IndexChange::moved(word, piece, from, to) == IndexChange::pack(after.data(), tiles));
                CHECK(IndexChange::moved(IndexChange::pack(after.data(), tiles), piece, from, to) == word);
                const auto twice = IndexChange(index, 2);
                CHECK(IndexChange::next(2 * index(before.data()), twice.piece(tile), word, from, to) ==
                      2 * index(after.data()));
            }
        }
    const PatternIndex gaps(12, 60, false, 4);
    const IndexChange change(gaps);
    for (int trial = 0; trial < 200; ++trial) {
        std::vector<Point> before;
        for (int i = 0; i < 4; ++i) before.push_back(static_cast<Point>(rng() % 60));
        std::vector<Point> after = before;
        const unsigned piece = static_cast<unsigned>(rng()) % 4;
        after[piece] = static_cast<Point>(rng() % 60);
        CHECK(IndexChange::next(gaps(before.data()), change.piece(piece), 0, change.word(before[piece]),
                                change.word(after[piece])) == gaps(after.data()));
    }
    CHECK(IndexChange(PatternIndex(10, 10, true, 8)).known() && !IndexChange(PatternIndex(10, 10, true, 9)).known());
}

TEST("iterative deepening on several threads, for every rule") {
    for (const auto& p : small_puzzles()) {
        const State goal = p.home(p.moves->shapes() / 2);
        const auto walks = walks_for(p);
        Looks alike = Looks::numbered(p);
        std::fill(alike.kind.begin(), alike.kind.end(), 0u);
        alike.period.assign(1, 1);
        for (const auto& looks : {Looks::numbered(p), alike}) {
            const auto exact = distances(p, goal, looks, std::vector<bool>(goal.size(), true));
            const auto weak = weak_heuristic(goal, p.spots(), looks, p);
            const auto better = estimate_by_looks(p, goal, looks);
            std::size_t number = 0;
            for (const auto& [look, found] : exact) {
                if (number++ % (exact.size() / 4 + 1) || found.second > 12) continue;
                for (const auto& heuristic : {weak, better})
                    check_threads(p, looks, goal, heuristic, walks.back(), found.first, found.second);
            }
        }
    }
}

// Databases of one and of several patterns and lookups, and one of nine tiles, which are ranked anew.
TEST("iterative deepening on several threads with databases") {
    const Eight& e = eight();
    const State same = same_spots(e.p), mirrored = transposed(3);
    const std::vector<std::pair<Groups, std::vector<State>>> cases{
        {{{0, 1, 2, 5}, {4, 3, 6, 7}}, {same, mirrored}},
        {{{0, 1, 2, 5}, {4, 3, 6, 7}}, {same}},
        {{{0, 5}, {7, 1}}, {mirrored, same, mirrored}},
    };
    for (const auto& [groups, images] : cases) {
        for (const bool by_region : {false, true}) {
            const Guide guide(e.p, e.goal, groups, images, false, by_region);
            std::size_t number = 0;
            for (const auto& [look, found] : e.exact)
                if (++number % 30011 == 0)
                    check_threads(e.p, e.looks, e.goal, guide.heuristic, e.walks.back(), found.first, found.second);
        }
    }
    const Puzzle p(tiles(grid(5, 2)), 9);
    const State goal = p.home(0);
    State state = goal;
    std::vector<Point> all(9);
    std::iota(all.begin(), all.end(), Point{0});
    const Guide guide(p, goal, {all}, {same_spots(p)}, false);
    std::mt19937 rng(2);
    const auto walks = walks_for(p);
    for (int trial = 0; trial < 3; ++trial) {
        for (int k = 0; k < 200; ++k) {
            const auto next = p.after(state);
            state = next[rng() % next.size()].second;
        }
        Heuristic::State s;
        const Looks looks = Looks::numbered(p);
        CHECK(guide.heuristic->load(looks.situation(p, state).pieces(*p.moves, looks.marks(p)), s));
        check_threads(p, looks, goal, guide.heuristic, walks.back(), state, s.bound);  // the database is exact
    }
}

TEST("databases that know the region of the hole leave fewer nodes, and no heuristic is too large") {
    const Eight& e = eight();
    const Groups groups{{0, 1, 2, 5}, {4, 3, 6, 7}};
    const Guide plain(e.p, e.goal, groups, {same_spots(e.p), transposed(3)}, false),
        knowing(e.p, e.goal, groups, {same_spots(e.p), transposed(3)}, false, true);
    const auto solve = [&](const Guide& guide, const State& state) {
        return IdaStar(e.p.moves, e.walks.back(), e.looks.marks(e.p), guide.heuristic)
            .solve(e.looks.situation(e.p, state), 0, 100, 1'000'000, quiet);
    };
    std::uint64_t nodes = 0, fewer = 0;
    std::size_t number = 0;
    for (const auto& [look, found] : e.exact) {
        if (++number % 1009) continue;
        const Found one = solve(plain, found.first), other = solve(knowing, found.first);
        CHECK(one.arcs && other.arcs && one.arcs->size() == found.second && other.arcs->size() == found.second);
        nodes += one.nodes, fewer += other.nodes;
        // Who does not know where the hole is takes the least of both entries: the same as without regions.
        Heuristic::State a, b;
        const auto pieces = e.looks.situation(e.p, found.first).pieces(*e.p.moves, e.looks.marks(e.p));
        CHECK(plain.heuristic->load(pieces, a) && knowing.heuristic->load(pieces, b) && a.bound == b.bound);
    }
    CHECK(10 * fewer < 9 * nodes);
}

TEST("iterative deepening on several threads that is stopped") {
    const Eight& e = eight();
    const auto weak = weak_heuristic(e.goal, e.p.spots(), e.looks, e.p);
    const IdaStar search(e.p.moves, e.walks.back(), e.looks.marks(e.p), weak);
    for (const auto& [look, found] : e.exact) {
        if (found.second != 31) continue;
        const SearchState start = e.looks.situation(e.p, found.first);
        for (unsigned threads : {2u, 4u}) {
            const Division division{threads, 50};
            for (std::uint64_t nodes : {0, 1, 2, 100, 4096, 30000, 100000}) {
                const auto stopped = search.solve(start, 0, Heuristic::none, nodes, quiet, division);
                CHECK(!stopped.finished && !stopped.arcs && stopped.bound <= 31 && stopped.nodes <= nodes + 5000);
            }
            for (std::uint64_t n : {1, 2, 50}) {
                const auto stopped = search.solve(start, 0, Heuristic::none, plenty, throws_at<OutOfTime>(n), division);
                CHECK(!stopped.finished && !stopped.arcs && stopped.bound <= 31);
                CHECK_THROWS(Enough, search.solve(start, 0, Heuristic::none, plenty, throws_at<Enough>(n), division));
            }
        }
        break;
    }
    const SearchState home = e.looks.situation(e.p, e.goal);
    for (unsigned threads : {0u, 1025u})
        CHECK_THROWS(std::invalid_argument, search.solve(home, 0, 10, plenty, quiet, Division{.threads = threads}));
}

}  // namespace
