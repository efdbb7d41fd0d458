// Whole blocks without work return before the first barrier, and so do no threads of the others.
// weakspot: launch grid=4 block=32
// weakspot: arg in=int[64] fill=random
// weakspot: arg out=int[64]
// weakspot: arg n=64
// expect: none

__global__ void reverse_blocks(const int* in, int* out, int n) {
  __shared__ int x[32];
  const int first = blockIdx.x * blockDim.x;
  if (first >= n) {
    return;
  }
  x[threadIdx.x] = in[first + threadIdx.x];
  __syncthreads();
  out[first + threadIdx.x] = x[31 - threadIdx.x];
}
