// One component of a puzzle as the state code takes it: shapes, edges with their gains, labels of the pieces.
#pragma once

#include "base/tick.hpp"
#include "graph/gain_graph.hpp"
#include "layers/shards.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <queue>
#include <stdexcept>
#include <string>
#include <vector>

namespace slidelab {

struct CodeInput {
    std::size_t shapes = 0, pieces = 0, turns = 1;
    struct Edge {
        std::uint32_t source, target, slot_from, slot_to, turn;
    };
    std::vector<Edge> edges;
    std::vector<std::uint32_t> labels;  // of the base points
    std::vector<std::uint32_t> main;    // base slots of the main orbit, none or five and more
    std::size_t prefix = 0;             // digits of the main order that number the shard, see shards.hpp
    bool all_words = false;  // every arrangement of the labels within the orbits can be reached: number them, list none

    std::size_t degree() const { return pieces * turns; }

    void check() const {
        auto fail = [](const char* what) { throw std::invalid_argument(what); };
        if (turns == 0 || turns > max_turns || pieces > max_degree / turns) fail("pieces out of range");
        if (shapes == 0 || shapes > std::numeric_limits<std::uint32_t>::max() / 2) fail("shapes out of range");
        for (const auto& e : edges)
            if (e.source >= shapes || e.target >= shapes || e.slot_from >= pieces || e.slot_to >= pieces ||
                e.turn >= turns)
                fail("edge out of range");
        if (labels.size() != degree()) fail("one label a point expected");
        if (all_words && !main.empty()) fail("words are numbered only where there is no main orbit");
        if (main.size() == 1 || (!main.empty() && main.size() < tail_slots))
            fail("a main orbit has five pieces or more");
        if (prefix && (prefix > Shards::max_prefix || prefix + tail_slots + 1 > main.size()))
            fail("too many digits for the shards");
        std::vector<bool> seen(pieces, false);
        for (auto slot : main) {
            if (slot >= pieces || seen[slot]) fail("main slots must be different slots");
            seen[slot] = true;
        }
    }
};

// For each shape, the slot point to which a base slot point is carried along a spanning tree. Any tree will do; one
// whose moves pass few pieces leaves the other edges with short loops. So the tree grows by the cheapest move (Prim).
inline std::vector<Point> tree_potentials(const CodeInput& in, std::uint64_t max_bytes, const Tick& tick) {
    const std::size_t d = in.degree();
    if (in.shapes * std::max<std::size_t>(d, 1) * sizeof(Point) > max_bytes)
        throw LimitReached("the tables of " + std::to_string(in.shapes) + " shapes do not fit the memory limit");
    std::vector<std::vector<std::uint32_t>> around(in.shapes);  // arcs that leave each shape
    for (std::size_t e = 0; e < in.edges.size(); ++e) {
        if ((e & 0xfff) == 0) tick("tree", 0, in.shapes);
        around[in.edges[e].source].push_back(static_cast<std::uint32_t>(2 * e));
        around[in.edges[e].target].push_back(static_cast<std::uint32_t>(2 * e + 1));
    }
    std::vector<Point> potentials(in.shapes * d);
    std::vector<bool> reached(in.shapes, false);
    using Step = std::pair<std::uint32_t, std::uint32_t>;  // cost, arc
    std::priority_queue<Step, std::vector<Step>, std::greater<>> open;
    auto arrive = [&](std::uint32_t shape) {
        reached[shape] = true;
        for (auto arc : around[shape]) {
            const auto& e = in.edges[arc / 2];
            const std::uint32_t passed = e.slot_from > e.slot_to ? e.slot_from - e.slot_to : e.slot_to - e.slot_from;
            open.emplace(passed * 4 + e.turn, arc);
        }
    };
    for (std::size_t p = 0; p < d; ++p) potentials[p] = static_cast<Point>(p);
    arrive(0);
    std::size_t count = 1;
    const std::size_t often = tick_mask(4 * d + 64);
    while (!open.empty()) {
        const auto arc = open.top().second;
        open.pop();
        const auto& e = in.edges[arc / 2];
        const bool back = arc & 1;
        const std::uint32_t from = back ? e.target : e.source, to = back ? e.source : e.target;
        if (reached[to]) continue;
        if ((count & often) == 0) tick("tree", count, in.shapes);
        for (std::size_t p = 0; p < d; ++p) {
            const Point at = potentials[from * d + p];
            potentials[to * d + p] = back
                                         ? carried(in.turns, e.slot_to, e.slot_from, (in.turns - e.turn) % in.turns, at)
                                         : carried(in.turns, e.slot_from, e.slot_to, e.turn, at);
        }
        ++count;
        arrive(to);
    }
    if (count != in.shapes) throw std::invalid_argument("the shapes are not connected");
    return potentials;
}

}  // namespace slidelab
