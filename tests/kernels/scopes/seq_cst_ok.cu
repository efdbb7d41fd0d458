// Sequentially consistent updates of many threads: each releases and acquires, and must not cost more with every thread
// that did so before.
// weakspot: launch grid=4 block=256
// weakspot: arg best=int[64]
// weakspot: arg n=64
// expect: none
#include <cuda/atomic>
__global__ void lower(int* best, int n) {
  for (int i = blockIdx.x; i < n; i += gridDim.x) {
    cuda::atomic_ref<int, cuda::thread_scope_device> cell(best[(i * 7 + threadIdx.x) % n]);
    if (cell.load() >= 0) cell.fetch_min(threadIdx.x);
  }
}
