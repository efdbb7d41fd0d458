// A minimum of floats has the scope of the block, and two blocks take part.
// weakspot: launch grid=2 block=64
// weakspot: arg least=float[1]
// expect: race E1 global least @min @min
#include <hip/hip_runtime.h>

__global__ void least_of(float* least) {
  __hip_atomic_fetch_min(least, -float(threadIdx.x), __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);  // @min
}
