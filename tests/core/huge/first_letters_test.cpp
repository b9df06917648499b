#include "huge/first_letters.hpp"

#include "check.hpp"

#include <algorithm>
#include <numeric>
#include <random>

using namespace slidelab;

namespace {

using Row = std::vector<std::int32_t>;

// Random permutations, each followed by its inverse.
Row random_letters(std::size_t size, std::size_t pairs, std::mt19937& random) {
    Row rows;
    for (std::size_t k = 0; k < pairs; ++k) {
        Row one(size), back(size);
        std::iota(one.begin(), one.end(), 0);
        std::shuffle(one.begin(), one.end(), random);
        for (std::size_t x = 0; x < size; ++x) back[static_cast<std::size_t>(one[x])] = static_cast<std::int32_t>(x);
        rows.insert(rows.end(), one.begin(), one.end());
        rows.insert(rows.end(), back.begin(), back.end());
    }
    return rows;
}

// Distances to the targets by relaxing all letters until nothing changes.
std::vector<int> plain_distances(const Row& rows, std::size_t letters, std::size_t size,
                                 const std::vector<std::size_t>& targets) {
    std::vector<int> distance(size * size, 1 << 20);
    for (auto t : targets) distance[t] = 0;
    for (bool changed = true; changed;) {
        changed = false;
        for (std::size_t k = 0; k < letters; ++k)
            for (std::size_t x = 0; x < size; ++x)
                for (std::size_t y = 0; y < size; ++y) {
                    const auto there = static_cast<std::size_t>(rows[k * size + x]) * size +
                                       static_cast<std::size_t>(rows[k * size + y]);
                    if (distance[there] + 1 < distance[x * size + y]) {
                        distance[x * size + y] = distance[there] + 1;
                        changed = true;
                    }
                }
    }
    return distance;
}

TEST("first letters lead to the targets by shortest words") {
    std::mt19937 random(7);
    for (std::size_t size : {1u, 2u, 5u, 9u}) {
        for (int round = 0; round < 10; ++round) {
            const Row rows = random_letters(size, 2, random);
            const Row target{static_cast<std::int32_t>(random() % size), static_cast<std::int32_t>(random() % size)};
            const auto first = first_letters(rows, 4, size, target, 2, no_tick);
            const auto goal = static_cast<std::size_t>(target[0]) * size + static_cast<std::size_t>(target[1]);
            const auto distance = plain_distances(rows, 4, size, {goal});
            for (std::size_t x = 0; x < size; ++x)
                for (std::size_t y = 0; y < size; ++y) {
                    const std::size_t at = x * size + y;
                    const int letter = first[at];
                    if (distance[at] == 1 << 20) {
                        CHECK(letter == -1);
                    } else if (at == goal) {
                        CHECK(letter == 4);
                    } else {
                        const std::int32_t* row = rows.data() + static_cast<std::size_t>(letter) * size;
                        CHECK(distance[static_cast<std::size_t>(row[x]) * size + static_cast<std::size_t>(row[y])] ==
                              distance[at] - 1);
                    }
                }
        }
    }
}

TEST("first letters refuse what is no letter, no target, or too large") {
    const Row swap{1, 0, 1, 0};
    CHECK_THROWS(std::invalid_argument, (first_letters(Row{0, 0, 0, 0}, 2, 2, Row{0}, 1, no_tick)));
    CHECK_THROWS(std::invalid_argument, (first_letters(Row{2, 0, 1, 0}, 2, 2, Row{0}, 1, no_tick)));
    CHECK_THROWS(std::invalid_argument, (first_letters(swap, 1, 4, Row{0}, 1, no_tick)));
    CHECK_THROWS(std::invalid_argument, (first_letters(swap, 2, 2, Row{2}, 1, no_tick)));
    CHECK_THROWS(std::invalid_argument, (first_letters(swap, 2, 2, Row{0, 1, 0}, 2, no_tick)));
    CHECK_THROWS(LimitReached, (first_letters(swap, 2, 2, Row(33, 0), 33, no_tick)));
}

TEST("first letters stop when the tick says so") {
    std::mt19937 random(3);
    const Row rows = random_letters(80, 4, random);
    unsigned ticks = 0;
    const Tick stop = [&](const char*, std::uint64_t, std::uint64_t) {
        if (++ticks == 5) throw OutOfTime();
    };
    CHECK_THROWS(OutOfTime, (first_letters(rows, 8, 80, Row{0, 1, 2}, 3, stop)));
    CHECK(ticks == 5);
}

}  // namespace
