// The inner loops of the search, compiled once for any machine and once for those with AVX2 and
// BMI2 (SLIDELAB_KERNELS names the namespace). Plain pointers and tables only: nothing in here may
// instantiate a library template that the linker could share between the two.
//
// A layer is a set of words in each shape (see lehmer_words.hpp). `pull` collects what one edge
// brings into a range of words from the layer at its other end; `push` carries one word along an edge.
#include "layers/kernel_tables.hpp"

namespace slidelab::SLIDELAB_KERNELS {

#if defined(__BMI2__)
inline std::uint64_t gather_bits(std::uint64_t word, std::uint64_t mask) { return __builtin_ia32_pext_di(word, mask); }
inline std::uint64_t scatter_bits(std::uint64_t bits, std::uint64_t mask) { return __builtin_ia32_pdep_di(bits, mask); }
#else
inline std::uint64_t gather_bits(std::uint64_t word, std::uint64_t mask) {
    std::uint64_t out = 0;
    for (std::uint64_t bit = 1; mask; mask &= mask - 1, bit <<= 1)
        if (word & mask & -mask) out |= bit;
    return out;
}
inline std::uint64_t scatter_bits(std::uint64_t bits, std::uint64_t mask) {
    std::uint64_t out = 0;
    for (; mask && bits; mask &= mask - 1, bits >>= 1)
        if (bits & 1) out |= mask & -mask;
    return out;
}
#endif

inline constexpr unsigned group = 6;  // words that differ in the last digit of the head only

// Signs of the head digits but the last, a bit for each group.
inline bool odd_group(const KernelTables& t, std::uint64_t g) { return t.odd[g / 64] >> g % 64 & 1; }

// A piece moves within the tail: its twelve bits for each rank go from one set of places to another.
inline std::uint64_t within_tail(const PieceMove& m, std::uint64_t word, bool odd_from, bool odd_to) {
    const std::uint64_t* take = tail_tables.mask[odd_from][m.tail_from].data();
    const std::uint64_t* give = tail_tables.mask[odd_to][m.tail_to].data();
    return scatter_bits(gather_bits(word, take[0]), give[0]) | scatter_bits(gather_bits(word, take[1]), give[1]) |
           scatter_bits(gather_bits(word, take[2]), give[2]) | scatter_bits(gather_bits(word, take[3]), give[3]) |
           scatter_bits(gather_bits(word, take[4]), give[4]);
}

// A piece has left the tail, and the last digit of the head is now `digit`: the words of the group and
// the bits in them that make up the five chunks of the word.
struct OutOfTail {
    std::uint64_t take[tail_slots];
    std::uint32_t was[tail_slots];
};
struct OutOfTailTable {
    OutOfTail entry[2][tail_slots][group];
    constexpr auto& operator[](bool odd) const { return entry[odd]; }
};
constexpr OutOfTailTable make_out_of_tail() {
    OutOfTailTable table{};
    for (unsigned odd = 0; odd < 2; ++odd)
        for (unsigned slot = 0; slot < tail_slots; ++slot)
            for (unsigned digit = 0; digit < group; ++digit)
                for (unsigned chunk = 0; chunk < tail_slots; ++chunk) {
                    const auto [was, rank] = exchange(digit, chunk);
                    table.entry[odd][slot][digit].was[chunk] = was;
                    table.entry[odd][slot][digit].take[chunk] = tail_tables.mask[odd ^ (was & 1)][slot][rank];
                }
    return table;
}
inline constexpr OutOfTailTable out_of_tail = make_out_of_tail();

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
            if (!t.odd) {
                for (std::uint32_t w = first; w < last; ++w)
                    if (from[w]) sum[w - first] |= within_tail(m, from[w], odd_from, odd_to);
                return;
            }
            for (std::uint32_t w = first; w < last; w += group) {
                const std::uint64_t* word = from + w;
                if (!(word[0] | word[1] | word[2] | word[3] | word[4] | word[5])) continue;
                const bool base = odd_group(t, w / group);
                for (unsigned d = 0; d < group; ++d) {
                    const bool head = base ^ (d & 1);
                    sum[w - first + d] |= within_tail(m, word[d], odd_from ^ head, odd_to ^ head);
                }
            }
            return;
        case PieceMove::into_tail:
            each_group(m.back, first, last, [&](std::uint32_t w, const std::uint32_t* source) {
                std::uint64_t word[group], any = 0;
                for (unsigned d = 0; d < group; ++d) any |= word[d] = from[source[d]];
                if (!any) return;
                const bool base = odd_to ^ odd_group(t, w / group);
                const std::uint64_t* even_give = tail_tables.mask[base][m.tail_to].data();
                const std::uint64_t* odd_give = tail_tables.mask[!base][m.tail_to].data();
#pragma GCC unroll 6
                for (unsigned d = 0; d < group; ++d) {
                    const std::uint64_t* give = d & 1 ? odd_give : even_give;
                    std::uint64_t out = 0;
#pragma GCC unroll 5
                    for (unsigned rank = 0; rank < tail_slots; ++rank) {
                        const auto [was, chunk] = exchange(d, rank);
                        out |= scatter_bits(word[was] >> (chunk * chunk_states) & chunk_mask, give[rank]);
                    }
                    sum[w - first + d] |= out;
                }
            });
            return;
        case PieceMove::out_of_tail:
            // The piece goes to the last slot of the head, which mixes the six words of a group, and from
            // there to its place. If the stretch holds whole runs, groups are taken as they come and their
            // words sent on; nothing leaves the stretch.
            if (const std::uint32_t run = m.forth ? m.forth->high() * m.forth->low() : group;
                first % run == 0 && last % run == 0) {
                each_group(m.forth, first, last, [&](std::uint32_t w, const std::uint32_t* to) {
                    const std::uint64_t* word = from + w;
                    if (!(word[0] | word[1] | word[2] | word[3] | word[4] | word[5])) return;
                    const bool base = odd_from ^ odd_group(t, w / group);
                    const std::uint64_t* even_take = tail_tables.mask[base][m.tail_from].data();
                    const std::uint64_t* odd_take = tail_tables.mask[!base][m.tail_from].data();
#pragma GCC unroll 6
                    for (unsigned d = 0; d < group; ++d) {
                        std::uint64_t out = 0;
#pragma GCC unroll 5
                        for (unsigned chunk = 0; chunk < tail_slots; ++chunk) {
                            const auto [was, rank] = exchange(d, chunk);
                            out |= gather_bits(word[was], (was & 1 ? odd_take : even_take)[rank])
                                   << (chunk * chunk_states);
                        }
                        sum[to[d] - first] |= out;
                    }
                });
                return;
            }
            // Otherwise backwards, word by word: the last slot of the head settles the group.
            each_group(m.back, first, last, [&](std::uint32_t w, const std::uint32_t* middle) {
                for (unsigned d = 0; d < group; ++d) {
                    const std::uint32_t g = middle[d] / group, digit = middle[d] - g * group;
                    const std::uint64_t* word = from + g * group;
                    if (!(word[0] | word[1] | word[2] | word[3] | word[4] | word[5])) continue;
                    const OutOfTail& out = out_of_tail[odd_from ^ odd_group(t, g)][m.tail_from][digit];
                    sum[w - first + d] |= gather_bits(word[out.was[0]], out.take[0]) |
                                          gather_bits(word[out.was[1]], out.take[1]) << chunk_states |
                                          gather_bits(word[out.was[2]], out.take[2]) << (2 * chunk_states) |
                                          gather_bits(word[out.was[3]], out.take[3]) << (3 * chunk_states) |
                                          gather_bits(word[out.was[4]], out.take[4]) << (4 * chunk_states);
                }
            });
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
            out[0] = {w, within_tail(m, bits, odd_from ^ head, odd_to ^ head)};
            return 1;
        }
        case PieceMove::into_tail: {
            const std::uint32_t there = m.forth ? (*m.forth)(w) : w, g = there / group;
            unsigned count = 0;
            for (unsigned chunk = 0; chunk < tail_slots; ++chunk) {
                const std::uint64_t part = bits >> (chunk * chunk_states) & chunk_mask;
                if (!part) continue;
                const auto [digit, rank] = exchange(there % group, chunk);
                const bool sign = odd_to ^ odd_group(t, g) ^ (digit & 1);
                out[count++] = {g * group + digit, scatter_bits(part, tail_tables.mask[sign][m.tail_to][rank])};
            }
            return count;
        }
        case PieceMove::out_of_tail: {
            const std::uint32_t g = w / group;
            const auto& take = tail_tables.mask[odd_from ^ odd_group(t, g) ^ (w % group & 1)][m.tail_from];
            unsigned count = 0;
            for (unsigned rank = 0; rank < tail_slots; ++rank) {
                const std::uint64_t part = gather_bits(bits, take[rank]);
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

}  // namespace slidelab::SLIDELAB_KERNELS
