// A state that serves 256 threads is used by 512: some read what others write in the same step.
// weakspot: launch grid=1 block=512
// weakspot: arg state=uint[1025] fill=random
// weakspot: arg out=uint[512]
// expect: race E1 global state @a @a
#include <curand_kernel.h>

__global__ void draw(curandStateMtgp32_t* state, unsigned int* out) {
  out[threadIdx.x] = curand(state);  // @a
}
