// Configurations of pieces of several cells as rows of a dense array: the cells of each piece in turn, in its reading.
//
// A spot is a placement in one of its readings. Pieces of one class look alike: their names are free, and some look
// the same when turned. Rows that come out name them in the least way, so that equal configurations are equal rows.
#pragma once

#include "arrays/numbered_moves.hpp"

#include <bit>
#include <cstring>

namespace slidelab {

class PieceLayout {
public:
    static constexpr std::uint32_t no_spot = std::numeric_limits<std::uint32_t>::max();
    static constexpr std::size_t max_direct = 1 << 16;  // entries of an index by all cells of a piece: 256 KB

    // `readings` has the cells of each placement in each of its readings; `class_of` and `period` have an entry for
    // each piece: those of one class are alike, and look the same when turned `period` times.
    PieceLayout(const NumberedMoves& moves, std::vector<std::int32_t> readings, std::vector<std::uint32_t> class_of,
                std::vector<std::uint32_t> period, const Tick& tick = no_tick)
        : moves_(moves), cells_(moves.table().cells), piece_cells_(moves.table().piece_cells),
          turns_(moves.table().turns), readings_(std::move(readings)), period_(std::move(period)) {
        const auto& t = moves.table();
        auto fail = [](const char* what) { throw std::invalid_argument(what); };
        if (readings_.size() != t.placements.size() * t.turns) fail("all readings of all placements expected");
        for (std::size_t p = 0; p < t.placement_count(); ++p) {
            if ((p & 0xfff) == 0) tick("spots", p, t.placement_count());
            for (std::size_t r = 0; r < t.turns; ++r)
                if (!std::is_permutation(t.cells_of(p).begin(), t.cells_of(p).end(), cells_of(p * t.turns + r).begin()))
                    fail("a reading names other cells than its placement");
        }
        if (class_of.empty() || class_of.size() != period_.size()) fail("a class and a period for each piece expected");
        if (class_of.size() > t.cells / t.piece_cells) fail("more pieces than fit the board");
        for (const auto d : period_)
            if (d == 0 || t.turns % d) fail("period out of range");
        index_spots(tick);
        index_classes(class_of);
    }

    const NumberedMoves& moves() const { return moves_; }
    std::size_t width() const { return pieces() * piece_cells(); }
    std::size_t cells() const { return cells_; }
    std::size_t pieces() const { return period_.size(); }
    std::size_t piece_cells() const { return piece_cells_; }
    std::size_t turns() const { return turns_; }
    bool has_classes() const { return !classes_.empty(); }
    std::span<const std::int32_t> cells_of(std::size_t spot) const {
        return {readings_.data() + spot * piece_cells_, piece_cells_};
    }
    std::uint32_t placement(std::uint32_t spot) const { return placement_[spot]; }

    template <class Value>
    std::uint32_t find_spot(const Value* cells) const {
        if (direct_) {
            std::size_t at = 0;
            bool inside = true;
            for (std::size_t k = 0; k < piece_cells_; ++k) {
                at = at * cells_ + cells[k];
                inside &= cells[k] < cells_;
            }
            return inside ? spot_at_[at] : no_spot;
        }
        for (std::size_t at = hash(cells) & mask_;; at = (at + 1) & mask_) {
            const auto spot = spot_at_[at];
            if (spot == no_spot || std::equal(cells, cells + piece_cells_, cells_of(spot).begin(),
                                              [](auto a, auto b) { return static_cast<std::int32_t>(a) == b; }))
                return spot;
        }
    }

    // Where a move takes a piece that lies on a spot of its first placement.
    std::uint32_t after(std::size_t move, std::uint32_t spot) const {
        const auto& m = moves_[move];
        const auto turned = spot - placement_[spot] * turn_count() + m.turn;
        return m.to * turn_count() + (turned < turn_count() ? turned : turned - turn_count());
    }

    // Name the pieces of each class in the least way.
    void normalize(std::span<std::uint32_t> spots) const {
        for (const auto& members : classes_) {
            for (std::size_t i = 0; i < members.size(); ++i) {  // insertion: nearly always in order
                const auto spot = least_reading(spots[members[i]], period_[members[i]]);
                std::size_t j = i;
                for (; j > 0 && order_[spots[members[j - 1]]] > order_[spot]; --j)
                    spots[members[j]] = spots[members[j - 1]];
                spots[members[j]] = spot;
            }
        }
    }

private:
    std::uint32_t turn_count() const { return static_cast<std::uint32_t>(turns_); }

    template <class Value>
    std::size_t hash(const Value* cells) const {
        std::uint64_t h = 0;
        for (std::size_t k = 0; k < piece_cells_; ++k)
            h = (h + static_cast<std::uint64_t>(cells[k])) * 0x9e3779b97f4a7c15ull;
        return h >> 40;
    }

    void index_spots(const Tick& tick) {
        const std::size_t count = readings_.size() / piece_cells_;
        std::vector<std::uint32_t> sorted(count);
        std::iota(sorted.begin(), sorted.end(), 0u);
        std::size_t compared = 0;
        auto before = [&](std::uint32_t a, std::uint32_t b) {
            if ((++compared & 0xffff) == 0) tick("spots", 0, count);  // sorting takes longest
            return std::lexicographical_compare(cells_of(a).begin(), cells_of(a).end(), cells_of(b).begin(),
                                                cells_of(b).end());
        };
        std::sort(sorted.begin(), sorted.end(), before);
        std::size_t entries = 1;
        for (std::size_t k = 0; k < piece_cells_ && entries <= max_direct; ++k) entries *= cells_;
        direct_ = entries <= max_direct;
        spot_at_.assign(direct_ ? entries : std::bit_ceil(4 * count + 1), no_spot);
        mask_ = spot_at_.size() - 1;
        order_.resize(count);
        for (std::uint32_t i = 0; i < count; ++i) {
            if (i && !before(sorted[i - 1], sorted[i])) throw std::invalid_argument("two spots have the same cells");
            order_[sorted[i]] = i;
            placement_.push_back(i / turn_count());
            const auto cells = cells_of(sorted[i]);
            std::size_t at = direct_ ? 0 : hash(cells.data()) & mask_;
            if (direct_)
                for (const auto c : cells) at = at * cells_ + static_cast<std::size_t>(c);
            while (spot_at_[at] != no_spot) at = (at + 1) & mask_;
            spot_at_[at] = sorted[i];
        }
    }

    void index_classes(const std::vector<std::uint32_t>& class_of) {
        std::map<std::uint32_t, std::vector<std::uint32_t>> members;
        for (std::uint32_t piece = 0; piece < class_of.size(); ++piece) {
            auto& own = members[class_of[piece]];
            if (!own.empty() && period_[own[0]] != period_[piece])
                throw std::invalid_argument("pieces of one class have one period");
            own.push_back(piece);
        }
        for (auto& [number, own] : members)
            if (own.size() > 1 || period_[own[0]] < turns()) classes_.push_back(std::move(own));
    }

    std::uint32_t least_reading(std::uint32_t spot, std::uint32_t period) const {
        const std::uint32_t first = placement_[spot] * turn_count();
        std::uint32_t least = spot;
        for (std::uint32_t r = period; r < turn_count(); r += period) {
            const std::uint32_t other = first + (spot - first + r) % turn_count();
            if (order_[other] < order_[least]) least = other;
        }
        return least;
    }

    const NumberedMoves& moves_;
    std::size_t cells_, piece_cells_, turns_;
    std::vector<std::int32_t> readings_;
    std::vector<std::uint32_t> period_;
    std::vector<std::uint32_t> placement_, order_;  // of each spot; order_ is lexicographic
    std::vector<std::uint32_t> spot_at_;            // by all cells of a piece, or a hash table
    bool direct_ = false;
    std::vector<std::vector<std::uint32_t>> classes_;  // pieces of each class that has anything to normalize
    std::size_t mask_ = 0;
};

// One row at a time: checked, expanded, or moved. `Value` is std::uint8_t or std::uint16_t.
template <class Value>
class PieceRow {
public:
    struct Step {
        std::uint32_t move, piece;
    };

    explicit PieceRow(const PieceLayout& layout)
        : layout_(layout), grid_(layout.cells()), occupied_(layout.moves().table().placement_count()),
          spots_(layout.pieces(), PieceLayout::no_spot) {}

    // Take a row; false if it is no configuration. It must stay where it is until the next one is taken.
    bool load(const Value* row) {
        row_ = row;
        std::fill(grid_.begin(), grid_.end(), Point{0});
        for (auto& spot : spots_) {
            if (spot != PieceLayout::no_spot) occupied_[layout_.placement(spot)] = 0;
            spot = PieceLayout::no_spot;
        }
        for (std::size_t p = 0; p < spots_.size(); ++p) {
            const auto spot = layout_.find_spot(row + p * layout_.piece_cells());
            if (spot == PieceLayout::no_spot) return false;
            spots_[p] = spot;
            occupied_[layout_.placement(spot)] = 1;
            for (const auto cell : layout_.cells_of(spot)) {
                auto& owner = grid_[static_cast<std::size_t>(cell)];
                if (owner) return false;
                owner = static_cast<Point>(p + 1);
            }
        }
        holes_.clear();
        for (std::size_t c = 0; c < grid_.size(); ++c)
            if (!grid_[c]) holes_.push_back(static_cast<Point>(c));
        return true;
    }

    bool reload(const Value* row) { return load(row); }

    // The legal moves, in increasing order; valid until the next call.
    std::span<const Step> legal() {
        layout_.moves().gather(grid_.data(), occupied_.data(), holes_, found_);
        steps_.clear();
        for (const auto m : found_) steps_.push_back({m, piece_of(m)});
        return steps_;
    }

    bool is_legal(std::size_t move) const {
        return occupied_[layout_.moves()[move].from] && layout_.moves().has_room(grid_.data(), move);
    }

    // The row after a legal move.
    void write(const Step& step, Value* out) {
        const auto spot = layout_.after(step.move, spots_[step.piece]);
        if (layout_.has_classes()) {
            renamed_ = spots_;
            renamed_[step.piece] = spot;
            write_normalized(out);
        } else {
            std::memcpy(out, row_, layout_.width() * sizeof(Value));
            write_piece(step.piece, spot, out);
        }
    }

    // Make a legal move in the row that was taken, which the caller may write to.
    void play(std::size_t move, Value* row) {
        const auto piece = piece_of(move);
        const auto before = layout_.cells_of(spots_[piece]);
        spots_[piece] = layout_.after(move, spots_[piece]);
        occupied_[layout_.moves()[move].from] = 0;
        occupied_[layout_.moves()[move].to] = 1;
        const auto after = layout_.cells_of(spots_[piece]);
        for (const auto c : before) grid_[static_cast<std::size_t>(c)] = 0;
        for (const auto c : after) {
            grid_[static_cast<std::size_t>(c)] = static_cast<Point>(piece + 1);
            const auto at = std::lower_bound(holes_.begin(), holes_.end(), static_cast<Point>(c));
            if (at != holes_.end() && *at == c) holes_.erase(at);
        }
        for (const auto c : before)
            if (!grid_[static_cast<std::size_t>(c)])
                holes_.insert(std::lower_bound(holes_.begin(), holes_.end(), static_cast<Point>(c)),
                              static_cast<Point>(c));
        write_piece(piece, spots_[piece], row);
    }

    // Name pieces that are alike in the least way, once no more moves follow.
    void finish(Value* row) {
        if (!layout_.has_classes()) return;
        renamed_ = spots_;
        write_normalized(row);
    }

    // The spot of each piece, named in the least way.
    void write_spots(std::int32_t* out) {
        renamed_ = spots_;
        layout_.normalize(renamed_);
        std::copy(renamed_.begin(), renamed_.end(), out);
    }

private:
    std::uint32_t piece_of(std::size_t move) const {
        const auto cell = layout_.cells_of(layout_.moves()[move].from * layout_.turns())[0];
        return grid_[static_cast<std::size_t>(cell)] - 1u;
    }

    void write_piece(std::size_t piece, std::uint32_t spot, Value* out) const {
        const auto cells = layout_.cells_of(spot);
        for (std::size_t k = 0; k < cells.size(); ++k) out[piece * cells.size() + k] = static_cast<Value>(cells[k]);
    }

    void write_normalized(Value* out) {
        layout_.normalize(renamed_);
        for (std::size_t p = 0; p < renamed_.size(); ++p) write_piece(p, renamed_[p], out);
    }

    const PieceLayout& layout_;
    const Value* row_ = nullptr;
    std::vector<Point> grid_;             // for each cell the piece on it, from 1
    std::vector<std::uint8_t> occupied_;  // for each placement whether a piece lies on it
    std::vector<std::uint32_t> spots_, renamed_;
    std::vector<Point> holes_;  // in increasing order
    std::vector<std::uint32_t> found_;
    std::vector<Step> steps_;
};

}  // namespace slidelab
