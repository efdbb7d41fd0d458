// A vote for the decision, and __syncwarp for the memory.
// weakspot: launch grid=1 block=32
// weakspot: arg in=int[32] fill=random
// weakspot: arg out=int[32]
// expect: none

__global__ void all_positive(const int* in, int* out) {
  __shared__ int x[32];
  const int lane = threadIdx.x;
  x[lane] = in[lane] * 2;
  __syncwarp();
  if (__all_sync(0xffffffffu, in[lane] >= 0)) {
    out[lane] = x[(lane + 1) % 32];
  }
}
