// Permutations that turn up again and again, each stored once and known by a number; 0 is the identity.
#pragma once

#include "base/hash_index.hpp"
#include "base/limited_growth.hpp"
#include "group/permutation.hpp"

namespace slidelab {

class GainWords {
public:
    GainWords(std::size_t degree, std::uint64_t max_bytes) : degree_(degree), max_bytes_(max_bytes) {
        number(identity(degree));
    }

    std::size_t size() const { return index_.size(); }
    std::size_t degree() const { return degree_; }
    std::span<const Point> operator[](std::size_t word) const { return {points_.data() + word * degree_, degree_}; }

    std::uint32_t number(const Permutation& p) {
        const auto equals = [&](std::uint32_t n) { return std::equal(p.begin(), p.end(), (*this)[n].begin()); };
        const auto [n, is_new] =
            index_.insert(hash_values<Point>(p), equals, [&](std::uint32_t k) { return hash_values((*this)[k]); });
        if (is_new) {
            reserve_within(points_, degree_, max_bytes_, "the gains of the paths");
            points_.insert(points_.end(), p.begin(), p.end());
        }
        return n;
    }

    // The number of: first one, then the other.
    std::uint32_t then(std::uint32_t first, std::uint32_t second) {
        if (first == 0 || second == 0) return first + second;
        buffer_.resize(degree_);
        for (std::size_t x = 0; x < degree_; ++x) buffer_[x] = (*this)[second][(*this)[first][x]];
        return number(buffer_);
    }

    std::uint32_t inverse(std::uint32_t word) {
        if (word == 0) return 0;
        buffer_.resize(degree_);
        for (std::size_t x = 0; x < degree_; ++x) buffer_[(*this)[word][x]] = static_cast<Point>(x);
        return number(buffer_);
    }

private:
    std::size_t degree_;
    std::uint64_t max_bytes_;
    std::vector<Point> points_;
    HashIndex index_;
    Permutation buffer_;
};

}  // namespace slidelab
