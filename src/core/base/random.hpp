// Random numbers that depend on the seed alone.
#pragma once

#include <cstdint>
#include <random>

namespace slidelab {

// Uniform below n. The distributions of the standard library differ between implementations.
inline std::uint64_t below(std::mt19937_64& random, std::uint64_t n) {
    const std::uint64_t limit = std::mt19937_64::max() - std::mt19937_64::max() % n;
    std::uint64_t x = random();
    while (x >= limit) x = random();
    return x % n;
}

}  // namespace slidelab
