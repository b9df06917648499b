// Plain iterative deepening (IDA*) with Manhattan distance for the 15-puzzle: the baseline of the benchmark.
//
// This is the program one would write first: the board as an array, the distance updated with each move, no
// move taken back at once. It shares no code with the library. Build: c++ -O3 -std=c++20 plain_ida.cpp -o plain_ida
//
// Input: boards of sixteen numbers in reading order, 0 the hole; the goal is 0 1 2 ... 15.
// Output, a line a board: length nodes seconds.

#include <array>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <utility>
#include <vector>

namespace {

constexpr int side = 4, cells = side * side;

int manhattan(int tile, int cell) { return std::abs(tile % side - cell % side) + std::abs(tile / side - cell / side); }

class Search {
public:
    explicit Search(const std::array<int, cells>& board) : board_(board) {
        for (int c = 0; c < cells; ++c) {
            if (c % side > 0) around_[c].push_back(c - 1);
            if (c % side < side - 1) around_[c].push_back(c + 1);
            if (c >= side) around_[c].push_back(c - side);
            if (c < cells - side) around_[c].push_back(c + side);
        }
    }

    int solve() {
        int hole = 0, distance = 0;
        for (int c = 0; c < cells; ++c) {
            if (board_[c] == 0)
                hole = c;
            else
                distance += manhattan(board_[c], c);
        }
        for (bound_ = distance;; bound_ += 2)
            if (descend(hole, -1, 0, distance)) return bound_;
    }

    std::uint64_t nodes() const { return nodes_; }

private:
    bool descend(int hole, int before, int length, int distance) {
        if (distance == 0) return true;
        ++nodes_;
        for (int from : around_[hole]) {
            if (from == before) continue;
            const int tile = board_[from];
            const int there = distance - manhattan(tile, from) + manhattan(tile, hole);
            if (length + 1 + there > bound_) continue;
            std::swap(board_[hole], board_[from]);
            const bool found = descend(from, hole, length + 1, there);
            std::swap(board_[hole], board_[from]);
            if (found) return true;
        }
        return false;
    }

    std::array<int, cells> board_;
    std::array<std::vector<int>, cells> around_;
    int bound_ = 0;
    std::uint64_t nodes_ = 0;
};

}  // namespace

int main() {
    std::array<int, cells> board;
    while (std::cin >> board[0]) {
        for (int c = 1; c < cells; ++c)
            if (!(std::cin >> board[c])) return 1;
        const auto began = std::chrono::steady_clock::now();
        Search search(board);
        const int length = search.solve();
        const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - began;
        std::cout << length << ' ' << search.nodes() << ' ' << seconds.count() << '\n';
    }
}
