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

// A network with random weights, and the plain sum that it stands for.
struct PlainNetwork {
    std::size_t window = 0, variety = 5, placements, kinds;
    std::vector<std::int32_t> near;
    std::vector<std::uint16_t> contents;
    std::vector<std::int16_t> weights, bias;

    PlainNetwork(const Puzzle& p, std::size_t pieces, std::mt19937& rng)
        : placements(p.moves->placements()), kinds(pieces), contents(kinds * placements), bias(LocalNetwork::channels) {
        std::vector<std::set<std::int32_t>> around(placements);
        for (const auto& arc : p.moves->arcs()) around[arc.from].insert(arc.to), around[arc.to].insert(arc.from);
        for (std::size_t c = 0; c < placements; ++c) around[c].insert(static_cast<std::int32_t>(c));
        for (const auto& cells : around) window = std::max(window, cells.size());
        for (const auto& cells : around) {
            near.insert(near.end(), cells.begin(), cells.end());
            near.resize(near.size() + window - cells.size(), -1);
        }
        const auto number = [&] { return static_cast<std::int16_t>(static_cast<int>(rng() % 41) - 20); };
        for (auto& content : contents) content = static_cast<std::uint16_t>(rng() % (variety - 2));
        weights.resize(window * variety * LocalNetwork::channels);
        for (auto& weight : weights) weight = number();
        for (auto& each : bias) each = number();
    }

    LocalNetwork network() const { return {window, near, contents, weights, bias}; }

    std::int32_t total(const State& state) const {
        std::int32_t total = 0;
        for (std::size_t cell = 0; cell < placements; ++cell)
            for (std::size_t c = 0; c < LocalNetwork::channels; ++c) {
                std::int32_t sum = bias[c];
                for (std::size_t k = 0; k < window; ++k) {
                    const std::int32_t at = near[cell * window + k];
                    std::size_t content = at < 0 ? variety - 1 : variety - 2;
                    for (std::size_t piece = 0; piece < state.size(); ++piece)
                        if (state[piece] == at) content = contents[piece * placements + state[piece]];
                    sum += weights[(k * variety + content) * LocalNetwork::channels + c];
                }
                if (sum > 0) total += c < LocalNetwork::channels / 2 ? sum : -sum;
            }
        return LocalNetwork::unit * total;
    }
};

TEST("costs of a network are those of the plain sum, and change as the state does") {
    std::mt19937 rng(9);
    for (const auto& p : small_puzzles()) {
        if (p.turns() > 1) continue;
        const Looks looks = Looks::numbered(p);
        const Marks marks = looks.marks(p);
        State state = p.home(0);
        const PlainNetwork plain(p, state.size(), rng);
        const LocalNetwork network = plain.network();
        StateFrame frame(*p.moves, marks);
        LocalNetwork::Sums sums;
        for (unsigned step = 0; step < 30; ++step) {
            frame.load(looks.situation(p, state));
            network.load(frame, marks, sums);
            CHECK(static_cast<std::int32_t>(network.total(sums)) == plain.total(state));
            const auto after = p.after(state);
            if (after.empty()) break;
            for (const auto& [piece, next] : after) {
                const auto kind = static_cast<unsigned>(looks.kind[piece]);
                const auto change = static_cast<std::int32_t>(network.change(sums, kind, state[piece], next[piece]));
                CHECK(plain.total(state) + change == plain.total(next));
            }
            state = after[rng() % after.size()].second;
        }
    }
}

TEST("networks for other puzzles, or out of range") {
    const Eight& e = eight();
    std::mt19937 rng(10);
    const PlainNetwork sound(e.p, e.goal.size(), rng);
    CHECK(sound.network().placements() == e.p.moves->placements());
    CHECK(LocalNetwork().empty() && !sound.network().empty());
    PlainNetwork wrong = sound;
    wrong.near[0] = static_cast<std::int32_t>(wrong.placements);
    CHECK_THROWS(std::invalid_argument, wrong.network());
    wrong = sound;
    wrong.contents[0] = static_cast<std::uint16_t>(wrong.variety - 2);
    CHECK_THROWS(std::invalid_argument, wrong.network());
    wrong = sound;
    wrong.bias.pop_back();
    CHECK_THROWS(std::invalid_argument, wrong.network());
    wrong = sound;
    wrong.weights.pop_back();
    CHECK_THROWS(std::invalid_argument, wrong.network());
    wrong = sound;
    wrong.weights[0] = 32767;
    CHECK_THROWS(std::invalid_argument, wrong.network());
    wrong = sound;
    wrong.window = 0;
    CHECK_THROWS(std::invalid_argument, wrong.network());
    Ranking ranking = random_ranking(e.p, e.goal.size(), rng);
    const std::vector<Puzzle> puzzles = small_puzzles();
    const Puzzle& other = puzzles[0];
    ranking.network = PlainNetwork(other, other.home(0).size(), rng).network();
    if (other.moves->placements() != e.p.moves->placements())
        CHECK_THROWS(std::invalid_argument, ranking.check(*e.p.moves, e.looks.marks(e.p)));
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
        Ranking ranking = random_ranking(p, state.size(), rng);
        ranking.network = PlainNetwork(p, state.size(), rng).network();
        ranking.check(*p.moves, marks);
        LocalNetwork::Sums sums;
        const auto total = [&](const State& s, StateFrame& frame) {
            const SearchState at = looks.situation(p, s);
            frame.load(at);
            return ranking.total(heuristic, frame, marks, at.pieces(*p.moves, marks));
        };
        for (unsigned step = 0; step < 50; ++step) {
            StateFrame frame(*p.moves, marks), other(*p.moves, marks);
            const std::uint32_t before = total(state, frame);
            CHECK(before < 1u << 31);
            ranking.load(frame, marks, sums);
            const auto after = p.after(state);
            if (after.empty()) break;
            for (const auto& [piece, next] : after) {
                const auto kind = static_cast<unsigned>(looks.kind[piece]);
                CHECK(before + ranking.change(heuristic, frame, marks, sums, kind, state[piece], next[piece]) ==
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
