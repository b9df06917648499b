// The bit arrays of a layer search: a bit for each state in the current layer (`now_`), one in the layer before
// (`before_`), and two for its distance modulo three if a table is kept.
#pragma once

#include "base/bit_plane.hpp"
#include "layers/packed_words.hpp"
#include "layers/state_code.hpp"

#include <algorithm>
#include <memory>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

namespace slidelab {

class LayerArrays {
protected:
    LayerArrays(std::shared_ptr<const StateCode> code, bool keeps_table)
        : code_(std::move(code)), words_(code_->words()), keeps_table_(keeps_table) {
        if (code_->shapes() > (std::uint64_t{1} << 58) / words_) throw LimitReached("too many words to address");
    }

    std::uint64_t all_words() const { return std::uint64_t{words_} * code_->shapes(); }
    std::size_t at(std::size_t shape, std::size_t word) const { return shape * words_ + word; }
    static std::uint64_t key(std::uint64_t shape, std::uint64_t word) { return shape << 32 | word; }
    std::size_t at_key(std::uint64_t k) const { return at(k >> 32, k & 0xffffffffu); }

    // Makes the arrays, or clears them.
    void reset_arrays() {
        const std::size_t all = code_->shapes() * words_;
        auto fresh = [&](BitPlane& plane) {
            if (!plane) plane = BitPlane(all);
            else if (all < (std::size_t{1} << 16)) std::fill(plane.data(), plane.data() + all, 0);
            else plane.clear();
        };
        fresh(now_);
        fresh(before_);
        if (keeps_table_) {
            fresh(table_low_);
            fresh(table_high_);
        }
        live_now_.assign(code_->shapes(), 0);
        live_before_.assign(code_->shapes(), 0);
    }

    void record(std::size_t k, std::uint64_t bits, std::size_t layer) {
        const unsigned value = static_cast<unsigned>(layer % 3) + 1;
        if (value & 1) table_low_.data()[k] |= bits;
        if (value & 2) table_high_.data()[k] |= bits;
    }

    // Distance modulo three, or -1 for a state that was not reached.
    int residue(const Place& p) const {
        if (!table_low_) throw std::logic_error("no table was kept");
        const std::size_t k = at(p.shape, p.word);
        const int value = static_cast<int>(table_low_.data()[k] >> p.bit & 1) +
                          2 * static_cast<int>(table_high_.data()[k] >> p.bit & 1);
        return value - 1;
    }

    // Part of the last layer or the one before it, packed (packed_words.hpp), and the other way round.
    std::vector<std::uint64_t> pack_words(bool earlier, std::uint64_t first, std::uint64_t count) const {
        if (first > all_words() || count > all_words() - first) throw std::invalid_argument("words out of range");
        return packed_words({(earlier ? before_ : now_).data() + first, count});
    }
    void load_words(bool earlier, std::uint64_t first, std::uint64_t count, std::span<const std::uint64_t> packed) {
        if (first > all_words() || count > all_words() - first) throw std::invalid_argument("words out of range");
        unpack_words(packed, {(earlier ? before_ : now_).data() + first, count},
                     [&](std::uint64_t k) { return code_->valid_bits((first + k) % words_); });
    }

    // The states of a plane with these ranks, which ascend, in order of shapes and words.
    std::vector<Place> ranked_states(const BitPlane& plane, std::span<const std::uint64_t> ranks,
                                     const Tick& tick) const {
        if (!std::is_sorted(ranks.begin(), ranks.end())) throw std::invalid_argument("ascending ranks expected");
        std::vector<Place> out;
        std::uint64_t k = 0, passed = 0;  // words, and states in them
        for (std::uint32_t s = 0; s < code_->shapes() && out.size() < ranks.size(); ++s)
            for (std::uint32_t w = 0; w < words_ && out.size() < ranks.size(); ++w, ++k) {
                if ((k & 0xffff) == 0) tick("layer", k, all_words());
                std::uint64_t bits = plane.data()[k];
                const std::uint64_t end = passed + static_cast<unsigned>(__builtin_popcountll(bits));
                while (out.size() < ranks.size() && ranks[out.size()] < end) {
                    for (; passed < ranks[out.size()]; ++passed) bits &= bits - 1;
                    out.push_back({s, w, static_cast<std::uint32_t>(__builtin_ctzll(bits))});
                }
                passed = end;
            }
        if (out.size() < ranks.size()) throw std::invalid_argument("a rank is beyond the layer");
        return out;
    }

    // The first states of a plane, in order of shapes and words.
    std::vector<Place> first_states(const BitPlane& plane, std::size_t limit, const Tick& tick) const {
        std::vector<Place> out;
        std::uint64_t k = 0;
        for (std::uint32_t s = 0; s < code_->shapes() && out.size() < limit; ++s)
            for (std::uint32_t w = 0; w < words_ && out.size() < limit; ++w, ++k) {
                if ((k & 0xffff) == 0) tick("last layer", k, all_words());
                for (std::uint64_t bits = plane.data()[k]; bits && out.size() < limit; bits &= bits - 1)
                    out.push_back({s, w, static_cast<std::uint32_t>(__builtin_ctzll(bits))});
            }
        return out;
    }

    // Words and states in `now_` and `before_`; also finds out which shapes have some.
    std::pair<Counted, Counted> count_states(const Tick& tick) {
        Counted now{0, 0}, before{0, 0};
        std::uint64_t k = 0;
        for (std::size_t s = 0; s < code_->shapes(); ++s) {
            for (std::uint32_t w = 0; w < words_; ++w, ++k) {
                if ((k & 0xffff) == 0) tick("resume", k, all_words());
                const std::uint64_t a = now_.data()[at(s, w)], b = before_.data()[at(s, w)];
                if (a & b) throw std::invalid_argument("a state lies in two layers");
                now.words += a != 0;
                now.states += static_cast<unsigned>(__builtin_popcountll(a));
                before.states += static_cast<unsigned>(__builtin_popcountll(b));
                live_now_[s] |= a != 0;
                live_before_[s] |= b != 0;
            }
        }
        return {now, before};
    }

    std::shared_ptr<const StateCode> code_;
    std::uint32_t words_;  // of each shape
    BitPlane now_, before_, table_low_, table_high_;
    std::vector<std::uint8_t> live_now_, live_before_;  // shapes with states in a layer

private:
    bool keeps_table_;
};

}  // namespace slidelab
