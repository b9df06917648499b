// The headers of src/core without Python, meant to run under the sanitizers (make sanitize).
//
// What is compared with what: gain graphs with a plain simulation that moves labelled pieces one by
// one, groups with the set of all their elements or with orders known from the literature, words and
// straight-line programs with the permutations they multiply out to.
#pragma once

#include <cstdlib>
#include <iostream>
#include <map>
#include <set>
#include "boards.hpp"
#include "check.hpp"
#include "graph/gain_graph.hpp"
#include "graph/polyhexes.hpp"
#include "group/group.hpp"
#include "group/short_words.hpp"
#include "pieces.hpp"

using namespace slidelab;

namespace {  // all tests are one program, and other folders use the same names

using Elements = std::set<Permutation>;

// 1-based cycles, as books write them.
inline Permutation cycles(std::size_t degree, const std::vector<std::vector<int>>& list) {
    Permutation p = identity(degree);
    for (const auto& cycle : list)
        for (std::size_t i = 0; i < cycle.size(); ++i)
            p[static_cast<std::size_t>(cycle[i] - 1)] = static_cast<Point>(cycle[(i + 1) % cycle.size()] - 1);
    return p;
}

// The cycle first, first + 1, ..., first + length - 1 (0-based).
inline Permutation long_cycle(std::size_t degree, std::size_t first, std::size_t length) {
    Permutation p = identity(degree);
    for (std::size_t i = 0; i < length; ++i) p[first + i] = static_cast<Point>(first + (i + 1) % length);
    return p;
}

inline Permutation shuffled(std::size_t degree, std::mt19937_64& random) {
    Permutation p = identity(degree);
    for (std::size_t i = degree; i > 1; --i) std::swap(p[i - 1], p[below(random, i)]);
    return p;
}

inline Elements closure(std::size_t degree, const std::vector<Permutation>& generators) {
    Elements all{identity(degree)};
    std::vector<Permutation> queue{identity(degree)};
    while (!queue.empty()) {
        const Permutation p = queue.back();
        queue.pop_back();
        for (const auto& g : generators) {
            Permutation q = compose(p, g);
            if (all.insert(q).second) queue.push_back(std::move(q));
        }
    }
    return all;
}

inline bool odd_by_inversions(const Permutation& p) {
    bool odd = false;
    for (std::size_t x = 0; x < p.size(); ++x)
        for (std::size_t y = 0; y < x; ++y) odd ^= p[y] > p[x];
    return odd;
}

inline std::vector<Permutation> evaluate(const StraightLine& program, const std::vector<Permutation>& generators) {
    std::vector<Permutation> values;
    for (const auto& line : program.lines) {
        if (line.op == StraightLine::generator) {
            values.push_back(generators.at(line.a));
        } else if (line.op == StraightLine::product) {
            values.push_back(compose(values.at(line.a), values.at(line.b)));
        } else if (line.op == StraightLine::inverted) {
            values.push_back(inverse(values.at(line.a)));
        } else {
            CHECK(line.op == StraightLine::powered);
            values.push_back(power(values.at(line.a), line.b));
        }
    }
    return values;
}

inline Group group(std::size_t degree, std::vector<Permutation> generators, std::uint64_t seed = 1) {
    return Group(degree, std::move(generators), seed, plenty, quiet);
}

inline std::uint64_t factorial(std::uint64_t n) { return n < 2 ? 1 : n * factorial(n - 1); }

inline std::uint64_t order(const Group& g) {
    std::uint64_t out = 1;
    for (const auto& giant : g.giants()) out *= factorial(g.orbits()[giant.orbit].size()) / 2;
    for (auto length : g.chain_lengths()) out *= length;
    std::uint64_t again = 1;
    for (auto length : g.base().second) again *= length;
    CHECK(out == again);
    return out;
}

// All that a group says of itself, held against its generators: witnesses, factors, random elements.
inline void check_witnesses(const Group& g, const std::vector<Permutation>& generators, std::uint64_t seed) {
    const auto values = evaluate(g.program(), generators);
    std::vector<bool> in_giant(g.degree(), false);
    for (const auto& giant : g.giants()) {
        const auto& orbit = g.orbits()[giant.orbit];
        const std::set<Point> inside(orbit.begin(), orbit.end());
        for (auto x : orbit) in_giant[x] = true;
        const Permutation& cycle = values.at(giant.line);
        std::size_t moved = 0;
        Point at = 0;
        for (std::size_t x = 0; x < g.degree(); ++x)
            if (cycle[x] != x) {
                CHECK(inside.count(static_cast<Point>(x)) == 1);
                ++moved;
                at = static_cast<Point>(x);
            }
        CHECK(moved == giant.prime);
        CHECK(2 * moved > orbit.size() && moved + 3 <= orbit.size());
        std::size_t length = 1;
        for (Point x = cycle[at]; x != at; x = cycle[x]) ++length;
        CHECK(length == moved);
        for (std::size_t d = 2; d * d <= length; ++d) CHECK(length % d != 0);
    }
    std::mt19937_64 random(seed);
    for (int trial = 0; trial < 5; ++trial) {
        const Permutation p = g.random_element(random);
        CHECK(is_permutation_of_points(p));
        CHECK(g.contains(p));
        const auto product = g.factor(p);
        CHECK(product.has_value());
        Permutation q = identity(g.degree());
        for (auto [line, inverted] : *product) q = compose(q, inverted ? inverse(values.at(line)) : values.at(line));
        for (std::size_t x = 0; x < g.degree(); ++x) CHECK(in_giant[x] || q[x] == p[x]);
        const Permutation difference = compose(q, inverse(p));
        for (const auto& giant : g.giants()) {
            const auto& orbit = g.orbits()[giant.orbit];
            Permutation on;
            for (auto x : orbit)
                on.push_back(
                    static_cast<Point>(std::lower_bound(orbit.begin(), orbit.end(), difference[x]) - orbit.begin()));
            CHECK(!odd_by_inversions(on));
        }
    }
}

inline bool carries(const Permutation& g, const std::vector<std::uint32_t>& a, const std::vector<std::uint32_t>& b) {
    for (std::size_t x = 0; x < g.size(); ++x)
        if (b[g[x]] != a[x]) return false;
    return true;
}

inline std::vector<Permutation> rows(const std::vector<Point>& values, std::size_t degree) {
    std::vector<Permutation> out;
    for (std::size_t at = 0; degree && at < values.size(); at += degree)
        out.emplace_back(values.begin() + static_cast<std::ptrdiff_t>(at),
                         values.begin() + static_cast<std::ptrdiff_t>(at + degree));
    return out;
}

inline std::vector<Permutation> mathieu11(std::size_t degree) {
    return {long_cycle(degree, 0, 11), cycles(degree, {{3, 7, 11, 8}, {4, 10, 5, 6}})};
}

inline std::vector<Permutation> mathieu12() {
    auto out = mathieu11(12);
    out.push_back(cycles(12, {{1, 12}, {2, 11}, {3, 6}, {4, 8}, {5, 9}, {7, 10}}));
    return out;
}

// Permutations that respect a random cut of the points, so that groups with several orbits come up.
inline std::vector<Permutation> random_generators(std::size_t degree, std::mt19937_64& random) {
    const std::size_t cut = below(random, 2) ? degree : below(random, degree + 1);
    std::vector<Permutation> out;
    for (std::uint64_t k = below(random, 4); k > 0; --k) {
        Permutation p = identity(degree);
        const auto left = shuffled(cut, random), right = shuffled(degree - cut, random);
        for (std::size_t x = 0; x < cut; ++x) p[x] = left[x];
        for (std::size_t x = cut; x < degree; ++x) p[x] = static_cast<Point>(cut + right[x - cut]);
        out.push_back(power(p, 1 + below(random, 4)));
    }
    return out;
}

}  // namespace
