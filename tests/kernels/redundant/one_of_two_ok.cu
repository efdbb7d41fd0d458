// The barriers order different things: each is needed.
// weakspot: launch grid=2 block=64
// weakspot: arg in=int[128] fill=random
// weakspot: arg out=int[128]
// expect: none

__global__ void rotate(const int* in, int* out) {
  __shared__ int x[64], scale[64];
  const int t = threadIdx.x, i = blockIdx.x * 64 + t;
  x[t] = in[i];
  __syncthreads();
  scale[t] = x[63 - t] % 3 + 1;
  __syncthreads();
  out[i] = x[(t + 1) % 64] * scale[(t + 5) % 64];
}
