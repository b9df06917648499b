// A rule on a board, as the core knows it: two tables without geometry.
//
//   placements  where one piece can lie on the board: its cells in a fixed reading
//   steps       a piece goes from placement to placement and is turned, if certain cells are holes
#pragma once

#include "base/tick.hpp"
#include "group/permutation.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <initializer_list>
#include <numeric>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

namespace slidelab {

inline constexpr std::size_t max_cells = max_degree;  // of a board: cells and placements are numbers of 16 bits
inline constexpr std::size_t max_piece_cells = 8;     // of a piece
inline constexpr std::size_t max_turns = 8;           // readings of a piece that lies on given cells
inline constexpr std::size_t max_step_holes = 8;      // that one step may need

struct StepTable {
    struct Step {
        std::int32_t from, to;
        std::int32_t turn;
        std::array<std::int32_t, max_step_holes> holes;  // cells that must be holes, at least one; -1 after the last

        Step(std::int32_t from_placement, std::int32_t to_placement, std::int32_t by,
             std::initializer_list<std::int32_t> needed)
            : from(from_placement), to(to_placement), turn(by) {
            if (needed.size() > max_step_holes) throw std::invalid_argument("too many holes in a step");
            std::fill(std::copy(needed.begin(), needed.end(), holes.begin()), holes.end(), -1);
        }
    };
    std::size_t cells = 0, piece_cells = 1, turns = 1;
    std::vector<std::int32_t> placements;  // piece_cells entries each
    std::vector<Step> steps;
    std::vector<std::int32_t> rank;  // of each cell along the line that orders the slots

    std::size_t placement_count() const { return placements.size() / piece_cells; }
    std::span<const std::int32_t> cells_of(std::size_t placement) const {
        return {placements.data() + placement * piece_cells, piece_cells};
    }

    void check(const Tick& tick = no_tick) const {
        auto fail = [](const char* what) { throw std::invalid_argument(what); };
        if (cells == 0 || cells > max_cells) fail("number of cells out of range");
        if (piece_cells == 0 || piece_cells > max_piece_cells || turns == 0 || turns > max_turns)
            fail("piece size out of range");
        if (rank.size() != cells) fail("one rank a cell expected");
        std::vector<bool> seen(cells, false);
        for (auto r : rank) {
            if (r < 0 || static_cast<std::size_t>(r) >= cells || seen[static_cast<std::size_t>(r)])
                fail("ranks must be a permutation of the cells");
            seen[static_cast<std::size_t>(r)] = true;
        }
        if (placements.size() % piece_cells || placement_count() > max_degree) fail("placements out of range");
        for (auto c : placements)
            if (c < 0 || static_cast<std::size_t>(c) >= cells) fail("placement outside the board");
        for (std::size_t p = 0; p < placement_count(); ++p)
            for (std::size_t k = 1; k < piece_cells; ++k)
                if (covers(cells_of(p).first(k), cells_of(p)[k])) fail("a placement covers a cell twice");
        if (piece_cells == 1) {
            if (placement_count() != cells) fail("one placement a cell expected");
            for (std::size_t c = 0; c < cells; ++c)
                if (placements[c] != static_cast<std::int32_t>(c)) fail("placement c must lie on cell c");
        }
        const auto count = static_cast<std::int32_t>(placement_count());
        for (std::size_t i = 0; i < steps.size(); ++i) {
            if ((i & step_mask) == 0) tick("steps", i, steps.size());
            const Step& s = steps[i];
            if (s.from < 0 || s.from >= count || s.to < 0 || s.to >= count || s.from == s.to)
                fail("step between unknown placements");
            if (s.turn < 0 || static_cast<std::size_t>(s.turn) >= turns) fail("turn out of range");
            if (s.holes[0] < 0) fail("a step needs a hole");
            for (std::size_t k = 0; k < max_step_holes; ++k) {
                if (s.holes[k] < -1 || s.holes[k] >= static_cast<std::int32_t>(cells))
                    fail("needed cell outside the board");
                if (k && s.holes[k] >= 0 && s.holes[k - 1] < 0) fail("needed cells must come first");
            }
            for (auto c : cells_of(static_cast<std::size_t>(s.to)))
                if (!covers(cells_of(static_cast<std::size_t>(s.from)), c) && !covers(s.holes, c))
                    fail("a step must need the cells it enters");
        }
        if (!reversible(tick)) fail("a step cannot be taken back");
    }

private:
    static constexpr std::size_t step_mask = 0xfff;

    static bool covers(std::span<const std::int32_t> list, std::int32_t cell) {
        return std::find(list.begin(), list.end(), cell) != list.end();
    }

    // Edges are found from their lower end only and used in both directions. So for every step there must be a step
    // back that needs no other holes than those the step needed or left behind; otherwise a one-way move would be lost,
    // or used against its direction, without notice.
    bool reversible(const Tick& tick) const {
        std::vector<std::uint32_t> order(steps.size());
        std::iota(order.begin(), order.end(), 0u);
        // By both ends, in linear time: by the second first.
        sort_by(order, [&](std::uint32_t i) { return static_cast<std::size_t>(steps[i].to); });
        tick("steps", 0, steps.size());
        sort_by(order, [&](std::uint32_t i) { return static_cast<std::size_t>(steps[i].from); });
        auto ends = [&](std::uint32_t i) { return std::pair(steps[i].from, steps[i].to); };
        auto undoes = [&](const Step& back, const Step& s) {
            if (static_cast<std::size_t>(back.turn + s.turn) % turns != 0) return false;
            return std::all_of(back.holes.begin(), back.holes.end(), [&](std::int32_t c) {
                return c < 0 || (!covers(cells_of(static_cast<std::size_t>(s.to)), c) &&
                                 (covers(s.holes, c) || covers(cells_of(static_cast<std::size_t>(s.from)), c)));
            });
        };
        for (std::size_t i = 0; i < steps.size(); ++i) {
            if ((i & step_mask) == 0) tick("steps", i, steps.size());
            const std::pair wanted(steps[i].to, steps[i].from);
            auto it = std::lower_bound(order.begin(), order.end(), wanted,
                                       [&](std::uint32_t k, const auto& pair) { return ends(k) < pair; });
            while (it != order.end() && ends(*it) == wanted && !undoes(steps[*it], steps[i])) ++it;
            if (it == order.end() || ends(*it) != wanted) return false;
        }
        return true;
    }

    // Sorts numbers of steps by a placement, those of the same in the order they had.
    template <class Key>
    void sort_by(std::vector<std::uint32_t>& order, Key key) const {
        std::vector<std::uint32_t> next(placement_count() + 1, 0), sorted(order.size());
        for (auto i : order) ++next[key(i) + 1];
        for (std::size_t p = 0; p < placement_count(); ++p) next[p + 1] += next[p];
        for (auto i : order) sorted[next[key(i)]++] = i;
        order = std::move(sorted);
    }
};

}  // namespace slidelab
