#define SLIDELAB_SWEEP portable
#include "layers/sweep.hpp"

namespace slidelab {
Sweep portable_sweep() { return {portable::pull, portable::push, portable::settle}; }
}  // namespace slidelab
