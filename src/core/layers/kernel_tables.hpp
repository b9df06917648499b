// What the inner loops work on, and the two builds of them.
#pragma once

#include "layers/lehmer_words.hpp"

namespace slidelab {

struct KernelTables {
    const std::uint64_t* odd = nullptr;  // signs of the head digits but the last; null if there is no head
};

// How one piece moves: within the head, within the tail, or from one to the other. `forth` and
// `back` lead through the head, to or from its last slot if the piece crosses (null: it is there).
struct PieceMove {
    enum Kind : std::uint8_t { stay, head, tail, into_tail, out_of_tail };
    Kind kind = stay;
    std::uint8_t tail_from = 0, tail_to = 0;
    const HeadMove* forth = nullptr;
    const HeadMove* back = nullptr;
};

struct Pushed {
    std::uint32_t word;
    std::uint64_t bits;
};

inline constexpr unsigned inverse_shift = 40, low_inverse_shift = 45;
inline constexpr unsigned max_renamed = 16;  // pieces of the main orbit: 32-bit word numbers end before

// An order of pieces, a byte for each slot.
struct alignas(16) OrderBytes {
    std::uint8_t at[max_renamed] = {};
};

// What a renaming does to the arrangements of a shape (renaming.hpp): pieces go to the slots of another shape and get
// other names.
struct RenamingTables {
    unsigned pieces = 0, head = 0;
    unsigned shared = 0;  // so many slots of the other shape come first that take their pieces from the head
    std::uint8_t source[max_renamed] = {}, name[max_renamed] = {};  // the slot before of each slot; of each piece
    std::uint64_t weight[max_renamed] = {};                         // of each digit, where a word counts 64
    std::uint32_t row = 0;
    // The order of the last pieces of the head and of the tail for each value of the last digits of the head, and the
    // digits before: how many there are, their bases, and 2^40 over these, rounded up.
    const OrderBytes* low_orders = nullptr;
    std::uint32_t low = 1, base[max_renamed] = {};
    std::uint64_t low_inverse = 0;
    std::uint64_t inverse[max_renamed] = {};
    unsigned high_digits = 0;
    // x -> x'. If only some pieces are turned, x' depends on where they are; then `x_image` has the number of all other
    // labels times 2^pieces, plus the turns at the base, and `x_of` has x' for such numbers.
    const std::uint32_t* x_image = nullptr;
    const std::uint32_t* x_of = nullptr;
    std::uint32_t turned = 0;                 // which names are turned
    std::uint32_t turn_at[max_renamed] = {};  // the turn of the piece in each slot
};

struct Counted {
    std::uint64_t words, states;
};

struct Kernels {
    void (*pull)(const KernelTables&, const PieceMove&, const std::uint64_t* from, bool odd_from, bool odd_to,
                 std::uint32_t first, std::uint32_t last, std::uint64_t* sum);
    unsigned (*rename)(const KernelTables&, const RenamingTables&, std::uint32_t x, std::uint32_t number,
                       std::uint64_t bits, bool odd, Pushed* out);
    unsigned (*push)(const KernelTables&, const PieceMove&, std::uint32_t word, std::uint64_t bits, bool odd_from,
                     bool odd_to, Pushed* out);
    Counted (*settle)(const std::uint64_t* sum, const std::uint64_t* now, std::uint64_t* before, std::uint32_t count);
    Counted (*merge)(std::uint64_t* sum, std::uint64_t* known, std::uint32_t count);
};

Kernels portable_kernels();
Kernels avx2_kernels();  // for machines with AVX2; the portable one where it was not built

inline bool has_avx2_kernels() {
#if defined(__x86_64__) && defined(__GNUC__)
    return __builtin_cpu_supports("avx2");
#else
    return false;
#endif
}

}  // namespace slidelab
