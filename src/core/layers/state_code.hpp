// How the configurations of one component are numbered for the exhaustive search.
//
// A configuration is a shape and an arrangement. One orbit of pieces on which the group is large
// is the main one: the order of its pieces is a number in the factorial system (lehmer_words.hpp).
// Everything else about the arrangement (the pieces of other orbits, which way round pieces lie,
// colours, the sign of the main order) is a word of labels on which the loops at the base act; the
// words that can be reached are listed once, and x is the place in that list. Seen along the
// spanning tree, edges of the tree leave x alone, and every other edge has a table x -> x'. Pieces
// that no loop moves take no part. So nothing is wasted on groups that are small, the sign halves
// the array wherever it can, and the hot loops see words, rows of words, and tables.
#pragma once

#include "graph/gain_graph.hpp"
#include "layers/sweep_tables.hpp"
#include "layers/word_ranks.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <queue>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace slidelab {

// One directed edge of the family; arcs 2e and 2e+1 are the two directions of edge e.
struct Arc {
    std::uint32_t source, target;
    std::int32_t table = -1;  // x -> x' along the arc; -1: x stays
    PieceMove move;
};

struct Place {
    std::uint32_t shape;
    std::uint32_t word;
    std::uint32_t bit;
    bool operator==(const Place&) const = default;
};

struct CodeInput {
    std::size_t shapes = 0, pieces = 0, turns = 1;
    struct Edge {
        std::uint32_t source, target, slot_from, slot_to, turn;
    };
    std::vector<Edge> edges;
    std::vector<std::uint32_t> labels;  // of the base points
    std::vector<std::uint32_t> main;    // base slots of the main orbit, none or five and more
    bool all_words = false;  // every arrangement of the labels within the orbits can be reached: number them, list none

    std::size_t degree() const { return pieces * turns; }

    void check() const {
        auto fail = [](const char* what) { throw std::invalid_argument(what); };
        if (turns == 0 || turns > max_turns || pieces > max_degree / turns) fail("pieces out of range");
        if (shapes == 0 || shapes > std::numeric_limits<std::uint32_t>::max() / 2) fail("shapes out of range");
        for (const auto& e : edges)
            if (e.source >= shapes || e.target >= shapes || e.slot_from >= pieces || e.slot_to >= pieces || e.turn >= turns)
                fail("edge out of range");
        if (labels.size() != degree()) fail("one label a point expected");
        if (all_words && !main.empty()) fail("words are numbered only where there is no main orbit");
        if (main.size() == 1 || (!main.empty() && main.size() < tail_slots)) fail("a main orbit has five pieces or more");
        std::vector<bool> seen(pieces, false);
        for (auto slot : main) {
            if (slot >= pieces || seen[slot]) fail("main slots must be different slots");
            seen[slot] = true;
        }
    }
};

class StateCode {
public:
    StateCode(CodeInput input, std::uint64_t max_bytes, const Tick& tick) : in_(std::move(input)), max_bytes_(max_bytes) {
        in_.check();
        std::sort(in_.main.begin(), in_.main.end());
        grow_tree(tick);
        index_main();
        const auto loops = project_loops(tick);
        list_words(tick);
        make_tables(loops, tick);
        make_moves();
    }

    StateCode(const StateCode&) = delete;  // arcs point into its tables
    StateCode& operator=(const StateCode&) = delete;

    std::size_t shapes() const { return in_.shapes; }
    std::uint32_t words() const { return words_; }  // of one shape
    std::uint32_t row() const { return row_; }      // words for one x, 0 if x numbers the bits
    std::uint64_t x_count() const { return x_count_; }
    const std::vector<Arc>& arcs() const { return arcs_; }
    std::span<const std::uint32_t> into(std::size_t shape) const {
        return {into_.data() + into_at_[shape], into_.data() + into_at_[shape + 1]};
    }
    const std::vector<std::uint32_t>& table(std::int32_t t) const { return tables_[static_cast<std::size_t>(t)]; }
    bool odd(std::size_t shape, std::size_t x) const { return shape_odd_[shape] ^ x_odd_[x]; }
    const SweepTables& sweep_tables() const { return sweep_tables_; }
    bool has_main() const { return !in_.main.empty(); }

    // The bits of a word that stand for something: all sixty, but for the last word of a list.
    std::uint64_t valid_bits(std::uint32_t word) const {
        if (row_) return word_mask;
        const std::uint64_t left = x_count_ - std::uint64_t{word} * word_states;
        return left >= word_states ? word_mask : (std::uint64_t{1} << left) - 1;
    }
    bool is_place(const Place& p) const {
        return p.shape < in_.shapes && p.word < words_ && p.bit < word_states && (valid_bits(p.word) >> p.bit & 1);
    }

    std::uint64_t bytes() const {
        std::uint64_t sum = words_list_.size() * 2 + odd_groups_.size() * 8 + index_.size() * 4 + potentials_.size() * 2;
        for (const auto& t : tables_) sum += t.size() * 4;
        for (const auto& [ends, move] : head_moves_) sum += move->bytes();
        return sum + arcs_.size() * (sizeof(Arc) + 4);
    }

    // Where an arrangement (slot point -> piece point, or label where pieces have labels) stands; none if it is
    // not of this component, as far as words and sign tell.
    std::optional<Place> place(std::size_t shape, std::span<const std::uint32_t> arrangement) const {
        const std::size_t d = in_.degree();
        if (shape >= in_.shapes || arrangement.size() != d) throw std::invalid_argument("no such arrangement");
        const Point* potential = potentials_.data() + shape * d;
        std::vector<std::uint32_t> base(d);
        for (std::size_t p = 0; p < d; ++p) base[p] = arrangement[potential[p]];
        Place out{static_cast<std::uint32_t>(shape), 0, 0};
        bool odd_here = false, odd_base = false;
        std::vector<unsigned> digits;
        if (has_main()) {
            auto order_of = [&](auto&& point_of) {
                std::vector<std::uint32_t> order;
                for (std::size_t k = 0; k < in_.main.size(); ++k) {
                    const std::uint32_t piece = point_of(k) / static_cast<std::uint32_t>(in_.turns);
                    const auto it = std::lower_bound(in_.main.begin(), in_.main.end(), piece);
                    if (it == in_.main.end() || *it != piece) return std::vector<std::uint32_t>{};
                    order.push_back(static_cast<std::uint32_t>(it - in_.main.begin()));
                }
                return order;
            };
            const auto here = order_of([&](std::size_t k) { return arrangement[main_slots_[shape * in_.main.size() + k] * in_.turns]; });
            const auto there = order_of([&](std::size_t k) { return base[in_.main[k] * in_.turns]; });
            if (here.empty() || there.empty()) return std::nullopt;
            if (!lehmer(here, digits, odd_here)) return std::nullopt;
            std::vector<unsigned> digits_at_base;
            if (!lehmer(there, digits_at_base, odd_base)) return std::nullopt;
        }
        std::vector<std::uint16_t> word;
        for (std::size_t k = 0; k < positions_.size(); ++k) {
            const std::size_t p = positions_[k];
            const std::uint32_t label = in_main_[p / in_.turns] ? base[p] % static_cast<std::uint32_t>(in_.turns) : base[p];
            const auto it = label_number_.find({orbit_of_[p], label});
            if (it == label_number_.end()) return std::nullopt;
            word.push_back(it->second);
        }
        // A piece that no loop moves must lie where it always lies, one that no loop turns the way it always
        // lies, and the points of a slot belong to one piece.
        const auto w = static_cast<std::uint32_t>(in_.turns);
        for (std::size_t p = 0; p < d; ++p) {
            if (still_[p] && base[p] != in_.labels[p]) return std::nullopt;
            if (!in_main_[p / w]) continue;
            if (base[p] / w != base[p / w * w] / w) return std::nullopt;
            if (position_of_[p] == no_position && base[p] % w != in_.labels[p]) return std::nullopt;
        }
        word.push_back(odd_base);
        const auto x = find_word(word);
        if (!x) return std::nullopt;
        if (!has_main()) {
            out.word = static_cast<std::uint32_t>(*x / word_states);
            out.bit = static_cast<std::uint32_t>(*x % word_states);
            return out;
        }
        if (odd_here != odd(shape, *x)) return std::nullopt;
        const std::size_t n = in_.main.size(), head = n - tail_slots;
        std::uint64_t number = 0;
        for (std::size_t k = 0; k < head; ++k) number = number * (n - k) + digits[k];
        out.word = static_cast<std::uint32_t>(*x * row_ + number);
        out.bit = digits[head] * 12 + digits[head + 1] * 3 + digits[head + 2];
        return out;
    }

    // What x says of each slot point of a shape: labels, or of pieces of the main orbit only how they are turned.
    void labels_at(std::size_t shape, std::size_t x, std::uint32_t* out) const {
        const std::size_t d = in_.degree();
        const Point* potential = potentials_.data() + shape * d;
        for (std::size_t p = 0; p < d; ++p) out[potential[p]] = in_.labels[p];
        const auto word = listed(x);
        for (std::size_t k = 0; k < positions_.size(); ++k) out[potential[positions_[k]]] = labels_[word[k]];
    }

    // The inverse.
    std::vector<std::uint32_t> arrangement(const Place& at) const {
        const std::size_t d = in_.degree(), n = in_.main.size();
        if (!is_place(at)) throw std::invalid_argument("no such place");
        const std::size_t x = has_main() ? at.word / row_ : std::size_t{at.word} * word_states + at.bit;
        const Point* potential = potentials_.data() + at.shape * d;
        std::vector<std::uint32_t> out(d);
        for (std::size_t p = 0; p < d; ++p) out[potential[p]] = in_.labels[p];
        const std::vector<std::uint16_t> word = word_at(x);
        for (std::size_t k = 0; k < positions_.size(); ++k) {
            const std::size_t p = positions_[k];
            out[potential[p]] = label_of_.at({orbit_of_[p], word[k]});
        }
        if (!has_main()) return out;
        // The pieces of the main orbit, in the order of their slots here.
        std::vector<unsigned> digits(n);
        std::uint32_t number = at.word % row_;
        bool head_odd = false;
        for (std::size_t k = n - tail_slots; k-- > 0;) {
            digits[k] = number % (n - k);
            number /= static_cast<std::uint32_t>(n - k);
            head_odd ^= digits[k] & 1;
        }
        std::vector<std::uint32_t> left(in_.main);
        const auto& tail = tail_tables.places[odd(at.shape, x) ^ head_odd][at.bit];
        std::vector<std::uint32_t> order;
        for (std::size_t k = 0; k + tail_slots < n; ++k) {
            order.push_back(left[digits[k]]);
            left.erase(left.begin() + digits[k]);
        }
        for (auto rank : tail) order.push_back(left[rank]);
        const auto w = static_cast<std::uint32_t>(in_.turns);
        for (std::size_t k = 0; k < n; ++k) {
            const std::size_t slot = main_slots_[at.shape * n + k];
            for (std::size_t m = 0; m < w; ++m) out[slot * w + m] = order[k] * w + out[slot * w + m] % w;
        }
        return out;
    }

private:
    using Loop = std::vector<std::uint16_t>;  // image of each position, and whether the main order changes its sign

    std::size_t word_width() const { return positions_.size() + 1; }

    // Ticks come about every million labels moved.
    std::size_t how_often() const {
        std::size_t mask = 0x3fff;
        while (mask && mask * (loops_.size() + 1) * word_width() > (std::size_t{1} << 20)) mask >>= 1;
        return mask;
    }

    // Any spanning tree will do; one whose moves pass few pieces leaves the others with short loops. So
    // the tree always grows by the cheapest move (Prim).
    void grow_tree(const Tick& tick) {
        const std::size_t d = in_.degree();
        if (in_.shapes * std::max<std::size_t>(d, 1) * sizeof(Point) > max_bytes_)
            throw LimitReached("the tables of " + std::to_string(in_.shapes) + " shapes do not fit the memory limit");
        std::vector<std::vector<std::uint32_t>> around(in_.shapes);  // arcs that leave each shape
        for (std::size_t e = 0; e < in_.edges.size(); ++e) {
            around[in_.edges[e].source].push_back(static_cast<std::uint32_t>(2 * e));
            around[in_.edges[e].target].push_back(static_cast<std::uint32_t>(2 * e + 1));
        }
        potentials_.resize(in_.shapes * d);
        std::vector<bool> reached(in_.shapes, false);
        using Step = std::pair<std::uint32_t, std::uint32_t>;  // cost, arc
        std::priority_queue<Step, std::vector<Step>, std::greater<>> open;
        auto arrive = [&](std::uint32_t shape) {
            reached[shape] = true;
            for (auto arc : around[shape]) {
                const auto& e = in_.edges[arc / 2];
                const std::uint32_t passed = e.slot_from > e.slot_to ? e.slot_from - e.slot_to : e.slot_to - e.slot_from;
                open.emplace(passed * 4 + e.turn, arc);
            }
        };
        for (std::size_t p = 0; p < d; ++p) potentials_[p] = static_cast<Point>(p);
        arrive(0);
        std::size_t count = 1;
        while (!open.empty()) {
            const auto arc = open.top().second;
            open.pop();
            const auto& e = in_.edges[arc / 2];
            const bool back = arc & 1;
            const std::uint32_t from = back ? e.target : e.source, to = back ? e.source : e.target;
            if (reached[to]) continue;
            if ((count & 0xfff) == 0) tick("tree", count, in_.shapes);
            for (std::size_t p = 0; p < d; ++p) {
                const Point at = potentials_[from * d + p];
                potentials_[to * d + p] = back ? carried(in_.turns, e.slot_to, e.slot_from, (in_.turns - e.turn) % in_.turns, at)
                                               : carried(in_.turns, e.slot_from, e.slot_to, e.turn, at);
            }
            ++count;
            arrive(to);
        }
        if (count != in_.shapes) throw std::invalid_argument("the shapes are not connected");
    }

    void index_main() {
        const std::size_t d = in_.degree(), n = in_.main.size();
        std::uint64_t row = 1;
        for (std::size_t k = tail_slots + 1; k <= n; ++k) {
            row *= k;
            if (row > std::numeric_limits<std::uint32_t>::max())
                throw LimitReached("the arrangements of " + std::to_string(n) + " pieces are too many to list");
        }
        row_ = n ? static_cast<std::uint32_t>(row) : 0;
        in_main_.assign(in_.pieces, false);
        for (auto slot : in_.main) in_main_[slot] = true;
        main_slots_.resize(in_.shapes * n);
        shape_odd_.assign(in_.shapes, 0);
        for (std::size_t s = 0; s < in_.shapes; ++s) {
            std::vector<std::uint32_t> slots;
            for (auto slot : in_.main)
                slots.push_back(potentials_[s * d + slot * in_.turns] / static_cast<std::uint32_t>(in_.turns));
            // The sign of the way along the tree from base to here, as it orders the main pieces.
            shape_odd_[s] = has_odd_order(n, [&](std::size_t i) { return slots[i]; });
            std::sort(slots.begin(), slots.end());
            std::copy(slots.begin(), slots.end(), main_slots_.begin() + static_cast<std::ptrdiff_t>(s * n));
        }
    }

    std::optional<std::uint16_t> main_index(std::size_t shape, std::uint32_t slot) const {
        const std::size_t n = in_.main.size();
        const auto* first = main_slots_.data() + shape * n;
        const auto* found = std::lower_bound(first, first + n, slot);
        if (found == first + n || *found != slot) return std::nullopt;
        return static_cast<std::uint16_t>(found - first);
    }

    // For every edge the loop that it closes, seen on the positions that matter; the tree's edges close none.
    std::vector<std::size_t> project_loops(const Tick& tick) {
        const std::size_t d = in_.degree();
        Permutation back(d), gain(d);
        auto loop_of = [&](const CodeInput::Edge& e) {
            const Point* from = potentials_.data() + e.source * d;
            const Point* to = potentials_.data() + e.target * d;
            for (std::size_t p = 0; p < d; ++p) back[to[p]] = static_cast<Point>(p);
            for (std::size_t p = 0; p < d; ++p) gain[p] = back[carried(in_.turns, e.slot_from, e.slot_to, e.turn, from[p])];
        };
        UnionFind orbits(d);
        for (std::size_t e = 0; e < in_.edges.size(); ++e) {
            if ((e & 0xfff) == 0) tick("loops", e, 2 * in_.edges.size());
            loop_of(in_.edges[e]);
            for (std::size_t p = 0; p < d; ++p) {
                orbits.unite(static_cast<std::uint32_t>(p), gain[p]);
                if (in_main_[p / in_.turns] != in_main_[gain[p] / in_.turns])
                    throw std::invalid_argument("a loop takes a piece out of the main orbit");
            }
        }
        orbit_of_.resize(d);
        std::map<std::uint32_t, std::pair<std::uint32_t, bool>> first;  // of each orbit: a label, and whether there are others
        std::vector<std::uint32_t> size(d, 0);
        for (std::size_t p = 0; p < d; ++p) {
            orbit_of_[p] = orbits.find(static_cast<std::uint32_t>(p));
            ++size[orbit_of_[p]];
            const auto [it, fresh] = first.try_emplace(orbit_of_[p], in_.labels[p], false);
            if (!fresh && it->second.first != in_.labels[p]) it->second.second = true;
        }
        still_.assign(d, false);
        position_of_.assign(d, no_position);
        for (std::size_t p = 0; p < d; ++p) {
            const bool main = in_main_[p / in_.turns];
            if (main && in_.labels[p] != p % in_.turns) throw std::invalid_argument("a main piece is labelled by its marks");
            still_[p] = !main && !first[orbit_of_[p]].second;
            if (!first[orbit_of_[p]].second) continue;
            position_of_[p] = static_cast<std::uint16_t>(positions_.size());
            positions_.push_back(static_cast<std::uint32_t>(p));
            const std::pair key(orbit_of_[p], in_.labels[p]);
            if (!label_number_.contains(key)) {
                const auto number = static_cast<std::uint16_t>(label_number_.size());
                label_number_[key] = number;
                labels_.push_back(in_.labels[p]);
                label_of_[{orbit_of_[p], number}] = in_.labels[p];
            }
        }
        std::vector<std::size_t> loop_of_edge(in_.edges.size(), none);
        std::map<Loop, std::size_t> known;
        Loop loop(positions_.size() + 1);
        for (std::size_t e = 0; e < in_.edges.size(); ++e) {
            if ((e & 0xfff) == 0) tick("loops", in_.edges.size() + e, 2 * in_.edges.size());
            loop_of(in_.edges[e]);
            bool moves = false;
            for (std::size_t k = 0; k < positions_.size(); ++k) {
                loop[k] = position_of_[gain[positions_[k]]];
                moves |= loop[k] != k;
            }
            const bool sign = has_odd_order(in_.main.size(), [&](std::size_t i) { return gain[in_.main[i] * in_.turns]; });
            loop.back() = sign;
            if (!moves && !sign) continue;
            const auto [it, fresh] = known.try_emplace(loop, loops_.size());
            if (fresh) {
                loops_.push_back(loop);
                if (loops_.size() * (loop.size() * 4 + 64) > max_bytes_) throw LimitReached("too many different loops");
            }
            loop_of_edge[e] = it->second;
        }
        return loop_of_edge;
    }

    std::vector<std::uint32_t> orbits_of_positions() const {
        std::vector<std::uint32_t> out;
        for (auto p : positions_) out.push_back(orbit_of_[p]);
        return out;
    }

    static std::uint64_t hash(std::span<const std::uint16_t> word) {
        std::uint64_t h = 0x9e3779b97f4a7c15ull;
        for (auto v : word) {
            h = (h ^ v) * 0xff51afd7ed558ccdull;
            h ^= h >> 32;
        }
        return h;
    }

    std::size_t probe(std::span<const std::uint16_t> word) const {
        std::size_t slot = hash(word) & (index_.size() - 1);
        while (index_[slot] != unused &&
               !std::equal(word.begin(), word.end(), words_list_.begin() + static_cast<std::ptrdiff_t>(std::size_t{index_[slot]} * word_width())))
            slot = (slot + 1) & (index_.size() - 1);
        return slot;
    }

    std::optional<std::size_t> find_word(std::span<const std::uint16_t> word) const {
        if (in_.all_words) return ranks_.rank(word);
        const auto x = index_[probe(word)];
        return x == unused ? std::nullopt : std::optional<std::size_t>(x);
    }

    std::span<const std::uint16_t> listed(std::size_t x) const { return {words_list_.data() + x * word_width(), word_width()}; }

    std::vector<std::uint16_t> word_at(std::size_t x) const {
        if (in_.all_words) return ranks_.word(x);
        return {listed(x).begin(), listed(x).end()};
    }

    void apply(const Loop& loop, std::span<const std::uint16_t> word, std::vector<std::uint16_t>& out) const {
        const std::size_t n = positions_.size();
        for (std::size_t k = 0; k < n; ++k) out[loop[k]] = word[k];
        out[n] = word[n] ^ loop[n];
    }

    void list_words(const Tick& tick) {
        const std::size_t width = word_width(), often = how_often();
        index_.assign(64, unused);
        std::vector<std::uint16_t> word(width);
        for (std::size_t k = 0; k < positions_.size(); ++k)
            word[k] = label_number_.at({orbit_of_[positions_[k]], in_.labels[positions_[k]]});
        if (in_.all_words) {
            ranks_ = WordRanks(word, orbits_of_positions());
            x_count_ = ranks_.count();
            if (x_count_ > most_listed || x_count_ > max_bytes_ / (8 * loops_.size() + 1))
                throw LimitReached(std::to_string(x_count_) + " arrangements of the colours need more memory than allowed");
            x_odd_.assign(x_count_, 0);
            words_ = static_cast<std::uint32_t>((x_count_ + word_states - 1) / word_states);
            return;
        }
        auto add = [&] {
            std::size_t slot = probe(word);
            if (index_[slot] != unused) return;
            const std::size_t x = x_count_++;
            const std::uint64_t row = std::max<std::uint64_t>(row_, 1);
            // Limits first: the list, its index, and two tables for each loop.
            if (x_count_ * (2 * width + 8 + 8 * loops_.size()) > max_bytes_ || x_count_ > most_listed)
                throw LimitReached("more than " + std::to_string(x) + " arrangements of the other pieces need more memory than allowed");
            if (x_count_ * row > std::numeric_limits<std::uint32_t>::max()) throw LimitReached("too many arrangements for one shape");
            words_list_.insert(words_list_.end(), word.begin(), word.end());
            index_[slot] = static_cast<std::uint32_t>(x);
            if (2 * x_count_ > index_.size()) {
                std::vector<std::uint32_t> larger(index_.size() * 4, unused);
                index_.swap(larger);
                for (std::size_t y = 0; y < x_count_; ++y)
                    index_[probe({words_list_.data() + y * width, width})] = static_cast<std::uint32_t>(y);
            }
        };
        add();
        for (std::size_t x = 0; x < x_count_; ++x) {
            if ((x & often) == 0) tick("arrangements", x, 0);
            for (const auto& loop : loops_) {
                apply(loop, listed(x), word);
                add();
            }
        }
        x_odd_.resize(x_count_);
        for (std::size_t x = 0; x < x_count_; ++x) x_odd_[x] = words_list_[x * width + positions_.size()] & 1;
        words_ = static_cast<std::uint32_t>(row_ ? x_count_ * row_ : (x_count_ + word_states - 1) / word_states);
    }

    void make_tables(const std::vector<std::size_t>& loop_of_edge, const Tick& tick) {
        const std::size_t often = how_often();
        tables_.assign(2 * loops_.size(), std::vector<std::uint32_t>(x_count_));
        std::vector<std::uint16_t> word(word_width()), labels;
        std::vector<std::uint16_t> now = in_.all_words ? word_at(0) : std::vector<std::uint16_t>{};
        for (std::size_t x = 0; x < x_count_; ++x) {
            if ((x & often) == 0) tick("tables", x, x_count_);
            if (in_.all_words && x) ranks_.next(now, labels);
            for (std::size_t l = 0; l < loops_.size(); ++l) {
                apply(loops_[l], in_.all_words ? std::span<const std::uint16_t>(now) : listed(x), word);
                const std::size_t y = *find_word(word);
                tables_[2 * l][x] = code(y);
                tables_[2 * l + 1][y] = code(x);
            }
        }
        for (std::size_t e = 0; e < in_.edges.size(); ++e) {
            const auto& edge = in_.edges[e];
            const auto table = loop_of_edge[e] == none ? -1 : static_cast<std::int32_t>(2 * loop_of_edge[e]);
            arcs_.push_back({edge.source, edge.target, table, {}});
            arcs_.push_back({edge.target, edge.source, table < 0 ? -1 : table + 1, {}});
        }
        into_at_.assign(in_.shapes + 1, 0);
        for (const auto& arc : arcs_) ++into_at_[arc.target + 1];
        for (std::size_t s = 0; s < in_.shapes; ++s) into_at_[s + 1] += into_at_[s];
        into_.resize(arcs_.size());
        auto next = into_at_;
        for (std::size_t a = 0; a < arcs_.size(); ++a) into_[next[arcs_[a].target]++] = static_cast<std::uint32_t>(a);
    }

    // Rows are numbered; where x numbers the bits, word and bit are ready to use.
    std::uint32_t code(std::size_t x) const {
        return static_cast<std::uint32_t>(row_ ? x : x / word_states * 64 + x % word_states);
    }

    const HeadMove* head_move(unsigned from, unsigned to) {
        if (from == to) return nullptr;
        auto& move = head_moves_[{from, to}];
        if (!move) move = std::make_unique<HeadMove>(static_cast<unsigned>(in_.main.size()), from, to);
        return move.get();
    }

    void make_moves() {
        const std::size_t n = in_.main.size();
        if (!n) return;
        const auto head = static_cast<unsigned>(n - tail_slots);
        if (head) {
            odd_groups_.assign((row_ / 6 + 63) / 64, 0);
            for (std::uint32_t g = 0; g < row_ / 6; ++g) {
                std::uint32_t number = g;
                bool odd = false;
                for (std::size_t k = head - 1; k-- > 0; number /= static_cast<std::uint32_t>(n - k)) odd ^= number % (n - k) & 1;
                if (odd) odd_groups_[g / 64] |= std::uint64_t{1} << g % 64;
            }
            sweep_tables_.odd = odd_groups_.data();
        }
        for (std::size_t a = 0; a < arcs_.size(); ++a) {
            const auto& e = in_.edges[a / 2];
            const auto i = main_index(e.source, e.slot_from), j = main_index(e.target, e.slot_to);
            if (!i || !j || *i == *j) continue;
            const unsigned from = a % 2 ? *j : *i, to = a % 2 ? *i : *j;
            PieceMove& m = arcs_[a].move;
            if (from < head && to < head) {
                m = {PieceMove::head, 0, 0, head_move(from, to), head_move(to, from)};
            } else if (from < head) {
                m = {PieceMove::into_tail, 0, static_cast<std::uint8_t>(to - head), head_move(from, head - 1), head_move(head - 1, from)};
            } else if (to < head) {
                m = {PieceMove::out_of_tail, static_cast<std::uint8_t>(from - head), 0, head_move(head - 1, to), head_move(to, head - 1)};
            } else {
                m = {PieceMove::tail, static_cast<std::uint8_t>(from - head), static_cast<std::uint8_t>(to - head), nullptr, nullptr};
            }
        }
    }

    // Digits of an order, and its sign; false if a piece comes twice.
    static bool lehmer(const std::vector<std::uint32_t>& order, std::vector<unsigned>& digits, bool& odd) {
        digits.assign(order.size(), 0);
        odd = false;
        for (std::size_t i = 0; i < order.size(); ++i)
            for (std::size_t j = i + 1; j < order.size(); ++j) {
                if (order[i] == order[j]) return false;
                if (order[j] < order[i]) ++digits[i], odd = !odd;
            }
        return true;
    }

    static constexpr std::uint16_t no_position = std::numeric_limits<std::uint16_t>::max();
    static constexpr std::uint32_t unused = std::numeric_limits<std::uint32_t>::max();
    static constexpr std::uint64_t most_listed = std::uint64_t{word_states} << 26;  // word and bit in 32 bits
    static constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

    CodeInput in_;
    std::uint64_t max_bytes_;
    std::vector<Point> potentials_;  // for each shape: base slot point -> slot point there, along the tree
    std::vector<bool> in_main_, still_;
    std::vector<std::uint32_t> main_slots_;  // for each shape the slots of main pieces, in order
    std::vector<std::uint8_t> shape_odd_, x_odd_;
    std::vector<std::uint32_t> positions_, orbit_of_;
    std::vector<std::uint16_t> position_of_;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint16_t> label_number_;
    std::map<std::pair<std::uint32_t, std::uint16_t>, std::uint32_t> label_of_;
    std::vector<std::uint32_t> labels_;  // by their numbers
    std::vector<Loop> loops_;
    std::vector<std::uint16_t> words_list_;
    std::vector<std::uint32_t> index_;
    WordRanks ranks_;
    std::size_t x_count_ = 0;
    std::uint32_t row_ = 0, words_ = 0;
    std::vector<std::vector<std::uint32_t>> tables_;
    std::vector<Arc> arcs_;
    std::vector<std::size_t> into_at_;
    std::vector<std::uint32_t> into_;
    std::map<std::pair<unsigned, unsigned>, std::unique_ptr<HeadMove>> head_moves_;
    std::vector<std::uint64_t> odd_groups_;
    SweepTables sweep_tables_;
};

}  // namespace slidelab
