#include "search/ranking.hpp"
#include "search/support.hpp"

namespace {

// Costs that are drawn at random, those of two neighbours the same for both, and half of them negative.
Ranking random_ranking(const Puzzle& p, std::size_t kinds, std::mt19937& rng) {
    Ranking ranking;
    ranking.costs.resize(kinds * p.spots());
    for (auto& cost : ranking.costs) cost = static_cast<std::uint16_t>(rng() % 1000);
    const std::size_t placements = p.moves->placements();
    // A direction for each other placement: from a to b in direction b.
    ranking.directions = placements;
    ranking.neighbours.assign(placements * placements, -1);
    ranking.pairs.resize(placements * kinds * kinds);
    std::set<std::pair<Point, Point>> near;
    for (const auto& arc : p.moves->arcs()) near.emplace(arc.from, arc.to), near.emplace(arc.to, arc.from);
    for (const auto& [a, b] : near) ranking.neighbours[a * placements + b] = b;
    std::vector<std::int16_t> both(kinds * kinds);
    for (std::size_t a = 0; a < kinds; ++a)
        for (std::size_t b = a; b < kinds; ++b)
            both[a * kinds + b] = both[b * kinds + a] = static_cast<std::int16_t>(static_cast<int>(rng() % 1000) - 500);
    for (std::size_t d = 0; d < placements; ++d)
        std::copy(both.begin(), both.end(), ranking.pairs.begin() + static_cast<std::ptrdiff_t>(d * kinds * kinds));
    return ranking;
}

TEST("costs of a ranking change as the state does") {
    std::mt19937 rng(7);
    for (const auto& p : small_puzzles()) {
        if (p.turns() > 1) continue;
        const Looks looks = Looks::numbered(p);
        const Marks marks = looks.marks(p);
        State state = p.home(0);
        const std::vector<std::uint16_t> base(state.size() * p.spots(), 1);
        const Heuristic heuristic(state.size(), p.spots(), base, {}, {});
        const Ranking ranking = random_ranking(p, state.size(), rng);
        ranking.check(*p.moves, marks);
        const auto total = [&](const State& s, StateFrame& frame) {
            const SearchState at = looks.situation(p, s);
            frame.load(at);
            return ranking.total(heuristic, frame, marks, at.pieces(*p.moves, marks));
        };
        for (unsigned step = 0; step < 50; ++step) {
            StateFrame frame(*p.moves, marks), other(*p.moves, marks);
            const std::uint32_t before = total(state, frame);
            CHECK(before < 1u << 31);
            const auto after = p.after(state);
            if (after.empty()) break;
            for (const auto& [piece, next] : after) {
                const auto kind = static_cast<unsigned>(looks.kind[piece]);
                CHECK(before + ranking.change(heuristic, frame, marks, kind, state[piece], next[piece]) ==
                      total(next, other));
            }
            state = after[rng() % after.size()].second;
        }
    }
}

TEST("rankings for other puzzles") {
    const Eight& e = eight();
    const Marks marks = e.looks.marks(e.p);
    std::mt19937 rng(8);
    const Ranking sound = random_ranking(e.p, e.goal.size(), rng);
    sound.check(*e.p.moves, marks);
    Ranking wrong = sound;
    wrong.costs.pop_back();
    CHECK_THROWS(std::invalid_argument, wrong.check(*e.p.moves, marks));
    wrong = sound;
    wrong.pairs.pop_back();
    CHECK_THROWS(std::invalid_argument, wrong.check(*e.p.moves, marks));
    wrong = sound;
    wrong.neighbours[0] = static_cast<std::int32_t>(e.p.moves->placements());
    CHECK_THROWS(std::invalid_argument, wrong.check(*e.p.moves, marks));
    wrong.neighbours[0] = -2;
    CHECK_THROWS(std::invalid_argument, wrong.check(*e.p.moves, marks));
}

}  // namespace
