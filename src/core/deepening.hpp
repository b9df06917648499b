// Shortest solutions by iterative deepening (IDA*), for any rule, with the sum of pattern tables as the
// lower bound.
//
// Depth-first within a bound on the length, the bound raised until a solution is found: so the first one
// found is a shortest, and only the way to where the search stands is kept in memory. A move changes one
// piece, so one look-up in the table of its group updates the bound. No move is taken back at once, and
// of states seen before within the same bound, as near to the start or nearer, those not too near the end
// are remembered (as many as a fixed table holds, compared in full) and not gone through again.
#pragma once

#include "gain_graph.hpp"
#include "pattern_table.hpp"

#include <optional>
#include <span>

namespace slidelab {

struct PatternGroup {
    std::vector<std::uint32_t> pieces;  // their numbers
    PatternIndex index;
    std::span<const std::uint8_t> distance;
};

struct PieceStep {
    std::uint32_t piece;
    Point from, to;  // spots
};

struct DeepeningResult {
    std::optional<std::vector<PieceStep>> steps;  // none if stopped, or if there is no solution
    std::uint64_t nodes = 0;
    std::uint32_t bound = 0;  // no solution is shorter
};

class Deepening {
public:
    Deepening(StepTable table, std::size_t pieces, std::vector<PatternGroup> groups)
        : table_(std::move(table)), pieces_(pieces), groups_(std::move(groups)) {
        table_.check();
        if (pieces_ == 0 || pieces_ * table_.piece_cells > table_.cells) throw std::invalid_argument("pieces out of range");
        if (table_.placement_count() * table_.turns > max_degree) throw std::invalid_argument("too many placements");
        group_of_.assign(pieces_, none);
        place_of_.assign(pieces_, 0);
        for (std::size_t g = 0; g < groups_.size(); ++g) {
            const auto& group = groups_[g];
            if (group.index.pieces() != group.pieces.size() || group.distance.size() != group.index.count())
                throw std::invalid_argument("a table does not fit its pieces");
            for (std::size_t k = 0; k < group.pieces.size(); ++k) {
                if (group.pieces[k] >= pieces_ || group_of_[group.pieces[k]] != none) throw std::invalid_argument("a piece is in two groups");
                group_of_[group.pieces[k]] = static_cast<std::uint32_t>(g);
                place_of_[group.pieces[k]] = static_cast<std::uint32_t>(k);
            }
        }
        steps_at_.assign(table_.cells + 1, 0);
        for (const auto& s : table_.steps) ++steps_at_[static_cast<std::size_t>(s.needs[0]) + 1];
        for (std::size_t c = 0; c < table_.cells; ++c) steps_at_[c + 1] += steps_at_[c];
        steps_.resize(table_.steps.size());
        auto next = steps_at_;
        for (const auto& s : table_.steps) steps_[next[static_cast<std::size_t>(s.needs[0])]++] = s;
    }

    // The sum of the tables for pieces on these spots; none if a table says that there is no way.
    std::optional<std::uint32_t> estimate(const std::vector<Point>& spots) const {
        check(spots);
        std::uint32_t sum = 0;
        for (const auto& group : groups_) {
            const std::uint8_t here = group.distance[index_of(group, spots)];
            if (here == no_way) return std::nullopt;
            sum += here;
        }
        return sum;
    }

    // From start to goal, which must be the tables' own. Stops after `most_nodes`.
    DeepeningResult solve(const std::vector<Point>& start, const std::vector<Point>& goal, std::uint64_t most_nodes, const Tick& tick) const {
        check(goal);
        const auto first = estimate(start);
        DeepeningResult result;
        if (!first) return result;
        Search s(*this, start, goal, most_nodes, tick);
        s.bound = *first;
        while (!s.deepen() && !s.stopped && s.next != none) s.bound = s.next;
        result.nodes = s.nodes;
        result.bound = s.bound;
        if (s.found) result.steps = std::move(s.way);
        return result;
    }

private:
    static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
    static constexpr unsigned memory_bits = 16;                // states remembered
    static constexpr std::uint32_t worth_remembering = 4;      // moves left below a state
    static constexpr std::uint32_t deepest = 10000;  // the way there is kept on the machine's stack

    static std::uint64_t index_of(const PatternGroup& group, const std::vector<Point>& spots) {
        std::array<Point, TileRanks::most_cells> own;
        for (std::size_t k = 0; k < group.pieces.size(); ++k) own[k] = spots[group.pieces[k]];
        return group.index(own.data());
    }

    void check(const std::vector<Point>& spots) const {
        std::vector<bool> used(table_.cells, false);
        if (spots.size() != pieces_) throw std::invalid_argument("one spot a piece expected");
        for (auto spot : spots) {
            if (spot >= table_.placement_count() * table_.turns) throw std::invalid_argument("no such spot");
            for (auto cell : table_.cells_of(spot / table_.turns)) {
                if (used[static_cast<std::size_t>(cell)]) throw std::invalid_argument("two pieces on a cell");
                used[static_cast<std::size_t>(cell)] = true;
            }
        }
    }

    struct Search {
        Search(const Deepening& puzzle_, const std::vector<Point>& start, const std::vector<Point>& goal_, std::uint64_t most, const Tick& tick_)
            : puzzle(puzzle_), most_nodes(most), tick(tick_), goal(goal_), spot(start), piece_at(puzzle_.table_.cells, none) {
            for (std::uint32_t p = 0; p < spot.size(); ++p) {
                cover(p, p);
                key ^= key_of(p, spot[p]);
            }
            remembered.resize((std::size_t{1} << memory_bits) * spot.size());
            kept_bound.assign(std::size_t{1} << memory_bits, none);
            kept_length.assign(std::size_t{1} << memory_bits, none);
            for (std::size_t c = 0; c < piece_at.size(); ++c)
                if (piece_at[c] == none) holes.push_back(static_cast<std::int32_t>(c));
            for (const auto& group : puzzle.groups_) {
                auto& own = spots_of.emplace_back();
                for (std::size_t k = 0; k < group.pieces.size(); ++k) own[k] = start[group.pieces[k]];
                share.push_back(group.distance[group.index(own.data())]);
            }
        }

        void cover(std::uint32_t piece, std::uint32_t with) {
            for (auto cell : puzzle.table_.cells_of(spot[piece] / puzzle.table_.turns)) piece_at[static_cast<std::size_t>(cell)] = with;
        }

        bool deepen() {
            next = none;
            std::uint32_t sum = 0;
            for (auto s : share) sum += s;
            way.clear();
            return descend(0, sum);
        }

        bool applies(const StepTable::Step& step, std::uint32_t& piece) const {
            const auto& t = puzzle.table_;
            piece = piece_at[static_cast<std::size_t>(t.placements[static_cast<std::size_t>(step.from) * t.piece_cells])];
            if (piece == none || spot[piece] / t.turns != static_cast<std::size_t>(step.from)) return false;
            for (std::size_t k = 1; k < StepTable::max_needs && step.needs[k] >= 0; ++k)
                if (piece_at[static_cast<std::size_t>(step.needs[k])] != none) return false;
            return true;
        }

        bool descend(std::uint32_t length, std::uint32_t left) {
            if (left == 0 && spot == goal) return found = true;
            if ((++nodes & 0xfffff) == 0) tick("bound", bound, 0);
            if (nodes >= most_nodes || length >= deepest) stopped = true;
            if (stopped) return false;
            if (bound - length >= worth_remembering && seen_before(length)) return false;
            const std::size_t holes_now = holes.size();
            for (std::size_t h = 0; h < holes_now; ++h) {
                const auto hole = static_cast<std::size_t>(holes[h]);
                for (std::size_t k = puzzle.steps_at_[hole]; k < puzzle.steps_at_[hole + 1]; ++k) {
                    const auto& step = puzzle.steps_[k];
                    std::uint32_t piece;
                    if (!applies(step, piece)) continue;
                    if (try_step(step, piece, length, left)) return true;
                    if (stopped) return false;
                }
            }
            return false;
        }

        // States are told apart by their spots; the key only says where to look.
        bool seen_before(std::uint32_t length) {
            const std::size_t place = key >> (64 - memory_bits);
            Point* kept = remembered.data() + place * spot.size();
            if (kept_bound[place] == bound && kept_length[place] <= length && std::equal(spot.begin(), spot.end(), kept)) return true;
            std::copy(spot.begin(), spot.end(), kept);
            kept_bound[place] = bound;
            kept_length[place] = length;
            return false;
        }

        static std::uint64_t key_of(std::uint64_t piece, std::uint64_t at) {
            std::uint64_t x = (piece << 16 | at) * 0x9e3779b97f4a7c15ull;
            x ^= x >> 29;
            x *= 0xbf58476d1ce4e5b9ull;
            return x ^ x >> 32;
        }

        bool try_step(const StepTable::Step& step, std::uint32_t piece, std::uint32_t length, std::uint32_t left) {
            const auto turns = static_cast<unsigned>(puzzle.table_.turns);
            const Point from = spot[piece];
            const auto to = static_cast<Point>(static_cast<unsigned>(step.to) * turns + (from % turns + static_cast<unsigned>(step.turn)) % turns);
            if (!way.empty() && way.back().piece == piece && way.back().from == to) return false;
            const std::uint32_t g = puzzle.group_of_[piece];
            std::uint32_t then = left;
            std::uint8_t old = 0, now = 0;
            if (g != none) {
                auto& own = spots_of[g];
                const auto& group = puzzle.groups_[g];
                own[puzzle.place_of_[piece]] = to;
                now = group.distance[group.index(own.data())];
                own[puzzle.place_of_[piece]] = from;
                if (now == no_way) return false;
                old = share[g];
                then = left - old + now;
            }
            if (length + 1 + then > bound) {
                next = std::min(next, length + 1 + then);
                return false;
            }
            const Filled filled = move(piece, to);
            const std::uint64_t change = key_of(piece, from) ^ key_of(piece, to);
            key ^= change;
            if (g != none) {
                spots_of[g][puzzle.place_of_[piece]] = to;
                share[g] = now;
            }
            way.push_back({piece, from, to});
            if (descend(length + 1, then)) return true;
            way.pop_back();
            take_back(piece, from, filled);
            key ^= change;
            if (g != none) {
                spots_of[g][puzzle.place_of_[piece]] = from;
                share[g] = old;
            }
            return false;
        }

        // Holes that a move fills give their places in the list to those it leaves; taken back, they get them again,
        // so that loops over the list go on where they were.
        struct Filled {
            std::size_t count = 0;
            std::array<std::size_t, 3> place;
            std::array<std::int32_t, 3> hole;
        };

        Filled move(std::uint32_t piece, Point to) {
            const auto& t = puzzle.table_;
            const auto before = t.cells_of(spot[piece] / t.turns);
            cover(piece, none);
            spot[piece] = to;
            cover(piece, piece);
            Filled filled;
            for (std::size_t h = 0; h < holes.size(); ++h)
                if (piece_at[static_cast<std::size_t>(holes[h])] == piece) {
                    filled.place[filled.count] = h;
                    filled.hole[filled.count++] = holes[h];
                }
            std::size_t k = 0;
            for (auto cell : before)
                if (piece_at[static_cast<std::size_t>(cell)] == none) holes[filled.place[k++]] = cell;
            return filled;
        }

        void take_back(std::uint32_t piece, Point from, const Filled& filled) {
            cover(piece, none);
            spot[piece] = from;
            cover(piece, piece);
            for (std::size_t k = 0; k < filled.count; ++k) holes[filled.place[k]] = filled.hole[k];
        }

        const Deepening& puzzle;
        std::uint64_t most_nodes;
        const Tick& tick;
        const std::vector<Point>& goal;
        std::vector<Point> spot;
        std::vector<std::uint32_t> piece_at;
        std::vector<std::int32_t> holes;
        std::vector<std::array<Point, TileRanks::most_cells>> spots_of;
        std::vector<std::uint8_t> share;
        std::vector<PieceStep> way;
        std::vector<Point> remembered;
        std::vector<std::uint32_t> kept_bound, kept_length;
        std::uint64_t key = 0;
        std::uint64_t nodes = 0;
        std::uint32_t bound = 0, next = none;
        bool found = false, stopped = false;
    };

    StepTable table_;
    std::size_t pieces_;
    std::vector<PatternGroup> groups_;
    std::vector<std::uint32_t> group_of_, place_of_;
    std::vector<std::size_t> steps_at_;
    std::vector<StepTable::Step> steps_;
};

}  // namespace slidelab
