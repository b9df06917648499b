#include "search/support.hpp"

namespace {

// Knows of a piece only whether it is at home.
std::shared_ptr<const Heuristic> at_home_or_not(const Puzzle& p, const State& goal) {
    std::vector<std::uint16_t> base(goal.size() * p.spots(), 1);
    for (std::size_t k = 0; k < goal.size(); ++k) base[k * p.spots() + goal[k]] = 0;
    return std::make_shared<const Heuristic>(goal.size(), p.spots(), base, std::vector<PackedDatabase>{},
                                             std::vector<SymmetricLookup>{});
}

void check_searches(const Puzzle& p, const Looks& looks, const State& goal,
                    const std::shared_ptr<const Heuristic>& heuristic,
                    const std::vector<std::shared_ptr<const DuplicatePruning>>& walks, const State& state,
                    unsigned cost) {
    const SearchState start = looks.situation(p, state), end = looks.situation(p, goal);
    for (const auto& w : walks) {
        const IdaStar deepening(p.moves, w, looks.marks(p), heuristic);
        const auto found = deepening.solve(start, 0, Heuristic::none, plenty, quiet);
        CHECK(found.finished && length(p, looks, state, goal, found) == cost && found.bound == cost);
        if (w != walks.back()) continue;
        const auto known = deepening.solve(start, cost, cost + 1, plenty, quiet);
        CHECK(known.finished && length(p, looks, state, goal, known) == cost && known.bound == cost &&
              known.nodes <= found.nodes);
        const auto below = deepening.solve(start, 0, cost, plenty, quiet);
        CHECK(below.finished && !below.arcs && below.bound == cost);
    }
    const AStar best(p.moves, looks.marks(p), heuristic);
    for (std::uint32_t weight : {100u, 140u, 300u}) {
        SearchLimits limits;
        limits.weight = weight;
        const auto found = best.solve(start, limits, quiet);
        const auto moves = length(p, looks, state, goal, found);
        CHECK(found.finished && moves && 100 * *moves <= weight * cost && found.bound <= cost &&
              (weight > 100 || found.bound == cost));
        limits.below = cost + 1;
        CHECK(length(p, looks, state, goal, best.solve(start, limits, quiet)) == cost);
        limits.below = cost;
        const auto below = best.solve(start, limits, quiet);
        CHECK(below.finished && !below.arcs && below.bound == cost);
    }
    const Bidirectional both(p.moves, looks.marks(p));
    const auto found = both.solve(start, end, {}, quiet);
    CHECK(found.finished && length(p, looks, state, goal, found) == cost && found.bound == cost);
    if (cost < 12) {
        const auto plain = Bidirectional(p.moves, looks.marks(p), false).solve(start, end, {}, quiet);
        CHECK(plain.finished && length(p, looks, state, goal, plain) == cost && plain.bound == cost &&
              plain.nodes >= found.nodes / 2);
    }
    if (cost > 0) {
        SearchLimits limits;
        limits.below = cost;
        const auto below = both.solve(start, end, limits, quiet);
        CHECK(below.finished && !below.arcs && below.bound == cost);
    }
}

// Small puzzles from everywhere: numbered pieces, pieces of two kinds, pieces that look the same when turned.
TEST("searches of small puzzles") {
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
            const auto heuristic = estimate_by_looks(p, goal, looks);
            const auto exact = distances(p, goal, looks, std::vector<bool>(goal.size(), true));
            std::size_t number = 0;
            for (const auto& [look, found] : exact) {
                if (number++ % (exact.size() / 5 + 1)) continue;
                check_searches(p, looks, goal, heuristic, walks, found.first, found.second);
            }
            if (looks.kind == all[0].kind && looks.period == all[0].period && !p.graph.edges().empty()) {
                std::vector<Point> group(goal.size());
                std::iota(group.begin(), group.end(), Point{0});
                const Guide guide(p, goal, {group}, {same_spots(p)}, false);  // the table knows every distance
                number = 0;
                for (const auto& [look, found] : exact)
                    if (number++ % (exact.size() / 5 + 1) == 0)
                        check_searches(p, looks, goal, guide.heuristic, walks, found.first, found.second);
            }
        }
    }
}

TEST("searches of the 8-puzzle") {
    const Eight& e = eight();
    CHECK(e.exact.size() == 181440);
    struct Case {
        Groups groups;
        std::vector<State> images;
        unsigned most;
    };
    const State same = same_spots(e.p), mirrored = transposed(3);
    for (const auto& [groups, images, most] : {Case{{{0, 1, 2, 5}, {4, 3, 6, 7}}, {same, mirrored}, 31},
                                               {{{0, 1, 2, 5}, {4, 3, 6, 7}}, {same}, 31},
                                               {{{0}, {7, 1}}, {mirrored, same, mirrored, same}, 20},
                                               {{}, {}, 20}}) {
        const Guide guide(e.p, e.goal, groups, images, false);
        std::size_t number = 0, done = 0;
        for (const auto& [look, found] : e.exact) {
            if (++number % 10007 || found.second > most) continue;
            check_searches(e.p, e.looks, e.goal, guide.heuristic, e.walks, found.first, found.second);
            ++done;
        }
        CHECK(done > 3);
        check_searches(e.p, e.looks, e.goal, guide.heuristic, e.walks, e.goal, 0);
    }
}

TEST("searches that are stopped") {
    const Eight& e = eight();
    const Guide guide(e.p, e.goal, {}, {}, false);
    std::vector<std::pair<State, unsigned>> far;
    for (const auto& [look, found] : e.exact)
        if (found.second == (far.empty() ? 31u : 24u) && far.size() < 2) far.push_back(found);
    const Marks marks = e.looks.marks(e.p);
    const IdaStar deepening(e.p.moves, e.walks.back(), marks, guide.heuristic);
    const IdaStar blind(e.p.moves, e.walks.back(), marks, at_home_or_not(e.p, e.goal));
    const AStar best(e.p.moves, marks, guide.heuristic);
    const Bidirectional both(e.p.moves, marks);
    const SearchState end = e.looks.situation(e.p, e.goal);
    for (const auto& [state, cost] : far) {
        const SearchState start = e.looks.situation(e.p, state);
        Heuristic::State s;
        CHECK(guide.heuristic->load(start.pieces(*e.p.moves, marks), s));
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
            const auto deep = deepening.solve(start, 0, Heuristic::none, nodes, quiet);
            check(deep, 100, nodes > 1000);
            CHECK(deep.bound >= s.bound && deep.bound >= bound && deep.nodes <= nodes + 1);
            bound = deep.bound;
            for (std::uint32_t weight : {100u, 140u, 300u}) {
                SearchLimits limits;
                limits.weight = weight;
                limits.nodes = nodes;
                const auto found = best.solve(start, limits, quiet);
                check(found, weight, nodes > 50);
                CHECK(found.bound >= s.bound && found.nodes <= nodes + 1);
            }
            SearchLimits limits;
            limits.nodes = nodes;
            const auto found = both.solve(start, end, limits, quiet);
            check(found, 100, nodes > 1000);
            CHECK(found.nodes <= nodes + 1 && (nodes < 4000 || found.bound > 10));
        }
        for (std::uint64_t bytes : {0, 1, 50, 5000, 1000000, 100000000}) {
            SearchLimits limits;
            limits.bytes = bytes;
            check(best.solve(start, limits, quiet), 100, bytes > 5000);
            check(both.solve(start, end, limits, quiet), 100, bytes > 5000);
            limits.weight = 200;
            check(best.solve(start, limits, quiet), 200, bytes > 50);
        }
        for (std::uint32_t below : {0u, 1u, s.bound, s.bound + 1, cost - 2, cost - 1}) {
            SearchLimits limits;
            limits.below = below;
            for (const auto& found :
                 {best.solve(start, limits, quiet), deepening.solve(start, 0, below, plenty, quiet)})
                CHECK(found.finished && !found.arcs && found.bound == below);
            const auto found = both.solve(start, end, limits, quiet);
            CHECK(found.finished && !found.arcs && found.bound == std::max(below, 1u));
        }
        for (std::uint64_t n : {1, 2, 5}) {
            const auto deep = blind.solve(start, 0, Heuristic::none, plenty, throws_at<OutOfTime>(n));
            check(deep, 100, cost < 31);
            CHECK(deep.finished || (deep.nodes == n * 0x10000 && deep.bound >= 8));
            for (std::uint32_t weight : {100u, 140u, 300u}) {
                SearchLimits limits;
                limits.weight = weight;
                const auto found = best.solve(start, limits, throws_at<OutOfTime>(n));
                check(found, weight, true);
                CHECK(found.finished || found.nodes <= n * 0x1000);  // hash tables that grow tick, too
            }
            const auto found = both.solve(start, end, {}, throws_at<OutOfTime>(n));
            check(found, 100, true);
            CHECK(found.finished || found.nodes <= n * 0x1000);
        }
        if (cost == 31) {
            CHECK_THROWS(Enough, blind.solve(start, 0, Heuristic::none, plenty, throws_at<Enough>(1)));
            CHECK_THROWS(Enough, best.solve(start, {}, throws_at<Enough>(1)));
            CHECK_THROWS(Enough, both.solve(start, end, {}, throws_at<Enough>(1)));
        }
    }
    CHECK(far.size() == 2);
    // Two tiles swapped: no way, but it takes a search of all to know.
    State odd = e.goal;
    std::swap(odd[0], odd[1]);
    const SearchState start = e.looks.situation(e.p, odd);
    const auto never = deepening.solve(start, 0, 20, plenty, quiet);
    CHECK(never.finished && !never.arcs && never.bound == 20);
    const Puzzle p(tiles(grid(3, 2)), 5);
    const Looks looks = Looks::numbered(p);
    const State goal = p.home(0);
    odd = goal;
    std::swap(odd[0], odd[1]);
    const auto heuristic = estimate_by_looks(p, goal, looks);
    const auto found = AStar(p.moves, looks.marks(p), heuristic).solve(looks.situation(p, odd), {}, quiet);
    CHECK(found.finished && !found.arcs && found.bound == Heuristic::none && found.nodes == 360);
    const auto twice =
        Bidirectional(p.moves, looks.marks(p)).solve(looks.situation(p, odd), looks.situation(p, goal), {}, quiet);
    CHECK(twice.finished && !twice.arcs);
    // A line: single pieces tell at once.
    const Puzzle line(tiles(grid(4, 1)), 3);
    const Looks by_number = Looks::numbered(line);
    const State first = line.home(0);
    State wrong = first;
    std::swap(wrong[0], wrong[1]);
    const auto known = Guide(line, first, {{0, 1, 2}}, {same_spots(line)}, false);
    for (const auto& none :
         {IdaStar(line.moves, walks_for(line).back(), by_number.marks(line), known.heuristic)
              .solve(by_number.situation(line, wrong), 0, Heuristic::none, plenty, quiet),
          AStar(line.moves, by_number.marks(line), known.heuristic).solve(by_number.situation(line, wrong), {}, quiet)})
        CHECK(none.finished && !none.arcs && none.nodes == 0);
}

TEST("bad input") {
    const Puzzle p(tiles(grid(3, 2)), 5);
    const Looks looks = Looks::numbered(p);
    const State goal = p.home(0);
    const auto heuristic = estimate_by_looks(p, goal, looks);
    const auto walks = walks_for(p)[0];
    const Marks marks = looks.marks(p), fewer({1, 1, 1}, 1);
    const IdaStar deepening(p.moves, walks, marks, heuristic);
    const AStar best(p.moves, marks, heuristic);
    const Bidirectional both(p.moves, marks);
    const SearchState good{0, {0, 1, 2, 3, 4}};
    for (const SearchState& bad :
         {SearchState{6, {0, 1, 2, 3, 4}}, {0, {0, 1, 2, 3}}, {0, {0, 1, 2, 3, 4, 4}}, {0, {0, 1, 2, 3, 5}}, {0, {}}}) {
        CHECK_THROWS(std::invalid_argument, deepening.solve(bad, 0, 10, 10, quiet));
        CHECK_THROWS(std::invalid_argument, best.solve(bad, {}, quiet));
        CHECK_THROWS(std::invalid_argument, both.solve(bad, good, {}, quiet));
        CHECK_THROWS(std::invalid_argument, both.solve(good, bad, {}, quiet));
    }
    SearchLimits limits;
    for (std::uint32_t weight : {0u, 99u, 100001u}) {
        limits.weight = weight;
        CHECK_THROWS(std::invalid_argument, best.solve(good, limits, quiet));
    }
    CHECK_THROWS(std::invalid_argument, IdaStar(p.moves, walks, fewer, heuristic));
    CHECK_THROWS(std::invalid_argument, AStar(p.moves, fewer, heuristic));
    const auto elsewhere = std::make_shared<const Heuristic>(
        5, 7, std::vector<std::uint16_t>(35), std::vector<PackedDatabase>{}, std::vector<SymmetricLookup>{});
    CHECK_THROWS(std::invalid_argument, IdaStar(p.moves, walks, marks, elsewhere));
    CHECK_THROWS(std::invalid_argument, AStar(p.moves, marks, elsewhere));
}

TEST("long solutions") {
    // Around a ring, the only way: n (n - 1) / 2 moves to what is farthest.
    const int n = 363;
    const Puzzle p(tiles(ring(n)), n - 1);
    const auto pieces = static_cast<unsigned>(n - 1);
    const State goal = p.home(0);
    const auto heuristic = at_home_or_not(p, goal);
    const Marks marks(std::vector<std::uint8_t>(pieces, 1), 1);
    SearchState start;
    for (unsigned k = 0; k < pieces; ++k) start.marks.push_back(static_cast<Point>((k + pieces / 2) % pieces));
    refused([&] {
        const auto best = AStar(p.moves, marks, heuristic).solve(start, {}, quiet);
        CHECK(best.arcs || !best.finished);
    });
    // Iterative deepening, begun one move below; paths of this length are kept on the heap.
    const std::uint32_t farthest = n * pieces / 2;
    const auto pruning = std::make_shared<const DuplicatePruning>(*p.moves, 0, 14, quiet);
    const IdaStar deepening(p.moves, pruning, marks, heuristic);
    const auto found = deepening.solve(start, farthest - 1, Heuristic::none, plenty, quiet);
    CHECK(found.finished && found.bound == farthest && found.arcs && found.arcs->size() == farthest);
    State state = goal;
    for (unsigned k = 0; k < pieces; ++k) state[start.marks[k]] = goal[k];
    for (auto arc : *found.arcs) state = p.follow(state, arc);
    CHECK(state == goal);
    // Along the only two paths, and no further than the bound.
    CHECK(found.nodes <= 4 * farthest);
    const auto stopped = deepening.solve(start, farthest - 1, Heuristic::none, farthest, quiet);
    CHECK(!stopped.finished && !stopped.arcs && stopped.nodes == farthest + 1 && stopped.bound == farthest - 1);
}

}  // namespace
