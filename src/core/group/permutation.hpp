// Permutations of 0..n-1 as plain vectors, composed left to right: (a then b)[x] = b[a[x]].
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

namespace slidelab {

using Point = std::uint16_t;
using Permutation = std::vector<Point>;

inline constexpr std::size_t max_degree = 65535;

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

// Whether a permutation of 0..n-1 is odd: a cycle of k points is k - 1 exchanges.
template <class T>
bool is_odd(std::span<const T> p) {
    std::vector<bool> seen(p.size(), false);
    bool odd = false;
    for (std::size_t x = 0; x < p.size(); ++x)
        for (std::size_t y = x; !seen[y]; y = p[y]) {
            seen[y] = true;
            odd ^= p[y] != x;
        }
    return odd;
}
inline bool is_odd(const Permutation& p) { return is_odd(std::span<const Point>(p)); }

// Whether sorting a short list of different values takes an odd number of exchanges; value(i) is the i-th of them.
template <class Value>
bool has_odd_order(std::size_t count, Value&& value) {
    bool odd = false;
    for (std::size_t i = 0; i < count; ++i)
        for (std::size_t j = i + 1; j < count; ++j) odd ^= value(i) > value(j);
    return odd;
}

}  // namespace slidelab
