// The heuristic as depth-first search reads it: for each kind of piece all that a move of it needs, side by side.
#pragma once

#include "search/heuristic.hpp"
#include "search/hole_regions.hpp"

#include <deque>

namespace slidelab {

class LookupTable {
public:
    // The piece in one lookup. Entries are counted in half bytes: those that take a byte have even numbers. A piece
    // that a lookup does not look at is in a pattern of its own, the last one, whose only entry is zero.
    struct Seat {
        const std::uint8_t* data = nullptr;    // of the database
        const std::uint64_t* words = nullptr;  // of each spot: see IndexChange
        IndexChange::Piece change;
        std::uint32_t pattern = 0;  // counted over all lookups
        std::uint16_t step = 1;
        std::uint8_t none = 15;
        bool anew = false;                      // ranked anew: too many pieces for a word
        const Heuristic::Seat* slow = nullptr;  // none: the lookup does not look at the piece
        const HoleRegions* regions = nullptr;   // none: the database does not know where the hole is

        SLIDELAB_INLINE const std::uint8_t* at(std::uint64_t entry) const { return data + (entry >> 1); }
        SLIDELAB_INLINE unsigned value(std::uint64_t entry) const { return *at(entry) >> (entry & 1) * 4 & none; }
        std::uint64_t scale() const { return slow->table->shares_bytes() ? 1 : 2; }
        // The cell of a spot, as the database counts cells without gaps.
        SLIDELAB_INLINE unsigned cell(Point spot) const { return static_cast<unsigned>(words[spot] & 0xff); }
    };

    struct Kind {
        const std::uint16_t* base = nullptr;  // of each spot
        const Seat* seats = nullptr;          // in each lookup
    };

    LookupTable(const Heuristic& heuristic, const MoveTable& moves, HoleRegionCache& regions)
        : seats_(heuristic.kinds() * heuristic.lookups()) {
        for (unsigned kind = 0; kind < heuristic.kinds(); ++kind)
            kinds_.push_back({heuristic.base_row(kind), seats_.data() + kind * heuristic.lookups()});
        for (std::size_t v = 0; v < heuristic.lookups(); ++v)
            for (unsigned kind = 0; kind < heuristic.kinds(); ++kind) {
                const auto& from = heuristic.seat(v, kind);
                Seat& to = seats_[kind * heuristic.lookups() + v];
                if (!from.table) {
                    zeros_.resize(heuristic.spots(), 0);
                    to.data = &zero;
                    to.words = zeros_.data();
                    to.pattern = static_cast<std::uint32_t>(heuristic.entries());
                    continue;
                }
                to.slow = &from;
                const IndexChange& change = change_of(*from.table, to.scale());
                to.data = from.table->data.data();
                to.words = words_of(change, {from.image, heuristic.spots()});
                to.change = change.piece(from.place - from.first);
                to.pattern = from.value;
                to.step = from.table->step;
                to.none = static_cast<std::uint8_t>(from.table->none());
                to.anew = !change.known();
                any_anew_ = any_anew_ || to.anew;
                if (!from.table->by_region) continue;
                kept_.push_back(regions.find(moves, from.table->index.pieces()));
                to.regions = kept_.back().get();
            }
    }
    LookupTable(const LookupTable&) = delete;  // kinds point to its seats
    LookupTable& operator=(const LookupTable&) = delete;

    SLIDELAB_INLINE const Kind& kind(unsigned kind) const { return kinds_[kind]; }
    bool any_anew() const { return any_anew_; }
    bool knows_regions() const { return !kept_.empty(); }

private:
    const IndexChange& change_of(const PackedDatabase& table, std::uint64_t scale) {
        for (const auto& [known, change] : changes_)
            if (known == &table) return change;
        return changes_.emplace_back(&table, IndexChange(table.index, scale)).second;
    }

    // Nearly all pieces share one row for each lookup, or one for each turn.
    const std::uint64_t* words_of(const IndexChange& change, std::span<const Point> image) {
        std::vector<std::uint64_t> row;
        for (auto spot : image) row.push_back(change.word(spot));
        for (auto known = rows_.rbegin(); known != rows_.rend(); ++known)
            if (*known == row) return known->data();
        return rows_.emplace_back(std::move(row)).data();
    }

    static constexpr std::uint8_t zero = 0;

    std::vector<Seat> seats_;
    std::vector<Kind> kinds_;
    std::deque<std::pair<const PackedDatabase*, IndexChange>> changes_;  // their addresses are kept
    std::deque<std::vector<std::uint64_t>> rows_;
    std::vector<std::uint64_t> zeros_;
    std::vector<std::shared_ptr<const HoleRegions>> kept_;
    bool any_anew_ = false;
};

}  // namespace slidelab
