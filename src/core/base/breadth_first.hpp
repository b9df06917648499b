// Breadth-first search over cells.
#pragma once

#include <cstddef>

namespace slidelab {

// Fills in the distances from the first `end` vertices of `queue`, whose own distances are given. Vertices whose
// distance is `unreached` are entered if their distance is at most `limit`; they are appended to `queue`, nearest
// first, which must have room for all. `neighbours(v)` is a range; the search ends early once `done(v)` accepts a
// vertex that was reached. Returns the number of vertices in the queue.
template <class Distance, class Vertex, class Neighbours, class Done>
std::size_t breadth_first(Vertex* queue, std::size_t end, Distance* distance, Distance unreached, Distance limit,
                          Neighbours&& neighbours, Done&& done) {
    for (std::size_t i = 0; i < end; ++i) {
        const Vertex v = queue[i];
        const Distance here = distance[v];
        if (here >= limit) break;
        for (const auto other : neighbours(v)) {
            if (distance[other] != unreached) continue;
            distance[other] = static_cast<Distance>(here + 1);
            queue[end++] = other;
            if (done(other)) return end;
        }
    }
    return end;
}

template <class Distance, class Vertex, class Neighbours>
std::size_t breadth_first(Vertex* queue, std::size_t end, Distance* distance, Distance unreached, Distance limit,
                          Neighbours&& neighbours) {
    return breadth_first(queue, end, distance, unreached, limit, neighbours, [](Vertex) { return false; });
}

}  // namespace slidelab
