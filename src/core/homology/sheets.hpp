// The arrangements of the pieces at the base of a family that loops turn into one another: the sheets of a covering.
#pragma once

#include "base/hash_index.hpp"
#include "base/limited_growth.hpp"
#include "group/permutation.hpp"

namespace slidelab {

class Sheets {
public:
    // All arrangements that the generators make of the first: what lies on each slot point.
    Sheets(const Permutation& first, std::span<const Point> generators, std::uint64_t max_bytes, const Tick& tick)
        : degree_(first.size()) {
        if (degree_ && generators.size() % degree_) throw std::invalid_argument("generators of another degree");
        if (degree_ == 0) {
            count_ = 1;
            return;
        }
        add(first.begin(), max_bytes);
        Permutation image(degree_);
        const std::size_t often = tick_mask(generators.size() + 1);
        for (std::uint32_t sheet = 0; sheet < count_; ++sheet) {
            if ((sheet & often) == 0) tick("arrangements", sheet, 0);
            for (std::size_t g = 0; g < generators.size(); g += degree_) {
                carry(sheet, generators.subspan(g, degree_), image);
                add(image.begin(), max_bytes);
            }
        }
    }

    std::uint32_t size() const { return count_; }

    // The sheet on which a loop with this gain ends.
    std::uint32_t image(std::uint32_t sheet, std::span<const Point> gain, Permutation& buffer) const {
        if (degree_ == 0) return 0;
        buffer.resize(degree_);
        carry(sheet, gain, buffer);
        const std::uint32_t found = index_.find(hash_values<Point>(buffer), [&](std::uint32_t s) {
            return std::equal(buffer.begin(), buffer.end(), (*this)[s].begin());
        });
        if (found == HashIndex::none) throw std::logic_error("a loop leads to no arrangement");
        return found;
    }

private:
    std::span<const Point> operator[](std::size_t sheet) const { return {points_.data() + sheet * degree_, degree_}; }

    void carry(std::uint32_t sheet, std::span<const Point> gain, Permutation& out) const {
        const auto here = (*this)[sheet];
        for (std::size_t x = 0; x < degree_; ++x) out[gain[x]] = here[x];
    }

    void add(Permutation::const_iterator word, std::uint64_t max_bytes) {
        reserve_within(points_, degree_, max_bytes, "the arrangements of the pieces");
        points_.insert(points_.end(), word, word + static_cast<std::ptrdiff_t>(degree_));
        const std::span<const Point> added(points_.data() + points_.size() - degree_, degree_);
        const auto [n, is_new] = index_.insert(
            hash_values(added),
            [&](std::uint32_t s) { return std::equal(added.begin(), added.end(), (*this)[s].begin()); },
            [&](std::uint32_t s) { return hash_values((*this)[s]); });
        if (is_new) count_ = n + 1;
        else points_.resize(points_.size() - degree_);
    }

    std::size_t degree_;
    std::uint32_t count_ = 0;
    std::vector<Point> points_;
    HashIndex index_;
};

}  // namespace slidelab
