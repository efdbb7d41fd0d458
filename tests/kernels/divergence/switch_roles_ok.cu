// Each role has the same barriers: the switch is left before each of them.
// weakspot: launch grid=1 block=64
// weakspot: arg out=int[32]
// expect: none

__global__ void roles(int* out) {
  __shared__ int x[32];
  const int lane = threadIdx.x % 32;
  if (threadIdx.x / 32 == 0) {
    x[lane] = lane * lane;
  }
  __syncthreads();
  if (threadIdx.x / 32 == 1) {
    out[lane] = x[31 - lane];
  }
}
