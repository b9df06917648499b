// Pieces of several rules, played on a list of placements by code that knows nothing else of the core.
#pragma once

#include "huge/support.hpp"

namespace {

using Move = std::array<std::int32_t, 3>;  // placement before, placement after, turn

using Moves = std::vector<Move>;

struct Plain {
    StepTable table;
    using State = std::vector<Shortener::Spot>;  // of each piece

    std::vector<bool> covered(const State& state) const {
        std::vector<bool> out(table.cells, false);
        for (const auto& [placement, turn] : state)
            for (auto c : table.cells_of(z(placement))) {
                CHECK(!out[z(c)]);
                out[z(c)] = true;
            }
        return out;
    }
    std::vector<std::pair<Move, State>> after(const State& state) const {
        const auto full = covered(state);
        std::vector<std::size_t> piece(table.placement_count(), state.size());
        for (std::size_t k = 0; k < state.size(); ++k) piece[z(state[k].first)] = k;
        std::vector<std::pair<Move, State>> out;
        for (const auto& s : table.steps) {
            const std::size_t k = piece[z(s.from)];
            if (k == state.size() ||
                std::any_of(s.holes.begin(), s.holes.end(), [&](auto c) { return c >= 0 && full[z(c)]; }))
                continue;
            const Move move{s.from, s.to, s.turn};
            if (std::any_of(out.begin(), out.end(), [&](const auto& there) { return there.first == move; })) continue;
            State other = state;
            other[k] = {s.to, (state[k].second + s.turn) % static_cast<std::int32_t>(table.turns)};
            out.emplace_back(move, std::move(other));
        }
        return out;
    }
    State play(const State& state, const Move& move) const {
        for (auto& [there, other] : after(state))
            if (there == move) return other;
        fail(__FILE__, __LINE__, "a legal move");
    }
    State end(State state, const Moves& moves) const {
        for (const auto& m : moves) state = play(state, m);
        return state;
    }
    Moves walk(State state, std::size_t length, std::mt19937_64& random) const {
        Moves out;
        while (out.size() < length) {
            const auto ways = after(state);
            if (ways.empty()) break;
            const auto& [move, other] = ways[below(random, ways.size())];
            out.push_back(move);
            state = other;
        }
        return out;
    }
    std::map<State, unsigned> distances(const State& start) const {
        std::map<State, unsigned> out{{start, 0}};
        std::deque<State> queue{start};
        while (!queue.empty()) {
            const unsigned far = out.at(queue.front());
            for (auto& [move, other] : after(queue.front()))
                if (out.emplace(other, far + 1).second) queue.push_back(other);
            queue.pop_front();
        }
        return out;
    }
    bool repeats(State state, const Moves& moves) const {
        std::set<State> seen{state};
        for (const auto& m : moves)
            if (!seen.insert(state = play(state, m)).second) return true;
        return false;
    }
};

struct Kind {
    const char* name;
    Plain plain;
    Plain::State start;
    bool is_small;  // all its states can be listed
};

// Pieces put down at random until there are so many, and one can move.
inline Plain::State laid(const Plain& plain, std::size_t pieces, std::mt19937_64& random) {
    const StepTable& table = plain.table;
    for (;;) {
        Plain::State out;
        std::vector<bool> full(table.cells, false);
        for (int tries = 0; tries < 100 && out.size() < pieces; ++tries) {
            const std::size_t p = below(random, table.placement_count());
            const auto cells = table.cells_of(p);
            if (std::any_of(cells.begin(), cells.end(), [&](auto c) { return full[z(c)]; })) continue;
            for (auto c : cells) full[z(c)] = true;
            out.emplace_back(static_cast<std::int32_t>(p), static_cast<std::int32_t>(below(random, table.turns)));
        }
        if (out.size() == pieces && !plain.after(out).empty()) return out;
    }
}

inline std::vector<Kind> kinds(std::mt19937_64& random) {
    std::vector<Kind> out;
    const auto add = [&](const char* name, StepTable table, std::size_t pieces, bool is_small) {
        Plain plain{std::move(table)};
        auto start = laid(plain, pieces, random);
        out.push_back({name, std::move(plain), std::move(start), is_small});
    };
    add("5 tiles", tiles(grid(3, 2)), 5, true);
    add("3 tiles", tiles(grid(3, 2)), 3, true);
    add("2 tiles, 7 holes", tiles(grid(3, 3)), 2, true);
    add("3 tiles, 6 holes", tiles(grid(3, 3)), 3, true);
    add("24 tiles", tiles(grid(5, 5)), 24, false);
    add("20 tiles", tiles(grid(5, 5)), 20, false);
    add("16 tiles, 9 holes", tiles(grid(5, 5)), 16, false);
    add("4 hexagonal tiles", wide_tiles(hexagons(3, 2)), 4, true);
    add("5 hexagonal tiles", wide_tiles(hexagons(3, 3)), 5, true);
    add("23 hexagonal tiles", wide_tiles(hexagons(5, 5)), 23, false);
    add("21 hexagonal tiles", wide_tiles(hexagons(5, 5)), 21, false);
    add("2 gourds", gourds(hexagons(3, 2)), 2, true);
    add("3 gourds", gourds(hexagons(4, 2)), 3, true);
    add("3 gourds on squares", gourds(grid(3, 3)), 3, true);
    add("9 gourds", gourds(hexagons(5, 4)), 9, false);
    add("triangle", triangles(5), 1, true);
    add("2 triangles", triangles(7), 2, true);
    add("2 triangles, 3 holes", triangles(9), 2, false);
    return out;
}

}  // namespace
