// A small convolutional network that ranks states by what lies near each cell.
//
// Costs of pieces and pairs add up; they cannot say that two pieces are in each other's way unless a third one is. Here
// every placement has a window of placements around it. What lies in the window, each piece with the way to its goal,
// is added up in sixteen channels; the positive parts of the first half of the channels count as costs of the state,
// those of the second half as the contrary. A move changes two placements, so only the windows that contain one of them
// change: about a dozen sums of sixteen small numbers, which the compiler adds in one or two instructions.
#pragma once

#include "search/state_frame.hpp"

namespace slidelab {

class LocalNetwork {
public:
    static constexpr std::size_t channels = 16;
    static constexpr std::int32_t unit = 4;  // costs are multiples of this many sixty-fourths of a move
    // Sixteen small numbers that processors add in one or two instructions.
    typedef std::int16_t Vector __attribute__((vector_size(2 * channels), aligned(16)));
    struct Lanes {
        Vector at = {};
    };

    // A state, and the sums of those windows that have been looked at.
    struct Sums {
        std::vector<Lanes> at;              // by placement
        std::vector<std::uint32_t> loaded;  // by placement: the number of the state whose sum it is
        std::vector<std::uint32_t> row;     // by placement: the weights of what lies there
        std::uint32_t state = 0;
    };

    LocalNetwork() = default;

    // `contents` by kind and placement; of the weights, by position in the window and content, the last two contents
    // are a hole and the outside of the board.
    LocalNetwork(std::size_t window, std::span<const std::int32_t> near, std::vector<std::uint16_t> contents,
                 std::span<const std::int16_t> weights, std::span<const std::int16_t> bias)
        : placements_(window ? near.size() / window : 0), contents_(std::move(contents)) {
        if (window == 0 || window > max_window || placements_ * window != near.size() || placements_ == 0 ||
            placements_ > std::numeric_limits<std::uint16_t>::max())
            throw std::invalid_argument("a window of up to 64 placements for each placement expected");
        kinds_ = contents_.size() / placements_;
        const std::size_t row = window * channels;
        variety_ = weights.size() / row;
        if (variety_ * row != weights.size() || variety_ < 2 || bias.size() != channels)
            throw std::invalid_argument("weights of each channel for each content expected");
        for (auto content : contents_)
            if (content >= variety_ - 2) throw std::invalid_argument("no such content");
        for (auto p : near)
            if (p < -1 || p >= static_cast<std::int32_t>(placements_)) throw std::invalid_argument("no such placement");
        read(window, weights);
        build_empty(window, near, weights, bias);
        build_changes(window, near);
        check_range();
    }

    bool empty() const { return placements_ == 0; }
    std::size_t placements() const { return placements_; }
    std::size_t kinds() const { return kinds_; }

    // Takes the state that a frame has loaded. Its sums are added up when they are needed: most moves of a state lie
    // near each other, so that they change few windows.
    SLIDELAB_INLINE void load(const StateFrame& frame, const Marks& marks, Sums& sums) const {
        if (sums.at.size() != placements_ || sums.state == std::numeric_limits<std::uint32_t>::max()) {
            sums.at.resize(placements_);
            sums.loaded.assign(placements_, 0);
            sums.row.resize(placements_);
            sums.state = 0;
        }
        ++sums.state;
        for (std::size_t p = 0; p < placements_; ++p) {
            const Point mark = frame.mark(static_cast<Point>(p));
            const std::size_t content =
                mark == StateFrame::empty ? variety_ - 2 : contents_[marks.kind(mark) * placements_ + p];
            sums.row[p] = static_cast<std::uint32_t>(content * positions_);
        }
    }

    // The cost of a state, in sixty-fourths of a move; modulo 2^32, since it may be negative.
    std::uint32_t total(Sums& sums) const {
        std::int32_t total = 0;
        for (std::size_t p = 0; p < placements_; ++p) {
            const Lanes& sum = sum_of(sums, p);
            for (std::size_t c = 0; c < channels; ++c)
                total += (c < channels / 2 ? 1 : -1) * std::max<std::int32_t>(0, sum.at[c]);
        }
        return static_cast<std::uint32_t>(unit * total);
    }

    // What a move of a piece adds, modulo 2^32.
    SLIDELAB_INLINE std::uint32_t change(Sums& sums, unsigned kind, Point from, Point to) const {
        const std::int32_t step = steps_[from * placements_ + to];
        if (step < 0) return 0;
        const Lanes* leaves = weights_.data() + contents_[kind * placements_ + from] * positions_;
        const Lanes* enters = weights_.data() + contents_[kind * placements_ + to] * positions_;
        const Vector zero = {};
        Lanes total;
        const auto end = first_change_[static_cast<std::size_t>(step) + 1];
        for (auto i = first_change_[static_cast<std::size_t>(step)]; i < end; ++i) {
            const Change& change = changes_[i];
            const Vector before = sum_of(sums, change.cell).at;
            const Vector after = before - leaves[change.from].at + enters[change.to].at;
            total.at += (after > zero ? after : zero) - (before > zero ? before : zero);
        }
        std::int32_t sum = 0;
        for (std::size_t c = 0; c < channels / 2; ++c) sum += total.at[c] - total.at[c + channels / 2];
        return static_cast<std::uint32_t>(unit * sum);
    }

private:
    static constexpr std::size_t max_window = 64;
    struct Near {
        std::uint16_t cell, position;  // of a window; or the cell whose window has this placement at that position
    };
    struct Change {
        std::uint16_t cell, from, to;  // positions of both ends of a move in the window of the cell
    };

    SLIDELAB_INLINE const Lanes& weight(std::size_t position, std::size_t content) const {
        return weights_[content * positions_ + position];
    }

    SLIDELAB_INLINE const Lanes& sum_of(Sums& sums, std::size_t cell) const {
        Lanes& sum = sums.at[cell];
        if (sums.loaded[cell] != sums.state) {
            Vector total = empty_[cell].at;
            for (auto i = first_near_[cell]; i < first_near_[cell + 1]; ++i)
                total += weights_[sums.row[near_[i].cell] + near_[i].position].at;
            sum.at = total;
            sums.loaded[cell] = sums.state;
        }
        return sum;
    }

    // Weights less those of a hole, so that holes need not be added; and zeros for the position outside of a window.
    void read(std::size_t window, std::span<const std::int16_t> weights) {
        positions_ = window + 1;
        weights_.resize(positions_ * variety_);
        for (std::size_t position = 0; position < window; ++position) {
            const std::int16_t* hole = weights.data() + (position * variety_ + variety_ - 2) * channels;
            for (std::size_t content = 0; content < variety_; ++content)
                for (std::size_t c = 0; c < channels; ++c)
                    weights_[content * positions_ + position].at[c] =
                        static_cast<std::int16_t>(weights[(position * variety_ + content) * channels + c] - hole[c]);
        }
    }

    // The sums of a board without pieces.
    void build_empty(std::size_t window, std::span<const std::int32_t> near, std::span<const std::int16_t> weights,
                     std::span<const std::int16_t> bias) {
        empty_.resize(placements_);
        for (std::size_t p = 0; p < placements_; ++p) {
            for (std::size_t c = 0; c < channels; ++c) empty_[p].at[c] = bias[c];
            for (std::size_t position = 0; position < window; ++position) {
                const std::size_t content = near[p * window + position] < 0 ? variety_ - 1 : variety_ - 2;
                for (std::size_t c = 0; c < channels; ++c)
                    empty_[p].at[c] = static_cast<std::int16_t>(
                        empty_[p].at[c] + weights[(position * variety_ + content) * channels + c]);
            }
        }
    }

    // The cells of windows, and which windows contain one end of a move or both.
    void build_changes(std::size_t window, std::span<const std::int32_t> near) {
        std::vector<std::vector<Near>> seen(placements_);
        first_near_.assign(1, 0);
        for (std::size_t p = 0; p < placements_; ++p) {
            for (std::size_t k = 0; k < window; ++k) {
                const std::int32_t cell = near[p * window + k];
                if (cell < 0) continue;
                const auto position = static_cast<std::uint16_t>(k);
                near_.push_back({static_cast<std::uint16_t>(cell), position});
                seen[static_cast<std::size_t>(cell)].push_back({static_cast<std::uint16_t>(p), position});
            }
            first_near_.push_back(static_cast<std::uint32_t>(near_.size()));
        }
        steps_.assign(placements_ * placements_, -1);
        first_change_.assign(1, 0);
        const auto outside = static_cast<std::uint16_t>(window);
        for (std::size_t from = 0; from < placements_; ++from)
            for (std::size_t k = 0; k < window; ++k) {
                if (near[from * window + k] < 0) continue;
                const auto to = static_cast<std::size_t>(near[from * window + k]);
                if (to == from || steps_[from * placements_ + to] >= 0) continue;
                steps_[from * placements_ + to] = static_cast<std::int32_t>(first_change_.size() - 1);
                const auto begin = static_cast<std::ptrdiff_t>(changes_.size());
                for (const auto& s : seen[from]) changes_.push_back({s.cell, s.position, outside});
                for (const auto& s : seen[to]) {
                    const auto same = std::find_if(changes_.begin() + begin, changes_.end(),
                                                   [&](const Change& c) { return c.cell == s.cell; });
                    if (same != changes_.end()) same->to = s.position;
                    else changes_.push_back({s.cell, outside, s.position});
                }
                first_change_.push_back(static_cast<std::uint32_t>(changes_.size()));
            }
    }

    // No sum of a window may leave the range of a lane, nor what all windows together change by a move: positive parts
    // change by no more than the weights of what leaves and what enters.
    void check_range() const {
        std::int64_t largest_sum = 0, largest = 0;
        for (std::size_t c = 0; c < channels; ++c) {
            std::int64_t window = 0;
            for (std::size_t position = 0; position < positions_; ++position) {
                std::int64_t most = 0;
                for (std::size_t content = 0; content + 2 < variety_; ++content)
                    most = std::max<std::int64_t>(most, std::abs(std::int64_t{weight(position, content).at[c]}));
                window += most;
                largest = std::max(largest, most);
            }
            for (const auto& sum : empty_)
                largest_sum = std::max(largest_sum, window + std::abs(std::int64_t{sum.at[c]}));
        }
        std::int64_t windows = 0;
        for (std::size_t s = 0; s + 1 < first_change_.size(); ++s)
            windows = std::max(windows, std::int64_t{first_change_[s + 1]} - first_change_[s]);
        if (std::max(largest_sum, 2 * largest * windows) > std::numeric_limits<std::int16_t>::max())
            throw std::invalid_argument("weights of a network out of range");
    }

    std::size_t placements_ = 0, kinds_ = 0, variety_ = 0, positions_ = 0;
    std::vector<std::uint16_t> contents_;
    std::vector<Lanes> weights_, empty_;  // weights by content and position, those of one content side by side
    std::vector<Near> near_;
    std::vector<std::uint32_t> first_near_, first_change_;
    std::vector<std::int32_t> steps_;  // by both ends of a move: a number, or -1
    std::vector<Change> changes_;
};

}  // namespace slidelab
