// All boards of n hexagons, one by one, in memory that grows with n only.
//
// Redelmeier's algorithm ("Counting polyominoes: yet another attack", 1981) lists every connected set of n
// cells exactly once up to translation: the first cell in reading order stays at (0, 0), and a list of cells
// that can still be added grows and shrinks with the set. A cell that was passed over is never looked at again
// below that choice, which is why no set comes twice. Of the up to twelve rotated and reflected copies of a
// set only one is let through, the one whose rows, read as binary numbers, come first.
//
// Coordinates are axial: (q, r) touches (q+1, r), (q, r+1), (q+1, r-1) and the three opposite cells.

#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <utility>
#include <vector>

namespace slidelab {

class PolyhexStream {
public:
    using Cell = std::pair<int, int>;
    using Cells = std::vector<Cell>;

    static constexpr int max_cells = 18;

    // free: one board for each class of congruent ones; otherwise one for each class of translates.
    explicit PolyhexStream(int n, bool free = true) : n_(n), free_(free) {
        if (n < 1 || n > max_cells) {
            throw std::invalid_argument("expected 1 to 18 cells");
        }
        reached_[0] = {0, 0};
        reached_count_ = 1;
        mark({0, 0}, true);
    }

    // Writes the next board, cells in reading order and the first at (0, 0); false when there is none left.
    bool next(Cells& cells) {
        std::vector<Cells> one;
        if (next_batch(1, std::numeric_limits<std::size_t>::max(), one) == 0) {
            return false;
        }
        cells = std::move(one.front());
        return true;
    }

    // Appends up to max_boards boards to out, looking at no more than max_steps sets on the way, and returns
    // how many were found. None found means the end only if done() says so.
    std::size_t next_batch(std::size_t max_boards, std::size_t max_steps, std::vector<Cells>& out) {
        std::size_t found = 0;
        for (std::size_t step = 0; step < max_steps && found < max_boards && !done_; ++step) {
            if (advance() && (!free_ || comes_first())) {
                out.push_back(cells());
                ++found;
            }
        }
        return found;
    }

    bool done() const noexcept { return done_; }

private:
    // A set of n cells with its first cell at (0, 0) has rows 0..n-1 and columns 1-n..n-1.
    static constexpr int width = 2 * max_cells + 1;
    static constexpr int height = max_cells + 1;
    // Every chosen cell adds at most five new neighbours, the first one at most three.
    static constexpr int max_reached = 5 * max_cells;

    using Rows = std::array<std::uint32_t, max_cells>;

    static std::size_t index(Cell cell) noexcept {
        return static_cast<std::size_t>(cell.second * width + cell.first + max_cells);
    }

    void mark(Cell cell, bool value) noexcept { seen_[index(cell)] = value; }

    static bool allowed(Cell cell) noexcept { return cell.second > 0 || (cell.second == 0 && cell.first >= 0); }

    // One step of the search; true if it completed a set of n cells, which is then in chosen_.
    bool advance() {
        if (complete_) {
            complete_ = false;
            --depth_;
        }
        if (cursor_ == reached_count_) {
            back();
            return false;
        }
        const auto depth = static_cast<std::size_t>(depth_);
        chosen_[depth] = cursor_;
        limit_[depth] = reached_count_;
        ++depth_;
        ++cursor_;
        if (depth_ == n_) {
            complete_ = true;
            return true;
        }
        reach_neighbours(reached_[static_cast<std::size_t>(cursor_ - 1)]);
        return false;
    }

    void back() {
        if (depth_ == 0) {
            done_ = true;
            return;
        }
        --depth_;
        const auto depth = static_cast<std::size_t>(depth_);
        while (reached_count_ > limit_[depth]) {
            --reached_count_;
            mark(reached_[static_cast<std::size_t>(reached_count_)], false);
        }
        cursor_ = chosen_[depth] + 1;
    }

    void reach_neighbours(Cell cell) {
        static constexpr std::array<Cell, 6> steps{{{1, 0}, {0, 1}, {-1, 1}, {-1, 0}, {0, -1}, {1, -1}}};
        for (const auto& step : steps) {
            const Cell other{cell.first + step.first, cell.second + step.second};
            if (allowed(other) && !seen_[index(other)]) {
                mark(other, true);
                reached_[static_cast<std::size_t>(reached_count_)] = other;
                ++reached_count_;
            }
        }
    }

    static Cell turned(Cell cell, int turn) noexcept {
        auto [q, r] = cell;
        for (int k = 0; k < turn % 6; ++k) {
            const int next_q = -r;
            r = q + r;
            q = next_q;
        }
        return turn < 6 ? Cell{q, r} : Cell{r, q};
    }

    // The rows of an image as binary numbers, moved so that its bounding box starts at column 0, row 0.
    Rows rows(int turn) const noexcept {
        std::array<Cell, max_cells> image{};
        int left = max_cells * 2;
        int top = max_cells * 2;
        for (int k = 0; k < n_; ++k) {
            const auto place = static_cast<std::size_t>(chosen_[static_cast<std::size_t>(k)]);
            const Cell cell = turned(reached_[place], turn);
            image[static_cast<std::size_t>(k)] = cell;
            left = std::min(left, cell.first);
            top = std::min(top, cell.second);
        }
        Rows result{};
        for (int k = 0; k < n_; ++k) {
            const auto [q, r] = image[static_cast<std::size_t>(k)];
            result[static_cast<std::size_t>(r - top)] |= std::uint32_t{1} << (q - left);
        }
        return result;
    }

    bool comes_first() const noexcept {
        const Rows own = rows(0);
        for (int turn = 1; turn < 12; ++turn) {
            if (rows(turn) < own) {
                return false;
            }
        }
        return true;
    }

    Cells cells() const {
        Cells result;
        result.reserve(static_cast<std::size_t>(n_));
        for (int k = 0; k < n_; ++k) {
            result.push_back(reached_[static_cast<std::size_t>(chosen_[static_cast<std::size_t>(k)])]);
        }
        std::sort(result.begin(), result.end(), [](const Cell& a, const Cell& b) {
            return std::pair{a.second, a.first} < std::pair{b.second, b.first};
        });
        return result;
    }

    int n_;
    bool free_;
    bool done_ = false;
    bool complete_ = false;
    int depth_ = 0;   // how many cells are chosen
    int cursor_ = 0;  // the next place in reached_ to choose from
    int reached_count_ = 0;
    std::array<Cell, max_reached> reached_{};  // the chosen cells, those passed over, those still to come
    std::array<int, max_cells> chosen_{};      // places in reached_
    std::array<int, max_cells> limit_{};       // reached_count_ before each choice
    std::array<bool, static_cast<std::size_t>(width* height)> seen_{};
};

}  // namespace slidelab
