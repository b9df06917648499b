#include "group/support.hpp"

namespace {

TEST("permutations") {
    std::mt19937_64 random(7);
    CHECK(identity(0).empty() && is_identity(identity(0)) && is_identity(identity(max_degree)));
    for (int trial = 0; trial < 200; ++trial) {
        const std::size_t n = 1 + below(random, 12);
        const auto a = shuffled(n, random), b = shuffled(n, random), c = shuffled(n, random);
        CHECK(is_permutation_of_points(a));
        for (std::size_t x = 0; x < n; ++x) CHECK(compose(a, b)[x] == b[a[x]]);
        CHECK(compose(compose(a, b), c) == compose(a, compose(b, c)));
        CHECK(is_identity(compose(a, inverse(a))) && is_identity(compose(inverse(a), a)));
        CHECK(inverse(compose(a, b)) == compose(inverse(b), inverse(a)));
        CHECK(is_odd(a) == odd_by_inversions(a));
        Permutation p = identity(n);
        for (std::uint64_t k = 0; k < 20; ++k, p = compose(p, a)) CHECK(power(a, k) == p);
        CHECK(is_identity(power(a, 27720)));  // lcm of 1..12
    }
    CHECK(!is_permutation_of_points(Permutation{0, 0}) && !is_permutation_of_points(Permutation{1, 2}));
    CHECK(is_permutation_of_points(Permutation{}));
    std::array<int, 6> counts{};
    for (int k = 0; k < 6000; ++k) ++counts[below(random, 6)];
    for (int count : counts) CHECK(count > 850 && count < 1150);
    CHECK(below(random, 1) == 0);

    UnionFind parts(6);
    CHECK(parts.unite(4, 2) && parts.unite(5, 4) && !parts.unite(2, 5));
    CHECK(parts.find(5) == 2 && parts.find(0) == 0 && parts.size() == 6);
}

TEST("straight-line programs") {
    const std::vector<Permutation> generators{long_cycle(9, 0, 9), cycles(9, {{1, 2}}), cycles(9, {{4, 6, 7}})};
    StraightLine program;
    std::vector<Element> elements;
    for (std::uint32_t i = 0; i < generators.size(); ++i)
        elements.push_back({generators[i], program.add(StraightLine::generator, i)});
    ElementSource source(elements, 3, program);
    std::vector<Element> made;
    for (int k = 0; k < 50; ++k) made.push_back(source.next());
    made.push_back(raise(made.back(), 6, program));
    made.push_back(invert(made.back(), program));
    const auto values = evaluate(program, generators);
    for (const auto& e : made) CHECK(values.at(e.line) == e.image);
    StraightLine nothing;
    CHECK(ElementSource({}, 1, nothing).empty());
}

}  // namespace
