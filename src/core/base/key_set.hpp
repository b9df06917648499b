// A set of numbers that is filled and emptied over and over, as searches do.
#pragma once

#include "base/hash_index.hpp"

namespace slidelab {

// Numbers a set of 64-bit keys in the order they come; emptied in no time.
class KeySet {
public:
    static constexpr std::uint32_t none = HashIndex::none;

    void clear() {
        keys_.clear();
        index_.clear();
    }
    std::size_t size() const { return keys_.size(); }
    std::uint64_t key(std::size_t i) const { return keys_[i]; }
    std::uint32_t find(std::uint64_t key) const {
        return index_.find(hash(key), [&](std::uint32_t i) { return keys_[i] == key; });
    }
    // Makes room for `count` more keys: see HashIndex.
    void make_room(std::size_t count, const Tick& tick) {
        index_.make_room(count, [&](std::uint32_t i) { return hash(keys_[i]); }, tick);
    }
    // The number of a key, and whether it is new.
    std::pair<std::uint32_t, bool> insert(std::uint64_t key) {
        if (keys_.size() == keys_.capacity())
            keys_.reserve(std::max<std::size_t>(64, 2 * keys_.size()));  // all that may fail
        const auto found = index_.insert(
            hash(key), [&](std::uint32_t i) { return keys_[i] == key; },
            [&](std::uint32_t i) { return hash(keys_[i]); });
        if (found.second) keys_.push_back(key);
        return found;
    }

private:
    static std::uint64_t hash(std::uint64_t key) {
        const std::uint64_t h = key * 0x9e3779b97f4a7c15ull;
        return h ^ h >> 32;
    }

    std::vector<std::uint64_t> keys_;
    HashIndex index_;
};

}  // namespace slidelab
