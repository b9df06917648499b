// Carries one piece over a peeled board.
//
// A piece is carried by a search over (its cell, the working holes) that is shortest in a cost which also counts what
// happens to the other pieces: a move that takes another piece nearer to its goal costs less, one that takes it away
// costs more. So the holes, which have to go round the piece anyway, take the side where they do most good. The
// heuristic is the exact number of moves for one piece on the open board, found by a search back from the target.
#pragma once

#include "base/bucket_queue.hpp"
#include "base/key_set.hpp"
#include "huge/hole_walk.hpp"

namespace slidelab {

class PieceRouter : public HoleWalk {
public:
    PieceRouter(std::size_t cells, std::span<const HoleGraph::Step> steps, std::vector<std::int32_t> pieces,
                std::vector<std::int32_t> goal, std::uint64_t max_bytes, std::vector<CellDistances::Position> positions,
                const Tick& tick)
        : HoleWalk(cells, steps, std::move(pieces), std::move(goal), max_bytes, std::move(positions), tick) {
        detours_.resize(cells);
        users_.resize(cells);
        moves_left_.assign(graph_.decisions(), unknown);
        least_left_.assign(cells, unknown);
    }

protected:
    static constexpr std::size_t max_states = 4'000'000;
    static constexpr std::uint32_t move_cost = 100;  // of a move that changes nothing for other pieces

    struct Node {
        std::uint32_t cost, parent, arc;
    };
    struct Entry {
        std::uint32_t node, cost;
    };

    void close(std::uint32_t cell) {
        closed_[cell] = 1;
        for (auto t : users_[cell]) detours_[t].clear();
        users_[cell].clear();
    }

    // Carries a piece to a cell. False if no path was found, of which only near ones are searched if not `thorough`.
    bool carry(std::int32_t piece, std::uint32_t target, bool thorough = true) {
        return carry_from(cell_of(piece), target, thorough);
    }

    // The same for whatever is on a cell, which may be a hole that does not work. With spare holes there are two ways:
    // the same holes go with the piece, or for each step those that are nearest come; the shorter one is taken.
    bool carry_from(std::uint32_t start, std::uint32_t target, bool thorough) {
        if (start == target) return true;
        if (piece_on_[start] == 0 || open_holes() <= graph_.holes()) return carry_with_holes(start, target, thorough);
        const std::size_t before = moves_.size();
        const bool steps = carry_step_by_step(start, target);
        const Moves other(moves_.begin() + static_cast<std::ptrdiff_t>(before), moves_.end());
        undo(before);
        const bool together = carry_with_holes(start, target, thorough);
        if (!steps || (together && moves_.size() - before <= other.size())) return together;
        undo(before);
        for (const auto& [from, to] : other) move(from, to);
        return true;
    }
    bool carry_with_holes(std::uint32_t start, std::uint32_t target, bool thorough) {
        find_heuristic(start, target, band_radius);
        if (follow_heuristic(start, target, Scope::nearby)) return true;
        if (!thorough) return false;
        find_heuristic(start, target, unknown);
        if (follow_heuristic(start, target, Scope::guided)) return true;
        return find_path(start, target, Scope::everywhere, 0) == target;
    }

    void clear_search() {
        keys_.clear();
        nodes_.clear();
        open_.clear();
    }
    // Adds a state to the search or improves it.
    void add_state(std::uint64_t key, std::size_t priority, const Node& node) {
        const auto [number, is_new] = keys_.insert(key);
        if (is_new) nodes_.push_back(node);
        else if (nodes_[number].cost <= node.cost) return;
        else nodes_[number] = node;
        open_.push(priority, {number, node.cost});
    }
    void play_path_to(std::uint32_t node) {
        path_.clear();
        for (; nodes_[node].parent != none; node = nodes_[node].parent) path_.push_back(nodes_[node].arc);
        play_path();
    }

    KeySet keys_;
    std::vector<Node> nodes_;
    BucketQueue<Entry> open_{4};

private:
    static constexpr std::uint32_t unknown = none / 2;
    static constexpr int bias = 50;  // by which a move is cheaper that brings another piece one cell nearer
    static constexpr std::uint32_t average_cost =
        80;  // of a move, with that bias, or a little more: the search is faster
    static constexpr std::uint32_t band_radius = 10;     // around a path, of the cells that a piece may enter at first
    static constexpr std::uint32_t leg_moves = 90;       // of a search, about twenty-five cells
    static constexpr unsigned max_stray = 2;             // of the holes from the piece that they carry
    static constexpr std::uint32_t max_moves = 1 << 20;  // of one piece
    static constexpr std::uint32_t max_decisions = 10;   // of a cell for which all detours are found
    static constexpr std::uint16_t no_detour = std::numeric_limits<std::uint16_t>::max();

    // Only with the holes near the piece; wherever the heuristic is known; or without heuristic.
    enum class Scope { nearby, guided, everywhere };

    // From each decision of a cell to each other, the number of moves that the holes need while the piece stays.
    const std::vector<std::uint16_t>& detours(std::uint32_t cell) {
        const std::uint32_t first = graph_.first_decision(cell), count = graph_.decisions(cell);
        if (!detours_[cell].empty() || count == 0) return detours_[cell];
        std::vector<std::uint16_t> out(std::size_t{count} * count, no_detour);  // kept when it is complete
        reached_from_.resize(graph_.shapes());
        for (std::uint32_t i = 0; i < count; ++i) {
            const std::uint32_t start = graph_.decision_shape(first + i);
            if (is_shape_closed(start)) continue;
            std::uint32_t missing = 0;
            for (std::uint32_t j = 0; j < count; ++j)
                missing += j != i && !is_shape_closed(graph_.decision_shape(first + j));
            out[i * count + i] = 0;
            start_search();
            mark(start);
            reached_from_[start] = {none, 0};
            for (std::size_t q = 0; q < queue_.size() && missing; ++q) {
                if ((q & 0xfff) == 0xfff) (*tick_)("route", q, 0);
                const std::uint32_t s = queue_[q];
                if (reached_from_[s].second >= no_detour - 1) break;
                for (const auto& arc : graph_.arcs(s)) {
                    if (arc.from == cell || closed_[arc.from] || is_marked(arc.next)) continue;
                    mark(arc.next);
                    reached_from_[arc.next] = {s, static_cast<std::uint16_t>(reached_from_[s].second + 1)};
                    const std::uint32_t d = graph_.decision_of(cell, arc.next);
                    if (d == none) continue;
                    out[i * count + d - first] = reached_from_[arc.next].second;
                    --missing;
                    for (std::uint32_t back = arc.next; back != none; back = reached_from_[back].first)
                        for (auto c : graph_.cells(back))
                            if (users_[c].empty() || users_[c].back() != cell) users_[c].push_back(cell);
                }
            }
        }
        return detours_[cell] = std::move(out);
    }

    // The number of moves that a piece needs from each decision to the target if nothing is blocked, as far as `start`;
    // only cells at most `band` away from one shortest path are entered (all, if `band` is `unknown`).
    void find_heuristic(std::uint32_t start, std::uint32_t target, std::uint32_t band) {
        for (auto d : touched_) moves_left_[d] = unknown;
        for (auto c : touched_cells_) least_left_[c] = unknown;
        touched_.clear();
        touched_cells_.clear();
        const bool is_band = band != unknown && find_band(start, target, band);
        const auto is_inside = [&](std::uint32_t c) { return !closed_[c] && (!is_band || is_marked_cell(c)); };
        for (auto& bucket : buckets_) bucket.clear();
        const auto reach = [&](std::uint32_t d, std::uint32_t cell, std::uint32_t moves) {
            if (moves >= moves_left_[d] || moves > max_moves) return;
            if (moves_left_[d] == unknown) touched_.push_back(d);
            moves_left_[d] = moves;
            if (least_left_[cell] == unknown) touched_cells_.push_back(cell);
            least_left_[cell] = std::min(least_left_[cell], moves);
            if (moves >= buckets_.size()) buckets_.resize(moves + 64);
            buckets_[moves].emplace_back(d, cell);
        };
        for (std::uint32_t i = 0; i < graph_.decisions(target); ++i)
            if (!is_shape_closed(graph_.decision_shape(graph_.first_decision(target) + i)))
                reach(graph_.first_decision(target) + i, target, 0);
        std::uint32_t last = unknown, rounds = 0;
        for (std::uint32_t moves = 0; moves < buckets_.size() && moves <= last; ++moves) {
            for (std::size_t k = 0; k < buckets_[moves].size(); ++k) {
                const auto [d, cell] = buckets_[moves][k];
                if ((++rounds & 0xfff) == 0) (*tick_)("route", rounds, 0);
                if (moves_left_[d] != moves) continue;
                if (cell == start && last == unknown) last = moves + 8;  // the other decisions there are not far
                for (const auto& arc : graph_.arcs(graph_.decision_shape(d))) {
                    if (arc.from != cell || !is_inside(arc.to)) continue;
                    const std::uint32_t there = graph_.decision_of(arc.to, arc.next);
                    if (there != none) reach(there, arc.to, moves + 1);
                }
                if (cell == target) continue;
                const std::uint32_t first = graph_.first_decision(cell), count = graph_.decisions(cell), i = d - first;
                if (count > max_decisions) {
                    guess_detours(d, cell, moves, reach);
                    continue;
                }
                const auto& detour = detours(cell);
                for (std::uint32_t j = 0; j < count; ++j)
                    if (detour[i * count + j] != no_detour && j != i)
                        reach(first + j, cell, moves + detour[i * count + j]);
            }
        }
    }

    // Marks the cells at most `radius` away from a shortest path. Of two neighbours that are nearer to the target, the
    // path takes the first and the last by turns: on a grid that is a diagonal, the cheapest way to carry a piece.
    // False if the distance is not known.
    bool find_band(std::uint32_t start, std::uint32_t target, std::uint32_t radius) {
        const auto far = distances_from(target);
        if (!far.is_exact(far[start])) return false;
        cell_stamps_.resize(graph_.cells(), 0);
        if (++cell_stamp_ == 0) std::fill(cell_stamps_.begin(), cell_stamps_.end(), 0), cell_stamp_ = 1;
        Cells& cells = queue_;
        cells.clear();
        const auto add = [&](std::uint32_t c) {
            if (!is_marked_cell(c)) cell_stamps_[c] = cell_stamp_, cells.push_back(c);
        };
        add(start);
        for (std::uint32_t c = start; c != target;) {
            std::uint32_t next = none;
            for (auto other : graph_.neighbours(c))
                if (far[other] < far[c] && (next == none || far[c] % 2)) next = other;
            add(c = next);
        }
        for (std::size_t begin = 0; radius-- > 0;)
            for (const std::size_t end = cells.size(); begin < end; ++begin)
                for (auto other : graph_.neighbours(cells[begin])) add(other);
        return true;
    }
    bool is_marked_cell(std::uint32_t cell) const { return cell_stamps_[cell] == cell_stamp_; }

    // Round a cell with very many neighbours: the distance for a piece, which is good enough for a heuristic.
    template <class Reach>
    void guess_detours(std::uint32_t d, std::uint32_t cell, std::uint32_t moves, const Reach& reach) {
        const auto far = distances_from(graph_.cells(graph_.decision_shape(d))[0]);
        for (std::uint32_t j = graph_.first_decision(cell); j < graph_.first_decision(cell) + graph_.decisions(cell);
             ++j) {
            const std::uint32_t shape = graph_.decision_shape(j);
            if (j != d && !is_shape_closed(shape))
                reach(j, cell, moves + std::max<std::uint32_t>(1, far[graph_.cells(shape)[0]]));
        }
    }

    std::uint32_t heuristic(std::uint32_t cell, std::uint32_t shape, std::uint32_t target) {
        if (cell == target) return 0;
        const std::uint32_t least = least_left_[cell];
        if (least == unknown) return unknown;
        const std::uint32_t d = graph_.decision_of(cell, shape);
        if (d != none && moves_left_[d] != unknown) return moves_left_[d] * average_cost;
        return (least + hole_distance(shape, cell)) * average_cost;
    }
    // How far the nearest hole of a shape is from being beside a cell.
    std::uint32_t hole_distance(std::uint32_t shape, std::uint32_t cell) {
        const auto far = distances_from(cell);  // of the piece, which moves less than the holes
        std::uint32_t d = max_moves;
        for (auto c : graph_.cells(shape)) d = std::min<std::uint32_t>(d, far[c]);
        return d > 0 ? d - 1 : 0;
    }

    // The cost of a move that takes another piece out of the way.
    std::uint32_t cost(const HoleGraph::Arc& arc) {
        const std::int32_t piece = piece_on_[arc.from];
        if (piece == 0) return 1;
        const int gain = gain_of_step(arc.from, arc.to, goal_of_[static_cast<std::size_t>(piece)]);
        return static_cast<std::uint32_t>(static_cast<int>(move_cost) - bias * gain);
    }

    // Brings, for each step of a piece that leads nearer to the target, the holes that do it at the least cost. False
    // if there is no such step: then the piece is somewhere on the way.
    bool carry_step_by_step(std::uint32_t cell, std::uint32_t target) {
        while (cell != target) {
            if (!is_open(cell)) return false;
            (*tick_)("route", moves_.size(), 0);
            clear_search();
            for (auto s : working_shapes()) add_state(s, 0, {0, none, none});
            std::uint32_t next = none;
            while (!open_.empty() && next == none) {
                const Entry top = open_.pop();
                if (nodes_[top.node].cost < top.cost) continue;
                const auto shape = static_cast<std::uint32_t>(keys_.key(top.node));
                const auto far = distances_from(target);
                for (const auto& arc : graph_.arcs(shape))
                    if (arc.from == cell && far[arc.to] < far[cell]) {
                        play_path_to(top.node);
                        move(cell, arc.to);
                        next = arc.to;
                        break;
                    }
                if (next != none) break;
                keys_.make_room(graph_.arcs(shape).size(), *tick_);
                for (const auto& arc : graph_.arcs(shape)) {
                    if (arc.from == cell || !is_open(arc.from)) continue;
                    const Node node{top.cost + cost(arc), top.node, graph_.number(arc)};
                    add_state(arc.next, node.cost, node);
                }
            }
            if (next == none) return false;
            cell = next;
        }
        return true;
    }

    // Goes from `start`, which is changed, to the target leg by leg: the states of one long search grow with the square
    // of the distance.
    bool follow_heuristic(std::uint32_t& start, std::uint32_t target, Scope scope) {
        while (start != target) {
            const std::uint32_t left = least_left_[start];
            const std::uint32_t next =
                left == unknown ? none : find_path(start, target, scope, left > leg_moves ? left - leg_moves : 0);
            if (next == none) return false;
            start = next;
        }
        return true;
    }
    // Carries what is on `start` by a cheapest path to the target, or to a cell from which it takes at most
    // `moves_left` moves. The cell, `none` if there is no path.
    std::uint32_t find_path(std::uint32_t start, std::uint32_t target, Scope scope, std::uint32_t moves_left) {
        const bool guided = scope != Scope::everywhere;
        const std::uint64_t shapes = graph_.shapes();
        clear_search();
        const auto add = [&](std::uint32_t cell, std::uint32_t shape, const Node& node) {
            const std::uint32_t left = guided ? heuristic(cell, shape, target) : 0;
            if (left != unknown) add_state(cell * shapes + shape, node.cost + left, node);
        };
        for (auto s : working_shapes())
            if (all_cells(s, [&](auto c) { return c != start; })) add(start, s, {0, none, none});
        std::uint32_t rounds = 0;
        while (!open_.empty() && nodes_.size() < (guided ? max_states : 2 * max_states)) {
            const Entry top = open_.pop();
            if (nodes_[top.node].cost < top.cost) continue;
            if ((++rounds & 0xfff) == 0) (*tick_)("route", rounds, 0);
            const auto cell = static_cast<std::uint32_t>(keys_.key(top.node) / shapes);
            const auto shape = static_cast<std::uint32_t>(keys_.key(top.node) % shapes);
            keys_.make_room(graph_.arcs(shape).size(), *tick_);
            if (cell == target || (moves_left > 0 && least_left_[cell] <= moves_left)) {
                play_path_to(top.node);
                return cell;
            }
            const std::uint32_t here = scope == Scope::nearby ? hole_distance(shape, cell) : 0;
            for (const auto& arc : graph_.arcs(shape)) {
                if (!is_open(arc.from)) continue;
                if (arc.from == cell) {
                    add(arc.to, arc.next, {top.cost + move_cost, top.node, graph_.number(arc)});
                    continue;
                }
                if (scope == Scope::nearby) {
                    const std::uint32_t there = hole_distance(arc.next, cell);
                    if (there > here && there >= max_stray) continue;
                }
                add(cell, arc.next, {top.cost + cost(arc), top.node, graph_.number(arc)});
            }
        }
        return none;
    }

    std::vector<std::vector<std::uint16_t>> detours_;
    std::vector<Cells> users_;  // for each cell, the cells whose detours pass it
    std::vector<std::pair<std::uint32_t, std::uint16_t>> reached_from_;
    std::vector<std::uint32_t> cell_stamps_;  // of cells of the last band
    std::uint32_t cell_stamp_ = 0;
    Cells moves_left_, least_left_, touched_, touched_cells_;  // of decisions, of cells; which of them are set
    std::vector<std::vector<std::pair<std::uint32_t, std::uint32_t>>> buckets_;
};

}  // namespace slidelab
