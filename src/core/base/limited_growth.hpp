// Vectors that grow within a number of bytes.
#pragma once

#include "base/tick.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace slidelab {

// Makes room for so many elements more. While a vector grows, the old elements and the new ones are both in memory:
// together they take at most `max_bytes`. Throws LimitReached before they would take more.
template <class T>
void reserve_within(std::vector<T>& values, std::size_t more, std::uint64_t max_bytes, const char* what) {
    const std::size_t needed = values.size() + more;
    if (needed <= values.capacity()) return;
    const std::uint64_t held = values.capacity() * sizeof(T);
    const std::uint64_t most = held < max_bytes ? (max_bytes - held) / sizeof(T) : 0;
    if (most < needed) throw LimitReached(std::string(what) + " do not fit the memory limit");
    values.reserve(static_cast<std::size_t>(
        std::min<std::uint64_t>(most, std::max<std::uint64_t>(needed, 2 * values.capacity()))));
}

}  // namespace slidelab
