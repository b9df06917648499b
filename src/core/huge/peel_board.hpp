// The state of a peeled board: pieces, working holes, closed cells, and the moves made so far.
//
// Holes beyond those that work are treated as pieces that move for nothing: a working hole that changes places with one
// of them makes no move at all.
#pragma once

#include "huge/cell_distances.hpp"

namespace slidelab {

class PeelBoard {
public:
    static constexpr std::uint32_t none = HoleGraph::none;
    using Cells = std::vector<std::uint32_t>;
    using Moves = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

    // `pieces` and `goal` hold for each cell the piece on it at the start and at the end, 0 for a hole. Distances take
    // at most `max_bytes`, but for those of a few hundred cells. `positions`: see CellDistances.
    PeelBoard(std::size_t cells, std::span<const HoleGraph::Step> steps, std::vector<std::int32_t> pieces,
              std::vector<std::int32_t> goal, std::uint64_t max_bytes, std::vector<CellDistances::Position> positions,
              const Tick& tick)
        : graph_(cells, steps, tick), distances_(graph_, max_bytes, std::move(positions)), piece_on_(std::move(pieces)),
          goal_(std::move(goal)), closed_(cells, 0), blocked_(cells, 0) {
        if (piece_on_.size() != cells || goal_.size() != cells)
            throw std::invalid_argument("a piece or a hole for each cell expected");
        cell_of_.assign(cells + 1, none);
        goal_of_.assign(cells + 1, none);
        hole_number_.assign(cells, none);
        const auto invert = [&](const std::vector<std::int32_t>& from, Cells& to) {
            for (std::uint32_t c = 0; c < cells; ++c) {
                if (from[c] == 0) continue;
                if (from[c] < 0 || static_cast<std::size_t>(from[c]) > cells ||
                    to[static_cast<std::size_t>(from[c])] != none)
                    throw std::invalid_argument("each piece once expected");
                to[static_cast<std::size_t>(from[c])] = c;
            }
        };
        invert(piece_on_, cell_of_);
        invert(goal_, goal_of_);
        for (std::uint32_t c = 0; c < cells; ++c)
            if (piece_on_[c] == 0) hole_number_[c] = static_cast<std::uint32_t>(holes_.size()), holes_.push_back(c);
        for (std::size_t p = 1; p <= cells; ++p)
            if ((cell_of_[p] == none) != (goal_of_[p] == none)) throw std::invalid_argument("the same pieces expected");
    }

    const std::vector<std::int32_t>& pieces() const { return piece_on_; }
    const Moves& moves() const { return moves_; }

protected:
    // Cells that an exception left blocked are open again.
    void begin(const Tick& tick) {
        tick_ = &tick;
        std::fill(blocked_.begin(), blocked_.end(), 0);
    }
    void block(const Cells& cells, bool value) {
        for (auto c : cells) blocked_[c] = value;
    }

    // The distances from a cell, valid until those from the next are asked for.
    CellDistances::Row distances_from(std::uint32_t cell) { return distances_.row(cell, *tick_); }
    // How much nearer to a goal a step leads: 1, 0 or -1. If the distances from the goal are not known, those from the
    // two cells are asked for: a path has few cells, and on each of them lie many pieces, one after another, with as
    // many goals.
    int gain_of_step(std::uint32_t from, std::uint32_t to, std::uint32_t goal) {
        if (distances_.is_known(goal)) [[likely]] {
            const auto far = distances_from(goal);
            return static_cast<int>(far[from] - far[to]);
        }
        const std::uint32_t before = distances_from(from)[goal];
        return static_cast<int>(before - distances_from(to)[goal]);
    }

    std::uint32_t cell_of(std::int32_t piece) const { return cell_of_[static_cast<std::size_t>(piece)]; }
    bool is_open(std::uint32_t cell) const { return !closed_[cell] && !blocked_[cell]; }
    bool is_solved(const Cells& cells) const {
        return std::all_of(cells.begin(), cells.end(), [&](auto c) { return piece_on_[c] == goal_[c]; });
    }
    bool are_adjacent(std::uint32_t a, std::uint32_t b) const {
        const auto around = graph_.neighbours(a);
        return std::find(around.begin(), around.end(), b) != around.end();
    }
    // Whether the holes can come and go through different cells.
    bool is_enterable(std::uint32_t cell) const {
        std::size_t entries = 0;
        for (auto c : graph_.neighbours(cell)) entries += is_open(c);
        return is_open(cell) && entries > graph_.holes();
    }
    template <class Accept>
    bool all_cells(std::uint32_t shape, const Accept& accept) const {
        const auto cells = graph_.cells(shape);
        return std::all_of(cells.begin(), cells.end(), accept);
    }
    bool is_shape_closed(std::uint32_t shape) const {
        return !all_cells(shape, [&](auto c) { return !closed_[c]; });
    }

    void move(std::uint32_t from, std::uint32_t to) {
        const std::int32_t piece = piece_on_[from];
        if (piece == 0) return;  // a hole that does not work: nothing moves
        piece_on_[to] = piece;
        piece_on_[from] = 0;
        hole_number_[from] = hole_number_[to];
        holes_[hole_number_[to]] = from;
        cell_of_[static_cast<std::size_t>(piece)] = to;
        moves_.emplace_back(from, to);
    }
    void undo(std::size_t length) {
        const Moves undone(moves_.begin() + static_cast<std::ptrdiff_t>(length), moves_.end());
        for (std::size_t i = undone.size(); i-- > 0;) move(undone[i].second, undone[i].first);
        moves_.resize(length);
    }
    // Plays the arcs of `path_`, last one first.
    void play_path() {
        for (std::size_t i = path_.size(); i-- > 0;) move(graph_.arc(path_[i]).from, graph_.arc(path_[i]).to);
    }

    std::size_t open_holes() const {
        return static_cast<std::size_t>(
            std::count_if(holes_.begin(), holes_.end(), [&](auto c) { return is_open(c); }));
    }
    // Shapes of open holes that can do the work, in the order of their first cells.
    Cells working_shapes() const {
        Cells out, holes = holes_;
        std::sort(holes.begin(), holes.end());
        for (auto c : holes) {
            if (!is_open(c)) continue;
            for (auto s : graph_.shapes_at(c))
                if (graph_.cells(s)[0] == c && all_cells(s, [&](auto d) { return piece_on_[d] == 0 && is_open(d); }))
                    out.push_back(s);
        }
        return out;
    }

    // Moves working holes by a shortest path to a shape that `is_goal` accepts; no piece on a cell that `is_fixed`
    // accepts is moved. False if there is no such path.
    template <class Fixed, class Goal>
    bool move_holes(Fixed is_fixed, Goal is_goal) {
        arc_to_.resize(graph_.shapes());
        start_search();
        for (auto s : working_shapes()) mark(s), arc_to_[s] = none;
        for (std::size_t q = 0; q < queue_.size(); ++q) {
            if ((q & 0xfff) == 0xfff) (*tick_)("route", q, 0);
            std::uint32_t s = queue_[q];
            if (is_goal(s)) {
                path_.clear();
                for (; arc_to_[s] != none; s = graph_.arc(arc_to_[s]).shape) path_.push_back(arc_to_[s]);
                play_path();
                return true;
            }
            for (const auto& arc : graph_.arcs(s))
                if (!is_marked(arc.next) && is_open(arc.from) && !is_fixed(arc.from))
                    mark(arc.next), arc_to_[arc.next] = graph_.number(arc);
        }
        return false;
    }
    static bool nothing_fixed(std::uint32_t) { return false; }

    // The open cells within `radius` of the centre, nearest first; `radius_to_` is set on them.
    const Cells& find_ball(const Cells& centre, std::uint32_t radius) {
        radius_to_.assign(graph_.cells(), none);
        for (std::uint32_t c = 0; c < graph_.cells(); ++c)
            if (!is_open(c)) radius_to_[c] = outside;
        queue_ = centre;
        for (auto c : centre) radius_to_[c] = 0;
        queue_.resize(graph_.cells());
        queue_.resize(breadth_first(queue_.data(), centre.size(), radius_to_.data(), none, radius,
                                    [&](std::uint32_t c) { return graph_.neighbours(c); }));
        return queue_;
    }
    bool is_in_ball(std::uint32_t cell) const { return radius_to_[cell] < outside; }

    // Marks on shapes, with the marked ones in `queue_`.
    void start_search() {
        queue_.clear();
        stamp_of_.resize(graph_.shapes(), 0);
        if (++stamp_ == 0) std::fill(stamp_of_.begin(), stamp_of_.end(), 0), stamp_ = 1;
    }
    bool is_marked(std::uint32_t shape) const { return stamp_of_[shape] == stamp_; }
    void mark(std::uint32_t shape) {
        stamp_of_[shape] = stamp_;
        queue_.push_back(shape);
    }

    HoleGraph graph_;
    CellDistances distances_;
    std::vector<std::int32_t> piece_on_, goal_;   // of each cell
    Cells cell_of_, goal_of_;                     // of each piece, from 1
    std::vector<std::uint8_t> closed_, blocked_;  // closed for good, or for a while
    Cells holes_, hole_number_;  // all of them, in any order; of each cell with a hole, its number there
    Moves moves_;
    Cells queue_, path_;
    const Tick* tick_ = nullptr;

private:
    static constexpr std::uint32_t outside = none - 1;

    Cells radius_to_, arc_to_;
    std::vector<std::uint32_t> stamp_of_;
    std::uint32_t stamp_ = 0;
};

}  // namespace slidelab
