// Each thread reads what another wrote, twice: both barriers are needed.
// weakspot: launch grid=2 block=64
// weakspot: arg in=int[128] fill=random
// weakspot: arg out=int[128]
// expect: none

__global__ void square(const int* in, int* out) {
  __shared__ int x[64], y[64];
  const int t = threadIdx.x, i = blockIdx.x * 64 + t;
  x[t] = in[i] % 100;
  __syncthreads();
  y[t] = x[63 - t] * x[t];
  __syncthreads();
  out[i] = y[(t + 1) % 64];
}
