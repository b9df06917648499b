// How a beam on the board ranks states, by a sum over the pieces of their distances from their goals; and its limits.
#pragma once

#include "gourds/board_moves.hpp"

#include <cmath>

namespace slidelab {

struct BoardRanking {
    static constexpr double unit = 16;  // ranks of one move

    double power = 1.5;  // of the distance of a piece
    double rim = 0;      // weight of the remotest goal, beyond that of the most central one, which is 1
    double pairs = 0;    // weight of the excess of pairs

    void check() const {
        if (!(power >= 0.25 && power <= 4 && rim >= 0 && rim <= 100 && pairs >= 0 && pairs <= 100))
            throw std::invalid_argument("weights out of range");
    }
    std::int64_t pair_weight() const { return std::lround(unit * pairs); }

    // The rank of each piece at each of so many spots. A goal is the remoter the farther all spots are from it.
    std::vector<std::uint32_t> costs(std::span<const std::uint16_t> distances, std::size_t spots) const {
        const std::size_t pieces = distances.size() / spots;
        std::vector<double> remote(pieces, 0);
        for (std::size_t k = 0; k < pieces; ++k) {
            std::uint64_t sum = 0, count = 0;
            for (auto d : distances.subspan(k * spots, spots))
                if (d != BoardMoves::no_distance) sum += d, ++count;
            remote[k] = static_cast<double>(sum) / static_cast<double>(std::max<std::uint64_t>(1, count));
        }
        const auto [least, most] = std::minmax_element(remote.begin(), remote.end());
        const double range = *most > *least ? *most - *least : 1;
        std::vector<std::uint32_t> out(distances.size());
        for (std::size_t i = 0; i < out.size(); ++i) {
            const double weight = unit * (1 + rim * (remote[i / spots] - *least) / range);
            out[i] =
                static_cast<std::uint32_t>(std::lround(std::min(max_cost, weight * std::pow(distances[i], power))));
        }
        return out;
    }

private:
    static constexpr double max_cost = 1 << 18;  // so that sums over all pieces are numbers of 32 bits
};

struct BoardBeamLimits {
    std::uint64_t width = 1;
    std::uint32_t below = 1;  // only solutions shorter than this are of interest
    std::uint64_t bytes = std::numeric_limits<std::uint64_t>::max();
    unsigned threads = 1;
    std::uint64_t salt = 0;  // another salt orders equal ranks differently
};

}  // namespace slidelab
