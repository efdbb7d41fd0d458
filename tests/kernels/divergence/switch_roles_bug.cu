// Each warp has a role, and each role has as many barriers as it pleases: the reader waits twice, the
// writer once.
// weakspot: launch grid=1 block=64
// weakspot: arg out=int[32]
// expect: divergence D2 @a @b
// allow: divergence D3 @c

__global__ void roles(int* out) {
  __shared__ int x[32];
  const int lane = threadIdx.x % 32;
  switch (threadIdx.x / 32) {
    case 0:
      x[lane] = lane * lane;
      __syncthreads();  // @a
      break;
    case 1:
      __syncthreads();  // @b
      out[lane] = x[31 - lane];
      __syncthreads();  // @c
      break;
  }
}
