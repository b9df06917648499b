// Exchanges of neighbouring slots of the tail as masked shifts of a word.
//
// Exchanging slots k and k + 1 permutes the sixty bits of a word, and moves them by few different distances: 12, 21, 30
// or 39 places in the first two slots, 3, 5 or 7 in the next two, 1 or 2 in slots 2 and 3. So a word is exchanged by
// four to eight masked shifts, and several words at a time with vector instructions. In the last two slots the exchange
// changes the sign of the tail and nothing else, so every bit stays. A piece that moves past several others is
// exchanged with one after the other.
#pragma once

#include "layers/lehmer_words.hpp"

namespace slidelab {

inline constexpr unsigned max_shifts = 4;   // distances of one exchange
inline constexpr unsigned shift_lanes = 4;  // words with masks of their own: signs alternate from word to word

// Bits of `up` move to higher places and bits of `down` to lower ones. Masks are those of tails with the sign `odd` in
// the even lanes and the other sign in the odd lanes.
struct SlotExchange {
    unsigned count = 0;
    unsigned distance[max_shifts] = {};
    alignas(32) std::uint64_t up[max_shifts][shift_lanes] = {};
    alignas(32) std::uint64_t down[max_shifts][shift_lanes] = {};
};

// by_slot[k][odd]: the exchange of slots k and k + 1. The masks of the first two depend on no sign.
struct SlotExchanges {
    SlotExchange by_slot[tail_slots - 1][2];
};

constexpr SlotExchanges make_slot_exchanges() {
    SlotExchanges all{};
    for (unsigned slot = 0; slot + 1 < tail_slots; ++slot)
        for (unsigned odd = 0; odd < 2; ++odd) {
            SlotExchange& out = all.by_slot[slot][odd];
            if (odd) {  // the same distances in the same order
                out.count = all.by_slot[slot][0].count;
                for (unsigned k = 0; k < out.count; ++k) out.distance[k] = all.by_slot[slot][0].distance[k];
            }
            for (unsigned lane = 0; lane < shift_lanes; ++lane)
                for (unsigned bit = 0; bit < word_states; ++bit) {
                    const unsigned sign = odd ^ (lane & 1);
                    auto places = tail_tables.places[sign][bit];
                    const auto left = places[slot];
                    places[slot] = places[slot + 1];
                    places[slot + 1] = left;
                    unsigned to = 0;
                    while (tail_tables.places[1 - sign][to] != places) ++to;
                    if (to == bit) continue;
                    const unsigned distance = to > bit ? to - bit : bit - to;
                    unsigned k = 0;
                    while (k < out.count && out.distance[k] != distance) ++k;
                    if (k == out.count) out.distance[out.count++] = distance;
                    (to > bit ? out.up : out.down)[k][lane] |= std::uint64_t{1} << bit;
                }
        }
    return all;
}

inline constexpr SlotExchanges slot_exchanges = make_slot_exchanges();

// Vectors of two and of four words; the compiler uses what the machine has. Everything on them is always inlined: what
// is compiled for AVX2 may not be called from elsewhere.
typedef std::uint64_t Pair __attribute__((vector_size(16)));
typedef std::uint64_t Quad __attribute__((vector_size(32)));

template <class Vector>
[[gnu::always_inline]] inline void load(Vector& out, const std::uint64_t* words) {
    __builtin_memcpy(&out, words, sizeof(Vector));
}
template <class Vector>
[[gnu::always_inline]] inline void store(const Vector& words, std::uint64_t* out) {
    __builtin_memcpy(out, &words, sizeof(Vector));
}

// Exchanges two neighbouring slots of the tail in words whose signs alternate, beginning with `odd`.
template <unsigned slot, class Vector>
[[gnu::always_inline]] inline void exchange_slots(Vector& words, bool odd) {
    constexpr unsigned count = slot_exchanges.by_slot[slot][0].count;
    const SlotExchange& e = slot_exchanges.by_slot[slot][slot < 2 ? 0 : odd];
    if constexpr (count > 0) {
        Vector out{};
#pragma GCC unroll 4
        for (unsigned k = 0; k < count; ++k) {
            const unsigned distance = slot_exchanges.by_slot[slot][0].distance[k];  // the same for both signs
            Vector up, down;
            load(up, e.up[k]);
            load(down, e.down[k]);
            out |= (words & up) << distance | (words & down) >> distance;
        }
        words = out;
    }
}

// Moves a piece within the tail, past its neighbours one by one; each exchange changes the sign.
template <unsigned from, unsigned to, class Vector>
[[gnu::always_inline]] inline void move_in_tail(Vector& words, bool odd) {
    if constexpr (from < to) {
        exchange_slots<from>(words, odd);
        move_in_tail<from + 1, to>(words, !odd);
    } else if constexpr (from > to) {
        exchange_slots<from - 1>(words, odd);
        move_in_tail<from - 1, to>(words, !odd);
    }
}

// Moves a piece within the tail in two words with the same places: of even tails, and of odd ones.
[[gnu::always_inline]] inline void move_in_both(Pair& words, unsigned from, unsigned to) {
    const bool swaps = (from ^ to) & 1;
    for (bool odd = false; from != to; odd = !odd) {
        const SlotExchange& e = slot_exchanges.by_slot[from < to ? from : from - 1][odd];
        if (e.count) {
            Pair out{};
            for (unsigned k = 0; k < e.count; ++k) {
                Pair up, down;
                load(up, e.up[k]);
                load(down, e.down[k]);
                out |= (words & up) << e.distance[k] | (words & down) >> e.distance[k];
            }
            words = out;
        }
        from = from < to ? from + 1 : from - 1;
    }
    if (swaps) words = Pair{words[1], words[0]};
}

}  // namespace slidelab
