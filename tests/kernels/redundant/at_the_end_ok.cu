// The barrier stands where it is needed, not at the end.
// weakspot: launch grid=2 block=32
// weakspot: arg in=int[64] fill=random
// weakspot: arg out=int[64]
// expect: none

__global__ void swap_halves(const int* in, int* out) {
  __shared__ int x[32];
  const int i = blockIdx.x * 32 + threadIdx.x;
  x[threadIdx.x] = in[i];
  __syncthreads();
  out[i] = x[threadIdx.x ^ 16];
}
