#include "graph/label_moves.hpp"

#include "check.hpp"

using namespace slidelab;

namespace {

using Row = std::vector<std::int32_t>;

TEST("label moves") {
    // Pieces 1, 2 and a hole on a path: 2 moves, then 1 follows, then 2 would come from an empty cell.
    CHECK((label_moves({1, 2, 0}, Row{1, 2, 0, 1, 0, 1}, no_tick) == Row{2, 1, 0}));
    CHECK(label_moves({1, 0}, {}, no_tick).empty());
    CHECK_THROWS(std::invalid_argument, (label_moves({1, 0}, Row{0, 2}, no_tick)));
    CHECK_THROWS(std::invalid_argument, (label_moves({1, 0}, Row{-1, 0}, no_tick)));
}

TEST("label moves stops when the tick says so") {
    Row moves;
    for (int i = 0; i < 200'000; ++i) moves.insert(moves.end(), {i % 2, 1 - i % 2});
    unsigned ticks = 0;
    const Tick stop = [&](const char*, std::uint64_t, std::uint64_t) {
        if (++ticks == 3) throw OutOfTime();
    };
    CHECK_THROWS(OutOfTime, (label_moves({1, 0}, moves, stop)));
    CHECK(ticks == 3);
}

}  // namespace
