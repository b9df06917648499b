// Words of which most are zero, packed for a file: for each 64 groups of 64 words which groups are not zero; for each
// of these which words are not; then those.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

namespace slidelab {

inline std::vector<std::uint64_t> packed_words(std::span<const std::uint64_t> words) {
    const std::uint64_t count = words.size();
    std::vector<std::uint64_t> out;
    for (std::uint64_t top = 0; top < count; top += 64 * 64) {
        const std::size_t crown = out.size();
        out.push_back(0);
        for (std::uint64_t w = top; w < std::min(count, top + 64 * 64); w += 64) {
            const std::size_t head = out.size();
            for (std::uint64_t k = w; k < std::min(count, w + 64); ++k)
                if (words[k]) {
                    if (out.size() == head) out.push_back(0);
                    out[head] |= std::uint64_t{1} << (k - w);
                    out.push_back(words[k]);
                }
            if (out.size() > head) out[crown] |= std::uint64_t{1} << (w - top) / 64;
        }
    }
    return out;
}

// Writes the words that are not zero to their places in `words`; `valid(k)` has the bits that word k may have.
template <class Valid>
void unpack_words(std::span<const std::uint64_t> packed, std::span<std::uint64_t> words, const Valid& valid) {
    const std::uint64_t count = words.size();
    std::size_t at = 0;
    auto next = [&] {
        if (at >= packed.size()) throw std::invalid_argument("packed words end early");
        return packed[at++];
    };
    for (std::uint64_t top = 0; top < count; top += 64 * 64)
        for (std::uint64_t groups = next(); groups; groups &= groups - 1) {
            const std::uint64_t w = top + 64 * static_cast<unsigned>(__builtin_ctzll(groups));
            std::uint64_t bits = next();
            if (!bits) throw std::invalid_argument("packed words make no sense");
            for (; bits; bits &= bits - 1) {
                const auto k = w + static_cast<unsigned>(__builtin_ctzll(bits));
                const std::uint64_t word = next();
                if (k >= count || !word || word & ~valid(k)) throw std::invalid_argument("packed words make no sense");
                words[k] = word;
            }
        }
    if (at != packed.size()) throw std::invalid_argument("too many packed words");
}

}  // namespace slidelab
