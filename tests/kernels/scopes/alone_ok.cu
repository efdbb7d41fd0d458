// Atomics of thread scope on what one thread uses: all operations give their values.
// weakspot: launch grid=1 block=2
// weakspot: arg out=int[2]
// weakspot: arg sums=float[2]
// expect: none
#include <cuda/atomic>

#include <cassert>

__global__ void count_threads(int* out, float* sums) {
  cuda::atomic_ref<int, cuda::thread_scope_thread> mine(out[threadIdx.x]);
  mine.store(-6);
  assert(mine.fetch_add(10) == -6 && mine.load() == 4);
  assert(mine.fetch_sub(1) == 4 && mine.fetch_or(8) == 3 && mine.fetch_and(9) == 11 && mine.fetch_xor(1) == 9);
  assert(mine.fetch_min(-2) == 8 && mine.fetch_min(5) == -2 && mine.fetch_max(7) == -2 && mine.fetch_max(1) == 7);
  int expected = 3;
  assert(!mine.compare_exchange_strong(expected, 1) && expected == 7);
  assert(mine.compare_exchange_strong(expected, 1) && mine.exchange(2) == 1 && out[threadIdx.x] == 2);
  cuda::atomic_ref<float, cuda::thread_scope_thread> sum(sums[threadIdx.x]);
  assert(sum.fetch_add(1.5f) == 0.0f && sum.load() == 1.5f);
  cuda::atomic_thread_fence(cuda::memory_order_seq_cst, cuda::thread_scope_thread);
}
