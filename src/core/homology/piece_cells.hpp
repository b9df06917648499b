// Where one piece may be in a cell of the configuration complex: along a move, or inside a polygon of moves.
//
// A cell of the complex is a product of such piece cells, for different pieces, while all other pieces rest. Only the
// step table is used here: which placements a step joins, by how much it turns the piece, and which cells it needs.
#pragma once

#include "graph/step_table.hpp"

#include <bitset>
#include <map>
#include <tuple>

namespace slidelab {

inline constexpr std::size_t max_complex_cells = 256;  // of a board whose configuration complex is built
using CellMask = std::bitset<max_complex_cells>;

struct PieceCell {
    struct Vertex {
        std::int32_t placement, turn;  // the turn is counted from the first vertex
        CellMask covered;
    };
    struct Side {
        std::uint32_t cell;    // the piece cell of the move, which may go the other way
        std::uint32_t vertex;  // the vertex at which that move begins
        bool backwards;        // against the order of the vertices
    };
    std::vector<Vertex> vertices;  // two of a move, three or more of a polygon, the least placement first
    std::vector<Side> sides;       // of a polygon: from each vertex to the next
    std::vector<CellMask> needs;   // of a move: each set of cells that may be empty for it
    CellMask covered, needed;      // at any vertex; for any of the needs

    int dimension() const { return vertices.size() == 2 ? 1 : 2; }
    std::int32_t base() const { return vertices[0].placement; }
};

// All piece cells of a rule on a board, numbered by their first placement.
class PieceCells {
public:
    // A polygon is a list of pairs of a placement and a turn, the first pair being the least placement and 0.
    using Polygon = std::vector<std::pair<std::int32_t, std::int32_t>>;

    PieceCells(const StepTable& table, const std::vector<Polygon>& polygons) : table_(table) {
        if (table.cells > max_complex_cells)
            throw LimitReached("the board has " + std::to_string(table.cells) + " cells, and the limit is " +
                               std::to_string(max_complex_cells));
        std::map<Move, std::vector<CellMask>> moves;
        for (const auto& step : table.steps)
            if (step.from < step.to) moves[{step.from, step.to, step.turn}].push_back(mask_of(step));
        for (const auto& [move, needs] : moves) {
            const auto& [from, to, turn] = move;
            PieceCell cell;
            cell.vertices = {vertex(from, 0), vertex(to, turn)};
            cell.needs = needs;
            for (const auto& mask : needs) cell.needed |= mask;
            add(std::move(cell));
        }
        for (const auto& polygon : polygons) add_polygon(polygon);
        sort_by_base();
    }

    std::size_t size() const { return cells_.size(); }
    const PieceCell& operator[](std::size_t number) const { return cells_[number]; }
    // The numbers of the piece cells with this first placement.
    std::pair<std::uint32_t, std::uint32_t> from(std::int32_t placement) const {
        const auto p = static_cast<std::size_t>(placement);
        return {first_[p], first_[p + 1]};
    }
    CellMask covered(std::int32_t placement) const {
        CellMask mask;
        for (auto c : table_.cells_of(static_cast<std::size_t>(placement))) mask.set(static_cast<std::size_t>(c));
        return mask;
    }

private:
    using Move = std::tuple<std::int32_t, std::int32_t, std::int32_t>;  // placements, the lesser first, and turn

    static CellMask mask_of(const StepTable::Step& step) {
        CellMask mask;
        for (auto c : step.holes)
            if (c >= 0) mask.set(static_cast<std::size_t>(c));
        return mask;
    }

    PieceCell::Vertex vertex(std::int32_t placement, std::int32_t turn) const {
        if (placement < 0 || static_cast<std::size_t>(placement) >= table_.placement_count())
            throw std::invalid_argument("no such placement");
        return {placement, turn, covered(placement)};
    }

    void add(PieceCell cell) {
        for (const auto& v : cell.vertices) cell.covered |= v.covered;
        cells_.push_back(std::move(cell));
    }

    void add_polygon(const Polygon& polygon) {
        const auto turns = static_cast<std::int32_t>(table_.turns);
        if (polygon.size() < 3) throw std::invalid_argument("a polygon has at least three vertices");
        PieceCell cell;
        for (const auto& [placement, turn] : polygon) cell.vertices.push_back(vertex(placement, turn));
        for (std::size_t i = 0; i < polygon.size(); ++i) {
            if (polygon[i].first < polygon[0].first) throw std::invalid_argument("the least placement comes first");
            const std::size_t next = (i + 1) % polygon.size();
            const bool backwards = polygon[next].first < polygon[i].first;
            const auto &a = polygon[backwards ? next : i], &b = polygon[backwards ? i : next];
            const Move wanted{a.first, b.first, (b.second - a.second + turns) % turns};
            const auto found = std::find_if(cells_.begin(), cells_.end(), [&](const PieceCell& move) {
                return move.dimension() == 1 && move.base() == std::get<0>(wanted) &&
                       move.vertices[1].placement == std::get<1>(wanted) &&
                       move.vertices[1].turn == std::get<2>(wanted);
            });
            if (found == cells_.end()) throw std::invalid_argument("a side of a polygon is no move");
            cell.sides.push_back({static_cast<std::uint32_t>(found - cells_.begin()),
                                  static_cast<std::uint32_t>(backwards ? next : i), backwards});
        }
        add(std::move(cell));
    }

    void sort_by_base() {
        std::vector<std::uint32_t> order(cells_.size()), place(cells_.size());
        std::iota(order.begin(), order.end(), 0u);
        std::stable_sort(order.begin(), order.end(),
                         [&](auto a, auto b) { return cells_[a].base() < cells_[b].base(); });
        std::vector<PieceCell> sorted;
        for (std::uint32_t i = 0; i < order.size(); ++i) {
            place[order[i]] = i;
            sorted.push_back(std::move(cells_[order[i]]));
        }
        cells_ = std::move(sorted);
        first_.assign(table_.placement_count() + 1, 0);
        for (auto& cell : cells_) {
            for (auto& side : cell.sides) side.cell = place[side.cell];
            ++first_[static_cast<std::size_t>(cell.base()) + 1];
        }
        for (std::size_t p = 0; p + 1 < first_.size(); ++p) first_[p + 1] += first_[p];
    }

    const StepTable& table_;
    std::vector<PieceCell> cells_;
    std::vector<std::uint32_t> first_;
};

}  // namespace slidelab
