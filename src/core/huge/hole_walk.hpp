// Walks of the working holes on which nearly every move brings a piece nearer to its goal.
//
// A piece that is carried alone takes three to five moves for each cell. A walk of the holes moves a piece with each
// move, and on a board in disorder there are long walks on which most of these moves are good. They are found by a beam
// search: of all walks so far that end with the holes in the same place, the best is kept, and of those the best
// `width`. Without the first rule the beam ends in a knot from which no good move leads out. The first few moves of the
// best walk are played, and the walks that begin with them are continued.
//
// The gain of a move is by how much the piece comes nearer, times a weight that is larger for pieces that are placed
// sooner. On squares a distance of dx and dy counts 5 max(dx, dy) + 2 min(dx, dy): to carry a piece along a diagonal
// takes three moves a cell, along a line five.
#pragma once

#include "huge/peel_board.hpp"

#include <cstring>

namespace slidelab {

class HoleWalk : public PeelBoard {
public:
    using PeelBoard::PeelBoard;

    static constexpr std::uint32_t weight_unit = 16;   // weight of a piece that is not placed soon
    static constexpr std::uint32_t distance_unit = 5;  // gain of a piece of weight one that comes a cell nearer
    static constexpr std::uint32_t max_weight = 1 << 12;

    // How a walk is searched for.
    struct Search {
        std::size_t width;  // walks that are kept
        unsigned depth;     // moves by which they are ahead of the moves that are played, at most `max_depth`
        double min_gain;    // the walk ends when the last moves gained less each, in cells for a piece of weight one
    };
    static constexpr unsigned max_depth = 64;
    static constexpr double max_gain = 1000;

    // Moves the holes as long as that is worth it. `weights`: of each piece, from 1, times `weight_unit`. The number of
    // moves.
    std::size_t walk(std::vector<std::uint32_t> weights, const Search& search, const Tick& tick) {
        if (weights.size() != cell_of_.size() || search.width == 0 || search.depth < min_depth ||
            search.depth > max_depth || !(search.min_gain > 0) || search.min_gain > max_gain)
            throw std::invalid_argument("no such walk");
        for (auto w : weights)
            if (w > max_weight) throw std::invalid_argument("weight out of range");
        begin(tick);
        weights_ = std::move(weights);
        best_at_.resize(graph_.shapes(), none);
        const std::size_t before = moves_.size();
        const auto unit = static_cast<double>(weight_unit * distance_unit);
        free_gain_ = static_cast<std::int32_t>(search.min_gain * unit);
        walks_.clear();
        has_spare_holes_ = open_holes() > graph_.holes();
        std::array<Chunk, window_chunks> window{};  // the last chunks, in a ring
        Chunk recent{};                             // and their sum
        const unsigned chunk = search.depth / chunks_ahead;
        for (std::size_t played = 0;; ++played) {
            if (walks_.empty()) start_walks();
            while (!walks_.empty() && walks_[0].length < search.depth) extend_walks(search.width);
            if (walks_.empty()) break;
            const Chunk now = play_best(chunk);
            Chunk& oldest = window[played % window_chunks];
            recent.gain += now.gain - oldest.gain;
            recent.moves += now.moves - oldest.moves;
            oldest = now;
            if (now.moves == 0) break;  // holes that change places with holes, for ever
            if (played + 1 >= window_chunks &&
                static_cast<double>(recent.gain) < search.min_gain * unit * static_cast<double>(recent.moves))
                break;
        }
        return moves_.size() - before;
    }

private:
    static constexpr unsigned chunks_ahead = 6;  // so many times the moves that are played at once
    static constexpr unsigned min_depth = chunks_ahead;
    static constexpr unsigned window_chunks = 10;  // over which the gain is measured

    // Pieces are looked up all the time, and most of them the walk did not move.
    static constexpr unsigned filter_bits = 9, filter_words = (1u << filter_bits) / 64;

    struct Walk {
        std::uint32_t shape, back;  // back: the shape before
        std::int32_t gain;
        std::uint32_t length;
        std::array<std::uint64_t, filter_words> filter;  // a bit for each cell to which a piece was moved
        std::array<std::uint32_t, max_depth> from, to;   // of the moves
    };
    // Moves that were played together, and by how much they brought pieces nearer.
    struct Chunk {
        std::int64_t gain = 0, moves = 0;
    };
    struct Candidate {
        std::uint32_t arc, walk;
        std::int32_t gain;
    };

    void start_walks() {
        for (auto s : working_shapes()) {
            walks_.emplace_back();
            walks_.back().shape = s;
            walks_.back().back = none;
            walks_.back().gain = 0;
            walks_.back().length = 0;
            walks_.back().filter.fill(0);
        }
    }

    // What is on a cell after a walk: what the last move brought there, from where it was before that.
    std::int32_t piece_after(const Walk& walk, std::uint32_t cell) const {
        const std::uint32_t bit = filter_bit(cell);
        if (walk.filter[bit / 64] >> bit % 64 & 1)
            for (std::uint32_t k = walk.length; k-- > 0;)
                if (walk.to[k] == cell) cell = walk.from[k];
        return piece_on_[cell];
    }
    static std::uint32_t filter_bit(std::uint32_t cell) { return cell * 0x9e3779b1u >> (32 - filter_bits); }
    static void add_to_filter(Walk& walk, std::uint32_t cell) {
        const std::uint32_t bit = filter_bit(cell);
        walk.filter[bit / 64] |= std::uint64_t{1} << bit % 64;
    }
    // The weighted distance of a piece on a cell from its goal.
    std::int32_t distance_left(std::int32_t piece, std::uint32_t cell) {
        const std::uint32_t goal = goal_of_[static_cast<std::size_t>(piece)];
        return static_cast<std::int32_t>(weights_[static_cast<std::size_t>(piece)] * walking_distance(cell, goal));
    }
    std::uint32_t walking_distance(std::uint32_t cell, std::uint32_t goal) {
        if (!distances_.is_grid()) return distance_unit * distances_from(goal)[cell];
        const auto &a = distances_.position(cell), &b = distances_.position(goal);
        const auto dx = static_cast<std::uint32_t>(std::abs(a[0] - b[0])),
                   dy = static_cast<std::uint32_t>(std::abs(a[1] - b[1]));
        return distance_unit * std::max(dx, dy) + shorter_side * std::min(dx, dy);
    }
    // A hole that changes places with another makes no move.
    std::int32_t gain_of_move(std::int32_t piece, std::uint32_t from, std::uint32_t to) {
        return piece == 0 ? free_gain_ : distance_left(piece, from) - distance_left(piece, to);
    }

    void extend_walks(std::size_t width) {
        if ((++rounds_ & 0xf) == 0) (*tick_)("walk", moves_.size(), 0);
        candidates_.clear();
        for (std::uint32_t i = 0; i < walks_.size(); ++i) {
            const Walk& walk = walks_[i];
            for (const auto& arc : graph_.arcs(walk.shape)) {
                if (arc.next == walk.back || closed_[arc.from]) continue;
                const std::int32_t piece = piece_after(walk, arc.from);
                const Candidate candidate{graph_.number(arc), i, walk.gain + gain_of_move(piece, arc.from, arc.to)};
                if (best_at_[arc.next] == none) {
                    best_at_[arc.next] = static_cast<std::uint32_t>(candidates_.size());
                    candidates_.push_back(candidate);
                } else if (candidates_[best_at_[arc.next]].gain < candidate.gain) {
                    candidates_[best_at_[arc.next]] = candidate;
                }
            }
        }
        for (const auto& c : candidates_) best_at_[graph_.arc(c.arc).next] = none;
        if (candidates_.size() > width) {
            std::nth_element(
                candidates_.begin(), candidates_.begin() + static_cast<std::ptrdiff_t>(width), candidates_.end(),
                [](const auto& a, const auto& b) { return a.gain != b.gain ? a.gain > b.gain : a.arc < b.arc; });
            candidates_.resize(width);
        }
        next_walks_.resize(candidates_.size());
        for (std::size_t i = 0; i < candidates_.size(); ++i) {
            const Walk& walk = walks_[candidates_[i].walk];
            const auto& arc = graph_.arc(candidates_[i].arc);
            Walk& next = next_walks_[i];
            next.shape = arc.next;
            next.back = walk.shape;
            next.gain = candidates_[i].gain;
            next.length = walk.length + 1;
            std::copy_n(walk.from.begin(), walk.length, next.from.begin());
            std::copy_n(walk.to.begin(), walk.length, next.to.begin());
            next.from[walk.length] = arc.from;
            next.to[walk.length] = arc.to;
            next.filter = walk.filter;
            add_to_filter(next, arc.to);
        }
        walks_.swap(next_walks_);
    }

    // Plays the first `count` moves of the best walk, and keeps the walks that begin with them.
    Chunk play_best(std::uint32_t count) {
        const Walk best = *std::max_element(walks_.begin(), walks_.end(),
                                            [](const Walk& a, const Walk& b) { return a.gain < b.gain; });
        std::int32_t gain = 0;  // as walks count it, with moves for nothing
        Chunk played;
        for (std::uint32_t k = 0; k < count; ++k) {
            const std::int32_t piece = piece_on_[best.from[k]];
            const std::int32_t step = gain_of_move(piece, best.from[k], best.to[k]);
            gain += step;
            if (piece != 0) played.gain += step, ++played.moves;
            move(best.from[k], best.to[k]);
        }
        std::size_t kept = 0;
        for (std::size_t i = 0; i < walks_.size(); ++i) {
            if (!std::equal(best.from.begin(), best.from.begin() + count, walks_[i].from.begin()) ||
                !std::equal(best.to.begin(), best.to.begin() + count, walks_[i].to.begin()))
                continue;
            Walk& walk = walks_[kept];
            if (kept != i) walk = walks_[i];
            ++kept;
            walk.length -= count;
            walk.gain -= gain;
            std::copy_n(walk.from.begin() + count, walk.length, walk.from.begin());
            std::copy_n(walk.to.begin() + count, walk.length, walk.to.begin());
            walk.filter.fill(0);
            for (std::uint32_t k = 0; k < walk.length; ++k) add_to_filter(walk, walk.to[k]);
        }
        walks_.resize(kept);
        if (has_spare_holes_) walks_.clear();  // another hole may be nearer to the next good moves
        return played;
    }

    static constexpr std::uint32_t shorter_side = 2;  // gain for the smaller of the two differences of coordinates

    std::vector<std::uint32_t> weights_;  // of pieces
    std::vector<Walk> walks_, next_walks_;
    std::vector<Candidate> candidates_;
    Cells best_at_;  // for each shape, the candidate that ends there
    std::int32_t free_gain_ = 0;
    bool has_spare_holes_ = false;
    std::uint64_t rounds_ = 0;
};

}  // namespace slidelab
