// A single % before a special register in inline assembly, which nvcc accepts.
// weakspot: launch grid=2 block=64
// weakspot: arg out=int[128]
// expect: none
#include <cassert>

#define LANE(result) asm("mov.u32 %0, %laneid;" : "=r"(result))

__device__ int lane() {
  int id;
  LANE(id);
  return id;
}
__global__ void lanes(int* out) {
  int thread, block, size;
  asm volatile(
      "{\n\t.reg .u32 a;\n\tmov.u32 a, %tid.x; mov.u32 %0, a;\n\t"
      "mov.u32 %1, %ctaid.x; mov.u32 %2, %%ntid.x;\n\t}"
      : "=r"(thread), "=r"(block), "=r"(size));
  assert(thread == threadIdx.x && block == blockIdx.x && size == 64 && lane() == threadIdx.x % 32);
  out[block * size + thread] = lane();
}
