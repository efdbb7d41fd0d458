// Tiles of a product pass through shared memory; between them each thread waits for its own accesses, then at a barrier.
// weakspot: launch grid=1 block=128
// weakspot: arg in=float[512] fill=iota
// weakspot: arg out=float[128]
// expect: race E1 shared tile @w @r
#include <hip/hip_runtime.h>

__device__ __forceinline__ void sync_lds() {
  __builtin_amdgcn_s_waitcnt(0xc07f);
  __builtin_amdgcn_s_barrier();
}

__global__ void product(const float* in, float* out) {
  __shared__ float tile[128];
  const int t = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < 4; ++k) {
    sync_lds();
    tile[t] = in[k * 128 + t];  // @w
    sync_lds();
    for (int i = 0; i < 4; ++i) sum += tile[(t + 33 * i) % 128];  // @r
  }
  out[t] = sum;
}
