// Each thread reads back what it wrote, twice: both barriers can go together.
// weakspot: launch grid=2 block=64
// weakspot: arg in=int[128] fill=random
// weakspot: arg out=int[128]
// expect: redundant @a
// expect: redundant @b

__global__ void square(const int* in, int* out) {
  __shared__ int x[64], y[64];
  const int t = threadIdx.x, i = blockIdx.x * 64 + t;
  x[t] = in[i] % 100;
  __syncthreads();  // @a
  y[t] = x[t] * x[t];
  __syncthreads();  // @b
  out[i] = y[t];
}
