// A whole program: sequences of Sobol in a kernel and of the host's generator. The first points in three dimensions are
// those that Joe and Kuo publish; in any dimension, the first 256 points are in 256 different parts.
// weakspot: program
// expect: none
#include <curand.h>
#include <curand_kernel.h>

#include <cassert>
#include <cmath>

__global__ void draw(curandDirectionVectors32_t* directions, curandDirectionVectors64_t* longer, float* out,
                     double* longer_out, double* normal) {
  curandStateSobol32_t state;
  curand_init(directions[threadIdx.x], 1, &state);
  for (int i = 1; i < 8; ++i) out[threadIdx.x * 8 + i] = curand_uniform(&state);
  curandStateSobol64_t longer_state;
  curand_init(longer[threadIdx.x], 0, &longer_state);
  for (int i = 0; i < 8; ++i) longer_out[threadIdx.x * 8 + i] = curand_uniform_double(&longer_state);
  curand_init(longer[threadIdx.x], 2, &longer_state);
  normal[threadIdx.x] = curand_normal_double(&longer_state);
}

int main() {
  const float expected[3][8] = {{0, .5f, .75f, .25f, .375f, .875f, .625f, .125f},
                                {0, .5f, .25f, .75f, .375f, .875f, .125f, .625f},
                                {0, .5f, .25f, .75f, .625f, .125f, .875f, .375f}};
  curandDirectionVectors32_t *all, *directions;
  curandDirectionVectors64_t *longer_all, *longer;
  assert(curandGetDirectionVectors32(&all, CURAND_DIRECTION_VECTORS_32_JOEKUO6) == CURAND_STATUS_SUCCESS);
  assert(curandGetDirectionVectors64(&longer_all, CURAND_DIRECTION_VECTORS_64_JOEKUO6) == CURAND_STATUS_SUCCESS);
  cudaMalloc(&directions, 3 * sizeof *all);
  cudaMalloc(&longer, 3 * sizeof *longer_all);
  cudaMemcpy(directions, all, 3 * sizeof *all, cudaMemcpyHostToDevice);
  cudaMemcpy(longer, longer_all, 3 * sizeof *longer_all, cudaMemcpyHostToDevice);
  float* out;
  double *longer_out, *normal, got_normal[3], got_longer[3][8];
  cudaMalloc(&out, 3 * 256 * sizeof *out);
  cudaMalloc(&longer_out, sizeof got_longer);
  cudaMalloc(&normal, sizeof got_normal);
  draw<<<1, 3>>>(directions, longer, out, longer_out, normal);
  float got[3][8];
  cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
  cudaMemcpy(got_longer, longer_out, sizeof got_longer, cudaMemcpyDeviceToHost);
  cudaMemcpy(got_normal, normal, sizeof got_normal, cudaMemcpyDeviceToHost);
  for (int d = 0; d < 3; ++d) {
    for (int i = 1; i < 8; ++i) assert(std::fabs(got[d][i] - expected[d][i]) < 1e-6f);
    for (int i = 0; i < 8; ++i) assert(std::fabs(got_longer[d][i] - expected[d][i]) < 1e-12);
    const double quarter = 0.674489750196082;
    assert(std::fabs(got_normal[d] - (d == 0 ? quarter : -quarter)) < 1e-9);
  }

  curandGenerator_t generator;
  assert(curandCreateGenerator(&generator, CURAND_RNG_QUASI_SOBOL32) == CURAND_STATUS_SUCCESS);
  assert(curandSetQuasiRandomGeneratorDimensions(generator, 3) == CURAND_STATUS_SUCCESS);
  assert(curandGenerateUniform(generator, out, 8) == CURAND_STATUS_LENGTH_NOT_MULTIPLE);
  assert(curandGenerateUniform(generator, out, 24) == CURAND_STATUS_SUCCESS);
  cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
  for (int d = 0; d < 3; ++d) {
    for (int i = 0; i < 8; ++i) assert(std::fabs(got[d][i] - expected[d][i]) < 1e-6f);
  }
  assert(curandGenerateUniform(generator, out, 3) == CURAND_STATUS_SUCCESS);  // goes on with the ninth point
  cudaMemcpy(got, out, 3 * sizeof(float), cudaMemcpyDeviceToHost);
  assert(std::fabs(got[0][0] - 0.1875f) < 1e-6f && std::fabs(got[0][1] - 0.3125f) < 1e-6f);
  assert(curandDestroyGenerator(generator) == CURAND_STATUS_SUCCESS);

  for (const int dimension : {0, 1, 12, 13, 1000, 19999}) {
    bool met[256] = {};
    curandStateSobol32_t state;
    curand_init(all[dimension], 0, &state);
    for (int i = 0; i < 256; ++i) {
      bool& part = met[curand(&state) >> 24];
      assert(!part);
      part = true;
    }
  }
  return 0;
}
