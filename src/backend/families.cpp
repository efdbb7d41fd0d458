#include "backend/families.h"

#include "backend/cuda.h"

namespace weakspot::backend {

std::span<const Family> families() {
  static const Family kFamilies[] = {
      {"cuda", list_cuda_devices, open_cuda_device},
  };
  return kFamilies;
}

}  // namespace weakspot::backend
