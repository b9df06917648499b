// Packed pattern databases: the distance of the pieces minus the sum of their single-piece distances.
//
// These are small numbers, and even ones on bipartite boards: they are divided by their greatest common divisor, and
// four bits are nearly always enough. If at most one entry in a thousand does not fit, those entries are capped at 14,
// which is still a lower bound. Otherwise each entry takes a byte. A database that knows the region of the hole
// (hole_regions.hpp) has two entries for each placement, which share a byte; who does not know the hole takes the less.
#pragma once

#include "base/parallel.hpp"
#include "search/pattern_index.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <span>

namespace slidelab {

inline constexpr std::uint16_t no_distance = 0xffff;  // in the distances of single pieces

struct PackedDatabase {
    PatternIndex index;
    std::span<const std::uint8_t> data;
    bool halves = false;     // two entries a byte
    std::uint16_t step = 1;  // moves that one counts for
    bool by_region = false;  // the two entries of a byte are those of one placement

    std::uint64_t bytes() const { return shares_bytes() ? (index.count() + 1) / 2 : index.count(); }
    unsigned none() const { return halves ? 15 : 255; }
    bool shares_bytes() const { return halves && !by_region; }  // with the next placement
    SLIDELAB_INLINE const std::uint8_t* at(std::uint64_t entry) const {
        return data.data() + (entry >> shares_bytes());
    }
    SLIDELAB_INLINE unsigned value(std::uint64_t entry) const {
        const unsigned byte = *at(entry);
        if (by_region) return std::min(byte & 15, byte >> 4);
        return byte >> (halves ? (entry & 1) * 4 : 0) & none();
    }
};

class DatabasePacker {
public:
    // `alone` has an entry for each piece of the group and each spot.
    DatabasePacker(PatternIndex index, std::size_t spots, std::span<const std::uint8_t> table,
                   std::span<const std::uint16_t> alone)
        : index_(index), spots_(spots), table_(table), alone_(alone) {
        if (index.spots() != spots || (table.size() != index.count() && table.size() != 2 * index.count()) ||
            alone.size() != index.pieces() * spots)
            throw std::invalid_argument("a table does not fit its pieces");
    }

    bool halves() const { return halves_; }
    bool by_region() const { return by_region_; }
    std::uint16_t step() const { return step_; }
    std::uint64_t cut() const { return cut_; }  // entries that say less than they know

    std::vector<std::uint8_t> pack(unsigned threads, const Tick& tick) {
        std::vector<std::array<std::uint64_t, 256>> counts(spots_);
        parallel_for(first_spots(), threads, "packing", tick, [&](std::size_t spot, unsigned, const Tick& own) {
            auto& count = counts[spot];
            count.fill(0);
            each(spot, own, [&](std::uint64_t entry, std::uint32_t alone) {
                for (; entry < table_.size(); entry += index_.count())
                    if (table_[entry] != unreachable && alone <= table_[entry]) ++count[table_[entry] - alone];
            });
        });
        std::array<std::uint64_t, 256> total{};
        for (const auto& count : counts)
            for (std::size_t k = 0; k < 256; ++k) total[k] += count[k];
        unsigned common = 0;
        std::uint64_t all = 0;
        for (unsigned k = 0; k < 256; ++k)
            if (total[k]) {
                common = std::gcd(common, k);
                all += total[k];
            }
        step_ = static_cast<std::uint16_t>(std::max(1u, common));
        cut_ = 0;
        for (unsigned k = 14u * step_ + 1; k < 256; ++k) cut_ += total[k];
        halves_ = cut_ <= all / 1000;
        if (!halves_) cut_ = 0;
        by_region_ = halves_ && table_.size() > index_.count();
        const bool shares = halves_ && !by_region_;
        std::vector<std::uint8_t> data(shares ? (index_.count() + 1) / 2 : index_.count(), 0);
        // What is stored for each difference, and for entries that cannot be reached.
        const unsigned none = halves_ ? 15 : 255;
        std::array<std::uint8_t, 256> stored{};
        for (unsigned k = 0; k < 256; ++k)
            stored[k] = static_cast<std::uint8_t>(std::min<unsigned>(k / step_, none - 1));
        const bool shared = shares && index_.count() / first_spots() % 2;  // two threads could meet in a byte
        const auto packed = [&](std::uint64_t entry, std::uint32_t alone) {
            if (table_[entry] == unreachable) return none;
            return alone <= table_[entry] ? unsigned{stored[table_[entry] - alone]} : 0u;
        };
        parallel_for(first_spots(), shared ? 1 : threads, "packing", tick,
                     [&](std::size_t spot, unsigned, const Tick& own) {
                         each(spot, own, [&](std::uint64_t entry, std::uint32_t alone) {
                             unsigned value = packed(entry, alone);
                             if (shares) {
                                 data[entry / 2] |= static_cast<std::uint8_t>(value << entry % 2 * 4);
                                 return;
                             }
                             if (table_.size() > index_.count()) {
                                 const unsigned elsewhere = packed(entry + index_.count(), alone);
                                 value = by_region_ ? value | elsewhere << 4 : std::min(value, elsewhere);
                             }
                             data[entry] = static_cast<std::uint8_t>(value);
                         });
                     });
        return data;
    }

private:
    static constexpr std::uint64_t entries_between_ticks = 1 << 14;

    std::uint64_t all_cells() const {
        return index_.cells() == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << index_.cells()) - 1;
    }
    std::size_t first_spots() const { return index_.dense() ? index_.cells() : spots_; }

    // All entries with the first piece on a spot, in order, each with what its pieces need alone.
    template <class Do>
    void each(std::size_t spot, const Tick& tick, const Do& use) const {
        std::uint64_t entry = spot * (index_.count() / first_spots()), ticked = entry;
        const auto pulse = [&] {
            if (entry - ticked < entries_between_ticks) return;
            ticked = entry;
            tick("packing", spot, first_spots());
        };
        lay(1, index_.dense() ? std::uint64_t{1} << spot : 0, capped(0, spot), entry, use, pulse);
    }

    std::uint32_t capped(std::size_t piece, std::size_t spot) const {
        return std::min<std::uint32_t>(alone_[piece * spots_ + spot], 1000);
    }

    template <class Do, class Pulse>
    void lay(unsigned piece, std::uint64_t used, std::uint32_t alone, std::uint64_t& entry, const Do& use,
             const Pulse& pulse) const {
        const std::size_t spots = first_spots();
        pulse();
        if (piece == index_.pieces()) {
            use(entry++, alone);
            return;
        }
        if (piece + 1 == index_.pieces()) {
            if (index_.dense())
                for (std::uint64_t free = all_cells() & ~used; free; free &= free - 1)
                    use(entry++, alone + capped(piece, static_cast<std::size_t>(std::countr_zero(free))));
            else
                for (std::size_t spot = 0; spot < spots; ++spot) use(entry++, alone + capped(piece, spot));
            return;
        }
        for (std::size_t spot = 0; spot < spots; ++spot) {
            if (index_.dense() && used >> spot & 1) continue;
            lay(piece + 1, index_.dense() ? used | std::uint64_t{1} << spot : 0, alone + capped(piece, spot), entry,
                use, pulse);
        }
    }

    PatternIndex index_;
    std::size_t spots_;
    std::span<const std::uint8_t> table_;
    std::span<const std::uint16_t> alone_;
    bool by_region_ = false, halves_ = false;
    std::uint16_t step_ = 1;
    std::uint64_t cut_ = 0;
};

// A sum over all bytes that changes with any of them: for noticing damage, not malice.
inline std::uint64_t checksum(std::span<const std::uint8_t> bytes, const Tick& tick = no_tick) {
    std::array<std::uint64_t, 4> lane{1, 2, 3, 4};
    std::size_t i = 0;
    for (; i + 32 <= bytes.size(); i += 32) {
        if ((i & 0xfffff) == 0) tick("checksum", i, bytes.size());
        for (std::size_t k = 0; k < 4; ++k) {
            std::uint64_t word;
            std::memcpy(&word, bytes.data() + i + 8 * k, 8);
            lane[k] = (lane[k] ^ word) * 0x9e3779b97f4a7c15ull;
            lane[k] ^= lane[k] >> 32;
        }
    }
    std::uint64_t sum = bytes.size();
    for (auto l : lane) sum = std::rotl((sum ^ l) * 0xff51afd7ed558ccdull, 31);
    for (; i < bytes.size(); ++i) sum = std::rotl((sum ^ bytes[i]) * 0xff51afd7ed558ccdull, 31);
    return sum ^ sum >> 29;
}

}  // namespace slidelab
