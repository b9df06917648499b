// Pieces that are more than tiles, as the core takes them: those that need two holes, have two ends, or three corners.
#pragma once

#include "boards.hpp"

#include <map>

namespace slidelab {

using Cells = std::vector<std::int32_t>;

// Tiles that need a second hole touching their way: two steps with the same effect.
inline StepTable wide_tiles(const Graph& graph, std::mt19937_64* random = nullptr) {
    StepTable table = start_table(graph.size(), 1, 1, random);
    for (std::int32_t c = 0; c < static_cast<std::int32_t>(graph.size()); ++c) {
        table.placements.push_back(c);
        const auto& around = graph[static_cast<std::size_t>(c)];
        for (int to : around)
            for (int beside : around)
                if (graph[static_cast<std::size_t>(to)].count(beside))
                    table.steps.push_back({c, to, 0, {to, beside, -1, -1}});
    }
    return table;
}

// Adds the step that takes a piece from placement `from` to the cells `after`, position by position.
inline void add_step(StepTable& table, const std::map<Cells, std::int32_t>& number, std::int32_t from,
                     const std::vector<Cells>& readings, std::int32_t hole) {
    const auto least = std::min_element(readings.begin(), readings.end());
    const auto places = static_cast<std::size_t>(least - readings.begin());
    const auto turn = static_cast<std::int32_t>((readings.size() - places) % readings.size());
    table.steps.push_back({from, number.at(*least), turn, {hole, -1, -1, -1}});
}

inline std::vector<Cells> rotations(const Cells& cells) {
    std::vector<Cells> out;
    for (std::size_t k = 0; k < cells.size(); ++k) {
        Cells turned(cells);
        std::rotate(turned.begin(), turned.begin() + static_cast<std::ptrdiff_t>(k), turned.end());
        out.push_back(turned);
    }
    return out;
}

// Pieces with two ends: one end follows the other into a hole, or swings over if both ends touch it.
inline StepTable gourds(const Graph& graph, std::mt19937_64* random = nullptr) {
    StepTable table = start_table(graph.size(), 2, 2, random);
    std::map<Cells, std::int32_t> number;
    for (int a = 0; a < static_cast<int>(graph.size()); ++a)
        for (int b : graph[static_cast<std::size_t>(a)])
            if (a < b) {
                number[{a, b}] = static_cast<std::int32_t>(number.size());
                table.placements.insert(table.placements.end(), {a, b});
            }
    for (const auto& [cells, from] : number) {
        const std::int32_t head = cells[0], tail = cells[1];
        for (std::int32_t hole = 0; hole < static_cast<std::int32_t>(graph.size()); ++hole) {
            const auto& around = graph[static_cast<std::size_t>(hole)];
            const bool at_head = around.count(head), at_tail = around.count(tail);
            if (hole == head || hole == tail || (!at_head && !at_tail)) continue;
            std::vector<Cells> afters;
            if (at_head && at_tail) afters = {{head, hole}, {hole, tail}};
            else afters = {at_tail ? Cells{tail, hole} : Cells{hole, head}};
            for (const auto& after : afters) add_step(table, number, from, rotations(after), hole);
        }
    }
    return table;
}

// Triangles on a board where all cells touch: any corner may go into any hole. A triple of cells
// carries two placements, one for each sense of rotation, so a placement is more than its cells.
inline StepTable triangles(std::size_t cells, std::mt19937_64* random = nullptr) {
    StepTable table = start_table(cells, 3, 3, random);
    std::map<Cells, std::int32_t> number;
    const auto n = static_cast<std::int32_t>(cells);
    for (std::int32_t a = 0; a < n; ++a)
        for (std::int32_t b = a + 1; b < n; ++b)
            for (std::int32_t c = a + 1; c < n; ++c)
                if (b != c) {
                    number[{a, b, c}] = static_cast<std::int32_t>(number.size());
                    table.placements.insert(table.placements.end(), {a, b, c});
                }
    for (const auto& [from_cells, from] : number)
        for (std::int32_t hole = 0; hole < n; ++hole) {
            if (std::count(from_cells.begin(), from_cells.end(), hole)) continue;
            for (std::size_t k = 0; k < 3; ++k) {
                Cells after = from_cells;
                after[k] = hole;
                add_step(table, number, from, rotations(after), hole);
            }
        }
    return table;
}

}  // namespace slidelab
