// The producer's fence stands between the data and the flag.
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
    *data = 7;
    __threadfence();
    atomicExch(flag, 1);
  } else {
    while (atomicCAS(flag, 1, 2) != 1) {
    }
    __threadfence();
    *out = *data;
  }
}
