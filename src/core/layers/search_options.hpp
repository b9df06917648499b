// Options of the layer search, and the lines along which whole rows of pieces are pushed.
#pragma once

#include "layers/state_code.hpp"

#include <cstdint>
#include <stdexcept>
#include <vector>

namespace slidelab {

struct SearchOptions {
    bool table = false;  // keep all distances modulo three: two bits more
    // For each arc the arc that continues straight ahead, -1 if none does; empty: single steps.
    std::vector<std::int64_t> line;
    bool portable = false;     // the portable inner loops, for tests
    std::uint32_t thin = 128;  // a layer is thin if fewer than one word in this many has a state of it
};

// For each arc the arc before it on its line, -1 at the beginning of a line. Throws if the lines are not disjoint, end
// in a cycle, or cannot be walked backwards.
inline std::vector<std::int64_t> previous_on_lines(const std::vector<Arc>& arcs,
                                                   const std::vector<std::int64_t>& line) {
    if (line.size() != arcs.size()) throw std::invalid_argument("one line a move expected");
    std::vector<std::int64_t> previous(arcs.size(), -1);
    for (std::size_t a = 0; a < arcs.size(); ++a) {
        const std::int64_t b = line[a];
        if (b < 0) continue;
        if (static_cast<std::size_t>(b) >= arcs.size() || arcs[static_cast<std::size_t>(b)].source != arcs[a].target ||
            previous[static_cast<std::size_t>(b)] >= 0)
            throw std::invalid_argument("lines do not fit together");
        previous[static_cast<std::size_t>(b)] = static_cast<std::int64_t>(a);
    }
    for (std::size_t a = 0; a < arcs.size(); ++a)  // pushes can be taken back, or two layers would not be enough
        if (const std::int64_t b = line[a];
            b >= 0 && line[static_cast<std::size_t>(b ^ 1)] != static_cast<std::int64_t>(a ^ 1))
            throw std::invalid_argument("lines do not fit together");
    std::size_t reached = 0;  // from the beginning of a line: all arcs, but those of a line that bites its tail
    for (std::size_t a = 0; a < arcs.size(); ++a)
        if (previous[a] < 0)
            for (auto b = static_cast<std::int64_t>(a); b >= 0; b = line[static_cast<std::size_t>(b)]) ++reached;
    if (reached != arcs.size()) throw std::invalid_argument("a line goes round in a circle");
    return previous;
}

}  // namespace slidelab
