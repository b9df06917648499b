// Builds the pattern database of any rule with the layer search.
//
// Only the pieces of the pattern are distinguished; all others are indistinguishable and their moves are free. So all
// shapes that are connected by moves of the others form one region. Regions are the shapes of a puzzle of its own: the
// order of the pieces of the pattern is its arrangement, and a move takes one of them past some of the others and costs
// one. layers/layer_search.hpp searches it with sixty arrangements to a word and two bits for each, without ranking
// states. For tiles and one hole, one_hole_pattern.hpp finds the regions and searches them in a more direct way.
#pragma once

#include "layers/layer_search.hpp"
#include "search/move_table.hpp"
#include "search/one_hole_pattern.hpp"
#include "search/pattern_index.hpp"

#include <map>

namespace slidelab {

class PatternDatabaseBuilder {
public:
    static constexpr unsigned most = 10;  // orders of the pieces are listed

    // The pieces that lie in these slots of the goal's shape, in the order of the table's index.
    PatternDatabaseBuilder(std::shared_ptr<const MoveTable> moves, std::uint32_t goal, std::vector<std::uint32_t> slots,
                           PatternIndex index, std::uint64_t max_bytes, const Tick& tick)
        : table_(std::move(moves)), moves_(*table_), turns_(moves_.turns()), slots_(std::move(slots)), index_(index),
          max_bytes_(max_bytes) {
        const std::size_t pieces = moves_.pieces();
        if (goal >= moves_.shapes() || pieces > 64) throw std::invalid_argument("no such goal");
        if (slots_.empty() || slots_.size() > most || index_.pieces() != slots_.size())
            throw std::invalid_argument("one to ten pieces expected");
        std::uint64_t mask = 0;
        for (auto slot : slots_) {
            if (slot >= pieces || mask >> slot & 1) throw std::invalid_argument("pieces lie in different slots");
            mask |= std::uint64_t{1} << slot;
        }
        for (auto slot : slots_)
            by_slot_.push_back(static_cast<unsigned>(std::popcount(mask & ((std::uint64_t{1} << slot) - 1))));
        orders_ = 1;
        turn_words_ = 1;
        for (unsigned i = 1; i <= slots_.size(); ++i) orders_ *= i, turn_words_ *= turns_;
        if (OneHolePattern::accepts(moves_)) {
            one_hole_ = std::make_unique<const OneHolePattern>(moves_, goal, slots_, max_bytes, tick);
            list_sets(tick);
            return;
        }
        CodeInput in;
        in.pieces = slots_.size();
        in.turns = turns_;
        find_regions(goal, mask, in, tick);
        const bool main = slots_.size() >= tail_slots;
        for (std::uint32_t p = 0; p < in.degree(); ++p)
            in.labels.push_back(main ? p % static_cast<std::uint32_t>(turns_) : p);
        for (std::uint32_t k = 0; main && k < in.pieces; ++k) in.main.push_back(k);
        code_ = std::make_shared<const StateCode>(std::move(in), max_bytes, tick);
    }

    // Bytes that `build` takes: the distances by sets of placements, beside them first the search and then the table.
    std::uint64_t bytes(bool by_region = false) const {
        const std::uint64_t held = one_hole_ ? one_hole_->held() : code_->bytes(), tables = by_region ? 2 : 1;
        const std::uint64_t search = one_hole_ ? one_hole_->bytes() - held : LayerSearch::bytes_needed(*code_, {}, 1);
        return tables * sets_.size() / slots_.size() * orders_ * turn_words_ +
               std::max(tables * index_.count(), search) + held;
    }

    // With `by_region` a second table follows: the first is for the hole in the largest part of the board that the
    // pieces leave, the second for the hole elsewhere (hole_regions.hpp).
    std::vector<std::uint8_t> build(unsigned threads, const Tick& tick, bool by_region = false) const {
        if (by_region && !HoleRegions::accepts(moves_, slots_.size()))
            throw std::invalid_argument("a small board with one hole expected");
        if (bytes(by_region) > max_bytes_)
            throw LimitReached("a table of " + std::to_string(slots_.size()) + " pieces takes " +
                               std::to_string(bytes(by_region)) + " bytes to make");
        const std::size_t size = sets_.size() / slots_.size() * orders_ * turn_words_;
        std::vector<std::uint8_t> distance(size, unreachable), elsewhere(by_region ? size : 0, unreachable);
        if (one_hole_) one_hole_->search(distance, by_region ? &elsewhere : nullptr, unreachable, threads, tick);
        else search_distances(distance, threads, tick);  // its layers are freed before the database is allocated
        std::vector<std::uint8_t> table((by_region ? 2 : 1) * index_.count(), unreachable);
        by_spots(distance, table.data(), threads, tick);
        if (by_region) by_spots(elsewhere, table.data() + index_.count(), threads, tick);
        return table;
    }

private:
    static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

    void search_distances(std::vector<std::uint8_t>& distance, unsigned threads, const Tick& tick) const {
        LayerSearch search(code_, {});
        std::vector<std::uint32_t> start(slots_.size() *
                                         turns_);  // slot point -> piece point, named by where it is now: in order
        std::iota(start.begin(), start.end(), 0u);
        search.begin(*code_->place(0, start));
        for (std::uint64_t depth = 0;; ++depth) {
            if (depth == unreachable) throw LimitReached("distances beyond 254 do not fit a table");
            stamp(search, static_cast<std::uint8_t>(depth), distance, tick);
            if (!search.advance(threads, tick)) break;
        }
    }

    // A piece leaves one slot and takes another; those between move up.
    static std::uint64_t carry(std::uint64_t mask, unsigned from, unsigned to) {
        const std::uint64_t moved = mask >> from & 1;
        const std::uint64_t others = (mask & ((std::uint64_t{1} << from) - 1)) | mask >> from >> 1 << from;
        const std::uint64_t below = (std::uint64_t{1} << to) - 1;
        return (others & below) | (others & ~below) << 1 | moved << to;
    }

    struct Crossing {
        std::uint32_t region, node;
        std::uint16_t from, to, turn;
        auto operator<=>(const Crossing&) const = default;
    };

    void find_regions(std::uint32_t goal, std::uint64_t mask, CodeInput& in, const Tick& tick) {
        // A node is a shape and which of its slots have pieces of the group: numbered without gaps.
        const Subsets subsets(static_cast<unsigned>(moves_.pieces()), static_cast<unsigned>(slots_.size()));
        const std::uint64_t count = subsets.count() * moves_.shapes();
        if (count >= none || count > max_bytes_ / 12)
            throw LimitReached("the regions of " + std::to_string(slots_.size()) +
                               " pieces take more memory than allowed");
        struct Node {
            std::uint32_t shape;
            std::uint64_t mask;
        };
        auto number = [&](std::uint32_t shape, std::uint64_t set) {
            return static_cast<std::uint32_t>(shape * subsets.count() + subsets.rank(set));
        };
        std::vector<std::uint32_t> region(count, none);
        std::vector<Node> stack, waiting{{goal, mask}}, one_of;  // the last: a node of each region
        std::vector<Crossing> crossings;
        std::size_t settled = 0;
        while (!waiting.empty()) {
            const Node begin = waiting.back();
            waiting.pop_back();
            if (region[number(begin.shape, begin.mask)] != none) continue;
            const auto r = static_cast<std::uint32_t>(one_of.size());
            one_of.push_back(begin);
            region[number(begin.shape, begin.mask)] = r;
            stack.push_back(begin);
            const std::size_t before = crossings.size();
            while (!stack.empty()) {
                const Node at = stack.back();
                stack.pop_back();
                if ((settled++ & 0xfff) == 0) {
                    tick("regions", settled, 0);
                    if ((crossings.size() + waiting.size()) * sizeof(Crossing) > max_bytes_)
                        throw LimitReached("the regions of " + std::to_string(slots_.size()) +
                                           " pieces take more memory than allowed");
                }
                for (const auto& arc : moves_.arcs(at.shape)) {
                    const std::uint64_t there = carry(at.mask, arc.slot_from, arc.slot_to);
                    const std::uint32_t other = number(arc.target, there);
                    if (at.mask >> arc.slot_from & 1) {
                        crossings.push_back(
                            {r, other, rank(at.mask, arc.slot_from), rank(there, arc.slot_to), arc.turn});
                        if (region[other] == none) waiting.push_back({arc.target, there});
                    } else if (region[other] == none) {
                        region[other] = r;
                        stack.push_back({arc.target, there});
                    }
                }
            }
            compact(crossings, before);
        }
        join_regions(crossings, region, one_of.size(), in, tick);
        name_sets(one_of, tick);
    }

    // The moves between regions, each once. They are in the order of the regions they leave: sorted one by one.
    static void join_regions(const std::vector<Crossing>& crossings, const std::vector<std::uint32_t>& region,
                             std::size_t regions, CodeInput& in, const Tick& tick) {
        std::vector<Crossing> own;
        for (std::size_t i = 0; i < crossings.size();) {
            tick("regions", i, crossings.size());
            own.clear();
            for (const std::uint32_t r = crossings[i].region; i < crossings.size() && crossings[i].region == r; ++i)
                if (Crossing c = crossings[i]; (c.node = region[c.node]) > r) own.push_back(c);
            compact(own, 0);
            for (const auto& c : own) in.edges.push_back({c.region, c.node, c.from, c.to, c.turn});
        }
        in.shapes = regions;
    }

    static void compact(std::vector<Crossing>& crossings, std::size_t from) {
        std::sort(crossings.begin() + static_cast<std::ptrdiff_t>(from), crossings.end());
        crossings.erase(std::unique(crossings.begin() + static_cast<std::ptrdiff_t>(from), crossings.end()),
                        crossings.end());
    }

    static std::uint16_t rank(std::uint64_t mask, unsigned slot) {
        return static_cast<std::uint16_t>(std::popcount(mask & ((std::uint64_t{1} << slot) - 1)));
    }

    // Regions in which the pieces of the group lie on the same placements share a segment of the table.
    template <class Nodes>
    void name_sets(const Nodes& one_of, const Tick& tick) {
        std::map<std::vector<Point>, std::uint32_t> known;
        std::vector<Point> set;
        for (const auto& [shape, mask] : one_of) {
            if ((segment_.size() & 0xfff) == 0) tick("regions", segment_.size(), one_of.size());
            const auto placements = moves_.slots(shape);
            set.clear();
            for (std::uint64_t left = mask; left; left &= left - 1) {
                const Point placement = placements[static_cast<std::size_t>(std::countr_zero(left))];
                set.push_back(index_.dense() ? static_cast<Point>(moves_.rank()[placement]) : placement);
            }
            const auto [it, fresh] = known.try_emplace(set, static_cast<std::uint32_t>(known.size()));
            if (fresh) sets_.insert(sets_.end(), set.begin(), set.end());
            segment_.push_back(it->second);
        }
    }

    // All sets of cells, in the order of their ranks.
    void list_sets(const Tick& tick) {
        const std::size_t k = slots_.size();
        sets_.reserve(one_hole_->sets() * k);
        std::uint64_t set = one_hole_->first_set();
        for (std::uint64_t i = 0; i < one_hole_->sets(); ++i, set = Subsets::next(set)) {
            if ((i & 0xffff) == 0) tick("regions", i, one_hole_->sets());
            for (std::uint64_t left = set; left; left &= left - 1)
                sets_.push_back(static_cast<Point>(std::countr_zero(left)));
        }
    }

    void stamp(const LayerSearch& search, std::uint8_t depth, std::vector<std::uint8_t>& distance,
               const Tick& tick) const {
        const std::size_t k = slots_.size();
        std::vector<std::uint32_t> labels(k * turns_), order(k);
        auto turn_word = [&](std::uint32_t region, std::uint64_t x) {
            std::uint64_t word = 0;
            if (turns_ > 1 || !code_->has_main()) code_->labels_at(region, x, labels.data());
            for (std::size_t s = 0; turns_ > 1 && s < k; ++s)
                word = word * turns_ + (turns_ - labels[s * turns_] % turns_) % turns_;
            return word;
        };
        if (!code_->has_main()) {
            search.each_word(tick, [&](std::uint32_t region, std::uint32_t word, std::uint64_t bits) {
                for (; bits; bits &= bits - 1) {
                    const std::uint64_t x =
                        std::uint64_t{word} * word_states + static_cast<unsigned>(std::countr_zero(bits));
                    const std::uint64_t turns = turn_word(region, x);
                    std::uint64_t number = 0;
                    for (std::size_t s = 0; s < k; ++s) {
                        std::uint64_t digit = 0;
                        for (std::size_t t = s + 1; t < k; ++t)
                            digit += labels[t * turns_] / turns_ < labels[s * turns_] / turns_;
                        number = number * (k - s) + digit;
                    }
                    std::uint8_t& entry = distance[(segment_[region] * turn_words_ + turns) * orders_ + number];
                    if (entry == unreachable) entry = depth;
                }
            });
            return;
        }
        // The number of an order among all: the head's digits, the tail's first three, and the fourth by the sign.
        std::array<std::uint8_t, word_states> digits_odd{};
        for (unsigned bit = 0; bit < word_states; ++bit) digits_odd[bit] = (bit / 12 + bit / 3 % 4 + bit % 3) & 1;
        const std::uint32_t row = code_->row();
        const std::uint64_t* odd_groups = code_->kernel_tables().odd;
        search.each_word(tick, [&](std::uint32_t region, std::uint32_t word, std::uint64_t bits) {
            const std::uint32_t x = word / row, head = word % row;
            const bool head_odd = odd_groups && ((odd_groups[head / 6 / 64] >> (head / 6 % 64) & 1) ^ (head % 6 & 1));
            const bool sign = code_->odd(region, x) ^ head_odd;
            std::uint8_t* here = distance.data() + (segment_[region] * turn_words_ + turn_word(region, x)) * orders_ +
                                 std::uint64_t{head} * 120;
            for (; bits; bits &= bits - 1) {
                const auto bit = static_cast<unsigned>(std::countr_zero(bits));
                std::uint8_t& entry = here[2 * bit + (digits_odd[bit] ^ sign)];
                if (entry == unreachable) entry = depth;
            }
        });
    }

    // From (set of placements, turns, order of the pieces in them) to the entries of the database.
    // Each piece adds its share: its spot, as a digit. Where entries have no gaps (tiles on small boards), cells are
    // counted along the line that orders the slots, and the digit of a tile is its cell less the tiles before it on
    // smaller cells: with the tile in slot s, cell[s] - s and the number of smaller slots that later tiles have.
    void by_spots(const std::vector<std::uint8_t>& distance, std::uint8_t* table, unsigned threads,
                  const Tick& tick) const {
        const auto k = static_cast<unsigned>(slots_.size());
        const std::uint64_t spots = index_.dense() ? 0 : moves_.spots();
        std::vector<std::uint64_t> weight(k);
        std::uint64_t w = 1;
        for (unsigned t = k; t-- > 0; w *= index_.dense() ? index_.cells() - t : spots) weight[t] = w;
        // Pieces are named by their slots at the start.
        std::vector<unsigned> piece_of(k);
        for (unsigned t = 0; t < k; ++t) piece_of[by_slot_[t]] = t;
        std::vector<std::uint8_t> piece_in(orders_ * k);
        std::vector<std::uint64_t> fixed(orders_);
        for (std::uint64_t o = 0; o < orders_; ++o) {
            if ((o & 0xfff) == 0) tick("table", 0, sets_.size() / k);
            std::vector<unsigned> left(k), slot_of(k);
            std::iota(left.begin(), left.end(), 0u);
            std::uint64_t number = o, size = orders_;
            for (unsigned s = 0; s < k; ++s) {
                size /= k - s;
                const auto digit = static_cast<std::ptrdiff_t>(number / size);
                number %= size;
                const unsigned piece = piece_of[left[static_cast<std::size_t>(digit)]];
                left.erase(left.begin() + digit);
                piece_in[o * k + s] = static_cast<std::uint8_t>(piece);
                slot_of[piece] = s;
            }
            for (unsigned t = 0; index_.dense() && t < k; ++t) {
                unsigned smaller = 0;
                for (unsigned u = t + 1; u < k; ++u) smaller += slot_of[u] < slot_of[t];
                fixed[o] += smaller * weight[t];
            }
        }
        parallel_for(sets_.size() / k, threads, "table", tick, [&](std::size_t i, unsigned) {
            std::array<std::uint64_t, most * most> share;
            for (std::uint64_t c = 0; c < turn_words_; ++c) {
                std::uint64_t turns = c;
                for (unsigned s = k; s-- > 0; turns /= turns_) {
                    const std::uint64_t spot =
                        index_.dense() ? sets_[i * k + s] - s : sets_[i * k + s] * turns_ + turns % turns_;
                    for (unsigned t = 0; t < k; ++t) share[s * k + t] = spot * weight[t];
                }
                const std::uint8_t* here = distance.data() + (i * turn_words_ + c) * orders_;
                // Orders that differ in the last three slots only follow each other.
                const unsigned same = k > 3 ? k - 3 : 0;
                const std::uint64_t run = k > 3 ? 6 : orders_;
                for (std::uint64_t first = 0; first < orders_; first += run) {
                    std::uint64_t common = 0;
                    for (unsigned s = 0; s < same; ++s) common += share[s * k + piece_in[first * k + s]];
                    for (std::uint64_t o = first; o < first + run; ++o) {
                        std::uint64_t entry = common + fixed[o];
                        for (unsigned s = same; s < k; ++s) entry += share[s * k + piece_in[o * k + s]];
                        table[entry] = here[o];
                    }
                }
            }
        });
    }

    std::shared_ptr<const MoveTable> table_;
    const MoveTable& moves_;
    std::size_t turns_;
    std::vector<std::uint32_t> slots_;
    PatternIndex index_;
    std::uint64_t max_bytes_;
    std::vector<unsigned> by_slot_;  // where each piece of the group stands among them, by slots at the goal
    std::uint64_t orders_ = 1, turn_words_ = 1;
    std::vector<Point> sets_;             // of each segment the placements, slot by slot
    std::vector<std::uint32_t> segment_;  // of each region
    std::shared_ptr<const StateCode> code_;
    std::unique_ptr<const OneHolePattern> one_hole_;
};

}  // namespace slidelab
