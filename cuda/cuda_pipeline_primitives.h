// SPDX-License-Identifier: MIT
// Asynchronous copies to shared memory, as functions.
#pragma once
#include <weakspot/gate.h>

__device__ __forceinline__ void __pipeline_memcpy_async(void* to, const void* from, size_t size, size_t zeros = 0) {
  __ws_async_copy(to, from, size, size - zeros);
}
__device__ __forceinline__ void __pipeline_commit() { __ws_async_commit(); }
__device__ __forceinline__ void __pipeline_wait_prior(size_t left) { __ws_async_wait((unsigned int)left); }
__device__ __forceinline__ void __pipeline_arrive_on(void* barrier) { __ws_async_tell(barrier); }
