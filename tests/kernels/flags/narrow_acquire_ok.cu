// Both fences have device scope.
// weakspot: launch grid=2 block=32
// weakspot: arg ready=int[1]
// weakspot: arg note=int[1]
// weakspot: arg out=int[1]
// expect: none
__global__ void send(int* ready, int* note, int* out) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    *note = 7;
    __threadfence();
    atomicExch(ready, 1);
  } else {
    while (atomicAdd(ready, 0) == 0) {
    }
    __threadfence();
    *out = *note;
  }
}
