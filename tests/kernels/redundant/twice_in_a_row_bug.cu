// Two barriers with nothing in between: either can go.
// weakspot: launch grid=2 block=64
// weakspot: arg in=int[128] fill=random
// weakspot: arg out=int[128]
// expect: redundant @a
// expect: redundant @b

__global__ void reverse(const int* in, int* out) {
  __shared__ int x[64];
  const int first = blockIdx.x * 64;
  x[threadIdx.x] = in[first + threadIdx.x];
  __syncthreads();  // @a
  __syncthreads();  // @b
  out[first + threadIdx.x] = x[63 - threadIdx.x];
}
