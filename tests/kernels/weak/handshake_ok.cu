// Block 0 hands over a number by a flag that is released and acquired, so that the reader sees the number.
// weakspot: weak
// weakspot: launch grid=2 block=1
// weakspot: arg number=int[1]
// weakspot: arg flag=int[1]
// weakspot: arg out=int[1]
// expect: none
#include <cassert>
#include <cuda/atomic>

using Word = cuda::atomic_ref<int, cuda::thread_scope_device>;

__global__ void hand_over(int* number, int* flag, int* out) {
  if (blockIdx.x == 0) {
    Word(*number).store(42, cuda::memory_order_relaxed);
    Word(*flag).store(1, cuda::memory_order_release);
  } else {
    while (Word(*flag).load(cuda::memory_order_acquire) == 0) {}
    int got = Word(*number).load(cuda::memory_order_relaxed);
    assert(got == 42);
    *out = got;
  }
}
