#include "layers/support.hpp"

namespace {

// A grid of five pieces and a ring of three joined in one cell: two orbits, their signs in step.
Graph grid_and_square() {
    Graph graph = grid(3, 2);
    graph.resize(9);
    for (auto [a, b] : {std::pair{5, 6}, {6, 7}, {7, 8}, {8, 5}}) {
        graph[static_cast<std::size_t>(a)].insert(b);
        graph[static_cast<std::size_t>(b)].insert(a);
    }
    return graph;
}

// Pieces with two ends: one end follows the other into a hole.
StepTable gourds(const Graph& graph, std::mt19937_64* random = nullptr) {
    StepTable table = start_table(graph.size(), 2, 2, random);
    std::map<std::pair<int, int>, std::int32_t> number;
    for (int a = 0; a < static_cast<int>(graph.size()); ++a)
        for (int b : graph[static_cast<std::size_t>(a)])
            if (a < b) {
                number[{a, b}] = static_cast<std::int32_t>(number.size());
                table.placements.insert(table.placements.end(), {a, b});
            }
    for (const auto& entry : number) {
        const auto [head, tail] = entry.first;
        const std::int32_t from = entry.second;
        auto add = [&](int first, int second, int hole) {  // where the head goes and where the tail goes
            const bool turned = first > second;
            table.steps.push_back({from, number.at(std::minmax(first, second)), turned, {hole, -1, -1, -1}});
        };
        for (int hole : graph[static_cast<std::size_t>(tail)])
            if (hole != head) add(tail, hole, hole);
        for (int hole : graph[static_cast<std::size_t>(head)])
            if (hole != tail) add(hole, head, hole);
    }
    return table;
}

struct PlainSearch {
    const CodeInput& in;
    std::vector<std::int64_t> line;
    std::vector<std::vector<std::uint32_t>> arcs_from;
    std::map<PlainState, std::uint32_t> number;
    std::vector<const PlainState*> states;
    std::vector<std::uint32_t> distance;
    std::vector<std::uint64_t> layers;

    PlainSearch(const CodeInput& input, PlainState start, std::vector<std::int64_t> lines = {},
                std::size_t limit = 1u << 20)
        : in(input), line(std::move(lines)), arcs_from(input.shapes) {
        for (std::uint32_t e = 0; e < in.edges.size(); ++e) {
            arcs_from[in.edges[e].source].push_back(2 * e);
            arcs_from[in.edges[e].target].push_back(2 * e + 1);
        }
        add(std::move(start), 0);
        for (std::size_t k = 0; k < states.size() && states.size() <= limit; ++k)
            each_move(*states[k], [&](std::uint32_t, PlainState to) { add(std::move(to), distance[k] + 1); });
    }

    template <class Visit>
    void each_move(const PlainState& state, Visit&& visit) const {
        for (auto first : arcs_from[state.shape]) {
            PlainState at = state;
            for (std::int64_t arc = first; arc >= 0; arc = line.empty() ? -1 : line[static_cast<std::size_t>(arc)]) {
                at = moved(in, static_cast<std::size_t>(arc), at);
                visit(static_cast<std::uint32_t>(arc), at);
            }
        }
    }

private:
    void add(PlainState state, std::uint32_t far) {
        const auto [it, fresh] = number.try_emplace(std::move(state), static_cast<std::uint32_t>(states.size()));
        if (!fresh) return;
        states.push_back(&it->first);
        distance.push_back(far);
        if (far == layers.size()) layers.push_back(0);
        ++layers[far];
    }
};

using Key = std::array<std::uint64_t, 3>;

Key key_of(const Place& p) { return {p.shape, p.word, p.bit}; }

PlainState base_state(const CodeInput& in) {
    PlainState out{0, in.labels};
    for (auto slot : in.main)
        for (std::size_t m = 0; m < in.turns; ++m)
            out.points[slot * in.turns + m] = static_cast<std::uint32_t>(slot * in.turns + m);
    return out;
}

std::vector<Variant> all_variants() {
    std::vector<Variant> out;
    for (std::uint32_t thin : {1u, 24u, 1000000000u})
        for (unsigned threads : {1u, 3u})
            for (bool portable : {false, true})
                for (bool table : {false, true}) out.push_back({thin, threads, portable, table});
    return out;
}

// One search in every way against the plain one. Returns the number of states.
std::size_t check_search(const CodeInput& in, std::size_t far_start, const std::vector<Variant>& variants,
                         const std::vector<std::int64_t>& line = {}, std::size_t limit = 1u << 20) {
    PlainState start = base_state(in);
    if (far_start) {
        const PlainSearch first(in, start, line, limit);
        if (first.states.size() > limit) return first.states.size();
        start = *first.states[far_start % first.states.size()];
    }
    const PlainSearch plain(in, start, line, limit);
    if (plain.states.size() > limit) return plain.states.size();
    const auto code = std::make_shared<const StateCode>(in, plenty, quiet);
    CHECK(code->shapes() == in.shapes && code->has_main() == !in.main.empty() &&
          code->arcs().size() == 2 * in.edges.size());
    CHECK(code->bytes() > 0);

    // Places of all states: different, and back.
    std::vector<Place> places;
    std::map<Key, std::uint32_t> at;
    for (std::size_t k = 0; k < plain.states.size(); ++k) {
        const auto place = code->place(plain.states[k]->shape, plain.states[k]->points);
        CHECK(place && place->shape == plain.states[k]->shape && place->word < code->words() &&
              place->bit < word_states);
        CHECK(code->arrangement(*place) == plain.states[k]->points);
        CHECK(at.try_emplace(key_of(*place), static_cast<std::uint32_t>(k)).second);
        places.push_back(*place);
    }
    CHECK_THROWS(std::invalid_argument, code->place(in.shapes, base_state(in).points));
    CHECK_THROWS(std::invalid_argument, code->arrangement({static_cast<std::uint32_t>(in.shapes), 0, 0}));
    CHECK_THROWS(std::invalid_argument, code->arrangement({0, code->words(), 0}));
    CHECK_THROWS(std::invalid_argument, code->arrangement({0, 0, word_states}));

    std::vector<std::vector<Key>> by_layer(plain.layers.size());
    for (const auto& [key, k] : at) by_layer[plain.distance[k]].push_back(key);  // in order

    // Moves of one state.
    {
        const LayerSearch search(code, {false, line, false, 24});
        const std::size_t step = plain.states.size() / 3000 + 1;
        for (std::size_t k = 0; k < plain.states.size(); k += step) {
            std::multiset<std::pair<std::uint32_t, Key>> wanted, found;
            plain.each_move(*plain.states[k], [&](std::uint32_t arc, const PlainState& to) {
                wanted.insert({arc, key_of(places[plain.number.at(to)])});
            });
            for (const auto& [arc, to] : search.neighbours(places[k])) found.insert({arc, key_of(to)});
            CHECK(found == wanted);
        }
    }

    for (const auto& v : variants) {
        const SearchOptions options{v.table, line, v.portable, v.thin};
        LayerSearch search(code, options);
        CHECK(LayerSearch::bytes_needed(*code, options, v.threads) >= std::uint64_t{16} * in.shapes * code->words());
        CHECK_THROWS(std::logic_error, search.advance(v.threads, quiet));
        if (!v.table) CHECK_THROWS(std::logic_error, search.residue(places[0]));
        for (int round = 0; round < 1 + (plain.states.size() < 1000); ++round) {  // an array used twice is clean
            search.begin(places[0]);
            for (std::size_t l = 0;; ++l) {
                const auto last = search.last_layer(plain.states.size() + 1);
                CHECK(last.size() == by_layer[l].size());
                for (std::size_t k = 0; k < last.size(); ++k) CHECK(key_of(last[k]) == by_layer[l][k]);
                CHECK(search.last_layer(2).size() == std::min<std::size_t>(2, last.size()));
                const std::vector<std::uint64_t> ranks{0, last.size() / 3, last.size() / 2, last.size() - 1};
                const auto drawn = search.layer_states(ranks);
                for (std::size_t k = 0; k < ranks.size(); ++k) CHECK(key_of(drawn[k]) == by_layer[l][ranks[k]]);
                CHECK(search.layer_states({}).empty());
                CHECK_THROWS(std::invalid_argument, search.layer_states(std::vector<std::uint64_t>{last.size()}));
                CHECK_THROWS(std::invalid_argument, search.layer_states(std::vector<std::uint64_t>{1, 0}));
                const auto found = search.advance(v.threads, quiet);
                CHECK(found == (l + 1 < plain.layers.size() ? plain.layers[l + 1] : 0));
                CHECK(search.finished() == (found == 0) && search.usable());
                if (!found) break;
            }
            CHECK(search.layers() == plain.layers);
            CHECK(search.advance(v.threads, quiet) == 0);
            const auto last = search.last_layer(plain.states.size());  // still there at the end
            CHECK(last.size() == by_layer.back().size() && key_of(last.front()) == by_layer.back().front());
            if (!v.table) continue;
            for (std::size_t k = 0; k < places.size(); ++k)
                CHECK(search.residue(places[k]) == static_cast<int>(plain.distance[k] % 3));
            for (std::size_t k = 0; k < places.size(); k += places.size() / 3000 + 1)
                CHECK(search.distance(places[k]) == static_cast<std::int32_t>(plain.distance[k]));
            std::size_t reached = 0;  // and nowhere else
            for (std::uint32_t s = 0; s < in.shapes; ++s)
                for (std::uint32_t w = 0; w < code->words(); ++w)
                    for (std::uint32_t b = 0; b < word_states; ++b) reached += search.residue({s, w, b}) >= 0;
            CHECK(reached == places.size());
        }
        if (v.table) {
            search.keep_table_only();
            CHECK(search.residue(places.back()) == static_cast<int>(plain.distance.back() % 3));
            CHECK_THROWS(std::logic_error, search.advance(1, quiet));
        }
    }
    return plain.states.size();
}

TEST("tiles") {
    std::mt19937_64 random(3);
    struct Case {
        Graph graph;
        std::size_t holes, states;
        bool main;
    };
    const std::vector<Case> cases{
        {grid(4, 2), 1, 20160, true},
        {grid(3, 2), 1, 360, true},  // five pieces: no head
        {grid(3, 2), 1, 360, false},
        {grid(3, 2), 2, 360, false},
        {grid(4, 2), 2, 20160, true},  // both signs, a head of one slot
        {ring(6), 1, 30, true},
        {ring(6), 1, 30, false},
        {ring(7), 1, 42, true},
        {ring(8), 1, 56, true},
        {path(6), 1, 6, false},
        {path(6), 1, 6, true},
        {path(6), 3, 20, false},
        {graph_of(5, {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {2, 4}}), 1, 15, false},
        {graph_of(5, {{0, 1}, {1, 2}, {2, 0}, {2, 3}, {3, 4}, {4, 2}}), 1, 20, false},
        {graph_of(7, {{0, 1}, {1, 2}, {0, 3}, {3, 4}, {4, 2}, {0, 5}, {5, 6}, {6, 2}}), 1, 840, true},
        {graph_of(7, {{0, 1}, {1, 2}, {0, 3}, {3, 4}, {4, 2}, {0, 5}, {5, 6}, {6, 2}}), 1, 840, false},
        {grid_and_square(), 1, 9 * 60 * 3, true},
        {grid_and_square(), 1, 9 * 60 * 3, false},
        {grid(1, 1), 0, 1, false},
        {grid(2, 1), 2, 1, false},
    };
    for (const auto& c : cases)
        for (int order = 0; order < 2; ++order) {
            const GainGraph graph(tiles(c.graph, order ? &random : nullptr), c.graph.size() - c.holes, 1000, quiet);
            Family family = family_of(graph, static_cast<std::uint32_t>(below(random, graph.shape_count())), 1);
            if (c.main) {
                auto orbits = slot_orbits(family.in);
                Numbers main = orbits.front();
                for (std::size_t k = 1; main.size() < tail_slots; ++k)
                    main.insert(main.end(), orbits[k].begin(), orbits[k].end());
                set_main(family.in, main);
            }
            const std::size_t found = check_search(family.in, order, c.states > 5000 ? few : all_variants());
            CHECK(found == c.states || (c.states == 15 && found <= 60));
        }
}

TEST("the eight puzzle") {
    const GainGraph graph(tiles(grid(3, 3)), 8, 9, quiet);
    Family family = family_of(graph, 8, 1);
    set_main(family.in, slot_orbits(family.in).front());
    CHECK(check_search(family.in, 0, few) == 181440);
}

TEST("gourds") {
    std::mt19937_64 random(2);
    struct Case {
        Graph graph;
        std::size_t pieces;
        bool main;
    };
    Graph flag = grid(5, 2);  // eleven cells
    flag.resize(11);
    flag[10].insert(4), flag[4].insert(10);
    const std::vector<Case> cases{{grid(3, 2), 2, false}, {grid(3, 3), 4, false}, {grid(3, 3), 3, false},
                                  {ring(11), 5, true},    {ring(11), 5, false},   {ring(13), 6, true},
                                  {flag, 5, true}};
    std::size_t largest = 0;
    for (const auto& c : cases)
        for (int order = 0; order < 2; ++order) {
            const GainGraph graph(gourds(c.graph, order ? &random : nullptr), c.pieces, 10000, quiet);
            std::uint32_t base = 0;  // in the largest family
            std::map<std::uint32_t, int> sizes;
            for (auto f : graph.family()) ++sizes[f];
            for (std::uint32_t s = 0; s < graph.shape_count(); ++s)
                if (sizes[graph.family()[s]] > sizes[graph.family()[base]]) base = s;
            Family family = family_of(graph, base, 2);
            if (c.main) {
                Numbers all(c.pieces);
                std::iota(all.begin(), all.end(), 0u);
                set_main(family.in, all);
            }
            const auto found = check_search(family.in, order, few, {}, 60000);
            largest = std::max(largest, found);
        }
    CHECK(largest > 1000);
}

TEST("colours") {
    std::mt19937_64 random(4);
    for (int order = 0; order < 4; ++order) {  // listed or numbered, in two orders of slots
        const GainGraph graph(tiles(grid(3, 3), order % 2 ? &random : nullptr), 8, 9, quiet);
        Family family = family_of(graph, 4, 1);
        family.in.all_words = order > 1;
        family.in.labels = {7, 7, 7, 5, 5, 5, 9, 9};
        CHECK(check_search(family.in, 17, few) == 9 * 560);  // 560 words: the last one is not full
        family.in.labels = {1, 1, 1, 1, 1, 1, 1, 0};
        CHECK(check_search(family.in, 1, all_variants()) == 72);
        family.in.labels = {0, 0, 0, 0, 0, 0, 0, 0};
        CHECK(check_search(family.in, 1, all_variants()) == 9);
        // Some tiles told apart, the others not.
        family.in.labels = {10, 11, 12, 0, 0, 0, 0, 0};
        CHECK(check_search(family.in, 5, few) == 9 * 336);
        const GainGraph two(tiles(grid(4, 2), order % 2 ? &random : nullptr), 6, 28, quiet);
        family = family_of(two, 4, 1);
        family.in.all_words = order > 1;
        family.in.labels = {0xffffffffu, 3, 3, 3, 0xffffffffu, 8};
        CHECK(check_search(family.in, 5, few) == 28 * 60);  // exactly one word a shape
    }
    // A grid and a square: colours beside a main orbit.
    const GainGraph graph(tiles(grid_and_square(), &random), 8, 9, quiet);
    Family family = family_of(graph, 3, 1);
    const auto orbits = slot_orbits(family.in);
    CHECK(orbits.size() == 2 && orbits[0].size() == 5 && orbits[1].size() == 3);
    for (auto slot : orbits[1]) family.in.labels[slot] = slot == orbits[1][1] ? 40 : 30;
    set_main(family.in, orbits[0]);
    CHECK(check_search(family.in, 3, all_variants()) == 9 * 60 * 3);
}

// Gain graphs of nothing at all: a few shapes, a tree, and random edges whose loops keep given classes of pieces.
TEST("random gains") {
    std::mt19937_64 random(99);
    int with_main = 0, beside = 0, turning = 0, wide = 0;
    for (int trial = 0; trial < 60; ++trial) {
        CodeInput in;
        in.turns = 1 + below(random, 3);
        in.pieces = trial % 3 ? 5 + below(random, in.turns == 1 ? 4 : 2) : 1 + below(random, 6);
        in.shapes = 1 + below(random, in.turns == 1 && in.pieces < 7 ? 4 : 2);
        const std::size_t d = in.degree(), w = in.turns;
        const auto part = in.pieces > 5      ? 5
                          : below(random, 2) ? in.pieces
                                             : below(random, in.pieces + 1);  // pieces below and above: two classes
        auto any_edge = [&](std::uint32_t source, std::uint32_t target) {
            return CodeInput::Edge{source, target, static_cast<std::uint32_t>(below(random, in.pieces)),
                                   static_cast<std::uint32_t>(below(random, in.pieces)),
                                   static_cast<std::uint32_t>(trial % 4 ? below(random, w) : 0)};
        };
        std::vector<Numbers> way(1, Numbers(d));  // for each shape the base points where they lie there
        std::iota(way[0].begin(), way[0].end(), 0u);
        for (std::uint32_t s = 1; s < in.shapes; ++s) {
            in.edges.push_back(any_edge(static_cast<std::uint32_t>(below(random, s)), s));
            way.push_back(
                moved(in, 2 * (in.edges.size() - 1), {in.edges.back().source, way[in.edges.back().source]}).points);
        }
        for (std::uint64_t tries = 1 + below(random, 30); tries > 0; --tries) {
            const auto source = static_cast<std::uint32_t>(below(random, in.shapes)),
                       target = static_cast<std::uint32_t>(below(random, in.shapes));
            in.edges.push_back(any_edge(source, target));
            const auto after = moved(in, 2 * (in.edges.size() - 1), {source, way[source]}).points;
            bool keeps = true;
            for (std::size_t p = 0; p < d; ++p) keeps &= (after[p] / w < part) == (way[target][p] / w < part);
            if (!keeps) in.edges.pop_back();
        }
        in.labels.resize(d);
        const std::uint64_t colours = 1 + below(random, d + 3);
        for (std::size_t p = 0; p < d; ++p)
            in.labels[p] =
                trial % 2 ? static_cast<std::uint32_t>(p) : static_cast<std::uint32_t>(below(random, colours));
        if (trial % 5) {
            Numbers main;
            for (const auto& orbit : slot_orbits(in))
                if (main.size() < tail_slots || below(random, 4) == 0)
                    main.insert(main.end(), orbit.begin(), orbit.end());
            if (main.size() >= tail_slots) set_main(in, main);
        }
        const auto found = check_search(in, trial % 3 ? below(random, 1000) : 0,
                                        {few[static_cast<std::size_t>(trial) % few.size()], few[1]}, {}, 4000);
        if (found > 4000) continue;
        with_main += !in.main.empty();
        beside += !in.main.empty() && in.main.size() < in.pieces;
        turning += in.turns > 1 && found > 20;
        wide += !in.main.empty() && in.turns > 1 && found > 500;
    }
    CHECK(with_main > 15 && beside > 5 && turning > 15 && wide > 1);
}

// For each arc the one that pushes the next tile the same way.
std::vector<std::int64_t> straight(const GainGraph& graph, const Family& family, const StepTable& table, int width) {
    const std::size_t arcs = 2 * family.in.edges.size();
    auto step = [&](std::size_t arc) {  // cells the tile leaves and enters
        const auto& s = table.steps[graph.edges()[family.edge_numbers[arc / 2]].step];
        return arc % 2 ? std::pair{s.to, s.from} : std::pair{s.from, s.to};
    };
    std::vector<std::int64_t> out(arcs, -1);
    for (std::size_t a = 0; a < arcs; ++a)
        for (std::size_t b = 0; b < arcs; ++b) {
            const auto target = a % 2 ? family.in.edges[a / 2].source : family.in.edges[a / 2].target;
            const auto source = b % 2 ? family.in.edges[b / 2].target : family.in.edges[b / 2].source;
            if (source != target) continue;
            const auto [from, to] = step(a);
            const auto [next, into] = step(b);
            if (into == from && into - next == to - from &&
                (next / width == from / width || next % width == from % width))
                out[a] = static_cast<std::int64_t>(b);
        }
    return out;
}

TEST("straight pushes") {
    struct Case {
        int width, height;
        std::size_t holes;
        bool main;
    };
    for (const auto& c : {Case{3, 3, 1, true}, {3, 2, 1, true}, {4, 2, 1, true}, {3, 2, 2, false}, {3, 3, 1, false}}) {
        const StepTable table = tiles(grid(c.width, c.height));
        const GainGraph graph(table, static_cast<std::size_t>(c.width * c.height) - c.holes, 1000, quiet);
        Family family = family_of(graph, 0, 1);
        if (c.main) set_main(family.in, slot_orbits(family.in).front());
        else if (family.in.pieces == 8) family.in.labels = {1, 1, 2, 2, 3, 3, 3, 3};
        const auto line = straight(graph, family, table, c.width);
        CHECK(std::count(line.begin(), line.end(), -1) < static_cast<std::ptrdiff_t>(line.size()));
        auto variants = few;
        if (c.main && family.in.pieces == 8) variants = {few[0], few[2]};
        check_search(family.in, c.main && family.in.pieces == 8 ? 0 : 2, variants, line);

        const auto code = std::make_shared<const StateCode>(family.in, plenty, quiet);
        auto refused = [&](const std::vector<std::int64_t>& lines) { LayerSearch(code, {false, lines, false, 24}); };
        auto bad = line;
        bad.pop_back();
        CHECK_THROWS(std::invalid_argument, (refused(bad), 0));
        bad = line;
        bad[0] = static_cast<std::int64_t>(line.size());
        CHECK_THROWS(std::invalid_argument, (refused(bad), 0));
        bad.assign(line.size(), -1);
        bad[0] = 1, bad[1] = 0;  // forth and back for ever
        CHECK_THROWS(std::invalid_argument, (refused(bad), 0));
        bad = line;
        *std::find_if(bad.begin(), bad.end(), [](auto next) { return next >= 0; }) = -1;  // a push without a way back
        CHECK_THROWS(std::invalid_argument, (refused(bad), 0));
    }
}

}  // namespace
