// Huge boards: pieces of one cell are brought to their goals one after the other, and the cells they fill are closed.
#pragma once

#include "huge/piece_router.hpp"

#include <array>
#include <cmath>
#include <optional>

namespace slidelab {

class Peeler : private PieceRouter {
public:
    using PieceRouter::Cells;
    using PieceRouter::moves;
    using PieceRouter::pieces;
    using PieceRouter::Search;
    using PieceRouter::walk;

    Peeler(std::size_t cells, std::span<const HoleGraph::Step> steps, std::vector<std::int32_t> pieces,
           std::vector<std::int32_t> goal, std::uint64_t max_bytes, std::vector<CellDistances::Position> positions = {},
           const Tick& tick = no_tick)
        : PieceRouter(cells, steps, std::move(pieces), std::move(goal), max_bytes, std::move(positions), tick) {}

    // Brings the pieces of these cells to them and closes the cells. Several cells of tiles are a chain: each touches
    // the next.
    void place(const Cells& ear, const Tick& tick) {
        for (std::size_t i = 0; i < ear.size(); ++i) {
            if (ear[i] >= graph_.cells() || closed_[ear[i]] || goal_[ear[i]] == 0)
                throw std::invalid_argument("expected an open cell with a piece at the goal");
            if (i && graph_.holes() == 1 && !are_adjacent(ear[i - 1], ear[i]))
                throw std::invalid_argument("not a chain");
        }
        Cells once = ear;
        std::sort(once.begin(), once.end());
        if (std::adjacent_find(once.begin(), once.end()) != once.end())
            throw std::invalid_argument("a cell twice in a chain");
        begin(tick);
        if (!is_solved(ear)) {
            const bool tiles = graph_.holes() == 1;
            bool done = false;
            if (!tiles)
                for (auto c : ear)
                    if (piece_on_[c] != goal_[c]) leave_corner(goal_[c]);
            if (ear.size() == 1)
                done = carry(goal_[ear[0]], ear[0], is_enterable(ear[0])) || enter_corner(goal_[ear[0]], ear[0]);
            else if (ear.size() <= (tiles ? 2 : max_together)) done = place_together(ear);
            if (!done && tiles && ear.size() > 1) load_chain(ear), done = true;
            if (!done || !is_solved(ear)) throw LimitReached("no path for a piece to its place");
        }
        for (auto c : ear) close(c);
    }

    // Brings any pieces to these cells, the nearest first, and closes the cells.
    void fill(const Cells& ear, const Tick& tick) {
        begin(tick);
        for (auto c : ear)
            if (c >= graph_.cells() || closed_[c]) throw std::invalid_argument("not an open cell");
        for (auto cell : ear) {
            if (piece_on_[cell] == 0 && !fill(cell)) throw LimitReached("no path for a piece to a hole");
            blocked_[cell] = 1;
        }
        block(ear, false);
        for (auto c : ear) close(c);
    }

private:
    static constexpr std::size_t max_together = 4;   // pieces searched for at once
    static constexpr std::size_t max_holes = 5;      // that take part in a search with several holes
    static constexpr std::size_t max_attempts = 40;  // to fill a cell with any piece
    static constexpr std::size_t max_window = 200;   // cells, numbered by bytes below 255
    static constexpr std::uint32_t greed = 2;        // weight of the distance left in searches for several pieces

    bool fill(std::uint32_t cell) {
        Cells order{cell};
        std::vector<std::uint8_t> seen(graph_.cells(), 0);
        seen[cell] = 1;
        std::size_t attempts = 0;
        for (std::size_t i = 0; i < order.size() && attempts < max_attempts; ++i) {
            const std::int32_t piece = piece_on_[order[i]];
            attempts += piece != 0;
            if (piece != 0 && (carry(piece, cell, is_enterable(cell)) || enter_corner(piece, cell))) return true;
            for (auto c : graph_.neighbours(order[i]))
                if (!seen[c] && is_open(c)) seen[c] = 1, order.push_back(c);
        }
        return false;
    }

    // ---- Corners: cells with so few open neighbours that the working holes alone cannot take a piece in or out.

    void leave_corner(std::int32_t piece) {
        const std::uint32_t corner = cell_of(piece);
        const std::size_t holes = open_holes();
        if (is_enterable(corner) || holes <= graph_.holes()) return;
        gather_holes(corner, corner, std::min(holes, max_holes));
        for (unsigned radius : {3u, 4u, 6u, 9u})
            for (auto c : graph_.neighbours(corner))
                for (auto d : graph_.neighbours(c))
                    if (cell_of(piece) == corner && is_enterable(d) && d != corner && !are_adjacent(corner, d))
                        find_path_with_holes(piece, d, radius);
    }
    bool enter_corner(std::int32_t piece, std::uint32_t target) {
        const std::size_t holes = open_holes();
        if (holes <= graph_.holes()) return false;
        for (auto c : graph_.neighbours(target))
            if (is_enterable(c) && carry(piece, c, false)) break;
        gather_holes(cell_of(piece), target, std::min(holes, max_holes));
        for (unsigned radius : {3u, 4u, 6u, 9u})
            if (find_path_with_holes(piece, target, radius)) return true;
        return false;
    }
    // Brings holes near the target; those that do not work are carried like pieces. The cell `kept` stays as it is.
    void gather_holes(std::uint32_t kept, std::uint32_t target, std::size_t wanted) {
        const auto is_near = [&](std::uint32_t c) { return distances_from(target)[c] <= 2; };
        blocked_[kept] = 1;
        move_holes(nothing_fixed, [&](std::uint32_t s) { return all_cells(s, is_near); });
        for (std::size_t round = 0; round < wanted; ++round) {
            std::uint32_t nearest = none;
            for (std::uint32_t c = 0; c < graph_.cells(); ++c)
                if (piece_on_[c] == 0 && is_open(c) && !is_near(c) &&
                    (nearest == none || distances_from(target)[c] < distances_from(target)[nearest]))
                    nearest = c;
            bool moved = false;
            if (nearest != none && !is_enterable(nearest)) take_hole_out(nearest);
            for (std::uint32_t c = 0; c < graph_.cells() && nearest != none && piece_on_[nearest] == 0 && !moved; ++c)
                if (is_near(c) && piece_on_[c] != 0 && c != target && is_enterable(c))
                    moved = carry_from(nearest, c, true);
        }
        blocked_[kept] = 0;
    }
    // A hole in a corner: other holes go there, and some piece takes its place.
    void take_hole_out(std::uint32_t corner) {
        move_holes(nothing_fixed, [&](std::uint32_t s) {
            return all_cells(s, [&](auto c) { return c != corner && are_adjacent(corner, c); });
        });
        for (auto c : Cells(find_ball({corner}, 2)))
            if (piece_on_[corner] == 0 && piece_on_[c] != 0 && !blocked_[c])
                find_path_with_holes(piece_on_[c], corner, 3);
    }
    // Breadth-first search over a piece and up to `max_holes` holes on the cells around the target.
    bool find_path_with_holes(std::int32_t piece, std::uint32_t target, unsigned radius) {
        Cells window = find_ball({target}, radius);
        if (window.size() > max_window) window.resize(max_window);
        std::vector<std::uint8_t> local(graph_.cells(), 255);
        for (std::size_t i = 0; i < window.size(); ++i) local[window[i]] = static_cast<std::uint8_t>(i);
        Cells holes;
        for (auto c : window)
            if (piece_on_[c] == 0 && holes.size() < max_holes) holes.push_back(c);
        if (holes.size() < graph_.holes() || local[cell_of(piece)] == 255) return false;
        clear_search();
        const auto add = [&](std::uint32_t cell, Cells now, const Node& node) {
            std::sort(now.begin(), now.end());
            std::uint64_t key = local[cell];
            for (auto c : now) key = key << 8 | local[c];
            if (keys_.insert(key).second) nodes_.push_back(node);
        };
        add(cell_of(piece), holes, {0, none, none});
        for (std::uint32_t n = 0; n < nodes_.size() && nodes_.size() < max_states; ++n) {
            if ((n & 0xfff) == 0xfff) (*tick_)("route", n, 0);
            std::uint64_t key = keys_.key(n);
            Cells now(holes.size());
            for (std::size_t i = now.size(); i-- > 0; key >>= 8) now[i] = window[key & 255];
            const std::uint32_t cell = window[key];
            if (cell == target) {
                play_path_to(n);
                return true;
            }
            for (std::size_t i = 0; i < now.size(); ++i)
                for (std::size_t j = graph_.holes() == 1 ? i : i + 1; j < (graph_.holes() == 1 ? i + 1 : now.size());
                     ++j) {
                    const std::uint32_t shape = graph_.holes() == 1 ? now[i] : graph_.find(now[i], now[j]);
                    if (shape == none) continue;
                    for (const auto& arc : graph_.arcs(shape)) {
                        if (local[arc.from] == 255 || !is_open(arc.from) || is_empty(arc.from, now, holes)) continue;
                        Cells then = now;
                        *std::find(then.begin(), then.end(), arc.to) = arc.from;
                        add(arc.from == cell ? arc.to : cell, std::move(then), {0, n, graph_.number(arc)});
                    }
                }
        }
        return false;
    }
    // Whether a cell is one of the holes now, or a hole of the board that the search leaves alone.
    bool is_empty(std::uint32_t cell, const Cells& now, const Cells& holes) const {
        if (std::find(now.begin(), now.end(), cell) != now.end()) return true;
        return piece_on_[cell] == 0 && std::find(holes.begin(), holes.end(), cell) == holes.end();
    }

    // ---- The last cells of a row: none can be filled unless the others are open.

    // The pieces are brought to their cells one after the other, or as near as they get, and a search for all of them
    // does the rest. Several beginnings are tried, and the shortest result is kept; two pieces may also go in one
    // behind the other.
    bool place_together(const Cells& ear) {
        const std::size_t before = moves_.size();
        std::optional<Moves> best;
        const int variants = ear.size() == 2 ? 4 : 2;
        for (int variant = 0; variant < variants; ++variant) {
            Cells order = ear;
            if (variant & 1) std::reverse(order.begin(), order.end());
            stage(order, variant & 2);
            bool found = is_solved(ear);
            // A large radius takes long and is the last resort; tiles can always be pushed in one after the other.
            const bool last = variant + 1 == variants && !best && graph_.holes() > 1;
            if (!found) found = find_path_together(ear, 3, max_states / 64);
            if (!found && last)
                found = find_path_together(ear, 5, max_states / 4) || find_path_together(ear, 9, max_states);
            if (found && (!best || moves_.size() - before < best->size()))
                best.emplace(moves_.begin() + static_cast<std::ptrdiff_t>(before), moves_.end());
            undo(before);
        }
        if (best)
            for (const auto& [from, to] : *best) move(from, to);
        return best.has_value();
    }
    void stage(const Cells& order, bool behind) {
        Cells kept;
        for (std::size_t i = 0; i < order.size(); ++i) {
            const std::int32_t piece = goal_[order[i]];
            const std::uint32_t cell = behind ? order[1] : order[i];  // behind: the first goes to the second's cell
            bool there = is_enterable(cell) && carry(piece, cell, i == 0);
            for (auto c : graph_.neighbours(cell))
                if (!there && is_enterable(c) && std::find(order.begin(), order.end(), c) == order.end())
                    there = carry(piece, c, false);
            kept.push_back(cell_of(piece));
            blocked_[kept.back()] = 1;
        }
        block(kept, false);
    }
    bool find_path_together(const Cells& ear, unsigned radius, std::size_t max_nodes) {
        const std::uint64_t shapes = graph_.shapes(), cells = graph_.cells();
        find_ball(ear, radius);
        const std::size_t count = ear.size();
        if (std::pow(static_cast<double>(cells), static_cast<double>(count)) * static_cast<double>(shapes) > 9e18)
            return false;  // no room for a key
        std::array<std::uint32_t, max_together> at{};
        for (std::size_t i = 0; i < count; ++i) {
            at[i] = cell_of(goal_[ear[i]]);
            if (!is_in_ball(at[i])) return false;
        }
        clear_search();
        const auto add = [&](const std::array<std::uint32_t, max_together>& cell, std::uint32_t shape,
                             const Node& node) {
            std::uint64_t key = 0;
            std::uint32_t left = 0;
            for (std::size_t i = 0; i < count; ++i) {
                key = key * cells + cell[i];
                left += distances_from(ear[i])[cell[i]];
            }
            add_state(key * shapes + shape, move_cost * (node.cost + greed * left), node);
        };
        const auto is_inside = [&](std::uint32_t s) { return all_cells(s, [&](auto c) { return is_in_ball(c); }); };
        for (auto s : working_shapes())
            if (is_inside(s)) add(at, s, {0, none, none});
        if (nodes_.empty()) {
            // Bring working holes into the ball, without moving what lies on the ear if that is possible.
            const auto on_ear = [&](std::uint32_t c) { return std::find(ear.begin(), ear.end(), c) != ear.end(); };
            return (move_holes(on_ear, is_inside) || move_holes(nothing_fixed, is_inside)) &&
                   find_path_together(ear, radius, max_nodes);
        }
        while (!open_.empty() && nodes_.size() < max_nodes) {
            const Entry top = open_.pop();
            if (nodes_[top.node].cost < top.cost) continue;
            if ((top.node & 0xfff) == 0xfff) (*tick_)("route", nodes_.size(), 0);
            std::uint64_t key = keys_.key(top.node);
            const auto shape = static_cast<std::uint32_t>(key % shapes);
            key /= shapes;
            bool solved = true;
            for (std::size_t i = count; i-- > 0; key /= cells) {
                at[i] = static_cast<std::uint32_t>(key % cells);
                solved = solved && at[i] == ear[i];
            }
            if (solved) {
                play_path_to(top.node);
                return true;
            }
            for (const auto& arc : graph_.arcs(shape)) {
                if (!is_open(arc.from) || !is_in_ball(arc.from)) continue;
                auto cell = at;
                for (std::size_t i = 0; i < count; ++i)
                    if (cell[i] == arc.from) cell[i] = arc.to;
                add(cell, arc.next, {top.cost + 1, top.node, graph_.number(arc)});
            }
        }
        return false;
    }

    // ---- Chains of tiles between two cells x and y.

    // A chain is loaded like a queue: pieces come to x one after the other and are pushed in, the last one's first,
    // while what was in the chain comes out at y.
    void load_chain(const Cells& chain) {
        const std::uint32_t x = neighbour_outside(chain, chain.front(), none),
                            y = neighbour_outside(chain, chain.back(), x);
        if (x == none || y == none) throw std::invalid_argument("not a chain between two open cells");
        move_holes(nothing_fixed,
                   [&](std::uint32_t s) { return std::find(chain.begin(), chain.end(), s) == chain.end(); });
        for (std::size_t loaded = 0; loaded < chain.size(); ++loaded) {
            const std::int32_t piece = goal_[chain[chain.size() - 1 - loaded]];
            const auto found = std::find(chain.begin(), chain.end(), cell_of(piece));
            if (found != chain.end()) take_out(chain, x, y, piece, static_cast<std::size_t>(chain.end() - found));
            block(chain, true);
            const bool there = carry(piece, x);
            block(chain, false);
            if (!there) throw LimitReached("no path for a piece to its place");
            push(chain, x, y, x);
        }
    }
    std::uint32_t neighbour_outside(const Cells& chain, std::uint32_t end, std::uint32_t other) const {
        for (auto c : graph_.neighbours(end))
            if (is_open(c) && c != other && std::find(chain.begin(), chain.end(), c) == chain.end()) return c;
        return none;
    }
    // The hole enters the chain from y: everything in it moves one cell towards y, and what is on x follows. On its way
    // to y the hole does not move what is on `fixed`.
    void push(const Cells& chain, std::uint32_t x, std::uint32_t y, std::uint32_t fixed) {
        (*tick_)("route", moves_.size(), 0);
        if (piece_on_[y] != 0) {
            block(chain, true);
            const bool there =
                move_holes([&](std::uint32_t c) { return c == fixed; }, [&](std::uint32_t s) { return s == y; });
            block(chain, false);
            if (!there) throw LimitReached("no path for the hole to the end of a chain");
        }
        std::uint32_t hole = y;
        for (std::size_t i = chain.size(); i-- > 0;) move(chain[i], hole), hole = chain[i];
        move(x, hole);
    }
    // A piece that comes out at y after `pushes` pushes is pushed out and led away, and the chain is pushed back.
    void take_out(const Cells& chain, std::uint32_t x, std::uint32_t y, std::int32_t piece, std::size_t pushes) {
        for (std::size_t i = 0; i < pushes; ++i) push(chain, x, y, none);
        const Cells back(chain.rbegin(), chain.rend());
        for (std::size_t i = 0; i < pushes; ++i) {
            if (cell_of(piece) == y) lead_away(chain, piece, x, y);
            push(back, y, x, cell_of(piece));
        }
    }
    void lead_away(const Cells& chain, std::int32_t piece, std::uint32_t x, std::uint32_t y) {
        block(chain, true);
        bool gone = false;
        for (auto c : graph_.neighbours(y))
            if (!gone && c != x && is_open(c)) gone = carry(piece, c);
        block(chain, false);
        if (!gone) throw LimitReached("no path for a piece out of a chain");
    }
};

}  // namespace slidelab
