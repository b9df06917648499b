// The move table of all searches: for each shape the list of its moves.
//
// A spot is a placement and a turn. A state is a shape and, for each of its slots, a mark: the kind of the piece there
// and its turn. Numbered pieces are all of different kinds, pieces of one colour are of one kind, so that states that
// look the same are equal.
#pragma once

#include "graph/gain_graph.hpp"

#include <bit>
#include <memory>

namespace slidelab {

class MoveTable {
public:
    struct Arc {
        Point from, to;            // placements
        Point slot_from, slot_to;  // the pieces between move up
        std::uint16_t turn;
        std::uint32_t target;  // shape
        std::uint32_t back;    // the arc that undoes it
    };

    explicit MoveTable(const GainGraph& graph, const Tick& tick = no_tick)
        : shapes_(graph.shape_count()), pieces_(graph.pieces()), turns_(graph.table().turns),
          placements_(graph.table().placement_count()), cells_(graph.table().cells),
          piece_cells_(graph.table().piece_cells), rank_(graph.table().rank) {
        first_.assign(shapes_ + 1, 0);
        for (const auto& e : graph.edges()) ++first_[e.source + 1], ++first_[e.target + 1];
        for (std::size_t s = 0; s < shapes_; ++s) first_[s + 1] += first_[s];
        // Not a vector: it would write hundreds of megabytes of zeros first, without a look at the clock.
        arcs_ = std::make_unique_for_overwrite<Arc[]>(2 * graph.edges().size());
        arc_count_ = 2 * graph.edges().size();
        auto next = first_;
        const auto w = static_cast<std::int32_t>(turns_);
        for (std::size_t i = 0; i < graph.edges().size(); ++i) {
            if ((i & 0x3fff) == 0) tick("moves", i, graph.edges().size());
            const auto& e = graph.edges()[i];
            const auto& step = graph.table().steps[e.step];
            const std::uint32_t there = next[e.source]++, back = next[e.target]++;
            const auto from = static_cast<Point>(step.from), to = static_cast<Point>(step.to);
            arcs_[there] = {from, to, e.slot_from, e.slot_to, static_cast<std::uint16_t>(step.turn), e.target, back};
            arcs_[back] = {to,       from, e.slot_to, e.slot_from, static_cast<std::uint16_t>((w - step.turn) % w),
                           e.source, there};
        }
        slots_.reserve(shapes_ * pieces_);
        const std::size_t often = tick_mask(4 * graph.table().cells);
        for (std::size_t s = 0; s < shapes_; ++s) {
            if ((s & often) == 0) tick("moves", s, shapes_);
            for (auto p : graph.slots(s)) slots_.push_back(static_cast<Point>(p));
        }
    }

    std::size_t shapes() const { return shapes_; }
    std::size_t pieces() const { return pieces_; }
    std::size_t turns() const { return turns_; }
    std::size_t placements() const { return placements_; }
    std::size_t spots() const { return placements_ * turns_; }
    std::size_t cells() const { return cells_; }
    std::size_t piece_cells() const { return piece_cells_; }         // that one piece covers
    const std::vector<std::int32_t>& rank() const { return rank_; }  // of cells along the line that orders the slots
    std::span<const Arc> arcs() const { return {arcs_.get(), arc_count_}; }
    std::span<const Arc> arcs(std::size_t shape) const {
        return {arcs_.get() + first_[shape], first_[shape + 1] - first_[shape]};
    }
    std::uint32_t first(std::size_t shape) const { return first_[shape]; }
    std::span<const Point> slots(std::size_t shape) const { return {slots_.data() + shape * pieces_, pieces_}; }

private:
    std::size_t shapes_, pieces_, turns_, placements_, cells_, piece_cells_;
    std::vector<std::int32_t> rank_;
    std::vector<std::uint32_t> first_;
    std::unique_ptr<Arc[]> arcs_;
    std::size_t arc_count_ = 0;
    std::vector<Point> slots_;  // the placement in every slot of every shape
};

// Kinds of pieces, and how a turn looks: a piece with equal ends looks the same when turned.
class Marks {
public:
    Marks(std::vector<std::uint8_t> periods, std::size_t turns) : periods_(std::move(periods)), turns_(turns) {
        if (turns == 0 || turns > max_turns || periods_.empty()) throw std::invalid_argument("kinds out of range");
        turn_bits_ = static_cast<unsigned>(std::bit_width(turns - 1));
        if (periods_.size() > max_degree >> turn_bits_) throw LimitReached("too many kinds of pieces");
        for (auto p : periods_)
            if (p == 0 || turns % p) throw std::invalid_argument("a period divides the turns");
        bits_ = std::max(1u, static_cast<unsigned>(std::bit_width(periods_.size() - 1)) + turn_bits_);
    }
    std::size_t kinds() const { return periods_.size(); }
    std::size_t turns() const { return turns_; }
    unsigned bits() const { return bits_; }
    Point mark(unsigned kind, unsigned turn) const {
        return static_cast<Point>(kind << turn_bits_ | turn % periods_[kind]);
    }
    unsigned kind(Point mark) const { return mark >> turn_bits_; }
    unsigned turn(Point mark) const { return mark & ((1u << turn_bits_) - 1); }
    Point turned(Point mark, unsigned by) const {
        if (turn_bits_ == 0) return mark;
        const unsigned k = kind(mark);
        return static_cast<Point>(k << turn_bits_ | (turn(mark) + by) % periods_[k]);
    }
    bool is_mark(Point m) const { return kind(m) < kinds() && turn(m) < periods_[kind(m)]; }

private:
    std::vector<std::uint8_t> periods_;
    std::size_t turns_;
    unsigned turn_bits_ = 0, bits_ = 1;
};

// Marks by slots in as few machine words as they need.
class Packing {
public:
    Packing(unsigned bits, std::size_t pieces)
        : bits_(bits), a_word_(64 / bits), pieces_(pieces), words_((pieces + a_word_ - 1) / a_word_) {}
    std::size_t words() const { return words_; }

    // `in` says which mark lies on a placement.
    void pack(std::span<const Point> slots, const Point* in, std::uint64_t* out) const {
        std::size_t slot = 0;
        for (std::size_t w = 0; w < words_; ++w) {
            std::uint64_t word = 0;
            const std::size_t end = std::min(pieces_, slot + a_word_);
            for (unsigned shift = 0; slot < end; ++slot, shift += bits_)
                word |= static_cast<std::uint64_t>(in[slots[slot]]) << shift;
            out[w] = word;
        }
    }
    void unpack(std::span<const Point> slots, const std::uint64_t* words, Point* in) const {
        const std::uint64_t mask = (std::uint64_t{1} << bits_) - 1;
        std::size_t slot = 0;
        for (std::size_t w = 0; w < words_; ++w) {
            std::uint64_t word = words[w];
            const std::size_t end = std::min(pieces_, slot + a_word_);
            for (; slot < end; ++slot, word >>= bits_) in[slots[slot]] = static_cast<Point>(word & mask);
        }
    }

private:
    unsigned bits_, a_word_;
    std::size_t pieces_, words_;
};

// A list that never moves what it holds, so that it can grow without needing twice the memory.
template <class T>
class Chunked {
public:
    explicit Chunked(std::size_t width = 1) : width_(width) {}
    std::size_t size() const { return size_; }
    T* add() {
        if (size_ == chunks_.size() << chunk_bits)
            chunks_.push_back(std::make_unique_for_overwrite<T[]>(width_ << chunk_bits));
        return (*this)[size_++];
    }
    T* operator[](std::size_t i) {
        return chunks_[i >> chunk_bits].get() + (i & ((std::size_t{1} << chunk_bits) - 1)) * width_;
    }
    const T* operator[](std::size_t i) const {
        return chunks_[i >> chunk_bits].get() + (i & ((std::size_t{1} << chunk_bits) - 1)) * width_;
    }

private:
    static constexpr unsigned chunk_bits = 12;
    std::size_t width_, size_ = 0;
    std::vector<std::unique_ptr<T[]>> chunks_;
};

// A set of states, compared in full. They are numbered in the order of insertion.
class StateSet {
    std::uint64_t hash(std::uint64_t shape, const std::uint64_t* words) const {
        return hash_values(std::span(words, words_), shape * 0x9e3779b97f4a7c15ull);
    }
    auto equals(std::uint32_t shape, const std::uint64_t* words) const {
        return [this, shape, words](std::uint32_t i) {
            return *shapes_[i] == shape && std::equal(words, words + words_, states_[i]);
        };
    }

public:
    static constexpr std::uint32_t none = HashIndex::none;
    explicit StateSet(std::size_t words) : words_(words), states_(words), shapes_(1) {}

    std::size_t size() const { return shapes_.size(); }
    std::uint32_t shape(std::size_t i) const { return *shapes_[i]; }
    const std::uint64_t* state(std::size_t i) const { return states_[i]; }

    std::uint32_t find(std::uint32_t shape, const std::uint64_t* words) const {
        return index_.find(hash(shape, words), equals(shape, words));
    }

    // Makes room for `count` more states: see HashIndex.
    void make_room(std::size_t count, const Tick& tick) {
        index_.make_room(count, [&](std::uint32_t i) { return hash(*shapes_[i], states_[i]); }, tick);
    }

    // The number of a state, and whether it is new.
    std::pair<std::uint32_t, bool> insert(std::uint32_t shape, const std::uint64_t* words) {
        const auto found = index_.insert(hash(shape, words), equals(shape, words),
                                         [&](std::uint32_t i) { return hash(*shapes_[i], states_[i]); });
        if (found.second) {
            std::copy(words, words + words_, states_.add());
            *shapes_.add() = shape;
        }
        return found;
    }

    static std::uint64_t bytes_per_state(std::size_t words) { return 8 * words + 4 + 4 * 6; }

private:
    std::size_t words_;
    Chunked<std::uint64_t> states_;
    Chunked<std::uint32_t> shapes_;
    HashIndex index_;
};

}  // namespace slidelab
