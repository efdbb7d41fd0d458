// __syncwarp between write and read.
// weakspot: launch grid=1 block=32
// weakspot: arg in=int[32] fill=random
// weakspot: arg out=int[32]
// expect: none

__global__ void exchange(const int* in, int* out) {
  __shared__ int x[32];
  const int lane = threadIdx.x;
  x[lane] = in[lane];
  const int first = __shfl_sync(0xffffffffu, in[lane], 0);
  __syncwarp();
  out[lane] = x[lane ^ 1] + first;
}
