// Huge boards: pieces of one cell are carried to their places one by one, and the cells they fill are closed for good.
//
// A piece is carried by a search over (its cell, the working holes) that is shortest in a cost which also counts what
// happens to the others: a move that takes another piece nearer to its own place costs less, one that takes it away
// costs more. So the holes, which have to go round the piece anyway, choose the side where they do most good. What
// guides the search is the exact number of moves for one piece on the open board, found backwards from its place.
//
// Holes beyond those that work are pieces that move for nothing: a working hole that changes places with one of them
// makes no move at all.
#pragma once

#include "huge/hole_graph.hpp"
#include "base/key_set.hpp"

#include <cmath>
#include <optional>

namespace slidelab {

class Peeler {
public:
    static constexpr std::uint32_t none = HoleGraph::none;
    using Cells = std::vector<std::uint32_t>;

    // `lies` and `goal` say for each cell which piece lies there (0: a hole) and which should.
    Peeler(std::size_t cells, std::span<const HoleGraph::Step> steps, std::vector<std::int32_t> lies, std::vector<std::int32_t> goal,
           const Tick& tick = no_tick)
        : graph_(cells, steps), far_(graph_, tick), lies_(std::move(lies)), closed_(cells, 0), barred_(cells, 0) {
        if (lies_.size() != cells || goal.size() != cells) throw std::invalid_argument("a piece or a hole for each cell expected");
        where_.assign(cells + 1, none);
        home_.assign(cells + 1, none);
        const auto note = [&](const std::vector<std::int32_t>& from, std::vector<std::uint32_t>& to) {
            for (std::uint32_t c = 0; c < cells; ++c) {
                if (from[c] == 0) continue;
                if (from[c] < 0 || static_cast<std::size_t>(from[c]) > cells || to[static_cast<std::size_t>(from[c])] != none)
                    throw std::invalid_argument("each piece once expected");
                to[static_cast<std::size_t>(from[c])] = c;
            }
        };
        note(lies_, where_);
        note(goal, home_);
        for (std::size_t p = 1; p <= cells; ++p)
            if ((where_[p] == none) != (home_[p] == none)) throw std::invalid_argument("the same pieces expected");
        goal_ = std::move(goal);
        around_.resize(cells);
        users_.resize(cells);
        to_go_.assign(graph_.decisions(), unknown);
        least_.assign(cells, unknown);
    }

    const std::vector<std::int32_t>& lies() const { return lies_; }
    const std::vector<std::pair<std::uint32_t, std::uint32_t>>& moves() const { return moves_; }

    // Bring the pieces of these cells to them and close the cells. Several cells of tiles are a chain: each touches the next.
    void place(const Cells& ear, const Tick& tick) {
        for (std::size_t i = 0; i < ear.size(); ++i) {
            if (ear[i] >= graph_.cells() || closed_[ear[i]] || goal_[ear[i]] == 0) throw std::invalid_argument("not an open cell that wants a piece");
            if (i && graph_.holes() == 1 && !touch(ear[i - 1], ear[i])) throw std::invalid_argument("not a chain");
            if (std::count(ear.begin(), ear.end(), ear[i]) > 1) throw std::invalid_argument("a cell twice in a chain");
        }
        begin(tick);
        if (!is_right(ear)) {
            const bool tiles = graph_.holes() == 1;
            bool done = false;
            if (!tiles)
                for (auto c : ear)
                    if (lies_[c] != goal_[c]) unstick(goal_[c]);
            if (ear.size() == 1) done = carry(goal_[ear[0]], ear[0], is_enterable(ear[0])) || squeeze(goal_[ear[0]], ear[0]);
            else if (ear.size() <= (tiles ? 2 : most_together)) done = place_together(ear);
            if (!done && tiles && ear.size() > 1) load(ear), done = true;
            if (!done || !is_right(ear)) throw LimitReached("no way for a piece to its place");
        }
        for (auto c : ear) close(c);
    }

    // Bring any pieces to these cells, the nearest first, and close the cells.
    void fill(const Cells& ear, const Tick& tick) {
        begin(tick);
        for (auto c : ear)
            if (c >= graph_.cells() || closed_[c]) throw std::invalid_argument("not an open cell");
        for (auto cell : ear) {
            if (lies_[cell] == 0 && !fill(cell)) throw LimitReached("no way for a piece to a hole");
            barred_[cell] = 1;
        }
        bar(ear, 0);
        for (auto c : ear) close(c);
    }

private:
    static constexpr std::uint32_t unknown = none / 2;
    static constexpr std::uint32_t whole = 100;  // the cost of a move that changes nothing for others
    static constexpr std::uint32_t bias = 50;    // what a move costs less if it brings another piece nearer
    static constexpr std::uint32_t expected = 72;  // what moves cost on average, with that bias
    static constexpr unsigned near = 2;          // how far the holes may stray from the piece they carry

    // What an exception left barred is open again.
    void begin(const Tick& tick) {
        tick_ = &tick;
        std::fill(barred_.begin(), barred_.end(), 0);
    }
    bool touch(std::uint32_t a, std::uint32_t b) const {
        const auto around = graph_.neighbours(a);
        return std::find(around.begin(), around.end(), b) != around.end();
    }
    void step(std::uint32_t from, std::uint32_t to) {
        const std::int32_t piece = lies_[from];
        if (piece == 0) return;  // a hole that does no work: nothing moves
        lies_[to] = piece;
        lies_[from] = 0;
        where_[static_cast<std::size_t>(piece)] = to;
        moves_.emplace_back(from, to);
    }

    bool open(std::uint32_t cell) const { return !closed_[cell] && !barred_[cell]; }
    bool open_shape(std::uint32_t shape) const {
        for (auto c : graph_.cells(shape))
            if (!open(c)) return false;
        return true;
    }
    bool empty_shape(std::uint32_t shape) const {
        for (auto c : graph_.cells(shape))
            if (lies_[c] != 0) return false;
        return true;
    }
    bool has(std::uint32_t shape, std::uint32_t cell) const {
        for (auto c : graph_.cells(shape))
            if (c == cell) return true;
        return false;
    }

    void close(std::uint32_t cell) {
        closed_[cell] = 1;
        for (auto t : users_[cell]) around_[t].clear();
        users_[cell].clear();
    }

    // From each decision of a cell to each other, how many moves the holes need while the piece stays.
    const std::vector<std::uint16_t>& around(std::uint32_t cell) {
        auto& out = around_[cell];
        const std::uint32_t first = graph_.first_decision(cell), many = graph_.decisions(cell);
        if (!out.empty() || many == 0) return out;
        out.assign(std::size_t{many} * many, no_way);
        seen_.resize(graph_.shapes(), 0);
        from_.resize(graph_.shapes());
        for (std::uint32_t i = 0; i < many; ++i) {
            const std::uint32_t start = graph_.decision_shape(first + i);
            if (shape_closed(start)) continue;
            std::uint32_t wanted = 0;
            for (std::uint32_t j = 0; j < many; ++j) wanted += j != i && !shape_closed(graph_.decision_shape(first + j));
            out[i * many + i] = 0;
            queue_.assign(1, start);
            next_seen();
            seen_[start] = stamp_;
            from_[start] = {none, 0};
            for (std::size_t q = 0; q < queue_.size() && wanted; ++q) {
                const std::uint32_t s = queue_[q];
                if (from_[s].second >= no_way - 1) break;
                for (const auto& arc : graph_.arcs(s)) {
                    if (arc.from == cell || closed_[arc.from] || seen_[arc.next] == stamp_) continue;
                    seen_[arc.next] = stamp_;
                    from_[arc.next] = {s, static_cast<std::uint16_t>(from_[s].second + 1)};
                    queue_.push_back(arc.next);
                    const std::uint32_t d = graph_.decision_of(cell, arc.next);
                    if (d == none) continue;
                    out[i * many + d - first] = from_[arc.next].second;
                    --wanted;
                    for (std::uint32_t back = arc.next; back != none; back = from_[back].first)
                        for (auto c : graph_.cells(back))
                            if (users_[c].empty() || users_[c].back() != cell) users_[c].push_back(cell);
                }
            }
        }
        return out;
    }
    bool shape_closed(std::uint32_t shape) const {
        for (auto c : graph_.cells(shape))
            if (closed_[c]) return true;
        return false;
    }
    void next_seen() {
        if (++stamp_ == 0) std::fill(seen_.begin(), seen_.end(), 0), stamp_ = 1;
    }

    // How many moves a piece needs from each decision to the target if nothing is barred, as far as `start`; only cells
    // on ways that are at most `slack` longer than the shortest are looked at (all, if `slack` is `unknown`).
    void look_back(std::uint32_t start, std::uint32_t target, std::uint32_t slack) {
        for (auto d : touched_) to_go_[d] = unknown;
        for (auto c : touched_cells_) least_[c] = unknown;
        touched_.clear();
        touched_cells_.clear();
        const bool corridor = slack != unknown && far_(start, target) < 255;
        const auto inside = [&](std::uint32_t c) {
            return !closed_[c] && (!corridor || static_cast<std::uint32_t>(far_(c, target)) + far_(c, start) <= far_(start, target) + slack);
        };
        for (auto& bucket : buckets_) bucket.clear();
        const auto reach = [&](std::uint32_t d, std::uint32_t cell, std::uint32_t cost) {
            if (cost >= to_go_[d] || cost > most_cost) return;
            if (to_go_[d] == unknown) touched_.push_back(d);
            to_go_[d] = cost;
            if (least_[cell] == unknown) touched_cells_.push_back(cell);
            least_[cell] = std::min(least_[cell], cost);
            if (cost >= buckets_.size()) buckets_.resize(cost + 64);
            buckets_[cost].emplace_back(d, cell);
        };
        for (std::uint32_t i = 0; i < graph_.decisions(target); ++i)
            if (!shape_closed(graph_.decision_shape(graph_.first_decision(target) + i))) reach(graph_.first_decision(target) + i, target, 0);
        std::uint32_t last = unknown;
        for (std::uint32_t cost = 0; cost < buckets_.size() && cost <= last; ++cost) {
            for (std::size_t k = 0; k < buckets_[cost].size(); ++k) {
                const auto [d, cell] = buckets_[cost][k];
                if (to_go_[d] != cost) continue;
                if (cell == start && last == unknown) last = cost + 8;  // other decisions there are not far
                for (const auto& arc : graph_.arcs(graph_.decision_shape(d))) {
                    if (arc.from != cell || !inside(arc.to)) continue;
                    const std::uint32_t there = graph_.decision_of(arc.to, arc.next);
                    if (there != none) reach(there, arc.to, cost + 1);
                }
                if (cell == target) continue;
                const std::uint32_t first = graph_.first_decision(cell), many = graph_.decisions(cell), i = d - first;
                if (many > most_decisions) {
                    guess_around(d, cell, cost, reach);
                    continue;
                }
                const auto& turn = around(cell);
                for (std::uint32_t j = 0; j < many; ++j)
                    if (turn[i * many + j] != no_way && j != i) reach(first + j, cell, cost + turn[i * many + j]);
            }
        }
    }

    // Round a cell with very many neighbours: as far as it is for a piece, which is near enough for a guide.
    template <class Reach>
    void guess_around(std::uint32_t d, std::uint32_t cell, std::uint32_t cost, const Reach& reach) const {
        const std::uint32_t from = graph_.cells(graph_.decision_shape(d))[0];
        for (std::uint32_t j = graph_.first_decision(cell); j < graph_.first_decision(cell) + graph_.decisions(cell); ++j) {
            const std::uint32_t shape = graph_.decision_shape(j);
            if (j != d && !shape_closed(shape)) reach(j, cell, cost + std::max<std::uint32_t>(1, far_(from, graph_.cells(shape)[0])));
        }
    }

    std::uint32_t estimate(std::uint32_t cell, std::uint32_t shape, std::uint32_t target) const {
        if (cell == target) return 0;
        const std::uint32_t least = least_[cell];
        if (least == unknown) return unknown;
        const std::uint32_t d = graph_.decision_of(cell, shape);
        if (d != none && to_go_[d] != unknown) return to_go_[d] * expected;
        return (least + distance(shape, cell)) * expected;
    }
    std::uint32_t distance(std::uint32_t shape, std::uint32_t cell) const {
        std::uint32_t d = 255;
        for (auto c : graph_.cells(shape)) d = std::min<std::uint32_t>(d, far_(c, cell));
        return d > 0 ? d - 1 : 0;
    }

    // What a move costs that takes the piece of an arc out of the way.
    std::uint32_t cost(const HoleGraph::Arc& arc) const {
        const std::int32_t piece = lies_[arc.from];
        if (piece == 0) return 1;
        const std::uint8_t* row = far_.row(home_[static_cast<std::size_t>(piece)]);
        return whole + bias * (row[arc.to] + 1u) - bias * (row[arc.from] + 1u);
    }

    // Can what lies there be another's turn: is there more than one way in for the holes?
    bool is_enterable(std::uint32_t cell) const {
        std::size_t ways = 0;
        for (auto c : graph_.neighbours(cell)) ways += open(c);
        return open(cell) && ways > graph_.holes();
    }

    // Carry a piece to a cell; false if there is no way through what is open, or none near if not `thorough`.
    bool carry(std::int32_t piece, std::uint32_t target, bool thorough = true) {
        return carry_from(where_[static_cast<std::size_t>(piece)], target, thorough);
    }
    // The same for what lies on a cell, which may be a hole that does no work.
    bool carry_from(std::uint32_t start, std::uint32_t target, bool thorough) {
        if (start == target) return true;
        look_back(start, target, 2);
        if (least_[start] != unknown && find_way(start, target, Looking::near_by)) return true;
        if (!thorough) return false;
        look_back(start, target, unknown);
        if (least_[start] != unknown && find_way(start, target, Looking::guided)) return true;
        return find_way(start, target, Looking::everywhere);
    }

    // Only with the holes near the piece; wherever the look back has been; or without any guide.
    enum class Looking { near_by, guided, everywhere };

    struct Entry {
        std::uint32_t node, cost;
    };
    // States by their estimate, the least first, and of those the last that came. Estimates are small numbers.
    class Queue {
    public:
        void clear() {
            for (std::size_t i = least_; i < end_; ++i) buckets_[i].clear();
            least_ = end_ = size_ = 0;
        }
        bool empty() const { return size_ == 0; }
        void push(std::uint32_t total, Entry entry) {
            const std::size_t bucket = total / width;
            if (bucket >= buckets_.size()) buckets_.resize(bucket + 256);
            if (size_ == 0 && end_ == 0) least_ = bucket;
            least_ = std::min(least_, bucket);
            end_ = std::max(end_, bucket + 1);
            buckets_[bucket].push_back(entry);
            ++size_;
        }
        Entry pop() {
            while (buckets_[least_].empty()) ++least_;
            const Entry entry = buckets_[least_].back();
            buckets_[least_].pop_back();
            --size_;
            return entry;
        }

    private:
        static constexpr std::uint32_t width = 4;
        std::vector<std::vector<Entry>> buckets_;
        std::size_t least_ = 0, end_ = 0, size_ = 0;
    };
    struct Node {
        std::uint32_t cost, parent, arc;
    };

    bool find_way(std::uint32_t start, std::uint32_t target, Looking looking) {
        const bool guided = looking != Looking::everywhere;
        keys_.clear();
        nodes_.clear();
        heap_.clear();
        const std::uint64_t shapes = graph_.shapes();
        const auto add = [&](std::uint32_t cell, std::uint32_t shape, Node node) {
            const std::uint32_t rest = guided ? estimate(cell, shape, target) : 0;
            if (rest == unknown) return;
            const auto [number, is_new] = keys_.insert(cell * shapes + shape);
            if (is_new) nodes_.push_back(node);
            else if (nodes_[number].cost <= node.cost) return;
            else nodes_[number] = node;
            heap_.push(node.cost + rest, {number, node.cost});
        };
        for (auto s : working_shapes())
            if (!has(s, start)) add(start, s, {0, none, none});
        std::uint32_t rounds = 0;
        while (!heap_.empty() && nodes_.size() < (guided ? most_states : 2 * most_states)) {
            const Entry top = heap_.pop();
            if (nodes_[top.node].cost < top.cost) continue;
            if ((++rounds & 0xfff) == 0) (*tick_)("route", rounds, 0);
            const auto cell = static_cast<std::uint32_t>(keys_.key(top.node) / shapes);
            const auto shape = static_cast<std::uint32_t>(keys_.key(top.node) % shapes);
            if (cell == target) {
                follow(top.node);
                return true;
            }
            const std::uint32_t here = looking == Looking::near_by ? distance(shape, cell) : 0;
            for (const auto& arc : graph_.arcs(shape)) {
                if (!open(arc.from)) continue;
                if (arc.from == cell) {
                    add(arc.to, arc.next, {top.cost + whole, top.node, graph_.number(arc)});
                    continue;
                }
                if (looking == Looking::near_by) {
                    const std::uint32_t there = distance(arc.next, cell);
                    if (there > here && there >= near) continue;
                }
                add(cell, arc.next, {top.cost + cost(arc), top.node, graph_.number(arc)});
            }
        }
        return false;
    }
    void follow(std::uint32_t node) {
        way_.clear();
        for (; nodes_[node].parent != none; node = nodes_[node].parent) way_.push_back(nodes_[node].arc);
        for (std::size_t i = way_.size(); i-- > 0;) step(graph_.arc(way_[i]).from, graph_.arc(way_[i]).to);
    }

    // A piece in such a corner is got out of it in the same way.
    void unstick(std::int32_t piece) {
        const std::uint32_t corner = where_[static_cast<std::size_t>(piece)];
        const std::size_t holes = open_holes();
        if (is_enterable(corner) || holes <= graph_.holes()) return;
        bring_holes(corner, corner, std::min(holes, most_holes));
        for (unsigned radius : {3u, 4u, 6u, 9u})
            for (auto c : graph_.neighbours(corner))
                for (auto d : graph_.neighbours(c))
                    if (where_[static_cast<std::size_t>(piece)] == corner && is_enterable(d) && d != corner && !touch(corner, d)) find_way_with_holes(piece, d, radius);
    }
    std::size_t open_holes() const {
        std::size_t holes = 0;
        for (std::uint32_t c = 0; c < graph_.cells(); ++c) holes += lies_[c] == 0 && open(c);
        return holes;
    }
    // A corner that two working holes can't get a new piece into: a search over the piece and more holes, near by.
    bool squeeze(std::int32_t piece, std::uint32_t target) {
        const std::size_t holes = open_holes();
        if (holes <= graph_.holes()) return false;
        for (auto c : graph_.neighbours(target))
            if (is_enterable(c) && carry(piece, c, false)) break;
        bring_holes(where_[static_cast<std::size_t>(piece)], target, std::min(holes, most_holes));
        for (unsigned radius : {3u, 4u, 6u, 9u})
            if (find_way_with_holes(piece, target, radius)) return true;
        return false;
    }
    // Holes that do no work are carried like pieces.
    void bring_holes(std::uint32_t kept, std::uint32_t target, std::size_t wanted) {
        const auto is_near = [&](std::uint32_t c) { return far_(c, target) <= 2; };
        barred_[kept] = 1;
        walk_holes(working_shapes(), [](std::uint32_t) { return false; }, [&](std::uint32_t s) {
            for (auto c : graph_.cells(s))
                if (!is_near(c)) return false;
            return true;
        });
        for (std::size_t round = 0; round < wanted; ++round) {
            std::uint32_t nearest = none;
            for (std::uint32_t c = 0; c < graph_.cells(); ++c)
                if (lies_[c] == 0 && open(c) && !is_near(c) && (nearest == none || far_(c, target) < far_(nearest, target))) nearest = c;
            bool moved = false;
            if (nearest != none && !is_enterable(nearest)) get_out(nearest);
            for (std::uint32_t c = 0; c < graph_.cells() && nearest != none && lies_[nearest] == 0 && !moved; ++c)
                if (is_near(c) && lies_[c] != 0 && c != target && is_enterable(c)) moved = carry_from(nearest, c, true);
        }
        barred_[kept] = 0;
    }
    // A hole in a corner: others come there, and some piece takes its place.
    void get_out(std::uint32_t corner) {
        const auto beside = [&](std::uint32_t s) {
            for (auto c : graph_.cells(s))
                if (c == corner || !touch(corner, c)) return false;
            return true;
        };
        walk_holes(working_shapes(), [](std::uint32_t) { return false; }, beside);
        ball({corner}, 2);
        for (auto c : Cells(queue_))
            if (lies_[corner] == 0 && lies_[c] != 0 && !barred_[c]) find_way_with_holes(lies_[c], corner, 3);
    }
    bool find_way_with_holes(std::int32_t piece, std::uint32_t target, unsigned radius) {
        ball({target}, radius);
        Cells window;
        for (auto c : queue_)
            if (window.size() < 200) window.push_back(c);
        std::vector<std::uint8_t> local(graph_.cells(), 255);
        for (std::size_t i = 0; i < window.size(); ++i) local[window[i]] = static_cast<std::uint8_t>(i);
        Cells holes;
        for (auto c : window)
            if (lies_[c] == 0 && holes.size() < most_holes) holes.push_back(c);
        if (holes.size() < graph_.holes() || local[where_[static_cast<std::size_t>(piece)]] == 255) return false;
        keys_.clear();
        nodes_.clear();
        const auto add = [&](std::uint32_t cell, Cells now, Node node) {
            std::sort(now.begin(), now.end());
            std::uint64_t key = local[cell];
            for (auto c : now) key = key << 8 | local[c];
            if (keys_.insert(key).second) nodes_.push_back(node);
        };
        add(where_[static_cast<std::size_t>(piece)], holes, {0, none, none});
        for (std::uint32_t n = 0; n < nodes_.size() && nodes_.size() < most_states; ++n) {
            if ((n & 0xfff) == 0xfff) (*tick_)("route", n, 0);
            std::uint64_t key = keys_.key(n);
            Cells now(holes.size());
            for (std::size_t i = now.size(); i-- > 0; key >>= 8) now[i] = window[key & 255];
            const std::uint32_t cell = window[key];
            if (cell == target) {
                follow(n);
                return true;
            }
            for (std::size_t i = 0; i < now.size(); ++i)
                for (std::size_t j = graph_.holes() == 1 ? i : i + 1; j < (graph_.holes() == 1 ? i + 1 : now.size()); ++j) {
                    const std::uint32_t shape = graph_.holes() == 1 ? now[i] : graph_.find(now[i], now[j]);
                    if (shape == none) continue;
                    for (const auto& arc : graph_.arcs(shape)) {
                        if (local[arc.from] == 255 || !open(arc.from) || lies_outside(arc.from, now, holes)) continue;
                        Cells then = now;
                        *std::find(then.begin(), then.end(), arc.to) = arc.from;
                        add(arc.from == cell ? arc.to : cell, std::move(then), {0, n, graph_.number(arc)});
                    }
                }
        }
        return false;
    }
    // Is there nothing to move: one of the holes now, or a hole of the board that the search leaves alone?
    bool lies_outside(std::uint32_t cell, const Cells& now, const Cells& holes) const {
        if (std::find(now.begin(), now.end(), cell) != now.end()) return true;
        return lies_[cell] == 0 && std::find(holes.begin(), holes.end(), cell) == holes.end();
    }

    bool fill(std::uint32_t cell) {
        Cells order{cell};
        std::vector<std::uint8_t> seen(graph_.cells(), 0);
        seen[cell] = 1;
        std::size_t tries = 0;
        for (std::size_t i = 0; i < order.size() && tries < most_tries; ++i) {
            tries += lies_[order[i]] != 0;
            if (lies_[order[i]] != 0 && (carry(lies_[order[i]], cell, is_enterable(cell)) || squeeze(lies_[order[i]], cell))) return true;
            for (auto c : graph_.neighbours(order[i]))
                if (!seen[c] && open(c)) seen[c] = 1, order.push_back(c);
        }
        return false;
    }

    // The last cells of a row: none can be filled without the others being open. The pieces are brought to their cells
    // one after the other, or as near as they get, and a search for all together does the rest. Of several ways to begin
    // the best is taken; two pieces may also go in one behind the other.
    bool place_together(const Cells& ear) {
        const std::size_t before = moves_.size();
        std::optional<std::vector<std::pair<std::uint32_t, std::uint32_t>>> best;
        const int ways = ear.size() == 2 ? 4 : 2;
        for (int way = 0; way < ways; ++way) {
            Cells order = ear;
            if (way & 1) std::reverse(order.begin(), order.end());
            stage(order, way & 2);
            bool found = is_right(ear);
            // Far only if all else fails, for it takes long; tiles can always be pushed in one after the other.
            const bool last = way + 1 == ways && !best && graph_.holes() > 1;
            if (!found) found = find_way_together(ear, 3, most_states / 64);
            if (!found && last) found = find_way_together(ear, 5, most_states / 4) || find_way_together(ear, 9, most_states);
            if (found && (!best || moves_.size() - before < best->size())) best.emplace(moves_.begin() + static_cast<std::ptrdiff_t>(before), moves_.end());
            take_back(before);
        }
        if (best)
            for (const auto& [from, to] : *best) step(from, to);
        return best.has_value();
    }
    bool is_right(const Cells& ear) const {
        return std::all_of(ear.begin(), ear.end(), [&](auto c) { return lies_[c] == goal_[c]; });
    }
    void stage(const Cells& order, bool behind) {
        Cells kept;
        for (std::size_t i = 0; i < order.size(); ++i) {
            const std::int32_t piece = goal_[order[i]];
            const std::uint32_t cell = behind ? order[1] : order[i];  // behind: the first goes to the second's cell
            bool there = is_enterable(cell) && carry(piece, cell, i == 0);
            for (auto c : graph_.neighbours(cell))
                if (!there && is_enterable(c) && std::find(order.begin(), order.end(), c) == order.end()) there = carry(piece, c, false);
            kept.push_back(where_[static_cast<std::size_t>(piece)]);
            barred_[kept.back()] = 1;
        }
        bar(kept, 0);
    }
    void take_back(std::size_t before) {
        std::vector<std::pair<std::uint32_t, std::uint32_t>> undone(moves_.begin() + static_cast<std::ptrdiff_t>(before), moves_.end());
        for (std::size_t i = undone.size(); i-- > 0;) step(undone[i].second, undone[i].first);
        moves_.resize(before);
    }

    bool find_way_together(const Cells& ear, unsigned radius, std::size_t most) {
        const std::uint64_t shapes = graph_.shapes(), cells = graph_.cells();
        ball(ear, radius);
        const std::size_t many = ear.size();
        if (std::pow(static_cast<double>(cells), static_cast<double>(many)) * static_cast<double>(shapes) > 9e18) return false;  // no room for a key
        std::array<std::uint32_t, most_together> at{};
        for (std::size_t i = 0; i < many; ++i) {
            at[i] = where_[static_cast<std::size_t>(goal_[ear[i]])];
            if (!inside_[at[i]]) return false;
        }
        keys_.clear();
        nodes_.clear();
        heap_.clear();
        const auto add = [&](const std::array<std::uint32_t, most_together>& cell, std::uint32_t shape, Node node) {
            std::uint64_t key = 0;
            std::uint32_t rest = 0;
            for (std::size_t i = 0; i < many; ++i) {
                key = key * cells + cell[i];
                rest += far_(cell[i], ear[i]);
            }
            const auto [number, is_new] = keys_.insert(key * shapes + shape);
            if (is_new) nodes_.push_back(node);
            else if (nodes_[number].cost <= node.cost) return;
            else nodes_[number] = node;
            heap_.push(whole * (node.cost + hurry * rest), {number, node.cost});
        };
        for (auto s : working_shapes())
            if (inside(s)) add(at, s, {0, none, none});
        if (nodes_.empty()) return approach(ear) && find_way_together(ear, radius, most);
        while (!heap_.empty() && nodes_.size() < most) {
            const Entry top = heap_.pop();
            if (nodes_[top.node].cost < top.cost) continue;
            if ((top.node & 0xfff) == 0xfff) (*tick_)("route", nodes_.size(), 0);
            std::uint64_t key = keys_.key(top.node);
            const auto shape = static_cast<std::uint32_t>(key % shapes);
            key /= shapes;
            bool right = true;
            for (std::size_t i = many; i-- > 0; key /= cells) {
                at[i] = static_cast<std::uint32_t>(key % cells);
                right = right && at[i] == ear[i];
            }
            if (right) {
                follow(top.node);
                return true;
            }
            for (const auto& arc : graph_.arcs(shape)) {
                if (!open(arc.from) || !inside_[arc.from]) continue;
                auto cell = at;
                for (std::size_t i = 0; i < many; ++i)
                    if (cell[i] == arc.from) cell[i] = arc.to;
                add(cell, arc.next, {top.cost + 1, top.node, graph_.number(arc)});
            }
        }
        return false;
    }
    // Shapes of holes that can do the work.
    std::vector<std::uint32_t> working_shapes() const {
        std::vector<std::uint32_t> out;
        for (std::uint32_t c = 0; c < graph_.cells(); ++c) {
            if (lies_[c] != 0 || !open(c)) continue;
            for (auto s : graph_.shapes_at(c))
                if (graph_.cells(s)[0] == c && empty_shape(s) && open_shape(s)) out.push_back(s);
        }
        return out;
    }
    bool inside(std::uint32_t shape) const {
        for (auto c : graph_.cells(shape))
            if (!inside_[c]) return false;
        return true;
    }
    void ball(const Cells& centre, unsigned radius) {
        inside_.assign(graph_.cells(), 0);
        queue_ = centre;
        for (auto c : centre) inside_[c] = 1;
        std::size_t done = 0;
        for (unsigned r = 0; r < radius; ++r)
            for (const std::size_t end = queue_.size(); done < end; ++done)
                for (auto c : graph_.neighbours(queue_[done]))
                    if (!inside_[c] && open(c)) inside_[c] = 1, queue_.push_back(c);
    }
    // Bring working holes into the ball, not moving what lies on the ear if that can be helped.
    bool approach(const Cells& ear) {
        const auto starts = working_shapes();
        const auto there = [&](std::uint32_t s) { return inside(s); };
        return walk_holes(starts, [&](std::uint32_t c) { return std::find(ear.begin(), ear.end(), c) != ear.end(); }, there) ||
               walk_holes(starts, [](std::uint32_t) { return false; }, there);
    }

    // The fewest moves that bring the working holes to a shape that `there` likes, no piece on a `still` cell moving.
    template <class Still, class There>
    bool walk_holes(const std::vector<std::uint32_t>& starts, Still still, There there) {
        seen_.resize(graph_.shapes(), 0);
        from_arc_.resize(graph_.shapes());
        next_seen();
        queue_.clear();
        for (auto s : starts)
            if (seen_[s] != stamp_) seen_[s] = stamp_, from_arc_[s] = none, queue_.push_back(s);
        for (std::size_t q = 0; q < queue_.size(); ++q) {
            std::uint32_t s = queue_[q];
            if (there(s)) {
                way_.clear();
                for (; from_arc_[s] != none; s = graph_.arc(from_arc_[s]).shape) way_.push_back(from_arc_[s]);
                for (std::size_t i = way_.size(); i-- > 0;) step(graph_.arc(way_[i]).from, graph_.arc(way_[i]).to);
                return true;
            }
            for (const auto& arc : graph_.arcs(s))
                if (seen_[arc.next] != stamp_ && open(arc.from) && !still(arc.from)) seen_[arc.next] = stamp_, from_arc_[arc.next] = graph_.number(arc), queue_.push_back(arc.next);
        }
        return false;
    }

    // A chain of cells between x and y is loaded like a queue: pieces come to x one after the other and are pushed in,
    // the last one's first, while what was in the chain comes out at y.
    void load(const Cells& chain) {
        const std::uint32_t x = outside_end(chain, chain.front(), none), y = outside_end(chain, chain.back(), x);
        if (x == none || y == none) throw std::invalid_argument("not a chain between two open cells");
        walk_holes(working_shapes(), [](std::uint32_t) { return false; }, [&](std::uint32_t s) { return std::find(chain.begin(), chain.end(), s) == chain.end(); });
        for (std::size_t loaded = 0; loaded < chain.size(); ++loaded) {
            const std::int32_t piece = goal_[chain[chain.size() - 1 - loaded]];
            const auto found = std::find(chain.begin(), chain.end(), where_[static_cast<std::size_t>(piece)]);
            if (found != chain.end()) take_out(chain, x, y, piece, static_cast<std::size_t>(chain.end() - found));
            bar(chain, 1);
            const bool there = carry(piece, x);
            bar(chain, 0);
            if (!there) throw LimitReached("no way for a piece to its place");
            push(chain, x, y, x);
        }
    }
    std::uint32_t outside_end(const Cells& chain, std::uint32_t end, std::uint32_t not_this) const {
        for (auto c : graph_.neighbours(end))
            if (open(c) && c != not_this && std::find(chain.begin(), chain.end(), c) == chain.end()) return c;
        return none;
    }
    void bar(const Cells& cells, std::uint8_t value) {
        for (auto c : cells) barred_[c] = value;
    }
    // The hole enters the chain from y's side: everything in it moves one cell towards y, and what lies on x follows. On
    // its way there the hole leaves alone what lies on `still`.
    void push(const Cells& chain, std::uint32_t x, std::uint32_t y, std::uint32_t still) {
        hole_to(chain, y, still);
        std::uint32_t hole = y;
        for (std::size_t i = chain.size(); i-- > 0;) step(chain[i], hole), hole = chain[i];
        step(x, hole);
    }
    void hole_to(const Cells& chain, std::uint32_t cell, std::uint32_t still) {
        if (lies_[cell] == 0) return;
        bar(chain, 1);
        const bool there = walk_holes(working_shapes(), [&](std::uint32_t c) { return c == still; }, [&](std::uint32_t s) { return s == cell; });
        bar(chain, 0);
        if (!there) throw LimitReached("no way for the hole to the end of a chain");
    }
    // A piece that is `pushes` pushes away from coming out at y is pushed out, led away, and the chain pushed back.
    void take_out(const Cells& chain, std::uint32_t x, std::uint32_t y, std::int32_t piece, std::size_t pushes) {
        for (std::size_t i = 0; i < pushes; ++i) push(chain, x, y, none);
        const Cells back(chain.rbegin(), chain.rend());
        for (std::size_t i = 0; i < pushes; ++i) {
            if (where_[static_cast<std::size_t>(piece)] == y) lead_away(chain, piece, x, y);
            push(back, y, x, where_[static_cast<std::size_t>(piece)]);
        }
    }
    void lead_away(const Cells& chain, std::int32_t piece, std::uint32_t x, std::uint32_t y) {
        bar(chain, 1);
        bool gone = false;
        for (auto c : graph_.neighbours(y))
            if (!gone && c != x && open(c)) gone = carry(piece, c);
        bar(chain, 0);
        if (!gone) throw LimitReached("no way for a piece out of a chain");
    }

    static constexpr std::uint16_t no_way = std::numeric_limits<std::uint16_t>::max();
    static constexpr std::size_t most_states = 4'000'000;
    static constexpr std::uint32_t most_cost = 1 << 20;  // moves of one piece
    static constexpr std::size_t most_together = 4;
    static constexpr std::size_t most_holes = 5;
    static constexpr std::size_t most_tries = 40;
    static constexpr std::uint32_t most_decisions = 10;  // for which all ways round a cell are found
    static constexpr std::uint32_t hurry = 2;  // for pieces that go together, near is worth more than short

    HoleGraph graph_;
    CellDistances far_;
    std::vector<std::int32_t> lies_, goal_;
    std::vector<std::uint32_t> where_, home_;  // of pieces, from 1
    std::vector<std::uint8_t> closed_, barred_, inside_;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> moves_;
    const Tick* tick_ = nullptr;

    std::vector<std::vector<std::uint16_t>> around_;
    std::vector<Cells> users_;  // cells whose ways round pass here
    std::vector<std::uint32_t> seen_, queue_, from_arc_, way_;
    std::vector<std::pair<std::uint32_t, std::uint16_t>> from_;
    std::uint32_t stamp_ = 0;

    std::vector<std::uint32_t> to_go_, least_, touched_, touched_cells_;
    std::vector<std::vector<std::pair<std::uint32_t, std::uint32_t>>> buckets_;

    KeySet keys_;
    std::vector<Node> nodes_;
    Queue heap_;
};

}  // namespace slidelab
