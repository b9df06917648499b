// The pattern table of five and more tiles of a puzzle with one hole, by the layer search itself.
//
// Which cells the tiles of the group cover, and in which region of the other cells the hole is, is a
// shape; which tile is where among these cells is an arrangement; and a move takes one tile past the others
// between, counted along the cells. So the search of layers.hpp finds the table: sixty arrangements a
// word, two bits each, nothing ranked on the way. Regions are what makes every move cost one: the hole
// wanders within a region for nothing.
#pragma once

#include "layers.hpp"
#include "pattern_table.hpp"

#include <unordered_map>

namespace slidelab {

class HolePatternSearch {
public:
    static constexpr unsigned fewest = tail_slots;
    static constexpr unsigned most = 10;  // orders of the tiles are listed

    HolePatternSearch(std::vector<std::uint64_t> neighbours, std::vector<std::uint8_t> goal, std::uint8_t hole, const Tick& tick)
        : neighbours_(std::move(neighbours)), goal_(std::move(goal)),
          ranks_(static_cast<unsigned>(neighbours_.size()), static_cast<unsigned>(goal_.size())) {
        if (goal_.size() < fewest || goal_.size() > most) throw std::invalid_argument("five to ten tiles expected");
        check_hole_pattern(neighbours_, goal_, hole);
        std::uint64_t set = 0;
        for (auto cell : goal_) set |= std::uint64_t{1} << cell;
        find_shape(set, flood(neighbours_, hole, ranks_.all() & ~set));
        CodeInput in;
        in.pieces = goal_.size();
        for (std::uint32_t s = 0; s < shapes_.size(); ++s) {
            if ((s & 0xfff) == 0) tick("regions", s, 0);
            const auto [tiles, region] = shapes_[s];
            for (std::uint64_t left = tiles; left; left &= left - 1) {
                const auto from = static_cast<unsigned>(std::countr_zero(left));
                for (std::uint64_t targets = neighbours_[from] & region; targets; targets &= targets - 1) {
                    const auto to = static_cast<unsigned>(std::countr_zero(targets));
                    const std::uint64_t then = (tiles & ~(std::uint64_t{1} << from)) | std::uint64_t{1} << to;
                    const std::uint32_t other = find_shape(then, flood(neighbours_, from, ranks_.all() & ~then));
                    if (other > s) in.edges.push_back({s, other, slot(tiles, from), slot(then, to), 0});
                }
            }
        }
        in.shapes = shapes_.size();
        in.labels.assign(in.pieces, 0);
        for (std::uint32_t k = 0; k < in.pieces; ++k) in.main.push_back(k);
        code_ = std::make_shared<const StateCode>(std::move(in), std::numeric_limits<std::uint64_t>::max(), tick);
    }

    const TileRanks& ranks() const { return ranks_; }

    // Bytes that `build` takes: the table, the same by sets of cells, and the search.
    std::uint64_t bytes() const { return 2 * ranks_.count() + LayerSearch::bytes_needed(*code_, {}, 1) + code_->bytes(); }

    std::vector<std::uint8_t> build(unsigned threads, const Tick& tick) const {
        const auto k = static_cast<unsigned>(goal_.size());
        // Segments: for each set of cells, a distance for each order of the tiles in them.
        std::unordered_map<std::uint64_t, std::uint32_t> number;
        std::vector<std::uint64_t> sets;
        std::vector<std::uint32_t> segment;
        for (const auto& [tiles, region] : shapes_) {
            const auto [it, fresh] = number.try_emplace(tiles, static_cast<std::uint32_t>(sets.size()));
            if (fresh) sets.push_back(tiles);
            segment.push_back(it->second);
        }
        std::uint64_t orders = 1;
        for (unsigned i = 2; i <= k; ++i) orders *= i;
        std::vector<std::uint8_t> distance(sets.size() * orders, no_way);
        LayerSearch search(code_, {});
        std::vector<std::uint32_t> start(k);  // slot -> tile, named by the slot at the start: in order
        std::iota(start.begin(), start.end(), 0u);
        search.begin(*code_->place(0, start));
        for (std::uint64_t depth = 0;; ++depth) {
            if (depth == no_way) throw LimitReached("distances beyond 254 do not fit a table");
            stamp(search, segment, orders, static_cast<std::uint8_t>(depth), distance);
            if (!search.advance(threads, tick)) break;
        }
        return by_cells(sets, orders, distance, threads);
    }

private:
    std::uint32_t find_shape(std::uint64_t tiles, std::uint64_t region) {
        auto& list = known_[tiles];
        for (auto s : list)
            if (shapes_[s].second == region) return s;
        list.push_back(static_cast<std::uint32_t>(shapes_.size()));
        shapes_.emplace_back(tiles, region);
        return list.back();
    }

    static std::uint32_t slot(std::uint64_t tiles, unsigned cell) {
        return static_cast<std::uint32_t>(std::popcount(tiles & ((std::uint64_t{1} << cell) - 1)));
    }

    void stamp(const LayerSearch& search, const std::vector<std::uint32_t>& segment, std::uint64_t orders, std::uint8_t depth,
               std::vector<std::uint8_t>& distance) const {
        // The number of an order among all: the head's digits, the tail's first three, and the fourth by the sign.
        std::array<std::uint8_t, word_states> digits_odd{};
        for (unsigned bit = 0; bit < word_states; ++bit) digits_odd[bit] = (bit / 12 + bit / 3 % 4 + bit % 3) & 1;
        const std::uint32_t row = code_->row();
        const std::uint64_t* odd_groups = code_->sweep_tables().odd;
        search.each_word([&](std::uint32_t shape, std::uint32_t word, std::uint64_t bits) {
            const std::uint32_t x = word / row, head = word % row;
            const bool head_odd = odd_groups && ((odd_groups[head / 6 / 64] >> (head / 6 % 64) & 1) ^ (head % 6 & 1));
            const bool sign = code_->odd(shape, x) ^ head_odd;
            std::uint8_t* here = distance.data() + segment[shape] * orders + std::uint64_t{head} * 120;
            for (; bits; bits &= bits - 1) {
                const auto bit = static_cast<unsigned>(std::countr_zero(bits));
                std::uint8_t& entry = here[2 * bit + (digits_odd[bit] ^ sign)];
                if (entry == no_way) entry = depth;
            }
        });
    }

    // From (set of cells, order of the tiles in them) to the ranks by which tables are asked. The digit of a tile
    // there is its cell less the tiles before it on smaller cells: with the tile in slot s, cell[s] - s and the
    // number of smaller slots that later tiles have.
    std::vector<std::uint8_t> by_cells(const std::vector<std::uint64_t>& sets, std::uint64_t orders, const std::vector<std::uint8_t>& distance,
                                       unsigned threads) const {
        const auto k = static_cast<unsigned>(goal_.size()), n = ranks_.cells();
        std::vector<std::uint64_t> weight(k);
        std::uint64_t w = 1;
        for (unsigned t = k; t-- > 0; w *= n - t) weight[t] = w;
        // Tiles are named by their slots at the start.
        std::vector<unsigned> by_slot(k);
        std::uint64_t start = 0;
        for (auto cell : goal_) start |= std::uint64_t{1} << cell;
        for (unsigned t = 0; t < k; ++t) by_slot[slot(start, goal_[t])] = t;
        std::vector<std::uint8_t> tile_in(orders * k);
        std::vector<std::uint64_t> fixed(orders);
        for (std::uint64_t o = 0; o < orders; ++o) {
            std::vector<unsigned> left(k), slot_of(k);
            std::iota(left.begin(), left.end(), 0u);
            std::uint64_t number = o, size = orders;
            for (unsigned s = 0; s < k; ++s) {
                size /= k - s;
                const auto digit = static_cast<std::ptrdiff_t>(number / size);
                number %= size;
                const unsigned tile = by_slot[left[static_cast<std::size_t>(digit)]];
                left.erase(left.begin() + digit);
                tile_in[o * k + s] = static_cast<std::uint8_t>(tile);
                slot_of[tile] = s;
            }
            for (unsigned t = 0; t < k; ++t) {
                unsigned smaller = 0;
                for (unsigned u = t + 1; u < k; ++u) smaller += slot_of[u] < slot_of[t];
                fixed[o] += smaller * weight[t];
            }
        }
        std::vector<std::uint8_t> table(ranks_.count(), no_way);
        std::atomic<std::size_t> next{0};
        auto work = [&] {
            std::array<std::uint64_t, most * most> share;
            for (std::size_t i; (i = next.fetch_add(1)) < sets.size();) {
                std::uint64_t cells = sets[i];
                for (unsigned s = 0; s < k; ++s, cells &= cells - 1)
                    for (unsigned t = 0; t < k; ++t) share[s * k + t] = (static_cast<unsigned>(std::countr_zero(cells)) - s) * weight[t];
                for (std::uint64_t o = 0; o < orders; ++o) {
                    std::uint64_t index = fixed[o];
                    for (unsigned s = 0; s < k; ++s) index += share[s * k + tile_in[o * k + s]];
                    table[index] = distance[i * orders + o];
                }
            }
        };
        {
            std::vector<std::jthread> others;
            for (unsigned i = 1; i < threads; ++i) others.emplace_back(work);
            work();
        }
        return table;
    }

    std::vector<std::uint64_t> neighbours_;
    std::vector<std::uint8_t> goal_;
    TileRanks ranks_;
    std::vector<std::pair<std::uint64_t, std::uint64_t>> shapes_;  // cells of the tiles, region of the hole
    std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> known_;
    std::shared_ptr<const StateCode> code_;
};

}  // namespace slidelab
