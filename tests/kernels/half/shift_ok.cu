// Halves are written before a barrier and read by others after it.
// weakspot: launch grid=1 block=64
// weakspot: arg in=ushort[64] fill=random:15360:15360
// weakspot: arg out=ushort[64]
// expect: none
#include <cuda_fp16.h>

__global__ void shift(const __half* in, __half* out) {
  __shared__ __half tile[64];
  tile[threadIdx.x] = in[threadIdx.x] * __half(2.0f);
  __syncthreads();
  out[threadIdx.x] = tile[(threadIdx.x + 40) % 64] + __half(1.0f);
}
