#include "layers/support.hpp"

namespace {

struct MadeMove {
    std::unique_ptr<HeadMove> forth, back;
    PieceMove move;
};

MadeMove make_move(unsigned n, unsigned from, unsigned to) {
    MadeMove out;
    const unsigned head = n - tail_slots;
    auto through = [&](unsigned a, unsigned b) {
        if (a == b) return;
        out.forth = std::make_unique<HeadMove>(n, a, b);
        out.back = std::make_unique<HeadMove>(n, b, a);
    };
    auto& m = out.move;
    if (from == to) {
        m.kind = PieceMove::stay;
    } else if (from < head && to < head) {
        m.kind = PieceMove::head;
        through(from, to);
    } else if (from < head) {
        m.kind = PieceMove::into_tail;
        m.tail_to = static_cast<std::uint8_t>(to - head);
        through(from, head - 1);
    } else if (to < head) {
        m.kind = PieceMove::out_of_tail;
        m.tail_from = static_cast<std::uint8_t>(from - head);
        through(head - 1, to);
    } else {
        m.kind = PieceMove::tail;
        m.tail_from = static_cast<std::uint8_t>(from - head);
        m.tail_to = static_cast<std::uint8_t>(to - head);
    }
    m.forth = out.forth.get();
    m.back = out.back.get();
    return out;
}

std::vector<std::uint64_t> odd_groups(unsigned n) {
    const std::uint64_t groups = word_count(n) / 6;
    std::vector<std::uint64_t> out((groups + 63) / 64, 0);
    for (std::uint64_t g = 0; g < groups; ++g) {
        const auto digits = digits_of(unrank_order(n, g * 6, 0, false));
        unsigned sum = 0;
        for (unsigned k = 0; k + tail_slots < n; ++k) sum += digits[k];  // the last of them is 0
        if (sum & 1) out[g / 64] |= std::uint64_t{1} << g % 64;
    }
    return out;
}

void check_piece_move(unsigned n, unsigned from, unsigned to, const std::vector<std::uint64_t>& odd,
                      std::mt19937_64& random) {
    using Words = std::vector<std::uint64_t>;
    const auto words = static_cast<std::uint32_t>(word_count(n));
    const auto made = make_move(n, from, to);
    const KernelTables tables{n > tail_slots ? odd.data() : nullptr};
    const bool odd_from = below(random, 2), odd_to = odd_from ^ ((from ^ to) & 1);
    for (const std::uint64_t one_in : {40u, 2u, 1u}) {  // sparse, dense, full
        Words source(words, 0);
        for (auto& word : source)
            if (one_in < 10 || below(random, 6) == 0)
                for (unsigned bit = 0; bit < word_states; ++bit)
                    if (one_in == 1 || below(random, one_in) == 0) word |= std::uint64_t{1} << bit;
        Words wanted(words, 0);
        const bool plain = n <= 7 && one_in != 1;
        if (plain)
            for (std::uint32_t w = 0; w < words; ++w)
                for (unsigned bit = 0; bit < word_states; ++bit)
                    if (source[w] >> bit & 1) {
                        Numbers order = unrank_order(n, w, bit, odd_from);
                        move_entry(order, from, to);
                        CHECK(odd_order(order) == odd_to);
                        const auto there = rank_order(order);
                        wanted[there.word] |= std::uint64_t{1} << there.bit;
                    }
        bool have = plain;
        for (const auto& kernels : all_kernels()) {
            Words pushed(words, 0);
            for (std::uint32_t w = 0; w < words; ++w) {
                Pushed out[6];
                const unsigned count = kernels.push(tables, made.move, w, source[w], odd_from, odd_to, out);
                CHECK(count <= 6);
                int states = 0;
                for (unsigned k = 0; k < count; ++k) {
                    CHECK(out[k].word < words && !(out[k].bits & ~word_mask));
                    pushed[out[k].word] |= out[k].bits;
                    states += __builtin_popcountll(out[k].bits);
                }
                CHECK(states == __builtin_popcountll(source[w]));
            }
            if (!have) wanted = pushed, have = true;
            CHECK(pushed == wanted);
            Words pulled(words, 0);
            kernels.pull(tables, made.move, source.data(), odd_from, odd_to, 0, words, pulled.data());
            CHECK(pulled == wanted);
            // Parts: all that is asked for is that they begin and end between groups of six words.
            for (int trial = 0; trial < 5 && words >= 6; ++trial) {
                const std::uint32_t unit = trial == 0 && words > 42    ? 42
                                           : trial == 1 && words > 336 ? 336
                                                                       : 6;  // or between runs
                const auto first = static_cast<std::uint32_t>(below(random, words / unit)) * unit;
                const auto last = first + static_cast<std::uint32_t>(1 + below(random, (words - first) / unit)) * unit;
                const std::uint64_t stain = std::uint64_t{1} << 3;  // what is there stays
                Words part(last - first, stain);
                kernels.pull(tables, made.move, source.data(), odd_from, odd_to, first, last, part.data());
                for (std::uint32_t w = first; w < last; ++w) CHECK(part[w - first] == (wanted[w] | stain));
            }
        }
        // A few states of the larger ones by hand.
        if (!plain && one_in != 1)
            for (int trial = 0; trial < 60; ++trial) {
                const auto w = static_cast<std::uint32_t>(below(random, words));
                const auto bit = static_cast<unsigned>(below(random, word_states));
                Numbers order = unrank_order(n, w, bit, odd_from);
                move_entry(order, from, to);
                const auto there = rank_order(order);
                CHECK((source[w] >> bit & 1) == (wanted[there.word] >> there.bit & 1));
            }
    }
}

// All moves within the tail, in rows of one word and of six words whose signs alternate.
TEST("shifts within the tail") {
    std::mt19937_64 random(6);
    std::vector<std::uint64_t> words{word_mask};
    for (unsigned bit = 0; bit < word_states; ++bit) words.push_back(std::uint64_t{1} << bit);
    for (int k = 0; k < 29; ++k) words.push_back(random() & word_mask);
    CHECK(words.size() % 6 == 0);
    for (const auto& kernels : all_kernels())
        for (unsigned from = 0; from < tail_slots; ++from)
            for (unsigned to = 0; to < tail_slots; ++to) {
                if (from == to) continue;
                PieceMove move;
                move.kind = PieceMove::tail;
                move.tail_from = static_cast<std::uint8_t>(from);
                move.tail_to = static_cast<std::uint8_t>(to);
                for (unsigned odd = 0; odd < 2; ++odd) {
                    const bool odd_to = odd ^ ((from ^ to) & 1);
                    for (const auto word : words) {
                        const std::uint64_t wanted = gather_and_scatter(word, from, to, odd);
                        Pushed out[6];
                        CHECK(kernels.push({}, move, 0, word, odd, odd_to, out) == 1);
                        CHECK(out[0].word == 0 && out[0].bits == wanted);
                        std::uint64_t sum = 0;
                        kernels.pull({}, move, &word, odd, odd_to, 0, 1, &sum);
                        CHECK(sum == wanted);
                    }
                    for (const std::uint64_t signs : {std::uint64_t{0}, random()}) {
                        const auto count = static_cast<std::uint32_t>(words.size());
                        std::vector<std::uint64_t> sum(words.size(), 0);
                        kernels.pull({&signs}, move, words.data(), odd, odd_to, 0, count, sum.data());
                        for (std::uint32_t w = 0; w < count; ++w) {
                            const unsigned head = (signs >> w / 6 & 1) ^ (w % 6 & 1);
                            CHECK(sum[w] == gather_and_scatter(words[w], from, to, odd ^ head));
                        }
                    }
                }
            }
}

TEST("inner loops") {
    std::mt19937_64 random(5);
    for (unsigned n = 5; n <= 9; ++n) {
        const auto odd = n > tail_slots ? odd_groups(n) : std::vector<std::uint64_t>{};
        for (unsigned from = 0; from < n; ++from)
            for (unsigned to = 0; to < n; ++to)
                if (n < 9 || below(random, 3) == 0 || from == 0 || to == 0) check_piece_move(n, from, to, odd, random);
    }
    // Runs that are cut in two.
    const auto odd = odd_groups(10);
    for (const auto& [from, to] : {std::pair{0u, 4u}, {4u, 0u}, {0u, 3u}, {3u, 0u}, {0u, 7u}, {9u, 0u}})
        check_piece_move(10, from, to, odd, random);
    for (const auto& kernels : all_kernels()) {
        std::vector<std::uint64_t> sum(101), now(101), before(101), wanted(101);
        Counted count{0, 0};
        for (std::size_t k = 0; k < sum.size(); ++k) {
            sum[k] = random() & random() & word_mask, now[k] = random() & word_mask, before[k] = random() & word_mask;
            wanted[k] = sum[k] & ~(now[k] | before[k]);
            count.words += wanted[k] != 0;
            count.states += static_cast<unsigned>(__builtin_popcountll(wanted[k]));
        }
        const Counted found = kernels.settle(sum.data(), now.data(), before.data(), 101);
        CHECK(found.words == count.words && found.states == count.states && before == wanted);
    }
}

}  // namespace
