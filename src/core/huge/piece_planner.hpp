// A shortest path of one piece through the moves of all others.
//
// The others keep their moves and the order of these. Between two of them the piece may make any number of moves
// through cells that are free then, and where another piece moves it must not be in the way; waiting costs nothing. So
// the state of a search is (moves of the others so far, spot of the piece). The search is one sweep over these moves
// with the least number of own moves to each spot: a move of another piece changes this for a few spots only, those
// that it takes and those that it makes free.
//
// A sweep goes forward from the start, and the piece moves as early as possible; or backward from the goal, and it
// moves as late as possible. Both find shortest paths, of different kinds.
//
// Only the step table of the rule is used: pieces may cover several cells, and steps may need further holes.
#pragma once

#include "base/random.hpp"
#include "graph/step_table.hpp"

#include <limits>
#include <unordered_map>

namespace slidelab {

// The steps of a rule in one direction of time.
class TimedSteps {
public:
    struct Step {
        std::uint32_t number;    // in the table
        std::uint32_t from, to;  // placements
        std::uint32_t turn;
        std::uint32_t first, end;  // of the cells that must be free besides those that the piece is on
    };
    // Whether pieces cover one cell, and a step needs no hole but the cell that it leads to.
    bool is_simple() const { return simple_; }

    // Backward, a step leads from its placement after to that before.
    TimedSteps(const StepTable& table, bool backward)
        : placements_(table.placement_count()), turns_(static_cast<std::uint32_t>(table.turns)) {
        steps_.reserve(table.steps.size());
        for (std::uint32_t i = 0; i < table.steps.size(); ++i) {
            const auto& s = table.steps[i];
            Step step{i,
                      static_cast<std::uint32_t>(s.from),
                      static_cast<std::uint32_t>(s.to),
                      static_cast<std::uint32_t>(s.turn),
                      static_cast<std::uint32_t>(needs_.size()),
                      0};
            if (backward) {
                std::swap(step.from, step.to);
                step.turn = (turns_ - step.turn) % turns_;
            }
            const auto before = table.cells_of(step.from);
            const auto add = [&](std::int32_t cell) {
                const auto c = static_cast<std::uint32_t>(cell);
                const auto here = needs_.begin() + step.first;
                if (!contains(before, cell) && std::find(here, needs_.end(), c) == needs_.end()) needs_.push_back(c);
            };
            for (auto c : s.holes)
                if (c >= 0) add(c);
            for (auto c : table.cells_of(step.to)) add(c);
            step.end = static_cast<std::uint32_t>(needs_.size());
            steps_.push_back(step);
        }
        simple_ = turns_ == 1 && table.piece_cells == 1 && needs_.size() == steps_.size();
        list(placements_, first_from_, from_, [&](const Step& s, auto&& add) { add(s.from); });
        list(placements_, first_to_, to_, [&](const Step& s, auto&& add) { add(s.to); });
        list(table.cells, first_needing_, needing_, [&](const Step& s, auto&& add) {
            for (auto c : needs(s)) add(c);
        });
    }

    std::size_t spots() const { return placements_ * turns_; }
    std::uint32_t turns() const { return turns_; }
    const Step& operator[](std::size_t i) const { return steps_[i]; }
    std::span<const std::uint32_t> needs(const Step& s) const { return {needs_.data() + s.first, s.end - s.first}; }
    std::span<const Step> from(std::size_t placement) const { return row(first_from_, from_, placement); }
    std::span<const Step> to(std::size_t placement) const { return row(first_to_, to_, placement); }
    std::span<const Step> needing(std::size_t cell) const { return row(first_needing_, needing_, cell); }

    // The spot after a step from a spot of its placement, and the spot before one.
    std::uint32_t after(const Step& s, std::uint32_t spot) const {
        return s.to * turns_ + (turns_ == 1 ? 0 : (spot - s.from * turns_ + s.turn) % turns_);
    }
    std::uint32_t before(const Step& s, std::uint32_t spot) const {
        return s.from * turns_ + (turns_ == 1 ? 0 : (spot - s.to * turns_ + turns_ - s.turn) % turns_);
    }

private:
    static bool contains(std::span<const std::int32_t> cells, std::int32_t c) {
        return std::find(cells.begin(), cells.end(), c) != cells.end();
    }
    static std::span<const Step> row(const std::vector<std::uint32_t>& first, const std::vector<Step>& all,
                                     std::size_t i) {
        return {all.data() + first[i], first[i + 1] - first[i]};
    }
    template <class Keys>
    void list(std::size_t count, std::vector<std::uint32_t>& first, std::vector<Step>& out, Keys&& keys) {
        first.assign(count + 1, 0);
        for (const auto& s : steps_) keys(s, [&](std::uint32_t key) { ++first[key + 1]; });
        for (std::size_t i = 0; i < count; ++i) first[i + 1] += first[i];
        out.resize(first[count]);
        auto next = first;
        for (const auto& s : steps_) keys(s, [&](std::uint32_t key) { out[next[key]++] = s; });
    }

    std::size_t placements_;
    std::uint32_t turns_;
    std::vector<Step> steps_;
    std::vector<std::uint32_t> needs_;
    std::vector<std::uint32_t> first_from_, first_to_, first_needing_;
    std::vector<Step> from_, to_, needing_;  // copies, to be read in a row
    bool simple_ = false;
};

class PiecePlanner {
public:
    static constexpr std::uint32_t never = std::numeric_limits<std::uint32_t>::max();
    struct Event {
        std::uint32_t piece, step;
    };
    struct Move {
        std::uint32_t gap;  // moves of the others before it
        std::uint32_t step;
    };
    // What is common to all planners of a puzzle.
    struct Tables {
        explicit Tables(const StepTable& t) : table(t), forward(t, false), backward(t, true) {
            covering.resize(t.cells);
            for (std::size_t p = 0; p < t.placement_count(); ++p)
                for (auto c : t.cells_of(p))
                    covering[static_cast<std::size_t>(c)].push_back(static_cast<std::uint32_t>(p));
        }
        // Each step is listed by its placements and by the cells that it needs, in both directions of time.
        static std::uint64_t bytes(const StepTable& t) {
            return t.steps.size() * (sizeof(StepTable::Step) + 2 * sizeof(TimedSteps::Step) * (3 + max_step_holes)) +
                   t.placements.size() * 4 * sizeof(std::uint32_t);
        }
        StepTable table;
        TimedSteps forward, backward;
        std::vector<std::vector<std::uint32_t>> covering;  // placements on each cell
    };

    PiecePlanner(const Tables& tables, std::size_t max_row_bytes)
        : tables_(tables), simple_(tables.forward.is_simple()), spots_(tables.forward.spots()),
          max_rows_(std::max<std::size_t>(1, max_row_bytes / (sizeof(std::uint16_t) * spots_))) {
        reached_.assign(spots_, never);
        node_.assign(spots_, 0);
        matters_.assign(tables.table.cells, 0);
    }

    // The moves of a single piece between two spots on an empty board; `never` if there is no path.
    std::uint32_t distance(std::uint32_t from, std::uint32_t to) {
        const std::uint16_t d = row(to, false)[from];
        return d == no_distance ? never : d;
    }

    // Finds a path of at most `limit` moves through the moves of others; whether there is one. `taken` are the cells of
    // the others before their first move, or after their last if the sweep goes backward.
    bool plan(std::span<const Event> others, const std::vector<std::uint8_t>& taken, std::uint32_t from,
              std::uint32_t to, bool backward, std::uint32_t limit, SplitMix& random) {
        steps_ = backward ? &tables_.backward : &tables_.forward;
        taken_ = taken;
        if (backward) std::swap(from, to);
        rest_ = row(to, backward).data();
        limit_ = limit;
        random_ = &random;
        find_cells(from);
        const auto count = static_cast<std::uint32_t>(others.size());
        gap_ = backward ? count : 0;
        if (is_free(from)) reach(from, 0, never, 0);
        spread();
        for (std::uint32_t i = 0; i < count && live_ > 0; ++i) {
            gap_ = backward ? count - 1 - i : i + 1;
            const auto& step = (*steps_)[others[backward ? count - 1 - i : i].step];
            if (concerns(step)) pass(step);
        }
        path_.clear();
        const bool found = reached_[to] != never;
        if (found) trace(node_[to], backward);
        for (const auto& n : nodes_) reached_[n.spot] = never;
        for (auto c : cells_) matters_[c] = 0;
        cells_.clear();
        nodes_.clear();
        live_ = 0;
        return found;
    }
    const std::vector<Move>& path() const { return path_; }

private:
    static constexpr std::uint16_t no_distance = std::numeric_limits<std::uint16_t>::max();
    struct Node {
        std::uint32_t spot, before, step, gap;
    };

    std::uint32_t placement(std::uint32_t spot) const { return steps_->turns() == 1 ? spot : spot / steps_->turns(); }
    bool is_free(std::uint32_t spot) const {
        const auto cells = tables_.table.cells_of(placement(spot));
        return std::none_of(cells.begin(), cells.end(), [&](auto c) { return taken_[static_cast<std::size_t>(c)]; });
    }
    bool is_free(const TimedSteps::Step& step) const {
        if (simple_) return !taken_[step.to];
        for (auto c : steps_->needs(step))
            if (taken_[c]) return false;
        return true;
    }

    // The cells that paths within the limit cover or need, if no piece is in the way.
    void find_cells(std::uint32_t from) {
        const auto mark = [&](std::uint32_t cell) {
            if (matters_[cell]) return;
            matters_[cell] = 1;
            cells_.push_back(cell);
        };
        const auto visit = [&](std::uint32_t spot, std::uint32_t moves) {
            if (reached_[spot] != never || rest_[spot] == no_distance || moves + rest_[spot] > limit_) return;
            reached_[spot] = moves;
            queue_.push_back(spot);
            for (auto c : tables_.table.cells_of(placement(spot))) mark(static_cast<std::uint32_t>(c));
        };
        visit(from, 0);
        for (std::size_t i = 0; i < queue_.size(); ++i)
            for (const auto& step : steps_->from(placement(queue_[i]))) {
                visit(steps_->after(step, queue_[i]), reached_[queue_[i]] + 1);
                if (steps_->needs(step).size() > 1)
                    for (auto c : steps_->needs(step)) mark(c);
            }
        for (auto spot : queue_) reached_[spot] = never;
        queue_.clear();
    }
    bool concerns(const TimedSteps::Step& step) const {
        if (simple_) return matters_[step.from] | matters_[step.to];
        const auto before = tables_.table.cells_of(step.from);
        const auto needs = steps_->needs(step);
        return std::any_of(before.begin(), before.end(),
                           [&](auto c) { return matters_[static_cast<std::size_t>(c)]; }) ||
               std::any_of(needs.begin(), needs.end(), [&](auto c) { return matters_[c]; });
    }

    void reach(std::uint32_t spot, std::uint32_t moves, std::uint32_t before, std::uint32_t step) {
        if (rest_[spot] == no_distance || moves + rest_[spot] > limit_) return;
        live_ += reached_[spot] == never;
        reached_[spot] = moves;
        node_[spot] = static_cast<std::uint32_t>(nodes_.size());
        nodes_.push_back({spot, before, step, gap_});
        queue_.push_back(spot);
    }
    void relax(const TimedSteps::Step& step, std::uint32_t spot) {
        const std::uint32_t next = steps_->after(step, spot), moves = reached_[spot] + 1;
        if (moves < reached_[next] && is_free(step)) reach(next, moves, node_[spot], step.number);
    }
    void spread() {
        for (std::size_t i = 0; i < queue_.size(); ++i) {
            const std::uint32_t spot = queue_[i];
            for_each(steps_->from(placement(spot)), [&](const auto& step) { relax(step, spot); });
        }
        queue_.clear();
    }

    // In an order that begins anywhere, so that of paths of the same length any may be found.
    template <class Visit>
    void for_each(std::span<const TimedSteps::Step> list, Visit&& visit) {
        if (list.empty()) return;
        const std::size_t begin = random_->below(list.size());
        for (std::size_t i = begin; i < list.size(); ++i) visit(list[i]);
        for (std::size_t i = 0; i < begin; ++i) visit(list[i]);
    }

    // Another piece makes a step.
    void pass(const TimedSteps::Step& step) {
        if (simple_) {
            live_ -= reached_[step.to] != never;
            reached_[step.to] = never;
            taken_[step.to] = 1;
            taken_[step.from] = 0;
            enter_from_nearest(step.from);
            return;
        }
        const auto& table = tables_.table;
        for (auto c : steps_->needs(step))
            for (auto p : tables_.covering[c])
                for (std::uint32_t spot = p * steps_->turns(); spot < (p + 1) * steps_->turns(); ++spot) {
                    live_ -= reached_[spot] != never;
                    reached_[spot] = never;
                }
        for (auto c : table.cells_of(step.from)) taken_[static_cast<std::size_t>(c)] = 0;
        for (auto c : table.cells_of(step.to)) taken_[static_cast<std::size_t>(c)] = 1;
        for (auto c : table.cells_of(step.from)) enter(static_cast<std::uint32_t>(c));
        for (auto c : steps_->needs(step)) enter(c);
        spread();
    }
    // Steps that may have become possible since this cell is free, or since the piece had to leave it.
    void enter(std::uint32_t cell) {
        if (taken_[cell]) return;
        for_each(steps_->needing(cell), [&](const auto& step) {
            const std::uint32_t first = step.from * steps_->turns();
            for (std::uint32_t spot = first; spot < first + steps_->turns(); ++spot)
                if (reached_[spot] != never) relax(step, spot);
        });
    }

    // The same where one step leads to the cell from each neighbour: only from those with the fewest moves.
    void enter_from_nearest(std::uint32_t cell) {
        const TimedSteps::Step* best = nullptr;
        std::uint32_t fewest = never, ties = 0;
        for (const auto& step : steps_->needing(cell)) {
            const std::uint32_t moves = reached_[step.from];
            if (moves > fewest || moves == never) continue;
            ties = moves < fewest ? 1 : ties + 1;
            fewest = moves;
            if (ties == 1 || random_->below(ties) == 0) best = &step;
        }
        if (!best) return;
        reach(cell, fewest + 1, node_[best->from], best->number);
        spread();
    }

    void trace(std::uint32_t node, bool backward) {
        for (; nodes_[node].before != never; node = nodes_[node].before)
            path_.push_back({nodes_[node].gap, nodes_[node].step});
        if (!backward) std::reverse(path_.begin(), path_.end());
    }

    // For each spot, the moves from there to a spot on an empty board, in one direction of time.
    std::vector<std::uint16_t>& row(std::uint32_t spot, bool backward) {
        auto& rows = rows_[backward];
        if (const auto found = rows.find(spot); found != rows.end()) return found->second;
        if (rows_[0].size() + rows_[1].size() >= max_rows_) {
            rows_[0].clear();
            rows_[1].clear();
        }
        const TimedSteps& steps = backward ? tables_.backward : tables_.forward;
        std::vector<std::uint16_t> out(spots_, no_distance);
        std::vector<std::uint32_t> queue{spot};
        out[spot] = 0;
        for (std::size_t i = 0; i < queue.size(); ++i) {
            const std::uint32_t here = queue[i];
            if (out[here] + 1 == no_distance) throw LimitReached("a piece needs too many moves");
            for (const auto& step : steps.to(here / steps.turns())) {
                const std::uint32_t next = steps.before(step, here);
                if (out[next] != no_distance) continue;
                out[next] = static_cast<std::uint16_t>(out[here] + 1);
                queue.push_back(next);
            }
        }
        return rows.emplace(spot, std::move(out)).first->second;
    }

    const Tables& tables_;
    bool simple_;
    std::size_t spots_, max_rows_;
    std::unordered_map<std::uint32_t, std::vector<std::uint16_t>> rows_[2];
    const TimedSteps* steps_ = nullptr;
    const std::uint16_t* rest_ = nullptr;
    SplitMix* random_ = nullptr;
    std::uint32_t limit_ = 0, gap_ = 0;
    std::size_t live_ = 0;                       // spots that can be reached
    std::vector<std::uint8_t> taken_, matters_;  // of each cell
    std::vector<std::uint32_t> cells_;           // that matter
    std::vector<std::uint32_t> reached_, node_;  // of each spot: least moves, and the last of them
    std::vector<Node> nodes_;
    std::vector<std::uint32_t> queue_;
    std::vector<Move> path_;
};

}  // namespace slidelab
