// Pattern tables for any rule: a search over shapes with only some pieces labelled.
//
// A state is a shape and the slots (and turns) of the labelled pieces; along an edge the labelled
// pieces are carried as slots are, and the edge costs one move if the piece that moves is labelled, and
// nothing if it is another. Costs are 0 or 1, so states are settled layer by layer, each layer first along
// edges that cost nothing. The table keeps the least over all states in which the pieces lie on the same spots.
#pragma once

#include "gain_graph.hpp"
#include "pattern_table.hpp"

namespace slidelab {

struct LabelInput {
    std::size_t shapes = 0, pieces = 0, turns = 1;
    struct Edge {
        std::uint32_t source, target, slot_from, slot_to, turn;
    };
    std::vector<Edge> edges;
    std::vector<Point> placement;    // of each slot of each shape: shapes * pieces entries
    std::uint32_t goal_shape = 0;
    std::vector<Point> goal_points;  // slot point of each labelled piece's first mark

    void check() const {
        auto fail = [](const char* what) { throw std::invalid_argument(what); };
        if (turns == 0 || turns > 3 || pieces == 0 || pieces > TileRanks::most_cells) fail("pieces out of range");
        if (shapes == 0 || placement.size() != shapes * pieces) fail("one placement a slot expected");
        for (const auto& e : edges)
            if (e.source >= shapes || e.target >= shapes || e.slot_from >= pieces || e.slot_to >= pieces || e.turn >= turns)
                fail("edge out of range");
        if (goal_shape >= shapes || goal_points.empty() || goal_points.size() > pieces) fail("labelled pieces out of range");
        std::vector<bool> seen(pieces, false);
        for (auto point : goal_points) {
            if (point >= pieces * turns || seen[point / turns]) fail("labelled pieces lie in different slots");
            seen[point / turns] = true;
        }
    }
};

class LabelPattern {
public:
    LabelPattern(LabelInput input, PatternIndex index) : in_(std::move(input)), index_(std::move(index)) {
        in_.check();
        const auto k = static_cast<unsigned>(in_.goal_points.size());
        if (index_.pieces() != k) throw std::invalid_argument("the index is for other pieces");
        ranks_ = TileRanks(static_cast<unsigned>(in_.pieces), k);
        ways_ = ranks_.count();
        for (unsigned i = 0; i < k; ++i) ways_ *= in_.turns;
        at_.assign(in_.shapes + 1, 0);
        for (const auto& e : in_.edges) ++at_[e.source + 1], ++at_[e.target + 1];
        for (std::size_t s = 0; s < in_.shapes; ++s) at_[s + 1] += at_[s];
        arcs_.resize(2 * in_.edges.size());
        auto next = at_;
        const auto w = static_cast<std::uint32_t>(in_.turns);
        for (const auto& e : in_.edges) {
            arcs_[next[e.source]++] = e;
            arcs_[next[e.target]++] = {e.target, e.source, e.slot_to, e.slot_from, (w - e.turn) % w};
        }
    }

    std::uint64_t bytes() const {
        if (ways_ > (std::uint64_t{1} << 40) / in_.shapes) return std::numeric_limits<std::uint64_t>::max();
        return ways_ * in_.shapes * 5 / 2 + index_.count();  // settled or not, and about as much for the layers
    }

    std::vector<std::uint8_t> build(const Tick& tick) const {
        const auto k = static_cast<unsigned>(in_.goal_points.size());
        std::vector<std::uint8_t> distance(ways_ * in_.shapes, no_way), table(index_.count(), no_way);
        std::vector<std::uint64_t> now, later;
        std::array<Point, TileRanks::most_cells> point;
        std::copy(in_.goal_points.begin(), in_.goal_points.end(), point.begin());
        const std::uint64_t start = number(in_.goal_shape, point.data());
        distance[start] = 0;
        now.push_back(start);
        for (unsigned depth = 0; !now.empty(); ++depth) {
            if (depth == no_way) throw LimitReached("distances beyond 254 do not fit a table");
            later.clear();
            for (std::size_t i = 0; i < now.size(); ++i) {  // `now` grows by what costs nothing
                if ((i & 0xffff) == 0) tick("pattern", depth, 0);
                const std::uint64_t state = now[i];
                if (distance[state] != depth) continue;  // reached more cheaply meanwhile
                const auto shape = static_cast<std::uint32_t>(state / ways_);
                load(state % ways_, point.data());
                settle(table, shape, point.data(), static_cast<std::uint8_t>(depth));
                for (std::size_t a = at_[shape]; a < at_[shape + 1]; ++a) {
                    const auto& arc = arcs_[a];
                    std::array<Point, TileRanks::most_cells> then;
                    bool labelled = false;
                    for (unsigned p = 0; p < k; ++p) {
                        labelled |= point[p] / in_.turns == arc.slot_from;
                        then[p] = carried(in_.turns, arc.slot_from, arc.slot_to, arc.turn, point[p]);
                    }
                    const std::uint64_t other = number(arc.target, then.data());
                    const auto cost = static_cast<std::uint8_t>(depth + labelled);
                    if (distance[other] <= cost) continue;
                    distance[other] = cost;
                    (labelled ? later : now).push_back(other);
                }
            }
            std::swap(now, later);
        }
        return table;
    }

private:
    std::uint64_t number(std::uint64_t shape, const Point* point) const {
        std::array<std::uint8_t, TileRanks::most_cells> slot;
        std::uint64_t turns = 0;
        for (unsigned p = 0; p < ranks_.tiles(); ++p) {
            slot[p] = static_cast<std::uint8_t>(point[p] / in_.turns);
            turns = turns * in_.turns + point[p] % in_.turns;
        }
        return shape * ways_ + turns * ranks_.count() + ranks_.rank(slot.data());
    }

    void load(std::uint64_t number, Point* point) const {
        std::array<std::uint8_t, TileRanks::most_cells> slot;
        ranks_.unrank(number % ranks_.count(), slot.data());
        std::uint64_t turns = number / ranks_.count();
        for (unsigned p = ranks_.tiles(); p-- > 0; turns /= in_.turns)
            point[p] = static_cast<Point>(slot[p] * in_.turns + turns % in_.turns);
    }

    void settle(std::vector<std::uint8_t>& table, std::uint32_t shape, const Point* point, std::uint8_t depth) const {
        std::array<Point, TileRanks::most_cells> spot;
        for (unsigned p = 0; p < ranks_.tiles(); ++p)
            spot[p] = static_cast<Point>(in_.placement[shape * in_.pieces + point[p] / in_.turns] * in_.turns + point[p] % in_.turns);
        auto& entry = table[index_(spot.data())];
        entry = std::min(entry, depth);
    }

    LabelInput in_;
    PatternIndex index_;
    TileRanks ranks_;
    std::uint64_t ways_ = 0;
    std::vector<std::size_t> at_;
    std::vector<LabelInput::Edge> arcs_;
};

}  // namespace slidelab
