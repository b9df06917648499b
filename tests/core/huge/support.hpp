// Solvers for boards of any size of src/core without Python, meant to run under the sanitizers.
//
// What is compared with what: every move with the rule itself, played on labelled cells or placements by code that
// knows nothing of shapes, decisions or windows; tables with lists made by hand; shortened solutions with the
// distances of a breadth-first search.
#pragma once

#include <deque>
#include <map>
#include <set>
#include "check.hpp"
#include "huge/peeler.hpp"
#include "huge/shortener.hpp"
#include "pieces.hpp"

using namespace slidelab;

namespace {  // all tests are one program, and other folders use the same names

using Ear = Peeler::Cells;

inline std::uint32_t u(int number) { return static_cast<std::uint32_t>(number); }

inline std::size_t z(std::int32_t number) { return static_cast<std::size_t>(number); }

template <class F>
inline bool refused(F f) {
    try {
        f();
    } catch (const std::invalid_argument&) {
        return true;
    }
    return false;
}

// Hexagons in the form of a parallelogram.
inline Graph hexagons(int width, int height) {
    Graph graph = grid(width, height);
    for (int y = 0; y + 1 < height; ++y)
        for (int x = 1; x < width; ++x) {
            graph[z(y * width + x)].insert((y + 1) * width + x - 1);
            graph[z((y + 1) * width + x - 1)].insert(y * width + x);
        }
    return graph;
}

inline Graph circle(int cells) {
    std::vector<std::pair<int, int>> edges;
    for (int c = 0; c < cells; ++c) edges.emplace_back(c, (c + 1) % cells);
    return graph_of(z(cells), edges);
}

inline std::vector<HoleGraph::Step> hole_steps(const StepTable& table) {
    std::vector<HoleGraph::Step> out;
    for (const auto& s : table.steps) out.push_back({s.from, s.to, s.holes[1]});
    return out;
}

inline std::vector<HoleGraph::Step> hole_steps(const Graph& graph, bool wide) {
    return hole_steps(wide ? wide_tiles(graph) : tiles(graph));
}

inline bool touch(const Graph& graph, std::uint32_t a, std::uint32_t b) {
    return graph[a].count(static_cast<int>(b)) > 0;
}

// A board that falls apart into ears: a block of 2 by 3 cells, then chains with both ends on what is there.
struct Eared {
    Graph graph = grid(3, 2);
    std::vector<Ear> ears;

    Eared(std::size_t many, std::size_t longest, std::mt19937_64& random) {
        for (std::size_t k = 0; k < many; ++k) {
            const auto a = static_cast<int>(below(random, graph.size()));
            int b = a;
            while (b == a) b = static_cast<int>(below(random, graph.size()));
            Ear ear;
            int before = a;
            for (std::size_t length = 1 + below(random, longest); length > 0; --length) {
                const auto c = static_cast<int>(graph.size());
                graph.emplace_back();
                join(before, c);
                ear.push_back(u(c));
                before = c;
            }
            join(before, b);
            ears.push_back(ear);
        }
        std::reverse(ears.begin(), ears.end());
    }

private:
    void join(int a, int b) {
        graph[z(a)].insert(b);
        graph[z(b)].insert(a);
    }
};

}  // namespace
