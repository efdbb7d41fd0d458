// SPDX-License-Identifier: MIT
// One fence of each order. Those with acquire or release become fence.sc, the stronger acq_rel one does not.
#include <cuda/atomic>

__global__ void built_in(int* where) {
  *where = 1;
  __nv_atomic_thread_fence(__NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_DEVICE);
  *where = 2;
  __nv_atomic_thread_fence(__NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_DEVICE);
  *where = 3;
  __nv_atomic_thread_fence(__NV_ATOMIC_ACQ_REL, __NV_THREAD_SCOPE_DEVICE);
  *where = 4;
}

__global__ void libcudacxx(int* where) {
  *where = 1;
  cuda::atomic_thread_fence(cuda::memory_order_acquire, cuda::thread_scope_device);
  *where = 2;
  cuda::atomic_thread_fence(cuda::memory_order_release, cuda::thread_scope_device);
  *where = 3;
  cuda::atomic_thread_fence(cuda::memory_order_acq_rel, cuda::thread_scope_device);
  *where = 4;
}
