// The compiler's own atomics: the flag is stored without a release.
// weakspot: launch grid=2 block=32
// weakspot: arg ready=int[1]
// weakspot: arg note=int[1]
// weakspot: arg out=int[1]
// expect: race E1 global note @write @read
__global__ void send(int* ready, int* note, int* out) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    *note = 7;  // @write
    __nv_atomic_store_n(ready, 1, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
  } else {
    while (__nv_atomic_load_n(ready, __NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_DEVICE) == 0) {
    }
    *out = *note;  // @read
  }
}
