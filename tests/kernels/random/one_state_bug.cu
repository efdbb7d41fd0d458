// All threads draw from one state, which each of them reads and writes.
// weakspot: launch grid=1 block=64
// weakspot: arg out=float[64]
// expect: race E1 global state @a @a
#include <curand_kernel.h>

__device__ curandState state;

__global__ void draw(float* out) {
  if (threadIdx.x == 0) curand_init(7, 0, 0, &state);
  __syncthreads();
  out[threadIdx.x] = curand_uniform(&state);  // @a
}
