// Block 0 hands over a number by a relaxed flag, and the number is relaxed as well: the reader may see the flag and the
// old number.
// weakspot: weak
// weakspot: launch grid=2 block=1
// weakspot: arg number=int[1]
// weakspot: arg flag=int[1]
// weakspot: arg out=int[1]
// expect: stale @read @write
#include <cassert>
#include <cuda/atomic>

using Word = cuda::atomic_ref<int, cuda::thread_scope_device>;

__global__ void hand_over(int* number, int* flag, int* out) {
  if (blockIdx.x == 0) {
    Word(*number).store(42, cuda::memory_order_relaxed);  // @write
    Word(*flag).store(1, cuda::memory_order_relaxed);
  } else {
    while (Word(*flag).load(cuda::memory_order_relaxed) == 0) {}
    int got = Word(*number).load(cuda::memory_order_relaxed);  // @read
    assert(got == 42);
    *out = got;
  }
}
