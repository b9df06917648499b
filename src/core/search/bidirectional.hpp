// Breadth-first search from both ends, or from the start alone.
//
// Always the side with the smaller frontier is expanded by a whole layer; when the sides first meet, a shortest
// solution is found. No heuristic is needed.
#pragma once

#include "search/ida_star.hpp"
#include "search/state_frame.hpp"

namespace slidelab {

class Bidirectional {
public:
    Bidirectional(std::shared_ptr<const MoveTable> moves, Marks marks, bool both = true)
        : moves_(std::move(moves)), marks_(std::move(marks)), both_(both) {
        if (marks_.turns() != moves_->turns()) throw std::invalid_argument("marks for other pieces");
    }

    Found solve(const SearchState& start, const SearchState& goal, const SearchLimits& limits, const Tick& tick) const {
        start.check(*moves_, marks_);
        goal.check(*moves_, marks_);
        StateFrame frame(*moves_, marks_);
        Side sides[2] = {Side(frame.words()), Side(frame.words())};
        Found found;
        begin(sides[0], frame, start);
        begin(sides[1], frame, goal);
        if (sides[1].seen.find(start.shape, sides[0].seen.state(0)) != StateSet::none) {
            found.arcs.emplace();
            found.finished = true;
            return found;
        }
        const std::uint64_t most = limits.bytes / (StateSet::bytes_per_state(frame.words()) + sizeof(Link));
        for (found.bound = 1; found.bound < limits.below; ++found.bound) {
            const bool back = both_ && sides[1].waiting() < sides[0].waiting();
            if (sides[back].waiting() == 0) break;
            if (!layer(sides[back], sides[!back], back, frame, limits, most, found, tick)) return found;
            if (found.arcs) break;
        }
        found.finished = true;
        return found;
    }

private:
    struct Link {
        std::uint32_t arc, parent;
    };
    struct Side {
        explicit Side(std::size_t words) : seen(words) {}
        std::size_t waiting() const { return seen.size() - begin; }
        StateSet seen;
        Chunked<Link> links;
        std::size_t begin = 0;  // of the last layer
    };

    static void begin(Side& side, StateFrame& frame, const SearchState& at) {
        frame.load(at);
        side.seen.insert(at.shape, frame.key());
        *side.links.add() = {StateSet::none, StateSet::none};
    }

    // One layer further; false if a limit was reached.
    bool layer(Side& side, const Side& other, bool back, StateFrame& frame, const SearchLimits& limits,
               std::uint64_t most, Found& found, const Tick& tick) const {
        const std::size_t end = side.seen.size();
        for (; side.begin < end; ++side.begin) {
            if (++found.nodes > limits.nodes || side.seen.size() + other.seen.size() >= most ||
                is_out_of_time(tick, found.nodes, side.seen, moves_->arcs(side.seen.shape(side.begin)).size()))
                return false;
            const auto at = static_cast<std::uint32_t>(side.begin);
            const std::uint32_t shape = side.seen.shape(at);
            frame.load(shape, side.seen.state(at));
            const auto arcs = moves_->arcs(shape);
            for (std::size_t a = 0; a < arcs.size(); ++a) {
                frame.follow(arcs[a]);
                const auto [number, fresh] = side.seen.insert(arcs[a].target, frame.key());
                if (!fresh) continue;
                *side.links.add() = {moves_->first(shape) + static_cast<std::uint32_t>(a), at};
                const std::uint32_t met = other.seen.find(arcs[a].target, frame.key());
                if (met == StateSet::none) continue;
                found.arcs.emplace();
                trace(side, number, back, *found.arcs);
                trace(other, met, !back, *found.arcs);
                return true;
            }
        }
        return true;
    }

    // From the start to where they met, or from there to the goal, against the moves that were made.
    void trace(const Side& side, std::uint32_t at, bool back, std::vector<std::uint32_t>& arcs) const {
        std::vector<std::uint32_t> part;
        for (; side.links[at]->parent != StateSet::none; at = side.links[at]->parent) {
            const std::uint32_t arc = side.links[at]->arc;
            part.push_back(back ? moves_->arcs()[arc].back : arc);
        }
        if (back) {
            arcs.insert(arcs.end(), part.begin(), part.end());
        } else {
            std::reverse(part.begin(), part.end());
            arcs.insert(arcs.begin(), part.begin(), part.end());
        }
    }

    std::shared_ptr<const MoveTable> moves_;
    Marks marks_;
    bool both_;
};

}  // namespace slidelab
