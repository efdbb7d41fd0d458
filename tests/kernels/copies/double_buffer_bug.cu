// Two buffers: the next tile is copied while this one is used. Waiting leaves one group too many behind.
// weakspot: launch grid=1 block=64
// weakspot: arg in=int[512] fill=random
// weakspot: arg out=int[64]
// weakspot: arg tiles=8
// expect: race E1 shared tile @a @b
// expect: race E1 shared tile @c @b
#include <cuda_pipeline.h>

__global__ void sums(const int* in, int* out, int tiles) {
  __shared__ int tile[2][64];
  const int i = threadIdx.x;
  int sum = 0;
  __pipeline_memcpy_async(&tile[0][i], &in[i], 4);  // @c
  __pipeline_commit();
  for (int k = 0; k < tiles; ++k) {
    if (k + 1 < tiles) {
      __pipeline_memcpy_async(&tile[(k + 1) % 2][i], &in[(k + 1) * 64 + i], 4);  // @a
    }
    __pipeline_commit();
    __pipeline_wait_prior(2);
    __syncthreads();
    sum += tile[k % 2][(i + 1) % 64];  // @b
    __syncthreads();
  }
  out[i] = sum;
}
