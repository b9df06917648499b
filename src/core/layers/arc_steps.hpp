// What one arc does to words: `pull` collects what it brings into a range of words, `carry` takes one word along it.
#pragma once

#include "layers/state_code.hpp"

#include <algorithm>
#include <span>

namespace slidelab {

class ArcSteps {
public:
    ArcSteps(const StateCode& code, bool portable)
        : code_(code), kernels_(portable || !has_avx2_kernels() ? portable_kernels() : avx2_kernels()) {}

    const Kernels& kernels() const { return kernels_; }

    // Adds what an arc brings into words first..last of its target in a shard. `from` has the words of its source in
    // the same shard; if the arc crosses, the words that arrived there (see `depart`).
    void pull(std::uint32_t arc_number, std::uint32_t shard, const std::uint64_t* from, std::uint32_t first,
              std::uint32_t last, std::uint64_t* sum) const {
        const Arc& arc = code_.arcs()[arc_number];
        const std::vector<std::uint32_t>* back = arc.table < 0 ? nullptr : &code_.table(arc.table ^ 1);
        const std::uint32_t row = code_.row();
        if (!row) {
            if (!back) {
                for (std::uint32_t w = first; w < last; ++w) sum[w - first] |= from[w];
                return;
            }
            for (std::uint32_t w = first; w < last; ++w) {
                const std::uint64_t x = std::uint64_t{w} * word_states;
                const auto count = static_cast<unsigned>(std::min<std::uint64_t>(word_states, code_.x_count() - x));
                std::uint64_t bits = 0;
                for (unsigned b = 0; b < count; ++b) {
                    const std::uint32_t source = (*back)[x + b];
                    bits |= (from[source >> 6] >> (source & 63) & 1) << b;
                }
                sum[w - first] |= bits;
            }
            return;
        }
        // To the left the piece has moved before its block crossed, to the right it still has to.
        const PieceMove move = arc.crosses && arc.leftwards() ? PieceMove{} : arc.move;
        const bool odd_shard = code_.shards().odd(shard), odd_way = odd_crossing(arc);
        for (std::uint32_t w = first; w < last;) {
            const std::uint32_t x = w / row, start = x * row, end = std::min(last, start + row);
            const std::uint32_t y = back ? (*back)[x] : x;
            kernels_.pull(code_.kernel_tables(), move, from + std::size_t{y} * row,
                          code_.odd(arc.source, y) ^ odd_shard ^ odd_way, code_.odd(arc.target, x) ^ odd_shard,
                          w - start, end - start, sum + (w - first));
            w = end;
        }
    }

    // Copies the blocks of row x of a shard that leave along an arc which crosses, each to its place, as they are when
    // they cross: those of its source, or, to the left, those after the move to the first slot.
    void depart(std::uint32_t arc_number, std::uint32_t shard, const std::uint64_t* from, std::uint32_t x,
                std::span<std::uint64_t* const> places) const {
        const Arc& arc = code_.arcs()[arc_number];
        const std::uint32_t row = code_.row(), block = code_.block();
        from += std::size_t{x} * row;
        if (!arc.leftwards() || arc.move.kind == PieceMove::stay) {
            for (std::size_t d = 0; d < places.size(); ++d) std::copy_n(from + d * block, block, places[d]);
            return;
        }
        const std::uint32_t y = arc.table < 0 ? x : code_.table(arc.table)[x];
        const bool odd_shard = code_.shards().odd(shard), odd_from = code_.odd(arc.source, x) ^ odd_shard;
        const bool odd_to = code_.odd(arc.target, y) ^ odd_shard ^ odd_crossing(arc);
        if (block % word_group == 0) {
            for (std::uint32_t d = 0; d < places.size(); ++d) {
                std::fill_n(places[d], block, 0);
                kernels_.pull(code_.kernel_tables(), arc.move, from, odd_from, odd_to, d * block, (d + 1) * block,
                              places[d]);
            }
            return;
        }
        std::vector<std::uint64_t> moved(row, 0);
        kernels_.pull(code_.kernel_tables(), arc.move, from, odd_from, odd_to, 0, row, moved.data());
        for (std::size_t d = 0; d < places.size(); ++d) std::copy_n(moved.data() + d * block, block, places[d]);
    }

    // Calls visit(shard, word, bits) for all words that the bits of one word go to along an arc.
    template <class Visit>
    void carry(std::uint32_t arc_number, std::uint32_t shard, std::uint32_t w, std::uint64_t bits,
               Visit&& visit) const {
        const Arc& arc = code_.arcs()[arc_number];
        const std::vector<std::uint32_t>* forth = arc.table < 0 ? nullptr : &code_.table(arc.table);
        const std::uint32_t row = code_.row();
        if (!row) {
            if (!forth) {
                visit(shard, w, bits);
                return;
            }
            for (; bits; bits &= bits - 1) {
                const std::uint32_t to =
                    (*forth)[std::size_t{w} * word_states + static_cast<unsigned>(__builtin_ctzll(bits))];
                visit(shard, to >> 6, std::uint64_t{1} << (to & 63));
            }
            return;
        }
        const std::uint32_t x = w / row, y = forth ? (*forth)[x] : x;
        std::uint32_t start = w % row;
        if (arc.crosses && !arc.leftwards()) start = cross(arc, shard, start);
        const bool odd_shard = code_.shards().odd(shard), odd_way = odd_crossing(arc), leftwards = arc.leftwards();
        Pushed out[tail_slots + 1];
        const unsigned count = kernels_.push(code_.kernel_tables(), arc.move, start, bits,
                                             code_.odd(arc.source, x) ^ odd_shard ^ (odd_way && !leftwards),
                                             code_.odd(arc.target, y) ^ odd_shard ^ (odd_way && leftwards), out);
        for (unsigned k = 0; k < count; ++k) {
            std::uint32_t there = shard, word = out[k].word;
            if (arc.crosses && arc.leftwards()) word = cross(arc, there, word);
            visit(there, y * row + word, out[k].bits);
        }
    }

private:
    static constexpr std::uint32_t word_group = 6;  // words that the kernels take together

    // The word of a row after its block has crossed, and its new shard.
    std::uint32_t cross(const Arc& arc, std::uint32_t& shard, std::uint32_t word) const {
        const std::uint32_t block = code_.block();
        const Block to = code_.shards().crossed({shard, word / block}, arc.from, arc.to);
        shard = to.shard;
        return to.digit * block + word % block;
    }

    bool odd_crossing(const Arc& arc) const { return arc.crosses && code_.shards().odd_crossing(arc.from, arc.to); }

    const StateCode& code_;
    Kernels kernels_;
};

}  // namespace slidelab
