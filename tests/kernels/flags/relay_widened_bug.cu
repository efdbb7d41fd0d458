// The first block releases at block scope, which no other block is in. The wide fence of the second block, whose update
// carries the release on, does not widen it.
// weakspot: launch grid=3 block=32
// weakspot: arg baton=int[1]
// weakspot: arg note=int[1]
// weakspot: arg side=int[1]
// weakspot: arg out=int[1]
// expect: race E1 global note @write @read
__global__ void relay(int* baton, int* note, int* side, int* out) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    *note = 7;  // @write
    __threadfence_block();
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
    *out = *note;  // @read
  }
}
