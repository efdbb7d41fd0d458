// SPDX-License-Identifier: MIT
// There is one device: guards of it have nothing to do.
#pragma once

#include <c10/cuda/CUDAStream.h>
#include <c10/util/Optional.h>

namespace c10 {
namespace cuda {

struct CUDAGuard {
  explicit CUDAGuard(DeviceIndex) {}
  explicit CUDAGuard(Device) {}
  CUDAGuard(const CUDAGuard&) = delete;
  CUDAGuard& operator=(const CUDAGuard&) = delete;
  ~CUDAGuard() {}
  void set_device(Device) {}
  void set_index(DeviceIndex) {}
  Device current_device() const { return Device(DeviceType::CUDA, 0); }
};

struct OptionalCUDAGuard {
  OptionalCUDAGuard() {}
  explicit OptionalCUDAGuard(optional<Device>) {}
  explicit OptionalCUDAGuard(optional<DeviceIndex>) {}
  OptionalCUDAGuard(const OptionalCUDAGuard&) = delete;
  OptionalCUDAGuard& operator=(const OptionalCUDAGuard&) = delete;
  ~OptionalCUDAGuard() {}
  void set_device(Device) {}
  void set_index(DeviceIndex) {}
  void reset() {}
};

class CUDAStreamGuard {
 public:
  explicit CUDAStreamGuard(CUDAStream stream) : before_(getCurrentCUDAStream()) { setCurrentCUDAStream(stream); }
  CUDAStreamGuard(const CUDAStreamGuard&) = delete;
  CUDAStreamGuard& operator=(const CUDAStreamGuard&) = delete;
  ~CUDAStreamGuard() { setCurrentCUDAStream(before_); }
  CUDAStream current_stream() const { return getCurrentCUDAStream(); }
  CUDAStream original_stream() const { return before_; }

 private:
  CUDAStream before_;
};

}  // namespace cuda
}  // namespace c10

namespace at {
namespace cuda {
using c10::cuda::CUDAGuard;
using c10::cuda::CUDAStreamGuard;
using c10::cuda::OptionalCUDAGuard;
}  // namespace cuda
}  // namespace at
