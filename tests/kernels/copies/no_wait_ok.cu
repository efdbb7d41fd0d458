// The copies are waited for before the barrier that passes them on.
// weakspot: launch grid=2 block=64
// weakspot: arg in=int[128] fill=random
// weakspot: arg out=int[128]
// expect: none
#include <cuda_pipeline.h>

__global__ void reverse(const int* in, int* out) {
  __shared__ int tile[64];
  const int base = blockIdx.x * 64;
  __pipeline_memcpy_async(&tile[threadIdx.x], &in[base + threadIdx.x], sizeof(int));
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  out[base + threadIdx.x] = tile[63 - threadIdx.x];
}
