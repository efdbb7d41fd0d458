// Names of the runtime and of numbers of sixteen bits that programs use, and functions with the names of ours.
// weakspot: program
// expect: none
#include <cublas_v2.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cusparse.h>
#include <thrust/device_vector.h>
#include <thrust/sort.h>

#include <cmath>

// Ours are called with vectors of CUDA, so that these would be found as well.
template <typename T> T add(T a, T b) { return b.nothing + a; }
template <typename T> T raw(T a) { return a.nothing; }
template <typename It, typename N, typename C> __host__ __device__ void merge_sort(It, N, C c) { c.nothing(); }
template <typename T> __device__ T warp_reduce(T a) { return a.nothing; }

struct by_x {
  __host__ __device__ bool operator()(const float2& a, const float2& b) const { return a.x < b.x; }
};

__global__ void halves(float* out) {
  const half2 a = __floats2half2_rn(0.25f, 2.0f), b = __floats2half2_rn(0.5f, 3.0f);
  out[0] = __half2float(__hadd_sat(__high2half(a), __high2half(b)));
  out[1] = __low2float(__lows2half2(b, a)) + __high2float(__highs2half2(a, b));
  out[2] = (float)__hisinf(__float2half(-INFINITY));
  out[3] = __bfloat162float(__hfma_relu(__float2bfloat16(-2.0f), __float2bfloat16(2.0f), __float2bfloat16(1.0f)));
  out[4] = __half2float(htanh(__float2half(0.0f))) + __half2float(__hmax_nan(__float2half(1.0f), __float2half(2.0f)));
}

int main() {
  cudaDeviceProp properties;
  cudaGetDeviceProperties(&properties, 0);
  int width = 0;
  cudaDeviceGetAttribute(&width, cudaDevAttrMaxTexture2DWidth, 0);
  cudaMemPool_t pool;
  unsigned long long threshold = ~0ull;
  if (cudaDeviceGetDefaultMemPool(&pool, 0) != cudaSuccess) return 1;
  cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold);
  cudaMemAccessDesc access = {};
  access.location.type = cudaMemLocationTypeDevice;
  access.flags = cudaMemAccessFlagsProtReadWrite;
  if (cudaMemPoolSetAccess(pool, &access, 1) != cudaSuccess) return 1;
  if (properties.reservedSharedMemPerBlock != 1024 || rsqrtf(4.0f) != 0.5f || rhypot(3.0, 4.0) != 0.2) return 2;

  thrust::device_vector<float2> points(3);
  points[0] = make_float2(3, 0);
  points[1] = make_float2(1, 0);
  points[2] = make_float2(2, 0);
  thrust::sort(points.begin(), points.end(), by_x());
  if (static_cast<float2>(points[1]).x != 2) return 3;

  cublasHandle_t handle;
  cublasCreate(&handle);
  const double2 one = make_double2(1, 0);
  double2* sums = nullptr;
  cudaMalloc(&sums, 2 * sizeof(double2));
  cudaMemset(sums, 0, 2 * sizeof(double2));
  if (cublasZaxpy(handle, 1, &one, sums, 1, sums + 1, 1) != CUBLAS_STATUS_SUCCESS) return 4;
  cublasDestroy(handle);

  float *out, host[5];
  cudaMalloc(&out, sizeof host);
  halves<<<1, 1>>>(out);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  return host[0] == 1 && host[1] == 3.5f && host[2] == -1 && host[3] == 0 && host[4] == 2 ? 0 : 5;
}
