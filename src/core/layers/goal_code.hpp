// The numbering of all configurations of a puzzle with equal pieces, for a search from many goals at once.
//
// A configuration is a shape, the kinds of the pieces on its slots, and how each piece is turned. The kinds are a word
// with number x (word_ranks.hpp); a piece of a kind that looks the same after `period` turns has as many turns, and
// the turns of all pieces in slot order are the digits of a number o in a mixed base. All these words and turns are
// numbered, whether they can be reached or not: index = x * lane + o. The orders of six gourds with ends of different
// colours are the 64 bits of one machine word.
//
// A move takes the piece of slot i to slot j and turns it. So x goes to a number that a table has for each pair (i, j)
// and x, and o is permuted; which permutation it is depends only on (i, j), the turn, and the pattern of x: the periods
// of its kinds, slot by slot.
#pragma once

#include "base/tick.hpp"
#include "layers/code_input.hpp"
#include "layers/word_ranks.hpp"

#include <array>
#include <bit>
#include <map>
#include <numeric>
#include <optional>
#include <span>
#include <vector>

namespace slidelab {

struct GoalInput {
    std::size_t shapes = 0, turns = 1;
    std::vector<CodeInput::Edge> edges;
    std::vector<std::uint16_t> kinds;    // of the pieces, from 0
    std::vector<std::uint32_t> periods;  // of the kinds
};

class GoalCode {
public:
    // One directed edge; arcs 2e and 2e+1 are the two directions of edge e.
    struct Arc {
        std::uint32_t source, target;
        std::uint32_t back;          // table of numbers of words, from the target to the source
        std::uint32_t permutations;  // for each pattern of the source, a number of a permutation
        std::int32_t twin = -1;      // an arc before between the same slots of the same shapes
    };

    static constexpr std::uint32_t word_bits = 64;
    static constexpr std::uint32_t identity = 0;  // number of the permutation that changes nothing

    GoalCode(GoalInput input, std::uint64_t max_bytes, const Tick& tick) : in_(std::move(input)) {
        check();
        std::vector<std::uint16_t> word = in_.kinds;
        std::sort(word.begin(), word.end());
        word.push_back(0);
        ranks_ = WordRanks(word, std::vector<std::uint32_t>(in_.kinds.size(), 0));
        words_ = ranks_.count();
        if (words_ >= std::numeric_limits<std::uint32_t>::max()) throw LimitReached("too many arrangements of pieces");
        for (auto kind : in_.kinds) {
            turnings_ *= in_.periods[kind];
            if (turnings_ > max_turnings) throw LimitReached("too many ways to turn the pieces");
        }
        lane_ = turnings_ > word_bits ? (turnings_ + word_bits - 1) / word_bits * word_bits : std::bit_ceil(turnings_);
        make_tables(max_bytes, tick);
    }

    GoalCode(const GoalCode&) = delete;

    std::size_t shapes() const { return in_.shapes; }
    std::size_t slots() const { return in_.kinds.size(); }
    std::uint64_t words() const { return words_; }        // arrangements of the kinds
    std::uint32_t turnings() const { return turnings_; }  // ways to turn the pieces of one
    std::uint32_t lane() const { return lane_; }          // bits for them
    std::uint64_t machine_words() const { return (words_ * lane_ + word_bits - 1) / word_bits; }  // of a shape
    std::uint64_t bytes() const { return bytes_; }
    const std::vector<Arc>& arcs() const { return arcs_; }
    std::span<const std::uint32_t> into(std::size_t shape) const {
        return {into_.data() + into_at_[shape], into_.data() + into_at_[shape + 1]};
    }
    const std::uint32_t* back(const Arc& arc) const { return tables_[arc.back].data(); }
    std::uint32_t permutation(const Arc& arc, std::size_t x) const {
        return permutations_of_[arc.permutations][pattern_of_[x]];
    }

    // The ways to turn pieces after a permutation: all bits of one word, or one number.
    std::uint64_t permute(std::uint32_t number, std::uint64_t bits) const {
        if (number == identity) return bits;
        const std::uint64_t* table = byte_tables_[number].data();
        std::uint64_t out = 0;
        for (std::size_t byte = 0; bits; ++byte, bits >>= 8) out |= table[byte * 256 + (bits & 255)];
        return out;
    }
    std::uint32_t permute_one(std::uint32_t number, std::uint32_t o) const { return permutations_[number][o]; }

    bool is_place(std::size_t shape, std::uint64_t index) const {
        return shape < in_.shapes && index / lane_ < words_ && index % lane_ < turnings_;
    }

    // The index of kinds and turns slot by slot; none if they are not those of this puzzle.
    std::optional<std::uint64_t> index(std::span<const std::uint16_t> kinds,
                                       std::span<const std::uint32_t> turns) const {
        if (kinds.size() != slots() || turns.size() != slots()) throw std::invalid_argument("a kind a slot expected");
        const auto x = ranks_.rank(kinds);
        if (!x) return std::nullopt;
        std::uint64_t o = 0;
        for (std::size_t k = 0; k < slots(); ++k) o = o * in_.periods[kinds[k]] + turns[k] % in_.periods[kinds[k]];
        return *x * lane_ + o;
    }

    // The inverse: a kind and a turn for each slot.
    std::vector<std::pair<std::uint16_t, std::uint32_t>> arrangement(std::uint64_t index) const {
        if (!is_place(0, index)) throw std::invalid_argument("no such place");
        const auto kinds = ranks_.word(index / lane_);
        std::uint64_t o = index % lane_;
        std::vector<std::pair<std::uint16_t, std::uint32_t>> out(slots());
        for (std::size_t k = slots(); k-- > 0; o /= in_.periods[kinds[k]])
            out[k] = {kinds[k], static_cast<std::uint32_t>(o % in_.periods[kinds[k]])};
        return out;
    }

private:
    static constexpr std::uint32_t max_turnings = 1 << 16;

    void check() const {
        auto fail = [](const char* what) { throw std::invalid_argument(what); };
        const std::size_t n = in_.kinds.size();
        if (in_.turns == 0 || in_.turns > max_turns || n == 0 || n > max_degree / in_.turns)
            fail("pieces out of range");
        if (in_.shapes == 0 || in_.shapes > std::numeric_limits<std::uint32_t>::max() / 2) fail("shapes out of range");
        for (auto kind : in_.kinds)
            if (kind >= in_.periods.size()) fail("kind out of range");
        for (auto period : in_.periods)
            if (period == 0 || in_.turns % period) fail("a period divides the turns");
        for (const auto& e : in_.edges)
            if (e.source >= in_.shapes || e.target >= in_.shapes || e.slot_from >= n || e.slot_to >= n ||
                e.turn >= in_.turns)
                fail("edge out of range");
    }

    // What happens to the entries of a row of slots if that of slot `from` goes to slot `to`.
    template <class T>
    static void carry(std::vector<T>& row, std::size_t from, std::size_t to) {
        const auto at = [&](std::size_t k) { return row.begin() + static_cast<std::ptrdiff_t>(k); };
        if (from < to) std::rotate(at(from), at(from + 1), at(to + 1));
        else std::rotate(at(to), at(from), at(from + 1));
    }

    void make_tables(std::uint64_t max_bytes, const Tick& tick) {
        using Pair = std::pair<std::uint32_t, std::uint32_t>;
        std::map<Pair, std::uint32_t> pairs;                          // of slots
        std::map<std::array<std::uint32_t, 3>, std::uint32_t> moves;  // slots and turn
        std::map<std::array<std::uint32_t, 4>, std::int32_t> last;    // arc between them
        constexpr std::uint64_t node = 80;                            // of the map `last`
        bytes_ = 8 * (in_.shapes + 1);
        if (bytes_ + in_.edges.size() * 2 * (sizeof(Arc) + 4 + node) > max_bytes)
            throw LimitReached("the moves exceed the memory limit");
        into_at_.assign(in_.shapes + 1, 0);
        for (std::size_t a = 0; a < 2 * in_.edges.size(); ++a) {
            if ((a & 0xffff) == 0) tick("moves", a, 2 * in_.edges.size());
            const auto& e = in_.edges[a / 2];
            const bool reversed = a & 1;
            const auto from = reversed ? e.slot_to : e.slot_from, to = reversed ? e.slot_from : e.slot_to;
            const auto turn = reversed ? static_cast<std::uint32_t>((in_.turns - e.turn) % in_.turns) : e.turn;
            Arc arc{reversed ? e.target : e.source, reversed ? e.source : e.target, 0, 0, -1};
            arc.back = pairs.try_emplace({to, from}, static_cast<std::uint32_t>(pairs.size())).first->second;
            arc.permutations =
                moves.try_emplace({from, to, turn}, static_cast<std::uint32_t>(moves.size())).first->second;
            const auto [it, fresh] = last.try_emplace({arc.source, arc.target, from, to}, static_cast<std::int32_t>(a));
            if (!fresh) arc.twin = std::exchange(it->second, static_cast<std::int32_t>(a));
            arcs_.push_back(arc);
            ++into_at_[arc.target + 1];
        }
        std::partial_sum(into_at_.begin(), into_at_.end(), into_at_.begin());
        into_.resize(arcs_.size());
        auto at = into_at_;
        for (std::size_t a = 0; a < arcs_.size(); ++a) into_[at[arcs_[a].target]++] = static_cast<std::uint32_t>(a);

        bytes_ += words_ * (4 * pairs.size() + 2) + arcs_.size() * (sizeof(Arc) + 4);
        if (bytes_ > max_bytes) throw LimitReached("the tables of the moves exceed the memory limit");
        std::map<std::vector<std::uint32_t>, std::uint16_t> patterns;
        pattern_of_.resize(words_);
        tables_.assign(pairs.size(), std::vector<std::uint32_t>(words_));
        std::vector<std::uint16_t> word = ranks_.word(0), labels, moved;
        std::vector<std::uint32_t> periods(slots());
        for (std::uint64_t x = 0; x < words_; ++x) {
            if ((x & 0xfff) == 0) tick("tables", x, words_);
            if (x) ranks_.next(word, labels);
            for (std::size_t k = 0; k < slots(); ++k) periods[k] = in_.periods[word[k]];
            const auto fresh = static_cast<std::uint16_t>(patterns.size());
            if (patterns.size() == std::numeric_limits<std::uint16_t>::max()) throw LimitReached("too many patterns");
            pattern_of_[x] = patterns.try_emplace(periods, fresh).first->second;
            for (const auto& [slots_of_move, number] : pairs) {
                moved = word;
                moved.resize(slots());
                carry(moved, slots_of_move.first, slots_of_move.second);
                tables_[number][x] = static_cast<std::uint32_t>(*ranks_.rank(moved));
            }
        }
        make_permutations(patterns, moves, max_bytes, tick);
    }

    void make_permutations(const std::map<std::vector<std::uint32_t>, std::uint16_t>& patterns,
                           const std::map<std::array<std::uint32_t, 3>, std::uint32_t>& moves, std::uint64_t max_bytes,
                           const Tick& tick) {
        std::vector<std::uint32_t> none(turnings_);
        std::iota(none.begin(), none.end(), 0);
        std::map<std::vector<std::uint32_t>, std::uint32_t> known{{none, identity}};
        permutations_.push_back(none);
        permutations_of_.assign(moves.size(), std::vector<std::uint32_t>(patterns.size()));
        std::size_t done = 0;
        for (const auto& [periods, pattern] : patterns) {
            tick("turns", done++, patterns.size());
            for (const auto& [move, number] : moves) {
                const auto permutation = turned(periods, move[0], move[1], move[2]);
                const auto [it, fresh] = known.try_emplace(permutation, static_cast<std::uint32_t>(known.size()));
                permutations_of_[number][pattern] = it->second;
                if (!fresh) continue;
                permutations_.push_back(permutation);
                bytes_ += turnings_ * 8 + (turnings_ <= word_bits ? 8 * 256 * 8 : 0);
                if (bytes_ > max_bytes) throw LimitReached("the tables of the turns exceed the memory limit");
            }
        }
        if (turnings_ > word_bits) return;
        for (const auto& permutation : permutations_) {
            std::vector<std::uint64_t> table(8 * 256, 0);
            for (std::size_t byte = 0; byte < 8; ++byte)
                for (std::size_t value = 0; value < 256; ++value)
                    for (std::size_t bit = 0; bit < 8; ++bit)
                        if ((value >> bit & 1) && 8 * byte + bit < permutation.size())
                            table[byte * 256 + value] |= std::uint64_t{1} << permutation[8 * byte + bit];
            byte_tables_.push_back(std::move(table));
        }
    }

    // What a move does to the turns of pieces with these periods, slot by slot.
    std::vector<std::uint32_t> turned(const std::vector<std::uint32_t>& periods, std::size_t from, std::size_t to,
                                      std::uint32_t turn) const {
        auto periods_after = periods;
        carry(periods_after, from, to);
        std::vector<std::uint32_t> out(turnings_), digits(periods.size());
        for (std::uint32_t o = 0; o < turnings_; ++o) {
            std::uint32_t rest = o, there = 0;
            for (std::size_t k = periods.size(); k-- > 0; rest /= periods[k]) digits[k] = rest % periods[k];
            digits[from] = (digits[from] + turn) % periods[from];
            carry(digits, from, to);
            for (std::size_t k = 0; k < periods.size(); ++k) there = there * periods_after[k] + digits[k];
            out[o] = there;
        }
        return out;
    }

    GoalInput in_;
    WordRanks ranks_;
    std::uint64_t words_ = 0, bytes_ = 0;
    std::uint32_t turnings_ = 1, lane_ = 1;
    std::vector<Arc> arcs_;
    std::vector<std::size_t> into_at_;
    std::vector<std::uint32_t> into_;
    std::vector<std::vector<std::uint32_t>> tables_;  // for a pair of slots: x -> x'
    std::vector<std::uint16_t> pattern_of_;           // of x
    std::vector<std::vector<std::uint32_t>> permutations_of_, permutations_;
    std::vector<std::vector<std::uint64_t>> byte_tables_;
};

}  // namespace slidelab
