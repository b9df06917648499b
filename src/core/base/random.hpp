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

// Fast random numbers of fair quality (Steele, Lea, Flood: SplitMix), where millions are drawn each second.
class SplitMix {
public:
    explicit SplitMix(std::uint64_t seed = 0) : state_(seed) {}
    std::uint64_t operator()() {
        std::uint64_t z = state_ += 0x9e3779b97f4a7c15ull;
        z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
        z = (z ^ z >> 27) * 0x94d049bb133111ebull;
        return z ^ z >> 31;
    }
    // Nearly uniform below n, for n far below 2^32.
    std::uint64_t below(std::uint64_t n) { return ((*this)() >> 32) * n >> 32; }
    // Above 0 and at most 1.
    double unit() { return (static_cast<double>((*this)() >> 11) + 1) * 0x1p-53; }

private:
    std::uint64_t state_;
};

}  // namespace slidelab
