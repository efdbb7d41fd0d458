// SPDX-License-Identifier: MIT
// The GPU's half of a program, on a CUDA device.
#pragma once

#include <memory>
#include <string>

#include "backend/cuda_driver.h"
#include "backend/mixed/mixed_run.h"

namespace weakspot::backend {

// A program on the GPU, compiled. The context must be current when it is made, and must outlive it.
class CudaKernel {
 public:
  static base::Result<std::unique_ptr<CudaKernel>> compile(const cuda::Driver& driver, const std::string& ptx,
                                                           const std::string& entry);
  CudaKernel(const cuda::Driver& driver, cuda::Module module, cuda::Function function)
      : driver_(driver), module_(module), function_(function) {}
  CudaKernel(const CudaKernel&) = delete;
  CudaKernel& operator=(const CudaKernel&) = delete;
  ~CudaKernel() { driver_.ModuleUnload(module_); }

  cuda::Function function() const { return function_; }
  // Workgroups of that size on one multiprocessor.
  std::uint32_t resident(std::uint32_t workgroup_size) const;

 private:
  const cuda::Driver& driver_;
  cuda::Module module_;
  cuda::Function function_;
};

struct CudaPlace {
  const cuda::Driver* driver = nullptr;
  cuda::Context context = nullptr;
  cuda::DeviceNumber device = 0;
};

// Allocates what launches of the program need, which differ in nothing but their rounds. Fails if there is not enough
// memory, or not of that kind.
base::Result<std::unique_ptr<GpuSide>> make_cuda_side(const CudaPlace& place, const CudaKernel& kernel,
                                                      const codegen::MixedProgram& program,
                                                      const codegen::Launch& launch);

}  // namespace weakspot::backend
