// All connected graphs with n vertices, one for each isomorphism class, none of them kept.
//
// Canonical augmentation (McKay, "Isomorph-free exhaustive generation", J. Algorithms 26, 1998): every connected graph
// has a vertex without which it stays connected. Say which one is taken away, in a way that does not depend on the
// numbers of the vertices; then every graph has one parent, and the graphs are a tree that is walked depth first. A
// graph made by adding a vertex is kept only if this vertex is (up to automorphisms) the one to take away.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <set>
#include <stdexcept>
#include <utility>
#include <vector>

namespace slidelab {

class GraphStream {
public:
    using Edges = std::vector<std::pair<int, int>>;

    static constexpr int max_vertices = 11;  // their pairs fit into a machine word

    // two_connected: only graphs without a cut vertex, with three or more vertices.
    explicit GraphStream(int n, bool two_connected = false) : n_(n), two_connected_(two_connected) {
        if (n < 1 || n > max_vertices) throw std::invalid_argument("expected 1 to 11 vertices");
        Graph one;
        one.n = 1;
        if (n > 1 || !two_connected) pending_.push_back(one);
    }

    // Appends up to max_graphs graphs to out, extending no more than max_steps graphs on the way, and returns how many
    // were found. None found means the end only if done() says so.
    std::size_t next_batch(std::size_t max_graphs, std::size_t max_steps, std::vector<Edges>& out) {
        std::size_t found = 0;
        for (std::size_t step = 0; step < max_steps && found < max_graphs && !pending_.empty(); ++step) {
            const Graph graph = pending_.back();
            pending_.pop_back();
            if (graph.n < n_) {
                extend(graph);
            } else {
                out.push_back(edges(graph));
                ++found;
            }
        }
        return found;
    }

    bool done() const noexcept { return pending_.empty(); }

private:
    using Mask = std::uint32_t;

    struct Graph {
        int n = 0;
        std::array<Mask, max_vertices> around{};
    };

    static Mask bit(int vertex) { return Mask(1) << vertex; }

    static Edges edges(const Graph& g) {
        Edges out;
        for (int a = 0; a < g.n; ++a)
            for (int b = a + 1; b < g.n; ++b)
                if (g.around[index(a)] & bit(b)) out.emplace_back(a, b);
        return out;
    }

    static std::size_t index(int vertex) { return static_cast<std::size_t>(vertex); }

    void extend(const Graph& parent) {
        const int v = parent.n;
        const bool last = v + 1 == n_;
        std::set<std::uint64_t> seen;  // one neighbourhood for each orbit under the automorphisms of the parent
        for (Mask chosen = bit(v) - 1; chosen > 0; --chosen) {
            Graph child = parent;
            ++child.n;
            child.around[index(v)] = chosen;
            for (int u = 0; u < v; ++u)
                if (chosen & bit(u)) child.around[index(u)] |= bit(v);
            if (last && two_connected_ && !is_two_connected(child)) continue;
            std::uint64_t code;
            if (is_canonical(child, v, code) && seen.insert(code).second) pending_.push_back(child);
        }
    }

    // Whether the graph without these vertices is connected.
    static bool is_connected(const Graph& g, Mask without) {
        const Mask all = (bit(g.n) - 1) & ~without;
        Mask reached = all & (~all + 1), queue = reached;
        while (queue) {
            const int u = std::countr_zero(queue);
            queue &= queue - 1;
            const Mask fresh = g.around[index(u)] & all & ~reached;
            reached |= fresh;
            queue |= fresh;
        }
        return reached == all;
    }

    static bool is_two_connected(const Graph& g) {
        if (g.n < 3) return false;
        for (int u = 0; u < g.n; ++u)
            if (!is_connected(g, bit(u))) return false;
        return true;
    }

    // Something that automorphisms keep, and that is quickly found.
    static std::uint64_t invariant(const Graph& g, int u) {
        std::uint64_t sum = 0;
        for (Mask rest = g.around[index(u)]; rest; rest &= rest - 1) {
            const Mask other = g.around[index(std::countr_zero(rest))];
            const auto degree = static_cast<std::uint64_t>(std::popcount(other));
            const auto triangles = static_cast<std::uint64_t>(std::popcount(other & g.around[index(u)]));
            sum += degree * degree * degree + 4096 * triangles * triangles;
        }
        return (static_cast<std::uint64_t>(std::popcount(g.around[index(u)])) << 40) + sum;
    }

    // Whether v is the vertex to take away; `code` is then the same for isomorphic pairs of graph and vertex.
    static bool is_canonical(const Graph& g, int v, std::uint64_t& code) {
        const std::uint64_t own = invariant(g, v);
        std::array<int, max_vertices> rivals{};
        std::size_t count = 0;
        for (int u = 0; u < v; ++u) {
            const std::uint64_t other = invariant(g, u);
            if (other < own || !is_connected(g, bit(u))) continue;
            if (other > own) return false;
            rivals[count++] = u;
        }
        code = rooted_code(g, v);
        for (std::size_t k = 0; k < count; ++k)
            if (rooted_code(g, rivals[k]) < code) return false;
        return true;
    }

    struct Cells {  // an ordered partition of the vertices
        std::array<Mask, max_vertices> mask{};
        int count = 0;
    };

    // The least adjacency matrix over all numberings that begin with `root` and respect a refined partition.
    static std::uint64_t rooted_code(const Graph& g, int root) {
        Cells cells;
        cells.mask[cells.count++] = bit(root);
        if (g.n > 1) cells.mask[index(cells.count++)] = (bit(g.n) - 1) & ~bit(root);
        std::uint64_t best = ~std::uint64_t(0);
        search(g, cells, best);
        return best;
    }

    static void search(const Graph& g, Cells cells, std::uint64_t& best) {
        refine(g, cells);
        int branch = -1;
        for (int c = 0; c < cells.count && branch < 0; ++c)
            if (std::popcount(cells.mask[index(c)]) > 1) branch = c;
        if (branch < 0) {
            best = std::min(best, code_of(g, cells));
            return;
        }
        Mask tried = 0;
        for (Mask rest = cells.mask[index(branch)]; rest; rest &= rest - 1) {
            const int v = std::countr_zero(rest);
            if (has_twin(g, v, tried)) continue;
            tried |= bit(v);
            Cells next = cells;
            for (int c = next.count; c > branch + 1; --c) next.mask[index(c)] = next.mask[index(c - 1)];
            ++next.count;
            next.mask[index(branch)] = bit(v);
            next.mask[index(branch + 1)] = cells.mask[index(branch)] & ~bit(v);
            search(g, next, best);
        }
    }

    // Whether exchanging v with one of these vertices changes nothing.
    static bool has_twin(const Graph& g, int v, Mask others) {
        for (Mask rest = others; rest; rest &= rest - 1) {
            const int w = std::countr_zero(rest);
            const Mask pair = bit(v) | bit(w);
            if ((g.around[index(v)] & ~pair) == (g.around[index(w)] & ~pair)) return true;
        }
        return false;
    }

    // Splits cells until all vertices of a cell have equally many neighbours in each cell.
    static void refine(const Graph& g, Cells& cells) {
        for (bool changed = true; changed && cells.count < g.n;) {
            changed = false;
            for (int s = 0; s < cells.count && !changed; ++s) {
                const Mask splitter = cells.mask[index(s)];
                Cells next;
                for (int c = 0; c < cells.count; ++c) {
                    std::array<Mask, max_vertices + 1> by_degree{};
                    for (Mask rest = cells.mask[index(c)]; rest; rest &= rest - 1) {
                        const int v = std::countr_zero(rest);
                        by_degree[static_cast<std::size_t>(std::popcount(g.around[index(v)] & splitter))] |= bit(v);
                    }
                    for (const Mask part : by_degree)
                        if (part) next.mask[index(next.count++)] = part;
                }
                changed = next.count > cells.count;
                cells = next;
            }
        }
    }

    static std::uint64_t code_of(const Graph& g, const Cells& cells) {
        std::uint64_t code = 0;
        for (int b = 1; b < g.n; ++b) {
            const Mask row = g.around[index(std::countr_zero(cells.mask[index(b)]))];
            for (int a = 0; a < b; ++a) code = 2 * code + ((row & cells.mask[index(a)]) != 0);
        }
        return code;
    }

    int n_;
    bool two_connected_;
    std::vector<Graph> pending_;
};

}  // namespace slidelab
