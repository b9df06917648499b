// The moves of a rule on a board, for searches that keep where every piece lies and list no shapes.
//
// A spot is a placement and a turn, as one number. A state is the spot of every piece; all pieces are different.
#pragma once

#include "base/tick.hpp"
#include "graph/step_table.hpp"

#include <bit>
#include <limits>

namespace slidelab {

class BoardMoves {
public:
    using Spot = std::uint16_t;
    using Spots = std::vector<Spot>;
    static constexpr std::uint16_t no_distance = std::numeric_limits<std::uint16_t>::max();

    // A step of the piece on a placement into a hole.
    struct Step {
        Spot from, to;  // placements
        std::uint16_t turn;
        std::uint16_t others;  // further cells that must be holes, from the first of `other` on
        std::uint32_t other;
    };

    explicit BoardMoves(const StepTable& table, const Tick& tick = no_tick)
        : cells_(table.cells), turns_(table.turns), placements_(table.placement_count()),
          words_((table.cells + 63) / 64), piece_cells_(table.piece_cells) {
        table.check(tick);
        if (spots() > max_degree) throw LimitReached("a piece has too many spots");
        if (table.steps.size() * turns_ * words_ > max_words) throw LimitReached("a piece has too many steps");
        masks_.assign(placements_ * words_, 0);
        for (std::size_t p = 0; p < placements_; ++p)
            for (auto c : table.cells_of(p)) set(masks_.data() + p * words_, static_cast<std::size_t>(c));
        board_.assign(words_, 0);
        for (std::size_t c = 0; c < cells_; ++c) set(board_.data(), c);
        index_steps(table, tick);
        limit_moves(table);
    }

    std::size_t cells() const { return cells_; }
    std::size_t turns() const { return turns_; }
    std::size_t spots() const { return placements_ * turns_; }
    std::size_t placements() const { return placements_; }
    std::size_t words() const { return words_; }
    std::size_t placement(Spot spot) const { return placement_[spot]; }
    std::span<const Step> into(std::size_t hole) const {
        return {steps_.data() + first_[hole], first_[hole + 1] - first_[hole]};
    }
    Spot after(Spot spot, const Step& step) const {
        return static_cast<Spot>(step.to * turns_ + (spot - placement_[spot] * turns_ + step.turn) % turns_);
    }

    // Bits of the cells that a placement covers, and of all cells.
    const std::uint64_t* mask(std::size_t placement) const { return masks_.data() + placement * words_; }
    const std::vector<std::uint64_t>& board() const { return board_; }

    // Whether the further cells that a step needs are holes.
    bool is_free(const Step& step, const std::uint64_t* covered) const {
        for (std::size_t i = 0; i < step.others; ++i) {
            const std::size_t c = other_[step.other + i];
            if (covered[c / 64] >> c % 64 & 1) return false;
        }
        return true;
    }

    // At most how many moves there are with so many pieces, whatever the state.
    std::size_t max_moves(std::size_t pieces) const {
        const std::size_t holes = cells_ - std::min(cells_, pieces * piece_cells_);
        std::size_t most = 0;
        for (std::size_t i = 0; i < std::min(holes, max_moves_into_.size()); ++i) most += max_moves_into_[i];
        return most;
    }

    // Throws unless the pieces lie on different cells.
    void check(std::span<const Spot> state) const {
        std::vector<std::uint64_t> covered(words_, 0);
        for (auto spot : state) {
            if (spot >= spots()) throw std::invalid_argument("no such spot");
            const std::uint64_t* own = mask(placement_[spot]);
            for (std::size_t w = 0; w < words_; ++w) {
                if (covered[w] & own[w]) throw std::invalid_argument("two pieces on a cell");
                covered[w] |= own[w];
            }
        }
    }

    // For each spot, the moves of a single piece from there to a goal if all other cells are empty; `no_distance` where
    // there is no path.
    void distances(Spot goal, std::uint16_t* out) const {
        std::fill_n(out, spots(), no_distance);
        Spots queue{goal};
        out[goal] = 0;
        for (std::size_t i = 0; i < queue.size(); ++i)
            for (auto next : beside(queue[i]))
                if (out[next] == no_distance) {
                    if (out[queue[i]] + 1 == no_distance) throw LimitReached("a piece needs too many moves");
                    out[next] = static_cast<std::uint16_t>(out[queue[i]] + 1);
                    queue.push_back(next);
                }
    }

    // Spots one step away, and the cells that each step needs.
    std::span<const Spot> beside(Spot spot) const {
        return {beside_.data() + first_beside_[spot], first_beside_[spot + 1u] - first_beside_[spot]};
    }
    std::span<const std::uint64_t> needs(Spot spot, std::size_t i) const {
        return {needs_.data() + (first_beside_[spot] + i) * words_, words_};
    }

    static void set(std::uint64_t* bits, std::size_t i) { bits[i / 64] |= std::uint64_t{1} << i % 64; }

private:
    static constexpr std::size_t max_words = std::size_t{1} << 27;  // for what steps need: a gigabyte

    void index_steps(const StepTable& table, const Tick& tick) {
        placement_.resize(spots());
        for (std::size_t s = 0; s < spots(); ++s) placement_[s] = static_cast<Spot>(s / turns_);
        first_.assign(cells_ + 1, 0);
        first_beside_.assign(spots() + 1, 0);
        for (const auto& s : table.steps) {
            ++first_[static_cast<std::size_t>(s.holes[0]) + 1];
            for (std::size_t t = 0; t < turns_; ++t) ++first_beside_[static_cast<std::size_t>(s.from) * turns_ + t + 1];
        }
        for (std::size_t c = 0; c < cells_; ++c) first_[c + 1] += first_[c];
        for (std::size_t s = 0; s < spots(); ++s) first_beside_[s + 1] += first_beside_[s];
        steps_.resize(table.steps.size());
        beside_.resize(table.steps.size() * turns_);
        needs_.assign(beside_.size() * words_, 0);
        auto next = first_, next_beside = first_beside_;
        for (std::size_t i = 0; i < table.steps.size(); ++i) {
            if ((i & 0xfff) == 0) tick("steps", i, table.steps.size());
            const auto& s = table.steps[i];
            Step step{static_cast<Spot>(s.from), static_cast<Spot>(s.to), static_cast<std::uint16_t>(s.turn), 0,
                      static_cast<std::uint32_t>(other_.size())};
            for (std::size_t k = 1; k < max_step_holes && s.holes[k] >= 0; ++k, ++step.others)
                other_.push_back(static_cast<Spot>(s.holes[k]));
            steps_[next[static_cast<std::size_t>(s.holes[0])]++] = step;
            for (std::size_t t = 0; t < turns_; ++t) {
                const auto spot = static_cast<Spot>(step.from * turns_ + t);
                const std::uint32_t at = next_beside[spot]++;
                beside_[at] = after(spot, step);
                for (auto c : s.holes)
                    if (c >= 0) set(needs_.data() + at * words_, static_cast<std::size_t>(c));
            }
        }
    }

    // At most how many moves lead into each hole, largest first. Every piece that can move there covers one of a few
    // cells, each of which is covered by one piece only.
    void limit_moves(const StepTable& table) {
        std::vector<std::uint32_t> moves(placements_, 0);
        for (std::size_t hole = 0; hole < cells_; ++hole) {
            std::vector<Spot> left;
            for (const auto& s : into(hole))
                if (moves[s.from]++ == 0) left.push_back(s.from);
            std::size_t most = 0;
            while (!left.empty()) {
                std::vector<std::uint32_t> count(cells_, 0);
                for (auto p : left)
                    for (auto c : table.cells_of(p)) ++count[static_cast<std::size_t>(c)];
                const auto cell =
                    static_cast<std::int32_t>(std::max_element(count.begin(), count.end()) - count.begin());
                std::uint32_t own = 0;
                std::erase_if(left, [&](Spot p) {
                    const auto covered = table.cells_of(p);
                    const bool found = std::find(covered.begin(), covered.end(), cell) != covered.end();
                    if (found) own = std::max(own, moves[p]);
                    return found;
                });
                most += own;
            }
            for (const auto& s : into(hole)) moves[s.from] = 0;
            max_moves_into_.push_back(most);
        }
        std::sort(max_moves_into_.rbegin(), max_moves_into_.rend());
    }

    std::size_t cells_, turns_, placements_, words_, piece_cells_;
    std::vector<std::uint64_t> masks_, board_;
    std::vector<Spot> placement_;  // of each spot
    std::vector<std::uint32_t> first_, first_beside_;
    std::vector<Step> steps_;  // by the first hole that they need
    std::vector<Spot> other_;
    Spots beside_;
    std::vector<std::uint64_t> needs_;
    std::vector<std::size_t> max_moves_into_;
};

}  // namespace slidelab
