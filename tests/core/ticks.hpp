// Ticks that are counted, and that stop the work at a given call: long loops are shown to look at the clock without
// waiting for it.
#pragma once

#include "base/tick.hpp"
#include "check.hpp"

#include <set>

namespace slidelab {

struct Stop {};

// Throws at the n-th call.
inline Tick stop_at(std::uint64_t n) {
    return [n, calls = std::uint64_t{0}](const char*, std::uint64_t, std::uint64_t) mutable {
        if (++calls == n) throw Stop{};
    };
}

// How often work(tick) ticks.
template <class Work>
std::uint64_t count_ticks(const Work& work) {
    std::uint64_t calls = 0;
    work(Tick([&](const char*, std::uint64_t, std::uint64_t) { ++calls; }));
    return calls;
}

// Checks that work(tick) ticks at least so often, and that a tick that throws stops it, whichever it is. Each call must
// do all the work again.
template <class Work>
void check_ticks(std::uint64_t least, const Work& work) {
    const std::uint64_t calls = count_ticks(work);
    CHECK(calls >= least);
    for (const std::uint64_t n : std::set<std::uint64_t>{1, 2, 3, calls / 3, calls / 2, calls - 1, calls})
        if (n > 0 && n <= calls) CHECK_THROWS(Stop, work(stop_at(n)));
    CHECK(count_ticks(work) == calls);
}

}  // namespace slidelab
