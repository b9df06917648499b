// The inner loops of the search, compiled once for any machine and once for those with AVX2
// (SLIDELAB_KERNELS names the namespace). Plain pointers and tables only: nothing in here may
// instantiate a library template that the linker could share between the two.
//
// A layer is a set of words in each shape (see lehmer_words.hpp). `pull` collects what one edge
// brings into a range of words from the layer at its other end; `push` carries one word along an edge.
#include "layers/kernel_tables.hpp"
#include "layers/tail_shifts.hpp"

namespace slidelab::SLIDELAB_KERNELS {

// tail_tables as plain arrays.
struct TailOrders {
    std::uint8_t ranks[2][word_states][tail_slots];
};
constexpr TailOrders make_tail_orders() {
    TailOrders out{};
    for (unsigned odd = 0; odd < 2; ++odd)
        for (unsigned bit = 0; bit < word_states; ++bit)
            for (unsigned k = 0; k < tail_slots; ++k) out.ranks[odd][bit][k] = tail_tables.places[odd][bit][k];
    return out;
}
inline constexpr TailOrders tail_orders = make_tail_orders();

inline constexpr unsigned group = 6;  // words that differ in the last digit of the head only

// Signs of the head digits but the last, a bit for each group.
inline bool odd_group(const KernelTables& t, std::uint64_t g) { return t.odd[g / 64] >> g % 64 & 1; }

// The same for one word and any slots.
inline std::uint64_t move_word_in_tail(std::uint64_t word, unsigned from, unsigned to, bool odd) {
    while (from != to) {
        const SlotExchange& e = slot_exchanges.by_slot[from < to ? from : from - 1][odd];
        if (e.count) {
            std::uint64_t out = 0;
            for (unsigned k = 0; k < e.count; ++k)
                out |= (word & e.up[k][0]) << e.distance[k] | (word & e.down[k][0]) >> e.distance[k];
            word = out;
        }
        from = from < to ? from + 1 : from - 1;
        odd = !odd;
    }
    return word;
}

// Exchanges the last slot of the head with the first of the tail in the six words of a group: which piece is in the
// one is the number of the word, which is in the other the number of a chunk of twelve bits, so chunks are transposed.
[[gnu::always_inline]] inline void transpose_chunks(const std::uint64_t* words, Quad& first, Pair& last) {
    Quad a{};
    Pair b{};
#pragma GCC unroll 6
    for (unsigned was = 0; was < group; ++was) {
        // Word d takes one chunk of this word, unless it is this word.
        const auto right = [was](unsigned d) { return std::uint64_t{chunk_states} * (d > was ? d - 1 : d); };
        const auto left = [was](unsigned d) { return std::uint64_t{chunk_states} * (d > was ? was : was - (d < was)); };
        const auto mask = [was](unsigned d) { return d == was ? 0 : chunk_mask; };
        const std::uint64_t word = words[was];
        const Quad four = {word, word, word, word};
        a |= (four >> Quad{right(0), right(1), right(2), right(3)} & Quad{mask(0), mask(1), mask(2), mask(3)})
             << Quad{left(0), left(1), left(2), left(3)};
        b |= (Pair{word, word} >> Pair{right(4), right(5)} & Pair{mask(4), mask(5)}) << Pair{left(4), left(5)};
    }
    first = a;
    last = b;
}

// Calls visit(target word, source word, count) for blocks that move together.
template <class Visit>
inline void each_block(const HeadMove& back, std::uint32_t first, std::uint32_t last, Visit&& visit) {
    const std::uint32_t block = back.block(), panel_words = back.low() * block, run = back.high() * panel_words;
    std::uint32_t w = first;
    while (w < last) {
        const std::uint32_t a = w / run, i = w % run / panel_words, start = a * run + i * panel_words;
        const auto panel = back.panel(i);
        const std::uint32_t end = last - start < panel_words ? last : start + panel_words;
        std::uint32_t j = (w - start) / block;
        while (w < end) {
            const std::uint32_t at = start + j * block, skip = w - at;
            const std::uint32_t stop = end - at < block ? end : at + block;
            visit(w, a * run + panel(j) + skip, stop - w);
            w = stop;
            ++j;
        }
    }
}

// For runs that end in the last slot of the head: calls visit(target group start, sources of its six words).
template <class Visit>
inline void each_group(const HeadMove* back, std::uint32_t first, std::uint32_t last, Visit&& visit) {
    std::uint32_t source[group];
    if (!back) {
        for (std::uint32_t w = first; w < last; w += group) {
            for (unsigned d = 0; d < group; ++d) source[d] = w + d;
            visit(w, source);
        }
        return;
    }
    const std::uint32_t panel_words = back->low(), run = back->high() * panel_words;
    std::uint32_t w = first;
    while (w < last) {
        const std::uint32_t a = w / run, i = w % run / panel_words, start = a * run + i * panel_words;
        const auto panel = back->panel(i);
        const std::uint32_t end = last - start < panel_words ? last : start + panel_words;
        for (; w < end; w += group) {
            for (unsigned d = 0; d < group; ++d) source[d] = a * run + panel(w - start + d);
            visit(w, source);
        }
    }
}

inline bool is_empty(const std::uint64_t* word) { return !(word[0] | word[1] | word[2] | word[3] | word[4] | word[5]); }

// The words that a move leaves and reaches.
struct Stretch {
    const std::uint64_t* from;  // the row that the move leaves
    std::uint32_t first, last;  // words of the row that it reaches
    std::uint64_t* sum;         // those words
};

template <unsigned from, unsigned to>
void pull_tail(const KernelTables& t, const PieceMove&, const Stretch& s, bool odd_from, bool) {
    constexpr bool needs_sign = (from <= 2) != (to <= 2);
    for (std::uint32_t w = s.first; w < s.last; w += group) {
        const bool odd = needs_sign && odd_from ^ odd_group(t, w / group);
        std::uint64_t* sum = s.sum + (w - s.first);
        Quad a, sum_a;
        Pair b, sum_b;
        load(a, s.from + w);
        load(b, s.from + w + 4);
        load(sum_a, sum);
        load(sum_b, sum + 4);
        move_in_tail<from, to>(a, odd);
        move_in_tail<from, to>(b, odd);
        store(sum_a | a, sum);
        store(sum_b | b, sum + 4);
    }
}

template <unsigned to>
void pull_into_tail(const KernelTables& t, const PieceMove& m, const Stretch& s, bool, bool odd_to) {
    each_group(m.back, s.first, s.last, [&](std::uint32_t w, const std::uint32_t* source) {
        std::uint64_t word[group];
        for (unsigned d = 0; d < group; ++d) word[d] = s.from[source[d]];
        if (is_empty(word)) return;
        const bool odd = odd_to ^ odd_group(t, w / group) ^ (to & 1);  // before the moves within the tail
        std::uint64_t* sum = s.sum + (w - s.first);
        Quad a, sum_a;
        Pair b, sum_b;
        transpose_chunks(word, a, b);
        move_in_tail<0, to>(a, odd);
        move_in_tail<0, to>(b, odd);
        load(sum_a, sum);
        load(sum_b, sum + 4);
        store(sum_a | a, sum);
        store(sum_b | b, sum + 4);
    });
}

// The piece goes to the first slot of the tail, from there to the last slot of the head, which mixes the six words of a
// group, and from there to its place.
template <unsigned from>
void pull_out_of_tail(const KernelTables& t, const PieceMove& m, const Stretch& s, bool odd_from, bool) {
    // If the stretch holds whole runs, groups are taken as they come and their words sent on; nothing leaves the
    // stretch.
    if (const std::uint32_t run = m.forth ? m.forth->high() * m.forth->low() : group;
        s.first % run == 0 && s.last % run == 0) {
        each_group(m.forth, s.first, s.last, [&](std::uint32_t w, const std::uint32_t* to) {
            if (is_empty(s.from + w)) return;
            const bool odd = odd_from ^ odd_group(t, w / group);
            std::uint64_t word[group];
            Quad a;
            Pair b;
            load(a, s.from + w);
            load(b, s.from + w + 4);
            move_in_tail<from, 0>(a, odd);
            move_in_tail<from, 0>(b, odd);
            store(a, word);
            store(b, word + 4);
            transpose_chunks(word, a, b);
            store(a, word);
            store(b, word + 4);
            for (unsigned d = 0; d < group; ++d) s.sum[to[d] - s.first] |= word[d];
        });
        return;
    }
    // Otherwise backwards, word by word: the last slot of the head settles the group.
    each_group(m.back, s.first, s.last, [&](std::uint32_t w, const std::uint32_t* middle) {
        for (unsigned d = 0; d < group; ++d) {
            const std::uint32_t g = middle[d] / group, digit = middle[d] - g * group;
            if (is_empty(s.from + g * group)) continue;
            const bool odd = odd_from ^ odd_group(t, g);
            std::uint64_t word[group];
            Quad a;
            Pair b;
            load(a, s.from + g * group);
            load(b, s.from + g * group + 4);
            move_in_tail<from, 0>(a, odd);
            move_in_tail<from, 0>(b, odd);
            store(a, word);
            store(b, word + 4);
            std::uint64_t out = 0;
            for (unsigned chunk = 0; chunk < tail_slots; ++chunk) {
                const auto [was, rank] = exchange(digit, chunk);
                out |= (word[was] >> (rank * chunk_states) & chunk_mask) << (chunk * chunk_states);
            }
            s.sum[w - s.first + d] |= out;
        }
    });
}

using PullTail = void (*)(const KernelTables&, const PieceMove&, const Stretch&, bool odd_from, bool odd_to);

template <unsigned from>
inline constexpr PullTail tail_moves[tail_slots] = {pull_tail<from, 0>, pull_tail<from, 1>, pull_tail<from, 2>,
                                                    pull_tail<from, 3>, pull_tail<from, 4>};
inline constexpr const PullTail* moves_within_tail[tail_slots] = {tail_moves<0>, tail_moves<1>, tail_moves<2>,
                                                                  tail_moves<3>, tail_moves<4>};
inline constexpr PullTail moves_into_tail[tail_slots] = {pull_into_tail<0>, pull_into_tail<1>, pull_into_tail<2>,
                                                         pull_into_tail<3>, pull_into_tail<4>};
inline constexpr PullTail moves_out_of_tail[tail_slots] = {
    pull_out_of_tail<0>, pull_out_of_tail<1>, pull_out_of_tail<2>, pull_out_of_tail<3>, pull_out_of_tail<4>};

// Adds to `sum` (for words first..last of one row) what the move brings from the row `from`.
// `odd_from` and `odd_to` are the signs of the arrangements in the two rows.
void pull(const KernelTables& t, const PieceMove& m, const std::uint64_t* from, bool odd_from, bool odd_to,
          std::uint32_t first, std::uint32_t last, std::uint64_t* sum) {
    switch (m.kind) {
        case PieceMove::stay:
            for (std::uint32_t w = first; w < last; ++w) sum[w - first] |= from[w];
            return;
        case PieceMove::head: {
            const HeadMove& back = *m.back;
            if (back.block() == 1) {
                each_group(&back, first, last, [&](std::uint32_t w, const std::uint32_t* source) {
                    for (unsigned d = 0; d < group; ++d) sum[w - first + d] |= from[source[d]];
                });
                return;
            }
            each_block(back, first, last, [&](std::uint32_t w, std::uint32_t source, std::uint32_t count) {
                std::uint64_t* to = sum + (w - first);
                const std::uint64_t* read = from + source;
                for (std::uint32_t k = 0; k < count; ++k) to[k] |= read[k];
            });
            return;
        }
        case PieceMove::tail:
            if (!t.odd) {  // a row is one word
                sum[0] |= move_word_in_tail(from[first], m.tail_from, m.tail_to, odd_from);
                return;
            }
            moves_within_tail[m.tail_from][m.tail_to](t, m, {from, first, last, sum}, odd_from, odd_to);
            return;
        case PieceMove::into_tail:
            moves_into_tail[m.tail_to](t, m, {from, first, last, sum}, odd_from, odd_to);
            return;
        case PieceMove::out_of_tail:
            moves_out_of_tail[m.tail_from](t, m, {from, first, last, sum}, odd_from, odd_to);
            return;
    }
}

// Where the bits of one word go: at most six words, written to `out`; returns how many.
unsigned push(const KernelTables& t, const PieceMove& m, std::uint32_t w, std::uint64_t bits, bool odd_from,
              bool odd_to, Pushed* out) {
    switch (m.kind) {
        case PieceMove::stay:
            out[0] = {w, bits};
            return 1;
        case PieceMove::head:
            out[0] = {(*m.forth)(w), bits};
            return 1;
        case PieceMove::tail: {
            const bool head = t.odd && (odd_group(t, w / group) ^ (w % group & 1));
            out[0] = {w, move_word_in_tail(bits, m.tail_from, m.tail_to, odd_from ^ head)};
            return 1;
        }
        case PieceMove::into_tail: {
            const std::uint32_t there = m.forth ? (*m.forth)(w) : w, g = there / group;
            unsigned count = 0;
            for (unsigned chunk = 0; chunk < tail_slots; ++chunk) {
                const std::uint64_t part = bits >> (chunk * chunk_states) & chunk_mask;
                if (!part) continue;
                const auto [digit, rank] = exchange(there % group, chunk);
                const bool sign = odd_to ^ odd_group(t, g) ^ ((digit ^ m.tail_to) & 1);
                out[count++] = {g * group + digit,
                                move_word_in_tail(part << (rank * chunk_states), 0, m.tail_to, sign)};
            }
            return count;
        }
        case PieceMove::out_of_tail: {
            const std::uint32_t g = w / group;
            const bool sign = odd_from ^ odd_group(t, g) ^ (w % group & 1);
            const std::uint64_t moved = move_word_in_tail(bits, m.tail_from, 0, sign);
            unsigned count = 0;
            for (unsigned rank = 0; rank < tail_slots; ++rank) {
                const std::uint64_t part = moved >> (rank * chunk_states) & chunk_mask;
                if (!part) continue;
                const auto [digit, chunk] = exchange(w % group, rank);
                const std::uint32_t there = g * group + digit;
                out[count++] = {m.forth ? (*m.forth)(there) : there, part << (chunk * chunk_states)};
            }
            return count;
        }
    }
    return 0;
}

typedef std::uint8_t Bytes __attribute__((vector_size(16)));

// Where the bits of one word go under a renaming: at most sixty places, written to `out`; returns how many. `number` is
// that of the word in its row, and `odd` the sign of its arrangements.
unsigned rename(const KernelTables& signs, const RenamingTables& t, std::uint32_t x, std::uint32_t number,
                std::uint64_t bits, bool odd, Pushed* out) {
    // The pieces of the head, then the others in ascending order: the last ones by a table, as they stand to each
    // other; then every digit before makes room for its piece.
    const unsigned n = t.pieces, head = t.head;
    if (head) odd ^= odd_group(signs, number / group) ^ (number % group & 1);
    auto high = static_cast<std::uint32_t>(number * t.low_inverse >> low_inverse_shift);
    Bytes order;
    __builtin_memcpy(&order, &t.low_orders[number - high * t.low], sizeof order);
    constexpr Bytes slots = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    for (unsigned k = t.high_digits; k-- > 0;) {
        const auto rest = static_cast<std::uint32_t>(high * t.inverse[k] >> inverse_shift);
        const Bytes digit = Bytes{} + static_cast<std::uint8_t>(high - rest * t.base[k]);
        const Bytes here = Bytes{} + static_cast<std::uint8_t>(k);
        high = rest;
        order -= static_cast<Bytes>(order >= digit) & static_cast<Bytes>(slots > here);
        order |= digit & static_cast<Bytes>(slots == here);
    }
    std::uint8_t piece[max_renamed], name[max_renamed];
    __builtin_memcpy(piece, &order, sizeof order);
    for (unsigned k = 0; k < n; ++k) name[k] = t.name[piece[k]];
    // Digits of the other shape: a piece, less the smaller ones before it.
    std::uint64_t rank = 0;
    std::uint32_t used = 0, turns = 0;
    const auto place = [&](unsigned slot, std::uint64_t& sum, std::uint32_t& before, std::uint32_t& turned) {
        const unsigned p = name[t.source[slot]];
        const std::uint32_t smaller = before & ((std::uint32_t{1} << p) - 1);
        sum += t.weight[slot] * (p - static_cast<unsigned>(__builtin_popcount(smaller)));
        before |= std::uint32_t{1} << p;
        turned ^= t.turn_at[slot] & -(t.turned >> p & 1);
    };
    for (unsigned slot = 0; slot < t.shared; ++slot) place(slot, rank, used, turns);
    std::uint8_t tail[tail_slots];
    for (unsigned k = 0; k < tail_slots; ++k) tail[k] = name[head + k];
    const unsigned last = t.turned ? n : n - 2;  // the last two digits follow from the others
    const std::uint32_t x_shared = t.x_image[x];
    const bool same_word = t.shared == head && !t.turned;
    unsigned count = 0;
    std::uint64_t all = 0;
    for (; bits; bits &= bits - 1) {
        const std::uint8_t* ranks = &tail_orders.ranks[odd][__builtin_ctzll(bits)][0];
        for (unsigned k = 0; k < tail_slots; ++k) name[head + k] = tail[ranks[k]];
        std::uint64_t sum = rank;
        std::uint32_t before = used, turned = turns;
        for (unsigned slot = t.shared; slot < last; ++slot) place(slot, sum, before, turned);
        if (same_word) {
            all |= std::uint64_t{1} << (sum & 63);
            out[0].word = static_cast<std::uint32_t>(sum >> 6);
            continue;
        }
        const std::uint32_t to = t.turned ? t.x_of[x_shared ^ turned] : x_shared;
        out[count++] = {to * t.row + static_cast<std::uint32_t>(sum >> 6), std::uint64_t{1} << (sum & 63)};
    }
    if (same_word && all) {
        out[0] = {x_shared * t.row + out[0].word, all};
        return 1;
    }
    return count;
}

// What is new among `sum`: not in the layer before (`now`), nor in the one before that, whose place it takes.
Counted settle(const std::uint64_t* sum, const std::uint64_t* now, std::uint64_t* before, std::uint32_t count) {
    Counted c{0, 0};
    for (std::uint32_t k = 0; k < count; ++k) {
        const std::uint64_t fresh = sum[k] & ~now[k] & ~before[k];
        before[k] = fresh;
        c.words += fresh != 0;
        c.states += static_cast<unsigned>(__builtin_popcountll(fresh));
    }
    return c;
}

// Adds `sum` to what is known; leaves in `sum` what was new.
Counted merge(std::uint64_t* sum, std::uint64_t* known, std::uint32_t count) {
    Counted c{0, 0};
    for (std::uint32_t k = 0; k < count; ++k) {
        const std::uint64_t fresh = sum[k] & ~known[k];
        known[k] |= fresh;
        sum[k] = fresh;
        c.words += fresh != 0;
        c.states += static_cast<unsigned>(__builtin_popcountll(fresh));
    }
    return c;
}

}  // namespace slidelab::SLIDELAB_KERNELS
