// The working holes on boards of any size: one hole for tiles, two neighbouring ones for hexagonal tiles.
//
// A step takes a piece of one cell to a neighbouring hole, and may need a second hole that touches both cells. The
// cells of the working holes are a shape; there are as many shapes as cells, or as pairs of cells with a common
// neighbour, however many pieces there are. All other holes are left out: see PeelBoard.
#pragma once

#include "base/breadth_first.hpp"
#include "base/key_set.hpp"
#include "base/tick.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <stdexcept>

namespace slidelab {

class HoleGraph {
public:
    static constexpr std::uint32_t none = KeySet::none;

    struct Step {
        std::int32_t from, to, beside;  // beside: the second hole, -1 if none is needed
    };
    // The piece on `from` goes to `to`, a hole of the shape it belongs to; the holes are `next` then.
    struct Arc {
        std::uint32_t from, to, shape, next;
    };

    HoleGraph(std::size_t cells, std::span<const Step> steps, const Tick& tick = no_tick) : cells_(cells) {
        if (cells == 0 || cells >= (1u << 24)) throw std::invalid_argument("cells out of range");
        const auto ok = [&](std::int32_t c) { return c >= 0 && static_cast<std::size_t>(c) < cells; };
        const bool pairs = !steps.empty() && steps[0].beside >= 0;
        for (const auto& s : steps)
            if (!ok(s.from) || !ok(s.to) || s.from == s.to || (s.beside >= 0) != pairs ||
                (pairs && (!ok(s.beside) || s.beside == s.from || s.beside == s.to)))
                throw std::invalid_argument("no such step");
        holes_ = pairs ? 2 : 1;
        name_shapes(steps, tick);
        std::vector<std::uint32_t> count(shapes_.size() + 1, 0);
        for (const auto& s : steps) ++count[shape_of(s) + 1];
        for (std::size_t s = 0; s < shapes_.size(); ++s) count[s + 1] += count[s];
        first_ = count;
        arcs_.resize(steps.size());
        for (std::size_t i = 0; i < steps.size(); ++i) {
            if ((i & tick_mask) == 0) tick("board", i, steps.size());
            const Step& s = steps[i];
            const std::uint32_t shape = shape_of(s), next = find(static_cast<std::uint32_t>(s.from),
                                                                 pairs ? static_cast<std::uint32_t>(s.beside) : none);
            if (next == none) throw std::invalid_argument("a step that can't be taken back");
            arcs_[count[shape]++] = {static_cast<std::uint32_t>(s.from), static_cast<std::uint32_t>(s.to), shape, next};
        }
        for (std::size_t i = 0; i < arcs_.size(); ++i) {
            if ((i & tick_mask) == 0) tick("board", i, arcs_.size());
            const Arc& arc = arcs_[i];
            const auto back = arcs(arc.next);
            if (std::none_of(back.begin(), back.end(),
                             [&](const Arc& b) { return b.from == arc.to && b.to == arc.from && b.next == arc.shape; }))
                throw std::invalid_argument("a step that can't be taken back");
        }
        list_decisions(tick);
        list_neighbours(tick);
    }

    std::size_t cells() const { return cells_; }
    std::size_t holes() const { return holes_; }
    std::size_t shapes() const { return shapes_.size(); }
    std::span<const Arc> arcs(std::uint32_t shape) const {
        return {arcs_.data() + first_[shape], first_[shape + 1] - first_[shape]};
    }
    const Arc& arc(std::uint32_t number) const { return arcs_[number]; }
    std::uint32_t number(const Arc& arc) const { return static_cast<std::uint32_t>(&arc - arcs_.data()); }
    std::span<const std::uint32_t> cells(std::uint32_t shape) const { return {shapes_[shape].data(), holes_}; }
    std::span<const std::uint32_t> shapes_at(std::uint32_t cell) const {
        return {at_.data() + first_at_[cell], first_at_[cell + 1] - first_at_[cell]};
    }
    std::span<const std::uint32_t> neighbours(std::uint32_t cell) const {
        return {neighbours_.data() + first_neighbour_[cell], first_neighbour_[cell + 1] - first_neighbour_[cell]};
    }

    // The shape with holes on these cells, `none` if from there nothing can move.
    std::uint32_t find(std::uint32_t a, std::uint32_t b = none) const {
        return holes_ == 1 ? a : numbers_.find(key(a, b));
    }

    // How many steps a piece needs on an empty board, 0 if there is no path. `distance` and `queue` are work space.
    std::uint32_t distance(std::uint32_t from, std::uint32_t to, std::vector<std::uint32_t>& distance,
                           std::vector<std::uint32_t>& queue) const {
        distance.assign(cells_, none);
        queue.resize(cells_);
        queue[0] = from;
        distance[from] = 0;
        breadth_first(
            queue.data(), 1, distance.data(), none, none, [&](std::uint32_t c) { return neighbours(c); },
            [&](std::uint32_t c) { return c == to; });
        return distance[to] == none ? 0 : distance[to];
    }

    // The sum of these distances over pairs of cells.
    std::uint64_t distance_sum(std::span<const std::array<std::int32_t, 2>> pairs, const Tick& tick) const {
        std::uint64_t sum = 0;
        std::vector<std::uint32_t> far(cells_), queue;
        for (std::size_t i = 0; i < pairs.size(); ++i) {
            tick("distances", i, pairs.size());
            const auto [a, b] = pairs[i];
            if (a < 0 || b < 0 || static_cast<std::size_t>(std::max(a, b)) >= cells_)
                throw std::invalid_argument("no such cell");
            sum += distance(static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(b), far, queue);
        }
        return sum;
    }

    // A decision is a cell with a shape that lets the piece there move on; numbered cell by cell.
    std::uint32_t first_decision(std::uint32_t cell) const { return first_decision_[cell]; }
    std::uint32_t decisions(std::uint32_t cell) const { return first_decision_[cell + 1] - first_decision_[cell]; }
    std::size_t decisions() const { return decision_shape_.size(); }
    std::uint32_t decision_shape(std::uint32_t decision) const { return decision_shape_[decision]; }
    std::uint32_t decision_of(std::uint32_t cell, std::uint32_t shape) const {
        for (std::uint32_t d = first_decision_[cell]; d < first_decision_[cell + 1]; ++d)
            if (decision_shape_[d] == shape) return d;
        return none;
    }

private:
    static constexpr std::size_t tick_mask = 0x3ff;  // of steps or cells, each of which may have many others beside it

    static std::uint64_t key(std::uint64_t a, std::uint64_t b) { return a < b ? a << 32 | b : b << 32 | a; }

    void name_shapes(std::span<const Step> steps, const Tick& tick) {
        if (holes_ == 1) {
            for (std::uint32_t c = 0; c < cells_; ++c) shapes_.push_back({c, none});
        } else {
            for (std::size_t i = 0; i < steps.size(); ++i) {
                if ((i & tick_mask) == 0) tick("board", i, steps.size());
                const auto a = static_cast<std::uint32_t>(steps[i].to), b = static_cast<std::uint32_t>(steps[i].beside);
                if (numbers_.insert(key(a, b)).second) shapes_.push_back({std::min(a, b), std::max(a, b)});
            }
        }
        first_at_.assign(cells_ + 1, 0);
        for (std::uint32_t s = 0; s < shapes_.size(); ++s)
            for (auto c : cells(s)) ++first_at_[c + 1];
        for (std::size_t c = 0; c < cells_; ++c) first_at_[c + 1] += first_at_[c];
        at_.resize(first_at_[cells_]);
        auto next = first_at_;
        for (std::uint32_t s = 0; s < shapes_.size(); ++s)
            for (auto c : cells(s)) at_[next[c]++] = s;
    }
    std::uint32_t shape_of(const Step& s) const {
        return find(static_cast<std::uint32_t>(s.to), holes_ == 2 ? static_cast<std::uint32_t>(s.beside) : none);
    }
    void list_decisions(const Tick& tick) {
        std::vector<std::vector<std::uint32_t>> by_cell(cells_);
        for (const auto& arc : arcs_)
            if (by_cell[arc.from].empty() || by_cell[arc.from].back() != arc.shape)
                by_cell[arc.from].push_back(arc.shape);
        first_decision_.assign(1, 0);
        for (auto& shapes : by_cell) {
            if ((first_decision_.size() & tick_mask) == 0) tick("board", first_decision_.size(), cells_);
            std::sort(shapes.begin(), shapes.end());
            shapes.erase(std::unique(shapes.begin(), shapes.end()), shapes.end());
            decision_shape_.insert(decision_shape_.end(), shapes.begin(), shapes.end());
            first_decision_.push_back(static_cast<std::uint32_t>(decision_shape_.size()));
        }
    }
    void list_neighbours(const Tick& tick) {
        std::vector<std::vector<std::uint32_t>> around(cells_);
        for (const auto& arc : arcs_) around[arc.from].push_back(arc.to);
        first_neighbour_.assign(1, 0);
        for (auto& row : around) {
            if ((first_neighbour_.size() & tick_mask) == 0) tick("board", first_neighbour_.size(), cells_);
            std::sort(row.begin(), row.end());
            row.erase(std::unique(row.begin(), row.end()), row.end());
            neighbours_.insert(neighbours_.end(), row.begin(), row.end());
            first_neighbour_.push_back(static_cast<std::uint32_t>(neighbours_.size()));
        }
    }

    std::size_t cells_, holes_ = 1;
    std::vector<std::array<std::uint32_t, 2>> shapes_;
    KeySet numbers_;
    std::vector<std::uint32_t> first_;
    std::vector<Arc> arcs_;
    std::vector<std::uint32_t> first_at_, at_;
    std::vector<std::uint32_t> first_decision_, decision_shape_;
    std::vector<std::uint32_t> first_neighbour_, neighbours_;
};

}  // namespace slidelab
