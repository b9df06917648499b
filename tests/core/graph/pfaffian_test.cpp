#include "graph/pfaffian.hpp"
#include <random>
#include "check.hpp"

using namespace slidelab;

namespace {

using Wide = PrimeField::Wide;

using Arcs = std::vector<Pfaffian::Arc>;

using Matrix = std::vector<std::vector<std::uint64_t>>;

using Nodes = std::vector<std::vector<Pfaffian::Node>>;

constexpr std::uint64_t mersenne = (std::uint64_t{1} << 61) - 1;

constexpr std::uint64_t primes[] = {3, 5, 101, 1'000'003, mersenne, 2'305'843'009'213'693'921};

std::uint64_t times(std::uint64_t a, std::uint64_t b, std::uint64_t p) {
    return static_cast<std::uint64_t>(Wide{a} * b % p);
}

std::uint64_t minus(std::uint64_t a, std::uint64_t p) { return a == 0 ? 0 : p - a; }

std::uint64_t power(std::uint64_t a, std::uint64_t e, std::uint64_t p) {
    std::uint64_t result = 1 % p;
    for (; e > 0; e /= 2, a = times(a, a, p))
        if (e % 2 == 1) result = times(result, a, p);
    return result;
}

// Expansion along the first row.
std::uint64_t by_definition(const Matrix& a, std::uint64_t p) {
    if (a.empty()) return 1;
    if (a.size() % 2 == 1) return 0;
    std::uint64_t result = 0;
    for (std::size_t j = 1; j < a.size(); ++j) {
        if (a[0][j] == 0) continue;
        Matrix minor;
        for (std::size_t r = 1; r < a.size(); ++r) {
            if (r == j) continue;
            minor.emplace_back();
            for (std::size_t c = 1; c < a.size(); ++c)
                if (c != j) minor.back().push_back(a[r][c]);
        }
        const std::uint64_t term = times(a[0][j], by_definition(minor, p), p);
        result = (result + (j % 2 == 1 ? term : minus(term, p))) % p;
    }
    return result;
}

std::uint64_t determinant(Matrix a, std::uint64_t p) {
    std::uint64_t result = 1 % p;
    for (std::size_t c = 0; c < a.size(); ++c) {
        std::size_t pivot = c;
        while (pivot < a.size() && a[pivot][c] == 0) ++pivot;
        if (pivot == a.size()) return 0;
        if (pivot != c) std::swap(a[pivot], a[c]), result = minus(result, p);
        result = times(result, a[c][c], p);
        const std::uint64_t inverse = power(a[c][c], p - 2, p);
        for (std::size_t r = c + 1; r < a.size(); ++r) {
            const std::uint64_t f = minus(times(a[r][c], inverse, p), p);
            for (std::size_t k = c; k < a.size(); ++k) a[r][k] = (a[r][k] + times(f, a[c][k], p)) % p;
        }
    }
    return result;
}

Matrix matrix(std::size_t n, const Arcs& arcs, const std::vector<std::uint64_t>& weights, std::uint64_t p) {
    Matrix a(n, std::vector<std::uint64_t>(n, 0));
    for (const auto& arc : arcs)
        a[arc.from][arc.to] = weights[arc.variable] % p, a[arc.to][arc.from] = minus(weights[arc.variable] % p, p);
    return a;
}

// A random graph; every arc has its own variable, or one of a few.
Arcs random_arcs(std::size_t n, double density, std::uint32_t variables, std::mt19937_64& random) {
    Arcs arcs;
    std::bernoulli_distribution chosen(density), turned(0.5);
    for (std::uint32_t a = 0; a < n; ++a)
        for (std::uint32_t b = a + 1; b < n; ++b) {
            if (!chosen(random)) continue;
            const auto variable = static_cast<std::uint32_t>(random() % variables);
            arcs.push_back(turned(random) ? Pfaffian::Arc{b, a, variable} : Pfaffian::Arc{a, b, variable});
        }
    std::shuffle(arcs.begin(), arcs.end(), random);
    return arcs;
}

Nodes single(const std::vector<std::uint64_t>& weights) {
    Nodes nodes;
    for (auto w : weights) nodes.push_back({{w, 1}});
    return nodes;
}

TEST("numbers modulo primes") {
    std::mt19937_64 random(1);
    for (auto p : primes) {
        const PrimeField field(p);
        for (int k = 0; k < 300; ++k) {
            const std::uint64_t a = random() % p, b = random() % p, c = random() % p, d = random() % p, e = random();
            CHECK(field.out(field.in(e)) == e % p);
            CHECK(field.out(field.times(field.in(a), field.in(b))) == times(a, b, p));
            CHECK(field.out(field.plus(field.in(a), field.in(b))) == (a + b) % p);
            CHECK(field.out(field.minus(field.in(a))) == minus(a, p));
            CHECK(field.is_zero(field.plus(field.in(a), field.minus(field.in(a)))));
            if (a != 0) CHECK(field.out(field.inverse(field.in(a))) == power(a, p - 2, p));
            // Values may be anything below 2p.
            const auto x = field.add_products(field.in(e) % p + p - 1, 2 * p - 1, 2 * p - 1, 2 * p - 1, 2 * p - 1);
            CHECK(x < 2 * p);
            const auto sum = field.add_products(field.in(e), field.in(a), field.in(b), field.in(c), field.in(d));
            CHECK(field.out(sum) == (times(a, b, p) + times(c, d, p) + e % p) % p);
        }
    }
    for (std::uint64_t bad :
         {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{2}, std::uint64_t{100}, (std::uint64_t{1} << 61) + 1})
        CHECK_THROWS(std::invalid_argument, PrimeField(bad));
}

TEST("the recursive definition") {
    std::mt19937_64 random(2);
    for (int round = 0; round < 600; ++round) {
        const std::size_t n = random() % 9;
        const std::uint64_t p = primes[random() % 6];
        const auto arcs = random_arcs(n, 0.2 + 0.1 * static_cast<double>(random() % 9), 1 + round % 40, random);
        std::vector<std::uint64_t> weights(41);
        for (auto& w : weights) w = round % 3 == 0 ? random() % 2 : random() % p;
        CHECK(Pfaffian(n, arcs).sum(p, single(weights), quiet) == by_definition(matrix(n, arcs, weights, p), p));
    }
}

TEST("squares and determinants") {
    std::mt19937_64 random(3);
    for (int round = 0; round < 150; ++round) {
        const std::size_t n = 2 + random() % 40;
        const std::uint64_t p = primes[random() % 6];
        const auto arcs = random_arcs(n, 4.0 / static_cast<double>(n), 1000, random);
        std::vector<std::uint64_t> weights(1000);
        for (auto& w : weights) w = random() % p;
        const std::uint64_t value = Pfaffian(n, arcs).sum(p, single(weights), quiet);
        CHECK(times(value, value, p) == determinant(matrix(n, arcs, weights, p), p));
    }
}

// With small primes and few values many pivots of the plan are zero elsewhere.
TEST("sums over grids") {
    std::mt19937_64 random(4);
    for (int round = 0; round < 200; ++round) {
        const std::size_t n = 2 * (random() % 5);
        const std::uint64_t p = primes[random() % 6];
        const auto arcs = random_arcs(n, 0.6, 3, random);
        Nodes nodes(3);
        for (auto& row : nodes)
            for (std::size_t k = 0; k < 1 + random() % 6; ++k)
                row.push_back({random() % std::min<std::uint64_t>(p, 4), random() % p});
        std::uint64_t expected = 0;
        for (const auto& x : nodes[0])
            for (const auto& y : nodes[1])
                for (const auto& z : nodes[2]) {
                    const auto factor = times(times(x.factor, y.factor, p), z.factor, p);
                    expected = (expected +
                                times(factor, by_definition(matrix(n, arcs, {x.value, y.value, z.value}, p), p), p)) %
                               p;
                }
        Pfaffian pfaffian(n, arcs);
        CHECK(pfaffian.sum(p, nodes, quiet) == expected);
        CHECK(pfaffian.sum(p, nodes, quiet) == expected);  // by the plan of the first time
    }
}

// Rows to the right; columns down and up by turns: every square has an odd number of arcs each way.
Arcs chessboard(std::uint32_t side) {
    Arcs arcs;
    for (std::uint32_t y = 0; y < side; ++y)
        for (std::uint32_t x = 0; x < side; ++x) {
            const std::uint32_t here = y * side + x, below = here + side;
            if (x + 1 < side) arcs.push_back({here, here + 1, 0});
            if (y + 1 < side)
                arcs.push_back(x % 2 == 0 ? Pfaffian::Arc{here, below, 1} : Pfaffian::Arc{below, here, 1});
        }
    return arcs;
}

TEST("dominoes") {
    const auto count = [](std::uint32_t side) {
        const std::uint64_t value =
            Pfaffian(std::size_t{side} * side, chessboard(side)).sum(mersenne, single({1, 1}), quiet);
        return std::min(value, mersenne - value);
    };
    CHECK(count(2) == 2);
    CHECK(count(4) == 36);
    CHECK(count(6) == 6'728);
    CHECK(count(8) == 12'988'816);
    CHECK(count(10) == 258'584'046'368);
    CHECK(count(5) == 0);
    // 40 x 40: the square of the Pfaffian is the determinant, at all of many weights.
    Pfaffian large(1600, chessboard(40));
    CHECK(large.cost() == 0);
    CHECK(large.sum(mersenne, single({1, 1}), quiet) != 0);
    CHECK(large.cost() > 0 && large.cost() < 1'000'000);
}

TEST("small matrices") {
    CHECK(Pfaffian(0, {}).sum(101, {}, quiet) == 1);
    CHECK(Pfaffian(0, {}).sum(101, {{{5, 7}, {6, 8}}}, quiet) == 15);
    CHECK(Pfaffian(1, {}).sum(101, {}, quiet) == 0);
    CHECK(Pfaffian(2, {}).sum(101, {}, quiet) == 0);
    CHECK(Pfaffian(2, {{0, 1, 0}}).sum(101, {{{5, 1}}}, quiet) == 5);
    CHECK(Pfaffian(2, {{1, 0, 0}}).sum(101, {{{5, 1}}}, quiet) == 96);
    CHECK(Pfaffian(4, {{0, 2, 0}, {1, 3, 0}}).sum(101, {{{5, 1}}}, quiet) == 76);
    CHECK(Pfaffian(4, {{0, 1, 0}, {0, 2, 0}, {0, 3, 0}}).sum(101, {{{5, 1}}}, quiet) == 0);
}

TEST("bad input") {
    CHECK_THROWS(std::invalid_argument, Pfaffian(2, {{0, 2, 0}}));
    CHECK_THROWS(std::invalid_argument, Pfaffian(2, {{1, 1, 0}}));
    CHECK_THROWS(std::invalid_argument, Pfaffian(2, {{0, 1, 0}, {1, 0, 0}}));
    CHECK_THROWS(std::invalid_argument, Pfaffian(std::size_t{1} << 24, {}));
    CHECK_THROWS(std::invalid_argument, Pfaffian(2, {{0, 1, 1}}).sum(101, {{{1, 1}}}, quiet));
    CHECK_THROWS(std::invalid_argument, Pfaffian(2, {{0, 1, 0}}).sum(101, {{}}, quiet));
    CHECK_THROWS(std::invalid_argument, Pfaffian(2, {{0, 1, 0}}).sum(100, {{{1, 1}}}, quiet));
    const std::vector<Pfaffian::Node> many(1 << 16, {1, 1});
    CHECK_THROWS(std::invalid_argument, Pfaffian(2, {{0, 1, 0}}).sum(101, {many, many, many, many}, quiet));
}

struct Stopped {};

TEST("sums that are stopped") {
    Pfaffian pfaffian(16, chessboard(4));
    int ticks = 0;
    const auto stop = [&](const char*, std::uint64_t, std::uint64_t) {
        if (++ticks == 20) throw Stopped{};
    };
    const std::vector<Pfaffian::Node> row(20, {1, 1});
    CHECK_THROWS(Stopped, pfaffian.sum(101, {row, row}, stop));
    CHECK(pfaffian.sum(1'000'003, {row, row}, quiet) == 400 * 36 ||
          pfaffian.sum(1'000'003, {row, row}, quiet) == 1'000'003 - 400 * 36);
}

}  // namespace
