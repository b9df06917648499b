// Shards: the arrangements of a component divided by the leading digits of their numbers.
//
// The first `prefix` digits of the main order number the shard, and the other digits are those of an order of that many
// pieces less. So a shard is numbered like a smaller puzzle: the kernels and their tables serve it as they are, with
// the sign of the leading digits added, and its words have 32-bit numbers however large the puzzle is.
//
// A move whose run of digits begins behind the prefix stays inside its shard. Any other one crosses: it is made of the
// part of its run within the prefix and the first digit after it, and of a move of that first piece within the shard.
// The former takes *blocks* (the words of a shard with the same first digit) as they are to blocks of other shards. So
// what crosses is described by one table of blocks for each move, however threads, disks or machines share the shards.
//
//     to the right    the block crosses, then the piece goes on from the first slot of the other shard
//     to the left     the piece goes to the first slot of its shard, then its block crosses
#pragma once

#include "layers/lehmer_words.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <tuple>
#include <vector>

namespace slidelab {

struct Block {
    std::uint32_t shard, digit;  // the first digit after the prefix
    bool operator==(const Block&) const = default;
};

class Shards {
public:
    Shards() = default;
    Shards(std::size_t pieces, std::size_t prefix)
        : pieces_(static_cast<std::uint32_t>(pieces)), prefix_(static_cast<std::uint32_t>(prefix)) {
        for (std::uint32_t k = 0; k < prefix_; ++k) count_ *= pieces_ - k;
    }

    std::uint32_t count() const { return count_; }
    std::uint32_t blocks() const { return pieces_ - prefix_; }  // of a shard
    // Whether a piece passes an odd number of others while its block crosses.
    bool odd_crossing(std::uint32_t from, std::uint32_t to) const {
        return (std::min(from, prefix_) ^ std::min(to, prefix_)) & 1;
    }

    // The sign of the leading digits.
    bool odd(std::uint32_t shard) const {
        bool odd = false;
        for (std::uint32_t k = prefix_; k-- > 0; shard /= pieces_ - k) odd ^= shard % (pieces_ - k) & 1;
        return odd;
    }

    // Where a block goes when the piece in slot `from` moves to slot `to`, one of them in the prefix, as far as the
    // first slot after the prefix.
    Block crossed(Block block, std::uint32_t from, std::uint32_t to) const {
        std::array<unsigned, max_prefix + 1> digit{};
        digit[prefix_] = block.digit;
        for (std::uint32_t k = prefix_, left = block.shard; k-- > 0; left /= pieces_ - k)
            digit[k] = left % (pieces_ - k);
        from = std::min(from, prefix_);
        to = std::min(to, prefix_);
        for (; from < to; ++from) std::tie(digit[from], digit[from + 1]) = exchange(digit[from], digit[from + 1]);
        for (; from > to; --from) std::tie(digit[from - 1], digit[from]) = exchange(digit[from - 1], digit[from]);
        Block out{0, digit[prefix_]};
        for (std::uint32_t k = 0; k < prefix_; ++k) out.shard = out.shard * (pieces_ - k) + digit[k];
        return out;
    }

    static constexpr std::uint32_t max_prefix = 8;  // 32-bit numbers of shards end before

private:
    std::uint32_t pieces_ = 0, prefix_ = 0, count_ = 1;
};

}  // namespace slidelab
