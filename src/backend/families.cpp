#include "backend/families.h"

#if WEAKSPOT_HAS_CPU
#include "backend/cpu/cpu.h"
#endif
#include "backend/cuda/cuda.h"
#if WEAKSPOT_HAS_OPENCL
#include "backend/opencl/opencl.h"
#endif
#if WEAKSPOT_HAS_VULKAN
#include "backend/vulkan/vulkan.h"
#endif
#include "backend/testing.h"

namespace weakspot::backend {

std::span<const Family> families() {
  static const Family kFamilies[] = {
#if WEAKSPOT_HAS_CPU
      {"cpu", list_cpu_devices, open_cpu_device},
#endif
      {"cuda", list_cuda_devices, open_cuda_device},
#if WEAKSPOT_HAS_OPENCL
      {"opencl", list_opencl_devices, open_opencl_device},
#endif
#if WEAKSPOT_HAS_VULKAN
      {"vulkan", list_vulkan_devices, open_vulkan_device},
#endif
      {"testing", list_testing_devices, open_testing_device},
  };
  return kFamilies;
}

}  // namespace weakspot::backend
