// A total of bfloat16 that one thread of each block adds to with an atomic.
// weakspot: launch grid=4 block=32
// weakspot: arg total=ushort[1]
// expect: none
#include <cuda_bf16.h>

__global__ void count(__nv_bfloat16* total) {
  if (threadIdx.x == 0) atomicAdd(total, __nv_bfloat16(1.0f));
}
