// Distances of the tiles of a pattern on a board with one hole, for pattern_database.hpp.
//
// What matters is the set of cells that the tiles of the pattern cover, which of the parts into which they cut the rest
// of the board the hole is in (its region: nearly always there is one only), and the order of the tiles on the cells of
// the set. A move takes a tile of the pattern to a neighbouring cell of the region, and past some of the others in the
// order. So sets are bit masks, regions are flood fills of masks, and all orders of a region are searched together, as
// the bits of two rows of words: one for even orders, one for odd ones (see layers/lehmer_words.hpp). With fewer than
// five tiles, the first slots of the tail are filled up with tiles that never move.
#pragma once

#include "base/parallel.hpp"
#include "layers/kernel_tables.hpp"
#include "layers/tail_shifts.hpp"
#include "search/hole_regions.hpp"

#include <limits>
#include <map>
#include <memory>

namespace slidelab {

class OneHolePattern {
public:
    static bool accepts(const MoveTable& moves) {
        return moves.piece_cells() == 1 && moves.turns() == 1 && moves.cells() <= 64 &&
               moves.pieces() + 1 == moves.cells() && moves.shapes() == moves.cells();
    }

    // The tiles in these slots of the goal's shape.
    OneHolePattern(const MoveTable& moves, std::uint32_t goal, const std::vector<std::uint32_t>& slots,
                   std::uint64_t max_bytes, const Tick& tick)
        : tiles_(static_cast<unsigned>(slots.size())),
          subsets_(static_cast<unsigned>(moves.cells()), static_cast<unsigned>(slots.size())),
          adjacent_(HoleRegions::neighbours(moves)), max_bytes_(max_bytes) {
        const auto& rank = moves.rank();
        all_ = moves.cells() == 64 ? ~std::uint64_t{0} : bit(static_cast<unsigned>(moves.cells())) - 1;
        std::uint64_t covered = 0;
        for (auto placement : moves.slots(goal)) covered |= bit(static_cast<unsigned>(rank[placement]));
        goal_hole_ = static_cast<unsigned>(std::countr_zero(all_ & ~covered));
        for (auto slot : slots) goal_set_ |= bit(static_cast<unsigned>(rank[moves.slots(goal)[slot]]));
        for (unsigned k = 6; k <= tiles_; ++k) row_ *= k;
        find_regions(tick);
        find_moves(tick);
        make_piece_moves();
    }

    std::uint64_t sets() const { return subsets_.count(); }
    std::uint64_t first_set() const { return bit(tiles_) - 1; }

    // Bytes that are taken so far; and with those that `search` takes beside its result.
    std::uint64_t held() const {
        return region_at_.capacity() * 4 + arc_at_.capacity() * 8 + target_.capacity() * 4 + move_.capacity();
    }
    std::uint64_t bytes() const { return held() + 2 * std::uint64_t{regions()} * words() * 8 + regions() * 6; }

    // For each set of cells, in the order of `Subsets`, and each order of the tiles on it: the least number of moves,
    // in any region. Orders are numbered as in by_spots. With a second table, the first is for the largest region and
    // the second for all others; both are the same where there is one region.
    void search(std::vector<std::uint8_t>& distance, std::vector<std::uint8_t>* elsewhere, std::uint8_t none,
                unsigned threads, const Tick& tick) const {
        const std::vector<std::uint8_t> largest = elsewhere ? find_largest() : std::vector<std::uint8_t>{};
        const auto table = [&](std::uint32_t r) -> std::vector<std::uint8_t>& {
            return elsewhere && !largest[r] ? *elsewhere : distance;
        };
        const Kernels kernels = has_avx2_kernels() ? avx2_kernels() : portable_kernels();
        std::vector<std::uint64_t> now(regions() * words(), 0), before(regions() * words(), 0);
        std::vector<std::uint8_t> live(regions(), 0), live_next(regions(), 0);
        std::vector<std::uint32_t> left(regions(), orders());
        const std::uint32_t start = region_of(goal_set_, goal_hole_);
        now[start * words()] = 1;
        live[start] = 1;
        --left[start];
        table(start)[subsets_.rank(goal_set_) * orders()] = 0;
        const std::size_t block = tick_mask(16 * words()) + 1;  // sets in a task, with some sixteen moves each
        const std::size_t tasks = (sets() + block - 1) / block;
        bool found = true;
        for (unsigned depth = 1; found; ++depth) {
            std::vector<std::uint8_t> any(tasks, 0);
            parallel_for(tasks, threads, "layer", tick, [&](std::size_t task, unsigned) {
                std::vector<std::uint64_t> sum(row_ > 1 ? words() : 0);
                const std::uint64_t end = std::min<std::uint64_t>(sets(), (task + 1) * block);
                for (std::uint64_t set = task * block; set < end; ++set)
                    for (std::uint32_t r = region_at_[set]; r < region_at_[set + 1]; ++r) {
                        std::uint64_t* fresh = before.data() + r * words();
                        live_next[r] = 0;
                        if (left[r] == 0) {
                            std::fill_n(fresh, words(), 0);
                            continue;
                        }
                        const std::uint64_t count =
                            row_ > 1 ? advance(kernels, r, live, now, fresh, sum) : advance_pair(r, live, now, fresh);
                        if (count == 0) continue;
                        if (depth >= none) throw LimitReached("distances beyond 254 do not fit a table");
                        left[r] -= static_cast<std::uint32_t>(count);
                        live_next[r] = any[task] = 1;
                        stamp(fresh, static_cast<std::uint8_t>(depth), none, table(r).data() + set * orders());
                    }
            });
            std::swap(now, before);
            std::swap(live, live_next);
            found = std::find(any.begin(), any.end(), 1) != any.end();
        }
        for (std::uint64_t set = 0; elsewhere && set < sets(); ++set)
            if (region_at_[set + 1] - region_at_[set] == 1)
                std::copy_n(distance.begin() + static_cast<std::ptrdiff_t>(set * orders()), orders(),
                            elsewhere->begin() + static_cast<std::ptrdiff_t>(set * orders()));
    }

private:
    static std::uint64_t bit(unsigned k) { return std::uint64_t{1} << k; }
    std::size_t regions() const { return region_at_.back(); }
    std::size_t words() const { return 2 * std::size_t{row_}; }  // of a region: even orders, then odd ones
    std::uint32_t orders() const {
        std::uint32_t product = 1;
        for (unsigned k = 2; k <= tiles_; ++k) product *= k;
        return product;
    }
    void check_bytes(std::uint64_t bytes) const {
        if (bytes > max_bytes_)
            throw LimitReached("the regions of " + std::to_string(tiles_) + " pieces take more memory than allowed");
    }

    std::uint64_t part_of(std::uint64_t seed, std::uint64_t free) const {
        return HoleRegions::part_of(adjacent_, seed, free);
    }

    // Whether each region is the largest of its set.
    std::vector<std::uint8_t> find_largest() const {
        std::vector<std::uint8_t> out;
        out.reserve(regions());
        std::uint64_t set = first_set();
        for (std::uint64_t k = 0; k < sets(); ++k, set = Subsets::next(set)) {
            const std::uint64_t largest = HoleRegions::largest_part(adjacent_, all_ & ~set);
            for (std::uint64_t free = all_ & ~set; free;) {
                const std::uint64_t part = part_of(free & -free, free);
                out.push_back(part == largest);
                free &= ~part;
            }
        }
        return out;
    }

    // Regions of a set are numbered by their smallest cells.
    std::uint32_t region_of(std::uint64_t set, unsigned hole) const {
        const std::uint64_t number = subsets_.rank(set);
        std::uint32_t r = region_at_[number];
        if (region_at_[number + 1] - r == 1) return r;
        for (std::uint64_t free = all_ & ~set;; ++r) {
            const std::uint64_t part = part_of(free & -free, free);
            if (part & bit(hole)) return r;
            free &= ~part;
        }
    }

    void find_regions(const Tick& tick) {
        check_bytes(sets() >= std::numeric_limits<std::uint32_t>::max() / 64 ? std::uint64_t(-1) : 4 * (sets() + 1));
        region_at_.reserve(sets() + 1);
        std::uint32_t count = 0;
        std::uint64_t set = first_set();
        for (std::uint64_t k = 0; k < sets(); ++k, set = Subsets::next(set)) {
            if ((k & 0xfff) == 0) tick("regions", k, 2 * sets());
            region_at_.push_back(count);
            for (std::uint64_t free = all_ & ~set; free; ++count) free &= ~part_of(free & -free, free);
        }
        region_at_.push_back(count);
    }

    void find_moves(const Tick& tick) {
        // A tile on one end of an edge moves to the other in every set with the first and without the second.
        std::uint64_t ends = 0;
        for (auto around : adjacent_) ends += static_cast<unsigned>(std::popcount(around));
        const auto cells = static_cast<unsigned>(adjacent_.size());
        const std::uint64_t arcs = cells < 2 ? 0 : ends * Subsets(cells - 2, tiles_ - 1).count();
        check_bytes(held() + 8 * (regions() + 1) + 5 * arcs);
        arc_at_.reserve(regions() + 1);
        target_.reserve(arcs);
        move_.reserve(arcs);
        std::uint64_t set = first_set();
        for (std::uint64_t k = 0; k < sets(); ++k, set = Subsets::next(set)) {
            if ((k & 0xfff) == 0) tick("regions", sets() + k, 2 * sets());
            for (std::uint64_t free = all_ & ~set; free;) {
                const std::uint64_t part = part_of(free & -free, free);
                free &= ~part;
                arc_at_.push_back(target_.size());
                add_moves(set, part);
            }
        }
        arc_at_.push_back(target_.size());
    }

    // The moves of a region; first those that keep the order of the tiles.
    void add_moves(std::uint64_t set, std::uint64_t part) {
        for (const bool keeps : {true, false})
            for (std::uint64_t tiles = set; tiles; tiles &= tiles - 1) {
                const auto from = static_cast<unsigned>(std::countr_zero(tiles));
                for (std::uint64_t cells = adjacent_[from] & part; cells; cells &= cells - 1) {
                    const auto to = static_cast<unsigned>(std::countr_zero(cells));
                    const std::uint64_t there = (set & ~bit(from)) | bit(to);
                    const auto i = static_cast<unsigned>(std::popcount(set & (bit(from) - 1))),
                               j = static_cast<unsigned>(std::popcount(there & (bit(to) - 1)));
                    if ((i == j) != keeps) continue;
                    target_.push_back(region_of(there, from));
                    move_.push_back(static_cast<std::uint8_t>(j * 16 + i));  // back again
                }
            }
    }

    void make_piece_moves() {
        const unsigned head = tiles_ > tail_slots ? tiles_ - tail_slots : 0;
        if (!head) return;
        odd_groups_.assign((row_ / 6 + 63) / 64, 0);
        for (std::uint32_t g = 0; g < row_ / 6; ++g) {
            std::uint32_t number = g;
            bool odd = false;
            for (unsigned k = head - 1; k-- > 0; number /= tiles_ - k) odd ^= number % (tiles_ - k) & 1;
            if (odd) odd_groups_[g / 64] |= bit(g % 64);
        }
        const auto through = [&](unsigned from, unsigned to) -> const HeadMove* {
            if (from == to) return nullptr;
            auto& made = head_moves_[{from, to}];
            if (!made) made = std::make_unique<HeadMove>(tiles_, from, to);
            return made.get();
        };
        piece_moves_.resize(16 * 16);
        for (unsigned from = 0; from < tiles_; ++from)
            for (unsigned to = 0; to < tiles_; ++to) {
                if (from == to) continue;
                PieceMove& m = piece_moves_[from * 16 + to];
                if (from < head && to < head) m = {PieceMove::head, 0, 0, through(from, to), through(to, from)};
                else if (from < head)
                    m = {PieceMove::into_tail, 0, static_cast<std::uint8_t>(to - head), through(from, head - 1),
                         through(head - 1, from)};
                else if (to < head)
                    m = {PieceMove::out_of_tail, static_cast<std::uint8_t>(from - head), 0, through(head - 1, to),
                         through(to, head - 1)};
                else
                    m = {PieceMove::tail, static_cast<std::uint8_t>(from - head), static_cast<std::uint8_t>(to - head),
                         nullptr, nullptr};
            }
    }

    // The next layer of a region, in place of the layer before the last; returns its number of orders.
    std::uint64_t advance_pair(std::uint32_t r, const std::vector<std::uint8_t>& live,
                               const std::vector<std::uint64_t>& now, std::uint64_t* before) const {
        const unsigned shift = tail_slots - tiles_;
        Pair sum{}, here, old;
        for (std::uint64_t a = arc_at_[r]; a < arc_at_[r + 1]; ++a) {
            if (!live[target_[a]]) continue;
            Pair words;
            load(words, now.data() + 2 * std::size_t{target_[a]});
            const unsigned from = move_[a] / 16, to = move_[a] % 16;
            if (from != to) move_in_both(words, from + shift, to + shift);
            sum |= words;
        }
        load(here, now.data() + 2 * std::size_t{r});
        load(old, before);
        sum &= ~(here | old);
        store(sum, before);
        return static_cast<unsigned>(std::popcount(sum[0]) + std::popcount(sum[1]));
    }

    std::uint64_t advance(const Kernels& kernels, std::uint32_t r, const std::vector<std::uint8_t>& live,
                          const std::vector<std::uint64_t>& now, std::uint64_t* before,
                          std::vector<std::uint64_t>& sum) const {
        std::fill(sum.begin(), sum.end(), 0);
        const KernelTables tables{odd_groups_.data()};
        for (std::uint64_t a = arc_at_[r]; a < arc_at_[r + 1]; ++a) {
            if (!live[target_[a]]) continue;
            const std::uint64_t* words_there = now.data() + target_[a] * words();
            const bool swaps = (move_[a] / 16 ^ move_[a] % 16) & 1;
            for (unsigned odd = 0; odd < 2; ++odd)
                kernels.pull(tables, piece_moves_[move_[a]], words_there + (odd ^ swaps) * row_, odd ^ swaps, odd, 0,
                             row_, sum.data() + odd * row_);
        }
        return kernels.settle(sum.data(), now.data() + r * words(), before, static_cast<std::uint32_t>(words())).states;
    }

    // Among the orders of the tail, the number of the one that a bit of a word with this sign stands for.
    struct TailNumbers {
        std::uint8_t number[2][word_states];
    };
    static constexpr TailNumbers make_tail_numbers() {
        TailNumbers out{};
        for (unsigned sign = 0; sign < 2; ++sign)
            for (unsigned place = 0; place < word_states; ++place)
                out.number[sign][place] =
                    static_cast<std::uint8_t>(2 * place + ((place / 12 + place / 3 % 4 + place % 3 + sign) & 1));
        return out;
    }
    static constexpr unsigned tail_orders = 2 * word_states;

    void stamp(const std::uint64_t* fresh, std::uint8_t depth, std::uint8_t none, std::uint8_t* out) const {
        static constexpr TailNumbers numbers = make_tail_numbers();
        for (unsigned odd = 0; odd < 2; ++odd)
            for (std::uint32_t head = 0; head < row_; ++head) {
                std::uint64_t bits = fresh[odd * row_ + head];
                if (!bits) continue;
                const bool head_odd =
                    row_ > 1 && ((odd_groups_[head / 6 / 64] >> (head / 6 % 64) & 1) ^ (head % 6 & 1));
                const std::uint8_t* number = numbers.number[odd ^ head_odd];
                for (; bits; bits &= bits - 1) {
                    std::uint8_t& entry = out[head * tail_orders + number[std::countr_zero(bits)]];
                    if (entry == none) entry = depth;
                }
            }
    }

    unsigned tiles_;
    Subsets subsets_;
    std::vector<std::uint64_t> adjacent_;  // of each cell, along the line that orders the slots
    std::uint64_t max_bytes_, all_ = 0, goal_set_ = 0;
    unsigned goal_hole_ = 0;
    std::uint32_t row_ = 1;                 // words for the orders of one sign
    std::vector<std::uint32_t> region_at_;  // of each set, the first of its regions
    std::vector<std::uint64_t> arc_at_;     // of each region, the first of its moves
    std::vector<std::uint32_t> target_;     // the region that a move leads to
    std::vector<std::uint8_t> move_;        // sixteen times the slot that the tile takes there, and the one it leaves
    std::vector<std::uint64_t> odd_groups_;
    std::map<std::pair<unsigned, unsigned>, std::unique_ptr<HeadMove>> head_moves_;
    std::vector<PieceMove> piece_moves_;
};

}  // namespace slidelab
