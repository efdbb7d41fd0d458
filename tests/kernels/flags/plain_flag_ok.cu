// A flag between blocks: fence and atomic store on one side, atomic load and fence on the other.
// weakspot: launch grid=2 block=32
// weakspot: arg data=int[1]
// weakspot: arg flag=int[1]
// weakspot: arg out=int[1]
// expect: none

__global__ void pass(int* data, int* flag, int* out) {
  if (threadIdx.x != 0) {
    return;
  }
  if (blockIdx.x == 0) {
    *data = 42;
    __threadfence();
    atomicExch(flag, 1);
  } else {
    for (int i = 0; i < 1000; ++i) {
      if (atomicAdd(flag, 0) == 1) {
        __threadfence();
        *out = *data;
        break;
      }
    }
  }
}
