// Boards as graphs, and tiles on them as the core takes them.
#pragma once

#include "base/random.hpp"
#include "graph/gain_graph.hpp"

#include <set>

namespace slidelab {

using Graph = std::vector<std::set<int>>;  // neighbours of each cell

inline Graph graph_of(std::size_t cells, const std::vector<std::pair<int, int>>& edges) {
    Graph graph(cells);
    for (auto [a, b] : edges) {
        graph[static_cast<std::size_t>(a)].insert(b);
        graph[static_cast<std::size_t>(b)].insert(a);
    }
    return graph;
}

inline Graph grid(int width, int height) {
    std::vector<std::pair<int, int>> edges;
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            if (x + 1 < width) edges.emplace_back(y * width + x, y * width + x + 1);
            if (y + 1 < height) edges.emplace_back(y * width + x, (y + 1) * width + x);
        }
    return graph_of(static_cast<std::size_t>(width * height), edges);
}

inline StepTable start_table(std::size_t cells, std::size_t piece_cells, std::size_t turns, std::mt19937_64* random) {
    StepTable table;
    table.cells = cells;
    table.piece_cells = piece_cells;
    table.turns = turns;
    table.rank.resize(cells);
    std::iota(table.rank.begin(), table.rank.end(), 0);
    if (random)
        for (std::size_t i = cells; i > 1; --i) std::swap(table.rank[i - 1], table.rank[below(*random, i)]);
    return table;
}

inline StepTable tiles(const Graph& graph, std::mt19937_64* random = nullptr) {
    StepTable table = start_table(graph.size(), 1, 1, random);
    for (std::int32_t c = 0; c < static_cast<std::int32_t>(graph.size()); ++c) {
        table.placements.push_back(c);
        for (int to : graph[static_cast<std::size_t>(c)]) table.steps.push_back({c, to, 0, {to, -1, -1, -1}});
    }
    return table;
}

}  // namespace slidelab
