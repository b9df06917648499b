// Plain breadth-first search of a sliding puzzle: the baseline of the benchmark.
//
// This is the program one would write first when asked for the number of states at each distance: one
// thread, two bits per state, permutations numbered by the linear-time ranking of Myrvold and Ruskey
// (2001). It shares no code with the library, so it serves both as a yardstick for time and memory and as
// an independent check of the results. Build: c++ -O3 -std=c++20 plain_bfs.cpp -o plain_bfs
//
// Input, integers separated by white space:
//     cells holes
//     number_of_steps, then for each step: from to second
//     the hole cells of the start configuration
// A tile on cell `from` may move to cell `to` if `to` is a hole and so is `second`, unless `second` is -1.
// At the start the tiles are 0, 1, 2, ... in increasing cell order.

#include <array>
#include <bit>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <iostream>
#include <map>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {

constexpr int max_cells = 64;
constexpr int max_tiles = 15;
constexpr std::uint64_t max_states = std::uint64_t{1} << 40;

using CellSet = std::uint64_t;  // bit c is set when cell c belongs to the set

struct InputError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

struct Step {
    int from;
    int to;
    int second;  // -1 for none
};

struct Puzzle {
    int cells = 0;
    int tiles = 0;
    std::vector<Step> steps;
    CellSet holes = 0;
};

// A move between shapes (hole sets): the tile at `from_position` of the permutation is taken out and put
// back at `to_position`, where positions count the occupied cells in increasing order.
struct Move {
    int from_position;
    int to_position;
    std::uint32_t target;
};

struct Shapes {
    std::vector<Move> moves;
    std::vector<std::size_t> first_move;  // the moves of shape s are first_move[s] .. first_move[s + 1] - 1

    std::size_t count() const { return first_move.size() - 1; }
};

constexpr CellSet cell_bit(int cell) { return CellSet{1} << cell; }

constexpr std::uint64_t factorial(int n) {
    std::uint64_t result = 1;
    for (int k = 2; k <= n; ++k) result *= static_cast<std::uint64_t>(k);
    return result;
}

int read_integer(std::istream& in, int low, int high, const char* what) {
    int value = 0;
    if (!(in >> value)) throw InputError(std::string("missing or malformed number: ") + what);
    if (value < low || value > high) throw InputError(std::string("number out of range: ") + what);
    return value;
}

Puzzle read_puzzle(std::istream& in) {
    Puzzle puzzle;
    puzzle.cells = read_integer(in, 1, max_cells, "cells");
    const int holes = read_integer(in, 0, puzzle.cells, "holes");
    puzzle.tiles = puzzle.cells - holes;
    if (puzzle.tiles > max_tiles) throw InputError("more than 15 tiles");

    const int last = puzzle.cells - 1;
    const int step_count = read_integer(in, 0, max_cells * max_cells * (max_cells + 1), "number of steps");
    for (int k = 0; k < step_count; ++k) {
        Step step{};
        step.from = read_integer(in, 0, last, "from");
        step.to = read_integer(in, 0, last, "to");
        step.second = read_integer(in, -1, last, "second");
        if (step.from == step.to) throw InputError("a step from a cell to itself");
        puzzle.steps.push_back(step);
    }
    for (int k = 0; k < holes; ++k) {
        const CellSet hole = cell_bit(read_integer(in, 0, last, "hole"));
        if ((puzzle.holes & hole) != 0) throw InputError("a hole given twice");
        puzzle.holes |= hole;
    }
    if (!(in >> std::ws).eof()) throw InputError("unexpected text after the holes");
    return puzzle;
}

// The shapes reachable from the start, numbered in the order of discovery; the start is shape 0.
Shapes find_shapes(const Puzzle& puzzle) {
    const CellSet all = puzzle.cells == max_cells ? ~CellSet{0} : cell_bit(puzzle.cells) - 1;
    const std::uint64_t permutations = factorial(puzzle.tiles);
    const auto position = [all](CellSet holes, int cell) {
        return std::popcount(all & ~holes & (cell_bit(cell) - 1));
    };

    Shapes shapes;
    std::vector<CellSet> found{puzzle.holes};
    std::map<CellSet, std::uint32_t> number{{puzzle.holes, 0}};
    for (std::size_t s = 0; s < found.size(); ++s) {
        shapes.first_move.push_back(shapes.moves.size());
        const CellSet holes = found[s];
        std::array<CellSet, max_cells> done{};  // done[from]: the cells `to` already in the list
        for (const Step& step : puzzle.steps) {
            const CellSet needed = cell_bit(step.to) | (step.second < 0 ? 0 : cell_bit(step.second));
            if ((holes & cell_bit(step.from)) != 0 || (holes & needed) != needed) continue;
            CellSet& targets = done[static_cast<std::size_t>(step.from)];
            if ((targets & cell_bit(step.to)) != 0) continue;
            targets |= cell_bit(step.to);

            const CellSet after = holes ^ cell_bit(step.from) ^ cell_bit(step.to);
            const auto [entry, is_new] = number.try_emplace(after, static_cast<std::uint32_t>(found.size()));
            if (is_new) {
                found.push_back(after);
                if (found.size() > max_states / permutations) throw std::bad_alloc();
            }
            shapes.moves.push_back({position(holes, step.from), position(after, step.to), entry->second});
        }
    }
    shapes.first_move.push_back(shapes.moves.size());
    return shapes;
}

// The algorithms rank1 and unrank1 of Myrvold and Ruskey. The number of tiles is a template parameter so
// that the divisions are by constants and the loops can be unrolled.
template <int tiles>
using Permutation = std::array<int, tiles>;

template <int tiles>
Permutation<tiles> unrank(std::uint64_t rank) {
    Permutation<tiles> perm;
    for (int k = 0; k < tiles; ++k) perm[k] = k;
    for (int n = tiles; n > 1; --n) {
        const auto divisor = static_cast<std::uint64_t>(n);
        std::swap(perm[n - 1], perm[rank % divisor]);
        rank /= divisor;
    }
    return perm;
}

template <int tiles>
std::uint64_t rank(Permutation<tiles> perm) {
    Permutation<tiles> inverse;
    for (int k = 0; k < tiles; ++k) inverse[perm[k]] = k;
    std::uint64_t result = 0;
    std::uint64_t weight = 1;
    for (int n = tiles; n > 1; --n) {
        const int last = perm[n - 1];
        const int place = inverse[n - 1];
        perm[place] = last;
        inverse[last] = place;
        result += weight * static_cast<std::uint64_t>(last);
        weight *= static_cast<std::uint64_t>(n);
    }
    return result;
}

template <int tiles>
Permutation<tiles> moved(Permutation<tiles> perm, int from, int to) {
    const int tile = perm[from];
    for (; from < to; ++from) perm[from] = perm[from + 1];
    for (; from > to; --from) perm[from] = perm[from - 1];
    perm[to] = tile;
    return perm;
}

// The numbers of states at distance 0, 1, 2, ... A state has two bits: 0 unseen, 3 done, and 1 and 2 take
// turns as the values of the current and of the next layer.
template <int tiles>
std::vector<std::uint64_t> search(const Shapes& shapes) {
    constexpr std::uint64_t permutations = factorial(tiles);
    constexpr std::uint64_t low_bits = 0x5555555555555555;
    constexpr std::uint64_t states_per_word = 32;

    std::vector<std::uint64_t> words((shapes.count() * permutations + states_per_word - 1) / states_per_word);
    Permutation<tiles> start;
    for (int k = 0; k < tiles; ++k) start[k] = k;
    const std::uint64_t start_index = rank<tiles>(start);
    words[start_index / states_per_word] = std::uint64_t{1} << 2 * (start_index % states_per_word);

    std::vector<std::uint64_t> distribution{1};
    for (std::uint64_t current = 1;; current = 3 - current) {
        const std::uint64_t next = 3 - current;
        std::uint64_t next_count = 0;
        for (std::size_t w = 0; w < words.size(); ++w) {
            const std::uint64_t low = words[w] & low_bits;
            const std::uint64_t high = words[w] >> 1 & low_bits;
            const std::uint64_t frontier = current == 1 ? low & ~high : high & ~low;
            if (frontier == 0) continue;
            words[w] |= 3 * frontier;

            for (std::uint64_t left = frontier; left != 0; left &= left - 1) {
                const auto place = static_cast<std::uint64_t>(std::countr_zero(left)) / 2;
                const std::uint64_t index = w * states_per_word + place;
                const std::uint64_t shape = index / permutations;
                const Permutation<tiles> perm = unrank<tiles>(index % permutations);
                for (std::size_t m = shapes.first_move[shape]; m < shapes.first_move[shape + 1]; ++m) {
                    const Move& move = shapes.moves[m];
                    // A tile that passes no other keeps the order, and with it the rank.
                    const std::uint64_t there =
                        move.from_position == move.to_position
                            ? index % permutations
                            : rank<tiles>(moved<tiles>(perm, move.from_position, move.to_position));
                    const std::uint64_t neighbour = move.target * permutations + there;
                    std::uint64_t& word = words[neighbour / states_per_word];
                    const std::uint64_t shift = 2 * (neighbour % states_per_word);
                    if ((word >> shift & 3) == 0) {
                        word |= next << shift;
                        ++next_count;
                    }
                }
            }
        }
        if (next_count == 0) return distribution;
        distribution.push_back(next_count);
    }
}

// Calls the search compiled for this number of tiles.
template <int tiles = 1>
std::vector<std::uint64_t> search_for(int wanted, const Shapes& shapes) {
    if constexpr (tiles < max_tiles) {
        if (wanted > tiles) return search_for<tiles + 1>(wanted, shapes);
    }
    return search<tiles>(shapes);
}

void run(std::istream& in) {
    const Puzzle puzzle = read_puzzle(in);
    const auto begin = std::chrono::steady_clock::now();
    std::vector<std::uint64_t> distribution{1};  // without tiles there is one state and no move
    if (puzzle.tiles > 0) distribution = search_for(puzzle.tiles, find_shapes(puzzle));
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;

    std::uint64_t states = 0;
    std::cout << "distribution";
    for (const std::uint64_t count : distribution) {
        std::cout << ' ' << count;
        states += count;
    }
    std::cout << "\nstates " << states << " depth " << distribution.size() - 1 << "\nseconds "
              << elapsed.count() << '\n';
}

}  // namespace

int main() {
    try {
        run(std::cin);
    } catch (const InputError& error) {
        std::cerr << "plain_bfs: " << error.what() << '\n';
        return 2;
    } catch (const std::bad_alloc&) {
        std::cerr << "plain_bfs: not enough memory for this puzzle\n";
        return 1;
    }
    return 0;
}
