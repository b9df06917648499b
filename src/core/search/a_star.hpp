// A* and weighted A*, for any rule; and breadth-first search from both ends.
//
// Every state met is kept, compared in full. Weighted A* takes states in the order of length so far + w
// times the heuristic; a state reached again on a shorter way is opened again, so the solution is at most
// w times as long as a shortest whatever the heuristic. While it goes on, the least length so far + heuristic of all
// open states bounds every solution from below.
#pragma once

#include "search/ida_star.hpp"

#include <map>

namespace slidelab {

struct SearchLimits {
    std::uint32_t weight = 100;  // in hundredths
    std::uint32_t below = Heuristic::none;  // only solutions shorter than this are of interest
    std::uint64_t bytes = std::numeric_limits<std::uint64_t>::max();
    std::uint64_t nodes = std::numeric_limits<std::uint64_t>::max();
};

inline bool is_out_of_time(const Tick& tick, std::uint64_t nodes) {
    if (nodes & 0xfff) return false;
    try {
        tick("states", nodes, 0);
    } catch (const OutOfTime&) {
        return true;
    }
    return false;
}

// What both searches do with states: load one, and pack what its moves lead to.
class StateFrame {
public:
    StateFrame(const MoveTable& moves, const Marks& marks) : moves_(moves), marks_(marks), packing_(marks.bits(), moves.pieces()), key_(packing_.words()), in_(moves.placements(), 0) {}

    std::size_t words() const { return packing_.words(); }
    const std::uint64_t* key() const { return key_.data(); }

    void load(const SearchState& s) {
        for (std::size_t slot = 0; slot < s.marks.size(); ++slot) in_[moves_.slots(s.shape)[slot]] = s.marks[slot];
        packing_.pack(moves_.slots(s.shape), in_.data(), key_.data());
    }
    void load(std::uint32_t shape, const std::uint64_t* words) { packing_.unpack(moves_.slots(shape), words, in_.data()); }

    Point mark(Point placement) const { return in_[placement]; }

    // The key of the state that a move leads to.
    void follow(const MoveTable::Arc& arc) {
        const Point kept = in_[arc.to];
        in_[arc.to] = marks_.turned(in_[arc.from], arc.turn);
        packing_.pack(moves_.slots(arc.target), in_.data(), key_.data());
        in_[arc.to] = kept;
    }

    // Kinds and spots of all pieces.
    void pieces(std::uint32_t shape, std::vector<std::pair<Point, Point>>& out) const {
        out.clear();
        for (auto placement : moves_.slots(shape)) {
            const Point mark = in_[placement];
            out.emplace_back(static_cast<Point>(marks_.kind(mark)), static_cast<Point>(placement * moves_.turns() + marks_.turn(mark)));
        }
    }

private:
    const MoveTable& moves_;
    const Marks& marks_;
    Packing packing_;
    std::vector<std::uint64_t> key_;
    std::vector<Point> in_;
};

class AStar {
public:
    AStar(std::shared_ptr<const MoveTable> moves, Marks marks, std::shared_ptr<const Heuristic> heuristic)
        : moves_(std::move(moves)), marks_(std::move(marks)), heuristic_(std::move(heuristic)) {
        if (heuristic_->kinds() != marks_.kinds() || heuristic_->spots() != moves_->spots() || marks_.turns() != moves_->turns())
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
            : moves(*p.moves_), marks(p.marks_), heuristic(*p.heuristic_), limits(l), frame(moves, marks), seen(frame.words()) {
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
            if (state.bound >= no_length) throw LimitReached("solutions of more than 65,000 moves are not searched for");
            seen.insert(start.shape, frame.key());
            *nodes.add() = {none, none, 0, static_cast<std::uint16_t>(state.bound), false};
            open(0);
            for (; !empty(); ) {
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
                if (++found.nodes > limits.nodes || nodes.size() >= most || is_out_of_time(tick, found.nodes)) {
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
                    if (left != none && left >= no_length) throw LimitReached("solutions of more than 65,000 moves are not searched for");
                    *nodes.add() = {none, none, no_length, static_cast<std::uint16_t>(std::min<std::uint32_t>(left, no_length)), false};
                }
                Node& node = *nodes[other];
                if (node.heuristic == no_length || length >= node.length || length + node.heuristic >= limits.below) continue;
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
            queue[std::uint64_t{length_weight} * node.length + std::uint64_t{heuristic_weight} * node.heuristic].push_back({at, node.length});
        }

        bool empty() {
            while (!queue.empty() && queue.begin()->second.empty()) queue.erase(queue.begin());
            return queue.empty();
        }

        // The next open state; none if it has been reached on a shorter way since.
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
        std::map<std::uint64_t, std::vector<std::pair<std::uint32_t, std::uint16_t>>> queue;  // by length + weight * heuristic
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

// Breadth-first from both ends, always a whole layer of the side whose last one is smaller: where they first meet, a
// shortest solution is found. Needs no heuristic. From the start alone it is the plain search, for comparison.
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
    bool layer(Side& side, const Side& other, bool back, StateFrame& frame, const SearchLimits& limits, std::uint64_t most, Found& found,
               const Tick& tick) const {
        const std::size_t end = side.seen.size();
        for (; side.begin < end; ++side.begin) {
            if (++found.nodes > limits.nodes || side.seen.size() + other.seen.size() >= most || is_out_of_time(tick, found.nodes)) return false;
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
