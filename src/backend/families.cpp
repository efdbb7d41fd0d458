#include "backend/families.h"

#include "backend/cuda.h"
#if WEAKSPOT_HAS_OPENCL
#include "backend/opencl.h"
#endif

namespace weakspot::backend {

std::span<const Family> families() {
  static const Family kFamilies[] = {
    {"cuda", list_cuda_devices, open_cuda_device},
#if WEAKSPOT_HAS_OPENCL
    {"opencl", list_opencl_devices, open_opencl_device},
#endif
  };
  return kFamilies;
}

}  // namespace weakspot::backend
