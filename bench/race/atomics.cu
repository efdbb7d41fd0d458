// SPDX-License-Identifier: MIT
// Atomics and little else: a histogram, relaxed reads of one counter, and a lock-free list of tickets.
// weakspot: launch grid=8 block=64
// weakspot: arg in=int[4096] fill=random
// weakspot: arg bins=int[64]
// weakspot: arg counter=int[1]
// weakspot: arg head=int[1]
// weakspot: arg out=int[4096]
#include <cuda/atomic>

using Word = cuda::atomic_ref<int, cuda::thread_scope_device>;

__global__ void atomics(const int* in, int* bins, int* counter, int* head, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int seen = 0;
  for (int round = 0; round < 16; ++round) {
    Word(bins[(in[i] + round) % 64]).fetch_add(1, cuda::memory_order_relaxed);
    seen += Word(*counter).load(cuda::memory_order_relaxed);
    if (round % 4 == 0) Word(*counter).fetch_add(1, cuda::memory_order_acq_rel);
  }
  int before = Word(*head).load(cuda::memory_order_relaxed);
  while (!Word(*head).compare_exchange_weak(before, i, cuda::memory_order_release, cuda::memory_order_relaxed)) {
  }
  out[i] = seen + before;
}
