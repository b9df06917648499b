// Ranks the subsets of k of n elements: the sum of binomial coefficients (p over i) for the i-th element p.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

namespace slidelab {

class Subsets {
public:
    Subsets(unsigned n, unsigned k) : choose_((n + 1) * (k + 1), 0), width_(k + 1) {
        for (unsigned p = 0; p <= n; ++p) {
            choose_[p * width_] = 1;
            for (unsigned i = 1; p > 0 && i <= k; ++i)
                choose_[p * width_ + i] = choose_[(p - 1) * width_ + i] + choose_[(p - 1) * width_ + i - 1];
        }
    }
    std::uint64_t count() const { return choose_.back(); }
    std::uint64_t rank(std::uint64_t set) const {
        std::uint64_t sum = 0;
        for (unsigned i = 1; set; set &= set - 1, ++i)
            sum += choose_[static_cast<unsigned>(std::countr_zero(set)) * width_ + i];
        return sum;
    }
    // The set with the next rank; of the last set, anything.
    static std::uint64_t next(std::uint64_t set) {
        const std::uint64_t low = set & -set, above = set + low;
        return above == 0 ? 0 : above | ((set ^ above) >> 2 >> std::countr_zero(low));
    }

private:
    std::vector<std::uint64_t> choose_;
    unsigned width_;
};

}  // namespace slidelab
