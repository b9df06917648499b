// Distances between cells for a piece on an empty board, found when they are asked for.
//
// A row has the distances from one cell to all others, in bytes. Searches ask for the rows of the cells where pieces
// are, or have to go; on large boards few of all pairs of cells are ever looked at. Rows are kept as long as memory
// allows. Then the next one takes the place of the oldest, which is simpler than that of the least recently used: a row
// that is in use all the time is found again once in as many rows as are kept.
#pragma once

#include "base/tick.hpp"
#include "huge/hole_graph.hpp"

#include <memory>

namespace slidelab {

class CellDistances {
public:
    static constexpr std::size_t min_rows = 256;  // are kept in any case
    static constexpr std::uint8_t far = 255;      // for all that is further, or not connected

    // `graph` must outlive this.
    CellDistances(const HoleGraph& graph, std::uint64_t max_bytes)
        : graph_(graph), max_rows_(std::max<std::uint64_t>(min_rows, max_bytes / graph.cells())),
          row_of_(graph.cells(), nullptr) {}
    CellDistances(const CellDistances&) = delete;
    CellDistances& operator=(const CellDistances&) = delete;

    // The distances from a cell, valid until the next row is asked for. Distances are the same in both directions: ask
    // for the row of the cell that changes least often. A new row ticks, since it takes the time of a search.
    const std::uint8_t* row(std::uint32_t cell, const Tick& tick) {
        if (const std::uint8_t* known = row_of_[cell]) [[likely]]
            return known;
        return add_row(cell, tick);
    }

    // The same if it is in memory, otherwise null.
    const std::uint8_t* known_row(std::uint32_t cell) const { return row_of_[cell]; }

    std::size_t rows() const { return kept_.size(); }  // in memory

private:
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
    std::uint64_t max_rows_;
    std::vector<const std::uint8_t*> row_of_;  // of each cell, if it is kept
    std::vector<Kept> kept_;
    std::size_t next_ = 0;  // of the rows that are kept, the oldest
    std::vector<std::uint32_t> queue_;
};

}  // namespace slidelab
