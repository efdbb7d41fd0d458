// SPDX-License-Identifier: MIT
#pragma once

#include <c10/core/Device.h>
#include <c10/core/Stream.h>
#include <c10/cuda/CUDAFunctions.h>

namespace c10 {
namespace cuda {

// The default stream is the only one that PyTorch itself uses here.
class CUDAStream {
 public:
  explicit CUDAStream(cudaStream_t stream = nullptr) : stream_(stream) {}
  operator cudaStream_t() const { return stream_; }
  cudaStream_t stream() const { return stream_; }
  DeviceIndex device_index() const { return 0; }
  Device device() const { return Device(DeviceType::CUDA, 0); }
  bool query() const { return cudaStreamQuery(stream_) == cudaSuccess; }
  void synchronize() const { C10_CUDA_CHECK(cudaStreamSynchronize(stream_)); }
  bool operator==(const CUDAStream& other) const { return stream_ == other.stream_; }
  bool operator!=(const CUDAStream& other) const { return stream_ != other.stream_; }

 private:
  cudaStream_t stream_;
};

inline CUDAStream& current_stream_of_thread() {
  thread_local CUDAStream stream;
  return stream;
}
inline CUDAStream getDefaultCUDAStream(DeviceIndex = -1) { return CUDAStream(); }
inline CUDAStream getCurrentCUDAStream(DeviceIndex = -1) { return current_stream_of_thread(); }
inline void setCurrentCUDAStream(CUDAStream stream) { current_stream_of_thread() = stream; }
inline CUDAStream getStreamFromExternal(cudaStream_t stream, DeviceIndex) { return CUDAStream(stream); }
inline CUDAStream getStreamFromPool(bool = false, DeviceIndex = -1) {
  cudaStream_t stream = nullptr;
  C10_CUDA_CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  return CUDAStream(stream);
}

}  // namespace cuda
}  // namespace c10

namespace at {
namespace cuda {
using c10::cuda::CUDAStream;
using c10::cuda::getCurrentCUDAStream;
using c10::cuda::getDefaultCUDAStream;
using c10::cuda::getStreamFromPool;
using c10::cuda::setCurrentCUDAStream;
}  // namespace cuda
}  // namespace at
