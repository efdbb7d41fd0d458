// Between the two barriers each thread works on what is its own: with either of them the other can go, not both.
// weakspot: launch grid=2 block=64
// weakspot: arg in=int[128] fill=random
// weakspot: arg out=int[128]
// expect: redundant @a
// expect: redundant @b

__global__ void rotate(const int* in, int* out) {
  __shared__ int x[64], scale[64];
  const int t = threadIdx.x, i = blockIdx.x * 64 + t;
  x[t] = in[i];
  __syncthreads();  // @a
  scale[t] = t % 3 + 1;
  __syncthreads();  // @b
  out[i] = x[(t + 1) % 64] * scale[t];
}
