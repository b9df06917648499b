// How many moves a single piece needs to reach its goal: all others are indistinguishable and their moves are free.
//
// A state is a shape and the slot point of the piece; a move costs one if it moves the piece. For tiles and one hole on
// a board without cut cells this is the distance in the graph; a hexagonal tile that needs a second hole, or a gourd
// that has to be turned, may need more.
#pragma once

#include "search/one_hole_pattern.hpp"

namespace slidelab {

class SingleDistances {
public:
    explicit SingleDistances(std::shared_ptr<const MoveTable> moves)
        : table_(std::move(moves)), moves_(*table_), turns_(moves_.turns()), pieces_(moves_.pieces()),
          spots_(moves_.spots()) {}

    std::size_t spots() const { return spots_; }

    // By how many moves the distance of two pieces together exceeds the sum of their single distances, on average over
    // all their placements.
    double pair_excess(std::uint32_t shape, Point first, Point second, std::span<const std::uint16_t> alone_first,
                       std::span<const std::uint16_t> alone_second, const Tick& tick) const {
        const std::size_t degree = pieces_ * turns_, shapes = moves_.shapes();
        if (shape >= shapes || first >= degree || second >= degree || first / turns_ == second / turns_ ||
            alone_first.size() != spots_ || alone_second.size() != spots_)
            throw std::invalid_argument("no such slots");
        if (OneHolePattern::accepts(moves_)) {
            try {
                return one_hole_excess(shape, first, second, alone_first, alone_second, tick);
            } catch (const LimitReached&) {
                // A distance that does not fit a byte.
            }
        }
        std::vector<std::uint16_t> best(spots_ * spots_, none);
        search(shapes * degree * degree, (shape * degree + first) * degree + second, "pairs", tick,
               [&](std::uint64_t state, std::uint16_t depth) {
                   const std::size_t s = state / (degree * degree);
                   const auto a = static_cast<Point>(state / degree % degree), b = static_cast<Point>(state % degree);
                   auto& entry = best[spot(s, a) * spots_ + spot(s, b)];
                   entry = std::min(entry, depth);
                   return std::pair(s, [&, a, b, slot_a = a / turns_, slot_b = b / turns_](const MoveTable::Arc& arc) {
                       const bool own = slot_a == arc.slot_from || slot_b == arc.slot_from;
                       return std::pair((arc.target * degree + next(arc, a)) * degree + next(arc, b), own);
                   });
               });
        std::uint64_t sum = 0, count = 0;
        for (std::size_t a = 0; a < spots_; ++a)
            for (std::size_t b = 0; b < spots_; ++b) {
                if (best[a * spots_ + b] == none) continue;
                sum += static_cast<std::uint64_t>(best[a * spots_ + b] - alone_first[a] - alone_second[b]);
                ++count;
            }
        return static_cast<double>(sum) / static_cast<double>(count);
    }

    // For each spot, the moves from there to a slot point of a shape; `none` where there is no path.
    static constexpr std::uint16_t none = 0xffff;
    std::vector<std::uint16_t> to(std::uint32_t shape, Point point, const Tick& tick) const {
        const std::size_t degree = pieces_ * turns_, shapes = moves_.shapes();
        if (shape >= shapes || point >= degree) throw std::invalid_argument("no such slot");
        std::vector<std::uint16_t> best(spots_, none);
        search(shapes * degree, shape * degree + point, "pieces", tick, [&](std::uint64_t state, std::uint16_t depth) {
            const std::size_t s = state / degree;
            const auto here = static_cast<Point>(state % degree);
            auto& entry = best[spot(s, here)];
            entry = std::min(entry, depth);
            return std::pair(s, [&, here, slot = here / turns_](const MoveTable::Arc& arc) {
                return std::pair(arc.target * degree + next(arc, here), slot == arc.slot_from);
            });
        });
        return best;
    }

private:
    double one_hole_excess(std::uint32_t shape, Point first, Point second, std::span<const std::uint16_t> alone_first,
                           std::span<const std::uint16_t> alone_second, const Tick& tick) const {
        constexpr std::uint8_t unknown = 255;
        const Tick own = [&tick](const char*, std::uint64_t done, std::uint64_t) { tick("pairs", done, 0); };
        const OneHolePattern pattern(moves_, shape, {first, second}, std::uint64_t(-1), own);
        std::vector<std::uint8_t> distance(2 * pattern.sets(), unknown);
        pattern.search(distance, nullptr, unknown, 1, own);
        std::vector<std::size_t> cell(moves_.cells());  // along the line that orders the slots
        for (std::size_t c = 0; c < cell.size(); ++c) cell[static_cast<std::size_t>(moves_.rank()[c])] = c;
        std::uint64_t sum = 0, count = 0, set = pattern.first_set();
        for (std::uint64_t i = 0; i < pattern.sets(); ++i, set = Subsets::next(set))
            for (const bool swapped : {false, true}) {
                const std::uint8_t both = distance[2 * i + swapped];
                if (both == unknown) continue;
                // In the first order the tiles lie in the order of their slots at the goal.
                std::size_t a = cell[static_cast<unsigned>(std::countr_zero(set))],
                            b = cell[static_cast<unsigned>(std::countr_zero(set & (set - 1)))];
                if (swapped != (first > second)) std::swap(a, b);
                sum += static_cast<std::uint64_t>(both - alone_first[a] - alone_second[b]);
                ++count;
            }
        return static_cast<double>(sum) / static_cast<double>(count);
    }

    Point next(const MoveTable::Arc& arc, Point point) const {
        return carried(turns_, arc.slot_from, arc.slot_to, arc.turn, point);
    }

    // 0-1 breadth-first search from a state: `visit(state, depth)` returns the shape of a state and a function that
    // gives for each arc the state after the move, and whether the move counts.
    template <class Visit>
    void search(std::size_t states, std::uint64_t start, const char* phase, const Tick& tick, Visit visit) const {
        std::vector<std::uint16_t> distance(states, none);
        std::vector<std::uint64_t> now{start}, later;
        distance[start] = 0;
        for (std::uint16_t depth = 0; !now.empty(); ++depth, std::swap(now, later)) {
            if (depth + 1 == none) throw LimitReached("a piece needs too many moves");
            later.clear();
            for (std::size_t i = 0; i < now.size(); ++i) {  // `now` grows by moves that do not count
                if ((i & 0x3fff) == 0) tick(phase, depth, 0);
                const std::uint64_t state = now[i];
                if (distance[state] != depth) continue;  // reached by fewer moves meanwhile
                const auto [shape, follow] = visit(state, depth);
                for (const auto& arc : moves_.arcs(shape)) {
                    const auto [other, counts] = follow(arc);
                    const auto cost = static_cast<std::uint16_t>(depth + counts);
                    if (distance[other] <= cost) continue;
                    distance[other] = cost;
                    (counts ? later : now).push_back(other);
                }
            }
        }
    }

    std::size_t spot(std::size_t shape, Point point) const {
        return moves_.slots(shape)[point / turns_] * turns_ + point % turns_;
    }

    std::shared_ptr<const MoveTable> table_;
    const MoveTable& moves_;
    std::size_t turns_, pieces_, spots_;
};

}  // namespace slidelab
