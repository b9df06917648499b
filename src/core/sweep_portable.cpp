#define SLIDELAB_SWEEP portable
#include "sweep.hpp"

namespace slidelab {
Sweep portable_sweep() { return {portable::pull, portable::push, portable::settle}; }
}  // namespace slidelab
