// Pieces that are more than tiles, as the core takes them: those that need two holes, have two ends, or three corners.
#pragma once

#include "boards.hpp"

#include <map>

namespace slidelab {

using Cells = std::vector<std::int32_t>;

// Tiles that need a second hole touching their way: two steps with the same effect.
inline StepTable wide_tiles(const Graph& graph) {
    StepTable table = start_table(graph.size(), 1, 1, nullptr);
    for (std::int32_t c = 0; c < static_cast<std::int32_t>(graph.size()); ++c) {
        table.placements.push_back(c);
        const auto& around = graph[static_cast<std::size_t>(c)];
        for (int to : around)
            for (int beside : around)
                if (graph[static_cast<std::size_t>(to)].count(beside)) table.steps.push_back({c, to, 0, {to, beside, -1, -1}});
    }
    return table;
}

// Placements are least readings; a step turns a piece by what its cells, read on from the first, are away from that.
class TurningPieces {
public:
    TurningPieces(std::size_t cells, std::size_t piece_cells) : table(start_table(cells, piece_cells, piece_cells, nullptr)) {}
    void add_placement(const Cells& cells) {
        number_.emplace(cells, static_cast<std::int32_t>(number_.size()));
        table.placements.insert(table.placements.end(), cells.begin(), cells.end());
    }
    void add_step(const Cells& from, Cells after, std::int32_t hole) {
        std::int32_t turn = 0;
        for (; !number_.count(after); ++turn) std::rotate(after.rbegin(), after.rbegin() + 1, after.rend());
        const auto turns = static_cast<std::int32_t>(after.size());
        table.steps.push_back({number_.at(from), number_.at(after), turn % turns, {hole, -1, -1, -1}});
    }
    StepTable table;

private:
    std::map<Cells, std::int32_t> number_;
};

// Pieces with two ends: one end follows the other into a hole, or swings over if both ends touch it.
inline StepTable gourds(const Graph& graph) {
    TurningPieces pieces(graph.size(), 2);
    const auto n = static_cast<std::int32_t>(graph.size());
    auto touch = [&](std::int32_t a, std::int32_t b) { return graph[static_cast<std::size_t>(a)].count(b) > 0; };
    for (std::int32_t a = 0; a < n; ++a)
        for (std::int32_t b = a + 1; b < n; ++b)
            if (touch(a, b)) pieces.add_placement({a, b});
    for (std::int32_t a = 0; a < n; ++a)
        for (std::int32_t b = a + 1; b < n; ++b)
            for (std::int32_t hole = 0; hole < n; ++hole) {
                if (!touch(a, b) || hole == a || hole == b) continue;
                if (touch(hole, a) && touch(hole, b)) {
                    pieces.add_step({a, b}, {a, hole}, hole);
                    pieces.add_step({a, b}, {hole, b}, hole);
                } else if (touch(hole, b)) {
                    pieces.add_step({a, b}, {b, hole}, hole);
                } else if (touch(hole, a)) {
                    pieces.add_step({a, b}, {hole, a}, hole);
                }
            }
    return pieces.table;
}

// Triangles on a board where all cells touch: any corner may go into any hole, and they may lie either way up.
inline StepTable triangles(std::size_t cells) {
    TurningPieces pieces(cells, 3);
    const auto n = static_cast<std::int32_t>(cells);
    auto each = [&](auto use) {
        for (std::int32_t a = 0; a < n; ++a)
            for (std::int32_t b = a + 1; b < n; ++b)
                for (std::int32_t c = a + 1; c < n; ++c)
                    if (b != c) use(Cells{a, b, c});
    };
    each([&](const Cells& cells_there) { pieces.add_placement(cells_there); });
    each([&](const Cells& from) {
        for (std::int32_t hole = 0; hole < n; ++hole) {
            if (std::count(from.begin(), from.end(), hole)) continue;
            for (std::size_t k = 0; k < 3; ++k) {
                Cells after = from;
                after[k] = hole;
                pieces.add_step(from, after, hole);
            }
        }
    });
    return pieces.table;
}

}  // namespace slidelab
