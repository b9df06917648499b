// States of a beam search beside those on the path to its solution, for fitting a ranking to what tells them apart.
#pragma once

#include "search/beam_layers.hpp"
#include "search/state_frame.hpp"

#include <numeric>

namespace slidelab {

// Of every so many layers the state on the path and some others, for pieces that are all different. A row has the spot
// of each piece, and what the databases add, summed over all lookups.
struct BeamSample {
    std::uint32_t every = 1, count = 1;
    std::vector<std::uint16_t> rows;
    std::uint64_t random = 1;  // state of the generator that chooses states

    std::size_t columns(const MoveTable& moves) const { return moves.pieces() + 1; }
    bool wants(std::uint32_t length) const { return length % every == 0; }

    // Some states of a layer, after an empty row for the one on the path.
    void take(const BeamLayer& layer, std::size_t words, std::size_t lookups, const MoveTable& moves,
              StateFrame& frame) {
        add_row(moves);
        for (std::uint32_t k = 0; k < count; ++k) {
            random = random * 6364136223846793005ull + 1442695040888963407ull;
            const std::size_t i = (random >> 33) % layer.size();
            frame.load(layer.shapes[i], layer.keys.data() + i * words);
            std::uint16_t* row = add_row(moves);
            frame.spots(layer.shapes[i], row);
            for (std::size_t v = 0; v < lookups; ++v) row[moves.pieces()] += layer.sums[i * lookups + v];
        }
    }

    // Fills in the rows of the states on the path.
    void follow(const SearchState& start, std::span<const std::uint32_t> arcs, const MoveTable& moves,
                const Heuristic& heuristic, StateFrame& frame) {
        std::vector<std::pair<Point, Point>> pieces;
        Heuristic::State found;
        std::uint32_t length = 0;
        frame.load(start);
        for (auto number : arcs) {
            const auto& arc = moves.arcs()[number];
            frame.follow(arc);
            frame.load(arc.target, frame.key());
            if (!wants(++length)) continue;
            const std::size_t at = (length / every - 1) * (count + 1) * columns(moves);
            if (at >= rows.size()) return;
            frame.pieces(arc.target, pieces);
            heuristic.load(pieces, found);
            for (const auto& [kind, spot] : pieces) rows[at + kind] = spot;
            rows[at + moves.pieces()] =
                static_cast<std::uint16_t>(std::accumulate(found.sum.begin(), found.sum.end(), 0u));
        }
    }

private:
    std::uint16_t* add_row(const MoveTable& moves) {
        rows.resize(rows.size() + columns(moves), 0);
        return rows.data() + rows.size() - columns(moves);
    }
};

}  // namespace slidelab
