// An admissible heuristic, updated incrementally as pieces move.
//
// The base is the sum of the single-piece distances. Each pattern adds the number of moves that its pieces need beyond
// that, an entry of a packed pattern database. The patterns of one lookup are disjoint, so their entries add up;
// several lookups (other partitions, and the same databases under symmetries of the board that keep the goal) give
// several bounds, of which the largest is taken.
#pragma once

#include "search/move_table.hpp"
#include "search/packed_database.hpp"

#include <array>
#include <optional>

namespace slidelab {

struct SymmetricLookup {
    std::vector<Point> image;                                          // of each spot, for each kind
    std::vector<std::pair<std::uint32_t, std::vector<Point>>> groups;  // table, and the pieces it is asked for
};

class Heuristic {
public:
    static constexpr std::size_t max_lookups = 8;

    struct State {
        std::vector<Point> own;            // for each lookup the images of the pieces' spots, group by group
        std::vector<std::uint16_t> value;  // for each lookup and group
        std::array<std::uint32_t, max_lookups> sum{};
        std::uint32_t base = 0;
        std::uint32_t bound = 0;
    };

    // `base` has an entry for each kind and spot; lookups are for numbered pieces.
    Heuristic(std::size_t kinds, std::size_t spots, std::vector<std::uint16_t> base, std::vector<PackedDatabase> tables,
              std::vector<SymmetricLookup> lookups, const Tick& tick = no_tick)
        : kinds_(kinds), spots_(spots), lookups_(lookups.size()), base_(std::move(base)), tables_(std::move(tables)) {
        auto fail = [](const char* what) { throw std::invalid_argument(what); };
        if (kinds == 0 || spots == 0 || spots > max_degree || base_.size() != kinds * spots)
            fail("a base for each kind and spot expected");
        if (lookups.size() > max_lookups) fail("too many lookups");
        for (const auto& t : tables_)
            if (t.data.size() != t.bytes() || t.step == 0 || t.step > 255 || t.index.spots() != spots)
                fail("a table does not fit its pieces");
        seats_.resize(lookups.size() * kinds);
        for (std::size_t v = 0; v < lookups.size(); ++v) {
            auto& lookup = lookups[v];
            if (lookup.image.size() != kinds * spots) fail("an image for each kind and spot expected");
            for (std::size_t i = 0; i < lookup.image.size(); ++i) {
                if ((i & 0xffff) == 0) tick("heuristic", i, lookup.image.size());
                if (lookup.image[i] >= spots) fail("no such spot");
            }
            images_.push_back(std::move(lookup.image));
            auto& groups = groups_.emplace_back();
            for (const auto& [table, pieces] : lookup.groups) {
                if (table >= tables_.size() || tables_[table].index.pieces() != pieces.size())
                    fail("a group does not fit its table");
                const auto first = static_cast<std::uint32_t>(owns_), value = static_cast<std::uint32_t>(values_++);
                groups.push_back({&tables_[table], first, value});
                steps_.push_back(tables_[table].step);
                for (auto piece : pieces) {
                    if (piece >= kinds || seats_[v * kinds + piece].table) fail("a piece is in two groups");
                    members_.push_back(piece);
                    seats_[v * kinds + piece] = {&tables_[table], images_[v].data() + piece * spots, first,
                                                 static_cast<std::uint32_t>(owns_++), value};
                }
            }
        }
    }

    Heuristic(const Heuristic&) = delete;  // seats point into its tables
    Heuristic& operator=(const Heuristic&) = delete;

    std::size_t kinds() const { return kinds_; }
    std::size_t spots() const { return spots_; }
    std::size_t lookups() const { return lookups_; }

    // For pieces that lie on these spots, each a kind and a spot; false if the goal cannot be reached.
    bool load(std::span<const std::pair<Point, Point>> pieces, State& s) const {
        s.own.assign(owns_, 0);
        s.value.assign(values_, 0);
        s.sum = {};
        s.base = 0;
        for (const auto& [kind, spot] : pieces) {
            const std::uint16_t b = base(kind, spot);
            if (b == no_distance) return false;
            s.base += b;
            lay(s, kind, spot);
        }
        s.bound = s.base;
        for (std::size_t v = 0; v < lookups_; ++v) {
            for (const auto& group : groups_[v]) {
                const unsigned entry = group.table->value(group.table->index(s.own.data() + group.first));
                if (entry == group.table->none()) return false;
                s.value[group.value] = static_cast<std::uint16_t>(entry * group.table->step);
                s.sum[v] += entry * group.table->step;
            }
            s.bound = std::max(s.bound, s.base + s.sum[v]);
        }
        return true;
    }

    // The place of a piece in a lookup: its pattern, and where its numbers are kept.
    struct Seat {
        const PackedDatabase* table = nullptr;  // none: the lookup does not look at it
        const Point* image = nullptr;           // of each spot
        std::uint32_t first = 0, place = 0;     // the group's spots in `own`, and this piece's
        std::uint32_t value = 0;                // what the group adds
    };
    SLIDELAB_INLINE const Seat& seat(std::size_t lookup, unsigned kind) const { return seats_[lookup * kinds_ + kind]; }

    // Database entries of a state, one for each lookup and group.
    std::size_t entries() const { return values_; }
    void entries(const State& s, std::uint8_t* out) const {
        for (std::size_t i = 0; i < values_; ++i) out[i] = static_cast<std::uint8_t>(s.value[i] / steps_[i]);
    }

    // What one entry adds to the lookup of its group.
    SLIDELAB_INLINE std::uint32_t gain(std::size_t entry, std::uint8_t value) const { return value * steps_[entry]; }

    // The database entry of a lookup for the group of a seat, from the spots of all pieces; it is prefetched.
    SLIDELAB_INLINE std::uint64_t ask(std::size_t lookup, const Seat& seat, const Point* spot_of) const {
        std::array<Point, TileRanks::max_cells> own;
        const unsigned pieces = seat.table->index.pieces();
        for (unsigned i = 0; i < pieces; ++i) {
            const std::size_t kind = members_[seat.first + i];
            own[i] = images_[lookup][kind * spots_ + spot_of[kind]];
        }
        const std::uint64_t entry = seat.table->index(own.data());
#if defined(__GNUC__)
        __builtin_prefetch(seat.table->at(entry));
#endif
        return entry;
    }

    SLIDELAB_INLINE std::uint16_t base(std::size_t kind, std::size_t spot) const { return base_[kind * spots_ + spot]; }
    const std::uint16_t* base_row(std::size_t kind) const { return base_.data() + kind * spots_; }

    // The database entry of a lookup after a piece has moved to another spot; it is prefetched.
    SLIDELAB_INLINE static std::uint64_t ask(State& s, const Seat& seat, Point to) {
        Point& own = s.own[seat.place];
        const Point kept = own;
        own = seat.image[to];
        const std::uint64_t entry = seat.table->index(s.own.data() + seat.first);
        own = kept;
#if defined(__GNUC__)
        __builtin_prefetch(seat.table->at(entry));
#endif
        return entry;
    }

    SLIDELAB_INLINE void lay(State& s, unsigned kind, Point spot) const {
        for (std::size_t v = 0; v < lookups_; ++v)
            if (const Seat& at = seat(v, kind); at.table) s.own[at.place] = at.image[spot];
    }

    // The bound after a piece has moved to another spot; none if the goal cannot be reached.
    std::uint32_t after(State& s, unsigned kind, Point from, Point to) const {
        const std::uint16_t there = base(kind, to);
        if (there == no_distance) return none;
        const std::uint32_t b = s.base - base(kind, from) + there;
        std::uint32_t bound = b;
        for (std::size_t v = 0; v < lookups_; ++v) {
            const Seat& at = seat(v, kind);
            if (!at.table) {
                bound = std::max(bound, b + s.sum[v]);
                continue;
            }
            const unsigned value = at.table->value(ask(s, at, to));
            if (value == at.table->none()) return none;
            bound = std::max(bound, b + s.sum[v] - s.value[at.value] + value * at.table->step);
        }
        return bound;
    }

    static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

private:
    struct Group {
        const PackedDatabase* table;
        std::uint32_t first, value;
    };

    std::size_t kinds_, spots_, lookups_;
    std::vector<std::uint16_t> base_;
    std::vector<PackedDatabase> tables_;
    std::vector<std::vector<Point>> images_;
    std::vector<std::vector<Group>> groups_;  // of each lookup
    std::vector<Seat> seats_;                 // of each lookup and kind
    std::vector<Point> members_;              // the kind of each place in `own`
    std::vector<std::uint16_t> steps_;        // of each lookup and group
    std::size_t owns_ = 0, values_ = 0;
};

}  // namespace slidelab
