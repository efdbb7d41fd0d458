// SPDX-License-Identifier: MIT
// The same without fences: the last block may add up a partial sum that has not arrived.
// weakspot: launch grid=2 block=2
// weakspot: arg partial=int[2]
// weakspot: arg arrived=unsigned[1]
// weakspot: arg sum=int[1]
// weakspot: assert sum[0] == 30

__global__ void reduce(volatile int* partial, unsigned* arrived, int* sum) {
  __shared__ bool last;
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = 10 * (blockIdx.x + 1);
    unsigned before = atomicInc(arrived, gridDim.x);
    last = before == gridDim.x - 1;
  }
  __syncthreads();
  if (last && threadIdx.x == 0) {
    int total = 0;
    for (int i = 0; i < gridDim.x; ++i) total += partial[i];
    *sum = total;
  }
}
