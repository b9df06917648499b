// The part of an arrangement outside the main orbit, as words of labels.
//
// A position is a base slot point whose orbit under the loops has pieces of different labels. The labels on all
// positions, with the sign of the main order, make up a word, on which the loops at the base act. The words that can be
// reached are listed once (or numbered, if all are), and x is the number of a word. Along the spanning tree x stays;
// every other edge has a table x -> x'.
#pragma once

#include "base/hash_index.hpp"
#include "base/union_find.hpp"
#include "layers/main_orbit.hpp"
#include "layers/word_ranks.hpp"

#include <map>
#include <span>

namespace slidelab {

class LabelWords {
public:
    // `in` and `main` must outlive this.
    LabelWords(const CodeInput& in, const MainOrbit& main, const std::vector<Point>& potentials,
               std::uint64_t max_bytes, const Tick& tick)
        : in_(in), main_(main), max_bytes_(max_bytes) {
        find_loops(potentials, tick);
        list_words(tick);
        make_tables(tick);
    }

    std::uint64_t count() const { return x_count_; }
    bool odd(std::size_t x) const { return x_odd_[x]; }
    const std::vector<std::uint32_t>& table(std::int32_t t) const { return tables_[static_cast<std::size_t>(t)]; }
    // The table of an edge, walked forwards (the next one is for the other direction); -1 if x stays.
    std::int32_t table_of(std::size_t edge) const {
        return loop_of_edge_[edge] == none ? -1 : static_cast<std::int32_t>(2 * loop_of_edge_[edge]);
    }

    // The number of the word of labels on the base slot points; none if it is not of this component.
    std::optional<std::size_t> find(std::span<const std::uint32_t> base, bool odd_order) const {
        const auto w = static_cast<std::uint32_t>(in_.turns);
        std::vector<std::uint16_t> word;
        for (const auto p : positions_) {
            const auto it = label_number_.find({orbit_of_[p], main_.contains(p / w) ? base[p] % w : base[p]});
            if (it == label_number_.end()) return std::nullopt;
            word.push_back(it->second);
        }
        // A piece that no loop moves must lie where it always lies, one that no loop turns must lie as it always
        // does, and the points of a slot belong to one piece.
        for (std::size_t p = 0; p < base.size(); ++p) {
            if (fixed_[p] && base[p] != in_.labels[p]) return std::nullopt;
            if (!main_.contains(p / w)) continue;
            if (base[p] / w != base[p / w * w] / w) return std::nullopt;
            if (position_of_[p] == no_position && base[p] % w != in_.labels[p]) return std::nullopt;
        }
        word.push_back(odd_order);
        return find(word);
    }

    // The labels that x puts on the slot points of a shape with this potential; of pieces of the main orbit, how they
    // are turned.
    void labels(std::size_t x, const Point* potential, std::uint32_t* out) const {
        for (std::size_t p = 0; p < in_.degree(); ++p) out[potential[p]] = in_.labels[p];
        const auto write = [&](std::span<const std::uint16_t> word) {
            for (std::size_t k = 0; k < positions_.size(); ++k) out[potential[positions_[k]]] = labels_[word[k]];
        };
        if (in_.all_words) write(ranks_.word(x));
        else write(listed(x));
    }

    std::uint64_t bytes() const {
        std::uint64_t sum = words_list_.size() * 2 + index_.bytes();
        for (const auto& t : tables_) sum += t.size() * 4;
        return sum;
    }

private:
    using Loop = std::vector<std::uint16_t>;  // image of each position, and whether the main order changes its sign

    static constexpr std::uint16_t no_position = std::numeric_limits<std::uint16_t>::max();
    static constexpr std::uint64_t max_listed = std::uint64_t{word_states} << 26;  // word and bit in 32 bits
    static constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

    std::size_t word_width() const { return positions_.size() + 1; }
    std::span<const std::uint16_t> listed(std::size_t x) const {
        return {words_list_.data() + x * word_width(), word_width()};
    }

    auto equals(std::span<const std::uint16_t> word) const {
        return [this, word](std::uint32_t x) { return std::equal(word.begin(), word.end(), listed(x).begin()); };
    }

    // Ticks come about every million labels moved.
    std::size_t tick_mask() const {
        std::size_t mask = 0x3fff;
        while (mask && mask * (loops_.size() + 1) * word_width() > (std::size_t{1} << 20)) mask >>= 1;
        return mask;
    }

    // For every edge the loop that it closes, seen on the positions that matter; the tree's edges close none.
    void find_loops(const std::vector<Point>& potentials, const Tick& tick) {
        const std::size_t d = in_.degree();
        Permutation back(d), gain(d);
        auto loop_of = [&](const CodeInput::Edge& e) {
            const Point* from = potentials.data() + e.source * d;
            const Point* to = potentials.data() + e.target * d;
            for (std::size_t p = 0; p < d; ++p) back[to[p]] = static_cast<Point>(p);
            for (std::size_t p = 0; p < d; ++p)
                gain[p] = back[carried(in_.turns, e.slot_from, e.slot_to, e.turn, from[p])];
        };
        UnionFind orbits(d);
        const std::size_t often = slidelab::tick_mask(8 * d + 64);
        for (std::size_t e = 0; e < in_.edges.size(); ++e) {
            if ((e & often) == 0) tick("loops", e, 2 * in_.edges.size());
            loop_of(in_.edges[e]);
            for (std::size_t p = 0; p < d; ++p) {
                orbits.unite(static_cast<std::uint32_t>(p), gain[p]);
                if (main_.contains(p / in_.turns) != main_.contains(gain[p] / in_.turns))
                    throw std::invalid_argument("a loop takes a piece out of the main orbit");
            }
        }
        orbit_of_.resize(d);
        std::map<std::uint32_t, std::pair<std::uint32_t, bool>>
            first;  // of each orbit: a label, and whether there are others
        std::vector<std::uint32_t> size(d, 0);
        for (std::size_t p = 0; p < d; ++p) {
            orbit_of_[p] = orbits.find(static_cast<std::uint32_t>(p));
            ++size[orbit_of_[p]];
            const auto [it, fresh] = first.try_emplace(orbit_of_[p], in_.labels[p], false);
            if (!fresh && it->second.first != in_.labels[p]) it->second.second = true;
        }
        fixed_.assign(d, false);
        position_of_.assign(d, no_position);
        for (std::size_t p = 0; p < d; ++p) {
            const bool main = main_.contains(p / in_.turns);
            if (main && in_.labels[p] != p % in_.turns)
                throw std::invalid_argument("a main piece is labelled by its marks");
            fixed_[p] = !main && !first[orbit_of_[p]].second;
            if (!first[orbit_of_[p]].second) continue;
            position_of_[p] = static_cast<std::uint16_t>(positions_.size());
            positions_.push_back(static_cast<std::uint32_t>(p));
            const std::pair key(orbit_of_[p], in_.labels[p]);
            if (!label_number_.contains(key)) {
                const auto number = static_cast<std::uint16_t>(label_number_.size());
                label_number_[key] = number;
                labels_.push_back(in_.labels[p]);
            }
        }
        loop_of_edge_.assign(in_.edges.size(), none);
        std::map<Loop, std::size_t> known;
        Loop loop(positions_.size() + 1);
        for (std::size_t e = 0; e < in_.edges.size(); ++e) {
            if ((e & often) == 0) tick("loops", in_.edges.size() + e, 2 * in_.edges.size());
            loop_of(in_.edges[e]);
            bool moves = false;
            for (std::size_t k = 0; k < positions_.size(); ++k) {
                loop[k] = position_of_[gain[positions_[k]]];
                moves |= loop[k] != k;
            }
            const bool sign =
                has_odd_order(main_.size(), [&](std::size_t i) { return gain[main_.slots()[i] * in_.turns]; });
            loop.back() = sign;
            if (!moves && !sign) continue;
            const auto [it, fresh] = known.try_emplace(loop, loops_.size());
            if (fresh) {
                loops_.push_back(loop);
                if (loops_.size() * (loop.size() * 4 + 64) > max_bytes_) throw LimitReached("too many different loops");
            }
            loop_of_edge_[e] = it->second;
        }
    }

    std::vector<std::uint32_t> orbits_of_positions() const {
        std::vector<std::uint32_t> out;
        for (auto p : positions_) out.push_back(orbit_of_[p]);
        return out;
    }

    std::optional<std::size_t> find(std::span<const std::uint16_t> word) const {
        if (in_.all_words) return ranks_.rank(word);
        const auto x = index_.find(hash_values(word), equals(word));
        return x == HashIndex::none ? std::nullopt : std::optional<std::size_t>(x);
    }

    void apply(const Loop& loop, std::span<const std::uint16_t> word, std::vector<std::uint16_t>& out) const {
        const std::size_t n = positions_.size();
        for (std::size_t k = 0; k < n; ++k) out[loop[k]] = word[k];
        out[n] = word[n] ^ loop[n];
    }

    void list_words(const Tick& tick) {
        const std::size_t width = word_width(), often = tick_mask();
        std::vector<std::uint16_t> word(width);
        for (std::size_t k = 0; k < positions_.size(); ++k)
            word[k] = label_number_.at({orbit_of_[positions_[k]], in_.labels[positions_[k]]});
        if (in_.all_words) {
            ranks_ = WordRanks(word, orbits_of_positions());
            x_count_ = ranks_.count();
            if (x_count_ > max_listed || x_count_ > max_bytes_ / (8 * loops_.size() + 1))
                throw LimitReached(std::to_string(x_count_) +
                                   " arrangements of the colours need more memory than allowed");
            x_odd_.assign(x_count_, 0);
            return;
        }
        const auto hash_of = [&](std::uint32_t x) { return hash_values(listed(x)); };
        auto add = [&] {
            if (!index_.insert(hash_values<std::uint16_t>(word), equals(word), hash_of).second) return;
            const std::size_t x = x_count_++;
            const std::uint64_t row = std::max<std::uint64_t>(main_.row(), 1);
            // Limits first: the list, its index, and two tables for each loop.
            if (x_count_ * (2 * width + 8 + 8 * loops_.size()) > max_bytes_ || x_count_ > max_listed)
                throw LimitReached("more than " + std::to_string(x) +
                                   " arrangements of the other pieces need more memory than allowed");
            if (x_count_ * row > std::numeric_limits<std::uint32_t>::max())
                throw LimitReached("too many arrangements for one shape");
            words_list_.insert(words_list_.end(), word.begin(), word.end());
        };
        add();
        for (std::size_t x = 0; x < x_count_; ++x) {
            if ((x & often) == 0) tick("arrangements", x, 0);
            index_.make_room(loops_.size(), hash_of, tick);
            for (const auto& loop : loops_) {
                apply(loop, listed(x), word);
                add();
            }
        }
        x_odd_.resize(x_count_);
        for (std::size_t x = 0; x < x_count_; ++x) x_odd_[x] = words_list_[x * width + positions_.size()] & 1;
    }

    void make_tables(const Tick& tick) {
        const std::size_t often = tick_mask();
        tables_.assign(2 * loops_.size(), std::vector<std::uint32_t>(x_count_));
        std::vector<std::uint16_t> word(word_width()), labels;
        std::vector<std::uint16_t> now = in_.all_words ? ranks_.word(0) : std::vector<std::uint16_t>{};
        for (std::size_t x = 0; x < x_count_; ++x) {
            if ((x & often) == 0) tick("tables", x, x_count_);
            if (in_.all_words && x) ranks_.next(now, labels);
            for (std::size_t l = 0; l < loops_.size(); ++l) {
                apply(loops_[l], in_.all_words ? std::span<const std::uint16_t>(now) : listed(x), word);
                const std::size_t y = *find(word);
                tables_[2 * l][x] = code(y);
                tables_[2 * l + 1][y] = code(x);
            }
        }
    }

    // Where there is no main orbit, x numbers the bits of the words: a table has word and bit ready to use.
    std::uint32_t code(std::size_t x) const {
        return static_cast<std::uint32_t>(main_.row() ? x : x / word_states * 64 + x % word_states);
    }

    const CodeInput& in_;
    const MainOrbit& main_;
    std::uint64_t max_bytes_;
    std::vector<bool> fixed_;  // points whose orbit has one label only
    std::vector<std::uint32_t> positions_, orbit_of_;
    std::vector<std::uint16_t> position_of_;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint16_t> label_number_;  // of orbit and label
    std::vector<std::uint32_t> labels_;                                              // by their numbers
    std::vector<Loop> loops_;
    std::vector<std::size_t> loop_of_edge_;
    std::vector<std::uint16_t> words_list_;
    HashIndex index_;
    WordRanks ranks_;
    std::size_t x_count_ = 0;
    std::vector<std::uint8_t> x_odd_;
    std::vector<std::vector<std::uint32_t>> tables_;
};

}  // namespace slidelab
