// A message with cuda::atomic_ref: released, but received with a relaxed load.
// weakspot: launch grid=2 block=32
// weakspot: arg data=float[1]
// weakspot: arg flag=int[1]
// weakspot: arg out=float[1]
// expect: race E1 global data @w @r
// allow: race W3 global flag @set @poll

#include <cuda/atomic>

__global__ void pass(float* data, int* flag, float* out) {
  cuda::atomic_ref<int, cuda::thread_scope_device> ready(*flag);
  if (threadIdx.x == 0 && blockIdx.x == 0) {
    *data = 0.5f;                                // @w
    ready.store(1, cuda::memory_order_release);  // @set
  }
  if (threadIdx.x == 0 && blockIdx.x == 1) {
    while (ready.load(cuda::memory_order_relaxed) == 0) {  // @poll
    }
    *out = *data;  // @r
  }
}
