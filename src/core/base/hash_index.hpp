// The hash table of all searches: it finds the number of a key that its owner keeps, and never tells keys apart by
// their hash alone.
#pragma once

#include "base/tick.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace slidelab {

template <class T>
std::uint64_t hash_values(std::span<const T> values, std::uint64_t seed = 0x9e3779b97f4a7c15ull) {
    std::uint64_t h = seed;
    for (const T value : values) {
        h = (h ^ static_cast<std::make_unsigned_t<T>>(value)) * 0xff51afd7ed558ccdull;
        h ^= h >> 32;
    }
    return h;
}

// Open addressing with linear probing, at most half full. Keys are numbered 0, 1, 2, ... in the order of insertion.
class HashIndex {
public:
    static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

    HashIndex() : slots_(64, 0) {}

    std::size_t size() const { return size_; }
    std::size_t bytes() const { return slots_.size() * sizeof(std::uint32_t); }

    // Makes an empty index large enough for so many keys.
    void reserve(std::size_t count) {
        base_ = 1;
        slots_ = std::vector<std::uint32_t>(std::bit_ceil(std::max<std::size_t>(64, 2 * count + 1)), 0);
    }

    // Makes room for `count` more keys, so that inserting them takes no time. This moves all keys now and then: call it
    // where the tick may throw. Nothing has changed if it does.
    template <class HashOf>
    void make_room(std::size_t count, HashOf&& hash_of, const Tick& tick) {
        if (2 * (size_ + count) > slots_.size() + 1) grow(std::bit_ceil(2 * (size_ + count)), hash_of, tick);
    }

    // Takes no time: entries below `base_` count as empty.
    void clear() {
        base_ += static_cast<std::uint32_t>(size_);
        size_ = 0;
    }

    // The number that `equal` accepts among those with this hash (and some others), or `none`.
    template <class Equal>
    std::uint32_t find(std::uint64_t hash, Equal&& equal) const {
        const std::uint32_t entry = slots_[probe(hash, equal)];
        return entry < base_ ? none : entry - base_;
    }

    // The same, or the next number if there is none; whether it is a new one. `hash_of` gives the hash of each number.
    template <class Equal, class HashOf>
    std::pair<std::uint32_t, bool> insert(std::uint64_t hash, Equal&& equal, HashOf&& hash_of) {
        if (2 * size_ >= slots_.size()) grow(2 * slots_.size(), hash_of, no_tick);
        if (base_ > none - 1 - size_) rebase(hash_of);
        const std::size_t at = probe(hash, equal);
        if (slots_[at] >= base_) return {slots_[at] - base_, false};
        if (size_ >= none - 1) throw LimitReached("too many states");
        slots_[at] = base_ + static_cast<std::uint32_t>(size_);
        return {static_cast<std::uint32_t>(size_++), true};
    }

private:
    template <class Equal>
    std::size_t probe(std::uint64_t hash, Equal&& equal) const {
        const std::size_t mask = slots_.size() - 1;
        for (std::size_t at = hash & mask;; at = (at + 1) & mask)
            if (slots_[at] < base_ || equal(slots_[at] - base_)) return at;
    }

    template <class HashOf>
    void grow(std::size_t wanted, HashOf&& hash_of, const Tick& tick) {
        std::vector<std::uint32_t> slots(std::max<std::size_t>(1024, wanted), 0);
        fill(slots, hash_of, tick);
        slots_ = std::move(slots);
        base_ = 1;
    }

    template <class HashOf>
    void rebase(HashOf&& hash_of) {
        std::fill(slots_.begin(), slots_.end(), 0);
        fill(slots_, hash_of, no_tick);
        base_ = 1;
    }

    // Enters all keys into slots that are zero, with 1 as their base.
    template <class HashOf>
    void fill(std::vector<std::uint32_t>& slots, HashOf&& hash_of, const Tick& tick) const {
        const std::size_t mask = slots.size() - 1;
        for (std::uint32_t number = 0; number < size_; ++number) {
            if ((number & 0x3fff) == 0x3fff) tick("hash table", number, size_);
            std::size_t at = hash_of(number) & mask;
            while (slots[at]) at = (at + 1) & mask;
            slots[at] = 1 + number;
        }
    }

    std::vector<std::uint32_t> slots_;  // base_ + number, or something smaller
    std::uint32_t base_ = 1;
    std::size_t size_ = 0;
};

}  // namespace slidelab
