#include "group/support.hpp"

namespace {

TEST("polyhexes") {
    const std::array<std::size_t, 8> free{1, 1, 3, 7, 22, 82, 333, 1448}, fixed{1, 3, 11, 44, 186, 814, 3652, 16689};
    for (int n = 1; n <= 8; ++n)
        for (const bool congruent : {true, false}) {
            PolyhexStream stream(n, congruent);
            std::vector<PolyhexStream::Cells> boards;
            while (!stream.done()) stream.next_batch(10, 100, boards);
            CHECK(boards.size() == (congruent ? free : fixed)[static_cast<std::size_t>(n) - 1]);
            std::set<PolyhexStream::Cells> different(boards.begin(), boards.end());
            CHECK(different.size() == boards.size());
            PolyhexStream again(n, congruent);
            PolyhexStream::Cells cells;
            for (std::size_t k = 0; k < std::min<std::size_t>(boards.size(), 50); ++k)
                CHECK(again.next(cells) && cells == boards[k]);
            if (boards.size() <= 50) CHECK(!again.next(cells) && again.done());
        }
    // The largest size reaches the far corners of the tables.
    PolyhexStream large(PolyhexStream::max_cells);
    PolyhexStream::Cells cells;
    for (int k = 0; k < 20; ++k) {
        CHECK(large.next(cells));
        std::set<PolyhexStream::Cell> left(cells.begin(), cells.end());
        CHECK(left.size() == 18 && cells.front() == PolyhexStream::Cell(0, 0));
        std::vector<PolyhexStream::Cell> queue{cells.front()};
        left.erase(cells.front());
        while (!queue.empty()) {
            const auto [q, r] = queue.back();
            queue.pop_back();
            for (const auto& [dq, dr] : {std::pair{1, 0}, {0, 1}, {-1, 1}, {-1, 0}, {0, -1}, {1, -1}})
                if (left.erase({q + dq, r + dr})) queue.emplace_back(q + dq, r + dr);
        }
        CHECK(left.empty());
    }
    CHECK_THROWS(std::invalid_argument, PolyhexStream(0));
    CHECK_THROWS(std::invalid_argument, PolyhexStream(-3));
    CHECK_THROWS(std::invalid_argument, PolyhexStream(PolyhexStream::max_cells + 1));
}

}  // namespace
