// A copy goes to an element that another thread has written before the barrier.
// weakspot: launch grid=1 block=64
// weakspot: arg in=int[64] fill=random
// weakspot: arg out=int[64]
// expect: none

#include <cuda_pipeline.h>

__global__ void turn(const int* in, int* out) {
  __shared__ __align__(16) int tile[64];
  const int t = threadIdx.x;
  tile[63 - t] = t;
  __syncthreads();
  __pipeline_memcpy_async(&tile[t], &in[t], 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  out[t] = tile[63 - t];
}
