// Sums of halves and of pairs of them: atomics on device memory, and a tree in shared memory.
// weakspot: launch grid=2 block=64
// weakspot: arg in=ushort[128] fill=random:15360:15360
// weakspot: arg total=ushort[2]
// weakspot: arg pairs=uint[1]
// weakspot: arg bad=int[1]
// expect: none
#include <cassert>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

__global__ void sum(const __half* in, __half* total, __half2* pairs, int* bad) {
  __shared__ __half tile[64];
  const int i = threadIdx.x;
  tile[i] = in[blockIdx.x * 64 + i];
  __syncthreads();
  for (int step = 32; step > 0; step /= 2) {
    if (i < step) tile[i] += tile[i + step];
    __syncthreads();
  }
  if (i == 0) {
    assert(__half2float(tile[0]) == 64.0f && tile[0] > __float2half(63.5f));
    atomicAdd(total, tile[0]);
    atomicAdd(pairs, __floats2half2_rn(1.0f, 2.0f));
    const __nv_bfloat16 b = __float2bfloat16(1.5f);
    if (__bfloat162float(b * b) != 2.25f || (float)__hfma(tile[0], __half(0.5f), __half(1)) != 33.0f) atomicAdd(bad, 1);
    assert(__bfloat162float(b * b) == 2.25f);
    assert(__low2float(__hadd2(__half2half2(__half(3)), __floats2half2_rn(1.0f, 2.0f))) == 4.0f);
  }
}
