// SPDX-License-Identifier: MIT
// A table read by all and places of its own for each thread, for a thousand accesses with hardly a barrier.
// weakspot: launch grid=256 block=256
// weakspot: arg out=float[65536]
__global__ void shared_loop(float* out) {
  __shared__ float table[256], own[4][256];
  const int t = threadIdx.x;
  table[t] = t;
  __syncthreads();
  for (int i = 0; i < 504; ++i) own[i & 3][t] = table[(t + i) & 255] * 0.5f;
  out[blockIdx.x * 256 + t] = own[0][t] + own[1][t] + own[2][t] + own[3][t];
}
