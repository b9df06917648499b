// A* and weighted A*, for any rule.
//
// All states are kept and compared in full. States are expanded in the order of g + w h, with the path length g and the
// heuristic h. A state that is reached again by a shorter path is reopened, so the solution is at most w times as long
// as a shortest one, whether the heuristic is consistent or not. The least g + h of all open states is a lower bound
// for every solution.
#pragma once

#include "search/ida_star.hpp"
#include "search/state_frame.hpp"

#include <map>

namespace slidelab {

class AStar {
public:
    AStar(std::shared_ptr<const MoveTable> moves, Marks marks, std::shared_ptr<const Heuristic> heuristic)
        : moves_(std::move(moves)), marks_(std::move(marks)), heuristic_(std::move(heuristic)) {
        if (heuristic_->kinds() != marks_.kinds() || heuristic_->spots() != moves_->spots() ||
            marks_.turns() != moves_->turns())
            throw std::invalid_argument("a heuristic for other pieces");
    }

    Found solve(const SearchState& start, const SearchLimits& limits, const Tick& tick) const {
        start.check(*moves_, marks_, heuristic_->lookups() > 0);
        if (limits.weight < 100 || limits.weight > 100000) throw std::invalid_argument("weight out of range");
        Search s(*this, limits);
        Found found;
        const bool over = s.run(start, tick, found);
        found.finished = over;
        return found;
    }

private:
    static constexpr std::uint32_t none = Heuristic::none;

    struct Node {
        std::uint32_t arc = none;  // that led here
        std::uint32_t parent = none;
        std::uint16_t length = 0, heuristic = 0;
        bool open = false;
    };

    struct Search {
        Search(const AStar& p, const SearchLimits& l)
            : moves(*p.moves_), marks(p.marks_), heuristic(*p.heuristic_), limits(l), frame(moves, marks),
              seen(frame.words()) {
            const std::uint32_t common = std::gcd(l.weight, 100u);
            length_weight = 100 / common;
            heuristic_weight = l.weight / common;
            most = limits.bytes / (StateSet::bytes_per_state(frame.words()) + sizeof(Node) + 12);
        }

        bool run(const SearchState& start, const Tick& tick, Found& found) {
            frame.load(start);
            frame.pieces(start.shape, pieces);
            if (!heuristic.load(pieces, state)) return true;
            found.bound = state.bound;
            if (state.bound >= limits.below) {
                found.bound = limits.below;
                return true;
            }
            if (state.bound >= no_length)
                throw LimitReached("solutions of more than 65,000 moves are not searched for");
            seen.insert(start.shape, frame.key());
            *nodes.add() = {none, none, 0, static_cast<std::uint16_t>(state.bound), false};
            open(0);
            for (; !empty();) {
                const std::uint32_t at = pop();
                if (at == none) continue;
                Node& node = *nodes[at];
                if (node.heuristic == 0 && is_goal(at)) {
                    node.open = true;  // its own length counts among the bounds
                    ++open_at[node.length];
                    found.bound = std::max(found.bound, least_open());
                    trace(at, found);
                    return true;
                }
                if (++found.nodes > limits.nodes || nodes.size() >= most ||
                    is_out_of_time(tick, found.nodes, seen, moves.arcs(seen.shape(at)).size())) {
                    node.open = true;
                    ++open_at[node.length + node.heuristic];
                    found.bound = std::max(found.bound, least_open());
                    return false;
                }
                expand(at);
            }
            found.bound = limits.below;  // all that was shorter was looked at
            return true;
        }

        bool is_goal(std::uint32_t at) {
            frame.load(seen.shape(at), seen.state(at));
            frame.pieces(seen.shape(at), pieces);
            for (const auto& [kind, spot] : pieces)
                if (heuristic.base(kind, spot) != 0) return false;
            return true;
        }

        void expand(std::uint32_t at) {
            const std::uint32_t shape = seen.shape(at);
            frame.load(shape, seen.state(at));
            frame.pieces(shape, pieces);
            heuristic.load(pieces, state);
            const auto arcs = moves.arcs(shape);
            const std::uint32_t length = nodes[at]->length + 1u;
            if (length >= no_length) throw LimitReached("solutions of more than 65,000 moves are not searched for");
            for (std::size_t a = 0; a < arcs.size(); ++a) {
                const auto& arc = arcs[a];
                frame.follow(arc);
                const auto [other, fresh] = seen.insert(arc.target, frame.key());
                if (fresh) {
                    const Point mark = frame.mark(arc.from), then = marks.turned(mark, arc.turn);
                    const auto from = static_cast<Point>(arc.from * moves.turns() + marks.turn(mark));
                    const auto to = static_cast<Point>(arc.to * moves.turns() + marks.turn(then));
                    const std::uint32_t left = heuristic.after(state, marks.kind(mark), from, to);
                    if (left != none && left >= no_length)
                        throw LimitReached("solutions of more than 65,000 moves are not searched for");
                    *nodes.add() = {none, none, no_length,
                                    static_cast<std::uint16_t>(std::min<std::uint32_t>(left, no_length)), false};
                }
                Node& node = *nodes[other];
                if (node.heuristic == no_length || length >= node.length || length + node.heuristic >= limits.below)
                    continue;
                if (node.open) --open_at[node.length + node.heuristic];
                node.open = false;
                node.length = static_cast<std::uint16_t>(length);
                node.arc = moves.first(shape) + static_cast<std::uint32_t>(a);
                node.parent = at;
                open(other);
            }
        }

        void open(std::uint32_t at) {
            Node& node = *nodes[at];
            node.open = true;
            const std::size_t f = node.length + node.heuristic;
            if (open_at.size() <= f) open_at.resize(f + 1, 0);
            ++open_at[f];
            queue[std::uint64_t{length_weight} * node.length + std::uint64_t{heuristic_weight} * node.heuristic]
                .push_back({at, node.length});
        }

        bool empty() {
            while (!queue.empty() && queue.begin()->second.empty()) queue.erase(queue.begin());
            return queue.empty();
        }

        // The next open state; none if it has been reached by a shorter path since.
        std::uint32_t pop() {
            auto& first = queue.begin()->second;
            const auto [at, length] = first.back();
            first.pop_back();
            Node& node = *nodes[at];
            if (!node.open || node.length != length) return none;
            node.open = false;
            --open_at[node.length + node.heuristic];
            return at;
        }

        std::uint32_t least_open() const {
            for (std::size_t f = 0; f < open_at.size(); ++f)
                if (open_at[f]) return static_cast<std::uint32_t>(std::min<std::size_t>(f, limits.below));
            return limits.below;
        }

        void trace(std::uint32_t at, Found& found) const {
            auto& arcs = found.arcs.emplace();
            for (; nodes[at]->parent != none; at = nodes[at]->parent) arcs.push_back(nodes[at]->arc);
            std::reverse(arcs.begin(), arcs.end());
        }

        static constexpr std::uint16_t no_length = 0xffff;
        const MoveTable& moves;
        const Marks& marks;
        const Heuristic& heuristic;
        const SearchLimits& limits;
        StateFrame frame;
        StateSet seen;
        Chunked<Node> nodes;
        std::map<std::uint64_t, std::vector<std::pair<std::uint32_t, std::uint16_t>>>
            queue;                           // by length + weight * heuristic
        std::vector<std::uint64_t> open_at;  // open states by length + heuristic
        std::vector<std::pair<Point, Point>> pieces;
        Heuristic::State state;
        std::uint32_t length_weight = 1, heuristic_weight = 1;
        std::uint64_t most = 0;
    };

    std::shared_ptr<const MoveTable> moves_;
    Marks marks_;
    std::shared_ptr<const Heuristic> heuristic_;
};

}  // namespace slidelab
