#include "search/beam_search.hpp"
#include "search/support.hpp"

namespace {

constexpr std::uint64_t all_states = 200000;  // more than any of these puzzles has

// Knows of a piece only whether it is at home.
std::shared_ptr<const Heuristic> at_home_only(const Eight& e) {
    std::vector<std::uint16_t> base(e.goal.size() * e.p.spots(), 1);
    for (std::size_t k = 0; k < e.goal.size(); ++k) base[k * e.p.spots() + e.goal[k]] = 0;
    return std::make_shared<const Heuristic>(e.goal.size(), e.p.spots(), base, std::vector<PackedDatabase>{},
                                             std::vector<SymmetricLookup>{});
}

// The results of all widths on 1, 2 and 4 threads are the same, every path leads to the goal, and the bound is one.
void check_beams(const Puzzle& p, const Looks& looks, const State& goal,
                 const std::shared_ptr<const Heuristic>& heuristic, const State& state, unsigned cost,
                 std::initializer_list<std::uint64_t> widths) {
    const SearchState start = looks.situation(p, state);
    const BeamSearch beam(p.moves, looks.marks(p), heuristic);
    for (const std::uint64_t width : widths)
        for (const std::uint32_t excess : {0u, 64u, 112u}) {
            BeamLimits limits;
            limits.width = width;
            limits.ranking.excess = excess;
            limits.below = 200;  // a narrow beam may go around for ever
            const auto found = beam.solve(start, limits, quiet);
            CHECK(found.bound <= cost);
            if (found.arcs) {
                const auto moves = length(p, looks, state, goal, found);
                CHECK(moves && *moves >= cost && (!found.finished || (*moves == cost && found.bound == cost)));
            }
            if (width == all_states) CHECK(found.finished && found.arcs);
            for (const unsigned threads : {2u, 4u}) {
                limits.threads = threads;
                const auto again = beam.solve(start, limits, quiet);
                CHECK(again.arcs == found.arcs && again.nodes == found.nodes && again.bound == found.bound &&
                      again.finished == found.finished);
            }
            limits.below = cost;
            const auto below = beam.solve(start, limits, quiet);
            CHECK(!below.arcs && below.bound <= cost &&
                  (width < all_states || (below.finished && below.bound == cost)));
        }
}

TEST("beams on small puzzles") {
    for (const auto& p : small_puzzles()) {
        const State goal = p.home(p.moves->shapes() / 2);
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
                if (number++ % (exact.size() / 3 + 1)) continue;
                check_beams(p, looks, goal, heuristic, found.first, found.second, {1, 2, 7, 50, all_states});
            }
        }
    }
}

TEST("beams on the 8-puzzle") {
    const Eight& e = eight();
    const Guide guide(e.p, e.goal, {{0, 1, 2, 5}, {4, 3, 6, 7}}, {same_spots(e.p), transposed(3)}, false);
    std::size_t number = 0, far = 0;
    for (const auto& [look, found] : e.exact) {
        if (++number % 40009 == 0)
            check_beams(e.p, e.looks, e.goal, guide.heuristic, found.first, found.second, {1, 30, 5000, all_states});
        if (found.second < 31) continue;
        check_beams(e.p, e.looks, e.goal, at_home_only(e), found.first, found.second, {10000, all_states});
        ++far;
    }
    CHECK(far == 2);
}

TEST("beams that are stopped") {
    const Eight& e = eight();
    const Marks marks = e.looks.marks(e.p);
    const BeamSearch beam(e.p.moves, marks, at_home_only(e));
    State state;
    for (const auto& [look, found] : e.exact)
        if (found.second == 31) state = found.first;
    const SearchState start = e.looks.situation(e.p, state);
    BeamLimits limits;
    limits.width = 5000;
    for (const unsigned threads : {1u, 2u}) {
        limits.threads = threads;
        for (const std::uint64_t n : {1, 3, 20}) {
            const auto found = beam.solve(start, limits, throws_at<OutOfTime>(n));
            CHECK(!found.finished && !found.arcs && found.bound <= 31);
            CHECK_THROWS(Enough, beam.solve(start, limits, throws_at<Enough>(n)));
        }
    }
    limits.bytes = limits.width * beam.bytes_per_state();  // room for the layers, but not for their records
    const auto found = beam.solve(start, limits, quiet);
    CHECK(!found.finished && !found.arcs && found.nodes > 0);
    limits.bytes -= 1;
    CHECK_THROWS(LimitReached, beam.solve(start, limits, quiet));
    limits.bytes = std::numeric_limits<std::uint64_t>::max();
    for (const std::uint64_t width : {std::uint64_t{0}, std::uint64_t{1} << 32}) {
        limits.width = width;
        CHECK_THROWS(std::invalid_argument, beam.solve(start, limits, quiet));
    }
    limits.width = 10;
    limits.threads = 0;
    CHECK_THROWS(std::invalid_argument, beam.solve(start, limits, quiet));
    limits.threads = 1;
    limits.ranking.excess = 100'000;
    CHECK_THROWS(std::invalid_argument, beam.solve(start, limits, quiet));
    CHECK_THROWS(std::invalid_argument, BeamSearch(e.p.moves, Marks({1, 1, 1}, 1), at_home_only(e)));
    CHECK_THROWS(std::invalid_argument, beam.solve({0, {0, 1}}, {}, quiet));
}

}  // namespace
