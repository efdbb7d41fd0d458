// Several producers count up with release additions; the chain of read-modify-writes carries the news of
// all of them to the consumer.
// weakspot: launch grid=4 block=32
// weakspot: arg data=int[3]
// weakspot: arg arrived=int[1]
// weakspot: arg out=int[1]
// expect: none

#include <cuda/atomic>

__global__ void gather(int* data, int* arrived, int* out) {
  cuda::atomic_ref<int, cuda::thread_scope_device> count(*arrived);
  if (threadIdx.x != 0) {
    return;
  }
  if (blockIdx.x < 3) {
    data[blockIdx.x] = blockIdx.x + 1;
    count.fetch_add(1, cuda::memory_order_release);
  } else {
    while (count.load(cuda::memory_order_acquire) < 3) {
    }
    *out = data[0] + data[1] + data[2];
  }
}
