// Gourds pulled along cycles, like the cars of a circular train.
//
// With one hole a move is determined by the cell that becomes the new hole: the gourd on it has its other end (the
// front) beside the old hole and follows it, or, if both ends touch the hole, keeps its front and swings the other end
// over (a pivot). So a solution is recorded as the path of the hole; `rows_of_path` converts it to moves.
//
// Along a cycle of 2k + 1 cells filled by k gourds and the hole, each pull moves the hole two cells forward and one
// gourd one cell back. After 2k + 1 pulls the hole is where it was and every gourd one place further: one round. Where
// the cycle bends sharply the pull is a pivot and reverses the gourd; this is corrected at the end, where few gourds
// are left to each search.
#pragma once

#include "base/tick.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <memory>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

namespace slidelab {

class GourdTrain {
public:
    using Cell = std::int32_t;
    using Cells = std::vector<Cell>;

    static constexpr Cell nothing = -1;
    static constexpr std::int64_t max_pulls = 1'000'000'000;  // at once: each is recorded

    // Neighbours of cell c are neighbours[offsets[c]] to neighbours[offsets[c + 1] - 1]; ends[2g] and ends[2g + 1] are
    // the cells of head and tail of gourd g.
    GourdTrain(Cells offsets, Cells neighbours, Cells ends)
        : GourdTrain(std::make_shared<const Board>(std::move(offsets), std::move(neighbours)), std::move(ends)) {}

    // Other gourds on the same board.
    GourdTrain with(Cells ends) const { return GourdTrain(board_, std::move(ends)); }

    // A copy begins a path of its own.
    GourdTrain(const GourdTrain& other)
        : board_(other.board_), where_(other.where_), at_(other.at_), place_(other.at_.size(), nothing),
          hole_(other.hole_) {}
    GourdTrain& operator=(const GourdTrain&) = delete;

    std::size_t gourds() const { return where_.size() / 2; }
    Cell hole() const { return hole_; }
    const Cells& ends() const { return where_; }
    const Cells& path() const { return path_of_hole_; }

    // Unchecked: for cells that are known to exist.
    bool touch(Cell a, Cell b) const { return board_->touch(a, b); }
    std::span<const Cell> around(Cell c) const { return board_->around(c); }
    void clear_path() { path_of_hole_.clear(); }

    // The gourd on `back` moves so that `back` is the hole.
    void play(Cell back) {
        const Cell end = at(checked(back));
        if (end == nothing) throw std::invalid_argument("the hole does not move onto itself");
        const Cell front = where(end ^ 1);
        if (!touch(hole_, front)) throw std::invalid_argument("no gourd can move from there");
        advance(front, back);
    }

    void play(std::span<const Cell> path, const Tick& tick = no_tick) {
        for (std::size_t i = 0; i < path.size(); ++i) {
            if ((i & 0x3fff) == 0) tick("play", i, path.size());
            play(path[i]);
        }
    }

    // Makes a number of pulls along the cycle, backwards if negative; the gourds on it must lie along it.
    void pull(const Cells& cycle, std::int64_t pulls, const Tick& tick = no_tick) {
        if (pulls < -max_pulls || pulls > max_pulls) throw std::invalid_argument("fewer pulls expected");
        const Circle circle(*this, cycle);
        pull_from(cycle, circle.position(hole_), pulls, tick);
    }

    // Pulls until the hole is on `cell`, in the shorter direction; how many pulls.
    std::int64_t pull_to(const Cells& cycle, Cell cell, const Tick& tick = no_tick) {
        const Circle circle(*this, cycle);
        const auto length = static_cast<std::int64_t>(cycle.size());
        const auto from = static_cast<std::int64_t>(circle.position(hole_));
        const std::int64_t apart = (static_cast<std::int64_t>(circle.position(checked(cell))) - from + length) % length;
        const std::int64_t pulls = apart % 2 == 0 ? apart / 2 : (apart + length) / 2;
        const std::int64_t shorter = 2 * pulls > length ? pulls - length : pulls;
        pull_from(cycle, static_cast<std::size_t>(from), shorter, tick);
        return shorter;
    }

    // Phase 1 of the papers: all gourds along the cycle, which goes through all cells. The next gourd along the cycle
    // is pulled into the hole; if it lay across, it lies along now. It goes towards the nearer gourd that lies across.
    void align(const Cells& cycle, const Tick& tick) {
        if (cycle.size() != at_.size()) throw std::invalid_argument("a cycle through all cells expected");
        const Circle circle(*this, cycle);
        const std::size_t length = cycle.size();
        for (;;) {
            tick("align", path_of_hole_.size(), 0);
            const std::size_t from = circle.position(hole_);
            std::size_t ahead = 0;
            bool forward = false, found = false;
            for (; ahead < gourds() && !found; ++ahead) {
                const std::size_t up = (from + 2 * ahead + 1) % length,
                                  down = (from + 2 * length - 2 * ahead - 1) % length;
                forward = at(cycle[up]) / 2 != at(cycle[(up + 1) % length]) / 2;
                found = forward || at(cycle[down]) / 2 != at(cycle[(down + length - 1) % length]) / 2;
            }
            if (!found) return;
            const auto passed = static_cast<std::int64_t>(ahead - 1);
            pull_from(cycle, from, forward ? passed : -passed, tick);
            const std::size_t here = circle.position(hole_);
            const Cell front = cycle[(here + (forward ? 1 : length - 1)) % length];
            advance(front, where(at(front) ^ 1));
        }
    }

    // Two cycles that share the hole and one gourd's place. Gourds change over through that place until each cycle
    // has those that it has in `goal`; the shared gourd counts as the first cycle's.
    std::size_t exchange(const Cells& first, const Cells& second, const GourdTrain& goal, const Tick& tick) {
        if (goal.hole_ != hole_ || goal.gourds() != gourds())
            throw std::invalid_argument("a goal with the same hole expected");
        SharedCycle a(*this, first, second), b(*this, second, first);
        std::vector<char> in_first(at_.size(), 0);
        for (const Cell c : first) in_first[index(c)] = 1;
        std::vector<char> to_second(gourds(), 0), to_first(gourds(), 0);
        std::size_t changes = 0, back = 0;
        const auto moves_over = [&](const Cells& cycle, bool from_first, std::vector<char>& out, std::size_t& count) {
            for (const Cell c : cycle) {
                const Cell end = at(c);
                if (end == nothing || (end & 1) != 0 || (in_first[index(c)] != 0) != from_first) continue;
                const std::size_t g = index(end) / 2;
                if ((in_first[index(goal.where_[2 * g])] != 0) != from_first) {
                    out[g] = 1;
                    ++count;
                }
            }
        };
        moves_over(first, true, to_second, changes);
        moves_over(second, false, to_first, back);
        if (changes != back) throw std::invalid_argument("a goal with the same gourds expected");
        const bool up_a = a.shorter(*this, to_second), up_b = b.shorter(*this, to_first);
        for (std::size_t done = 0; done < changes; ++done) {
            tick("exchange", path_of_hole_.size(), 0);
            a.bring(*this, to_second, up_a, tick);
            b.bring(*this, to_first, up_b, tick);
        }
        return changes;
    }

    // What the moves of a path are: rows of piece, kind (0 slide, 1 turn, 2 pivot), head and tail before, head and tail
    // after.
    std::vector<std::int32_t> rows_of_path(std::span<const Cell> path, std::span<const std::int32_t> coordinates,
                                           const Tick& tick = no_tick) const {
        if (!coordinates.empty() && coordinates.size() != 2 * at_.size())
            throw std::invalid_argument("two coordinates a cell expected");
        GourdTrain replay(*this);
        std::vector<std::int32_t> rows;
        rows.reserve(6 * path.size());
        for (std::size_t i = 0; i < path.size(); ++i) {
            if ((i & 0x3fff) == 0) tick("rows", i, path.size());
            const Cell back = path[i];
            const Cell hole = replay.hole_;
            const Cell end = replay.at(checked(back));
            if (end == nothing) throw std::invalid_argument("the hole does not move onto itself");
            const std::size_t g = index(end) / 2;
            const Cell front = replay.where(end ^ 1), head = replay.where_[2 * g], tail = replay.where_[2 * g + 1];
            if (!touch(hole, front)) throw std::invalid_argument("no gourd can move from there");
            replay.advance(front, back);
            replay.path_of_hole_.clear();
            const std::int32_t kind = touch(hole, back) ? 2 : bends(coordinates, back, front, hole) ? 1 : 0;
            rows.insert(rows.end(), {static_cast<std::int32_t>(g + 1), kind, head, tail, replay.where_[2 * g],
                                     replay.where_[2 * g + 1]});
        }
        return rows;
    }

    static std::size_t index(Cell c) { return static_cast<std::size_t>(c); }
    // The end on a cell: twice the number of its gourd, and one more for the tail; `nothing` in the hole. Unchecked
    // too.
    Cell at(Cell c) const { return at_[index(c)]; }
    Cell checked(Cell c) const { return board_->checked(c); }

private:
    Cell& slot(Cell c) { return at_[index(c)]; }
    Cell where(Cell end) const { return where_[index(end)]; }

    struct Board {
        Cells offsets, neighbours;

        Board(Cells o, Cells n) : offsets(std::move(o)), neighbours(std::move(n)) {
            if (offsets.size() < 2 || offsets.size() > 1'000'000 || offsets.front() != 0)
                throw std::invalid_argument("offsets expected");
            if (offsets.back() < 0 || index(offsets.back()) != neighbours.size() ||
                !std::is_sorted(offsets.begin(), offsets.end()))
                throw std::invalid_argument("rows of neighbours expected");
            for (const Cell c : neighbours) checked(c);
            for (std::size_t c = 0; c < cells(); ++c)
                if (touch(static_cast<Cell>(c), static_cast<Cell>(c)))
                    throw std::invalid_argument("cells that do not touch themselves expected");
            const Cells turned = turned_round(neighbours);
            if (turned_round(turned) != turned) throw std::invalid_argument("cells that touch each other expected");
        }
        // For each cell the cells whose rows it is in, in order.
        Cells turned_round(const Cells& rows) const {
            Cells next(offsets.begin(), offsets.end() - 1), out(rows.size());
            for (std::size_t c = 0; c < cells(); ++c)
                for (Cell i = offsets[c]; i < offsets[c + 1]; ++i) {
                    const std::size_t to = index(rows[index(i)]);
                    if (next[to] == offsets[to + 1])
                        throw std::invalid_argument("cells that touch each other expected");
                    out[index(next[to]++)] = static_cast<Cell>(c);
                }
            return out;
        }
        std::size_t cells() const { return offsets.size() - 1; }
        Cell checked(Cell c) const {
            if (c < 0 || index(c) >= cells()) throw std::invalid_argument("no such cell");
            return c;
        }
        std::span<const Cell> around(Cell c) const {
            const std::size_t first = index(offsets[index(c)]);
            return std::span(neighbours).subspan(first, index(offsets[index(c) + 1]) - first);
        }
        bool touch(Cell a, Cell b) const {
            const auto row = around(a);
            return std::find(row.begin(), row.end(), b) != row.end();
        }
    };

    GourdTrain(std::shared_ptr<const Board> board, Cells ends) : board_(std::move(board)), where_(std::move(ends)) {
        const std::size_t cells = board_->cells();
        if (where_.size() + 1 != cells || where_.size() % 2 != 0)
            throw std::invalid_argument("gourds on all cells but one expected");
        at_.assign(cells, nothing);
        place_.assign(cells, nothing);
        for (std::size_t e = 0; e < where_.size(); ++e) {
            const Cell c = checked(where_[e]);
            if (at(c) != nothing) throw std::invalid_argument("two gourds on a cell");
            slot(c) = static_cast<Cell>(e);
        }
        for (std::size_t g = 0; g < gourds(); ++g)
            if (!touch(where_[2 * g], where_[2 * g + 1]))
                throw std::invalid_argument("a gourd on cells that do not touch");
        hole_ = static_cast<Cell>(std::find(at_.begin(), at_.end(), nothing) - at_.begin());
    }

    static bool bends(std::span<const std::int32_t> coordinates, Cell a, Cell b, Cell c) {
        if (coordinates.empty()) return false;
        for (std::size_t i = 0; i < 2; ++i)
            if (std::int64_t{coordinates[2 * index(b) + i]} * 2 !=
                std::int64_t{coordinates[2 * index(a) + i]} + coordinates[2 * index(c) + i])
                return true;
        return false;
    }

    // The gourd on front and back, of which front touches the hole, moves into it; nothing is checked.
    void advance(Cell front, Cell back) {
        path_of_hole_.push_back(back);  // first, since only this can fail
        const Cell behind = at(back);
        if (touch(hole_, back)) {
            slot(hole_) = behind;
            where_[index(behind)] = hole_;
        } else {
            const Cell ahead = at(front);
            slot(hole_) = ahead;
            where_[index(ahead)] = hole_;
            slot(front) = behind;
            where_[index(behind)] = front;
        }
        slot(back) = nothing;
        hole_ = back;
    }

    // The position of each cell on a cycle, during the lifetime of this object.
    class Circle {
    public:
        Circle(GourdTrain& train, const Cells& cycle) : train_(train), cycle_(cycle) {
            if (cycle.size() < 3 || cycle.size() % 2 == 0)
                throw std::invalid_argument("a cycle with an odd number of cells expected");
            for (const Cell c : cycle) train.checked(c);
            for (std::size_t i = 0; i < cycle.size(); ++i) train.place_[index(cycle[i])] = static_cast<Cell>(i);
            bool sound = true;
            for (std::size_t i = 0; i < cycle.size(); ++i)
                sound = sound && train.place_[index(cycle[i])] == static_cast<Cell>(i) &&
                        train.touch(cycle[i], cycle[(i + 1) % cycle.size()]);
            if (!sound) {
                clear();
                throw std::invalid_argument("a cycle of touching cells expected");
            }
        }
        Circle(const Circle&) = delete;
        Circle& operator=(const Circle&) = delete;
        ~Circle() { clear(); }

        std::size_t position(Cell c) const {
            const Cell found = train_.place_[index(c)];
            if (found == nothing) throw std::invalid_argument("a cell on the cycle expected");
            return index(found);
        }

    private:
        void clear() {
            for (const Cell c : cycle_) train_.place_[index(c)] = nothing;
        }
        GourdTrain& train_;
        const Cells& cycle_;
    };

    void pull_from(const Cells& cycle, std::size_t from, std::int64_t pulls, const Tick& tick) {
        const std::size_t length = cycle.size();
        const bool up = pulls >= 0;
        if (cycle[from] != hole_) throw std::logic_error("expected gourds that are not moved by others");
        for (std::int64_t left = up ? pulls : -pulls; left > 0; --left) {
            if ((left & 0x3fff) == 0) tick("pull", path_of_hole_.size(), 0);
            const std::size_t next = up ? (from + 1 < length ? from + 1 : 0) : (from > 0 ? from - 1 : length - 1);
            const std::size_t after = up ? (next + 1 < length ? next + 1 : 0) : (next > 0 ? next - 1 : length - 1);
            const Cell front = cycle[next], back = cycle[after];
            if (at(front) == nothing || (at(front) ^ 1) != at(back))
                throw std::invalid_argument("gourds along the cycle expected");
            advance(front, back);
            from = after;
        }
    }

    // One of two cycles that share the hole and a gourd's place.
    class SharedCycle {
    public:
        SharedCycle(GourdTrain& train, const Cells& cycle, const Cells& other) : cycle_(cycle) {
            std::size_t hole;
            {
                const Circle circle(train, cycle);
                hole = circle.position(train.hole_);
            }
            std::rotate_copy(cycle.begin(), cycle.begin() + static_cast<std::ptrdiff_t>(hole), cycle.end(),
                             std::back_inserter(turned_));
            std::vector<char> in_other(train.at_.size(), 0);
            for (const Cell c : other) in_other[index(train.checked(c))] = 1;
            std::size_t shared = 0;
            for (std::size_t p = 0; p < places(); ++p) {
                const bool head = in_other[index(turned_[2 * p + 1])] != 0,
                           tail = in_other[index(turned_[2 * p + 2])] != 0;
                if (head != tail) throw std::invalid_argument("cycles that share whole places expected");
                if (head) {
                    shared_ = p;
                    ++shared;
                }
            }
            if (shared != 1) throw std::invalid_argument("cycles that share one place expected");
        }
        std::size_t places() const { return cycle_.size() / 2; }

        // In which direction fewer rounds bring all the wanted gourds to the shared place.
        bool shorter(const GourdTrain& train, const std::vector<char>& wanted) const {
            std::size_t up = 0, down = 0;
            for (std::size_t p = 0; p < places(); ++p)
                if (wanted[gourd(train, p)] != 0) {
                    up = std::max(up, (p + places() - shared_) % places());
                    down = std::max(down, (shared_ + places() - p) % places());
                }
            return up <= down;
        }

        // Rounds until a wanted gourd is on the shared place, which is then no longer wanted.
        void bring(GourdTrain& train, std::vector<char>& wanted, bool up, const Tick& tick) const {
            const auto round = static_cast<std::int64_t>(cycle_.size());
            if (train.hole_ != turned_[0]) throw std::logic_error("expected gourds that are not moved by others");
            for (std::size_t rounds = 0; wanted[gourd(train, shared_)] == 0; ++rounds) {
                if (rounds == places()) throw std::logic_error("no gourd to change over");
                tick("exchange", train.path_of_hole_.size(), 0);
                train.pull_from(turned_, 0, up ? round : -round, tick);
            }
            wanted[gourd(train, shared_)] = 0;
        }

    private:
        std::size_t gourd(const GourdTrain& train, std::size_t p) const {
            return index(train.at(turned_[2 * p + 1])) / 2;
        }
        const Cells& cycle_;
        Cells turned_;  // beginning with the hole
        std::size_t shared_ = 0;
    };

    std::shared_ptr<const Board> board_;
    Cells where_;  // of each end
    Cells at_;     // the end on each cell
    Cells place_;  // scratch: where each cell stands on a cycle
    Cell hole_ = 0;
    Cells path_of_hole_;
};

}  // namespace slidelab
