#include "backend/families.h"

#include "backend/cuda.h"
#include "backend/testing.h"

namespace weakspot::backend {

std::span<const Family> families() {
  static const Family kFamilies[] = {
      {"cuda", list_cuda_devices, open_cuda_device},
      {"testing", list_testing_devices, open_testing_device},
  };
  return kFamilies;
}

}  // namespace weakspot::backend
