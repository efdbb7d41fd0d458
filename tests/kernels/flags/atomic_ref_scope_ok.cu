// Release and acquire with the scope of the device.
// weakspot: launch grid=2 block=32
// weakspot: arg data=int[1]
// weakspot: arg flag=int[1]
// weakspot: arg out=int[1]
// expect: none

#include <cuda/atomic>

__global__ void pass(int* data, int* flag, int* out) {
  cuda::atomic_ref<int, cuda::thread_scope_device> ready(*flag);
  if (threadIdx.x != 0) {
    return;
  }
  if (blockIdx.x == 0) {
    *data = 3;
    ready.store(1, cuda::memory_order_release);
  } else {
    while (ready.load(cuda::memory_order_acquire) == 0) {
    }
    *out = *data;
  }
}
