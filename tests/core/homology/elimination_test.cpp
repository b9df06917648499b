#include "homology/covering_rank.hpp"

#include "base/random.hpp"
#include "check.hpp"

using namespace slidelab;

namespace {

constexpr std::uint64_t ample = std::uint64_t{1} << 28;
using Column = UnitElimination::Column;

// The rank modulo a prime by plain elimination.
std::size_t rank_mod(std::vector<std::vector<std::int64_t>> rows, std::int64_t prime) {
    std::size_t rank = 0;
    const std::size_t width = rows.empty() ? 0 : rows[0].size();
    for (std::size_t c = 0; c < width; ++c) {
        std::size_t r = rank;
        while (r < rows.size() && rows[r][c] % prime == 0) ++r;
        if (r == rows.size()) continue;
        std::swap(rows[r], rows[rank]);
        for (std::size_t other = rank + 1; other < rows.size(); ++other) {
            const std::int64_t a = rows[rank][c] % prime, b = rows[other][c] % prime;
            for (std::size_t k = 0; k < width; ++k)
                rows[other][k] = (rows[other][k] % prime * a - rows[rank][k] % prime * b) % prime;
        }
        ++rank;
    }
    return rank;
}

std::vector<std::vector<std::int64_t>> dense(const std::vector<Column>& columns, std::size_t rows) {
    std::vector<std::vector<std::int64_t>> out(columns.size(), std::vector<std::int64_t>(rows, 0));
    for (std::size_t c = 0; c < columns.size(); ++c)
        for (const auto& e : columns[c]) out[c][e.row] += e.value;
    return out;
}

TEST("units and the rest have the rank of the whole, modulo every prime") {
    std::mt19937_64 random(1);
    for (int round = 0; round < 300; ++round) {
        const std::size_t rows = 1 + below(random, 7), count = 1 + below(random, 7);
        const std::int64_t scale = static_cast<std::int64_t>(1 + below(random, 3));
        std::vector<Column> columns(count);
        for (auto& column : columns)
            for (std::uint32_t r = 0; r < rows; ++r)
                if (below(random, 2)) column.push_back({r, scale * (static_cast<std::int64_t>(below(random, 5)) - 2)});
        UnitElimination elimination(std::vector<std::uint32_t>(rows, 1), ample);
        for (const auto& column : columns) elimination.add(column);
        elimination.finish(no_tick);
        for (const auto& column : elimination.rest())
            for (const auto& e : column) {
                CHECK(!elimination.is_pivot_row(e.row));
                CHECK(e.value != 0 && e.value != 1 && e.value != -1);
            }
        for (const std::int64_t prime : {2, 3, 5, 10007})
            CHECK(rank_mod(dense(columns, rows), prime) ==
                  elimination.rank() + rank_mod(dense(elimination.rest(), rows), prime));
    }
}

TEST("entries of one row are summed up") {
    UnitElimination elimination({1, 1}, ample);
    elimination.add(Column{{0, 1}, {0, 1}, {1, 3}, {1, -3}});
    elimination.finish(no_tick);
    CHECK(elimination.rank() == 0);
    CHECK(elimination.rest().size() == 1);
    CHECK(elimination.rest()[0].size() == 1);
    CHECK(elimination.rest()[0][0].value == 2);
}

TEST("coefficients beyond 64 bits and too much memory are refused") {
    UnitElimination elimination({1, 1}, ample);
    constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
    CHECK_THROWS(LimitReached, (elimination.add(Column{{0, most}, {0, 1}})));
    UnitElimination small({1, 1}, 8);
    CHECK_THROWS(LimitReached, (small.add(Column{{0, 1}, {1, 1}})));
}

TEST("sheets are the orbit of an arrangement") {
    const Permutation turn{1, 2, 0}, swap{1, 0, 2};
    std::vector<Point> both = turn;
    both.insert(both.end(), swap.begin(), swap.end());
    CHECK(Sheets({0, 1, 2}, turn, ample, no_tick).size() == 3);
    CHECK(Sheets({0, 1, 2}, both, ample, no_tick).size() == 6);
    CHECK(Sheets({7, 7, 9}, both, ample, no_tick).size() == 3);
    CHECK(Sheets({}, {}, ample, no_tick).size() == 1);
    const Sheets sheets({0, 1, 2}, both, ample, no_tick);
    Permutation buffer;
    GainWords words(3, ample);
    const std::uint32_t a = words.number(turn), b = words.number(swap);
    for (std::uint32_t s = 0; s < sheets.size(); ++s) {
        CHECK(sheets.image(s, words[0], buffer) == s);
        CHECK(sheets.image(sheets.image(s, words[a], buffer), words[b], buffer) ==
              sheets.image(s, words[words.then(a, b)], buffer));
        CHECK(sheets.image(sheets.image(s, words[a], buffer), words[words.inverse(a)], buffer) == s);
    }
    CHECK_THROWS(LimitReached, (Sheets({0, 1, 2}, both, 12, no_tick)));
}

}  // namespace
