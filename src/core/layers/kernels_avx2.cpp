// Compiled for AVX2, and only called on machines that have it.
#include "layers/kernel_tables.hpp"

#if defined(__AVX2__)
#define SLIDELAB_KERNELS fast
#include "layers/kernels.hpp"

namespace slidelab {
Kernels avx2_kernels() { return {fast::pull, fast::rename, fast::push, fast::settle, fast::merge}; }
}  // namespace slidelab
#else
namespace slidelab {
Kernels avx2_kernels() { return portable_kernels(); }
}  // namespace slidelab
#endif
