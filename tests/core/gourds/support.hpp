// Solvers for gourds of src/core without Python, meant to run under the sanitizers.
//
// What is compared with what: every move with the rule itself, played on labelled cells by code that knows nothing of
// trains; lengths with the distances of a breadth-first search; sets of keys with maps. Whatever is given to a train,
// it keeps a position that its path leads to.
#pragma once

#include <functional>
#include <map>
#include <set>
#include "boards.hpp"
#include "check.hpp"
#include "gourds/best_first.hpp"
#include "gourds/bidirectional.hpp"
#include "gourds/carrier.hpp"
#include "gourds/sorter.hpp"
#include "graph/replay.hpp"

using namespace slidelab;

namespace {  // all tests are one program, and other folders use the same names

using Cells = std::vector<std::int32_t>;

using Random = std::mt19937_64;

inline std::size_t z(std::int32_t number) { return static_cast<std::size_t>(number); }

inline std::int32_t i32(std::size_t number) { return static_cast<std::int32_t>(number); }

inline bool contains(const Cells& cells, std::int32_t c) { return std::count(cells.begin(), cells.end(), c) > 0; }

template <class F>
inline bool refused(F f) {
    try {
        f();
    } catch (const std::logic_error&) {  // of which bad arguments are a kind
        return true;
    }
    return false;
}

struct Stopped {};

// Stops when it is asked for the n-th time.
inline Tick stop_after(int n) {
    return [n](const char*, std::uint64_t, std::uint64_t) mutable {
        if (--n <= 0) throw Stopped{};
    };
}

struct Board {
    Graph graph;
    Cells coordinates;  // axial, two a cell; none if they are not hexagons
    std::size_t cells() const { return graph.size(); }
    bool touch(std::int32_t a, std::int32_t b) const { return graph[z(a)].count(b) > 0; }
    std::int32_t cell(std::int32_t x, std::int32_t y) const {
        for (std::size_t c = 0; c < cells(); ++c)
            if (coordinates[2 * c] == x && coordinates[2 * c + 1] == y) return i32(c);
        std::abort();
    }
};

inline Board hexagons(const std::vector<std::pair<int, int>>& places) {
    Board board;
    std::vector<std::pair<int, int>> edges;
    for (std::size_t a = 0; a < places.size(); ++a) {
        board.coordinates.insert(board.coordinates.end(), {places[a].first, places[a].second});
        for (std::size_t b = 0; b < a; ++b) {
            const int x = places[a].first - places[b].first, y = places[a].second - places[b].second;
            if (std::max({std::abs(x), std::abs(y), std::abs(x + y)}) == 1) edges.emplace_back(i32(a), i32(b));
        }
    }
    board.graph = graph_of(places.size(), edges);
    return board;
}

inline Board parallelogram(int width, int height) {
    std::vector<std::pair<int, int>> places;
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) places.emplace_back(x, y);
    return hexagons(places);
}

inline Board flower(int radius) {
    std::vector<std::pair<int, int>> places;
    for (int y = -radius; y <= radius; ++y)
        for (int x = -radius; x <= radius; ++x)
            if (std::abs(x + y) <= radius) places.emplace_back(x, y);
    return hexagons(places);
}

// Two rows, the second one shorter: (x, 1) touches (x, 0) and (x + 1, 0).
inline Board strip(int width) {
    std::vector<std::pair<int, int>> places;
    for (int y = 0; y < 2; ++y)
        for (int x = 0; x < width - y; ++x) places.emplace_back(x, y);
    return hexagons(places);
}

inline Board complete(int cells) {
    std::vector<std::pair<int, int>> edges;
    for (int a = 0; a < cells; ++a)
        for (int b = 0; b < a; ++b) edges.emplace_back(a, b);
    return {graph_of(z(cells), edges), {}};
}

inline Board circle(int cells) {
    std::vector<std::pair<int, int>> edges;
    for (int c = 0; c < cells; ++c) edges.emplace_back(c, (c + 1) % cells);
    return {graph_of(z(cells), edges), {}};
}

// A circle with a few more edges.
inline Board chords(int cells, int more, Random& random) {
    Board board = circle(cells);
    for (int i = 0; i < more; ++i) {
        const auto a = i32(random() % z(cells)), b = i32(random() % z(cells));
        if (a != b) board.graph[z(a)].insert(b), board.graph[z(b)].insert(a);
    }
    return board;
}

inline Cells around_the_strip(const Board& board, int width) {
    Cells cycle;
    for (int x = 0; x < width; ++x) cycle.push_back(board.cell(x, 0));
    for (int x = width - 2; x >= 0; --x) cycle.push_back(board.cell(x, 1));
    return cycle;
}

// A cycle through so many cells, any one.
inline std::optional<Cells> any_cycle(const Board& board, std::size_t length, Random& random) {
    Cells cycle{i32(random() % board.cells())};
    std::vector<char> used(board.cells(), 0);
    used[z(cycle[0])] = 1;
    int patience = 20'000;
    const std::function<bool()> extend = [&] {
        if (cycle.size() == length) return board.touch(cycle.back(), cycle[0]);
        Cells next(board.graph[z(cycle.back())].begin(), board.graph[z(cycle.back())].end());
        std::shuffle(next.begin(), next.end(), random);
        for (const auto c : next) {
            if (used[z(c)] != 0 || --patience < 0) continue;
            used[z(c)] = 1;
            cycle.push_back(c);
            if (extend()) return true;
            cycle.pop_back();
            used[z(c)] = 0;
        }
        return false;
    };
    if (!extend()) return std::nullopt;
    return cycle;
}

inline void turn_about(Cells& cycle, Random& random) {
    std::rotate(cycle.begin(), cycle.begin() + static_cast<std::ptrdiff_t>(random() % cycle.size()), cycle.end());
    if (random() % 2 == 0) std::reverse(cycle.begin(), cycle.end());
}

// Head and tail of each gourd on a board with one hole.
struct Plain {
    const Board* board;
    Cells ends;

    struct Move {
        std::size_t gourd;
        std::int32_t kind, head, tail, back;  // `back` is the hole afterwards
    };

    std::int32_t hole() const {
        for (std::int32_t c = 0; c < i32(board->cells()); ++c)
            if (!contains(ends, c)) return c;
        std::abort();
    }

    bool straight(std::int32_t a, std::int32_t b, std::int32_t c) const {
        const Cells& at = board->coordinates;
        return at.empty() || (at[2 * z(a)] - at[2 * z(b)] == at[2 * z(b)] - at[2 * z(c)] &&
                              at[2 * z(a) + 1] - at[2 * z(b) + 1] == at[2 * z(b) + 1] - at[2 * z(c) + 1]);
    }

    std::vector<Move> moves() const {
        std::vector<Move> out;
        const auto to = hole();
        for (std::size_t g = 0; g < ends.size() / 2; ++g) {
            const auto head = ends[2 * g], tail = ends[2 * g + 1];
            const bool at_head = board->touch(head, to), at_tail = board->touch(tail, to);
            if (at_head && at_tail) {
                out.push_back({g, 2, to, tail, head});
                out.push_back({g, 2, head, to, tail});
            } else if (at_head) {
                out.push_back({g, straight(tail, head, to) ? 0 : 1, to, head, tail});
            } else if (at_tail) {
                out.push_back({g, straight(head, tail, to) ? 0 : 1, tail, to, head});
            }
        }
        return out;
    }

    void apply(const Move& move) { ends[2 * move.gourd] = move.head, ends[2 * move.gourd + 1] = move.tail; }

    // The move after which the hole is there; at most one.
    std::optional<Move> move_to(std::int32_t back) const {
        std::optional<Move> found;
        for (const auto& move : moves())
            if (move.back == back) {
                CHECK(!found);
                found = move;
            }
        return found;
    }

    bool play(std::span<const std::int32_t> path) {
        for (const auto back : path) {
            const auto move = move_to(back);
            if (!move) return false;
            apply(*move);
        }
        return true;
    }

    void walk(std::size_t steps, Random& random) {
        for (std::size_t i = 0; i < steps; ++i) {
            const auto all = moves();
            if (all.empty()) return;
            apply(all[random() % all.size()]);
        }
    }
};

// Moves to all states; without those that touch cells that are closed.
inline std::map<Cells, std::uint32_t> distances(const Plain& start, const Cells& closed = {}) {
    std::map<Cells, std::uint32_t> out{{start.ends, 0}};
    std::vector<Cells> queue{start.ends};
    for (std::size_t i = 0; i < queue.size(); ++i) {
        const Plain here{start.board, queue[i]};
        const auto depth = out.at(here.ends);
        for (const auto& move : here.moves()) {
            if (contains(closed, here.ends[2 * move.gourd]) || contains(closed, here.ends[2 * move.gourd + 1]))
                continue;
            Plain after = here;
            after.apply(move);
            if (out.emplace(after.ends, depth + 1).second) queue.push_back(after.ends);
        }
    }
    return out;
}

// Gourds on the cells that are not taken, in any order and in either direction, added to those that are there.
inline bool lay(const Board& board, std::vector<char>& taken, Cells& ends, Random& random, int& patience) {
    std::size_t c = 0;
    while (c < taken.size() && taken[c] != 0) ++c;
    if (c == taken.size()) return true;
    if (--patience < 0) return false;
    Cells others;
    for (const int d : board.graph[c])
        if (taken[z(d)] == 0) others.push_back(d);
    std::shuffle(others.begin(), others.end(), random);
    for (const auto d : others) {
        taken[c] = taken[z(d)] = 1;
        ends.insert(ends.end(), {i32(c), d});
        if (lay(board, taken, ends, random, patience)) return true;
        ends.resize(ends.size() - 2);
        taken[c] = taken[z(d)] = 0;
    }
    return false;
}

inline Cells mixed(const Cells& ends, Random& random) {
    std::vector<std::size_t> order(ends.size() / 2);
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::shuffle(order.begin(), order.end(), random);
    Cells out;
    for (const auto g : order) {
        const std::size_t turn = random() % 2;
        out.insert(out.end(), {ends[2 * g + turn], ends[2 * g + 1 - turn]});
    }
    return out;
}

inline Plain any_position(const Board& board, Random& random) {
    for (;;) {
        std::vector<char> taken(board.cells(), 0);
        taken[random() % board.cells()] = 1;
        Cells ends;
        int patience = 2'000;
        if (lay(board, taken, ends, random, patience)) return {&board, mixed(ends, random)};
    }
}

// The gourds on the cycle along it, the others anyhow; nothing if those can't be laid.
inline std::optional<Plain> along(const Board& board, const Cells& cycle, Random& random) {
    std::vector<char> taken(board.cells(), 0);
    for (const auto c : cycle) taken[z(c)] = 1;
    Cells ends;
    const std::size_t hole = random() % cycle.size();
    for (std::size_t i = 1; i < cycle.size(); i += 2)
        ends.insert(ends.end(), {cycle[(hole + i) % cycle.size()], cycle[(hole + i + 1) % cycle.size()]});
    int patience = 2'000;
    if (!lay(board, taken, ends, random, patience)) return std::nullopt;
    return Plain{&board, mixed(ends, random)};
}

inline GourdTrain train_of(const Plain& plain, Random* random = nullptr) {
    Cells offsets{0}, neighbours;
    for (const auto& row : plain.board->graph) {
        neighbours.insert(neighbours.end(), row.begin(), row.end());
        if (random) std::shuffle(neighbours.begin() + offsets.back(), neighbours.end(), *random);
        offsets.push_back(i32(neighbours.size()));
    }
    return GourdTrain(offsets, neighbours, plain.ends);
}

// A position of the board to which the path leads.
inline void check_sound(const GourdTrain& train, Plain start) {
    CHECK(start.play(train.path()));
    CHECK(start.ends == train.ends());
    CHECK(start.hole() == train.hole());
    for (std::size_t e = 0; e < train.ends().size(); ++e) CHECK(train.at(train.ends()[e]) == i32(e));
    CHECK(train.at(train.hole()) == GourdTrain::nothing);
}

inline std::vector<Board> boards(Random& random) {
    std::vector<Board> out{
        flower(1), flower(2), parallelogram(3, 3), parallelogram(5, 5), parallelogram(7, 3), strip(2),
        strip(3),  strip(9)};
    for (int cells : {3, 5, 7, 9})
        out.push_back(complete(cells)), out.push_back(circle(cells)), out.push_back(chords(cells, cells / 2, random));
    return out;
}

// The left and the right part of a strip that have the cells (i, 0), (i + 1, 0) and (i, 1) in common; the hole is on
// (i, 1).
struct TwoWays {
    Board board;
    Cells left, right;

    TwoWays(int width, int i) : board(strip(width)) {
        left.push_back(board.cell(i, 1));
        for (int x = i + 1; x >= 0; --x) left.push_back(board.cell(x, 0));
        for (int x = 0; x < i; ++x) left.push_back(board.cell(x, 1));
        right.push_back(board.cell(i, 1));
        for (int x = i; x < width; ++x) right.push_back(board.cell(x, 0));
        for (int x = width - 2; x > i; --x) right.push_back(board.cell(x, 1));
    }

    Plain position(Random& random) const {
        Cells ends;
        for (std::size_t i = 1; i < left.size(); i += 2) ends.insert(ends.end(), {left[i], left[i + 1]});
        for (std::size_t i = 3; i < right.size(); i += 2) ends.insert(ends.end(), {right[i], right[i + 1]});
        return {&board, mixed(ends, random)};
    }

    // Rounds that bring a gourd to the common place, in the shorter direction; each is as many moves as the cycle has
    // cells.
    std::size_t moves_over(Cells cycle, const Cells& ends, std::size_t gourd) const {
        std::rotate(cycle.begin(), std::find(cycle.begin(), cycle.end(), left[0]), cycle.end());
        const auto place = [&](std::int32_t c) {
            return static_cast<std::size_t>(std::find(cycle.begin(), cycle.end(), c) - cycle.begin() - 1) / 2;
        };
        const std::size_t k = cycle.size() / 2, apart = (place(ends[2 * gourd]) + k - place(left[1])) % k;
        return std::min(apart, k - apart) * cycle.size();
    }

    static std::set<std::size_t> on(const Cells& cycle, const Cells& ends) {
        std::set<std::size_t> out;
        for (std::size_t e = 0; e < ends.size(); ++e)
            if (contains(cycle, ends[e])) out.insert(e / 2);
        return out;
    }
};

// Five cells a b c d e of which a, c and e touch each other, and two rows from e back to a; in the order of the cycle.
inline Board bay(int length) {
    std::vector<std::pair<int, int>> places{{0, 0}, {1, -1}, {1, 0}, {1, 1}, {0, 1}};
    for (int x = 1; x <= length; ++x) places.emplace_back(-x, 2);
    for (int x = length; x >= 1; --x) places.emplace_back(-x, 1);
    return hexagons(places);
}

inline std::uint32_t weight(Random& random) { return static_cast<std::uint32_t>(random() % 6); }

}  // namespace
