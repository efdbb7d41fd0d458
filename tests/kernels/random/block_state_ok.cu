// The threads of a block, no more than 256, draw together from one state that is made for that.
// weakspot: launch grid=2 block=256
// weakspot: arg states=uint[2050] fill=random
// weakspot: arg out=uint[512]
// expect: none
#include <curand_kernel.h>

__global__ void draw(curandStateMtgp32_t* states, unsigned int* out) {
  out[blockIdx.x * blockDim.x + threadIdx.x] = curand(&states[blockIdx.x]);
}
