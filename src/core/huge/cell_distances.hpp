// Distances between cells for a piece on an empty board: by coordinates where that is right, else found when they are
// asked for.
//
// In a set of squares of which every row and every column is an interval, any two cells are joined by a path that never
// turns back in either direction (Castiglione and Restivo 2003), so the distance is the sum of the differences of the
// coordinates. Rectangles are such sets. On other boards a row has the distances from one cell to all others, in bytes.
// Searches ask for the rows of the cells where pieces are, or have to go; on large boards few of all pairs of cells are
// ever looked at. Rows are kept as long as memory allows. Then the next one takes the place of the oldest, which is
// simpler than that of the least recently used: a row that is in use all the time is found again once in as many rows
// as are kept.
#pragma once

#include "base/tick.hpp"
#include "huge/hole_graph.hpp"

#include <cstdlib>
#include <memory>

namespace slidelab {

class CellDistances {
public:
    static constexpr std::size_t min_rows = 256;             // are kept in any case
    static constexpr std::uint8_t far = 255;                 // in a row, for all that is further, or not connected
    static constexpr std::int32_t max_coordinate = 1 << 28;  // so that distances fit into 32 bits

    using Position = std::array<std::int32_t, 2>;

    // The distances from one cell.
    class Row {
    public:
        std::uint32_t operator[](std::uint32_t cell) const {
            return bytes_ ? bytes_[cell] : grid_distance(positions_[cell], from_);
        }
        // Whether a distance is that, or at least `far`.
        bool is_exact(std::uint32_t distance) const { return !bytes_ || distance < far; }

    private:
        friend class CellDistances;
        explicit Row(const std::uint8_t* bytes) : bytes_(bytes) {}
        Row(const Position* positions, Position from) : positions_(positions), from_(from) {}

        const std::uint8_t* bytes_ = nullptr;
        const Position* positions_ = nullptr;
        Position from_{};
    };

    // `graph` must outlive this. `positions` are the coordinates of the cells if they are squares of a grid, else
    // empty; they are used only if distances are right by them.
    CellDistances(const HoleGraph& graph, std::uint64_t max_bytes, std::vector<Position> positions = {})
        : graph_(graph), max_rows_(std::max<std::uint64_t>(min_rows, max_bytes / graph.cells())),
          row_of_(graph.cells(), nullptr) {
        if (are_convex_squares(graph, positions)) positions_ = std::move(positions);
    }
    CellDistances(const CellDistances&) = delete;
    CellDistances& operator=(const CellDistances&) = delete;

    // The distances from a cell, valid until the next row is asked for. Distances are the same in both directions: ask
    // for the row of the cell that changes least often. A new row ticks, since it takes the time of a search.
    Row row(std::uint32_t cell, const Tick& tick) {
        if (is_grid()) return {positions_.data(), positions_[cell]};
        if (const std::uint8_t* known = row_of_[cell]) [[likely]]
            return Row(known);
        return Row(add_row(cell, tick));
    }

    // Whether the distances from a cell need no search.
    bool is_known(std::uint32_t cell) const { return is_grid() || row_of_[cell]; }

    // Whether distances are those of coordinates, and the coordinates.
    bool is_grid() const { return !positions_.empty(); }
    const Position& position(std::uint32_t cell) const { return positions_[cell]; }

    std::size_t rows() const { return kept_.size(); }  // in memory

private:
    static std::uint32_t grid_distance(const Position& a, const Position& b) {
        return static_cast<std::uint32_t>(std::abs(a[0] - b[0]) + std::abs(a[1] - b[1]));
    }

    // Whether neighbours are the squares side by side, the board is connected, and rows and columns are intervals.
    static bool are_convex_squares(const HoleGraph& graph, const std::vector<Position>& positions) {
        const std::size_t cells = graph.cells();
        if (positions.size() != cells) return false;
        for (const auto& p : positions)
            if (std::max(std::abs(std::int64_t{p[0]}), std::abs(std::int64_t{p[1]})) > max_coordinate) return false;
        std::vector<std::uint32_t> queue(cells);
        std::vector<std::uint32_t> distance(cells, HoleGraph::none);
        queue[0] = 0;
        distance[0] = 0;
        if (breadth_first(queue.data(), 1, distance.data(), HoleGraph::none, HoleGraph::none,
                          [&](std::uint32_t c) { return graph.neighbours(c); }) != cells)
            return false;
        for (std::uint32_t c = 0; c < cells; ++c)
            for (auto other : graph.neighbours(c))
                if (grid_distance(positions[c], positions[other]) != 1) return false;
        // In order by rows or by columns, a cell that shares the line with the one before is its neighbour.
        for (std::size_t line : {0, 1}) {
            const auto key = [&](std::uint32_t c) { return std::pair(positions[c][line], positions[c][1 - line]); };
            std::sort(queue.begin(), queue.end(), [&](auto a, auto b) { return key(a) < key(b); });
            for (std::size_t i = 1; i < cells; ++i) {
                const auto around = graph.neighbours(queue[i]);
                if (positions[queue[i]][line] == positions[queue[i - 1]][line] &&
                    std::find(around.begin(), around.end(), queue[i - 1]) == around.end())
                    return false;
            }
        }
        return true;
    }

    const std::uint8_t* add_row(std::uint32_t cell, const Tick& tick) {
        tick("distances", kept_.size(), graph_.cells());
        queue_.resize(graph_.cells());
        std::uint8_t* row = take_place(cell);
        std::fill(row, row + graph_.cells(), far);
        row[cell] = 0;
        queue_[0] = cell;
        breadth_first(queue_.data(), 1, row, far, static_cast<std::uint8_t>(far - 1),
                      [&](std::uint32_t c) { return graph_.neighbours(c); });
        return row_of_[cell] = row;
    }

    // Memory for the row of a cell: new, or that of the oldest row.
    std::uint8_t* take_place(std::uint32_t cell) {
        if (kept_.size() < max_rows_) {
            kept_.push_back({cell, std::make_unique_for_overwrite<std::uint8_t[]>(graph_.cells())});
            return kept_.back().row.get();
        }
        Kept& oldest = kept_[next_];
        next_ = next_ + 1 < kept_.size() ? next_ + 1 : 0;
        row_of_[oldest.cell] = nullptr;
        oldest.cell = cell;
        return oldest.row.get();
    }

    struct Kept {
        std::uint32_t cell;
        std::unique_ptr<std::uint8_t[]> row;
    };

    const HoleGraph& graph_;
    std::vector<Position> positions_;  // empty if distances are not those of coordinates
    std::uint64_t max_rows_;
    std::vector<const std::uint8_t*> row_of_;  // of each cell, if it is kept
    std::vector<Kept> kept_;
    std::size_t next_ = 0;  // of the rows that are kept, the oldest
    std::vector<std::uint32_t> queue_;
};

}  // namespace slidelab
