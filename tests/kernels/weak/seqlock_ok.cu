// A sequence lock whose data is relaxed, with a fence between the number and the data on both sides.
// weakspot: weak
// weakspot: launch grid=2 block=1
// weakspot: arg sequence=int[1]
// weakspot: arg data=int[2]
// weakspot: arg out=int[1]
// expect: none
#include <cassert>
#include <cuda/atomic>

using Word = cuda::atomic_ref<int, cuda::thread_scope_device>;

__device__ int get(int& word) { return Word(word).load(cuda::memory_order_relaxed); }
__device__ void put(int& word, int value) { Word(word).store(value, cuda::memory_order_relaxed); }

__global__ void exchange(int* sequence, int* data, int* out) {
  if (blockIdx.x == 0) {
    put(*sequence, 1);
    __threadfence();
    put(data[0], 7);
    put(data[1], 7);
    __threadfence();
    put(*sequence, 2);
  } else {
    int before = get(*sequence);
    __threadfence();
    int a = get(data[0]);
    int b = get(data[1]);
    __threadfence();
    int after = get(*sequence);
    if (before == after && before == 2) {
      assert(b == 7);
      *out = a + b;
    }
  }
}
