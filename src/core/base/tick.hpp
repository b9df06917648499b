// How long loops are interrupted: they call a tick, which may throw.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <stdexcept>

namespace slidelab {

// Called regularly from every long loop with the phase of the work and its progress (total 0 if unknown). It may throw
// anything to stop the work.
using Tick = std::function<void(const char* phase, std::uint64_t done, std::uint64_t total)>;
inline const Tick no_tick = [](const char*, std::uint64_t, std::uint64_t) {};

// How often a loop ticks whose rounds take about `work` steps each: when `(round & tick_mask(work)) == 0`, which is
// once in some hundred thousand steps, or a millisecond.
inline std::size_t tick_mask(std::size_t work = 1) {
    constexpr std::size_t steps = std::size_t{1} << 17;
    return std::bit_floor(std::max<std::size_t>(1, steps / std::max<std::size_t>(1, work))) - 1;
}

// Thrown by a tick when the deadline has passed. Searches catch it and return what they know.
struct OutOfTime : std::runtime_error {
    OutOfTime() : std::runtime_error("time is up") {}
};

// Thrown before memory or time beyond a given limit is used.
struct LimitReached : std::runtime_error {
    using std::runtime_error::runtime_error;
};

}  // namespace slidelab
