// hipblas, hipfft, hiprand and complex numbers lead to what cublas, cufft, curand and cuComplex.h have.
// weakspot: program
// expect: none
#include <hip/hip_complex.h>
#include <hip/hip_runtime.h>
#include <hipblas/hipblas.h>
#include <hipfft/hipfft.h>
#include <hiprand/hiprand.h>
#include <hiprand/hiprand_kernel.h>
#include <cstdio>
#include <vector>

__global__ void draw(float* out, unsigned long long seed) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  hiprandState_t state;
  hiprand_init(seed, i, 0, &state);
  out[i] = hiprand_uniform(&state) + hiprand_normal(&state);
}
__global__ void turn(hipFloatComplex* z) {
  z[threadIdx.x] = hipCmulf(z[threadIdx.x], make_hipFloatComplex(0, 1));
}

int main() {
  const int n = 8;
  std::vector<float> a(n * n, 1), b(n * n, 2), c(n * n);
  float *da, *db, *dc;
  hipMalloc(&da, n * n * 4);
  hipMalloc(&db, n * n * 4);
  hipMalloc(&dc, n * n * 4);
  hipMemcpy(da, a.data(), n * n * 4, hipMemcpyHostToDevice);
  hipMemcpy(db, b.data(), n * n * 4, hipMemcpyHostToDevice);
  hipblasHandle_t handle;
  if (hipblasCreate(&handle) != HIPBLAS_STATUS_SUCCESS) return 1;
  const float one = 1, zero = 0;
  hipblasStatus_t status = hipblasSgemm(handle, HIPBLAS_OP_N, HIPBLAS_OP_T, n, n, n, &one, da, n, db, n, &zero, dc, n);
  hipMemcpy(c.data(), dc, n * n * 4, hipMemcpyDeviceToHost);
  hipblasDestroy(handle);
  hiprandGenerator_t generator;
  hiprandCreateGenerator(&generator, HIPRAND_RNG_PSEUDO_DEFAULT);
  hiprandSetPseudoRandomGeneratorSeed(generator, 7);
  hiprandGenerateUniform(generator, da, n * n);
  hiprandDestroyGenerator(generator);
  hipfftHandle plan;
  hipfftComplex* z;
  hipMalloc((void**)&z, 16 * sizeof(hipfftComplex));
  hipMemset(z, 0, 16 * sizeof(hipfftComplex));
  if (hipfftPlan1d(&plan, 16, HIPFFT_C2C, 1) != HIPFFT_SUCCESS) return 2;
  hipfftExecC2C(plan, z, z, HIPFFT_FORWARD);
  hipfftExecC2C(plan, z, z, HIPFFT_BACKWARD);
  hipfftDestroy(plan);
  draw<<<2, 32>>>(db, 42);
  turn<<<1, 16>>>(z);
  hipDeviceSynchronize();
  std::printf("%d %g\n", int(status), c[5]);
  return c[5] == 16 ? 0 : 3;
}
