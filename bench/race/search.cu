// SPDX-License-Identifier: MIT
// A kernel of the size that is searched by many small runs: 256 to 1024 threads, a few barriers.
// weakspot: launch grid=4 block=256
// weakspot: arg in=int[1024] fill=random
// weakspot: arg out=int[1024]
// weakspot: arg n=1024
__global__ void scan(const int* in, int* out, int n) {
  __shared__ int sums[256];
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  sums[t] = i < n ? in[i] : 0;
  __syncthreads();
  for (int step = 1; step < blockDim.x; step *= 2) {
    const int before = t >= step ? sums[t - step] : 0;
    __syncthreads();
    sums[t] += before;
    __syncthreads();
  }
  if (i < n) out[i] = sums[t];
}
