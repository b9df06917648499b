// The pattern database of some tiles of a puzzle with one hole, built differently from the library: regions of the
// hole as masks for each way to lay the tiles. For comparison.
#pragma once

#include "search/pattern_index.hpp"

#include <atomic>
#include <limits>
#include <thread>

namespace slidelab {

inline void check_hole_pattern(const std::vector<std::uint64_t>& neighbours, const std::vector<std::uint8_t>& goal,
                               std::uint8_t hole) {
    std::uint64_t used = 0;
    for (auto cell : goal) {
        if (cell >= neighbours.size() || used >> cell & 1)
            throw std::invalid_argument("tiles must lie on different cells");
        used |= std::uint64_t{1} << cell;
    }
    if (hole >= neighbours.size() || used >> hole & 1) throw std::invalid_argument("the hole must be free");
    for (std::size_t c = 0; c < neighbours.size(); ++c)
        for (std::size_t d = 0; d < 64; ++d)
            if (neighbours[c] >> d & 1 && (d >= neighbours.size() || !(neighbours[d] >> c & 1)))
                throw std::invalid_argument("neighbours are mutual");
}

// The cells of `free` that can be reached from a cell among them.
inline std::uint64_t flood(const std::vector<std::uint64_t>& neighbours, unsigned cell, std::uint64_t free) {
    std::uint64_t region = std::uint64_t{1} << cell, edge = region;
    while (edge) {
        std::uint64_t next = 0;
        for (; edge; edge &= edge - 1) next |= neighbours[static_cast<unsigned>(std::countr_zero(edge))];
        edge = next & free & ~region;
        region |= edge;
    }
    return region;
}

// The table of some tiles of a puzzle with one hole, on any graph.
//
// The hole wanders for nothing among the cells without a tile of the group, so only the region counts in
// which it is, a connected part of those cells. Layer by layer: for each way to lay the tiles a mask of
// the regions reached so far (a region is named by its least cell, counted among the free ones) and one
// of those reached in this layer.
class HolePattern {
public:
    HolePattern(std::vector<std::uint64_t> neighbours, std::vector<std::uint8_t> goal, std::uint8_t hole)
        : neighbours_(std::move(neighbours)), goal_(std::move(goal)),
          ranks_(static_cast<unsigned>(neighbours_.size()), static_cast<unsigned>(goal_.size())) {
        check_hole_pattern(neighbours_, goal_, hole);
        hole_ = hole;
        if (neighbours_.size() <= 20) list_regions();
    }

    const TileRanks& ranks() const { return ranks_; }

    // Bytes that `build` takes, its result included.
    std::uint64_t bytes() const { return ranks_.count() * (1 + 2 * mask_bytes()); }

    std::vector<std::uint8_t> build(unsigned threads, const Tick& tick) const {
        switch (mask_bytes()) {
            case 1:
                return build_with<std::uint8_t>(threads, tick);
            case 2:
                return build_with<std::uint16_t>(threads, tick);
            case 4:
                return build_with<std::uint32_t>(threads, tick);
            default:
                return build_with<std::uint64_t>(threads, tick);
        }
    }

private:
    std::uint64_t mask_bytes() const {
        const unsigned free = ranks_.cells() - ranks_.tiles();
        return free <= 8 ? 1 : free <= 16 ? 2 : free <= 32 ? 4 : 8;
    }

    // On small boards all regions of all sets of free cells are listed once.
    void list_regions() {
        const unsigned n = ranks_.cells(), free_count = n - ranks_.tiles();
        region_at_.assign((std::size_t{1} << n) + 1, 0);
        for (std::uint64_t free = 0; free < std::uint64_t{1} << n; ++free) {
            region_at_[free] = static_cast<std::uint32_t>(regions_.size());
            if (static_cast<unsigned>(std::popcount(free)) != free_count) continue;
            for (std::uint64_t left = free; left;) {
                const std::uint64_t region = flood(neighbours_, static_cast<unsigned>(std::countr_zero(left)), free);
                regions_.push_back(static_cast<std::uint32_t>(region));
                left &= ~region;
            }
        }
        region_at_.back() = static_cast<std::uint32_t>(regions_.size());
    }

    std::uint64_t region_of(unsigned cell, std::uint64_t free) const {
        if (region_at_.empty()) return flood(neighbours_, cell, free);
        for (std::uint32_t k = region_at_[free];; ++k)
            if (regions_[k] >> cell & 1) return regions_[k];
    }

    // The bit that names a region: its least cell, counted among the free ones.
    static std::uint64_t name(std::uint64_t region, std::uint64_t free) {
        return std::uint64_t{1} << std::popcount(free & ((region & -region) - 1));
    }

    template <class Mask>
    struct Arrays {
        std::vector<Mask> reached, now;
        std::vector<std::uint8_t> distance;
    };

    template <class Mask>
    std::vector<std::uint8_t> build_with(unsigned threads, const Tick& tick) const {
        threads = std::max(1u, threads);
        Arrays<Mask> a;
        a.reached.assign(ranks_.count(), 0);
        a.now.assign(ranks_.count(), 0);
        a.distance.assign(ranks_.count(), unreachable);
        std::uint64_t used = 0;
        for (auto cell : goal_) used |= std::uint64_t{1} << cell;
        const std::uint64_t free = ranks_.all() & ~used, start = ranks_.rank(goal_.data());
        a.reached[start] = a.now[start] = static_cast<Mask>(name(region_of(hole_, free), free));
        a.distance[start] = 0;
        // Regions found in a layer are kept apart from those it is made of by going from one array to the
        // other: a region is of this layer if `now` names it and `reached` did before the layer began.
        std::vector<Mask> next(ranks_.count(), 0);
        for (unsigned depth = 1;; ++depth) {
            if (depth == unreachable) throw LimitReached("distances beyond 254 do not fit a table");
            std::atomic<std::uint64_t> found{0}, task{0};
            const std::uint64_t tasks = (ranks_.count() + slice - 1) / slice;
            std::atomic<bool> stop{false};
            auto work = [&](bool may_tick) {
                std::uint64_t fresh = 0;
                for (std::uint64_t t; !stop && (t = task.fetch_add(1)) < tasks;) {
                    if (may_tick) tick("pattern", depth, 0);
                    fresh += carry_slice(a, next, t * slice, std::min(ranks_.count(), (t + 1) * slice),
                                         static_cast<std::uint8_t>(depth));
                }
                found += fresh;
            };
            {
                std::vector<std::jthread> others;
                for (unsigned i = 1; i < threads; ++i) others.emplace_back([&] { work(false); });
                try {
                    work(true);
                } catch (...) {
                    stop = true;
                    throw;
                }
            }
            if (!found) break;
            std::swap(a.now, next);
            std::fill(next.begin(), next.end(), 0);
        }
        return std::move(a.distance);
    }

    static constexpr std::uint64_t slice = 1 << 15;

    template <class Mask>
    std::uint64_t carry_slice(Arrays<Mask>& a, std::vector<Mask>& next, std::uint64_t first, std::uint64_t last,
                              std::uint8_t depth) const {
        std::array<std::uint8_t, TileRanks::max_cells> cell;
        std::uint64_t fresh = 0;
        for (std::uint64_t p = first; p < last; ++p) {
            if (!a.now[p]) continue;
            ranks_.unrank(p, cell.data());
            std::uint64_t used = 0;
            for (unsigned i = 0; i < ranks_.tiles(); ++i) used |= std::uint64_t{1} << cell[i];
            const std::uint64_t free = ranks_.all() & ~used;
            std::uint64_t open = 0;  // cells where the hole can be
            unsigned number = 0;
            for (std::uint64_t left = free; left; left &= left - 1, ++number)
                if (a.now[p] >> number & 1) open |= region_of(static_cast<unsigned>(std::countr_zero(left)), free);
            for (unsigned i = 0; i < ranks_.tiles(); ++i) {
                const std::uint8_t from = cell[i];
                for (std::uint64_t targets = neighbours_[from] & open; targets; targets &= targets - 1) {
                    const auto to = static_cast<std::uint8_t>(std::countr_zero(targets));
                    cell[i] = to;
                    const std::uint64_t then = (free | std::uint64_t{1} << from) & ~(std::uint64_t{1} << to);
                    fresh += mark(a, next, ranks_.rank(cell.data()),
                                  static_cast<Mask>(name(region_of(from, then), then)), depth);
                }
                cell[i] = from;
            }
        }
        return fresh;
    }

    template <class Mask>
    static std::uint64_t mark(Arrays<Mask>& a, std::vector<Mask>& next, std::uint64_t p, Mask region,
                              std::uint8_t depth) {
        std::atomic_ref reached(a.reached[p]);
        if (reached.load(std::memory_order_relaxed) & region) return 0;
        if (reached.fetch_or(region, std::memory_order_relaxed) & region) return 0;
        std::atomic_ref(next[p]).fetch_or(region, std::memory_order_relaxed);
        std::atomic_ref distance(a.distance[p]);
        if (distance.load(std::memory_order_relaxed) == unreachable) distance.store(depth, std::memory_order_relaxed);
        return 1;
    }

    std::vector<std::uint64_t> neighbours_;
    std::vector<std::uint8_t> goal_;
    std::uint8_t hole_ = 0;
    TileRanks ranks_;
    std::vector<std::uint32_t> region_at_, regions_;
};

}  // namespace slidelab
