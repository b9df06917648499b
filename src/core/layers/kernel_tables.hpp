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

struct Counted {
    std::uint64_t words, states;
};

struct Kernels {
    void (*pull)(const KernelTables&, const PieceMove&, const std::uint64_t* from, bool odd_from, bool odd_to,
                 std::uint32_t first, std::uint32_t last, std::uint64_t* sum);
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
