#include "group/support.hpp"

namespace {

// The base and its orbit lengths, seen in the set of all elements.
void check_base(const Group& g, Elements elements) {
    const auto [base, lengths] = g.base();
    for (std::size_t l = 0; l < base.size(); ++l) {
        std::set<Point> images;
        Elements fixing;
        for (const auto& p : elements) {
            images.insert(p[base[l]]);
            if (p[base[l]] == base[l]) fixing.insert(p);
        }
        CHECK(images.size() == lengths[l]);
        elements = std::move(fixing);
    }
    CHECK(elements.size() == 1);
}

void check_recolour(const Group& g, const Elements& elements, int trials, std::mt19937_64& random) {
    for (int trial = 0; trial < trials; ++trial) {
        const std::uint64_t kinds = 1 + below(random, g.degree() + 1);
        std::vector<std::uint32_t> a(g.degree()), b(g.degree());
        for (auto& colour : a) colour = static_cast<std::uint32_t>(below(random, kinds));
        if (trial % 5 == 0) std::iota(a.begin(), a.end(), 0xfffffff0u);  // all different, and near the largest number
        const Permutation p = trial % 2 ? shuffled(g.degree(), random) : g.random_element(random);
        for (std::size_t x = 0; x < a.size(); ++x) b[p[x]] = a[x];
        const bool wanted =
            std::any_of(elements.begin(), elements.end(), [&](const Permutation& e) { return carries(e, a, b); });
        const auto [found, certain] = g.recolour(a, b, 1u << 30);
        CHECK(certain);
        CHECK(found.has_value() == wanted);
        if (found) {
            CHECK(is_permutation_of_points(*found));
            CHECK(elements.count(*found) == 1);
            CHECK(carries(*found, a, b));
        }
    }
}

void expect_order(std::size_t degree, const std::vector<Permutation>& generators, std::uint64_t wanted,
                  std::size_t giants = 0) {
    for (std::uint64_t seed : {1, 2, 3}) {
        const Group g = group(degree, generators, seed);
        CHECK(order(g) == wanted);
        CHECK(g.giants().size() == giants);
        for (const auto& p : generators) CHECK(g.contains(p));
        check_witnesses(g, generators, seed);
    }
}

TEST("known orders") {
    expect_order(0, {}, 1);
    expect_order(4, {}, 1);
    expect_order(4, {identity(4)}, 1);
    expect_order(5, {long_cycle(5, 0, 5)}, 5);
    expect_order(5, {long_cycle(5, 0, 5), cycles(5, {{2, 5}, {3, 4}})}, 10);
    for (std::size_t n = 2; n <= 14; ++n) {
        const std::size_t odd = n % 2 ? n : n - 1;  // a cycle of odd length is even
        expect_order(n, {long_cycle(n, 0, n), cycles(n, {{1, 2}})}, factorial(n), n >= 8);
        if (n > 2) expect_order(n, {long_cycle(n, n - odd, odd), cycles(n, {{1, 2, 3}})}, factorial(n) / 2, n >= 8);
    }
    expect_order(11, mathieu11(11), 7920);
    expect_order(12, mathieu12(), 95040);
    expect_order(24,
                 {long_cycle(24, 0, 23),
                  cycles(24, {{3, 17, 10, 7, 9}, {4, 13, 14, 19, 5}, {8, 18, 11, 12, 23}, {15, 20, 22, 21, 16}}),
                  cycles(24, {{1, 24},
                              {2, 23},
                              {3, 12},
                              {4, 16},
                              {5, 18},
                              {6, 10},
                              {7, 20},
                              {8, 14},
                              {9, 21},
                              {11, 17},
                              {13, 22},
                              {15, 19}})},
                 244823040);
    // PSL(2,7) and PGL(2,7) on eight points: 7-cycles, but those prove nothing.
    const auto translation = long_cycle(8, 0, 7), square = cycles(8, {{2, 3, 5}, {4, 7, 6}}),
               root = cycles(8, {{2, 4, 3, 7, 5, 6}}), negated = cycles(8, {{1, 8}, {2, 7}, {3, 4}, {5, 6}});
    expect_order(8, {translation, square, negated}, 168);
    expect_order(8, {translation, root, negated}, 336);
    // C2 wr Sym(9) and C2 wr Alt(7): imprimitive, no giants.
    expect_order(
        18,
        {cycles(18, {{1, 2}}), cycles(18, {{1, 3}, {2, 4}}), compose(power(long_cycle(18, 0, 18), 2), identity(18))},
        512 * factorial(9));
    CHECK_THROWS(std::invalid_argument, group(3, {Permutation{0, 1}}));
    CHECK_THROWS(std::invalid_argument, group(3, {Permutation{0, 1, 1}}));
    CHECK_THROWS(LimitReached, group(max_degree + 1, {}));
    CHECK_THROWS(LimitReached, Group(12, mathieu12(), 1, 500, quiet));
    CHECK_THROWS(std::invalid_argument, (void)group(3, {}).contains(identity(4)));
}

TEST("products and links") {
    // Sym(9) x Alt(10), next to each other.
    expect_order(19, {long_cycle(19, 0, 9), cycles(19, {{1, 2}}), long_cycle(19, 10, 9), cycles(19, {{10, 11, 12}})},
                 factorial(9) * factorial(10) / 2, 2);
    // The same signs on both: half of Sym(9) x Sym(10).
    const auto both = cycles(19, {{1, 2}, {10, 11}});
    const std::vector<Permutation> linked{long_cycle(19, 0, 9), cycles(19, {{1, 2, 3}}), long_cycle(19, 10, 9),
                                          cycles(19, {{10, 11, 12}}), both};
    expect_order(19, linked, factorial(9) * factorial(10) / 2, 2);
    const Group same_sign = group(19, linked);
    CHECK(same_sign.chain_lengths() == std::vector<std::uint64_t>{2});
    CHECK(!same_sign.contains(cycles(19, {{1, 2}})) && same_sign.contains(both));
    CHECK(!same_sign.contains(cycles(19, {{9, 10}})) && !same_sign.factor(cycles(19, {{9, 10}})));
    // One permutation on two orbits at once: neither is free, so neither is split off.
    expect_order(18, {compose(long_cycle(18, 0, 9), long_cycle(18, 9, 9)), cycles(18, {{1, 2}, {10, 11}})},
                 factorial(9));
    // Sym(10) whose sign turns two more points; a cycle of three and a fixed point beside it.
    expect_order(16, {long_cycle(16, 0, 9), cycles(16, {{9, 10}, {11, 12}}), cycles(16, {{13, 14, 15}})},
                 factorial(10) * 3, 1);
    expect_order(22,
                 {long_cycle(22, 0, 11), cycles(22, {{3, 7, 11, 8}, {4, 10, 5, 6}}), long_cycle(22, 11, 11),
                  cycles(22, {{12, 13}})},
                 7920 * factorial(11), 1);
    // Many small orbits; then one long orbit whose tree is as deep as it is long.
    std::vector<Permutation> pairs;
    for (int k = 0; k < 20; ++k) pairs.push_back(cycles(40, {{2 * k + 1, 2 * k + 2}}));
    expect_order(40, pairs, 1u << 20);
    Permutation mirror(400);
    for (std::size_t x = 0; x < 400; ++x) mirror[x] = static_cast<Point>(399 - x);
    expect_order(400, {long_cycle(400, 0, 400), mirror}, 800);
}

TEST("giants at degree 300") {
    const std::size_t n = 300;
    const auto odd = cycles(n, {{17, 230}}), even = cycles(n, {{17, 230}, {1, 2}});
    const std::vector<Permutation> all{long_cycle(n, 0, n), cycles(n, {{1, 2}})};
    const Group sym = group(n, all);
    CHECK(sym.giants().size() == 1 && sym.chain_lengths() == std::vector<std::uint64_t>{2});
    CHECK(sym.contains(odd) && sym.contains(even));
    check_witnesses(sym, all, 1);
    const std::vector<Permutation> half{long_cycle(n, 1, n - 1), cycles(n, {{1, 2, 3}})};
    const Group alt = group(n, half);
    CHECK(alt.giants().size() == 1 && alt.chain_lengths().empty());
    CHECK(!alt.contains(odd) && alt.contains(even) && !alt.factor(odd) && alt.factor(even));
    check_witnesses(alt, half, 2);
    const auto [base, lengths] = sym.base();
    CHECK(base.size() == n - 1 && lengths.front() == n && lengths.back() == 2);

    // Three orbits of a hundred, their signs adding up to even.
    std::vector<Permutation> three;
    for (std::size_t first : {0, 100, 200}) {
        three.push_back(long_cycle(n, first, 99));
        three.push_back(
            cycles(n, {{static_cast<int>(first) + 98, static_cast<int>(first) + 99, static_cast<int>(first) + 100}}));
    }
    three.push_back(cycles(n, {{1, 2}, {101, 102}}));
    three.push_back(cycles(n, {{101, 102}, {201, 202}}));
    const Group g = group(n, three);
    CHECK(g.giants().size() == 3 && (g.chain_lengths() == std::vector<std::uint64_t>{2, 2}));
    CHECK(g.contains(cycles(n, {{5, 6}, {250, 251}})) && !g.contains(cycles(n, {{5, 6}})));
    check_witnesses(g, three, 3);
    // All colours different: what is asked for is one permutation, and only its signs decide.
    std::vector<std::uint32_t> a(n), b(n);
    std::iota(a.begin(), a.end(), 0u);
    b = a;
    std::swap(b[3], b[4]);
    CHECK((g.recolour(a, b, 1000) == std::pair<std::optional<Permutation>, bool>{std::nullopt, true}));
    std::swap(b[150], b[160]);
    const auto [found, certain] = g.recolour(a, b, 1000);
    CHECK(certain && found && carries(*found, a, b) && g.contains(*found));
}

TEST("random groups") {
    std::mt19937_64 random(2024);
    for (int trial = 0; trial < 250; ++trial) {
        const std::size_t degree = 1 + below(random, 6);
        const auto generators = random_generators(degree, random);
        const auto elements = closure(degree, generators);
        const Group g = group(degree, generators, static_cast<std::uint64_t>(trial));
        CHECK(order(g) == elements.size());
        Permutation p = identity(degree);
        do CHECK(g.contains(p) == elements.count(p) && g.factor(p).has_value() == g.contains(p));
        while (std::next_permutation(p.begin(), p.end()));
        check_base(g, elements);
        check_witnesses(g, generators, 9);
        check_recolour(g, elements, 10, random);
    }
    // Large enough for giants, with something linked to them now and then.
    for (int trial = 0; trial < 6; ++trial) {
        const std::size_t degree = 8 + below(random, 4);
        std::vector<Permutation> generators{long_cycle(degree, 0, 7), cycles(degree, {{6, 7, 8}})};
        const auto rest = random_generators(degree - 8, random);
        for (const auto& r : rest) {
            Permutation p = below(random, 2) ? cycles(degree, {{1, 2}}) : identity(degree);
            for (std::size_t x = 8; x < degree; ++x) p[x] = static_cast<Point>(8 + r[x - 8]);
            generators.push_back(p);
        }
        const auto elements = closure(degree, generators);
        const Group g = group(degree, generators, static_cast<std::uint64_t>(trial));
        CHECK(g.giants().size() == 1);
        CHECK(order(g) == elements.size());
        for (int k = 0; k < 200; ++k) {
            const auto p = shuffled(degree, random);
            CHECK(g.contains(p) == elements.count(p));
        }
        check_base(g, elements);
        check_witnesses(g, generators, 9);
        check_recolour(g, elements, 15, random);
    }
}

// Without random elements everything rests on the verification: it must find all that is missing,
// and write down correctly how each new element was made.
TEST("verification alone") {
    std::mt19937_64 random(31);
    auto check = [&](std::size_t degree, const std::vector<Permutation>& generators, std::uint64_t wanted) {
        StraightLine program;
        std::vector<Element> elements;
        for (std::uint32_t i = 0; i < generators.size(); ++i)
            elements.push_back({generators[i], program.add(StraightLine::generator, i)});
        const auto nothing = []() -> std::optional<Element> { return std::nullopt; };
        const StabiliserChain chain(degree, elements, nothing, program, plenty, quiet);
        std::uint64_t size = 1;
        for (auto length : chain.orbit_lengths()) size *= length;
        CHECK(size == wanted);
        const auto values = evaluate(program, generators);
        for (int trial = 0; trial < 5; ++trial) {
            const Permutation p = chain.random_element(random);
            CHECK(chain.contains(p));
            const auto product = chain.factor(p);
            CHECK(product.has_value());
            Permutation q = identity(degree);
            for (auto [line, inverted] : *product)
                q = compose(q, inverted ? inverse(values.at(line)) : values.at(line));
            CHECK(q == p);
        }
    };
    for (int trial = 0; trial < 300; ++trial) {
        const std::size_t degree = 1 + below(random, 7);
        const auto generators = random_generators(degree, random);
        check(degree, generators, closure(degree, generators).size());
    }
    for (std::size_t n = 8; n <= 13; ++n) {
        check(n, {long_cycle(n, 0, n), cycles(n, {{1, 2}})}, factorial(n));
        check(n, {shuffled(n, random), cycles(n, {{1, 2}}), long_cycle(n, 0, n)}, factorial(n));
    }
    check(11, mathieu11(11), 7920);
    check(12, mathieu12(), 95040);
}

}  // namespace
