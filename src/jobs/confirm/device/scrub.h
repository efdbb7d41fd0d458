// SPDX-License-Identifier: MIT
// Shared memory between runs. A multiprocessor leaves it as the last block had it, and the last block was the same
// one: a thread that reads too early would find the right value of the run before. So a kernel of ours overwrites it.
#pragma once

#include "backend/cuda_driver.h"

namespace weakspot::confirm {

class Scrubber {
 public:
  // The error of the driver, if the kernel cannot be made.
  backend::cuda::Code open(const backend::cuda::Driver& driver, backend::cuda::DeviceNumber device);
  backend::cuda::Code launch(const backend::cuda::Driver& driver, backend::cuda::Stream stream) const;

 private:
  backend::cuda::Function function_ = nullptr;
  unsigned blocks_ = 0, bytes_ = 0;
};

}  // namespace weakspot::confirm
