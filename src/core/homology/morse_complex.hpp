// Discrete Morse reduction of the complex over the shapes, with gains.
//
// An acyclic matching pairs a cell with a face of it; what is left, the critical cells, has the same homology, with a
// boundary that sums over the gradient paths (Forman 1998). Here every path carries the gain of the moves on it, so
// that the matching lifts to all arrangements at once: it is an acyclic matching of every covering, and the reduced
// boundary has coefficients in the group ring of the loops. Cells are paired from the top dimension down, each as soon
// as one of its faces has no other coface left; where there is none, a cell becomes critical. Edges are paired with
// vertices along a spanning forest.
#pragma once

#include "base/union_find.hpp"
#include "homology/gain_words.hpp"
#include "homology/shape_complex.hpp"

#include <map>

namespace slidelab {

class MorseComplex {
public:
    struct Term {
        std::uint32_t row, gain;  // number of the critical face in its dimension and family, word of its gain
        std::int64_t coefficient;
    };

    // Without `gains` all arrangements are taken for the same.
    MorseComplex(const ShapeComplex& complex, bool gains, std::uint64_t max_bytes, const Tick& tick)
        : complex_(complex), gains_(gains), max_bytes_(max_bytes) {
        constexpr std::uint64_t cell_bytes = 5 * sizeof(std::uint32_t) + 1;  // two stay, the rest per dimension
        if (complex.size() * cell_bytes > max_bytes) throw LimitReached("the matching does not fit the memory limit");
        mate_.assign(complex.size(), none);
        order_.assign(complex.size(), 0);
        for (int k = complex.dimension(); k >= 2; --k) collapse(k, tick);
        build_forest(tick);
    }

    // The critical cells of one dimension over one family of shapes.
    std::vector<std::uint32_t> critical(int dimension, std::uint32_t family) const {
        std::vector<std::uint32_t> out;
        for (std::uint32_t c = 0; c < complex_.size(); ++c)
            if (complex_.dimension(c) == dimension && is_critical(c) && family_of(c) == family) out.push_back(c);
        return out;
    }

    bool is_critical(std::uint32_t cell) const { return mate_[cell] == none; }

    // The boundary of the critical cells of a dimension of at least two: one list of terms for each.
    // `potentials` has the gain from the base of the family to every shape of it.
    std::vector<std::vector<Term>> boundary(int dimension, const Span& span, GainWords& words, const Tick& tick) const {
        if (dimension < 2) throw std::invalid_argument("the boundary of edges is that of a graph");
        const std::uint32_t family = complex_.graph().family()[span.base];
        std::vector<std::uint32_t> number(complex_.size(), none);
        std::uint32_t count = 0;
        for (auto c : critical(dimension - 1, family)) number[c] = count++;
        Walk walk{span, words, std::vector<std::uint32_t>(complex_.graph().shape_count(), none), {}, {}};
        for (std::uint32_t i = 0; i < span.shapes.size(); ++i) walk.place[span.shapes[i]] = i;
        std::vector<std::vector<Term>> out;
        const auto cells = critical(dimension, family);
        for (auto c : cells) {
            tick("boundaries", out.size(), cells.size());
            out.push_back(follow_gradient(c, number, walk, tick));
        }
        return out;
    }

private:
    static constexpr std::uint32_t none = std::uint32_t(-1), vertex = none - 1;  // no mate; a vertex is the mate

    // Terms still to be replaced: by the order in which their cells were paired, which makes this end.
    using Key = std::pair<std::uint64_t, std::uint32_t>;
    struct Walk {
        const Span& span;
        GainWords& words;
        std::vector<std::uint32_t> place;  // of each shape in the span
        std::map<Key, std::int64_t> todo;
        std::vector<ShapeComplex::Face> faces;
    };

    std::uint32_t family_of(std::uint32_t cell) const { return complex_.graph().family()[complex_.shape(cell)]; }

    // Pairs cells of dimension k with free faces.
    void collapse(int k, const Tick& tick) {
        const std::size_t n = complex_.size();
        std::vector<std::uint32_t> count(n, 0), sum(n, 0);  // cofaces left of each face, and all of them by xor
        std::vector<ShapeComplex::Face> faces;
        std::vector<std::uint32_t> free;
        const auto is_left = [&](std::uint32_t c) { return complex_.dimension(c) == k && mate_[c] == none; };
        for (std::uint32_t c = 0; c < n; ++c) {
            if ((c & 0x3fff) == 0) tick("faces", c, n);
            if (!is_left(c)) continue;
            complex_.faces(c, faces);
            for (const auto& f : faces) ++count[f.cell], sum[f.cell] ^= c;
        }
        std::vector<bool> done(n, false);
        const auto remove = [&](std::uint32_t c) {
            done[c] = true;
            complex_.faces(c, faces);
            for (const auto& f : faces) {
                sum[f.cell] ^= c;
                if (--count[f.cell] == 1 && mate_[f.cell] == none) free.push_back(f.cell);
            }
        };
        for (std::uint32_t f = 0; f < n; ++f)
            if (count[f] == 1) free.push_back(f);
        std::uint32_t next = 0, paired = 0;
        while (true) {
            while (!free.empty()) {
                const std::uint32_t f = free.back();
                free.pop_back();
                if (count[f] != 1 || mate_[f] != none) continue;
                const std::uint32_t c = sum[f];
                if ((++paired & 0x3fff) == 0) tick("pairs", paired, n);
                mate_[f] = c, mate_[c] = f;
                order_[f] = paired;
                remove(c);
            }
            while (next < n && (!is_left(next) || done[next])) ++next;
            if (next == n) return;
            remove(next);  // critical
        }
    }

    void build_forest(const Tick& tick) {
        UnionFind parts(complex_.graph().shape_count());
        std::vector<ShapeComplex::Face> faces;
        std::vector<std::uint32_t> vertices(complex_.graph().shape_count(), none);
        for (std::uint32_t c = 0; c < complex_.size(); ++c)
            if (complex_.dimension(c) == 0) vertices[complex_.shape(c)] = c;
        for (std::uint32_t c = 0; c < complex_.size(); ++c) {
            if ((c & 0x3fff) == 0) tick("forest", c, complex_.size());
            if (complex_.dimension(c) != 1 || mate_[c] != none) continue;
            complex_.faces(c, faces);
            if (parts.unite(complex_.shape(faces[0].cell), complex_.shape(faces[1].cell))) mate_[c] = vertex;
        }
        // All vertices but one of each tree have a mate.
        for (std::uint32_t s = 0; s < vertices.size(); ++s)
            if (parts.find(s) != s) mate_[vertices[s]] = vertex;
    }

    // What a face does to the arrangement at the base of the family, from the anchor of the cell to that of the face.
    std::uint32_t loop(std::uint32_t cell, const ShapeComplex::Face& face, Walk& walk) const {
        if (!gains_) return 0;
        const std::size_t d = complex_.graph().degree();
        const auto potential = [&](std::uint32_t shape) { return walk.span.potentials.data() + walk.place[shape] * d; };
        if (face.vertex == 0) return 0;
        const std::uint32_t from = complex_.shape(cell);
        Permutation gain(potential(from), potential(from) + d), back(d);
        const std::uint32_t to = complex_.follow(from, face.piece_cell, face.vertex, &gain);
        for (std::size_t x = 0; x < d; ++x) back[potential(to)[x]] = static_cast<Point>(x);
        for (auto& x : gain) x = back[x];
        return walk.words.number(gain);
    }

    // Adds a multiple of the boundary of a cell, without one of its faces.
    void add_boundary(std::uint32_t cell, std::uint32_t except, std::uint32_t gain, std::int64_t times,
                      Walk& walk) const {
        std::vector<ShapeComplex::Face> faces;
        complex_.faces(cell, faces);
        for (const auto& f : faces) {
            if (f.cell == except || mate_[f.cell] == vertex) continue;
            if (mate_[f.cell] != none && complex_.dimension(mate_[f.cell]) < complex_.dimension(f.cell)) continue;
            const std::uint32_t word = walk.words.then(gain, loop(cell, f, walk));
            // Critical cells come last: nothing replaces them.
            const std::uint64_t turn = mate_[f.cell] == none ? none : order_[f.cell];
            if (walk.todo.size() * sizeof(std::map<Key, std::int64_t>::value_type) * 3 > max_bytes_)
                throw LimitReached("the gradient paths do not fit the memory limit");
            auto& sum = walk.todo[{turn << 32 | f.cell, word}];
            std::int64_t more = 0;
            if (__builtin_mul_overflow(times, f.sign, &more) || __builtin_add_overflow(sum, more, &sum))
                throw LimitReached("too many gradient paths");
        }
    }

    std::vector<Term> follow_gradient(std::uint32_t critical, const std::vector<std::uint32_t>& number, Walk& walk,
                                      const Tick& tick) const {
        walk.todo.clear();
        add_boundary(critical, none, 0, 1, walk);
        std::uint64_t steps = 0;
        std::vector<Term> out;
        std::vector<ShapeComplex::Face> faces;
        while (!walk.todo.empty()) {
            if ((++steps & 0xff) == 0) tick("gradient paths", 0, 0);
            const auto [key, coefficient] = *walk.todo.begin();
            walk.todo.erase(walk.todo.begin());
            if (coefficient == 0) continue;
            const auto cell = static_cast<std::uint32_t>(key.first);
            if (mate_[cell] == none) {
                out.push_back({number[cell], key.second, coefficient});
                continue;
            }
            // The face is, up to sign and gain, minus the rest of the boundary of its mate.
            complex_.faces(mate_[cell], faces);
            const auto found = std::find_if(faces.begin(), faces.end(), [&](const auto& f) { return f.cell == cell; });
            const ShapeComplex::Face face = *found;
            const std::uint32_t back = walk.words.inverse(loop(mate_[cell], face, walk));
            std::int64_t times = 0;
            if (__builtin_mul_overflow(coefficient, -face.sign, &times)) throw LimitReached("too many gradient paths");
            add_boundary(mate_[cell], cell, walk.words.then(key.second, back), times, walk);
        }
        return out;
    }

    const ShapeComplex& complex_;
    bool gains_;
    std::uint64_t max_bytes_;
    std::vector<std::uint32_t> mate_, order_;
};

}  // namespace slidelab
