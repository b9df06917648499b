// A set of numbers that is filled and emptied over and over, as searches do.
#pragma once

#include "graph/gain_graph.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace slidelab {

// Numbers a set of 64-bit keys in the order they come; emptied in no time.
class KeySet {
public:
    static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
    void clear() {
        keys_.clear();
        if (++stamp_ == 0) std::fill(stamps_.begin(), stamps_.end(), 0), stamp_ = 1;
    }
    std::size_t size() const { return keys_.size(); }
    std::uint64_t key(std::size_t i) const { return keys_[i]; }
    std::pair<std::uint32_t, bool> insert(std::uint64_t key) {
        if (2 * keys_.size() >= stamps_.size()) grow();
        const std::size_t at = probe(key);
        if (stamps_[at] == stamp_) return {numbers_[at], false};
        const auto number = static_cast<std::uint32_t>(keys_.size());
        if (number == none) throw LimitReached("too many states");
        keys_.push_back(key);
        stamps_[at] = stamp_;
        numbers_[at] = number;
        return {number, true};
    }

private:
    std::size_t probe(std::uint64_t key) const {
        const std::size_t mask = stamps_.size() - 1;
        std::uint64_t h = key * 0x9e3779b97f4a7c15ull;
        h ^= h >> 32;
        std::size_t at = h & mask;
        while (stamps_[at] == stamp_ && keys_[numbers_[at]] != key) at = (at + 1) & mask;
        return at;
    }
    void grow() {
        const std::size_t size = std::max<std::size_t>(1024, 2 * stamps_.size());
        numbers_.resize(size);  // first, so that they are never fewer
        stamps_.assign(size, 0);
        stamp_ = 1;
        for (std::uint32_t i = 0; i < keys_.size(); ++i) {
            const std::size_t at = probe(keys_[i]);
            stamps_[at] = stamp_;
            numbers_[at] = i;
        }
    }
    std::vector<std::uint64_t> keys_;
    std::vector<std::uint32_t> stamps_, numbers_;
    std::uint32_t stamp_ = 1;
};

}  // namespace slidelab
