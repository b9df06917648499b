#define SLIDELAB_KERNELS portable
#include "layers/kernels.hpp"

namespace slidelab {
Kernels portable_kernels() {
    return {portable::pull, portable::rename, portable::push, portable::settle, portable::merge};
}
}  // namespace slidelab
