// Pruning of duplicate paths for depth-first search (Taylor and Korf, "Pruning duplicate nodes in depth-first search",
// 1993).
//
// Two paths from one shape that end in the same state are duplicates; only the first of them, by length and then by the
// lists of moves, is needed. All parts of a first shortest path are first paths themselves, since otherwise one of them
// could be replaced. So paths that contain a later duplicate are never searched. All paths from every shape up to some
// length are listed, the duplicates among them found, and an automaton is built that reads moves and has no arc where a
// duplicate would be completed. The shortest duplicates are a move and its inverse.
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

    // States 0, 1, ... are the shapes, at the start of a path. Lists at most about `max_paths` paths.
    DuplicatePruning(const MoveTable& moves, std::size_t max_paths, unsigned max_length, const Tick& tick) {
        list_paths(moves, max_paths, max_length, tick);
        make_automaton(moves, tick);
        nodes_ = std::vector<Node>();  // what `{}` would not give back
        children_ = std::vector<std::uint32_t>();
    }

    std::span<const Arc> arcs(std::size_t state) const {
        return {arcs_.data() + first_[state], first_[state + 1] - first_[state]};
    }
    std::size_t states() const { return first_.size() - 1; }
    std::size_t max_arcs() const { return max_arcs_; }  // of a state
    unsigned length() const { return length_; }  // of the longest duplicates known; from two on no move is undone

private:
    static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
    struct Node {
        std::uint32_t root, shape, parent, suffix;  // suffix: the same path without its first move
        std::uint32_t children = none;              // by the arcs of its shape, none where a duplicate is completed
    };

    void list_paths(const MoveTable& moves, std::size_t max_paths, unsigned max_length, const Tick& tick) {
        const auto shapes = static_cast<std::uint32_t>(moves.shapes());
        const Marks marks(std::vector<std::uint8_t>(moves.pieces(), static_cast<std::uint8_t>(moves.turns())),
                          moves.turns());
        const Packing packing(marks.bits(), moves.pieces());
        std::vector<std::uint64_t> key(packing.words() + 1);
        StateSet seen(key.size());
        std::vector<std::uint64_t> states;
        std::vector<Point> in(moves.placements(), 0);
        const std::size_t often = tick_mask(4 * moves.pieces());
        auto add = [&](std::uint32_t root, std::uint32_t shape, std::uint32_t parent, std::uint32_t suffix) {
            key[0] = root;
            packing.pack(moves.slots(shape), in.data(), key.data() + 1);
            if (!seen.insert(shape, key.data()).second) return none;
            nodes_.push_back({root, shape, parent, suffix});
            states.insert(states.end(), key.begin() + 1, key.end());
            return static_cast<std::uint32_t>(nodes_.size() - 1);
        };
        for (std::uint32_t s = 0; s < shapes; ++s) {
            if ((s & often) == 0) tick("paths", s, max_paths);
            seen.make_room(1, tick);
            if (shapes > max_paths) {  // no paths at all, then
                nodes_.push_back({s, s, none, none});
                continue;
            }
            for (std::size_t slot = 0; slot < moves.pieces(); ++slot)
                in[moves.slots(s)[slot]] = marks.mark(static_cast<unsigned>(slot), 0);
            add(s, s, none, none);
        }
        std::size_t begin = 0;
        for (length_ = 0; length_ < max_length; ++length_) {
            const std::size_t end = nodes_.size();
            std::size_t more = 0;  // the next length must fit as a whole
            for (std::size_t n = begin; n < end; ++n) more += moves.arcs(nodes_[n].shape).size();
            if (more == 0 || end + more > max_paths) break;
            for (std::size_t n = begin; n < end; ++n) {
                if ((n & often) == 0) tick("paths", n, max_paths);
                const Node node = nodes_[n];
                const auto arcs = moves.arcs(node.shape);
                seen.make_room(arcs.size(), tick);
                nodes_[n].children = static_cast<std::uint32_t>(children_.size());
                children_.resize(children_.size() + arcs.size(), none);
                packing.unpack(moves.slots(node.shape), states.data() + n * packing.words(), in.data());
                for (std::size_t a = 0; a < arcs.size(); ++a) {
                    std::uint32_t suffix = none;
                    if (node.suffix != none) {
                        suffix = children_[nodes_[node.suffix].children + a];
                        if (suffix == none) continue;  // completes a shorter duplicate
                    } else {
                        suffix = arcs[a].target;  // one move: what is left is nothing, at its end
                    }
                    const Point kept = in[arcs[a].to];
                    in[arcs[a].to] = marks.turned(in[arcs[a].from], arcs[a].turn);
                    const std::uint32_t child = add(node.root, arcs[a].target, static_cast<std::uint32_t>(n), suffix);
                    in[arcs[a].to] = kept;
                    children_[nodes_[n].children + a] = child;
                    if (child == none) duplicates_.push_back(static_cast<std::uint32_t>(n));
                }
            }
            begin = end;
        }
    }

    void make_automaton(const MoveTable& moves, const Tick& tick) {
        // States: prefixes of duplicates. Each path is represented by its longest suffix that is one.
        std::vector<std::uint32_t> state(nodes_.size(), none);
        std::uint32_t count = 0;
        for (; count < moves.shapes(); ++count) state[count] = count;
        std::vector<std::uint32_t> kept(count);
        std::iota(kept.begin(), kept.end(), 0u);
        for (std::size_t d = 0; d < duplicates_.size(); ++d) {
            if ((d & 0x3fff) == 0) tick("paths", d, duplicates_.size());
            for (auto n = duplicates_[d]; state[n] == none; n = nodes_[n].parent) {
                state[n] = count++;
                kept.push_back(n);
            }
        }
        duplicates_ = std::vector<std::uint32_t>();
        std::size_t most = 0;  // to reserve what is needed: growing would copy hundreds of megabytes at a time
        for (auto n : kept) most += moves.arcs(nodes_[n].shape).size();
        arcs_.reserve(most);
        first_.reserve(kept.size() + 1);
        first_.assign(1, 0);
        std::size_t next_tick = 0;
        for (auto n : kept) {
            const auto arcs = moves.arcs(nodes_[n].shape);
            if (arcs_.size() >= next_tick) {
                tick("paths", first_.size(), kept.size());
                next_tick = arcs_.size() + arcs_between_ticks;
            }
            for (std::size_t a = 0; a < arcs.size(); ++a) {
                std::uint32_t next = nodes_[n].children == none ? arcs[a].target : children_[nodes_[n].children + a];
                if (next == none) continue;
                while (state[next] == none) next = nodes_[next].suffix;
                arcs_.push_back({arcs[a].from, arcs[a].to, arcs[a].turn, state[next],
                                 static_cast<std::uint32_t>(moves.first(nodes_[n].shape) + a)});
            }
            max_arcs_ = std::max(max_arcs_, arcs_.size() - first_.back());
            first_.push_back(static_cast<std::uint32_t>(arcs_.size()));
        }
    }

    static constexpr std::size_t arcs_between_ticks = 1 << 18;

    unsigned length_ = 0;
    std::size_t max_arcs_ = 0;
    std::vector<Node> nodes_;
    std::vector<std::uint32_t> children_, duplicates_;
    std::vector<std::uint32_t> first_;
    std::vector<Arc> arcs_;
};

}  // namespace slidelab
