// Every thread has a state of its own, and what it draws is what the distributions promise.
// weakspot: launch grid=2 block=64
// weakspot: arg out=float[128]
// expect: none
#include <cassert>
#include <curand_kernel.h>

__device__ curandState states[128];

__global__ void draw(float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  curand_init(1234, i, 0, &states[i]);
  curandState local = states[i];
  float sum = 0.0f;
  for (int k = 0; k < 64; ++k) {
    const float u = curand_uniform(&local);
    assert(u > 0.0f && u <= 1.0f);
    sum += u;
  }
  assert(sum > 16.0f && sum < 48.0f);
  curandStatePhilox4_32_10_t philox;
  curand_init(1234, i, 0, &philox);
  const uint4 four = curand4(&philox);
  assert(four.x != four.y || four.z != four.w);
  const double normal = curand_normal_double(&local) + curand_normal(&local);
  assert(normal > -20.0 && normal < 20.0);
  states[i] = local;
  out[i] = sum + (float)normal;
}
