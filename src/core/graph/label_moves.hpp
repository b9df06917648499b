// Which piece each move of a list moves, for pieces of one cell.
#pragma once

#include "base/tick.hpp"

#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

namespace slidelab {

// `piece_on` has the piece on each cell, 0 for a hole; `moves` are pairs of the cell before and the cell after. Returns
// the piece of each move; what a move takes from an empty cell is 0.
inline std::vector<std::int32_t> label_moves(std::vector<std::int32_t> piece_on, std::span<const std::int32_t> moves,
                                             const Tick& tick) {
    const auto is_cell = [&](std::int32_t c) { return c >= 0 && static_cast<std::size_t>(c) < piece_on.size(); };
    const std::size_t count = moves.size() / 2;
    std::vector<std::int32_t> pieces(count);
    for (std::size_t i = 0; i < count; ++i) {
        if ((i & 0xffff) == 0) tick("moves", i, count);
        const std::int32_t before = moves[2 * i], after = moves[2 * i + 1];
        if (!is_cell(before) || !is_cell(after)) throw std::invalid_argument("no such cell");
        pieces[i] = piece_on[static_cast<std::size_t>(before)];
        piece_on[static_cast<std::size_t>(before)] = 0;
        piece_on[static_cast<std::size_t>(after)] = pieces[i];
    }
    return pieces;
}

}  // namespace slidelab
