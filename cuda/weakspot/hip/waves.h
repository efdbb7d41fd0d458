// SPDX-License-Identifier: MIT
// What the lanes of a wave do together: those that are active, which a mask need not say.
#pragma once

#include "../atomic_call.h"

#if defined(__AMDGCN_WAVEFRONT_SIZE)
#define __WS_WAVE __AMDGCN_WAVEFRONT_SIZE
#elif defined(__AMDGCN_WAVEFRONT_SIZE__)
#define __WS_WAVE __AMDGCN_WAVEFRONT_SIZE__
#elif defined(__WS_GPU_WAVE)
#define __WS_WAVE __WS_GPU_WAVE  // on the host, which runs none of this
#else
#define __WS_WAVE 64
#endif
static constexpr int warpSize = __WS_WAVE;

__device__ __forceinline__ unsigned int __lane_id() {
  return __builtin_amdgcn_mbcnt_hi(-1, __builtin_amdgcn_mbcnt_lo(-1, 0));
}
#if __WS_WAVE == 64 && defined(__HIP_DEVICE_COMPILE__)
__device__ __forceinline__ unsigned long long __ballot(int p) { return __builtin_amdgcn_ballot_w64(p != 0); }
#elif defined(__HIP_DEVICE_COMPILE__)
__device__ __forceinline__ unsigned long long __ballot(int p) { return __builtin_amdgcn_ballot_w32(p != 0); }
#else
__device__ unsigned long long __ballot(int p);
#endif
__device__ __forceinline__ unsigned long long __ballot64(int p) { return __ballot(p); }
__device__ __forceinline__ unsigned long long __activemask() { return __ballot(1); }
__device__ __forceinline__ int __any(int p) { return __ballot(p) != 0; }
__device__ __forceinline__ int __all(int p) { return __ballot(p == 0) == 0; }
// Groups of lanes with masks of their own may come to one vote together.
__device__ __forceinline__ unsigned long long __ballot_sync(unsigned long long mask, int p) {
  return __ballot(p) & mask;
}
__device__ __forceinline__ int __any_sync(unsigned long long mask, int p) { return (__ballot(p) & mask) != 0; }
__device__ __forceinline__ int __all_sync(unsigned long long mask, int p) { return (__ballot(p == 0) & mask) == 0; }
__device__ __forceinline__ unsigned long long __lanemask_lt() { return (1ull << __lane_id()) - 1; }
__device__ __forceinline__ unsigned long long __lanemask_le() { return ~(~1ull << __lane_id()); }
__device__ __forceinline__ unsigned long long __lanemask_ge() { return ~0ull << __lane_id(); }
__device__ __forceinline__ unsigned long long __lanemask_gt() { return ~1ull << __lane_id(); }
__device__ __forceinline__ unsigned long long __lanemask_eq() { return 1ull << __lane_id(); }

__device__ __forceinline__ void __syncwarp(unsigned long long = ~0ull) {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "wavefront");
  __builtin_amdgcn_wave_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "wavefront");
}

// The value of another lane, which reads its own where that one does not take part.
template <typename T>
__device__ __forceinline__ T __ws_from_lane(T value, int lane) {
  int words[(sizeof(T) + 3) / 4] = {};
  __builtin_memcpy(words, &value, sizeof(T));
  for (int& word : words) word = __builtin_amdgcn_ds_bpermute(lane << 2, word);
  __builtin_memcpy(&value, words, sizeof(T));
  return value;
}
template <typename T>
__device__ __forceinline__ T __shfl(T value, int lane, int width = warpSize) {
  const int self = int(__lane_id());
  return __ws_from_lane(value, (lane & (width - 1)) + (self & ~(width - 1)));
}
template <typename T>
__device__ __forceinline__ T __shfl_up(T value, unsigned int delta, int width = warpSize) {
  const int self = int(__lane_id()), lane = self - int(delta);
  return __ws_from_lane(value, lane < (self & ~(width - 1)) ? self : lane);
}
template <typename T>
__device__ __forceinline__ T __shfl_down(T value, unsigned int delta, int width = warpSize) {
  const int self = int(__lane_id());
  return __ws_from_lane(value, (self & (width - 1)) + int(delta) >= width ? self : self + int(delta));
}
template <typename T>
__device__ __forceinline__ T __shfl_xor(T value, int mask, int width = warpSize) {
  const int self = int(__lane_id()), lane = self ^ mask;
  return __ws_from_lane(value, lane >= ((self + width) & ~(width - 1)) ? self : lane);
}
// What cub's collectives call.
__device__ __forceinline__ unsigned long long __ws_shuffle(unsigned int, int mode, unsigned long long value, int lane,
                                                           int width) {
  if (mode == __ws_hook::kShuffleUp) return __shfl_up(value, (unsigned int)lane, width);
  if (mode == __ws_hook::kShuffleDown) return __shfl_down(value, (unsigned int)lane, width);
  if (mode == __ws_hook::kShuffleXor) return __shfl_xor(value, lane, width);
  return __shfl(value, lane, width);
}
template <typename T>
__device__ __forceinline__ T __shfl_sync(unsigned long long, T value, int lane, int width = warpSize) {
  return __shfl(value, lane, width);
}
template <typename T>
__device__ __forceinline__ T __shfl_up_sync(unsigned long long, T value, unsigned int delta, int width = warpSize) {
  return __shfl_up(value, delta, width);
}
template <typename T>
__device__ __forceinline__ T __shfl_down_sync(unsigned long long, T value, unsigned int delta, int width = warpSize) {
  return __shfl_down(value, delta, width);
}
template <typename T>
__device__ __forceinline__ T __shfl_xor_sync(unsigned long long, T value, int mask, int width = warpSize) {
  return __shfl_xor(value, mask, width);
}
template <typename T>
__device__ __forceinline__ unsigned long long __match_any(T value) {
  unsigned long long same = 0;
  for (int lane = 0; lane < warpSize; ++lane) {
    const bool alike = __ws_bits(__ws_from_lane(value, lane)) == __ws_bits(value);
    if (alike) same |= 1ull << lane;
  }
  return same & __activemask();
}
template <typename T>
__device__ __forceinline__ unsigned long long __match_any_sync(unsigned long long mask, T value) {
  return __match_any(value) & mask;
}
template <typename T>
__device__ __forceinline__ unsigned long long __match_all_sync(unsigned long long mask, T value, int* all) {
  *all = __match_any_sync(mask, value) == (mask & __activemask());
  return *all ? mask : 0;
}
template <typename T>
__device__ __forceinline__ unsigned long long __match_all(T value, int* all) {
  return __match_all_sync(__activemask(), value, all);
}
#define __WS_REDUCE(name, change)                                                                  \
  template <typename T>                                                                            \
  __device__ __forceinline__ T __reduce_##name##_sync(unsigned long long mask, T value) {          \
    T all = value;                                                                                 \
    for (int lane = 0, own = int(__lane_id()); lane < warpSize; ++lane) {                          \
      const T other = __ws_from_lane(value, lane);                                                 \
      if ((mask >> lane & 1) != 0 && lane != own) all = change;                                    \
    }                                                                                              \
    return all;                                                                                    \
  }
__WS_REDUCE(add, all + other)
__WS_REDUCE(min, all < other ? all : other)
__WS_REDUCE(max, all > other ? all : other)
__WS_REDUCE(and, all & other)
__WS_REDUCE(or, all | other)
__WS_REDUCE(xor, all ^ other)
#undef __WS_REDUCE

template <typename T> __device__ __forceinline__ T __ldg(const T* p) { return *p; }
template <typename T> __device__ __forceinline__ T __ldca(const T* p) { return *p; }
template <typename T> __device__ __forceinline__ T __ldcg(const T* p) { return *p; }
template <typename T> __device__ __forceinline__ T __ldcs(const T* p) { return *p; }
template <typename T> __device__ __forceinline__ void __stcg(T* p, T v) { *p = v; }
template <typename T> __device__ __forceinline__ void __stcs(T* p, T v) { *p = v; }
