// Headers that programs include, after macros with the names of everything inside of ours.
// weakspot: program
// expect: none
#define N 64
#define T 3
#define value 4
#define scope 5
#define kind 6
#define name 7
#define apply 8
#include <cuComplex.h>
#include <cooperative_groups.h>
#include <cuda/atomic>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <curand_kernel.h>
#include <math_constants.h>
#include <omp.h>
__global__ void all(float* out, int* count) {
  const int t = threadIdx.x;
  const cuFloatComplex c = cuCmulf(make_cuFloatComplex(1, t), make_cuFloatComplex(1, -t));
  const __nv_fp8_e4m3 small(1.5f * t);
  const half h = __float2half(0.5f);
  cuda::atomic_ref<int, cuda::thread_scope_device> counter(*count);
  counter.fetch_add(1, cuda::memory_order_relaxed);
  __nv_atomic_fetch_add(count, 1, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
  const unsigned shifted = __funnelshift_l(t, t + 1u, 8) + __dp4a(t, t, 1) + max(t, 2u) + min(3l, 4ul);
  out[t] = cuCrealf(c) + cuCabsf(c) + float(small) + __half2float(h) + CUDART_PI_F + shifted + rsqrt(1.0f + t) +
           (CUDART_INF_F > 1.0f ? 1.0f : 0.0f) + erfinv(0.5f) + normcdfinv(0.25f) + erfcx(1.0f) + exp10(1.0f);
  if (cooperative_groups::this_thread_block().thread_rank() == 3) out[t] += 1;
}
int main() {
  float* out;
  int* count;
  cudaMalloc(&out, N * sizeof(float));
  cudaMalloc(&count, sizeof(int));
  cudaMemset(count, 0, sizeof(int));
  all<<<1, N>>>(out, count);
  float host[N];
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  // (1 + 3i)(1 - 3i) = 10, |10| = 10, 4.5 in eight bits, a half, pi.
  return omp_get_num_threads() == 1 && host[3] > 28 ? cudaDeviceSynchronize() : 1;
}
