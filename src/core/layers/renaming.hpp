// Symmetries of a start: a symmetry of the board that keeps the start's shape, and new names of the pieces so that the
// start comes back to itself. Distances from the start stay as they are.
//
// Such a map takes the arrangements of a shape to those of its image. In both shapes slots come in the order of their
// cells, so the slots change their order, too, and the bits of a word go to many words. That is no product of few moves
// of pieces; every arrangement is ranked anew, with what a word has in common done once (kernels.hpp). Each state needs
// it a few times in a whole search.
#pragma once

#include "layers/state_code.hpp"

#include <map>
#include <numeric>
#include <span>
#include <vector>

namespace slidelab {

class Renaming {
public:
    using LowOrders = std::vector<OrderBytes>;

    // `points` has the image of each slot point of the shape `source`, `names` of each piece point. Both are
    // permutations that keep the points of a slot or piece together. All renamings of a code can share `orders`.
    Renaming(const StateCode& code, std::uint32_t source, std::uint32_t target, std::span<const std::uint32_t> points,
             std::span<const std::uint32_t> names, std::shared_ptr<const LowOrders> orders = nullptr)
        : code_(code), source_(source), target_(target), low_orders_(std::move(orders)) {
        check(points, names);
        if (!code.has_main()) throw std::invalid_argument("there is no main orbit");
        if (code.shards().count() != 1) throw std::invalid_argument("one shard expected");
        if (code.main().size() > max_renamed) throw LimitReached("too many pieces to rename");
        set_slots(points);
        set_names(names);
        set_digits();
        set_labels(points, names);
        tables_.x_image = x_image_.data();
        tables_.x_of = x_of_.data();
    }
    Renaming(const Renaming&) = delete;  // the tables point into it
    Renaming& operator=(const Renaming&) = delete;

    std::uint32_t source() const { return source_; }
    std::uint32_t target() const { return target_; }
    std::uint64_t bytes() const { return (x_image_.size() + x_of_.size()) * 4 + sizeof(Renaming); }
    const std::shared_ptr<const LowOrders>& orders() const { return low_orders_; }
    // Slots of the head that are ranked anew for each bit; if there are none, every word goes to one word.
    unsigned crossing() const { return tables_.head - std::min(tables_.shared, tables_.head); }

    // Calls visit(word, bits) for the words of the target to which bits of a word of the source go.
    template <class Visit>
    void operator()(const Kernels& kernels, std::uint32_t word, std::uint64_t bits, Visit&& visit) const {
        Pushed out[word_states];
        const std::uint32_t x = code_.x_count() == 1 ? 0 : word / tables_.row;
        const unsigned count =
            kernels.rename(code_.kernel_tables(), tables_, x, word - x * tables_.row, bits, code_.odd(source_, x), out);
        for (unsigned k = 0; k < count; ++k) {
            if (out[k].word >= code_.words()) throw std::logic_error("a renaming leads out of the component");
            visit(out[k].word, out[k].bits);
        }
    }

private:
    static constexpr unsigned low_digits = 4;
    static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

    void check(std::span<const std::uint32_t> points, std::span<const std::uint32_t> names) const {
        const auto w = static_cast<std::uint32_t>(code_.turns());
        if (source_ >= code_.shapes() || target_ >= code_.shapes()) throw std::invalid_argument("no such shape");
        for (const auto map : {points, names}) {
            std::vector<bool> seen(code_.degree(), false);
            if (map.size() != code_.degree()) throw std::invalid_argument("one image a point expected");
            for (std::size_t p = 0; p < map.size(); ++p) {
                if (map[p] >= map.size() || seen[map[p]] || map[p] / w != map[p / w * w] / w ||
                    (map[p] + w - map[p / w * w]) % w != p % w)
                    throw std::invalid_argument("images do not make a permutation of pieces");
                seen[map[p]] = true;
            }
        }
    }

    void set_slots(std::span<const std::uint32_t> points) {
        const auto& main = code_.main();
        const auto w = static_cast<std::uint32_t>(code_.turns());
        tables_.pieces = static_cast<unsigned>(main.size());
        tables_.head = tables_.pieces - tail_slots;
        std::vector<std::uint32_t> image(main.size());
        for (std::size_t k = 0; k < main.size(); ++k) {
            const auto to = main.index(target_, points[main.slots_at(source_)[k] * w] / w);
            if (!to) throw std::invalid_argument("a slot leaves the main orbit");
            tables_.source[*to] = static_cast<std::uint8_t>(k);
            image[k] = *to;
        }
        odd_ = has_odd_order(main.size(), [&](std::size_t k) { return image[k]; });
        while (tables_.shared < tables_.head && tables_.source[tables_.shared] < tables_.head) ++tables_.shared;
    }

    void set_names(std::span<const std::uint32_t> names) {
        const auto& main = code_.main();
        const auto w = static_cast<std::uint32_t>(code_.turns());
        for (std::size_t k = 0; k < main.size(); ++k) {
            const auto name = names[main.slots()[k] * w];
            const auto to = main.index_of_piece(name / w);
            if (!to) throw std::invalid_argument("a piece leaves the main orbit");
            tables_.name[k] = static_cast<std::uint8_t>(*to);
            turn_of_.push_back(name % w);
        }
        odd_ ^= has_odd_order(main.size(), [&](std::size_t k) { return tables_.name[k]; });
    }

    void set_digits() {
        const unsigned n = tables_.pieces, head = tables_.head, low = std::min(low_digits, head);
        tables_.row = code_.row();
        tables_.high_digits = head - low;
        std::uint64_t weight = 64;
        for (unsigned k = head; k-- > 0; weight *= n - k) tables_.weight[k] = weight;
        tables_.weight[head] = 12;
        tables_.weight[head + 1] = 3;
        tables_.weight[head + 2] = 1;
        for (unsigned k = 0; k < head; ++k) {
            tables_.base[k] = n - k;
            tables_.inverse[k] = (std::uint64_t{1} << inverse_shift) / (n - k) + 1;
        }
        for (unsigned k = head - low; k < head; ++k) tables_.low *= n - k;
        tables_.low_inverse = (std::uint64_t{1} << low_inverse_shift) / tables_.low + 1;
        if (!low_orders_) {
            auto orders = std::make_shared<LowOrders>(tables_.low);
            for (std::uint32_t number = 0; number < tables_.low; ++number) {
                std::uint8_t left[max_renamed];
                std::iota(std::begin(left), std::end(left), std::uint8_t{0});
                std::uint32_t rest = number, weight_here = tables_.low;
                OrderBytes& order = (*orders)[number];
                for (unsigned k = head - low; k < n; ++k) {
                    unsigned digit = 0;
                    if (k < head) {
                        weight_here /= n - k;
                        digit = rest / weight_here;
                        rest %= weight_here;
                    }
                    order.at[k] = left[digit];
                    std::copy(left + digit + 1, std::end(left), left + digit);
                }
            }
            low_orders_ = std::move(orders);
        }
        if (low_orders_->size() != tables_.low) throw std::invalid_argument("orders of another code");
        tables_.low_orders = low_orders_->data();
    }

    // x -> x', where pieces of the main orbit may be turned by their new names.
    void set_labels(std::span<const std::uint32_t> points, std::span<const std::uint32_t> names) {
        const auto& main = code_.main();
        const auto w = static_cast<std::uint32_t>(code_.turns());
        const std::size_t d = code_.degree(), n = main.size();
        std::vector<bool> in_main(d, false);  // slot points of the source
        for (std::size_t k = 0; k < n; ++k)
            for (std::uint32_t m = 0; m < w; ++m) in_main[main.slots_at(source_)[k] * w + m] = true;
        const bool same_turn =
            std::all_of(turn_of_.begin(), turn_of_.end(), [&](auto turn) { return turn == turn_of_.front(); });
        std::vector<std::uint32_t> labels(d), image(d);
        const auto renamed = [&](std::size_t x, std::uint32_t turn) {
            code_.labels_at(source_, x, labels.data());
            for (std::size_t p = 0; p < d; ++p)
                if (!in_main[p] && labels[p] >= d) throw std::invalid_argument("labels that are no points are renamed");
            for (std::size_t p = 0; p < d; ++p)
                image[points[p]] = in_main[p] ? (labels[p] + turn) % w : names[labels[p]];
            return code_.odd(source_, x) ^ odd_;
        };
        const auto count = static_cast<std::size_t>(code_.x_count());
        x_image_.resize(count);
        if (same_turn) {
            for (std::size_t x = 0; x < count; ++x) {
                const bool odd = renamed(x, turn_of_.front());
                const auto to = code_.find_labels(target_, image, odd);
                if (!to) throw std::invalid_argument("a renaming leads out of the component");
                x_image_[x] = static_cast<std::uint32_t>(*to);
            }
            return;
        }
        if (w != 2) throw std::invalid_argument("pieces with two turns expected");
        // The words of labels, taken apart: turns of the main pieces, and all else.
        std::map<std::vector<std::uint32_t>, std::uint32_t> others;
        std::vector<std::uint32_t> key(d);
        const auto take_apart = [&](std::size_t shape, const std::vector<std::uint32_t>& at, bool odd_base) {
            std::uint32_t turns = 0;
            for (std::size_t p = 0; p < d; ++p) key[p] = at[code_.carried_to(shape, p)];
            for (std::size_t k = 0; k < n; ++k) {
                turns |= key[main.slots()[k] * w] << k;
                for (std::uint32_t m = 0; m < w; ++m) key[main.slots()[k] * w + m] = 0;
            }
            key.push_back(odd_base);
            const auto number = others.try_emplace(key, static_cast<std::uint32_t>(others.size())).first->second;
            key.pop_back();
            return number << n | turns;
        };
        std::vector<std::uint32_t> apart(count);
        for (std::size_t x = 0; x < count; ++x) {
            code_.labels_at(source_, x, labels.data());
            apart[x] = take_apart(source_, labels, code_.odd(source_, x) ^ main.odd(source_));
        }
        const std::size_t known = others.size();
        x_of_.assign(known << n, none);
        for (std::size_t x = 0; x < count; ++x) x_of_[apart[x]] = static_cast<std::uint32_t>(x);
        for (std::size_t x = 0; x < count; ++x) {
            const bool odd = renamed(x, 0);
            x_image_[x] = take_apart(target_, image, odd ^ main.odd(target_));
        }
        if (others.size() != known) throw std::invalid_argument("a renaming leads out of the component");
        for (std::size_t k = 0; k < n; ++k)
            if (turn_of_[k]) tables_.turned |= std::uint32_t{1} << tables_.name[k];
        for (std::size_t k = 0; k < n; ++k) {
            const auto at = main.index(target_, code_.carried_to(target_, main.slots()[k] * w) / w);
            tables_.turn_at[*at] = std::uint32_t{1} << k;
        }
    }

    const StateCode& code_;
    std::uint32_t source_, target_;
    bool odd_ = false;
    RenamingTables tables_;
    std::vector<std::uint32_t> turn_of_;  // of each piece: how its new name turns it
    std::shared_ptr<const LowOrders> low_orders_;
    std::vector<std::uint32_t> x_image_, x_of_;
};

}  // namespace slidelab
