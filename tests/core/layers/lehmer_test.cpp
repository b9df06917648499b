#include "layers/support.hpp"

namespace {

TEST("tables of the tail") {
    for (unsigned sign = 0; sign < 2; ++sign) {
        std::set<Numbers> seen;
        for (unsigned bit = 0; bit < word_states; ++bit) {
            const auto& places = tail_tables.places[sign][bit];
            const Numbers order(places.begin(), places.end());
            CHECK(seen.insert(order).second);
            CHECK(std::set<std::uint32_t>(order.begin(), order.end()).size() == tail_slots &&
                  order.size() == tail_slots);
            CHECK(*std::max_element(order.begin(), order.end()) == tail_slots - 1);
            CHECK(odd_order(order) == (sign == 1));
            CHECK((rank_order(order) == WordBit{0, bit}));
        }
        for (unsigned slot = 0; slot < tail_slots; ++slot) {
            std::uint64_t all = 0;
            for (unsigned rank = 0; rank < tail_slots; ++rank) {
                const std::uint64_t mask = tail_mask(sign, slot, rank);
                CHECK((all & mask) == 0 && __builtin_popcountll(mask) == static_cast<int>(chunk_states));
                all |= mask;
                // The others in the order of the bits: the twelve arrangements of one sign, smallest first.
                Numbers before;
                for (unsigned bit = 0; bit < word_states; ++bit) {
                    const auto& places = tail_tables.places[sign][bit];
                    CHECK((mask >> bit & 1) == (places[slot] == rank));
                    if (places[slot] != rank) continue;
                    Numbers others;
                    for (unsigned k = 0; k < tail_slots; ++k)
                        if (k != slot) others.push_back(places[k]);
                    CHECK(before < others);
                    before = others;
                }
            }
            CHECK(all == word_mask);
        }
    }
    // Which is what one gather and one scatter rest on: the k-th bits of two such sets have the same others.
    for (unsigned sign = 0; sign < 2; ++sign)
        for (unsigned from = 0; from < tail_slots; ++from)
            for (unsigned to = 0; to < tail_slots; ++to)
                for (unsigned bit = 0; bit < word_states; ++bit) {
                    const auto& places = tail_tables.places[sign][bit];
                    Numbers order(places.begin(), places.end());
                    const auto rank = order[from];
                    move_entry(order, from, to);
                    const unsigned other = sign ^ ((from ^ to) & 1);
                    const std::uint64_t below = (std::uint64_t{1} << bit) - 1,
                                        target = std::uint64_t{1} << rank_order(order).bit;
                    CHECK(tail_mask(other, to, rank) & target);
                    CHECK(__builtin_popcountll(tail_mask(sign, from, rank) & below) ==
                          __builtin_popcountll(tail_mask(other, to, rank) & (target - 1)));
                    CHECK(gather_and_scatter(std::uint64_t{1} << bit, from, to, sign) == target);
                }
    for (unsigned a = 0; a < 6; ++a)
        for (unsigned b = 0; b < 5; ++b) {
            const auto [c, d] = exchange(a, b);
            CHECK(c < 6 && d < 5 && exchange(c, d) == (std::pair{a, b}));
        }
}

TEST("moves within the head") {
    std::mt19937_64 random(11);
    for (unsigned n = 7; n <= 11; ++n) {
        const unsigned head = n - tail_slots;
        const std::uint64_t words = word_count(n);
        const std::uint64_t samples = n <= 8 ? words : n == 9 ? 1500 : 400;
        for (unsigned from = 0; from < head; ++from)
            for (unsigned to = 0; to < head; ++to) {
                if (from == to) continue;
                const HeadMove move(n, from, to), back(n, to, from);
                CHECK(move.leftwards() == (from > to) && move.bytes() > 0);
                CHECK(words % (std::uint64_t{move.high()} * move.low() * move.block()) == 0);
                for (std::uint64_t k = 0; k < samples; ++k) {
                    const std::uint64_t word = samples == words ? k
                                               : k == 0         ? 0
                                               : k == 1         ? words - 1
                                                                : below(random, words);
                    const auto bit = static_cast<unsigned>(below(random, word_states));
                    Numbers order = unrank_order(n, word, bit, false);
                    CHECK((rank_order(order) == WordBit{word, bit}));
                    move_entry(order, from, to);
                    const auto there = rank_order(order);
                    CHECK(there.bit == bit);
                    CHECK(move(static_cast<std::uint32_t>(word)) == there.word);
                    CHECK(back(static_cast<std::uint32_t>(there.word)) == word);
                }
            }
    }
}

// The largest head that word numbers of 32 bits can hold.
TEST("the longest head") {
    std::mt19937_64 random(14);
    const unsigned n = 14, head = n - tail_slots;
    const std::uint64_t words = word_count(n);
    for (const auto& [from, to] :
         {std::pair{0u, head - 1}, {head - 1, 0u}, {1u, head - 2}, {head - 2, 1u}, {0u, 1u}, {1u, 0u}}) {
        const HeadMove move(n, from, to);
        for (int k = 0; k < 300; ++k) {
            const std::uint64_t word = k == 0 ? words - 1 : below(random, words);
            Numbers order = unrank_order(n, word, 7, true);
            move_entry(order, from, to);
            CHECK(move(static_cast<std::uint32_t>(word)) == rank_order(order).word);
        }
    }
}

}  // namespace
