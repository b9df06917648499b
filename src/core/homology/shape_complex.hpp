// The configuration complex over the shapes of a puzzle: vertices are shapes, cells are pieces that move independently.
//
// A cell is the product of piece cells of different pieces, all other pieces being at rest, such that every move in it
// stays legal wherever the others are. It is stored as its anchor (the shape with every piece at the first vertex of
// its piece cell) and the numbers of its piece cells, in rising order. The complex of all configurations is a covering
// of this one: over every cell lies one cell for each arrangement of the pieces at its anchor.
#pragma once

#include "base/limited_growth.hpp"
#include "graph/gain_graph.hpp"
#include "homology/piece_cells.hpp"

namespace slidelab {

class ShapeComplex {
public:
    struct Face {
        std::uint32_t cell;
        int sign;
        std::uint32_t piece_cell, vertex;  // which piece goes to which of its vertices to get from anchor to anchor
    };

    ShapeComplex(const GainGraph& graph, const std::vector<PieceCells::Polygon>& polygons, std::uint64_t max_bytes,
                 const Tick& tick)
        : graph_(graph), pieces_(graph.table(), polygons), max_bytes_(max_bytes) {
        enumerate(tick);
    }

    const GainGraph& graph() const { return graph_; }
    const PieceCells& pieces() const { return pieces_; }
    std::size_t size() const { return dimension_.size(); }
    int dimension() const { return top_; }
    int dimension(std::size_t cell) const { return dimension_[cell]; }
    std::uint32_t shape(std::size_t cell) const { return shape_[cell]; }
    std::span<const std::uint16_t> factors(std::size_t cell) const {
        return {factors_.data() + start_[cell], start_[cell + 1] - start_[cell]};
    }

    // The codimension-one faces of a cell.
    void faces(std::size_t cell, std::vector<Face>& out) const {
        out.clear();
        const auto list = factors(cell);
        int sign = 1;
        for (std::size_t i = 0; i < list.size(); ++i) {
            const PieceCell& piece = pieces_[list[i]];
            if (piece.dimension() == 1) {
                for (std::uint32_t v = 0; v < 2; ++v) add_face(cell, i, v, none, v ? sign : -sign, out);
                sign = -sign;
            } else {
                for (const auto& side : piece.sides)
                    add_face(cell, i, side.vertex, side.cell, side.backwards ? -sign : sign, out);
            }
        }
    }

    // The shape in which the piece of a piece cell has gone from the first vertex to another, and what the moves on
    // this way do to the slot points, written after `gain`.
    std::uint32_t follow(std::uint32_t from, std::uint32_t piece_cell, std::uint32_t vertex, Permutation* gain) const {
        const PieceCell& piece = pieces_[piece_cell];
        const auto turns = static_cast<std::int32_t>(graph_.table().turns);
        for (std::uint32_t v = 0; v < vertex; ++v) {
            const auto &a = piece.vertices[v], &b = piece.vertices[v + 1];
            from = move(from, a.placement, b.placement, (b.turn - a.turn + turns) % turns, gain);
        }
        return from;
    }

private:
    static constexpr std::uint32_t none = std::uint32_t(-1);

    void enumerate(const Tick& tick) {
        if (pieces_.size() > std::size_t{1} << 16)  // they are numbered by 16 bits
            throw LimitReached("the pieces have " + std::to_string(pieces_.size()) +
                               " moves and polygons, and the limit is 65536");
        start_.push_back(0);
        for (std::uint32_t s = 0; s < graph_.shape_count(); ++s) {
            if ((s & 0x3f) == 0) tick("cells", s, graph_.shape_count());
            first_.push_back(static_cast<std::uint32_t>(size()));
            const auto slots = graph_.slots(s);
            std::vector<std::int32_t> placements(slots.begin(), slots.end());
            std::sort(placements.begin(), placements.end());
            CellMask occupied;
            for (auto p : placements) occupied |= pieces_.covered(p);
            std::vector<std::uint16_t> list;
            extend(s, placements, 0, occupied, list, 0, tick);
        }
        first_.push_back(static_cast<std::uint32_t>(size()));
    }

    // Adds a cell, and all cells that have further piece cells with later first placements.
    void extend(std::uint32_t shape, const std::vector<std::int32_t>& placements, std::size_t from,
                const CellMask& resting, std::vector<std::uint16_t>& list, int dimension, const Tick& tick) {
        if ((size() & 0xffff) == 0) tick("cells", shape, graph_.shape_count());
        reserve_within(factors_, list.size(), max_bytes_ / 4, "the cells of the complex");
        reserve_within(start_, 1, max_bytes_ / 4, "the cells of the complex");
        reserve_within(shape_, 1, max_bytes_ / 8, "the cells of the complex");
        if (size() >= none - 1) throw LimitReached("too many cells");
        factors_.insert(factors_.end(), list.begin(), list.end());
        start_.push_back(factors_.size());
        shape_.push_back(shape);
        dimension_.push_back(static_cast<std::uint8_t>(dimension));
        top_ = std::max(top_, dimension);
        for (std::size_t i = from; i < placements.size(); ++i) {
            const auto [begin, end] = pieces_.from(placements[i]);
            const CellMask rest = resting & ~pieces_.covered(placements[i]);
            for (std::uint32_t c = begin; c < end; ++c) {
                list.push_back(static_cast<std::uint16_t>(c));
                if (is_legal(list, rest))
                    extend(shape, placements, i + 1, rest, list, dimension + pieces_[c].dimension(), tick);
                list.pop_back();
            }
        }
    }

    // Whether every move of every piece is legal wherever the other pieces are.
    bool is_legal(const std::vector<std::uint16_t>& list, const CellMask& resting) const {
        for (std::size_t i = 0; i < list.size(); ++i) {
            const PieceCell& piece = pieces_[list[i]];
            if (piece.dimension() == 1) {
                if (!is_legal_move(piece, i, list, resting)) return false;
            } else {
                for (const auto& side : piece.sides)
                    if (!is_legal_move(pieces_[side.cell], i, list, resting)) return false;
            }
        }
        return true;
    }

    bool is_legal_move(const PieceCell& move, std::size_t mover, const std::vector<std::uint16_t>& list,
                       const CellMask& resting) const {
        CellMask others = resting;
        for (std::size_t j = 0; j < list.size(); ++j)
            if (j != mover) others |= pieces_[list[j]].covered;
        const auto is_free = [&](const CellMask& occupied) {
            return std::any_of(move.needs.begin(), move.needs.end(),
                               [&](const CellMask& needs) { return (needs & occupied).none(); });
        };
        if (is_free(others)) return true;  // some cells that it needs are used by nobody else
        if (!is_free(resting)) return false;
        // What it needs may be empty in turns: look at all places of the pieces that come near.
        std::vector<const PieceCell*> near;
        for (std::size_t j = 0; j < list.size(); ++j)
            if (j != mover && (pieces_[list[j]].covered & move.needed).any()) near.push_back(&pieces_[list[j]]);
        std::vector<std::size_t> at(near.size(), 0);
        while (true) {
            CellMask occupied = resting;
            for (std::size_t j = 0; j < near.size(); ++j) occupied |= near[j]->vertices[at[j]].covered;
            if (!is_free(occupied)) return false;
            std::size_t j = 0;
            while (j < near.size() && ++at[j] == near[j]->vertices.size()) at[j++] = 0;
            if (j == near.size()) return true;
        }
    }

    std::uint32_t find(std::uint32_t shape, const std::vector<std::uint16_t>& list) const {
        std::uint32_t low = first_[shape], high = first_[shape + 1];
        while (low < high) {
            const std::uint32_t middle = low + (high - low) / 2;
            const auto here = factors(middle);
            if (std::lexicographical_compare(here.begin(), here.end(), list.begin(), list.end())) low = middle + 1;
            else high = middle;
        }
        if (low == first_[shape + 1] || !std::equal(list.begin(), list.end(), factors(low).begin(), factors(low).end()))
            throw std::logic_error("a face of a cell is missing");
        return low;
    }

    // The face in which the piece of factor i goes to a vertex, or to a side that begins there.
    void add_face(std::size_t cell, std::size_t i, std::uint32_t vertex, std::uint32_t side, int sign,
                  std::vector<Face>& out) const {
        const auto list = factors(cell);
        std::vector<std::uint16_t> left(list.begin(), list.end());
        left.erase(left.begin() + static_cast<std::ptrdiff_t>(i));
        if (side != none) {
            std::size_t at = 0;
            while (at < left.size() && left[at] < side) ++at;
            // A side is of dimension one: passing another one turns the orientation round.
            for (std::size_t j = std::min(i, at); j < std::max(i, at); ++j)
                if (pieces_[left[j]].dimension() == 1) sign = -sign;
            left.insert(left.begin() + static_cast<std::ptrdiff_t>(at), static_cast<std::uint16_t>(side));
        }
        const std::uint32_t there = follow(shape_[cell], list[i], vertex, nullptr);
        out.push_back({find(there, left), sign, list[i], vertex});
    }

    std::uint32_t move(std::uint32_t shape, std::int32_t from, std::int32_t to, std::int32_t turn,
                       Permutation* gain) const {
        const GainGraph::Carried moved = graph_.move(shape, from, to, turn);
        if (gain)
            for (auto& x : *gain)
                x = carried(graph_.table().turns, moved.slot_from, moved.slot_to, static_cast<std::size_t>(turn), x);
        return moved.shape;
    }

    const GainGraph& graph_;
    PieceCells pieces_;
    std::uint64_t max_bytes_;
    int top_ = 0;
    std::vector<std::size_t> start_;  // of the factors of each cell
    std::vector<std::uint16_t> factors_;
    std::vector<std::uint8_t> dimension_;
    std::vector<std::uint32_t> shape_, first_;  // the anchor of each cell, the first cell of each shape
};

}  // namespace slidelab
