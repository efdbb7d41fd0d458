// Release and acquire, but both with the scope of a block, between two blocks: the flag itself is a race.
// weakspot: launch grid=2 block=32
// weakspot: arg data=int[1]
// weakspot: arg flag=int[1]
// weakspot: arg out=int[1]
// expect: race E1 global flag @set @poll
// expect: race E1 global data @w @r

#include <cuda/atomic>

__global__ void pass(int* data, int* flag, int* out) {
  cuda::atomic_ref<int, cuda::thread_scope_block> ready(*flag);
  if (threadIdx.x != 0) {
    return;
  }
  if (blockIdx.x == 0) {
    *data = 3;                                   // @w
    ready.store(1, cuda::memory_order_release);  // @set
  } else {
    while (ready.load(cuda::memory_order_acquire) == 0) {  // @poll
    }
    *out = *data;  // @r
  }
}
