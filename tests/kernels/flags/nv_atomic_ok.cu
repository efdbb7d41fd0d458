// The compiler's own atomics: a release that an acquire observes.
// weakspot: launch grid=2 block=32
// weakspot: arg ready=int[1]
// weakspot: arg note=int[1]
// weakspot: arg out=int[1]
// expect: none
__global__ void send(int* ready, int* note, int* out) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    *note = 7;
    __nv_atomic_store_n(ready, 1, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_DEVICE);
  } else {
    while (__nv_atomic_load_n(ready, __NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_DEVICE) == 0) {
    }
    *out = *note;
  }
}
