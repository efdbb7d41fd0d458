// SPDX-License-Identifier: MIT
// Barriers and fences as HIP writes them: a barrier of AMD's hardware makes threads wait and orders no memory, so it
// stands between two fences.
#pragma once

#include "../hook_numbers.h"

extern "C" __attribute__((device)) int __ws_barrier_reduce(int kind, int value);
extern "C" __attribute__((device)) void __ws_grid_barrier();

__device__ __forceinline__ void __syncthreads() {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}
__device__ __forceinline__ int __syncthreads_count(int predicate) { return __ws_barrier_reduce(0, predicate != 0); }
__device__ __forceinline__ int __syncthreads_and(int predicate) { return __ws_barrier_reduce(1, predicate != 0); }
__device__ __forceinline__ int __syncthreads_or(int predicate) { return __ws_barrier_reduce(2, predicate != 0); }

__device__ __forceinline__ void __threadfence() { __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "agent"); }
__device__ __forceinline__ void __threadfence_block() { __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "workgroup"); }
__device__ __forceinline__ void __threadfence_system() { __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, ""); }

__device__ __forceinline__ long long clock64() { return (long long)__builtin_readcyclecounter(); }
__device__ __forceinline__ long long clock() { return (long long)__builtin_readcyclecounter(); }
__device__ __forceinline__ long long wall_clock64() { return (long long)__builtin_readcyclecounter(); }
__device__ __forceinline__ void __nanosleep(unsigned int) {}
