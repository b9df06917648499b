// Pattern databases and searches of src/core without Python, meant to run under the sanitizers.
//
// What is compared with what: all with a plain simulation that moves labelled pieces one by one and knows nothing
// of slots. Tables, distances of single pieces and heuristics with its searches in which some moves cost nothing,
// walks that are left out with lists of all walks, solutions with the distances of a breadth-first search.
#pragma once

#include <cmath>
#include <deque>
#include <map>
#include <set>
#include <unordered_map>
#include "check.hpp"
#include "hole_pattern.hpp"
#include "pieces.hpp"
#include "search/a_star.hpp"
#include "search/bidirectional.hpp"
#include "search/pattern_database.hpp"
#include "search/single_distances.hpp"

using namespace slidelab;

namespace search_tests {  // all tests are one program, and other folders use the same names

using State = std::vector<Point>;  // the spot of each piece

struct Puzzle {
    StepTable table;
    GainGraph graph;
    std::shared_ptr<const MoveTable> moves;
    std::vector<std::vector<StepTable::Step>> steps;     // by placement
    std::map<std::vector<Point>, std::uint32_t> number;  // of the shape with these placements, sorted

    Puzzle(StepTable t, std::size_t pieces);

    std::size_t turns() const { return table.turns; }
    std::size_t spots() const { return table.placement_count() * table.turns; }

    // The piece that moves, and the state after.
    std::vector<std::pair<std::size_t, State>> after(const State& state) const;

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
        const auto slot =
            std::find(slots.begin(), slots.end(), static_cast<std::int32_t>(spot / turns())) - slots.begin();
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
        CHECK(shape(state) == moves->arcs()[moves->arcs()[arc_number].back].target &&
              shape(there) == moves->arcs()[arc_number].target);
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
    SearchState situation(const Puzzle& p, const State& state) const {
        SearchState out;
        out.shape = p.shape(state);
        out.marks.assign(state.size(), 0);
        const Marks m = marks(p);
        for (std::size_t k = 0; k < state.size(); ++k)
            out.marks[p.point(out.shape, state[k]) / p.turns()] =
                m.mark(kind[k], static_cast<unsigned>(state[k] % p.turns()));
        return out;
    }
};

// Fewest moves from the goal to all that can be reached, counting those of some pieces only.
using Distances = std::unordered_map<std::u16string, std::pair<State, unsigned>>;

Distances distances(const Puzzle& p, const State& goal, const Looks& looks, const std::vector<bool>& counts);

inline Distances distances(const Puzzle& p, const State& goal) {
    return distances(p, goal, Looks::numbered(p), std::vector<bool>(goal.size(), true));
}

// The least over all states in which some pieces lie on the same spots.
using Table = std::map<State, unsigned>;

Table plain_table(const Puzzle& p, const State& goal, const std::vector<Point>& group);

inline Graph ring(int n) {
    std::vector<std::pair<int, int>> edges;
    for (int i = 0; i < n; ++i) edges.emplace_back(i, (i + 1) % n);
    return graph_of(static_cast<std::size_t>(n), edges);
}

// Hexagons: one in the middle, six around it.
inline Graph flower() {
    std::vector<std::pair<int, int>> edges;
    for (int k = 1; k <= 6; ++k) {
        edges.emplace_back(0, k);
        edges.emplace_back(k, k % 6 + 1);
    }
    return graph_of(7, edges);
}

inline Graph wheel() { return graph_of(5, {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {4, 0}, {4, 1}, {4, 2}, {4, 3}}); }

inline Graph kite() { return graph_of(6, {{0, 1}, {1, 2}, {3, 4}, {4, 5}, {0, 3}, {1, 4}, {2, 5}, {0, 4}}); }

std::vector<Puzzle> small_puzzles();

struct Enough {};

// A tick that throws when it is called for the n-th time.
template <class What>
inline Tick throws_at(std::uint64_t n) {
    auto calls = std::make_shared<std::uint64_t>(0);
    return [=](const char*, std::uint64_t, std::uint64_t) {
        if (++*calls >= n) throw What{};
    };
}

inline PatternIndex index_for(const Puzzle& p, std::size_t pieces) {
    return {static_cast<unsigned>(p.table.cells), p.spots(), p.table.piece_cells == 1, static_cast<unsigned>(pieces)};
}

// The pieces must lie unturned at the goal.
std::vector<std::uint8_t> table_of(const Puzzle& p, const State& goal, const std::vector<Point>& group,
                                   unsigned threads = 1, bool by_region = false);

std::vector<std::uint16_t> alone_rows(const Puzzle& p, const State& goal);

using Groups = std::vector<std::vector<Point>>;

// Tables of groups, and lookups of them: how a symmetry carries spots, and so which pieces the tables are asked for.
struct Guide {
    std::vector<std::vector<std::uint8_t>> data;
    std::vector<Table> plain;
    std::vector<std::uint16_t> alone;
    std::vector<std::pair<State, Groups>> seen;  // the image of each spot, and the pieces
    std::shared_ptr<const Heuristic> heuristic;

    Guide(const Puzzle& p, const State& goal, const Groups& groups, const std::vector<State>& images,
          bool plainly = true, bool by_region = false);

    // The bound as it is meant: single pieces, or the best lookup of the tables.
    std::optional<unsigned> bound(const Puzzle& p, const State& state) const;
};

inline State same_spots(const Puzzle& p) {
    State out(p.spots());
    std::iota(out.begin(), out.end(), Point{0});
    return out;
}

// Mirrored along the diagonal.
inline State transposed(int width) {
    State out;
    for (int c = 0; c < width * width; ++c) out.push_back(static_cast<Point>(c % width * width + c / width));
    return out;
}

// Single pieces of these looks, whichever of their places they go to.
std::shared_ptr<const Heuristic> estimate_by_looks(const Puzzle& p, const State& goal, const Looks& looks);

// The length of a solution, played to its end.
std::optional<unsigned> length(const Puzzle& p, const Looks& looks, State state, const State& goal, const Found& found);

std::vector<std::shared_ptr<const DuplicatePruning>> walks_for(const Puzzle& p);

struct Eight {
    Puzzle p{tiles(grid(3, 3)), 8};
    Looks looks = Looks::numbered(p);
    State goal{0, 1, 2, 3, 4, 5, 6, 7};
    Distances exact = distances(p, goal);
    std::vector<std::shared_ptr<const DuplicatePruning>> walks = walks_for(p);
};

const Eight& eight();

// Numbers that do not fit where they are kept must be noticed, not cut off.
template <class Do>
inline bool refused(const Do& run) {
    try {
        run();
    } catch (const std::invalid_argument&) {
        return true;
    } catch (const LimitReached&) {
        return true;
    }
    return false;
}

}  // namespace search_tests

using namespace search_tests;
