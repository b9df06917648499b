// Solvers for gourds of src/core without Python, meant to run under the sanitizers.
//
// What is compared with what: every move with the rule itself, played on labelled cells by code that knows nothing of
// trains; lengths with the distances of a breadth-first search; sets of keys with maps. Whatever is given to a train,
// it keeps a position that its trail leads to.
#include "boards.hpp"
#include "check.hpp"
#include "gourds/best_first.hpp"
#include "gourds/carrier.hpp"
#include "gourds/bidirectional.hpp"
#include "gourds/sorter.hpp"
#include "graph/replay.hpp"

#include <functional>
#include <map>
#include <set>

using namespace slidelab;

namespace {

using Cells = std::vector<std::int32_t>;
using Random = std::mt19937_64;
using Means = GourdCarrier::Means;

std::size_t z(std::int32_t number) { return static_cast<std::size_t>(number); }
std::int32_t i32(std::size_t number) { return static_cast<std::int32_t>(number); }
bool contains(const Cells& cells, std::int32_t c) { return std::count(cells.begin(), cells.end(), c) > 0; }

template <class F>
bool refused(F f) {
    try {
        f();
    } catch (const std::logic_error&) {  // of which bad arguments are a kind
        return true;
    }
    return false;
}

struct Stopped {};

// Stops when it is asked for the n-th time.
Tick stop_after(int n) {
    return [n](const char*, std::uint64_t, std::uint64_t) mutable {
        if (--n <= 0) throw Stopped{};
    };
}

// ---------------------------------------------------------------- boards

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

Board hexagons(const std::vector<std::pair<int, int>>& places) {
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

Board parallelogram(int width, int height) {
    std::vector<std::pair<int, int>> places;
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) places.emplace_back(x, y);
    return hexagons(places);
}

Board flower(int radius) {
    std::vector<std::pair<int, int>> places;
    for (int y = -radius; y <= radius; ++y)
        for (int x = -radius; x <= radius; ++x)
            if (std::abs(x + y) <= radius) places.emplace_back(x, y);
    return hexagons(places);
}

// Two rows, the second one shorter: (x, 1) touches (x, 0) and (x + 1, 0).
Board strip(int width) {
    std::vector<std::pair<int, int>> places;
    for (int y = 0; y < 2; ++y)
        for (int x = 0; x < width - y; ++x) places.emplace_back(x, y);
    return hexagons(places);
}

Board complete(int cells) {
    std::vector<std::pair<int, int>> edges;
    for (int a = 0; a < cells; ++a)
        for (int b = 0; b < a; ++b) edges.emplace_back(a, b);
    return {graph_of(z(cells), edges), {}};
}

Board circle(int cells) {
    std::vector<std::pair<int, int>> edges;
    for (int c = 0; c < cells; ++c) edges.emplace_back(c, (c + 1) % cells);
    return {graph_of(z(cells), edges), {}};
}

// A circle with a few more edges.
Board chords(int cells, int more, Random& random) {
    Board board = circle(cells);
    for (int i = 0; i < more; ++i) {
        const auto a = i32(random() % z(cells)), b = i32(random() % z(cells));
        if (a != b) board.graph[z(a)].insert(b), board.graph[z(b)].insert(a);
    }
    return board;
}

Cells around_the_strip(const Board& board, int width) {
    Cells way;
    for (int x = 0; x < width; ++x) way.push_back(board.cell(x, 0));
    for (int x = width - 2; x >= 0; --x) way.push_back(board.cell(x, 1));
    return way;
}

// A closed way through so many cells, any one.
std::optional<Cells> any_way(const Board& board, std::size_t length, Random& random) {
    Cells way{i32(random() % board.cells())};
    std::vector<char> used(board.cells(), 0);
    used[z(way[0])] = 1;
    int patience = 20'000;
    const std::function<bool()> extend = [&] {
        if (way.size() == length) return board.touch(way.back(), way[0]);
        Cells next(board.graph[z(way.back())].begin(), board.graph[z(way.back())].end());
        std::shuffle(next.begin(), next.end(), random);
        for (const auto c : next) {
            if (used[z(c)] != 0 || --patience < 0) continue;
            used[z(c)] = 1;
            way.push_back(c);
            if (extend()) return true;
            way.pop_back();
            used[z(c)] = 0;
        }
        return false;
    };
    if (!extend()) return std::nullopt;
    return way;
}

void turn_about(Cells& way, Random& random) {
    std::rotate(way.begin(), way.begin() + static_cast<std::ptrdiff_t>(random() % way.size()), way.end());
    if (random() % 2 == 0) std::reverse(way.begin(), way.end());
}

// ---------------------------------------------------------------- the rule

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
        return at.empty() || (at[2 * z(a)] - at[2 * z(b)] == at[2 * z(b)] - at[2 * z(c)] && at[2 * z(a) + 1] - at[2 * z(b) + 1] == at[2 * z(b) + 1] - at[2 * z(c) + 1]);
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

    bool play(std::span<const std::int32_t> trail) {
        for (const auto back : trail) {
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
std::map<Cells, std::uint32_t> distances(const Plain& start, const Cells& closed = {}) {
    std::map<Cells, std::uint32_t> out{{start.ends, 0}};
    std::vector<Cells> queue{start.ends};
    for (std::size_t i = 0; i < queue.size(); ++i) {
        const Plain here{start.board, queue[i]};
        const auto depth = out.at(here.ends);
        for (const auto& move : here.moves()) {
            if (contains(closed, here.ends[2 * move.gourd]) || contains(closed, here.ends[2 * move.gourd + 1])) continue;
            Plain after = here;
            after.apply(move);
            if (out.emplace(after.ends, depth + 1).second) queue.push_back(after.ends);
        }
    }
    return out;
}

// Gourds on the cells that are not taken, in any order and either way round, added to those that are there.
bool lay(const Board& board, std::vector<char>& taken, Cells& ends, Random& random, int& patience) {
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

Cells mixed(const Cells& ends, Random& random) {
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

Plain any_position(const Board& board, Random& random) {
    for (;;) {
        std::vector<char> taken(board.cells(), 0);
        taken[random() % board.cells()] = 1;
        Cells ends;
        int patience = 2'000;
        if (lay(board, taken, ends, random, patience)) return {&board, mixed(ends, random)};
    }
}

// The gourds on the way along it, the others anyhow; nothing if those can't be laid.
std::optional<Plain> along(const Board& board, const Cells& way, Random& random) {
    std::vector<char> taken(board.cells(), 0);
    for (const auto c : way) taken[z(c)] = 1;
    Cells ends;
    const std::size_t hole = random() % way.size();
    for (std::size_t i = 1; i < way.size(); i += 2) ends.insert(ends.end(), {way[(hole + i) % way.size()], way[(hole + i + 1) % way.size()]});
    int patience = 2'000;
    if (!lay(board, taken, ends, random, patience)) return std::nullopt;
    return Plain{&board, mixed(ends, random)};
}

GourdTrain train_of(const Plain& plain, Random* random = nullptr) {
    Cells offsets{0}, neighbours;
    for (const auto& row : plain.board->graph) {
        neighbours.insert(neighbours.end(), row.begin(), row.end());
        if (random) std::shuffle(neighbours.begin() + offsets.back(), neighbours.end(), *random);
        offsets.push_back(i32(neighbours.size()));
    }
    return GourdTrain(offsets, neighbours, plain.ends);
}

// A position of the board to which the trail leads.
void check_sound(const GourdTrain& train, Plain start) {
    CHECK(start.play(train.trail()));
    CHECK(start.ends == train.ends());
    CHECK(start.hole() == train.hole());
    for (std::size_t e = 0; e < train.ends().size(); ++e) CHECK(train.at(train.ends()[e]) == i32(e));
    CHECK(train.at(train.hole()) == GourdTrain::nothing);
}

std::vector<Board> boards(Random& random) {
    std::vector<Board> out{flower(1), flower(2), parallelogram(3, 3), parallelogram(5, 5), parallelogram(7, 3), strip(2), strip(3), strip(9)};
    for (int cells : {3, 5, 7, 9}) out.push_back(complete(cells)), out.push_back(circle(cells)), out.push_back(chords(cells, cells / 2, random));
    return out;
}

std::vector<Board> small_boards(int cells, Random& random) {
    std::vector<Board> out{strip((cells + 1) / 2), complete(cells), circle(cells), chords(cells, 2, random), chords(cells, 4, random)};
    if (cells == 7) out.push_back(flower(1));
    if (cells == 5) out.push_back(hexagons({{0, 0}, {1, -1}, {1, 0}, {1, 1}, {0, 1}}));
    return out;
}

// ---------------------------------------------------------------- trains

void test_play() {
    Random random(1);
    for (const auto& board : boards(random))
        for (int round = 0; round < 6; ++round) {
            const Plain start = any_position(board, random);
            Plain plain = start;
            GourdTrain train = train_of(start, &random);
            Cells rows, bare;
            for (int step = 0; step < 200; ++step) {
                const auto back = i32(random() % board.cells());
                const auto move = plain.move_to(back);
                CHECK(refused([&] { train.play(back); }) == !move);
                if (move) {
                    const auto piece = i32(move->gourd + 1);
                    const Cells row{piece, move->kind, plain.ends[2 * move->gourd], plain.ends[2 * move->gourd + 1], move->head, move->tail};
                    rows.insert(rows.end(), row.begin(), row.end());
                    bare.insert(bare.end(), row.begin(), row.end());
                    if (move->kind == 1) bare[bare.size() - 5] = 0;
                    plain.apply(*move);
                }
                CHECK(train.ends() == plain.ends);
                CHECK(train.hole() == plain.hole());
            }
            check_sound(train, start);
            const GourdTrain first = train_of(start);
            CHECK(first.rows_of_trail(train.trail(), board.coordinates) == rows);
            CHECK(first.rows_of_trail(train.trail(), {}) == bare);
            CHECK(first.trail().empty());
            GourdTrain again(first);
            again.play(train.trail());
            CHECK(again.ends() == train.ends());
            CHECK(again.trail() == train.trail());
            CHECK(GourdTrain(train).trail().empty());
            CHECK(first.with(plain.ends).ends() == plain.ends);
            again.forget_trail();
            CHECK(again.trail().empty());
        }
}

void test_pull() {
    Random random(2);
    int ways = 0;
    for (const auto& board : boards(random))
        for (int round = 0; round < 12; ++round) {
            const std::size_t length = 3 + 2 * (random() % ((board.cells() - 1) / 2));
            const auto way = any_way(board, length, random);
            if (!way) continue;
            const auto start = along(board, *way, random);
            if (!start) continue;
            ++ways;
            const auto n = static_cast<std::int64_t>(length);
            const auto from = std::find(way->begin(), way->end(), start->hole()) - way->begin();
            const auto at = [&](std::int64_t steps) { return (*way)[static_cast<std::size_t>(((from + steps) % n + n) % n)]; };

            // A round: every gourd is one place on, and the hole where it was.
            for (const int sign : {1, -1}) {
                GourdTrain train = train_of(*start);
                train.pull(*way, sign * n);
                check_sound(train, *start);
                CHECK(train.hole() == start->hole());
                CHECK(train.trail().size() == length);
                for (std::int64_t p = 0; p < n / 2; ++p) {
                    const GourdTrain before = train_of(*start);
                    const auto q = (p - sign + n / 2) % (n / 2);
                    const auto gourd = before.at(at(2 * p + 1)) / 2;
                    CHECK(train.at(at(2 * q + 1)) / 2 == gourd);
                    CHECK(train.at(at(2 * q + 2)) / 2 == gourd);
                }
                for (std::size_t g = 0; g < train.gourds(); ++g)
                    if (!contains(*way, start->ends[2 * g])) CHECK(train.ends()[2 * g] == start->ends[2 * g]);
            }
            // Any number of pulls, and back.
            const auto pulls = static_cast<std::int64_t>(random() % (3 * length)) - n;
            GourdTrain train = train_of(*start);
            train.pull(*way, pulls);
            CHECK(train.hole() == at(((2 * pulls) % n + n) % n));
            check_sound(train, *start);
            train.pull(*way, -pulls);
            CHECK(train.ends() == start->ends);
            check_sound(train, *start);
            train.pull(*way, 0);
            CHECK(train.ends() == start->ends);
            // To a cell, the shorter way round.
            const std::int64_t target = static_cast<std::int64_t>(random() % length);
            const auto made = train.pull_to(*way, at(target));
            CHECK(train.hole() == at(target));
            CHECK(((2 * made - target) % n + n) % n == 0);
            CHECK(2 * std::abs(made) <= n);
            check_sound(train, *start);
        }
    CHECK(ways > 100);
}

bool lies_along(const GourdTrain& train, const Cells& way) {
    const std::size_t hole = static_cast<std::size_t>(std::find(way.begin(), way.end(), train.hole()) - way.begin());
    for (std::size_t i = 1; i < way.size(); i += 2)
        if (train.at(way[(hole + i) % way.size()]) / 2 != train.at(way[(hole + i + 1) % way.size()]) / 2) return false;
    return true;
}

void test_align() {
    Random random(3);
    int aligned = 0;
    for (const auto& board : boards(random))
        for (int round = 0; round < 8; ++round) {
            auto way = any_way(board, board.cells(), random);
            if (!way) continue;
            const Plain start = any_position(board, random);
            GourdTrain train = train_of(start, &random);
            // Stopped now and then: the position is one the trail leads to, and it can be taken up again.
            for (int n = 1; n < 4; ++n) {
                try {
                    train.align(*way, stop_after(n));
                } catch (const Stopped&) {
                }
                check_sound(train, start);
            }
            train.align(*way, quiet);
            CHECK(lies_along(train, *way));
            check_sound(train, start);
            const std::size_t length = train.trail().size();
            train.align(*way, quiet);
            CHECK(train.trail().size() == length);
            ++aligned;
        }
    for (int width = 2; width < 14; ++width) {
        const Board board = strip(width);
        Cells way = around_the_strip(board, width);
        turn_about(way, random);
        const Plain start = any_position(board, random);
        GourdTrain train = train_of(start);
        train.align(way, quiet);
        CHECK(lies_along(train, way));
        check_sound(train, start);
    }
    CHECK(aligned > 50);
}

// ---------------------------------------------------------------- two ways

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

    // Rounds that bring a gourd to the common place, the shorter way; each is as many moves as the way has cells.
    std::size_t moves_over(Cells way, const Cells& ends, std::size_t gourd) const {
        std::rotate(way.begin(), std::find(way.begin(), way.end(), left[0]), way.end());
        const auto place = [&](std::int32_t c) { return static_cast<std::size_t>(std::find(way.begin(), way.end(), c) - way.begin() - 1) / 2; };
        const std::size_t k = way.size() / 2, apart = (place(ends[2 * gourd]) + k - place(left[1])) % k;
        return std::min(apart, k - apart) * way.size();
    }

    static std::set<std::size_t> on(const Cells& way, const Cells& ends) {
        std::set<std::size_t> out;
        for (std::size_t e = 0; e < ends.size(); ++e)
            if (contains(way, ends[e])) out.insert(e / 2);
        return out;
    }
};

void test_exchange() {
    Random random(4);
    std::size_t most = 0, single = 0;
    for (int width = 3; width < 11; ++width)
        for (int i = 0; i + 2 < width; ++i)
            for (int round = 0; round < 4; ++round) {
                const TwoWays two(width, i);
                const Plain start = two.position(random), goal = two.position(random);
                Cells first = two.left, second = two.right;
                if (random() % 2 == 0) std::swap(first, second);
                turn_about(first, random);
                turn_about(second, random);
                GourdTrain train = train_of(start);
                const GourdTrain target = train_of(goal);
                const auto wanted = TwoWays::on(first, goal.ends);
                std::size_t expected = 0;
                for (const auto g : TwoWays::on(first, start.ends)) expected += 1 - wanted.count(g);
                if (round == 0) {
                    GourdTrain stopped(train);
                    for (int n = 1; n < 6; ++n) {
                        try {
                            stopped.exchange(first, second, target, stop_after(n));
                        } catch (const Stopped&) {
                        }
                        check_sound(stopped, start);
                        CHECK(stopped.hole() == start.hole());
                    }
                    stopped.exchange(first, second, target, quiet);
                    CHECK(TwoWays::on(first, stopped.ends()) == wanted);
                }
                CHECK(train.exchange(first, second, target, quiet) == expected);
                CHECK(TwoWays::on(first, train.ends()) == wanted);
                CHECK(train.hole() == start.hole());
                check_sound(train, start);
                if (expected == 1) {
                    std::size_t moves = 0;
                    for (std::size_t g = 0; g < train.gourds(); ++g) {
                        const bool in_first = TwoWays::on(first, start.ends).count(g) > 0;
                        if (in_first != (wanted.count(g) > 0)) moves += two.moves_over(in_first ? first : second, start.ends, g);
                    }
                    CHECK(train.trail().size() == moves);
                    ++single;
                }
                CHECK(train.exchange(first, second, target, quiet) == 0);
                CHECK(train.exchange(first, second, train, quiet) == 0);
                most = std::max(most, expected);
            }
    CHECK(most >= 3 && single >= 10);
}

void test_bad_exchange() {
    Random random(5);
    const TwoWays two(6, 2);
    const Plain start = two.position(random), goal = two.position(random);
    GourdTrain train = train_of(start);
    const GourdTrain target = train_of(goal);
    const auto bad = [&](const Cells& a, const Cells& b, const GourdTrain& g) { return refused([&] { train.exchange(a, b, g, quiet); }); };
    CHECK(bad({}, two.right, target));
    CHECK(bad(two.left, {}, target));
    CHECK(bad(two.left, two.left, target));
    CHECK(bad(two.left, {-1}, target));
    CHECK(bad(two.left, {0, 1, 1'000}, target));
    CHECK(bad({1'000, 1, 2}, two.right, target));
    CHECK(bad(around_the_strip(two.board, 6), two.right, target));
    CHECK(bad({two.board.cell(0, 0), two.board.cell(1, 0), two.board.cell(0, 1)}, two.right, target));  // not the hole
    const Board small = strip(5);
    CHECK(bad(two.left, two.right, train_of(any_position(small, random))));
    // Goals that are not along the ways: refused at once or on the way, the train stays sound.
    for (int round = 0; round < 300; ++round) {
        const Plain any = any_position(two.board, random);
        const Plain& from = round % 2 == 0 ? start : any;
        GourdTrain other = train_of(from);
        refused([&] { other.exchange(two.left, two.right, train_of(round % 3 == 0 ? goal : any), quiet); });
        check_sound(other, from);
    }
    CHECK(train.trail().empty());
    train.exchange(two.left, two.right, target, quiet);
    CHECK(TwoWays::on(two.left, train.ends()) == TwoWays::on(two.left, goal.ends));
}

// ---------------------------------------------------------------- sorting

// Five cells a b c d e of which a, c and e touch each other, and two rows from e back to a; in the order of the way.
Board bay(int length) {
    std::vector<std::pair<int, int>> places{{0, 0}, {1, -1}, {1, 0}, {1, 1}, {0, 1}};
    for (int x = 1; x <= length; ++x) places.emplace_back(-x, 2);
    for (int x = length; x >= 1; --x) places.emplace_back(-x, 1);
    return hexagons(places);
}

void check_sort(const Board& board, const Cells& way, Random& random) {
    const Plain start = *along(board, way, random), goal = *along(board, way, random);
    GourdTrain train = train_of(start);
    const GourdTrain target = train_of(goal);
    for (int n = 1; n < 40; n += 6) {
        try {
            const Tick stop = stop_after(n);
            GourdSorting(train, way, target, stop).run();
            break;
        } catch (const Stopped&) {
            check_sound(train, start);
        }
    }
    GourdSorting(train, way, target, quiet).run();
    CHECK(train.ends() == goal.ends);
    check_sound(train, start);
    GourdTrain again = train_of(start);
    GourdSorting sorting(again, way, target, quiet);  // with a tick that is gone by the time it runs
    sorting.run();
    CHECK(again.ends() == goal.ends);
    check_sound(again, start);
    CHECK(target.trail().empty());
}

void test_sort() {
    Random random(6);
    for (int round = 0; round < 3; ++round) {
        for (int length = 0; length < 5; ++length) {
            const Board board = bay(length);
            Cells way(board.cells());
            for (std::size_t c = 0; c < way.size(); ++c) way[c] = i32(c);
            CHECK(!board.touch(0, 3));
            check_sort(board, way, random);
        }
        for (int width = 3; width < 8; ++width) {
            const Board board = strip(width);
            Cells way = around_the_strip(board, width);
            std::rotate(way.begin(), way.begin() + 2, way.end());
            std::reverse(way.begin(), way.end());  // (1, 0), (0, 0), (0, 1), (1, 1), ...
            CHECK(board.touch(way[0], way[3]));
            check_sort(board, way, random);
        }
        for (int cells : {5, 7, 9}) {
            const Board board = complete(cells);
            check_sort(board, *any_way(board, board.cells(), random), random);
        }
    }
}

void test_bad_sort() {
    Random random(7);
    const Board board = bay(2);
    Cells way(board.cells());
    for (std::size_t c = 0; c < way.size(); ++c) way[c] = i32(c);
    const Plain start = *along(board, way, random), goal = *along(board, way, random);
    const GourdTrain target = train_of(goal);
    const auto bad = [&](const Cells& w, const GourdTrain& g) {
        GourdTrain train = train_of(start);
        const bool out = refused([&] { GourdSorting(train, w, g, quiet).run(); });
        check_sound(train, start);
        return out;
    };
    CHECK(!bad(way, target));
    CHECK(bad({}, target));
    CHECK(bad({0, 1, 2}, target));
    CHECK(bad({0, 1, 2, 3, -1}, target));
    CHECK(bad({0, 1, 2, 3, 1'000}, target));
    CHECK(bad({0, 1, 2, 3, 4, 4, 4}, target));
    CHECK(bad({0, 1, 2, 3, 4, 5}, target));
    CHECK(bad({1, 2, 3, 4, 5, 6, 7, 8, 0}, target));
    // Heads where they should be, but not along the way.
    const Board seven = complete(7);
    GourdTrain here = train_of({&seven, {1, 2, 3, 4, 5, 6}}), across = train_of({&seven, {1, 4, 3, 6, 5, 2}});
    CHECK(refused([&] { GourdSorting(here, {0, 1, 2, 3, 4, 5, 6}, across, quiet).run(); }));
    CHECK(refused([&] { GourdSorting(across, {0, 1, 2, 3, 4, 5, 6}, here, quiet).run(); }));
    const Board small = bay(1), large = bay(4);
    CHECK(bad(way, train_of(any_position(small, random))));
    for (int round = 0; round < 200; ++round) {
        bad(way, train_of(any_position(board, random)));
        bad(way, train_of(any_position(large, random)));
        const Plain any = any_position(board, random);
        GourdTrain train = train_of(any);
        if (!refused([&] { GourdSorting(train, way, target, quiet).run(); })) CHECK(train.ends() == goal.ends);
        check_sound(train, any);
        Cells wild(5 + 2 * (random() % 3));
        for (auto& c : wild) c = i32(random() % (board.cells() + 1)) - (random() % 20 == 0);
        bad(wild, target);
    }
}

// ---------------------------------------------------------------- searches

void test_search() {
    Random random(8);
    for (int cells : {5, 7})
        for (const auto& board : small_boards(cells, random)) {
            const Plain start = any_position(board, random);
            const auto far = distances(start);
            GourdTrain train = train_of(start, &random);
            Cells all(board.cells());
            for (std::size_t c = 0; c < all.size(); ++c) all[c] = i32(c);
            std::shuffle(all.begin(), all.end(), random);
            const std::size_t step = 1 + far.size() / 100;
            std::size_t i = 0;
            for (const auto& [ends, depth] : far) {
                if (i++ % step != 0) continue;
                const auto found = search_gourds(train, all, train.with(ends));
                CHECK(found && found->size() == depth);
                Plain plain = start;
                CHECK(plain.play(*found) && plain.ends == ends);
            }
            for (int round = 0; round < 30; ++round) {
                const Plain goal = any_position(board, random);
                CHECK(search_gourds(train, all, train_of(goal)).has_value() == (far.count(goal.ends) > 0));
            }
        }
}

// On a few cells of a larger board.
void test_search_within() {
    Random random(9);
    const Board board = flower(2);
    for (int round = 0; round < 60; ++round) {
        const Plain start = any_position(board, random);
        Cells cells{start.hole()}, closed;
        for (std::size_t i = 0; i < 2 + random() % 2; ++i) {
            const std::size_t g = random() % (start.ends.size() / 2);
            if (!contains(cells, start.ends[2 * g])) cells.insert(cells.end(), {start.ends[2 * g], start.ends[2 * g + 1]});
        }
        for (const auto c : start.ends)
            if (!contains(cells, c)) closed.push_back(c);
        const auto far = distances(start, closed);
        GourdTrain train = train_of(start);
        std::shuffle(cells.begin(), cells.end(), random);
        for (const auto& [ends, depth] : far) {
            const auto found = search_gourds(train, cells, train.with(ends));
            CHECK(found && found->size() == depth);
            Plain plain = start;
            CHECK(plain.play(*found) && plain.ends == ends);
        }
    }
}

void test_bad_search() {
    Random random(10);
    const Board board = flower(1), large = flower(2);
    const Plain start = any_position(board, random);
    const GourdTrain train = train_of(start), other = train_of(any_position(large, random));
    const auto bad = [&](const Cells& cells, const GourdTrain& goal) { return refused([&] { search_gourds(train, cells, goal); }); };
    const Cells all{0, 1, 2, 3, 4, 5, 6};
    CHECK(!bad(all, train));
    CHECK(!bad({start.hole()}, train));
    CHECK(bad({}, train));
    CHECK(bad({0, 1, 2, 3, 4, 5, -1}, train));
    CHECK(bad({0, 1, 2, 3, 4, 5, 7}, train));
    CHECK(bad({0, 1, 2, 3, 4, 5, 5}, train));
    CHECK(bad(Cells(12, 0), train));
    CHECK(bad({start.ends[1]}, train));  // only a tail
    CHECK(bad({start.ends[0], start.ends[1], start.ends[3]}, train));  // a tail instead of the hole
    CHECK(bad({start.ends[0], start.hole(), start.ends[3]}, train));
    bad(all, other);
    CHECK(refused([&] { search_gourds(other, {other.hole(), other.ends()[16], other.ends()[17]}, train); }));
    const GourdSearch local(train, all);
    const auto good = local.state_of(train);
    CHECK(local.search(good, good)->empty());
    for (const std::uint64_t state : {std::uint64_t{0}, ~std::uint64_t{0}, std::uint64_t{0x111111}, good | std::uint64_t{0x7000000}, std::uint64_t{0xfedcba}}) {
        CHECK_THROWS(std::invalid_argument, local.search(state, good));
        CHECK_THROWS(std::invalid_argument, local.search(good, state));
    }
    const GourdSearch alone(train, {start.hole()});
    CHECK(alone.search(0, 0)->empty());
    CHECK_THROWS(std::invalid_argument, alone.search(1, 0));
}

void test_near() {
    Random random(11);
    std::vector<Board> all = small_boards(7, random);
    for (const auto& board : small_boards(5, random)) all.push_back(board);
    for (const auto& board : all) {
        const Plain start = any_position(board, random);
        const auto far = distances(start);
        std::vector<std::pair<Cells, std::uint32_t>> list(far.begin(), far.end());
        for (int round = 0; round < 25; ++round) {
            const auto& [ends, depth] = list[random() % list.size()];
            const GourdTrain train = train_of(start, &random), goal = train_of({&board, ends}, &random);
            GourdBidirectional<> near(train, goal);
            CHECK(near.search(1'000'000, quiet));
            CHECK(near.path().size() == depth);
            CHECK(near.lower_bound() <= depth);
            Plain plain = start;
            CHECK(plain.play(near.path()) && plain.ends == ends);
            const Cells trail = near.path();
            CHECK(near.search(1'000'000, quiet) && near.path() == trail);
            // With too little patience, then with more; and stopped.
            GourdBidirectional<> poor(train, goal);
            std::size_t most = random() % 20, before = 0;
            while (!poor.search(most, quiet)) {
                CHECK(poor.lower_bound() <= depth);
                CHECK(poor.lower_bound() >= before);
                CHECK(poor.path().empty());
                before = poor.lower_bound();
                try {
                    if (most > 5) poor.search(most + 5, stop_after(1));
                } catch (const Stopped&) {
                }
                most += 20;
            }
            CHECK(poor.path().size() == depth);
            plain = start;
            CHECK(plain.play(poor.path()) && plain.ends == ends);
        }
        for (int round = 0; round < 20; ++round) {
            const Plain goal = any_position(board, random);
            GourdBidirectional<> near(train_of(start), train_of(goal));
            CHECK(near.search(1'000'000, quiet) == (far.count(goal.ends) > 0));
        }
    }
    // A few moves on a large board.
    const Board board = parallelogram(9, 7);
    for (int round = 0; round < 20; ++round) {
        const Plain start = any_position(board, random);
        Plain goal = start;
        goal.walk(round, random);
        GourdBidirectional<> near(train_of(start), train_of(goal));
        if (!near.search(20'000, quiet)) {
            CHECK(near.lower_bound() <= z(round));
            continue;
        }
        CHECK(near.path().size() <= z(round));
        Plain plain = start;
        CHECK(plain.play(near.path()) && plain.ends == goal.ends);
    }
    const Board small = flower(1);
    CHECK_THROWS(std::invalid_argument, GourdBidirectional<>(train_of(any_position(board, random)), train_of(any_position(small, random))));
}

// So few hashes that nearly all states share theirs with others.
template <std::uint64_t mask>
struct PoorHash {
    static std::uint64_t mark(std::size_t end, std::int32_t cell) { return GourdHash::mark(end, cell) & mask; }
};

template <std::uint64_t mask>
void check_collisions() {
    Random random(12);
    for (const auto& board : small_boards(7, random)) {
        const Plain start = any_position(board, random);
        const auto far = distances(start);
        std::vector<std::pair<Cells, std::uint32_t>> list(far.begin(), far.end());
        for (int round = 0; round < 5; ++round) {
            const auto& [ends, depth] = list[random() % list.size()];
            const Plain goal{&board, ends};
            GourdBidirectional<PoorHash<mask>> poor(train_of(start), train_of(goal));
            CHECK(poor.search(1'000'000, quiet) && poor.path().size() == depth);
            Plain plain = start;
            CHECK(plain.play(poor.path()) && plain.ends == ends);
            GourdBidirectional<> good(train_of(start), train_of(goal));
            CHECK(good.search(1'000'000, quiet) && good.path() == poor.path());
        }
    }
}

void test_hash_collisions() {
    check_collisions<0>();
    check_collisions<1>();
    check_collisions<0xff>();
}

void test_best_first() {
    Random random(12);
    for (const auto& board : {flower(1), strip(4), strip(5), parallelogram(3, 3), parallelogram(5, 3)})
        for (int round = 0; round < 6; ++round) {
            const Plain start = any_position(board, random);
            Plain goal = start;
            goal.walk(200, random);
            const GourdTrain train = train_of(start, &random), target = train_of(goal);
            GourdBestFirst search(train, target, board.coordinates);
            for (const unsigned weight : {3u, 10u, 1'000u}) {
                const auto found = search.search(weight, 1'000'000, quiet);
                CHECK(found);
                Plain plain = start;
                CHECK(plain.play(*found) && plain.ends == goal.ends);
                // Given up or stopped in between, it begins where it began.
                search.search(weight, random() % 50, quiet);
                try {
                    search.search(weight, 1'000'000, stop_after(1 + static_cast<int>(random() % 3)));
                } catch (const Stopped&) {
                }
            }
            CHECK(start.ends == goal.ends || !search.search(1, 0, quiet));
            CHECK(GourdBestFirst(train, train, board.coordinates).search(1, 0, quiet)->empty());
            CHECK(train.trail().empty());
        }
    // Coordinates that say nothing, or far too much.
    const Board board = flower(1);
    for (int round = 0; round < 6; ++round) {
        const Plain start = any_position(board, random);
        const auto far = distances(start);
        const Plain goal = any_position(board, random);
        Cells wild(14);
        for (auto& c : wild) c = static_cast<std::int32_t>(random());
        const Cells limits(14, round % 2 == 0 ? std::numeric_limits<std::int32_t>::min() : std::numeric_limits<std::int32_t>::max());
        for (const auto& coordinates : {Cells(14, 0), limits, wild}) {
            const auto found = GourdBestFirst(train_of(start), train_of(goal), coordinates).search(1'000, 1'000'000, quiet);
            CHECK(found.has_value() == (far.count(goal.ends) > 0));
            Plain plain = start;
            if (found) CHECK(plain.play(*found) && plain.ends == goal.ends);
        }
    }
    const GourdTrain train = train_of(any_position(board, random));
    const Board large = flower(2);
    CHECK_THROWS(std::invalid_argument, GourdBestFirst(train, train_of(any_position(large, random)), board.coordinates));
    CHECK_THROWS(std::invalid_argument, GourdBestFirst(train, train, {}));
    CHECK_THROWS(std::invalid_argument, GourdBestFirst(train, train, Cells(15, 0)));
    CHECK_THROWS(std::invalid_argument, GourdBestFirst(train, train, board.coordinates).search(0, 10, quiet));
    CHECK_THROWS(std::invalid_argument, GourdBestFirst(train, train, board.coordinates).search(1'001, 10, quiet));
}

// ---------------------------------------------------------------- carrying

std::uint32_t weight(Random& random) { return static_cast<std::uint32_t>(random() % 6); }

// What is on closed cells stays there, move by move.
void check_closed(Plain plain, std::span<const std::int32_t> trail, const Cells& closed) {
    for (const auto back : trail) {
        const auto move = plain.move_to(back);
        CHECK(move && !contains(closed, plain.ends[2 * move->gourd]) && !contains(closed, plain.ends[2 * move->gourd + 1]));
        plain.apply(*move);
    }
}

void test_carry() {
    Random random(13);
    int carried = 0, given_up = 0;
    for (const auto& board : {flower(2), parallelogram(5, 5), parallelogram(7, 3), flower(3)})
        for (int round = 0; round < 6; ++round) {
            const Plain start = any_position(board, random), goal = any_position(board, random);
            GourdTrain train = train_of(start, &random);
            GourdCarrier carrier(train, board.coordinates);
            Cells closed;
            for (std::size_t g = 0; g < train.gourds(); ++g) {
                const bool any = random() % 4 == 0;
                const auto head = goal.ends[2 * g], tail = goal.ends[2 * g + 1];
                const Means means{weight(random), weight(random), random() % 3 == 0, random() % 5 == 0 ? random() % 30 : 600};
                const Plain before{&board, train.ends()};
                const std::size_t length = train.trail().size();
                if (!any && carrier.is_closed(before.ends[2 * g])) {
                    CHECK(refused([&] { carrier.carry(g, head, tail, means, quiet); }));
                    continue;
                }
                const bool done = any ? carrier.fill(head, tail, means, quiet) : carrier.carry(g, head, tail, means, quiet);
                if (!done) {
                    CHECK(train.ends() == before.ends);
                    CHECK(train.trail().size() == length);
                    CHECK(!carrier.is_closed(head) && !carrier.is_closed(tail));
                    ++given_up;
                    continue;
                }
                check_closed(before, std::span(train.trail()).subspan(length), closed);
                if (any)
                    CHECK((train.at(head) ^ 1) == train.at(tail));
                else
                    CHECK(train.ends()[2 * g] == head && train.ends()[2 * g + 1] == tail);
                closed.insert(closed.end(), {head, tail});
                CHECK(refused([&] { carrier.fill(head, tail, means, quiet); }));
                ++carried;
            }
            for (std::int32_t c = 0; c < i32(board.cells()); ++c) CHECK(carrier.is_closed(c) == contains(closed, c));
            check_sound(train, start);
        }
    CHECK(carried > 100 && given_up > 20);
}

// On small boards it is known whether there is a way.
void test_carry_all() {
    Random random(14);
    int yes = 0, no = 0;
    for (const auto& board : {flower(1), strip(3), strip(4), hexagons({{0, 0}, {1, 0}, {2, 0}, {3, 0}, {3, 1}}), bay(1)})
        for (int round = 0; round < 20; ++round) {
            const Plain start = any_position(board, random), goal = any_position(board, random);
            GourdTrain train = train_of(start, &random);
            GourdCarrier carrier(train, board.coordinates);
            Cells closed;
            for (std::size_t g = 0; g < train.gourds(); ++g) {
                if (contains(closed, train.ends()[2 * g]) || contains(closed, goal.ends[2 * g]) || contains(closed, goal.ends[2 * g + 1])) continue;
                const bool any = random() % 3 == 0;
                const auto head = goal.ends[2 * g], tail = goal.ends[2 * g + 1];
                bool possible = false;
                for (const auto& [ends, depth] : distances({&board, train.ends()}, closed))
                    for (std::size_t h = 0; h < train.gourds(); ++h) {
                        if (ends[2 * h] == head && ends[2 * h + 1] == tail) possible |= any || h == g;
                        if (ends[2 * h] == tail && ends[2 * h + 1] == head) possible |= any;
                    }
                const Means means{weight(random), weight(random), random() % 2 == 0, 1'000'000};
                CHECK((any ? carrier.fill(head, tail, means, quiet) : carrier.carry(g, head, tail, means, quiet)) == possible);
                if (possible) closed.insert(closed.end(), {head, tail});
                (possible ? yes : no) += 1;
            }
            check_sound(train, start);
        }
    CHECK(yes > 20 && no > 20);
}

void test_bad_carry() {
    Random random(15);
    const Board board = parallelogram(5, 5);
    const Plain start = any_position(board, random);
    GourdTrain train = train_of(start);
    CHECK_THROWS(std::invalid_argument, GourdCarrier(train, {}));
    CHECK_THROWS(std::invalid_argument, GourdCarrier(train, Cells(49, 0)));
    GourdCarrier carrier(train, board.coordinates);
    const auto bad = [&](std::size_t gourd, std::int32_t head, std::int32_t tail, const Means& means) {
        return refused([&] { carrier.carry(gourd, head, tail, means, quiet); }) && (gourd != 0 || refused([&] { carrier.fill(head, tail, means, quiet); }));
    };
    for (const auto c : {-1, 25, std::numeric_limits<std::int32_t>::max(), std::numeric_limits<std::int32_t>::min()}) {
        CHECK(refused([&] { carrier.is_closed(c); }));
        CHECK(bad(0, c, 0, {}));
        CHECK(bad(0, 0, c, {}));
    }
    CHECK(bad(0, 0, 0, {}));
    CHECK(bad(0, 0, 24, {}));
    CHECK(bad(12, 0, 1, {}));
    CHECK(bad(~std::size_t{0}, 0, 1, {}));
    CHECK(bad(0, 0, 1, {51, 1, false, 10}));
    CHECK(bad(0, 0, 1, {1, 0xffffffff, false, 10}));
    // Coordinates far away.
    Cells wild(50);
    for (auto& c : wild) c = static_cast<std::int32_t>(random());
    GourdTrain second = train_of(start);
    GourdCarrier far(second, wild);
    for (int i = 0; i < 10; ++i) {
        const auto goal = any_position(board, random);
        if (!far.is_closed(goal.ends[0]) && !far.is_closed(goal.ends[1])) far.fill(goal.ends[0], goal.ends[1], {50, 50, i % 2 == 0, 300}, quiet);
    }
    check_sound(second, start);
    // A train that somebody else has moved.
    const auto moves = start.moves();
    train.play(moves[0].back);
    CHECK(bad(0, 0, 1, {}));
    train.play(start.hole());
    CHECK(carrier.fill(0, 1, {}, quiet));
}

// A search that is stopped leaves the train alone; the next one goes on from it or refuses.
void test_stopped_carry() {
    Random random(16);
    const Board board = flower(3);
    int stopped = 0, refusals = 0;
    for (int round = 0; round < 10; ++round) {
        const Plain start = any_position(board, random), goal = any_position(board, random);
        GourdTrain train = train_of(start);
        GourdCarrier carrier(train, board.coordinates);
        for (std::size_t g = 0; g < train.gourds(); ++g) {
            const Cells before = train.ends();
            const std::size_t length = train.trail().size();
            try {
                carrier.carry(g, goal.ends[2 * g], goal.ends[2 * g + 1], {1, 1, false, 3'000}, stop_after(2 + round % 2));
            } catch (const Stopped&) {
                ++stopped;
                CHECK(train.ends() == before);
                CHECK(train.trail().size() == length);
            } catch (const std::invalid_argument&) {
                ++refusals;
                CHECK(train.ends() == before);
            }
            check_sound(train, start);
        }
    }
    CHECK(stopped > 0 && refusals > 0);
}

// A tick may do anything, even move the gourds.
void test_meddling() {
    Random random(17);
    const TwoWays two(7, 2);
    const Board round_bay = bay(3);
    Cells way(round_bay.cells());
    for (std::size_t c = 0; c < way.size(); ++c) way[c] = i32(c);
    for (int round = 0; round < 150; ++round) {
        const Board& board = round % 2 == 0 ? two.board : round_bay;
        const Plain start = round % 2 == 0 ? two.position(random) : *along(board, way, random);
        const Plain goal = round % 2 == 0 ? two.position(random) : *along(board, way, random);
        GourdTrain train = train_of(start);
        int asked = 0;
        const int when = 1 + round % 7;
        const Tick meddle = [&](const char*, std::uint64_t, std::uint64_t) {
            if (++asked != when) return;
            if (round % 3 == 0) refused([&] { train.pull(round % 2 == 0 ? two.left : way, 1 + round % 5); });
            for (int i = 0; i < 1 + round % 4; ++i) {
                const auto moves = Plain{&board, train.ends()}.moves();
                train.play(moves[random() % moves.size()].back);
            }
        };
        refused([&] {
            if (round % 2 == 0)
                train.exchange(two.left, two.right, train_of(goal), meddle);
            else
                GourdSorting(train, way, train_of(goal), meddle).run();
        });
        check_sound(train, start);
        GourdTrain second = train_of(start);
        asked = 0;
        const Tick pulling = [&](const char*, std::uint64_t, std::uint64_t) {
            if (++asked == when) second.play(Plain{&board, second.ends()}.moves()[0].back);
        };
        refused([&] { second.align(round % 2 == 0 ? around_the_strip(board, 7) : way, pulling); });
        check_sound(second, start);
    }
    // A carrier that is asked while it is searching.
    const Board board = flower(3);
    for (int round = 0; round < 5; ++round) {
        const Plain start = any_position(board, random), goal = any_position(board, random);
        GourdTrain train = train_of(start);
        GourdCarrier carrier(train, board.coordinates);
        int asked = 0;
        const Tick again = [&](const char*, std::uint64_t, std::uint64_t) {
            ++asked;
            CHECK(refused([&] { carrier.carry(1, goal.ends[2], goal.ends[3], {}, quiet); }));
            CHECK(refused([&] { carrier.fill(goal.ends[2], goal.ends[3], {}, quiet); }));
        };
        if (carrier.carry(0, goal.ends[0], goal.ends[1], {1, 1, false, 5'000}, again)) CHECK(train.ends()[0] == goal.ends[0] && train.ends()[1] == goal.ends[1]);
        check_sound(train, start);
        CHECK(asked > 0 || train.trail().empty());
        if (!carrier.is_closed(goal.ends[2]) && !carrier.is_closed(train.ends()[2])) carrier.carry(1, goal.ends[2], goal.ends[3], {}, quiet);
        check_sound(train, start);
    }
}

// ---------------------------------------------------------------- bad trains

void test_bad_trains() {
    const auto bad = [](const Cells& offsets, const Cells& neighbours, const Cells& ends) { return refused([&] { GourdTrain(offsets, neighbours, ends); }); };
    const Cells offsets{0, 2, 4, 6}, triangle{1, 2, 0, 2, 0, 1};
    CHECK(!bad(offsets, triangle, {0, 1}));
    CHECK(bad({}, {}, {}));
    CHECK(bad({0}, {}, {}));
    CHECK(!bad({0, 0}, {}, {}));  // nothing but a hole
    CHECK(bad({0, 1}, {0}, {}));
    CHECK(bad({1, 2, 4, 6}, triangle, {0, 1}));
    CHECK(bad({0, 4, 2, 6}, triangle, {0, 1}));
    CHECK(bad({0, -2, 4, 6}, triangle, {0, 1}));
    CHECK(bad({0, 2, 4, 7}, triangle, {0, 1}));
    CHECK(bad({0, 2, 4, -1}, triangle, {0, 1}));
    CHECK(bad({0, 2, 4, 5}, triangle, {0, 1}));
    CHECK(bad(offsets, {1, 2, 0, 2, 0, 3}, {0, 1}));
    CHECK(bad(offsets, {1, 2, 0, 2, 0, -1}, {0, 1}));
    CHECK(bad(offsets, {1, 2, 0, 2, 0, 2}, {0, 1}));
    CHECK(bad(offsets, {1, 1, 0, 2, 0, 1}, {0, 1}));  // one way only
    CHECK(bad({0, 1, 2, 3}, {1, 2, 0}, {0, 1}));
    CHECK(bad(offsets, triangle, {}));
    CHECK(bad(offsets, triangle, {0}));
    CHECK(bad(offsets, triangle, {0, 0}));
    CHECK(bad(offsets, triangle, {0, 3}));
    CHECK(bad(offsets, triangle, {0, -1}));
    CHECK(bad(offsets, triangle, {0, 1, 2}));
    CHECK(bad({0, 1, 3, 4}, {1, 0, 2, 1}, {0, 2}));
    // An even number of cells: half a gourd.
    CHECK(bad({0, 1, 2}, {1, 0}, {0}));
    CHECK(bad({0, 3, 6, 9, 12}, {1, 2, 3, 0, 2, 3, 0, 1, 3, 0, 1, 2}, {0, 1, 2}));
    CHECK(bad(Cells(1'000'001, 0), {}, Cells(999'999, 0)));

    GourdTrain alone({0, 0}, {}, {});
    CHECK(refused([&] { alone.play(0); }));
    CHECK(refused([&] { alone.align({0}, quiet); }));
    CHECK(GourdBidirectional<>(alone, alone).search(10, quiet));
    CHECK(search_gourds(alone, {0}, alone)->empty());

    GourdTrain train(offsets, triangle, {0, 1});
    for (const auto c : {-1, 2, 3, std::numeric_limits<std::int32_t>::max(), std::numeric_limits<std::int32_t>::min()}) {
        CHECK(refused([&] { train.play(c); }));
        CHECK(refused([&] { train.rows_of_trail(Cells{c}, {}); }));
        if (c != 2) CHECK(refused([&] { train.pull_to({0, 1, 2}, c); }));
        if (c != 2) CHECK(refused([&] { train.pull({0, 1, c}, 1); }));
        if (c != 2) CHECK(refused([&] { train.checked(c); }));
    }
    CHECK(refused([&] { train.rows_of_trail({}, Cells(5, 0)); }));
    for (const Cells& way : {Cells{}, Cells{0}, Cells{0, 1}, Cells{0, 1, 1}, Cells{0, 1, 2, 0, 1}, Cells{0, 1, 2, 0}}) {
        CHECK(refused([&] { train.pull(way, 1); }));
        CHECK(refused([&] { train.pull_to(way, 0); }));
        CHECK(refused([&] { train.align(way, quiet); }));
    }
    for (const auto pulls : {std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max(), std::int64_t{-1'000'000'001}})
        CHECK(refused([&] { train.pull({0, 1, 2}, pulls); }));
    CHECK(train.trail().empty());
    train.pull({0, 1, 2}, 3'000);
    CHECK(train.trail().size() == 3'000);
    // Coordinates at the limits.
    const auto least = std::numeric_limits<std::int32_t>::min(), greatest = std::numeric_limits<std::int32_t>::max();
    CHECK(train.rows_of_trail(Cells{train.ends()[0]}, Cells{least, greatest, greatest, least, least, least}).size() == 6);
}

// Random arguments of all kinds.
void test_wild() {
    Random random(18);
    for (const auto& board : {flower(1), strip(4), parallelogram(3, 3), complete(5), circle(7)})
        for (int round = 0; round < 25; ++round) {
            const Plain start = any_position(board, random);
            GourdTrain train = train_of(start, &random);
            const auto n = static_cast<std::int32_t>(board.cells());
            const auto cell = [&] { return random() % 20 == 0 ? i32(random() % 5) - 2 + n * i32(random() % 2) : i32(random() % board.cells()); };
            for (int call = 0; call < 60; ++call) {
                Cells way;
                if (random() % 2 == 0) {
                    if (const auto found = any_way(board, 3 + 2 * (random() % (board.cells() / 2)), random)) way = *found;
                } else {
                    way.resize(random() % 12);
                    for (auto& c : way) c = cell();
                }
                const GourdTrain goal = train_of(any_position(board, random));
                const auto c = cell();
                const auto pulls = static_cast<std::int64_t>(random() % 40) - 20;
                refused([&] {
                    switch (random() % 7) {
                        case 0: train.play(way); break;
                        case 1: train.pull(way, pulls); break;
                        case 2: train.pull_to(way, c); break;
                        case 3: train.align(way, quiet); break;
                        case 4: train.exchange(way, way.size() > 2 ? Cells{way[1], way[0], way[2]} : way, goal, quiet); break;
                        case 5: GourdSorting(train, way, goal, quiet).run(); break;
                        default: (void)search_gourds(train, way, goal);
                    }
                });
                check_sound(train, start);
            }
            // Nothing is left behind: a closed way works as ever.
            if (const auto way = any_way(board, 3, random); way && contains(*way, train.hole()) && lies_along(train, *way)) {
                const Cells before = train.ends();
                train.pull(*way, 1);
                train.pull(*way, -1);
                CHECK(train.ends() == before);
            }
        }
}

// ---------------------------------------------------------------- replay

// Pieces of one, two or three cells; the rule is a list of what each may do, given as cells after and cells that must
// be empty.
using Doing = std::pair<Cells, Cells>;
using Rule = std::function<std::vector<Doing>(const Board&, const Cells& before)>;

std::vector<Doing> tile_rule(const Board& board, const Cells& before) {
    std::vector<Doing> out;
    for (const int c : board.graph[z(before[0])]) out.push_back({{c}, {c}});
    return out;
}

std::vector<Doing> gourd_rule(const Board& board, const Cells& before) {
    std::vector<Doing> out;
    for (std::int32_t hole = 0; hole < i32(board.cells()); ++hole) {
        if (contains(before, hole)) continue;
        const bool head = board.touch(before[0], hole), tail = board.touch(before[1], hole);
        if (head && tail) out.push_back({{hole, before[1]}, {hole}}), out.push_back({{before[0], hole}, {hole}});
        if (head && !tail) out.push_back({{hole, before[0]}, {hole}});
        if (!head && tail) out.push_back({{before[1], hole}, {hole}});
    }
    return out;
}

// Worms of three cells that creep one cell, or two at once; and jump onto the same cells in another order over either
// of two cells.
std::vector<Doing> worm_rule(const Board& board, const Cells& before) {
    std::vector<Doing> out;
    for (const int one : board.graph[z(before[2])]) {
        if (contains(before, one)) continue;
        out.push_back({{before[1], before[2], one}, {one}});
        out.push_back({{before[2], before[1], before[0]}, {one}});
        for (const int two : board.graph[z(one)])
            if (!contains(before, two)) out.push_back({{before[2], one, two}, {one, two}});
    }
    for (const int one : board.graph[z(before[0])])
        if (!contains(before, one)) out.push_back({{one, before[0], before[1]}, {one}});
    return out;
}

std::vector<Cells> all_placements(const Board& board, std::size_t width) {
    std::vector<Cells> out;
    for (std::int32_t c = 0; c < i32(board.cells()); ++c) out.push_back({c});
    for (std::size_t k = 1; k < width; ++k) {
        std::vector<Cells> next;
        for (const auto& cells : out)
            for (const int c : board.graph[z(cells.back())])
                if (!contains(cells, c)) next.push_back(cells), next.back().push_back(c);
        out = next;
    }
    return out;
}

void test_replay() {
    Random random(19);
    const Rule rules[] = {tile_rule, gourd_rule, worm_rule};
    int legal = 0, illegal = 0;
    for (std::size_t width = 1; width <= 3; ++width)
        for (const auto& board : {flower(1), parallelogram(4, 3), complete(7), circle(8), flower(2)}) {
            const Rule& rule = rules[width - 1];
            const auto placements = all_placements(board, width);
            Cells steps;
            for (const auto& before : placements)
                for (const auto& [after, holes] : rule(board, before)) {
                    steps.insert(steps.end(), before.begin(), before.end());
                    steps.insert(steps.end(), after.begin(), after.end());
                    steps.insert(steps.end(), holes.begin(), holes.end());
                    steps.insert(steps.end(), width - holes.size(), -1);
                }
            for (int round = 0; round < 6; ++round) {
                Cells pieces;
                for (int i = 0; i < 100; ++i) {
                    const auto& cells = placements[random() % placements.size()];
                    const bool fits = std::none_of(cells.begin(), cells.end(), [&](auto c) { return contains(pieces, c); });
                    if (fits && pieces.size() + width + 1 < board.cells()) pieces.insert(pieces.end(), cells.begin(), cells.end());
                }
                Cells now = pieces, good;
                Replay single(board.cells(), width, steps, pieces), whole(single);
                const auto count = pieces.size() / width;
                for (int step = 0; step < 120; ++step) {
                    const std::size_t p = random() % count;
                    const Cells before(now.begin() + static_cast<std::ptrdiff_t>(p * width), now.begin() + static_cast<std::ptrdiff_t>((p + 1) * width));
                    const auto doings = rule(board, before);
                    if (doings.empty()) continue;
                    Cells row{i32(p + 1), i32(random() % 9) - 3};
                    row.insert(row.end(), before.begin(), before.end());
                    const auto& after = doings[random() % doings.size()].first;
                    row.insert(row.end(), after.begin(), after.end());
                    if (random() % 4 == 0) {
                        const std::size_t i = random() % row.size();
                        row[i] = random() % 5 == 0 ? static_cast<std::int32_t>(random()) : i32(random() % (board.cells() + 2)) - 1;
                    }
                    // By the rule alone.
                    bool allowed = row[0] >= 1 && z(row[0]) <= count;
                    const std::size_t q = allowed ? z(row[0]) - 1 : 0;
                    const Cells from(row.begin() + 2, row.begin() + 2 + static_cast<std::ptrdiff_t>(width)), to(row.end() - static_cast<std::ptrdiff_t>(width), row.end());
                    allowed = allowed && std::equal(from.begin(), from.end(), now.begin() + static_cast<std::ptrdiff_t>(q * width));
                    if (allowed) {
                        allowed = false;
                        for (const auto& [cells, holes] : rule(board, from))
                            allowed = allowed || (cells == to && std::none_of(holes.begin(), holes.end(), [&](auto c) { return contains(now, c); }));
                    }
                    CHECK(single.play(row, quiet) == (allowed ? 1u : 0u));
                    if (allowed) {
                        std::copy(to.begin(), to.end(), now.begin() + static_cast<std::ptrdiff_t>(q * width));
                        good.insert(good.end(), row.begin(), row.end());
                    }
                    CHECK(single.pieces() == now);
                    (allowed ? legal : illegal) += 1;
                }
                const std::size_t rows = good.size() / (2 + 2 * width);
                CHECK(Replay(whole).play(good, quiet) == rows);
                good.insert(good.end(), 2 + 2 * width, 0);
                CHECK(whole.play(good, quiet) == rows);
                CHECK(whole.pieces() == now);
            }
        }
    CHECK(legal > 500 && illegal > 500);
}

// A solution of a train, in rows.
void test_replayed_trail() {
    Random random(20);
    const Board board = flower(2);
    Cells steps;
    for (const auto& before : all_placements(board, 2))
        for (const auto& [after, holes] : gourd_rule(board, before)) {
            for (const auto& part : {before, after}) steps.insert(steps.end(), part.begin(), part.end());
            steps.insert(steps.end(), {holes[0], -1});
        }
    for (int round = 0; round < 10; ++round) {
        const Plain start = any_position(board, random);
        GourdTrain train = train_of(start);
        for (int i = 0; i < 300; ++i) {
            const auto moves = Plain{&board, train.ends()}.moves();
            train.play(moves[random() % moves.size()].back);
        }
        Replay replay(board.cells(), 2, steps, start.ends);
        CHECK(replay.play(train_of(start).rows_of_trail(train.trail(), board.coordinates), quiet) == 300);
        CHECK(replay.pieces() == train.ends());
        CHECK_THROWS(Stopped, replay.play(Cells(6, 0), stop_after(1)));
        CHECK(replay.pieces() == train.ends());
    }
}

void test_bad_replay() {
    const auto bad = [](std::size_t cells, std::size_t width, const Cells& steps, const Cells& pieces) { return refused([&] { Replay(cells, width, steps, pieces); }); };
    CHECK(!bad(2, 1, {0, 1, 1}, {0}));
    CHECK(!bad(2, 1, {}, {}));
    CHECK(!bad(0, 1, {}, {}));
    CHECK(bad(2, 0, {}, {}));
    CHECK(bad(2, 0, {0, 1, 1}, {0}));
    CHECK(bad(2, 1, {0, 1}, {0}));
    CHECK(bad(2, 2, {0, 1, 1, 0, 0, 0}, {0}));
    CHECK(bad(2, 1, {0, 2, 1}, {0}));
    CHECK(bad(2, 1, {2, 1, 1}, {0}));
    CHECK(bad(2, 1, {0, 1, 2}, {0}));
    CHECK(bad(2, 1, {-1, 1, 1}, {0}));
    CHECK(bad(2, 1, {0, -1, 1}, {0}));
    CHECK(bad(2, 1, {0, 1, -2}, {0}));
    CHECK(!bad(2, 1, {0, 1, -1}, {0}));
    CHECK(bad(2, 1, {}, {2}));
    CHECK(bad(2, 1, {}, {-1}));
    CHECK(bad(2, 1, {}, {0, 0}));
    CHECK(bad(2, 2, {}, {0, 0}));
    CHECK(bad(std::size_t{1} << 40, 1, {}, {}));
    CHECK(bad(~std::size_t{0}, 1, {}, {}));
    CHECK(bad(5, ~std::size_t{0}, {}, {}));
    CHECK(bad(5, std::size_t{6'148'914'691'236'517'206}, {0, 1}, {}));  // three times that is two
    CHECK(bad(5, std::size_t{1} << 63, {}, {}));
    Replay replay(3, 1, {0, 1, 1, 1, 0, 0, 0, 1, 2}, {0});
    CHECK(refused([&] { replay.play(Cells{1, 0, 0}, quiet); }));
    CHECK(replay.play({}, quiet) == 0);
    for (const auto piece : {0, -1, 2, std::numeric_limits<std::int32_t>::max(), std::numeric_limits<std::int32_t>::min()}) {
        CHECK(replay.play(Cells{piece, 0, 0, 1}, quiet) == 0);
        if (piece != 0) CHECK(replay.play(Cells{1, 0, piece, 1}, quiet) == 0);
        CHECK(replay.play(Cells{1, 0, 0, piece}, quiet) == 0);
    }
    CHECK(replay.play(Cells{1, 0, 0, 1, 1, 0, 1, 0, 1, 0, 1, 0}, quiet) == 2);
    CHECK(replay.pieces() == Cells{0});
}

// ---------------------------------------------------------------- sets of keys

void test_key_set() {
    Random random(21);
    KeySet set;
    std::map<std::uint64_t, std::uint32_t> plain;
    std::vector<std::uint64_t> keys;
    for (int round = 0; round < 3'000; ++round) {
        const std::uint64_t range = std::uint64_t{1} << (1 + random() % 63);
        const std::size_t count = round % 500 == 0 ? 6'000 : random() % 40;
        const int shift = random() % 2 == 0 ? 0 : 32;
        for (std::size_t i = 0; i < count; ++i) {
            const std::uint64_t key = (random() % range) << shift;
            const auto [place, is_new] = plain.emplace(key, static_cast<std::uint32_t>(plain.size()));
            CHECK(set.insert(key) == std::pair(place->second, is_new));
            if (is_new) keys.push_back(key);
            CHECK(set.size() == plain.size());
        }
        for (std::size_t i = 0; i < keys.size(); ++i) CHECK(set.key(i) == keys[i]);
        if (random() % 3 != 0) set.clear(), plain.clear(), keys.clear();
        if (random() % 10 == 0) set.clear(), plain.clear(), keys.clear();
    }
}

}  // namespace

int main(int argc, char** argv) {
    const std::pair<const char*, void (*)()> tests[] = {
        {"plays and rows", test_play},
        {"pulls", test_pull},
        {"gourds along a way", test_align},
        {"two ways", test_exchange},
        {"two bad ways", test_bad_exchange},
        {"sorting", test_sort},
        {"bad sorting", test_bad_sort},
        {"shortest searches", test_search},
        {"searches within a board", test_search_within},
        {"bad searches", test_bad_search},
        {"positions that are near", test_near},
        {"hash collisions", test_hash_collisions},
        {"best-first searches", test_best_first},
        {"carrying", test_carry},
        {"carrying wherever there is a way", test_carry_all},
        {"bad carrying", test_bad_carry},
        {"carrying that is stopped", test_stopped_carry},
        {"ticks that meddle", test_meddling},
        {"bad trains", test_bad_trains},
        {"random arguments", test_wild},
        {"replay", test_replay},
        {"replay of a trail", test_replayed_trail},
        {"bad replay", test_bad_replay},
        {"sets of keys", test_key_set},
    };
    for (const auto& [name, test] : tests) {
        if (argc > 1 && std::string(argv[1]) != name) continue;
        std::cout << name << std::endl;
        test();
        ++passed;
    }
    std::cout << passed << " passed, 0 failed\n";
}
