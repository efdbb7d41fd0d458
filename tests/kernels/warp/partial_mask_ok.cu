// The whole warp synchronises before the halves exchange.
// weakspot: launch grid=1 block=32
// weakspot: arg in=int[32] fill=random
// weakspot: arg out=int[32]
// expect: none

__global__ void reverse(const int* in, int* out) {
  __shared__ int x[32];
  const int lane = threadIdx.x;
  x[lane] = in[lane];
  __syncwarp();
  out[lane] = x[31 - lane];
}
