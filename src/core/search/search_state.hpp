// Where searches begin, and what they find.
#pragma once

#include "search/move_table.hpp"

#include <optional>

namespace slidelab {

// Where a search begins: a shape, and the mark of the piece in each of its slots.
struct SearchState {
    std::uint32_t shape = 0;
    std::vector<Point> marks;

    void check(const MoveTable& moves, const Marks& kinds, bool numbered = false) const {
        if (shape >= moves.shapes() || marks.size() != moves.pieces()) throw std::invalid_argument("no such state");
        for (auto m : marks)
            if (!kinds.is_mark(m)) throw std::invalid_argument("no such mark");
        if (!numbered) return;
        std::vector<bool> seen(kinds.kinds(), false);
        for (auto m : marks) {
            if (seen[kinds.kind(m)]) throw std::invalid_argument("a piece lies in two slots");
            seen[kinds.kind(m)] = true;
        }
    }
    // Kinds and spots.
    std::vector<std::pair<Point, Point>> pieces(const MoveTable& moves, const Marks& kinds) const {
        std::vector<std::pair<Point, Point>> out;
        for (std::size_t slot = 0; slot < marks.size(); ++slot)
            out.emplace_back(static_cast<Point>(kinds.kind(marks[slot])),
                             static_cast<Point>(moves.slots(shape)[slot] * moves.turns() + kinds.turn(marks[slot])));
        return out;
    }
};

struct Found {
    std::optional<std::vector<std::uint32_t>> arcs;  // of the move table; none: stopped, or there is no solution
    std::uint64_t nodes = 0;                         // states expanded
    std::uint32_t bound = 0;                         // no solution is shorter
    bool finished = false;                           // else a limit was reached
};

}  // namespace slidelab
