#include "group/support.hpp"

namespace {

TEST("random elements") {
    // C3 and a linked sign: every element about equally often.
    const std::vector<Permutation> generators{cycles(7, {{1, 2, 3}}), cycles(7, {{4, 5}, {6, 7}}),
                                              cycles(7, {{1, 2}, {6, 7}})};
    const auto elements = closure(7, generators);
    const Group g = group(7, generators);
    std::map<Permutation, int> counts;
    std::mt19937_64 random(1);
    for (std::size_t k = 0; k < 300 * elements.size(); ++k) ++counts[g.random_element(random)];
    CHECK(counts.size() == elements.size());
    for (const auto& [p, count] : counts) CHECK(elements.count(p) && count > 200 && count < 400);
    // In a giant: the image of a point and the sign are spread evenly, in Alt no odd one comes.
    const Group sym = group(9, {long_cycle(9, 0, 9), cycles(9, {{1, 2}})});
    const Group alt = group(9, {long_cycle(9, 0, 9), cycles(9, {{1, 2, 3}})});
    std::map<std::pair<Point, bool>, int> seen;
    for (int k = 0; k < 5400; ++k) {
        const auto p = sym.random_element(random);
        ++seen[{p[4], odd_by_inversions(p)}];
        CHECK(!odd_by_inversions(alt.random_element(random)));
    }
    CHECK(seen.size() == 18);
    for (const auto& [what, count] : seen) CHECK(count > 200 && count < 400);
}

TEST("elements by number") {
    const std::vector<std::vector<Permutation>> cases{
        {cycles(7, {{1, 2, 3}}), cycles(7, {{4, 5}, {6, 7}}), cycles(7, {{1, 2}, {6, 7}})},
        {long_cycle(7, 0, 7), cycles(7, {{1, 2, 3}})},
        {long_cycle(6, 0, 6), cycles(6, {{1, 2}})},
        {cycles(8, {{1, 2, 3, 4, 5}}), cycles(8, {{1, 2}, {6, 7}}), cycles(8, {{6, 7, 8}})},
    };
    for (const auto& generators : cases) {
        const std::size_t degree = generators[0].size();
        const auto elements = closure(degree, generators);
        const Group g = group(degree, generators);
        std::set<Permutation> found;
        for (std::uint64_t k = 0; k < elements.size(); ++k) CHECK(found.insert(g.element(k)).second);
        CHECK(std::equal(found.begin(), found.end(), elements.begin(), elements.end()));
        CHECK(g.element(elements.size()) == g.element(0));
    }
}

TEST("recolouring within a budget") {
    const Group g = group(12, mathieu12());
    std::vector<std::uint32_t> a(12, 0), b(12, 0);
    a[0] = a[1] = 1;
    b[5] = b[7] = 1;
    const auto [none, uncertain] = g.recolour(a, b, 0);
    CHECK(!none && !uncertain);
    const auto [found, certain] = g.recolour(a, b, 100000);
    CHECK(found && certain && carries(*found, a, b) && g.contains(*found));
    CHECK_THROWS(std::invalid_argument, g.recolour({0}, b, 1));
}

void check_words(std::size_t degree, const std::vector<Permutation>& generators) {
    const Group g = group(degree, generators);
    const auto [base, lengths] = g.base();
    std::vector<std::uint32_t> weights;
    for (std::size_t k = 0; k < generators.size(); ++k) weights.push_back(static_cast<std::uint32_t>(1 + k));
    const ShortWords words(degree, generators, weights, base, lengths, 4, 400, quiet);
    CHECK(words.complete());
    std::mt19937_64 random(8);
    for (int trial = 0; trial < 40; ++trial) {
        const Permutation p = trial % 2 ? shuffled(degree, random) : g.random_element(random);
        const auto word = words.factor(p);
        CHECK(word.has_value() == g.contains(p));
        if (!word) continue;
        Permutation q = identity(degree);
        for (std::size_t i = 0; i < word->size(); ++i) {
            const auto letter = (*word)[i];
            CHECK(letter != 0 && (i == 0 || (*word)[i - 1] != -letter));
            const auto& generator = generators.at(static_cast<std::size_t>(std::abs(letter)) - 1);
            q = compose(q, letter > 0 ? generator : inverse(generator));
        }
        CHECK(q == p);
    }
    CHECK(words.factor(identity(degree))->empty());
}

TEST("short words") {
    check_words(5, {long_cycle(5, 0, 5)});
    check_words(11, mathieu11(11));
    check_words(12, mathieu12());
    check_words(9, {long_cycle(9, 0, 9), cycles(9, {{1, 2}})});
    check_words(19, {long_cycle(19, 0, 9), cycles(19, {{1, 2, 3}}), long_cycle(19, 10, 9), cycles(19, {{10, 11, 12}}),
                     cycles(19, {{1, 2}, {10, 11}})});
    const GainGraph eight(tiles(grid(3, 3)), 8, 9, quiet);
    check_words(8, rows(eight.span(8, plenty, quiet).generators, 8));

    const ShortWords trivial(3, {}, {}, {}, {}, 1, 10, quiet);
    CHECK(trivial.complete() && trivial.factor(identity(3))->empty() && !trivial.factor(long_cycle(3, 0, 3)));
    const ShortWords hurried(9, {long_cycle(9, 0, 9), cycles(9, {{1, 2}})}, {1, 1}, {0, 1, 2, 3, 4, 5, 6, 7},
                             {9, 8, 7, 6, 5, 4, 3, 2}, 1, 0, quiet);
    CHECK(!hurried.complete());
    const std::vector<Permutation> three{long_cycle(3, 0, 3)};
    CHECK_THROWS(std::invalid_argument, trivial.factor(identity(4)));
    CHECK_THROWS(std::invalid_argument, ShortWords(3, three, {}, {0}, {3}, 1, 1, quiet));
    CHECK_THROWS(std::invalid_argument, ShortWords(3, three, {1}, {0}, {}, 1, 1, quiet));
    CHECK_THROWS(std::invalid_argument, ShortWords(3, three, {1}, {3}, {3}, 1, 1, quiet));
    CHECK_THROWS(std::invalid_argument, ShortWords(3, three, {1}, {0}, {0}, 1, 1, quiet));
    CHECK_THROWS(std::invalid_argument, ShortWords(3, three, {1}, {0}, {4}, 1, 1, quiet));
    CHECK_THROWS(std::invalid_argument, ShortWords(3, {Permutation{0, 0, 1}}, {1}, {0}, {3}, 1, 1, quiet));
}

TEST("minimal blocks") {
    CHECK((minimal_block(6, {long_cycle(6, 0, 6)}, 0, 3) == std::vector<std::uint32_t>{0, 1, 2, 0, 1, 2}));
    CHECK((minimal_block(6, {long_cycle(6, 0, 6)}, 4, 0) == std::vector<std::uint32_t>{0, 1, 0, 1, 0, 1}));
    CHECK((minimal_block(3, {}, 1, 2) == std::vector<std::uint32_t>{0, 1, 1}));
    CHECK((minimal_block(3, {long_cycle(3, 0, 3)}, 1, 1) == std::vector<std::uint32_t>{0, 1, 2}));
    CHECK(minimal_block(11, mathieu11(11), 0, 5) == std::vector<std::uint32_t>(11, 0));
    CHECK_THROWS(std::invalid_argument, minimal_block(3, {}, 0, 3));
    CHECK_THROWS(std::invalid_argument, minimal_block(3, {}, 3, 0));
    // The images of the pair under all elements, joined.
    std::mt19937_64 random(77);
    for (int trial = 0; trial < 200; ++trial) {
        const std::size_t degree = 1 + below(random, 6);
        const auto generators = random_generators(degree, random);
        const auto a = static_cast<std::uint32_t>(below(random, degree)),
                   b = static_cast<std::uint32_t>(below(random, degree));
        UnionFind parts(degree);
        for (const auto& p : closure(degree, generators)) parts.unite(p[a], p[b]);
        const auto labels = minimal_block(degree, generators, a, b);
        for (std::uint32_t x = 0; x < degree; ++x) CHECK(labels[x] == parts.find(x));
    }
}

}  // namespace
