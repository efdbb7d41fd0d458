// A lock written with cuda::atomic_ref whose exchange is relaxed on the taking side.
// weakspot: launch grid=3 block=32
// weakspot: arg lock=int[1]
// weakspot: arg total=int[1]
// expect: race E1 global total @a @a

#include <cuda/atomic>

__global__ void add_blocks(int* lock, int* total) {
  if (threadIdx.x == 0) {
    cuda::atomic_ref<int, cuda::thread_scope_device> word(*lock);
    while (word.exchange(1, cuda::memory_order_relaxed) != 0) {
    }
    *total += blockIdx.x + 1;  // @a
    word.store(0, cuda::memory_order_release);
  }
}
