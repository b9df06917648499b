// Shapes and arrangements of many configurations.
#pragma once

#include "base/parallel.hpp"
#include "graph/gain_graph.hpp"

namespace slidelab {

// Finds the shape of a configuration in a gain graph, and which piece lies in which slot.
class PlaceReader {
public:
    explicit PlaceReader(const GainGraph& graph)
        : graph_(graph), cell_at_(graph.table().cells), piece_at_(graph.table().placement_count()),
          key_(graph.width()) {
        const auto& t = graph.table();
        for (std::size_t c = 0; c < t.cells; ++c) cell_at_[static_cast<std::size_t>(t.rank[c])] = c;
        for (std::size_t p = 0; p < t.placement_count(); ++p) {
            std::int32_t first = std::numeric_limits<std::int32_t>::max();
            for (const auto c : t.cells_of(p)) first = std::min(first, t.rank[static_cast<std::size_t>(c)]);
            first_rank_.push_back(first);
        }
    }

    // From the spot of each piece (placement * turns + reading): the shape, -1 if there is none, and for each slot
    // point the piece point that lies there.
    std::int64_t read(const std::int32_t* spots, Point* arrangement) {
        const std::size_t pieces = graph_.pieces(), turns = graph_.table().turns,
                          count = graph_.table().placement_count() * turns;
        for (std::size_t p = 0; p < pieces; ++p)
            if (spots[p] < 0 || static_cast<std::size_t>(spots[p]) >= count) return -1;
        return graph_.by_hole() ? read_tiles(spots, arrangement) : read_pieces(spots, arrangement);
    }

private:
    std::int64_t read_tiles(const std::int32_t* spots, Point* arrangement) {
        const std::size_t pieces = graph_.pieces();
        std::fill(piece_at_.begin(), piece_at_.end(), Point{0});
        for (std::size_t p = 0; p < pieces; ++p)
            piece_at_[static_cast<std::size_t>(spots[p])] = static_cast<Point>(p + 1);
        std::size_t holes = 0, slot = 0;
        for (std::size_t c = 0; c < piece_at_.size(); ++c)
            if (!piece_at_[c]) {
                if (holes == key_.size()) return -1;
                key_[holes++] = static_cast<Point>(c);
            }
        for (const auto c : cell_at_)
            if (piece_at_[c]) arrangement[slot++] = static_cast<Point>(piece_at_[c] - 1);
        return graph_.find(key_);
    }

    std::int64_t read_pieces(const std::int32_t* spots, Point* arrangement) {
        const std::size_t pieces = graph_.pieces(), turns = graph_.table().turns;
        order_.clear();
        for (std::size_t p = 0; p < pieces; ++p)
            order_.emplace_back(first_rank_[static_cast<std::size_t>(spots[p]) / turns], p);
        std::sort(order_.begin(), order_.end());
        for (std::size_t slot = 0; slot < pieces; ++slot) {
            const std::size_t piece = order_[slot].second, spot = static_cast<std::size_t>(spots[piece]);
            key_[slot] = static_cast<Point>(spot / turns);
            for (std::size_t mark = 0; mark < turns; ++mark)
                arrangement[slot * turns + (mark + spot % turns) % turns] = static_cast<Point>(piece * turns + mark);
        }
        return graph_.find(key_);
    }

    const GainGraph& graph_;
    std::vector<std::size_t> cell_at_;      // along the line that orders the slots
    std::vector<std::int32_t> first_rank_;  // of each placement, of its first cell along the line
    std::vector<Point> piece_at_, key_;
    std::vector<std::pair<std::int32_t, std::size_t>> order_;
};

// Shapes and arrangements of many rows of spots.
inline void read_places(const GainGraph& graph, const std::int32_t* spots, std::size_t rows, std::int64_t* shapes,
                        Point* arrangements, unsigned threads, const Tick& tick) {
    constexpr std::size_t block = 1024;
    std::vector<std::optional<PlaceReader>> readers(threads);
    parallel_for((rows + block - 1) / block, threads, "rows", tick, [&](std::size_t task, unsigned thread) {
        auto& reader = readers[thread];
        if (!reader) reader.emplace(graph);
        for (std::size_t i = task * block; i < std::min(rows, (task + 1) * block); ++i)
            shapes[i] = reader->read(spots + i * graph.pieces(), arrangements + i * graph.degree());
    });
}

}  // namespace slidelab
