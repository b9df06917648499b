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

}  // namespace slidelab
