#include "huge/replanner.hpp"

#include "huge/plain_pieces.hpp"
#include "ticks.hpp"

namespace {

using Numbers = std::vector<std::uint32_t>;  // of steps in the table

// A random walk as numbers of steps.
Numbers steps_of(const Plain& plain, Plain::State state, const Moves& moves) {
    Shortener shortener(plain.table, std::move(state));
    shortener.load(moves);
    return shortener.moves();
}

Moves moves_of(const Plain& plain, const Numbers& numbers) {
    Moves out;
    for (auto i : numbers)
        out.push_back({plain.table.steps[i].from, plain.table.steps[i].to, plain.table.steps[i].turn});
    return out;
}

std::set<std::int32_t> needed(const StepTable& table, std::uint32_t number) {
    const auto& step = table.steps[number];
    std::set<std::int32_t> out;
    for (auto c : step.holes)
        if (c >= 0) out.insert(c);
    return out;
}

// The fewest moves of one piece through those of the others, by relaxing all pairs of a spot and a number of moves of
// the others until nothing changes.
std::size_t fewest_moves(const Plain& plain, const Plain::State& start, std::size_t piece, const Numbers& others,
                         const Numbers& owners, const Shortener::Spot& goal) {
    const StepTable& table = plain.table;
    constexpr std::size_t far = 1000000;
    Plain::State state = start;
    std::map<Shortener::Spot, std::size_t> here{{start[piece], 0}};
    for (std::size_t gap = 0;; ++gap) {
        std::set<std::int32_t> taken;
        for (std::size_t k = 0; k < state.size(); ++k)
            if (k != piece)
                for (auto c : table.cells_of(z(state[k].first))) taken.insert(c);
        const auto is_taken = [&](auto c) { return taken.count(c) > 0; };
        for (bool changed = true; changed;) {
            changed = false;
            const auto known = here;
            for (const auto& [spot, moves] : known)
                for (std::uint32_t i = 0; i < table.steps.size(); ++i) {
                    if (table.steps[i].from != spot.first) continue;
                    const auto holes = needed(table, i);
                    if (std::any_of(holes.begin(), holes.end(), is_taken)) continue;
                    const Shortener::Spot next{table.steps[i].to, (spot.second + table.steps[i].turn) %
                                                                      static_cast<std::int32_t>(table.turns)};
                    const auto found = here.find(next);
                    if (found != here.end() && found->second <= moves + 1) continue;
                    here[next] = moves + 1;
                    changed = true;
                }
        }
        if (gap == others.size()) return here.count(goal) ? here[goal] : far;
        const auto holes = needed(table, others[gap]);
        std::erase_if(here, [&](const auto& entry) {
            const auto cells = table.cells_of(z(entry.first.first));
            return std::any_of(cells.begin(), cells.end(), [&](auto c) { return holes.count(c) > 0; });
        });
        const auto& step = table.steps[others[gap]];
        auto& moved = state[owners[gap]];
        moved = {step.to, (moved.second + step.turn) % static_cast<std::int32_t>(table.turns)};
    }
}

std::uint32_t spot_number(const StepTable& table, const Shortener::Spot& spot) {
    return u(spot.first) * static_cast<std::uint32_t>(table.turns) + u(spot.second);
}

TEST("paths of one piece") {
    std::mt19937_64 random(31);
    SplitMix numbers(31);
    unsigned shorter = 0;
    for (const auto& kind : kinds(random)) {
        const StepTable& table = kind.plain.table;
        const PiecePlanner::Tables tables(table);
        PiecePlanner planner(tables, 1 << 16);
        for (int round = 0; round < 6; ++round) {
            const Moves moves = kind.plain.walk(kind.start, 10 + below(random, 50), random);
            const Numbers all = steps_of(kind.plain, kind.start, moves);
            const auto end = kind.plain.end(kind.start, moves);
            const std::size_t piece = below(random, kind.start.size());
            // The moves of the others, and whose they are.
            Numbers others, owners;
            std::vector<PiecePlanner::Event> events;
            Plain::State state = kind.start;
            for (std::size_t i = 0; i < moves.size(); ++i) {
                std::uint32_t k = 0;
                while (state[k].first != moves[i][0]) ++k;
                state = kind.plain.play(state, moves[i]);
                if (k == piece) continue;
                others.push_back(all[i]);
                owners.push_back(k);
                events.push_back({k, all[i]});
            }
            const std::size_t own = moves.size() - others.size();
            const std::size_t best = fewest_moves(kind.plain, kind.start, piece, others, owners, end[piece]);
            CHECK(best <= own);
            shorter += best < own;
            for (bool backward : {false, true}) {
                std::vector<std::uint8_t> taken(table.cells, 0);
                for (std::size_t k = 0; k < kind.start.size(); ++k)
                    if (k != piece)
                        for (auto c : table.cells_of(z((backward ? end : kind.start)[k].first))) taken[z(c)] = 1;
                const auto from = spot_number(table, kind.start[piece]), to = spot_number(table, end[piece]);
                CHECK(planner.distance(from, to) <= best);
                for (std::uint32_t limit : {static_cast<std::uint32_t>(best), 1000u}) {
                    CHECK(planner.plan(events, taken, from, to, backward, limit, numbers));
                    CHECK(planner.path().size() == best);
                    Numbers merged;
                    auto next = planner.path().begin();
                    for (std::uint32_t gap = 0; gap <= others.size(); ++gap) {
                        for (; next != planner.path().end() && next->gap == gap; ++next) merged.push_back(next->step);
                        if (gap < others.size()) merged.push_back(others[gap]);
                    }
                    CHECK(merged.size() == others.size() + best);
                    CHECK(kind.plain.end(kind.start, moves_of(kind.plain, merged)) == end);
                }
                if (best > 0)
                    CHECK(!planner.plan(events, taken, from, to, backward, static_cast<std::uint32_t>(best - 1),
                                        numbers));
            }
        }
    }
    CHECK(shorter > 20);
}

TEST("rounds") {
    std::mt19937_64 random(32);
    for (const auto& kind : kinds(random)) {
        const auto far = kind.is_small ? kind.plain.distances(kind.start) : std::map<Plain::State, unsigned>{};
        for (int turn = 0; turn < 4; ++turn) {
            const Moves moves = kind.plain.walk(kind.start, below(random, 200), random);
            const auto end = kind.plain.end(kind.start, moves);
            const Numbers all = steps_of(kind.plain, kind.start, moves);
            Replanner one(kind.plain.table, kind.start, all), three(kind.plain.table, kind.start, all);
            CHECK(one.moves() == all);
            std::size_t before = moves.size();
            for (std::uint64_t seed = 0; seed < 6; ++seed) {
                Replanner::Round round;
                round.length = 1 + below(random, 100);
                round.offset = below(random, 100);
                round.trials = 30;
                round.max_pieces = 1 + static_cast<unsigned>(below(random, 4));
                round.temperature = turn % 2 ? 2.0 : 0.0;
                round.seed = seed;
                CHECK(one.run(round, quiet));
                round.threads = 3;
                round.row_bytes = 100;  // distances are found again and again
                CHECK(three.run(round, quiet));
                CHECK(three.moves() == one.moves());
                CHECK(one.size() <= before);
                before = one.size();
                CHECK(kind.plain.end(kind.start, moves_of(kind.plain, one.moves())) == end);
                CHECK(!kind.is_small || one.size() >= far.at(end));
            }
        }
    }
}

// A single piece needs no more than its distance, and two tiles on an empty board hardly ever.
TEST("replanned solutions that are shortest") {
    std::mt19937_64 random(33);
    unsigned shortest = 0, all = 0;
    for (const auto& kind : kinds(random)) {
        if (!kind.is_small || kind.start.size() > 2) continue;
        const auto far = kind.plain.distances(kind.start);
        for (int turn = 0; turn < 10; ++turn) {
            const Moves moves = kind.plain.walk(kind.start, 100, random);
            Replanner replanner(kind.plain.table, kind.start, steps_of(kind.plain, kind.start, moves));
            CHECK(replanner.run({200, 0, 300, 2, 0.0, 1, 1 << 20, 1}, quiet));
            const std::size_t least = far.at(kind.plain.end(kind.start, moves));
            CHECK(kind.start.size() > 1 || replanner.size() == least);
            shortest += replanner.size() == least;
            ++all;
        }
    }
    CHECK(all >= 40 && 10 * shortest >= 9 * all);
}

TEST("rounds that are stopped") {
    std::mt19937_64 random(34);
    unsigned stopped = 0;
    for (const auto& kind : kinds(random)) {
        const Moves moves = kind.plain.walk(kind.start, 300, random);
        const auto end = kind.plain.end(kind.start, moves);
        for (unsigned calls : {0, 1, 4, 20}) {
            Replanner replanner(kind.plain.table, kind.start, steps_of(kind.plain, kind.start, moves));
            unsigned ticks = 0;
            const bool done = replanner.run({2, 1, 20, 2, 0.0, 1, 1 << 20, 1}, [&](auto, auto, auto) {
                if (ticks++ == calls) throw OutOfTime{};
            });
            CHECK(done == (ticks <= calls));
            stopped += !done;
            CHECK(replanner.size() <= moves.size());
            CHECK(kind.plain.end(kind.start, moves_of(kind.plain, replanner.moves())) == end);
            // Another error goes on to the caller, and leaves a solution.
            if (replanner.size() > 0) CHECK_THROWS(Stop, replanner.run({50, 1, 20, 2, 0.0, 1, 1 << 20, 1}, stop_at(1)));
            CHECK(replanner.run({50, 1, 20, 2, 0.0, 1, 1 << 20, 2}, quiet));
            CHECK(kind.plain.end(kind.start, moves_of(kind.plain, replanner.moves())) == end);
        }
    }
    CHECK(stopped > 30);
}

TEST("rounds that are refused") {
    const StepTable table = tiles(grid(3, 2));
    const std::vector<Replanner::Spot> start{{0, 0}, {1, 0}};
    CHECK(refused([&] { Replanner(table, start, {u(static_cast<int>(table.steps.size()) - 1)}); }));
    CHECK(refused([&] { Replanner(table, start, {u(static_cast<int>(table.steps.size()))}); }));
    Replanner replanner(table, start, {});
    CHECK(replanner.run({}, quiet) && replanner.size() == 0);
    CHECK(refused([&] { replanner.run({0}, quiet); }));
    CHECK(refused([&] { replanner.run({10, 0, 10, 0}, quiet); }));
    CHECK(refused([&] { replanner.run({10, 0, 10, 1, -1.0}, quiet); }));
    CHECK(refused([&] { replanner.run({10, 0, 10, 1, 0.0, 0, 0, 0}, quiet); }));
}

}  // namespace
