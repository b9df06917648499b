// Compiled for AVX2 and BMI2, and only called on machines that have them.
#include "layers/sweep_tables.hpp"

#if defined(__BMI2__) && defined(__AVX2__)
#define SLIDELAB_SWEEP fast
#include "layers/sweep.hpp"

namespace slidelab {
Sweep fast_sweep() { return {fast::pull, fast::push, fast::settle}; }
}  // namespace slidelab
#else
namespace slidelab {
Sweep fast_sweep() { return portable_sweep(); }
}  // namespace slidelab
#endif
