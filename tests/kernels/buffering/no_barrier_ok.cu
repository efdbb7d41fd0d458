// A double buffer with a barrier at each swap.
// weakspot: launch grid=1 block=64
// weakspot: arg in=int[256] fill=random
// weakspot: arg out=int[64]
// expect: none

__global__ void add_tiles(const int* in, int* out) {
  __shared__ int tile[2][64];
  const int t = threadIdx.x;
  int sum = 0;
  for (int k = 0; k < 4; ++k) {
    tile[k % 2][t] = in[k * 64 + t];
    __syncthreads();
    sum += tile[k % 2][(t + 32) % 64];
  }
  out[t] = sum;
}
