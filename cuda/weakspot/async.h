// SPDX-License-Identifier: MIT
// Copies that run beside the thread that starts them: the basis of cuda_pipeline.h, cuda/pipeline, cuda/barrier and
// cooperative groups.
#pragma once

// Copies `given` bytes and fills the rest of `size` with zeros.
extern "C" __device__ void __ws_async_copy(void* to, const void* from, unsigned long size, unsigned long given);
// Closes the group of copies that the thread has started since its last call.
extern "C" __device__ void __ws_async_commit();
// Waits for all groups of the thread but the latest `left`.
extern "C" __device__ void __ws_async_wait(unsigned int left);
extern "C" __device__ void __ws_async_wait_all();
// The phase of a gate (gate.h) does not end before the copies that the thread has started so far.
extern "C" __device__ void __ws_async_tell(void* gate);

// Copies the part of one of `ranks` threads, in pieces of 16 bytes.
__device__ __forceinline__ void __ws_copy_part(char* to, const char* from, size_t size, size_t rank, size_t ranks) {
  for (size_t at = rank * 16; at < size; at += ranks * 16) {
    const size_t piece = size - at < 16 ? size - at : 16;
    __ws_async_copy(to + at, from + at, piece, piece);
  }
}

// The namespace of libcu++'s names. Without a toolkit these headers are read before every file, and ::cuda may be a
// program's own, or cv::cuda: cuda_names.h, which files include by other names, gives ours that name.
#if defined(__WS_TOOLKIT)
#define __WS_CUDA cuda
#else
#define __WS_CUDA __ws_cuda
#endif

namespace __WS_CUDA {
template <size_t Alignment>
struct aligned_size_t {
  static constexpr size_t align = Alignment;
  size_t value;
  __host__ __device__ explicit constexpr aligned_size_t(size_t size) : value(size) {}
  __host__ __device__ constexpr operator size_t() const { return value; }
};
}  // namespace __WS_CUDA
