// The numbering of the configurations of one component for the exhaustive search.
//
// A configuration is a shape and an arrangement. The order of the pieces in one orbit on which the group is large, the
// main orbit, is a number in the factorial number system (lehmer_words.hpp). Everything else about the arrangement (the
// pieces of other orbits, turns, colours, the sign of the main order) is a word of labels with number x
// (label_words.hpp). Along the spanning tree x stays; every other edge has a table x -> x'. Pieces that no loop moves
// are left out. So nothing is wasted on small groups, the sign halves the array wherever possible, and the inner loops
// work on words, rows of words, and tables.
#pragma once

#include "layers/kernel_tables.hpp"
#include "layers/label_words.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace slidelab {

// One directed edge of the family; arcs 2e and 2e+1 are the two directions of edge e.
struct Arc {
    std::uint32_t source, target;
    std::int32_t table = -1;  // x -> x' along the arc; -1: x stays
    PieceMove move;           // within a shard
    // If the arc leads to other shards: slots of the main orbit, one of them in the prefix.
    bool crosses = false;
    std::uint16_t from = 0, to = 0;
    bool leftwards() const { return from > to; }
};

// Words are numbered through all shards, so that a place does not depend on how many there are.
struct Place {
    std::uint32_t shape;
    std::uint64_t word;
    std::uint32_t bit;
    bool operator==(const Place&) const = default;
};

class StateCode {
public:
    StateCode(CodeInput input, std::uint64_t max_bytes, const Tick& tick)
        : in_(std::move(checked(input))), potentials_(tree_potentials(in_, max_bytes, tick)),
          main_(in_, potentials_, tick), labels_(in_, main_, potentials_, max_bytes, tick),
          shards_(main_.size(), in_.prefix), row_(main_.row()) {
        words_ = static_cast<std::uint32_t>(row_ ? labels_.count() * row_
                                                 : (labels_.count() + word_states - 1) / word_states);
        make_arcs(tick);
        make_moves(tick);
    }

    StateCode(const StateCode&) = delete;  // arcs point into its tables
    StateCode& operator=(const StateCode&) = delete;

    std::size_t shapes() const { return in_.shapes; }
    const Shards& shards() const { return shards_; }
    std::uint32_t words() const { return words_; }  // of one shape in one shard
    std::uint32_t row() const { return row_; }      // of them for one x, 0 if x numbers the bits
    std::uint32_t block() const { return row_ ? row_ / shards_.blocks() : 0; }              // words of a row in a block
    std::uint64_t global_words() const { return std::uint64_t{words_} * shards_.count(); }  // of one shape

    std::size_t crossing_edges() const {
        return static_cast<std::size_t>(
                   std::count_if(arcs_.begin(), arcs_.end(), [](const Arc& a) { return a.crosses; })) /
               2;
    }

    // The number of a word of a shard through all shards, and the other way round.
    std::uint64_t global_word(std::uint32_t shard, std::uint32_t word) const {
        if (shards_.count() == 1) return word;
        return (std::uint64_t{word / row_} * shards_.count() + shard) * row_ + word % row_;
    }
    std::pair<std::uint32_t, std::uint32_t> local_word(std::uint64_t global) const {
        if (shards_.count() == 1) return {0, static_cast<std::uint32_t>(global)};
        const std::uint64_t rest = global / row_;
        return {static_cast<std::uint32_t>(rest % shards_.count()),
                static_cast<std::uint32_t>(rest / shards_.count() * row_ + global % row_)};
    }
    std::uint64_t x_count() const { return labels_.count(); }
    const std::vector<Arc>& arcs() const { return arcs_; }
    std::span<const std::uint32_t> into(std::size_t shape) const {
        return {into_.data() + into_at_[shape], into_.data() + into_at_[shape + 1]};
    }
    const std::vector<std::uint32_t>& table(std::int32_t t) const { return labels_.table(t); }
    bool odd(std::size_t shape, std::size_t x) const { return main_.odd(shape) ^ labels_.odd(x); }
    const KernelTables& kernel_tables() const { return kernel_tables_; }
    bool has_main() const { return !main_.empty(); }
    const MainOrbit& main() const { return main_; }
    std::size_t turns() const { return in_.turns; }
    std::size_t degree() const { return in_.degree(); }
    // The spanning tree carries a point of the base to this point of a shape.
    Point carried_to(std::size_t shape, std::size_t base_point) const { return potential_of(shape)[base_point]; }

    // The bits of a word that stand for something: all sixty, but for the last word of a list.
    std::uint64_t valid_bits(std::uint64_t word) const {
        if (row_) return word_mask;
        const std::uint64_t left = x_count() - word * word_states;
        return left >= word_states ? word_mask : (std::uint64_t{1} << left) - 1;
    }
    bool is_place(const Place& p) const {
        return p.shape < in_.shapes && p.word < global_words() && p.bit < word_states &&
               (valid_bits(p.word) >> p.bit & 1);
    }

    std::uint64_t bytes() const {
        std::uint64_t sum = labels_.bytes() + odd_groups_.size() * 8 + potentials_.size() * 2;
        for (const auto& [ends, move] : head_moves_) sum += move->bytes();
        return sum + arcs_.size() * (sizeof(Arc) + 4);
    }

    // The index of an arrangement (slot point -> piece point, or label where pieces have labels); none if it is not of
    // this component, as far as labels and sign tell.
    std::optional<Place> place(std::size_t shape, std::span<const std::uint32_t> arrangement) const {
        const std::size_t d = in_.degree();
        if (shape >= in_.shapes || arrangement.size() != d) throw std::invalid_argument("no such arrangement");
        const Point* potential = potential_of(shape);
        std::vector<std::uint32_t> base(d);
        for (std::size_t p = 0; p < d; ++p) base[p] = arrangement[potential[p]];
        bool odd_here = false, odd_base = false;
        std::vector<unsigned> digits, digits_at_base;
        if (has_main()) {
            const auto digits_of = [&](std::span<const std::uint32_t> points, const std::uint32_t* slots,
                                       std::vector<unsigned>& out, bool& odd_order) {
                std::vector<std::uint32_t> order;
                for (std::size_t k = 0; k < main_.size(); ++k) {
                    const auto index =
                        main_.index_of_piece(points[slots[k] * in_.turns] / static_cast<std::uint32_t>(in_.turns));
                    if (!index) return false;
                    order.push_back(*index);
                }
                return MainOrbit::digits(order, out, odd_order);
            };
            if (!digits_of(arrangement, main_.slots_at(shape), digits, odd_here)) return std::nullopt;
            if (!digits_of(base, main_.slots().data(), digits_at_base, odd_base)) return std::nullopt;
        }
        const auto x = labels_.find(base, odd_base);
        if (!x) return std::nullopt;
        const auto s = static_cast<std::uint32_t>(shape);
        if (!has_main()) return Place{s, *x / word_states, static_cast<std::uint32_t>(*x % word_states)};
        if (odd_here != odd(shape, *x)) return std::nullopt;
        const std::size_t n = main_.size(), head = n - tail_slots;
        std::uint64_t number = 0;
        for (std::size_t k = 0; k < head; ++k) number = number * (n - k) + digits[k];
        return Place{s, *x * row_ * shards_.count() + number,
                     digits[head] * 12 + digits[head + 1] * 3 + digits[head + 2]};
    }

    // The labels that x puts on the slot points of a shape; of pieces of the main orbit, how they are turned.
    void labels_at(std::size_t shape, std::size_t x, std::uint32_t* out) const {
        labels_.labels(x, potential_of(shape), out);
    }

    // The number x of labels as `labels_at` gives them, where the main order has this sign; none if there is none.
    std::optional<std::size_t> find_labels(std::size_t shape, std::span<const std::uint32_t> labels,
                                           bool odd_order) const {
        std::vector<std::uint32_t> base(in_.degree());
        for (std::size_t p = 0; p < base.size(); ++p) base[p] = labels[potential_of(shape)[p]];
        return labels_.find(base, odd_order ^ main_.odd(shape));
    }

    // The inverse of `place`.
    std::vector<std::uint32_t> arrangement(const Place& at) const {
        const std::size_t n = main_.size();
        if (!is_place(at)) throw std::invalid_argument("no such place");
        const std::uint64_t orders = std::uint64_t{row_} * shards_.count();
        const std::size_t x = has_main() ? at.word / orders : at.word * word_states + at.bit;
        std::vector<std::uint32_t> out(in_.degree());
        labels_at(at.shape, x, out.data());
        if (!has_main()) return out;
        // The pieces of the main orbit, in the order of their slots here.
        std::vector<unsigned> digits(n);
        std::uint64_t number = at.word % orders;
        bool head_odd = false;
        for (std::size_t k = n - tail_slots; k-- > 0;) {
            digits[k] = static_cast<unsigned>(number % (n - k));
            number /= n - k;
            head_odd ^= digits[k] & 1;
        }
        std::vector<std::uint32_t> left(main_.slots());
        const auto& tail = tail_tables.places[odd(at.shape, x) ^ head_odd][at.bit];
        std::vector<std::uint32_t> order;
        for (std::size_t k = 0; k + tail_slots < n; ++k) {
            order.push_back(left[digits[k]]);
            left.erase(left.begin() + digits[k]);
        }
        for (auto rank : tail) order.push_back(left[rank]);
        const auto w = static_cast<std::uint32_t>(in_.turns);
        for (std::size_t k = 0; k < n; ++k) {
            const std::size_t slot = main_.slots_at(at.shape)[k];
            for (std::size_t m = 0; m < w; ++m) out[slot * w + m] = order[k] * w + out[slot * w + m] % w;
        }
        return out;
    }

private:
    static CodeInput& checked(CodeInput& input) {
        input.check();
        return input;
    }

    const Point* potential_of(std::size_t shape) const { return potentials_.data() + shape * in_.degree(); }

    void make_arcs(const Tick& tick) {
        for (std::size_t e = 0; e < in_.edges.size(); ++e) {
            if ((e & 0x3fff) == 0) tick("moves", e, in_.edges.size());
            const auto& edge = in_.edges[e];
            const std::int32_t table = labels_.table_of(e);
            arcs_.push_back({edge.source, edge.target, table, {}});
            arcs_.push_back({edge.target, edge.source, table < 0 ? -1 : table + 1, {}});
        }
        into_at_.assign(in_.shapes + 1, 0);
        for (const auto& arc : arcs_) ++into_at_[arc.target + 1];
        for (std::size_t s = 0; s < in_.shapes; ++s) into_at_[s + 1] += into_at_[s];
        into_.resize(arcs_.size());
        auto next = into_at_;
        for (std::size_t a = 0; a < arcs_.size(); ++a) {
            if ((a & 0x3fff) == 0) tick("moves", a, arcs_.size());
            into_[next[arcs_[a].target]++] = static_cast<std::uint32_t>(a);
        }
    }

    const HeadMove* head_move(unsigned from, unsigned to) {
        if (from == to) return nullptr;
        auto& move = head_moves_[{from, to}];
        if (!move) move = std::make_unique<HeadMove>(static_cast<unsigned>(main_.size() - in_.prefix), from, to);
        return move.get();
    }

    // Slots and digits of a shard are counted from the end of the prefix.
    void make_moves(const Tick& tick) {
        if (main_.empty()) return;
        const std::size_t n = main_.size() - in_.prefix;
        const auto head = static_cast<unsigned>(n - tail_slots);
        if (head) {
            odd_groups_.assign((row_ / 6 + 63) / 64, 0);
            for (std::uint32_t g = 0; g < row_ / 6; ++g) {
                if ((g & 0xffff) == 0) tick("moves", g, row_ / 6);
                std::uint32_t number = g;
                bool odd = false;
                for (std::size_t k = head - 1; k-- > 0; number /= static_cast<std::uint32_t>(n - k))
                    odd ^= number % (n - k) & 1;
                if (odd) odd_groups_[g / 64] |= std::uint64_t{1} << g % 64;
            }
            kernel_tables_.odd = odd_groups_.data();
        }
        for (std::size_t a = 0; a < arcs_.size(); ++a) {
            if ((a & 0xfff) == 0) tick("moves", a, arcs_.size());
            const auto& e = in_.edges[a / 2];
            const auto i = main_.index(e.source, e.slot_from), j = main_.index(e.target, e.slot_to);
            if (!i || !j || *i == *j) continue;
            const std::uint16_t leaves = a % 2 ? *j : *i, enters = a % 2 ? *i : *j;
            const auto prefix = static_cast<std::uint16_t>(in_.prefix);
            if (std::min(leaves, enters) < prefix) {
                arcs_[a].crosses = true;
                arcs_[a].from = leaves;
                arcs_[a].to = enters;
            }
            const unsigned from = std::max(leaves, prefix) - prefix, to = std::max(enters, prefix) - prefix;
            PieceMove& m = arcs_[a].move;
            if (from == to) continue;  // the whole run is in the prefix, or ends right behind it
            if (from < head && to < head) {
                m = {PieceMove::head, 0, 0, head_move(from, to), head_move(to, from)};
            } else if (from < head) {
                m = {PieceMove::into_tail, 0, static_cast<std::uint8_t>(to - head), head_move(from, head - 1),
                     head_move(head - 1, from)};
            } else if (to < head) {
                m = {PieceMove::out_of_tail, static_cast<std::uint8_t>(from - head), 0, head_move(head - 1, to),
                     head_move(to, head - 1)};
            } else {
                m = {PieceMove::tail, static_cast<std::uint8_t>(from - head), static_cast<std::uint8_t>(to - head),
                     nullptr, nullptr};
            }
        }
    }

    CodeInput in_;
    std::vector<Point> potentials_;  // for each shape: base slot point -> slot point there, along the tree
    MainOrbit main_;
    LabelWords labels_;
    Shards shards_;
    std::uint32_t row_, words_ = 0;
    std::vector<Arc> arcs_;
    std::vector<std::size_t> into_at_;
    std::vector<std::uint32_t> into_;
    std::map<std::pair<unsigned, unsigned>, std::unique_ptr<HeadMove>> head_moves_;
    std::vector<std::uint64_t> odd_groups_;
    KernelTables kernel_tables_;
};

}  // namespace slidelab
