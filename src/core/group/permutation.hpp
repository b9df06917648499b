// Permutations of 0..n-1 as plain vectors, composed left to right: (a then b)[x] = b[a[x]].
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <random>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace slidelab {

using Point = std::uint16_t;
using Permutation = std::vector<Point>;

inline constexpr std::size_t max_degree = 65535;

// Called now and then from every long loop; may throw to stop the work (Ctrl-C).
using Tick = std::function<void(const char* phase, std::uint64_t done, std::uint64_t total)>;
inline const Tick no_tick = [](const char*, std::uint64_t, std::uint64_t) {};

// What a tick throws when time is up: searches end with what they know.
struct TimeUp : std::runtime_error {
    TimeUp() : std::runtime_error("time is up") {}
};

// A limit was reached before the memory or time was spent.
struct LimitReached : std::runtime_error {
    using std::runtime_error::runtime_error;
};

inline Permutation identity(std::size_t degree) {
    Permutation p(degree);
    std::iota(p.begin(), p.end(), Point{0});
    return p;
}

inline bool is_identity(const Permutation& p) {
    for (std::size_t x = 0; x < p.size(); ++x)
        if (p[x] != x) return false;
    return true;
}

inline void compose_into(const Permutation& a, const Permutation& b, Permutation& out) {
    out.resize(a.size());
    for (std::size_t x = 0; x < a.size(); ++x) out[x] = b[a[x]];
}

inline Permutation compose(const Permutation& a, const Permutation& b) {
    Permutation out;
    compose_into(a, b, out);
    return out;
}

inline Permutation inverse(const Permutation& p) {
    Permutation out(p.size());
    for (std::size_t x = 0; x < p.size(); ++x) out[p[x]] = static_cast<Point>(x);
    return out;
}

inline Permutation power(const Permutation& p, std::uint64_t exponent) {
    Permutation result = identity(p.size()), square = p;
    for (; exponent; exponent >>= 1) {
        if (exponent & 1) result = compose(result, square);
        if (exponent > 1) square = compose(square, square);
    }
    return result;
}

inline bool is_permutation_of_points(std::span<const Point> p) {
    std::vector<bool> seen(p.size(), false);
    for (Point x : p) {
        if (x >= p.size() || seen[x]) return false;
        seen[x] = true;
    }
    return true;
}

// Uniform below n; the standard's distributions differ between libraries, and a seed should not.
inline std::uint64_t below(std::mt19937_64& random, std::uint64_t n) {
    const std::uint64_t fair = std::mt19937_64::max() - std::mt19937_64::max() % n;
    std::uint64_t x = random();
    while (x >= fair) x = random();
    return x % n;
}

// Union-find with path halving; the smallest member is the representative.
class Partition {
public:
    explicit Partition(std::size_t n) : parent_(n) { std::iota(parent_.begin(), parent_.end(), 0u); }
    std::uint32_t find(std::uint32_t x) {
        while (parent_[x] != x) x = parent_[x] = parent_[parent_[x]];
        return x;
    }
    bool unite(std::uint32_t a, std::uint32_t b) {
        a = find(a), b = find(b);
        if (a == b) return false;
        if (a > b) std::swap(a, b);
        parent_[b] = a;
        return true;
    }
    std::size_t size() const { return parent_.size(); }

private:
    std::vector<std::uint32_t> parent_;
};

}  // namespace slidelab
