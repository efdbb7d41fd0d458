// SPDX-License-Identifier: MIT
// Operations of a warp, and loads and stores with cache hints.
#pragma once

#include "hook_numbers.h"

extern "C" __device__ void __ws_syncwarp(unsigned int mask);
extern "C" __device__ unsigned long long __ws_shuffle(unsigned int mask, int mode, unsigned long long value, int lane,
                                                      int width);
extern "C" __device__ unsigned int __ws_vote(unsigned int mask, int operation, unsigned long long value);
extern "C" __device__ unsigned int __ws_activemask();

__device__ __forceinline__ void __syncwarp(unsigned int mask = 0xffffffffu) { __ws_syncwarp(mask); }
__device__ __forceinline__ unsigned int __activemask() { return __ws_activemask(); }
__device__ __forceinline__ int __all_sync(unsigned int m, int p) {
  return int(__ws_vote(m, __ws_hook::kVoteAll, p != 0));
}
__device__ __forceinline__ int __any_sync(unsigned int m, int p) {
  return int(__ws_vote(m, __ws_hook::kVoteAny, p != 0));
}
__device__ __forceinline__ int __uni_sync(unsigned int m, int p) {
  return int(__ws_vote(m, __ws_hook::kVoteUniform, p != 0));
}
__device__ __forceinline__ unsigned int __ballot_sync(unsigned int m, int p) {
  return __ws_vote(m, __ws_hook::kVoteBallot, p != 0);
}
template <typename T>
__device__ __forceinline__ unsigned int __match_any_sync(unsigned int m, T v) {
  return __ws_vote(m, __ws_hook::kMatchAny, __ws_bits(v));
}
template <typename T>
__device__ __forceinline__ unsigned int __match_all_sync(unsigned int m, T v, int* p) {
  const unsigned int all = __ws_vote(m, __ws_hook::kMatchAll, __ws_bits(v));
  *p = all != 0;
  return all;
}
__device__ __forceinline__ int __reduce_add_sync(unsigned int m, int v) {
  return int(__ws_vote(m, __ws_hook::kReduceAdd, (unsigned int)v));
}
__device__ __forceinline__ unsigned int __reduce_add_sync(unsigned int m, unsigned int v) {
  return __ws_vote(m, __ws_hook::kReduceAdd, v);
}
__device__ __forceinline__ int __reduce_min_sync(unsigned int m, int v) {
  return int(__ws_vote(m, __ws_hook::kReduceMinSigned, (unsigned int)v));
}
__device__ __forceinline__ unsigned int __reduce_min_sync(unsigned int m, unsigned int v) {
  return __ws_vote(m, __ws_hook::kReduceMinUnsigned, v);
}
__device__ __forceinline__ int __reduce_max_sync(unsigned int m, int v) {
  return int(__ws_vote(m, __ws_hook::kReduceMaxSigned, (unsigned int)v));
}
__device__ __forceinline__ unsigned int __reduce_max_sync(unsigned int m, unsigned int v) {
  return __ws_vote(m, __ws_hook::kReduceMaxUnsigned, v);
}
__device__ __forceinline__ unsigned int __reduce_and_sync(unsigned int m, unsigned int v) {
  return __ws_vote(m, __ws_hook::kReduceAnd, v);
}
__device__ __forceinline__ unsigned int __reduce_or_sync(unsigned int m, unsigned int v) {
  return __ws_vote(m, __ws_hook::kReduceOr, v);
}
__device__ __forceinline__ unsigned int __reduce_xor_sync(unsigned int m, unsigned int v) {
  return __ws_vote(m, __ws_hook::kReduceXor, v);
}

// Cooperative groups shuffle values of up to 32 bytes: one exchange for each eight of them.
template <typename T>
__device__ __forceinline__ T __ws_shuffled(unsigned int m, int mode, T v, int lane, int width) {
  unsigned long long words[(sizeof(T) + 7) / 8] = {};
  __builtin_memcpy(words, &v, sizeof(T));
  for (unsigned long long& word : words) word = __ws_shuffle(m, mode, word, lane, width);
  __builtin_memcpy(&v, words, sizeof(T));
  return v;
}
template <typename T>
__device__ __forceinline__ T __shfl_sync(unsigned int m, T v, int lane, int width = 32) {
  return __ws_shuffled(m, __ws_hook::kShuffleIndex, v, lane, width);
}
template <typename T>
__device__ __forceinline__ T __shfl_up_sync(unsigned int m, T v, unsigned int delta, int width = 32) {
  return __ws_shuffled(m, __ws_hook::kShuffleUp, v, int(delta), width);
}
template <typename T>
__device__ __forceinline__ T __shfl_down_sync(unsigned int m, T v, unsigned int delta, int width = 32) {
  return __ws_shuffled(m, __ws_hook::kShuffleDown, v, int(delta), width);
}
template <typename T>
__device__ __forceinline__ T __shfl_xor_sync(unsigned int m, T v, int lane_mask, int width = 32) {
  return __ws_shuffled(m, __ws_hook::kShuffleXor, v, lane_mask, width);
}

template <typename T> __device__ __forceinline__ T __ldg(const T* p) { return *p; }
template <typename T> __device__ __forceinline__ T __ldca(const T* p) { return *p; }
template <typename T> __device__ __forceinline__ T __ldcg(const T* p) { return *p; }
template <typename T> __device__ __forceinline__ T __ldcs(const T* p) { return *p; }
template <typename T> __device__ __forceinline__ void __stcg(T* p, T v) { *p = v; }
template <typename T> __device__ __forceinline__ void __stcs(T* p, T v) { *p = v; }
template <typename T> __device__ __forceinline__ T __ldlu(const T* p) { return *p; }
template <typename T> __device__ __forceinline__ T __ldcv(const T* p) { return *(const volatile T*)p; }
template <typename T> __device__ __forceinline__ void __stwb(T* p, T v) { *p = v; }
template <typename T> __device__ __forceinline__ void __stwt(T* p, T v) { *p = v; }
__device__ __forceinline__ void __nanosleep(unsigned int) {}

// A grid that may start before those that it depends on have ended.
__device__ __forceinline__ void cudaGridDependencySynchronize() { asm volatile("griddepcontrol.wait;" ::: "memory"); }
__device__ __forceinline__ void cudaTriggerProgrammaticLaunchCompletion() {
  asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
}

// All memory has addresses of one kind; inline PTX takes the lower half of one as an address of shared memory.
__device__ __forceinline__ size_t __cvta_generic_to_shared(const void* p) { return (size_t)p; }
__device__ __forceinline__ size_t __cvta_generic_to_global(const void* p) { return (size_t)p; }
__device__ __forceinline__ size_t __cvta_generic_to_constant(const void* p) { return (size_t)p; }
__device__ __forceinline__ void* __cvta_shared_to_generic(size_t p) { return (void*)p; }
__device__ __forceinline__ void* __cvta_global_to_generic(size_t p) { return (void*)p; }
__device__ __forceinline__ unsigned int __isShared(const void* p) { return __nvvm_isspacep_shared(p); }
__device__ __forceinline__ unsigned int __isGlobal(const void* p) { return __nvvm_isspacep_global(p); }
__device__ __forceinline__ unsigned int __isConstant(const void* p) { return __nvvm_isspacep_const(p); }
__device__ __forceinline__ unsigned int __isLocal(const void* p) { return __nvvm_isspacep_local(p); }
