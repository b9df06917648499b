// The moves of a rule on a board, numbered.
//
// A move takes a piece from one placement to another and turns it; which piece it is does not matter. Several rows
// of a step table may describe one move (a hexagonal tile may have its companion hole on either side): they are its
// alternatives, and one of them must have all its cells empty. Moves are numbered in the order of their first rows.
#pragma once

#include "graph/gain_graph.hpp"

#include <map>

namespace slidelab {

class NumberedMoves {
public:
    struct Move {
        std::uint32_t from, to, turn;
    };
    struct Alternative {
        std::uint32_t move, from;
        std::array<std::int32_t, max_step_holes> holes;  // cells that must be empty, -1 after the last
    };

    explicit NumberedMoves(StepTable table, const Tick& tick = no_tick) : table_(std::move(table)) {
        table_.check(tick);
        number_moves(tick);
        sort_alternatives();
    }

    const StepTable& table() const { return table_; }
    std::size_t size() const { return moves_.size(); }
    const Move& operator[](std::size_t move) const { return moves_[move]; }
    const std::vector<std::uint32_t>& first_rows() const { return first_rows_; }
    const std::vector<std::uint32_t>& reverses() const { return reverses_; }

    // Whether all cells are empty that one of the alternatives of a move needs; `grid` is zero on empty cells.
    template <class Cell>
    bool has_room(const Cell* grid, std::size_t move) const {
        for (std::size_t i = of_move_[move]; i < of_move_[move + 1]; ++i)
            if (is_empty(grid, by_move_[i])) return true;
        return false;
    }

    // Appends the legal moves in increasing order. `grid` is zero on empty cells, of which `holes` is the list, and
    // `occupied` is zero for placements on which no piece lies.
    template <class Cell, class Flag>
    void gather(const Cell* grid, const Flag* occupied, std::span<const Point> holes,
                std::vector<std::uint32_t>& out) const {
        out.clear();
        for (const auto hole : holes)
            for (std::size_t i = of_hole_[hole]; i < of_hole_[hole + 1u]; ++i) {
                const auto& a = by_hole_[i];
                if (occupied[a.from] != 0 && is_empty(grid, a)) out.push_back(a.move);
            }
        if (holes.size() < 2) return;  // the alternatives of one hole are sorted and distinct
        std::sort(out.begin(), out.end());
        out.erase(std::unique(out.begin(), out.end()), out.end());
    }

private:
    template <class Cell>
    static bool is_empty(const Cell* grid, const Alternative& a) {
        for (const auto cell : a.holes) {
            if (cell < 0) break;
            if (grid[cell] != 0) return false;
        }
        return true;
    }

    void number_moves(const Tick& tick) {
        std::map<std::array<std::int32_t, 3>, std::uint32_t> number;
        std::map<std::pair<std::uint32_t, std::array<std::int32_t, max_step_holes>>, bool> seen;
        for (std::size_t row = 0; row < table_.steps.size(); ++row) {
            if ((row & 0xfff) == 0) tick("moves", row, table_.steps.size());
            const auto& s = table_.steps[row];
            const auto [it, fresh] =
                number.try_emplace({s.from, s.to, s.turn}, static_cast<std::uint32_t>(moves_.size()));
            if (fresh) {
                moves_.push_back({static_cast<std::uint32_t>(s.from), static_cast<std::uint32_t>(s.to),
                                  static_cast<std::uint32_t>(s.turn)});
                first_rows_.push_back(static_cast<std::uint32_t>(row));
            }
            auto holes = s.holes;
            std::sort(holes.begin(), holes.end());
            if (seen.try_emplace({it->second, holes}, true).second)
                by_hole_.push_back({it->second, static_cast<std::uint32_t>(s.from), s.holes});
        }
        for (const auto& m : moves_) {
            if ((reverses_.size() & 0xfff) == 0) tick("moves", reverses_.size(), moves_.size());
            const auto turns = static_cast<std::int32_t>(table_.turns), turn = static_cast<std::int32_t>(m.turn);
            reverses_.push_back(number.at(
                {static_cast<std::int32_t>(m.to), static_cast<std::int32_t>(m.from), (turns - turn) % turns}));
        }
    }

    void sort_alternatives() {
        auto index = [](std::vector<Alternative>& list, std::size_t keys, auto key) {
            std::vector<std::size_t> first(keys + 1, 0);
            for (const auto& a : list) ++first[key(a) + 1];
            std::partial_sum(first.begin(), first.end(), first.begin());
            auto next = first;
            std::vector<Alternative> sorted(list.size());
            for (const auto& a : list) sorted[next[key(a)]++] = a;
            list = std::move(sorted);
            return first;
        };
        of_move_ = index(by_hole_, moves_.size(), [](const auto& a) { return std::size_t{a.move}; });
        by_move_ = by_hole_;
        of_hole_ = index(by_hole_, table_.cells, [](const auto& a) { return static_cast<std::size_t>(a.holes[0]); });
    }

    StepTable table_;
    std::vector<Move> moves_;
    std::vector<std::uint32_t> first_rows_, reverses_;  // of each move: its first row, and the move that takes it back
    std::vector<Alternative> by_move_, by_hole_;        // the same, sorted by move, and by the first cell needed
    std::vector<std::size_t> of_move_, of_hole_;
};

}  // namespace slidelab
