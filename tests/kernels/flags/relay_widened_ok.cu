// Every release of the relay has device scope.
// weakspot: launch grid=3 block=32
// weakspot: arg baton=int[1]
// weakspot: arg note=int[1]
// weakspot: arg side=int[1]
// weakspot: arg out=int[1]
// expect: none
__global__ void relay(int* baton, int* note, int* side, int* out) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    *note = 7;
    __threadfence();
    atomicExch(baton, 1);
  } else if (blockIdx.x == 1) {
    *side = 1;
    __threadfence();
    while (atomicCAS(baton, 1, 2) != 1) {
    }
  } else {
    while (atomicAdd(baton, 0) != 2) {
    }
    __threadfence();
    *out = *note;
  }
}
