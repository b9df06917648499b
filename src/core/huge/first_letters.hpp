// Shortest words that bring a few points to given targets, for a table of all their positions.
#pragma once

#include "base/tick.hpp"

#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

namespace slidelab {

// `letters` permutations of `size` points come as rows, letter k and k ^ 1 being inverses. For each tuple of points (as
// many as a target has; numbered like the digits of a number to the base `size`) the result is the first letter of a
// shortest word that takes it to a target, `letters` at the targets, -1 where there is none. Searched backwards from
// the targets, breadth first: a byte for each tuple, and two layers.
inline std::vector<std::int8_t> first_letters(std::span<const std::int32_t> rows, std::size_t letters, std::size_t size,
                                              std::span<const std::int32_t> targets, std::size_t points,
                                              const Tick& tick) {
    if (size == 0 || letters == 0 || letters % 2 != 0 || letters > 126 || rows.size() != letters * size)
        throw std::invalid_argument("pairs of permutations expected");
    if (points == 0 || targets.size() % points != 0) throw std::invalid_argument("whole targets expected");
    std::uint64_t tuples = 1;
    for (std::size_t p = 0; p < points; ++p)
        if ((tuples *= size) > 0xffffffffu) throw LimitReached("too many tuples of points");
    for (std::size_t k = 0; k < letters; ++k)
        for (std::size_t x = 0; x < size; ++x) {
            const std::int32_t y = rows[k * size + x];
            if (y < 0 || static_cast<std::size_t>(y) >= size ||
                rows[(k ^ 1) * size + static_cast<std::size_t>(y)] != static_cast<std::int32_t>(x))
                throw std::invalid_argument("a letter and its inverse expected");
        }
    std::vector<std::int8_t> first(tuples, -1);
    std::vector<std::uint32_t> layer, next;
    for (std::size_t t = 0; t < targets.size(); t += points) {
        std::uint64_t tuple = 0;
        for (std::size_t p = 0; p < points; ++p) {
            if (targets[t + p] < 0 || static_cast<std::size_t>(targets[t + p]) >= size)
                throw std::invalid_argument("no such point");
            tuple = tuple * size + static_cast<std::size_t>(targets[t + p]);
        }
        first[tuple] = static_cast<std::int8_t>(letters);
        layer.push_back(static_cast<std::uint32_t>(tuple));
    }
    std::uint64_t done = 0;
    for (; !layer.empty(); layer.swap(next), next.clear())
        for (std::size_t k = 0; k < letters; ++k) {
            const std::int32_t* back = rows.data() + (k ^ 1) * size;
            for (const std::uint32_t tuple : layer) {
                if ((done++ & 0xffff) == 0) tick("words", done / letters, tuples);
                std::uint64_t before = 0, place = 1, rest = tuple;
                for (std::size_t p = 0; p < points; ++p, place *= size, rest /= size)
                    before += place * static_cast<std::uint64_t>(back[rest % size]);
                if (first[before] >= 0) continue;
                first[before] = static_cast<std::int8_t>(k);
                next.push_back(static_cast<std::uint32_t>(before));
            }
        }
    return first;
}

}  // namespace slidelab
