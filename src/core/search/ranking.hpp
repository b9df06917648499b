// The estimate by which beam search ranks states. It need not be a lower bound.
//
// Every kind of piece has a cost on every spot. Two pieces near each other may have another cost, by their kinds and
// the direction from one to the other, which may be negative: pieces that must pass each other are in each other's way
// long before a pattern database of a few pieces notices it, and pieces that go the same way are not. A small network
// may add what lies near each placement (local_network.hpp). All costs are in sixty-fourths of a move.
#pragma once

#include "search/heuristic.hpp"
#include "search/local_network.hpp"
#include "search/state_frame.hpp"

namespace slidelab {

struct Ranking {
    static constexpr std::uint32_t unit = 64;
    static constexpr std::uint32_t max_excess = 1000 * unit;

    std::uint32_t excess = unit;           // weight of what pattern databases add, in sixty-fourths
    std::vector<std::uint16_t> costs;      // by kind and spot; none: the distances of single pieces
    std::size_t directions = 0;            // 0: no costs of neighbours
    std::vector<std::int32_t> neighbours;  // by placement and direction, -1 where there is none
    std::vector<std::int16_t> pairs;       // by direction, kind, and kind of the neighbour
    LocalNetwork network;                  // may be empty

    void check(const MoveTable& moves, const Marks& marks) const {
        const std::size_t kinds = marks.kinds();
        if (excess > max_excess) throw std::invalid_argument("weight out of range");
        if (!costs.empty() && costs.size() != kinds * moves.spots())
            throw std::invalid_argument("a cost for each kind and spot expected");
        if (neighbours.size() != moves.placements() * directions || pairs.size() != directions * kinds * kinds)
            throw std::invalid_argument("neighbours and costs for each direction expected");
        if (directions && moves.turns() > 1) throw std::invalid_argument("pieces without turns expected");
        if (!network.empty() &&
            (network.placements() != moves.placements() || network.kinds() != kinds || moves.turns() > 1))
            throw std::invalid_argument("a network for other pieces");
        for (auto n : neighbours)
            if (n < -1 || n >= static_cast<std::int32_t>(moves.placements()))
                throw std::invalid_argument("no such placement");
    }

    // Of a piece on a spot.
    SLIDELAB_INLINE std::uint32_t cost(const Heuristic& heuristic, unsigned kind, unsigned spot) const {
        return costs.empty() ? unit * heuristic.base(kind, spot) : costs[kind * heuristic.spots() + spot];
    }

    // Of a piece with all its neighbours but one placement, which counts as empty; modulo 2^32.
    SLIDELAB_INLINE std::uint32_t beside(const StateFrame& frame, const Marks& marks, unsigned kind, Point at,
                                         std::int32_t except) const {
        std::uint32_t sum = 0;
        const std::int32_t* next = neighbours.data() + at * directions;
        const std::int16_t* cost = pairs.data() + kind * marks.kinds();
        for (std::size_t d = 0; d < directions; ++d, cost += marks.kinds() * marks.kinds()) {
            if (next[d] < 0 || next[d] == except) continue;
            const Point mark = frame.mark(static_cast<Point>(next[d]));
            if (mark != StateFrame::empty) sum += static_cast<std::uint32_t>(std::int32_t{cost[marks.kind(mark)]});
        }
        return sum;
    }

    // Sums of the network for the loaded state, before its moves are looked at.
    SLIDELAB_INLINE void load(const StateFrame& frame, const Marks& marks, LocalNetwork::Sums& sums) const {
        if (!network.empty()) network.load(frame, marks, sums);
    }

    // What a move of a piece of the loaded state from one spot to another adds, modulo 2^32.
    SLIDELAB_INLINE std::uint32_t change(const Heuristic& heuristic, const StateFrame& frame, const Marks& marks,
                                         LocalNetwork::Sums& sums, unsigned kind, Point from, Point to) const {
        std::uint32_t sum = cost(heuristic, kind, to) - cost(heuristic, kind, from);
        if (!network.empty()) sum += network.change(sums, kind, from, to);
        if (directions) sum += beside(frame, marks, kind, to, from) - beside(frame, marks, kind, from, to);
        return sum;
    }

    // Of all pieces of the state that a frame has loaded, never negative.
    std::uint32_t total(const Heuristic& heuristic, const StateFrame& frame, const Marks& marks,
                        std::span<const std::pair<Point, Point>> pieces) const {
        std::uint32_t sum = 0, twice = lift();
        for (const auto& [kind, spot] : pieces) {
            sum += cost(heuristic, kind, spot);
            if (directions) twice += beside(frame, marks, kind, spot, -1);
        }
        if (!network.empty()) {
            LocalNetwork::Sums sums;
            network.load(frame, marks, sums);
            sum += network_lift + network.total(sums);
        }
        return sum + twice / 2;
    }

private:
    static constexpr std::uint32_t network_lift = 1 << 20;  // makes the costs of networks positive in practice

    // Twice what makes the costs of pairs positive in all states.
    std::uint32_t lift() const {
        const std::int32_t least = pairs.empty() ? 0 : *std::min_element(pairs.begin(), pairs.end());
        const auto count = static_cast<std::uint32_t>(neighbours.size());
        return least < 0 ? static_cast<std::uint32_t>(-least) * count : 0;
    }
};

}  // namespace slidelab
