// Arrangements as numbers in the factorial number system, sixty to a machine word.
//
// Digit k of an arrangement of n pieces is the number of later slots with a smaller piece, one of n - k values. Moving
// a piece past its neighbours changes only the digits of the slots between, one exchange at a time: digits (a, b) of
// two neighbours become
//
//     (b + 1, a) if a <= b,  and  (b, a - 1) if a > b.
//
// The last five slots make up one word. Of their 120 arrangements only the sixty of one sign are possible, since the
// sign of the whole arrangement is known: bit (d0*4 + d1)*3 + d2 of the word stands for their first three digits, and
// the sign determines the other two. All other slots are the head; its digits number the words.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace slidelab {

inline constexpr unsigned tail_slots = 5;
inline constexpr unsigned word_states = 60;   // bits in use of every word
inline constexpr unsigned chunk_states = 12;  // arrangements of four pieces with a given sign
inline constexpr std::uint64_t word_mask = (std::uint64_t{1} << word_states) - 1;
inline constexpr std::uint64_t chunk_mask = (std::uint64_t{1} << chunk_states) - 1;

// Digits of two neighbouring slots after their pieces change places.
constexpr std::pair<unsigned, unsigned> exchange(unsigned a, unsigned b) {
    return a <= b ? std::pair{b + 1, a} : std::pair{b, a - 1};
}

struct TailTables {
    // places[sign][bit] is the arrangement of the tail: the rank of the piece in each slot.
    std::array<std::array<std::array<std::uint8_t, tail_slots>, word_states>, 2> places{};
};

constexpr TailTables make_tail_tables() {
    TailTables t;
    for (unsigned sign = 0; sign < 2; ++sign)
        for (unsigned bit = 0; bit < word_states; ++bit) {
            std::array<unsigned, tail_slots> digit{bit / 12, bit / 3 % 4, bit % 3, 0, 0};
            digit[3] = (digit[0] + digit[1] + digit[2] + sign) % 2;
            std::array<bool, tail_slots> used{};
            for (unsigned slot = 0; slot < tail_slots; ++slot) {
                unsigned rank = 0;
                for (unsigned left = digit[slot]; used[rank] || left; ++rank)
                    if (!used[rank]) --left;
                used[rank] = true;
                t.places[sign][bit][slot] = static_cast<std::uint8_t>(rank);
            }
        }
    return t;
}

inline constexpr TailTables tail_tables = make_tail_tables();

// What moving the piece of head slot `from` to head slot `to` does to the number of a word.
//
// The digits of the run between the two slots change, those before and after stay. The run is cut
// in two so that the tables stay in the cache however long it is. A piece that moves left takes its
// growing digit from the low part of the run into the high part, one that moves right the other way
// round: this digit is the carry, and all else that the two parts have to know of each other.
// Numbers are additive in their digits, so each part gives its share of the new number.
class HeadMove {
public:
    static constexpr std::uint32_t max_low = 6 * 7 * 8 * 9;  // entries of the low part

    // Two different slots of the head.
    HeadMove(unsigned pieces, unsigned from, unsigned to) : leftwards_(from > to) {
        const unsigned head = pieces - tail_slots, first = leftwards_ ? to : from, last = leftwards_ ? from : to;
        std::vector<std::uint64_t> weight(head);
        std::uint64_t w = 1;
        for (unsigned k = head; k-- > 0;) {
            weight[k] = w;
            w *= pieces - k;
        }
        unsigned split = last;  // the low part is split..last
        std::uint64_t low = pieces - last;
        const unsigned least = leftwards_ ? first : first + 1;  // going right, the carry starts in the high part
        while (split > least && low * (pieces - split + 1) <= max_low) low *= pieces - --split;
        block_ = static_cast<std::uint32_t>(weight[last]);
        low_ = static_cast<std::uint32_t>(low);
        high_ = 1;
        for (unsigned k = first; k < split; ++k) high_ *= pieces - k;
        carries_ = pieces - split + !leftwards_;
        build(pieces, first, split, last, weight);
    }

    // Words in a block, blocks in a panel, panels in a run: numbers are ((a * high + i) * low + j) * block + b.
    std::uint32_t block() const { return block_; }
    std::uint32_t low() const { return low_; }
    std::uint32_t high() const { return high_; }
    bool leftwards() const { return leftwards_; }

    // Where block j of panel i goes, less what a panel of offsets `panel(i)` adds.
    struct Panel {
        const std::uint32_t* low;    // for each j
        const std::uint8_t* carry;   // for each j, or null: nothing to add
        const std::uint32_t* extra;  // for each carry
        std::uint32_t offset;
        std::uint32_t operator()(std::uint32_t j) const { return offset + low[j] + (carry ? extra[carry[j]] : 0); }
    };
    Panel panel(std::uint32_t i) const {
        if (leftwards_) return {low_table_.data(), carry_.data(), high_table_.data() + std::size_t{i} * carries_, 0};
        return {low_table_.data() + std::size_t{carry_[i]} * low_, nullptr, nullptr, high_table_[i]};
    }

    std::uint32_t operator()(std::uint32_t word) const {
        const std::uint32_t run = high_ * low_ * block_, panel_words = low_ * block_;
        const std::uint32_t a = word / run, in_run = word % run, i = in_run / panel_words, rest = in_run % panel_words;
        return a * run + panel(i)(rest / block_) + rest % block_;
    }

    std::uint64_t bytes() const { return low_table_.size() * 4 + high_table_.size() * 4 + carry_.size(); }

private:
    void build(unsigned pieces, unsigned first, unsigned split, unsigned last,
               const std::vector<std::uint64_t>& weight) {
        std::vector<unsigned> digit(last + 1);
        auto load = [&](std::uint32_t number, unsigned from, unsigned to) {  // digits from..to-1
            for (unsigned k = to; k-- > from;) {
                digit[k] = number % (pieces - k);
                number /= pieces - k;
            }
        };
        if (leftwards_) {
            low_table_.resize(low_);
            carry_.resize(low_);
            for (std::uint32_t j = 0; j < low_; ++j) {
                load(j, split, last + 1);
                unsigned carry = digit[last];
                std::uint64_t sum = 0;
                for (unsigned k = last; k-- > split;) {
                    const auto [left, right] = exchange(digit[k], carry);
                    sum += right * weight[k + 1];
                    carry = left;
                }
                low_table_[j] = static_cast<std::uint32_t>(sum);
                carry_[j] = static_cast<std::uint8_t>(carry);
            }
            high_table_.resize(std::size_t{high_} * carries_);
            for (std::uint32_t i = 0; i < high_; ++i) {
                load(i, first, split);
                for (unsigned c = 0; c < carries_; ++c) {
                    unsigned carry = c;
                    std::uint64_t sum = 0;
                    for (unsigned k = split; k-- > first;) {
                        const auto [left, right] = exchange(digit[k], carry);
                        sum += right * weight[k + 1];
                        carry = left;
                    }
                    high_table_[std::size_t{i} * carries_ + c] =
                        static_cast<std::uint32_t>(sum + carry * weight[first]);
                }
            }
            return;
        }
        high_table_.resize(high_);
        carry_.resize(high_);
        for (std::uint32_t i = 0; i < high_; ++i) {
            load(i, first, split);
            unsigned carry = digit[first];
            std::uint64_t sum = 0;
            for (unsigned k = first; k + 1 < split; ++k) {
                const auto [left, right] = exchange(carry, digit[k + 1]);
                sum += left * weight[k];
                carry = right;
            }
            high_table_[i] = static_cast<std::uint32_t>(sum);
            carry_[i] = static_cast<std::uint8_t>(carry);
        }
        low_table_.resize(std::size_t{low_} * carries_);
        for (unsigned c = 0; c < carries_; ++c)
            for (std::uint32_t j = 0; j < low_; ++j) {
                load(j, split, last + 1);
                unsigned carry = c;
                std::uint64_t sum = 0;
                for (unsigned k = split; k <= last; ++k) {
                    const auto [left, right] = exchange(carry, digit[k]);
                    sum += left * weight[k - 1];
                    carry = right;
                }
                low_table_[std::size_t{c} * low_ + j] = static_cast<std::uint32_t>(sum + carry * weight[last]);
            }
    }

    bool leftwards_ = false;
    std::uint32_t block_ = 1, low_ = 1, high_ = 1, carries_ = 1;
    std::vector<std::uint32_t> low_table_, high_table_;
    std::vector<std::uint8_t> carry_;
};

}  // namespace slidelab
