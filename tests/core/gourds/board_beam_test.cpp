#include "gourds/board_beam.hpp"
#include "gourds/board_windows.hpp"
#include "search/support.hpp"

namespace {

constexpr std::uint64_t all_states = 200000;  // more than any of these puzzles has

using Rankings = std::vector<BoardRanking>;

bool same(const BoardBeam::Found& a, const BoardBeam::Found& b) {
    const auto equal = [](const BoardBeam::Move& x, const BoardBeam::Move& y) {
        return x.piece == y.piece && x.spot == y.spot;
    };
    return a.moves.has_value() == b.moves.has_value() && a.nodes == b.nodes && a.bound == b.bound &&
           a.finished == b.finished &&
           (!a.moves || std::equal(a.moves->begin(), a.moves->end(), b.moves->begin(), b.moves->end(), equal));
}

// Plays the moves by the plain simulation.
State replayed(const Puzzle& p, State state, std::span<const BoardBeam::Move> moves) {
    for (const auto& move : moves) {
        State there = state;
        there[move.piece] = move.spot;
        const auto all = p.after(state);
        CHECK(std::find(all.begin(), all.end(), std::pair<std::size_t, State>(move.piece, there)) != all.end());
        state = there;
    }
    return state;
}

// The results of all widths on 1, 2 and 4 threads are the same, every path leads to the goal, and the bound is one.
void check_beams(const Puzzle& p, const BoardBeam& beam, const State& goal, const State& start, unsigned cost,
                 const Rankings& rankings, std::initializer_list<std::uint64_t> widths) {
    CHECK(beam.lower_bound(start).value() <= cost);
    for (const auto& ranking : rankings)
        for (const std::uint64_t width : widths) {
            BoardBeamLimits limits;
            limits.width = width;
            limits.below = 200;  // a narrow beam may go around for ever
            const auto found = beam.solve(start, ranking, limits, quiet);
            CHECK(found.bound <= cost);
            if (found.moves) {
                CHECK(replayed(p, start, *found.moves) == goal);
                CHECK(found.moves->size() >= cost);
                CHECK(!found.finished || (found.moves->size() == cost && found.bound == cost));
            }
            if (width == all_states) CHECK(found.finished && found.moves);
            for (const unsigned threads : {2u, 4u}) {
                limits.threads = threads;
                CHECK(same(beam.solve(start, ranking, limits, quiet), found));
            }
            limits.below = cost;
            const auto below = beam.solve(start, ranking, limits, quiet);
            CHECK(!below.moves && below.bound <= cost &&
                  (width < all_states || (below.finished && below.bound == cost)));
        }
}

// The excess of a pair by a plain search over two pieces; the single distances are part of it.
void check_pairs(const StepTable& table, const BoardBeam& beam) {
    const Puzzle two(table, 2);
    const PairExcess pairs(beam.moves(), beam.goal(), beam.single_distances(), 2, quiet);
    const std::size_t spots = beam.moves().spots();
    for (std::size_t a = 0; a < beam.pieces(); ++a)
        for (std::size_t b = 0; b < beam.pieces(); ++b) {
            if (a == b) continue;
            for (const auto& [look, found] : distances(two, {beam.goal()[a], beam.goal()[b]})) {
                const auto& [state, cost] = found;
                const unsigned alone =
                    beam.single_distances()[a * spots + state[0]] + beam.single_distances()[b * spots + state[1]];
                CHECK(alone <= cost && pairs.row(a, state[0])[b * spots + state[1]] == cost - alone);
            }
        }
}

}  // namespace

TEST("beams on the board against plain search") {
    for (const auto& p : small_puzzles()) {
        const State goal = p.home(p.moves->shapes() / 2);
        const auto moves = std::make_shared<const BoardMoves>(p.table);
        BoardBeam beam(moves, goal);
        beam.add_pairs(1 << 30, 2, quiet);
        if (goal.size() > 1) check_pairs(p.table, beam);
        const Rankings rankings{{1, 0, 0}, {1.5, 1, 0}, {2, 0, 2}};
        std::size_t number = 0;
        for (const auto& [look, found] : distances(p, goal)) {
            CHECK(p.after(found.first).size() <= moves->max_moves(goal.size()));
            if (number++ % 97 == 0)
                check_beams(p, beam, goal, found.first, found.second, rankings, {1, 3, 20, all_states});
        }
    }
}

TEST("wide beams on the board are shared by threads") {
    const Puzzle p(gourds(grid(4, 3)), 5);
    const State goal = p.home(p.moves->shapes() / 2);
    BoardBeam beam(std::make_shared<const BoardMoves>(p.table), goal);
    beam.add_pairs(1 << 30, 4, quiet);
    State start = goal;
    std::mt19937 random(7);
    for (int i = 0; i < 300; ++i) {
        const auto all = p.after(start);
        start = all[random() % all.size()].second;
    }
    const unsigned cost = distances(p, goal).at(Looks::numbered(p).of(p, start)).second;
    check_beams(p, beam, goal, start, cost, {{1.5, 1, 0}, {4, 0, 2}}, {5000, all_states});
}

TEST("beams on the board refuse and stop") {
    const Puzzle p(gourds(kite()), 2);
    const State goal = p.home(0);
    const auto moves = std::make_shared<const BoardMoves>(p.table);
    const BoardBeam beam(moves, goal);
    const auto refused = [](auto f) {
        try {
            f();
        } catch (const std::invalid_argument&) {
            return true;
        } catch (const LimitReached&) {
            return true;
        }
        return false;
    };
    BoardBeamLimits limits;
    limits.below = 50;
    CHECK(beam.solve(goal, {}, limits, quiet).moves->empty());
    CHECK(refused([&] { beam.solve(State{goal[0]}, {}, limits, quiet); }));
    CHECK(refused([&] { beam.solve(State{goal[0], goal[0]}, {}, limits, quiet); }));
    CHECK(refused([&] { beam.solve(State{goal[0], 60000}, {}, limits, quiet); }));
    CHECK(refused([&] { beam.solve(goal, {0, 0, 0}, limits, quiet); }));
    CHECK(refused([&] { beam.solve(goal, {1, 0, 1}, limits, quiet); }));
    CHECK(refused([&] { BoardBeam(moves, {}); }));
    CHECK(refused([&] { BoardBeam(beam).add_pairs(10, 1, quiet); }));
    limits.width = 1000, limits.bytes = 1000;
    CHECK(refused([&] { beam.solve(goal, {}, limits, quiet); }));
    limits.bytes = std::numeric_limits<std::uint64_t>::max();
    limits.threads = 0;
    CHECK(refused([&] { beam.solve(goal, {}, limits, quiet); }));
    limits.threads = 1;
    const auto all = distances(p, goal);
    const auto far = std::max_element(all.begin(), all.end(), [](const auto& a, const auto& b) {
                         return a.second.second < b.second.second;
                     })->second;
    // Memory for a few layers only, and no time.
    limits.width = 10, limits.bytes = 10 * beam.bytes_per_state() + 8;
    CHECK(!beam.solve(far.first, {}, limits, quiet).finished);
    limits.bytes = std::numeric_limits<std::uint64_t>::max();
    const auto late = beam.solve(far.first, {}, limits, throws_at<OutOfTime>(3));
    CHECK(!late.finished && !late.moves && late.bound <= far.second);
    bool stopped = false;
    try {
        beam.solve(far.first, {}, limits, throws_at<Enough>(3));
    } catch (const Enough&) {
        stopped = true;
    }
    CHECK(stopped);
}

TEST("windows of a solution") {
    const Puzzle p(gourds(grid(4, 3)), 5);
    const State goal = p.home(p.moves->shapes() / 2);
    const auto moves = std::make_shared<const BoardMoves>(p.table);
    // A random walk, which is far longer than needed.
    State state = goal;
    std::mt19937 random(3);
    std::vector<BoardBeam::Move> walk;
    for (int i = 0; i < 400; ++i) {
        const auto all = p.after(state);
        const auto& [piece, other] = all[random() % all.size()];
        walk.push_back({static_cast<std::uint16_t>(piece), other[piece]});
        state = other;
    }
    const unsigned cost = distances(p, goal).at(Looks::numbered(p).of(p, state)).second;
    BoardWindows windows(moves, goal, walk), threaded(moves, goal, walk);
    for (std::size_t round = 0; round < 60; ++round) {
        const std::size_t before = windows.path().size();
        const std::size_t length = std::min<std::size_t>(before, 10 + round);
        if (length < 2) break;
        CHECK(windows.run({length, 7 * round, 500, round}, {1.5, 1, 0}, quiet));
        CHECK(threaded.run({length, 7 * round, 500, round, ~std::uint64_t{0}, 4}, {1.5, 1, 0}, quiet));
        CHECK(windows.path().size() <= before && windows.path().size() >= cost);
        CHECK(replayed(p, goal, windows.path()) == state);
        CHECK(replayed(p, goal, threaded.path()) == state && threaded.path().size() == windows.path().size());
    }
    CHECK(windows.path().size() < walk.size() / 4);
    CHECK(windows.run({windows.path().size() + 1, 0, all_states}, {}, quiet));
    CHECK(windows.path().size() == cost);
    // What is stopped still leads to the goal.
    for (const std::uint64_t calls : {1, 3, 10, 30}) {
        BoardWindows stopped(moves, goal, walk);
        CHECK(!stopped.run({20, 0, 500, 0, ~std::uint64_t{0}, 2}, {}, throws_at<OutOfTime>(calls)));
        CHECK(replayed(p, goal, stopped.path()) == state);
        BoardWindows other(moves, goal, walk);
        try {
            other.run({20, 0, 500}, {}, throws_at<Enough>(calls));
            CHECK(false);
        } catch (const Enough&) {
            CHECK(replayed(p, goal, other.path()) == state);
        }
    }
    BoardWindows empty(moves, goal, {});
    CHECK(empty.run({20, 0, 500}, {}, quiet) && empty.path().empty());
}
