// The last block reads the sums of the others, which no fence has published.
// weakspot: launch grid=4 block=64
// weakspot: arg sums=float[4]
// weakspot: arg count=uint[1]
// weakspot: arg out=float[1]
// expect: race E1 global sums @w @r
#include <hip/hip_runtime.h>

__global__ void total(float* sums, unsigned* count, float* out) {
  if (threadIdx.x != 0) return;
  sums[blockIdx.x] = blockIdx.x + 1.0f;  // @w
  if (atomicAdd(count, 1u) == gridDim.x - 1) {
    __threadfence();
    float all = 0;
    for (unsigned i = 0; i < gridDim.x; ++i) all += sums[i];  // @r
    out[0] = all;
  }
}
