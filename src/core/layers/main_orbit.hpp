// The main orbit: pieces whose order is ranked in the factorial number system (lehmer_words.hpp).
#pragma once

#include "layers/code_input.hpp"

#include <optional>

namespace slidelab {

class MainOrbit {
public:
    MainOrbit(const CodeInput& in, const std::vector<Point>& potentials, const Tick& tick = no_tick) : slots_(in.main) {
        const std::size_t n = size(), d = in.degree();
        std::uint64_t row = 1;
        for (std::size_t k = tail_slots + 1; k <= n; ++k) {
            if (k > n - in.prefix) {
                if (shards_ > std::numeric_limits<std::uint32_t>::max() / k) throw LimitReached("too many shards");
                shards_ *= static_cast<std::uint32_t>(k);
                continue;
            }
            row *= k;
            if (row > std::numeric_limits<std::uint32_t>::max())
                throw LimitReached("the arrangements of " + std::to_string(n) + " pieces are too many to list");
        }
        row_ = n ? static_cast<std::uint32_t>(row) : 0;
        std::sort(slots_.begin(), slots_.end());
        contains_.assign(in.pieces, false);
        for (auto slot : slots_) contains_[slot] = true;
        slots_at_.resize(in.shapes * n);
        odd_.assign(in.shapes, 0);
        for (std::size_t s = 0; s < in.shapes; ++s) {
            if ((s & 0xfff) == 0) tick("tree", in.shapes, in.shapes);
            std::vector<std::uint32_t> slots;
            for (auto slot : slots_)
                slots.push_back(potentials[s * d + slot * in.turns] / static_cast<std::uint32_t>(in.turns));
            odd_[s] = has_odd_order(n, [&](std::size_t i) { return slots[i]; });
            std::sort(slots.begin(), slots.end());
            std::copy(slots.begin(), slots.end(), slots_at_.begin() + static_cast<std::ptrdiff_t>(s * n));
        }
    }

    std::size_t size() const { return slots_.size(); }
    bool empty() const { return slots_.empty(); }
    // Words for all orders of one sign in a shard, 0 if the orbit is empty.
    std::uint32_t row() const { return row_; }
    std::uint32_t shards() const { return shards_; }
    const std::vector<std::uint32_t>& slots() const { return slots_; }  // at the base, in order
    bool contains(std::size_t base_slot) const { return contains_[base_slot]; }
    const std::uint32_t* slots_at(std::size_t shape) const { return slots_at_.data() + shape * size(); }
    // Whether the path along the tree from the base to a shape reorders the pieces by an odd permutation.
    bool odd(std::size_t shape) const { return odd_[shape]; }

    // Which of the slots of the orbit in a shape this is, in their order.
    std::optional<std::uint16_t> index(std::size_t shape, std::uint32_t slot) const {
        return find(slots_at(shape), slot);
    }
    // Which of the pieces of the orbit this is; pieces are named by their slots at the base.
    std::optional<std::uint16_t> index_of_piece(std::uint32_t piece) const { return find(slots_.data(), piece); }

    // Digits of an order of the pieces, and its sign; false if a piece comes twice.
    static bool digits(const std::vector<std::uint32_t>& order, std::vector<unsigned>& digits, bool& odd) {
        digits.assign(order.size(), 0);
        odd = false;
        for (std::size_t i = 0; i < order.size(); ++i)
            for (std::size_t j = i + 1; j < order.size(); ++j) {
                if (order[i] == order[j]) return false;
                if (order[j] < order[i]) ++digits[i], odd = !odd;
            }
        return true;
    }

private:
    std::optional<std::uint16_t> find(const std::uint32_t* first, std::uint32_t value) const {
        const auto* found = std::lower_bound(first, first + size(), value);
        if (found == first + size() || *found != value) return std::nullopt;
        return static_cast<std::uint16_t>(found - first);
    }

    std::vector<std::uint32_t> slots_, slots_at_;
    std::vector<bool> contains_;
    std::vector<std::uint8_t> odd_;
    std::uint32_t row_ = 0, shards_ = 1;
};

}  // namespace slidelab
