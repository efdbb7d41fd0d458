// Two blocks claim a resource: each raises its flag and enters if that of the other is down. No fence stands between the
// store and the read, so both may enter.
// weakspot: weak
// weakspot: launch grid=2 block=1
// weakspot: arg flags=int[2]
// weakspot: arg inside=int[1]
// expect: stale @read @write
#include <cassert>
#include <cuda/atomic>

using Word = cuda::atomic_ref<int, cuda::thread_scope_device>;

__global__ void claim(int* flags, int* inside) {
  int me = blockIdx.x;
  Word(flags[me]).store(1, cuda::memory_order_relaxed);  // @write
  if (Word(flags[1 - me]).load(cuda::memory_order_relaxed) == 0) {  // @read
    int others = atomicAdd(inside, 1);
    assert(others == 0);
  }
}
