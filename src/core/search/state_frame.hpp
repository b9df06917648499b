// What searches with an explicit set of states share: their limits, and how states are loaded and expanded.
#pragma once

#include "search/heuristic.hpp"
#include "search/move_table.hpp"
#include "search/search_state.hpp"

namespace slidelab {

struct SearchLimits {
    std::uint32_t weight = 100;             // in hundredths
    std::uint32_t below = Heuristic::none;  // only solutions shorter than this are of interest
    std::uint64_t bytes = std::numeric_limits<std::uint64_t>::max();
    std::uint64_t nodes = std::numeric_limits<std::uint64_t>::max();
};

// Looks at the clock now and then, and makes room in a set for the states that are found next: this may take long.
inline bool is_out_of_time(const Tick& tick, std::uint64_t nodes, StateSet& seen, std::size_t more) {
    try {
        if ((nodes & 0xfff) == 0) tick("states", nodes, 0);
        seen.make_room(more, tick);
    } catch (const OutOfTime&) {
        return true;
    }
    return false;
}

// Loads a state and packs the states that its moves lead to.
class StateFrame {
public:
    StateFrame(const MoveTable& moves, const Marks& marks)
        : moves_(moves), marks_(marks), packing_(marks.bits(), moves.pieces()), key_(packing_.words()),
          in_(moves.placements(), empty) {}

    static constexpr Point empty = std::numeric_limits<Point>::max();  // the mark of a placement without a piece

    std::size_t words() const { return packing_.words(); }
    const std::uint64_t* key() const { return key_.data(); }

    void load(const SearchState& s) {
        std::fill(in_.begin(), in_.end(), empty);
        for (std::size_t slot = 0; slot < s.marks.size(); ++slot) in_[moves_.slots(s.shape)[slot]] = s.marks[slot];
        packing_.pack(moves_.slots(s.shape), in_.data(), key_.data());
    }
    void load(std::uint32_t shape, const std::uint64_t* words) {
        std::fill(in_.begin(), in_.end(), empty);
        packing_.unpack(moves_.slots(shape), words, in_.data());
    }

    Point mark(Point placement) const { return in_[placement]; }

    // The key of the state that a move leads to.
    void follow(const MoveTable::Arc& arc) {
        const Point kept = in_[arc.to];
        in_[arc.to] = marks_.turned(in_[arc.from], arc.turn);
        packing_.pack(moves_.slots(arc.target), in_.data(), key_.data());
        in_[arc.to] = kept;
    }

    // The spot of each kind, where all pieces differ.
    void spots(std::uint32_t shape, Point* spot_of) const {
        for (auto placement : moves_.slots(shape)) {
            const Point mark = in_[placement];
            spot_of[marks_.kind(mark)] = static_cast<Point>(placement * moves_.turns() + marks_.turn(mark));
        }
    }

    // Kinds and spots of all pieces.
    void pieces(std::uint32_t shape, std::vector<std::pair<Point, Point>>& out) const {
        out.clear();
        for (auto placement : moves_.slots(shape)) {
            const Point mark = in_[placement];
            out.emplace_back(static_cast<Point>(marks_.kind(mark)),
                             static_cast<Point>(placement * moves_.turns() + marks_.turn(mark)));
        }
    }

private:
    const MoveTable& moves_;
    const Marks& marks_;
    Packing packing_;
    std::vector<std::uint64_t> key_;
    std::vector<Point> in_;
};

}  // namespace slidelab
