#include "layers/goal_search.hpp"

#include <random>
#include <thread>
#include "layers/support.hpp"
#include "pieces.hpp"

namespace {

// A kind and a turn for each slot of a shape.
struct Coloured {
    std::uint32_t shape;
    std::vector<std::pair<std::uint16_t, std::uint32_t>> pieces;
    auto operator<=>(const Coloured&) const = default;
};

Coloured played(const GoalInput& in, std::size_t arc, Coloured state) {
    const auto& e = in.edges[arc / 2];
    const bool back = arc % 2;
    const auto from = back ? e.slot_to : e.slot_from, to = back ? e.slot_from : e.slot_to;
    auto piece = state.pieces[from];
    const auto turns = static_cast<std::uint32_t>(in.turns);
    piece.second = (piece.second + (back ? turns - e.turn : e.turn)) % in.periods[piece.first];
    state.pieces.erase(state.pieces.begin() + static_cast<std::ptrdiff_t>(from));
    state.pieces.insert(state.pieces.begin() + static_cast<std::ptrdiff_t>(to), piece);
    state.shape = back ? e.source : e.target;
    return state;
}

std::set<Coloured> plain_neighbours(const GoalInput& in, const Coloured& state) {
    std::set<Coloured> out;
    for (std::size_t arc = 0; arc < 2 * in.edges.size(); ++arc)
        if ((arc % 2 ? in.edges[arc / 2].target : in.edges[arc / 2].source) == state.shape)
            out.insert(played(in, arc, state));
    return out;
}

struct PlainGoals {
    std::map<Coloured, std::pair<int, std::uint64_t>> found;  // distance, shortest solutions
    std::vector<std::pair<std::uint64_t, std::uint64_t>> layers;

    PlainGoals(const GoalInput& in, const std::set<Coloured>& goals) {
        std::set<Coloured> layer = goals;
        for (const auto& goal : goals) found[goal] = {0, 1};
        for (int distance = 0; !layer.empty(); ++distance) {
            std::uint64_t unique = 0;
            std::set<Coloured> next;
            for (const auto& state : layer) {
                const auto solutions = found.at(state).second;
                unique += solutions == 1;
                for (const auto& q : plain_neighbours(in, state)) {
                    const auto [at, is_new] = found.try_emplace(q, distance + 1, 0);
                    if (at->second.first != distance + 1) continue;
                    at->second.second += solutions;
                    next.insert(q);
                }
            }
            layers.emplace_back(layer.size(), unique);
            layer = std::move(next);
        }
    }
};

GoalPlace place_of(const GoalCode& code, const Coloured& state) {
    std::vector<std::uint16_t> kinds;
    Numbers turns;
    for (const auto& [kind, turn] : state.pieces) kinds.push_back(kind), turns.push_back(turn);
    const auto index = code.index(kinds, turns);
    CHECK(index.has_value());
    return {state.shape, *index};
}

// Searches from some goals in all ways, compared with the plain search; returns the number of configurations.
std::size_t check_goals(const GoalInput& in, std::size_t goals, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    const auto code = std::make_shared<const GoalCode>(in, plenty, quiet);
    std::set<Coloured> starts;
    while (starts.size() < goals) {
        Coloured goal{static_cast<std::uint32_t>(below(random, in.shapes)), {}};
        for (auto kind : in.kinds)
            goal.pieces.emplace_back(kind, static_cast<std::uint32_t>(below(random, in.periods[kind])));
        for (std::size_t i = goal.pieces.size(); i > 1; --i)
            std::swap(goal.pieces[i - 1], goal.pieces[below(random, i)]);
        starts.insert(goal);
    }
    const PlainGoals plain(in, starts);
    for (const std::uint64_t thin : {0, 1, 128})
        for (const unsigned threads : {1u, 3u}) {
            GoalSearch search(code, 5, thin);
            std::vector<GoalPlace> places;
            for (const auto& goal : starts) places.push_back(place_of(*code, goal));
            places.push_back(places.front());  // twice is once
            search.begin(places);
            while (search.advance(threads, quiet)) {
            }
            std::vector<std::pair<std::uint64_t, std::uint64_t>> layers;
            for (const auto& layer : search.layers()) layers.emplace_back(layer.states, layer.unique);
            CHECK(layers == plain.layers);
            std::size_t looked = 0;
            for (const auto& [state, expected] : plain.found) {
                const auto p = place_of(*code, state);
                CHECK(code->arrangement(p.index) == state.pieces);
                CHECK(search.residue(p) == expected.first % 3);
                CHECK(search.is_unique(p) == (expected.second == 1));
                if (++looked % 17) continue;
                CHECK(search.distance(p) == expected.first);
                const auto solutions = search.solutions(p, 1 << 20, quiet);
                CHECK(solutions.count == expected.second);
                CHECK(solutions.chance > 0 && solutions.chance < 1 + 1e-9);
                std::set<Coloured> around;
                for (const auto& q : search.neighbours(p)) around.insert({q.shape, code->arrangement(q.index)});
                CHECK(around == plain_neighbours(in, state));
            }
            for (std::size_t k = 0; k < layers.size(); ++k) {
                std::size_t unique = 0;
                for (const auto& [p, is_unique] : search.sample(k)) {
                    CHECK(search.distance(p) == static_cast<std::int32_t>(k));
                    CHECK(search.is_unique(p) == is_unique);
                    unique += is_unique;
                }
                CHECK(unique == std::min<std::uint64_t>(5, layers[k].second));
            }
        }
    return plain.found.size();
}

GoalInput goal_input(const StepTable& table, std::size_t pieces, std::vector<std::uint16_t> kinds, Numbers periods) {
    const GainGraph graph(table, pieces, 100000, quiet);
    GoalInput in;
    in.shapes = graph.shape_count();
    in.turns = table.turns;
    for (const auto& e : graph.edges()) in.edges.push_back({e.source, e.target, e.slot_from, e.slot_to, e.turn});
    in.kinds = std::move(kinds);
    in.periods = std::move(periods);
    return in;
}

TEST("distances to the nearest of several goals, against plain search") {
    CHECK(check_goals(goal_input(tiles(grid(3, 2)), 5, {0, 0, 1, 1, 2}, {1, 1, 1}), 1, 1) == 180);
    CHECK(check_goals(goal_input(tiles(grid(3, 3)), 8, {0, 0, 0, 1, 1, 1, 2, 2}, {1, 1, 1}), 3, 2) == 5040);
    CHECK(check_goals(goal_input(tiles(grid(4, 2)), 5, {0, 0, 1, 1, 1}, {1, 1}), 2, 3) == 560);
    CHECK(check_goals(goal_input(tiles(grid(2, 2)), 3, {0, 0, 0}, {1}), 4, 4) == 4);
}

TEST("distances to the nearest goal, with pieces that turn") {
    Graph hexagons = grid(3, 3);  // a rhombus
    for (const auto& [a, b] : {std::pair{1, 3}, {2, 4}, {4, 6}, {5, 7}}) {
        hexagons[static_cast<std::size_t>(a)].insert(b);
        hexagons[static_cast<std::size_t>(b)].insert(a);
    }
    // Two kinds with two ends each, and one whose ends are equal.
    CHECK(check_goals(goal_input(gourds(hexagons), 4, {0, 0, 1, 2}, {2, 2, 1}), 2, 5) > 1000);
    CHECK(check_goals(goal_input(gourds(grid(3, 3)), 4, {0, 1, 1, 0}, {2, 1}), 3, 6) > 100);
    CHECK(check_goals(goal_input(triangles(8), 2, {0, 1}, {3, 1}), 1, 7) > 3);
}

TEST("threads find the same distances to goals") {
    const auto in = goal_input(tiles(grid(4, 3)), 11, {0, 0, 0, 0, 1, 1, 1, 2, 2, 3, 3}, {1, 1, 1, 1});
    const auto code = std::make_shared<const GoalCode>(in, plenty, quiet);
    CHECK(code->machine_words() * code->shapes() > 10000);  // enough for threads
    std::vector<std::vector<std::uint64_t>> layers;
    std::vector<std::vector<std::pair<GoalPlace, bool>>> samples;
    for (const unsigned threads : {1u, 3u}) {
        GoalSearch search(code, 3);
        search.begin({{0, 0}, {5, 1000}});
        while (search.advance(threads, quiet)) {
        }
        auto& counts = layers.emplace_back();
        for (const auto& layer : search.layers()) counts.insert(counts.end(), {layer.states, layer.unique});
        samples.push_back(search.sample(search.layers().size() / 2));
    }
    CHECK(layers[0] == layers[1]);
    CHECK(samples[0] == samples[1]);
}

TEST("a search from goals that is stopped, and what is refused") {
    const auto in = goal_input(tiles(grid(3, 3)), 8, {0, 0, 0, 0, 1, 1, 1, 1}, {1, 1});
    const auto code = std::make_shared<const GoalCode>(in, plenty, quiet);
    GoalSearch search(code, 0);
    CHECK_THROWS(std::logic_error, search.advance(1, quiet));
    CHECK_THROWS(std::invalid_argument, search.begin({{0, ~std::uint64_t{0}}}));
    search.begin({});
    CHECK(search.finished() && search.layers().empty());
    CHECK_THROWS(LimitReached, GoalCode(in, 10, quiet));
    GoalInput wrong = in;
    wrong.edges[0].slot_to = 8;
    CHECK_THROWS(std::invalid_argument, GoalCode(wrong, plenty, quiet));
}

}  // namespace
