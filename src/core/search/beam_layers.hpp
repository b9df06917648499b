// The states of a beam search: children, layers, and how each state was reached.
#pragma once

#include "search/heuristic.hpp"

namespace slidelab {

// A state that a move of the current layer leads to.
struct BeamChild {
    std::uint64_t hash;
    std::uint32_t parent;  // index in its layer
    std::uint32_t arc;     // of the move table
    std::uint32_t rank;    // none: a duplicate
    std::uint32_t base;    // distances of single pieces
    std::uint32_t cost;    // of the ranking, without what databases add
    std::array<std::uint8_t, Heuristic::max_lookups> entry;
};

// States that were reached by the same number of moves, sorted by shards.
struct BeamLayer {
    std::vector<std::uint64_t> keys, hashes;
    std::vector<std::uint32_t> shapes, arcs;  // arcs that led here
    std::vector<std::uint32_t> bases;         // distances of single pieces
    std::vector<std::uint32_t> costs;         // of the ranking, without what databases add
    std::vector<std::uint16_t> sums;          // what databases add, for each lookup
    std::vector<std::uint8_t> entries;
    std::vector<std::size_t> shard;  // where each begins, and the end of the last

    std::size_t size() const { return shapes.size(); }
    void resize(std::size_t count, std::size_t words, std::size_t values, std::size_t lookups) {
        keys.resize(count * words);
        hashes.resize(count);
        shapes.resize(count);
        arcs.resize(count);
        bases.resize(count);
        costs.resize(count);
        sums.resize(count * lookups);
        entries.resize(count * values);
    }
};

// How a state of a layer was reached: its parent, and the number of the move among those of the parent's shape.
struct BeamRecord {
    std::vector<std::uint32_t> parent;
    std::vector<std::uint16_t> move;
};

}  // namespace slidelab
