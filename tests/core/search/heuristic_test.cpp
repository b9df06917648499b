#include "search/support.hpp"

namespace {

std::vector<std::pair<Point, Point>> kinds_and_spots(const State& state) {
    std::vector<std::pair<Point, Point>> out;
    for (Point k = 0; k < state.size(); ++k) out.emplace_back(k, state[k]);
    return out;
}

// All states, also those from which there is no way, and all their moves.
void check_estimate(const Puzzle& p, const State& goal, const Guide& guide) {
    const auto exact = distances(p, goal);
    const Looks numbered = Looks::numbered(p);
    Heuristic::State s;
    auto look = [&](const State& state) {
        const auto wanted = guide.bound(p, state);
        CHECK(guide.heuristic->load(kinds_and_spots(state), s) == wanted.has_value());
        const auto known = exact.find(numbered.of(p, state));
        if (known != exact.end()) CHECK(wanted && *wanted <= known->second.second);
        if (!wanted) return;
        CHECK(s.bound == *wanted);
        const auto before = s.own;
        for (const auto& [piece, other] : p.after(state)) {
            const auto there = guide.bound(p, other);
            CHECK(guide.heuristic->after(s, static_cast<unsigned>(piece), state[piece], other[piece]) ==
                  (there ? *there : Heuristic::none));
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

TEST("heuristics") {
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
        if (all.size() > 1)
            check_estimate(p, goal, Guide(p, goal, {{all.back()}, {all.begin(), all.end() - 1}}, {same_spots(p)}));
    }
    // What does not fit together.
    const std::vector<std::uint16_t> base(2 * 4);
    const std::vector<std::uint8_t> data(12), half(6);
    const PackedDatabase pair{PatternIndex(4, 4, true, 2), data, false, 1},
        halves{PatternIndex(4, 4, true, 2), half, true, 1};
    const std::vector<Point> image(2 * 4);
    auto make = [](std::size_t kinds, std::size_t spots, std::vector<std::uint16_t> alone,
                   std::vector<PackedDatabase> tables, std::vector<SymmetricLookup> lookups) {
        return Heuristic(kinds, spots, std::move(alone), std::move(tables), std::move(lookups)).lookups();
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
    CHECK_THROWS(
        std::invalid_argument,
        make(2, 4, base, {pair}, std::vector<SymmetricLookup>(Heuristic::max_lookups + 1, SymmetricLookup{image, {}})));
}

TEST("lookups that miss pieces") {
    const Puzzle p(tiles(grid(3, 2)), 5);
    const State goal{0, 1, 2, 3, 4};
    check_estimate(p, goal, Guide(p, goal, {{4, 3}}, {same_spots(p)}));
    check_estimate(p, goal, Guide(p, goal, {{0, 3, 4}}, {same_spots(p)}));
}

TEST("large heuristics") {
    // Three tiles on a ring of four, and each is said to need much.
    const Puzzle p(tiles(ring(4)), 3);
    const Looks looks = Looks::numbered(p);
    const State goal = p.home(0);
    for (std::uint16_t much : {20000, 21845, 32768, 60000}) {
        std::vector<std::uint16_t> base(3 * 4, much);
        for (std::size_t k = 0; k < 3; ++k) base[k * 4 + goal[k]] = 0;
        const auto heuristic = std::make_shared<const Heuristic>(3, 4, base, std::vector<PackedDatabase>{},
                                                                 std::vector<SymmetricLookup>{});
        for (const auto& [look, found] : distances(p, goal)) {
            const auto& state = found.first;
            const auto deep = IdaStar(p.moves, walks_for(p).back(), looks.marks(p), heuristic)
                                  .solve(looks.situation(p, state), 0, Heuristic::none, 1000, quiet);
            length(p, looks, state, goal, deep);  // if there is one, it ends at the goal
            refused([&] {
                const auto best = AStar(p.moves, looks.marks(p), heuristic).solve(looks.situation(p, state), {}, quiet);
                CHECK(length(p, looks, state, goal, best).has_value() || !best.finished);
            });
        }
    }
}

}  // namespace
