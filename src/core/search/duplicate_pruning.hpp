// DuplicatePruning that lead nowhere new, learned from the board and left out.
//
// Two walks from one shape that end in the same state are twins; of these only the first in the order of
// length and then of the lists of moves is needed. A shortest walk that comes first has only first walks
// within it: else one of them could be put in place of its twin. So walks that contain a later twin
// need never be gone. All walks from every shape are listed up to some length, the twins among them found, and
// an automaton made that reads moves and has no arc where a twin would be completed (Taylor and Korf,
// "Pruning duplicate nodes in depth-first search", 1993). Moves taken back are the twins of length two.
#pragma once

#include "search/move_table.hpp"

namespace slidelab {

class DuplicatePruning {
public:
    struct Arc {
        Point from, to;  // placements
        std::uint16_t turn;
        std::uint32_t next;  // state of the automaton
        std::uint32_t move;  // arc of the move table
    };

    // States 0, 1, ... are the shapes, with nothing gone before. Lists at most about `most` walks.
    DuplicatePruning(const MoveTable& moves, std::size_t most, unsigned longest, const Tick& tick) {
        list_walks(moves, most, longest, tick);
        make_automaton(moves);
        nodes_ = std::vector<Node>();  // what `{}` would not give back
        children_ = std::vector<std::uint32_t>();
    }

    std::span<const Arc> arcs(std::size_t state) const { return {arcs_.data() + first_[state], first_[state + 1] - first_[state]}; }
    std::size_t states() const { return first_.size() - 1; }
    unsigned length() const { return length_; }  // twins up to this length are known; from two on nothing is taken back

private:
    static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
    struct Node {
        std::uint32_t root, shape, parent, suffix;  // suffix: the same walk without its first move
        std::uint32_t children = none;              // by the arcs of its shape, none where a twin is completed
    };

    void list_walks(const MoveTable& moves, std::size_t most, unsigned longest, const Tick& tick) {
        const auto shapes = static_cast<std::uint32_t>(moves.shapes());
        const Marks marks(std::vector<std::uint8_t>(moves.pieces(), static_cast<std::uint8_t>(moves.turns())), moves.turns());
        const Packing packing(marks.bits(), moves.pieces());
        std::vector<std::uint64_t> key(packing.words() + 1);
        StateSet seen(key.size());
        std::vector<std::uint64_t> states;
        std::vector<Point> in(moves.placements(), 0);
        auto add = [&](std::uint32_t root, std::uint32_t shape, std::uint32_t parent, std::uint32_t suffix) {
            key[0] = root;
            packing.pack(moves.slots(shape), in.data(), key.data() + 1);
            if (!seen.insert(shape, key.data()).second) return none;
            nodes_.push_back({root, shape, parent, suffix});
            states.insert(states.end(), key.begin() + 1, key.end());
            return static_cast<std::uint32_t>(nodes_.size() - 1);
        };
        for (std::uint32_t s = 0; s < shapes; ++s) {
            if (shapes > most) {  // no walks at all, then
                nodes_.push_back({s, s, none, none});
                continue;
            }
            for (std::size_t slot = 0; slot < moves.pieces(); ++slot) in[moves.slots(s)[slot]] = marks.mark(static_cast<unsigned>(slot), 0);
            add(s, s, none, none);
        }
        std::size_t begin = 0;
        for (length_ = 0; length_ < longest; ++length_) {
            const std::size_t end = nodes_.size();
            std::size_t more = 0;  // the next length must fit as a whole
            for (std::size_t n = begin; n < end; ++n) more += moves.arcs(nodes_[n].shape).size();
            if (more == 0 || end + more > most) break;
            for (std::size_t n = begin; n < end; ++n) {
                if ((n & 0xfff) == 0) tick("walks", n, most);
                const Node node = nodes_[n];
                const auto arcs = moves.arcs(node.shape);
                nodes_[n].children = static_cast<std::uint32_t>(children_.size());
                children_.resize(children_.size() + arcs.size(), none);
                packing.unpack(moves.slots(node.shape), states.data() + n * packing.words(), in.data());
                for (std::size_t a = 0; a < arcs.size(); ++a) {
                    std::uint32_t suffix = none;
                    if (node.suffix != none) {
                        suffix = children_[nodes_[node.suffix].children + a];
                        if (suffix == none) continue;  // completes a shorter twin
                    } else {
                        suffix = arcs[a].target;  // one move: what is left is nothing, at its end
                    }
                    const Point kept = in[arcs[a].to];
                    in[arcs[a].to] = marks.turned(in[arcs[a].from], arcs[a].turn);
                    const std::uint32_t child = add(node.root, arcs[a].target, static_cast<std::uint32_t>(n), suffix);
                    in[arcs[a].to] = kept;
                    children_[nodes_[n].children + a] = child;
                    if (child == none) twins_.push_back(static_cast<std::uint32_t>(n));
                }
            }
            begin = end;
        }
    }

    void make_automaton(const MoveTable& moves) {
        // States: beginnings of twins. Each walk is known by its longest ending that is one.
        std::vector<std::uint32_t> state(nodes_.size(), none);
        std::uint32_t count = 0;
        for (; count < moves.shapes(); ++count) state[count] = count;
        std::vector<std::uint32_t> kept(count);
        std::iota(kept.begin(), kept.end(), 0u);
        for (auto n : twins_)
            for (; state[n] == none; n = nodes_[n].parent) {
                state[n] = count++;
                kept.push_back(n);
            }
        twins_ = std::vector<std::uint32_t>();
        first_.assign(1, 0);
        for (auto n : kept) {
            const auto arcs = moves.arcs(nodes_[n].shape);
            for (std::size_t a = 0; a < arcs.size(); ++a) {
                std::uint32_t next = nodes_[n].children == none ? arcs[a].target : children_[nodes_[n].children + a];
                if (next == none) continue;
                while (state[next] == none) next = nodes_[next].suffix;
                arcs_.push_back({arcs[a].from, arcs[a].to, arcs[a].turn, state[next], static_cast<std::uint32_t>(moves.first(nodes_[n].shape) + a)});
            }
            first_.push_back(static_cast<std::uint32_t>(arcs_.size()));
        }
    }

    unsigned length_ = 0;
    std::vector<Node> nodes_;
    std::vector<std::uint32_t> children_, twins_;
    std::vector<std::uint32_t> first_;
    std::vector<Arc> arcs_;
};

}  // namespace slidelab
