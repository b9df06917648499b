// Ranks of the boundary matrices of a covering, from its Morse complex over the shapes.
#pragma once

#include "homology/morse_complex.hpp"
#include "homology/sheets.hpp"
#include "homology/unit_elimination.hpp"

namespace slidelab {

// The Smith normal form of one boundary matrix: so many ones, and the rest as a matrix without units.
struct SmithPart {
    std::size_t ones = 0;
    std::vector<UnitElimination::Column> rest;
};

// Of the boundary of every dimension from the top down to two. `boundaries[k - 2]` belongs to dimension k and has
// `counts[k - 1]` rows; row r on sheet s is r * sheets + s. A cell that is a pivot of the boundary above needs no
// column of its own: it is an integer combination of others.
inline std::vector<SmithPart> smith_parts(const std::vector<std::vector<std::vector<MorseComplex::Term>>>& boundaries,
                                          const std::vector<std::size_t>& counts, const Sheets& sheets,
                                          const GainWords& words, std::uint64_t max_bytes, const Tick& tick) {
    std::vector<SmithPart> out(boundaries.size());
    std::vector<bool> is_cleared;
    const std::uint64_t n = sheets.size();
    for (std::size_t level = boundaries.size(); level-- > 0;) {
        const auto& columns = boundaries[level];
        const std::uint64_t rows = counts[level + 1] * n;
        constexpr std::uint64_t row_bytes = 2 * sizeof(std::uint32_t) + sizeof(std::int64_t) + 1;
        if (std::max(rows, columns.size() * n) >= std::uint32_t(-1) || rows * row_bytes > max_bytes)
            throw LimitReached("the reduced boundary matrix has " + std::to_string(rows) + " rows and " +
                               std::to_string(columns.size() * n) + " columns, which do not fit the memory limit");
        std::vector<std::uint32_t> weight(rows, 0);
        for (const auto& terms : columns)
            for (const auto& t : terms)
                for (std::uint64_t s = 0; s < n; ++s) ++weight[t.row * n + s];
        UnitElimination elimination(std::move(weight), max_bytes - rows * row_bytes);
        std::vector<UnitElimination::Entry> column;
        Permutation buffer;
        for (std::size_t c = 0; c < columns.size(); ++c)
            for (std::uint32_t s = 0; s < n; ++s) {
                if (((c * n + s) & 0xff) == 0) tick("elimination", c * n + s, columns.size() * n);
                if (!is_cleared.empty() && is_cleared[c * n + s]) continue;
                column.clear();
                for (const auto& t : columns[c])
                    column.push_back({static_cast<std::uint32_t>(t.row * n + sheets.image(s, words[t.gain], buffer)),
                                      t.coefficient});
                elimination.add(column);
            }
        elimination.finish(tick);
        out[level].ones = elimination.rank();
        out[level].rest = elimination.rest();
        is_cleared.assign(rows, false);
        for (std::uint32_t r = 0; r < rows; ++r) is_cleared[r] = elimination.is_pivot_row(r);
    }
    return out;
}

}  // namespace slidelab
