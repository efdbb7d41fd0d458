// A whole program: the host fills an array with random numbers on the device, and a kernel reads them.
// weakspot: program
// expect: none
#include <curand.h>

#include <cstdio>

__global__ void square(float* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= x[i];
}

int main() {
  float* x;
  cudaMalloc(&x, 1000 * sizeof(float));
  curandGenerator_t generator;
  curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_DEFAULT);
  curandSetPseudoRandomGeneratorSeed(generator, 1234);
  curandGenerateUniform(generator, x, 1000);
  square<<<8, 128>>>(x, 1000);
  float first[2];
  cudaMemcpy(first, x, sizeof first, cudaMemcpyDeviceToHost);
  std::printf("%d\n", first[0] > 0.0f && first[0] <= 1.0f && first[0] != first[1]);
  curandDestroyGenerator(generator);
  cudaFree(x);
  return 0;
}
