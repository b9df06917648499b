#include "graph/graph_stream.hpp"

#include "group/support.hpp"

#include <set>

namespace {

TEST("graphs up to isomorphism") {
    // OEIS A001349 and A002218 (of which the edge and the single vertex are left out here).
    const std::array<std::size_t, 8> connected{1, 1, 2, 6, 21, 112, 853, 11117};
    const std::array<std::size_t, 8> blocks{0, 0, 1, 3, 10, 56, 468, 7123};
    for (int n = 1; n <= 8; ++n)
        for (const bool two_connected : {false, true}) {
            GraphStream stream(n, two_connected);
            std::vector<GraphStream::Edges> graphs;
            while (!stream.done()) stream.next_batch(10, 100, graphs);
            CHECK(graphs.size() == (two_connected ? blocks : connected)[static_cast<std::size_t>(n) - 1]);
            const std::set<GraphStream::Edges> different(graphs.begin(), graphs.end());
            CHECK(different.size() == graphs.size());
        }
    CHECK_THROWS(std::invalid_argument, GraphStream(0));
    CHECK_THROWS(std::invalid_argument, GraphStream(GraphStream::max_vertices + 1));
    GraphStream large(GraphStream::max_vertices, true);
    std::vector<GraphStream::Edges> some;
    while (some.size() < 20) large.next_batch(20, 1000, some);
    for (const auto& edges : some) CHECK(edges.size() >= 11);
}

}  // namespace
