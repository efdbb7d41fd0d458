// SPDX-License-Identifier: MIT
// cufft as plain loops on the host; see cufft.h. A call is one operation of its stream.
#pragma once

#include "library_types.h"

namespace __ws_fft {

using namespace __ws_n;

enum cufftResult { CUFFT_SUCCESS = 0, CUFFT_INVALID_PLAN = 1, CUFFT_ALLOC_FAILED = 2, CUFFT_INVALID_TYPE = 3,
                   CUFFT_INVALID_VALUE = 4, CUFFT_INTERNAL_ERROR = 5, CUFFT_EXEC_FAILED = 6, CUFFT_SETUP_FAILED = 7,
                   CUFFT_INVALID_SIZE = 8, CUFFT_UNALIGNED_DATA = 9, CUFFT_INCOMPLETE_PARAMETER_LIST = 10,
                   CUFFT_INVALID_DEVICE = 11, CUFFT_PARSE_ERROR = 12, CUFFT_NO_WORKSPACE = 13,
                   CUFFT_NOT_IMPLEMENTED = 14, CUFFT_LICENSE_ERROR = 15, CUFFT_NOT_SUPPORTED = 16,
                   CUFFT_MISSING_DEPENDENCY = 17, CUFFT_NVRTC_FAILURE = 18, CUFFT_NVJITLINK_FAILURE = 19,
                   CUFFT_NVSHMEM_FAILURE = 20 };
enum cufftType { CUFFT_R2C = 0x2a, CUFFT_C2R = 0x2c, CUFFT_C2C = 0x29, CUFFT_D2Z = 0x6a, CUFFT_Z2D = 0x6c,
                 CUFFT_Z2Z = 0x69 };
typedef cufftResult cufftResult_t;
typedef cufftType cufftType_t;
typedef float cufftReal;
typedef double cufftDoubleReal;
typedef float2 cufftComplex;
typedef double2 cufftDoubleComplex;
enum { CUFFT_FORWARD = -1, CUFFT_INVERSE = 1 };

constexpr int kMostDimensions = 3;
struct plan {
  int dimensions, batch;
  long long n[kMostDimensions], in_size[kMostDimensions], out_size[kMostDimensions];  // sizes as they lie in memory
  long long in_stride, in_distance, out_stride, out_distance;
  cufftType type;
  cudaStream_t stream;
};
// Handles are small numbers; plans are few.
constexpr int kMostPlans = 4096;
struct plan_table {
  plan* plans[kMostPlans];
};
inline plan_table& table() {
  static plan_table all;
  return all;
}
typedef int cufftHandle;
inline plan* plan_of(cufftHandle handle) {
  return handle > 0 && handle < kMostPlans ? __ws_fft::table().plans[handle] : nullptr;
}
inline cufftResult cufftCreate(cufftHandle* handle) {
  for (int i = 1; i < kMostPlans; ++i) {
    if (__ws_fft::table().plans[i] != nullptr) continue;
    __ws_fft::table().plans[i] = (plan*)calloc(1, sizeof(plan));
    *handle = i;
    return CUFFT_SUCCESS;
  }
  return CUFFT_ALLOC_FAILED;
}
inline cufftResult cufftDestroy(cufftHandle handle) {
  if (__ws_fft::plan_of(handle) == nullptr) return CUFFT_INVALID_PLAN;
  free(__ws_fft::plan_of(handle));
  __ws_fft::table().plans[handle] = nullptr;
  return CUFFT_SUCCESS;
}
inline cufftResult cufftSetStream(cufftHandle handle, cudaStream_t stream) {
  if (__ws_fft::plan_of(handle) == nullptr) return CUFFT_INVALID_PLAN;
  __ws_fft::plan_of(handle)->stream = stream;
  return CUFFT_SUCCESS;
}

inline bool is_real_input(cufftType t) { return t == CUFFT_R2C || t == CUFFT_D2Z; }
inline bool is_real_output(cufftType t) { return t == CUFFT_C2R || t == CUFFT_Z2D; }
inline cufftResult cufftMakePlanMany(cufftHandle handle, int rank, int* n, int* inembed, int istride, int idist,
                                     int* onembed, int ostride, int odist, cufftType type, int batch, size_t* work) {
  plan* p = __ws_fft::plan_of(handle);
  if (p == nullptr) return CUFFT_INVALID_PLAN;
  if (rank < 1 || rank > kMostDimensions || batch < 1) return CUFFT_INVALID_SIZE;
  p->dimensions = rank;
  p->batch = batch;
  p->type = type;
  const bool plain = inembed == nullptr || onembed == nullptr;
  long long in_all = 1, out_all = 1;
  for (int i = 0; i < rank; ++i) {
    if (n[i] < 1) return CUFFT_INVALID_SIZE;
    const bool last = i == rank - 1;
    const long long half = n[i] / 2 + 1;
    p->n[i] = n[i];
    p->in_size[i] = !plain ? inembed[i] : last && __ws_fft::is_real_output(type) ? half : n[i];
    p->out_size[i] = !plain ? onembed[i] : last && __ws_fft::is_real_input(type) ? half : n[i];
    in_all *= p->in_size[i];
    out_all *= p->out_size[i];
  }
  p->in_stride = plain ? 1 : istride;
  p->out_stride = plain ? 1 : ostride;
  p->in_distance = plain ? in_all : idist;
  p->out_distance = plain ? out_all : odist;
  if (work != nullptr) *work = 0;
  return CUFFT_SUCCESS;
}
inline cufftResult cufftPlanMany(cufftHandle* handle, int rank, int* n, int* inembed, int istride, int idist,
                                 int* onembed, int ostride, int odist, cufftType type, int batch) {
  const cufftResult made = cufftCreate(handle);
  if (made != CUFFT_SUCCESS) return made;
  return cufftMakePlanMany(*handle, rank, n, inembed, istride, idist, onembed, ostride, odist, type, batch, nullptr);
}
inline cufftResult cufftMakePlan1d(cufftHandle handle, int nx, cufftType type, int batch, size_t* work) {
  return cufftMakePlanMany(handle, 1, &nx, nullptr, 1, 0, nullptr, 1, 0, type, batch, work);
}
inline cufftResult cufftMakePlan2d(cufftHandle handle, int nx, int ny, cufftType type, size_t* work) {
  int n[] = {nx, ny};
  return cufftMakePlanMany(handle, 2, n, nullptr, 1, 0, nullptr, 1, 0, type, 1, work);
}
inline cufftResult cufftMakePlan3d(cufftHandle handle, int nx, int ny, int nz, cufftType type, size_t* work) {
  int n[] = {nx, ny, nz};
  return cufftMakePlanMany(handle, 3, n, nullptr, 1, 0, nullptr, 1, 0, type, 1, work);
}
inline cufftResult cufftPlan1d(cufftHandle* handle, int nx, cufftType type, int batch) {
  return cufftPlanMany(handle, 1, &nx, nullptr, 1, 0, nullptr, 1, 0, type, batch);
}
inline cufftResult cufftPlan2d(cufftHandle* handle, int nx, int ny, cufftType type) {
  int n[] = {nx, ny};
  return cufftPlanMany(handle, 2, n, nullptr, 1, 0, nullptr, 1, 0, type, 1);
}
inline cufftResult cufftPlan3d(cufftHandle* handle, int nx, int ny, int nz, cufftType type) {
  int n[] = {nx, ny, nz};
  return cufftPlanMany(handle, 3, n, nullptr, 1, 0, nullptr, 1, 0, type, 1);
}

// The transform of n numbers at `from`, `stride` apart, to `to`: halves as long as the length is even.
inline void transform(const double2* from, long long stride, double2* to, long long n, int direction) {
  const double turn = direction * 6.283185307179586476925286766559 / (double)n;
  if (n % 2 != 0) {
    for (long long k = 0; k < n; ++k) {
      double2 sum{};
      for (long long i = 0; i < n; ++i) {
        const double angle = turn * (double)(i * k % n);
        sum = __ws_n::add(sum, __ws_n::times(from[i * stride], double2{cos(angle), sin(angle)}));
      }
      to[k] = sum;
    }
    return;
  }
  __ws_fft::transform(from, 2 * stride, to, n / 2, direction);
  __ws_fft::transform(from + stride, 2 * stride, to + n / 2, n / 2, direction);
  for (long long k = 0; k < n / 2; ++k) {
    const double2 even = to[k], odd = __ws_n::times(to[k + n / 2], double2{cos(turn * (double)k), sin(turn * (double)k)});
    to[k] = __ws_n::add(even, odd);
    to[k + n / 2] = __ws_n::add(even, __ws_n::minus(odd));
  }
}

// Calls f(position in the cube, place in memory) for all points of a cube whose last dimension has `last` of them.
template <typename F> inline void each_point(const plan& p, const long long* size, long long stride, long long last, F f) {
  const long long rest = p.dimensions == 1 ? 1 : p.dimensions == 2 ? p.n[0] : p.n[0] * p.n[1];
  const long long length = p.n[p.dimensions - 1];
  for (long long line = 0; line < rest; ++line) {
    const long long i = p.dimensions == 3 ? line / p.n[1] : 0, j = p.dimensions == 3 ? line % p.n[1] : line;
    const long long row = p.dimensions == 3 ? i * size[1] + j : j;
    for (long long k = 0; k < last; ++k) {
      f(line * length + k, (row * (p.dimensions == 1 ? 0 : size[p.dimensions - 1]) + k) * stride);
    }
  }
}
inline void transform_all(const plan& p, double2* cube, int direction) {
  long long all = 1;
  for (int d = 0; d < p.dimensions; ++d) all *= p.n[d];
  double2* line = (double2*)malloc((size_t)all * sizeof(double2));
  long long stride = 1;
  for (int d = p.dimensions - 1; d >= 0; --d) {
    for (long long first = 0; first < all; ++first) {
      if (first / stride % p.n[d] != 0) continue;
      __ws_fft::transform(cube + first, stride, line, p.n[d], direction);
      for (long long i = 0; i < p.n[d]; ++i) cube[first + i * stride] = line[i];
    }
    stride *= p.n[d];
  }
  free(line);
}
// The other half of the transform of real numbers follows from the first.
inline void complete(const plan& p, double2* cube) {
  const long long length = p.n[p.dimensions - 1];
  const long long n1 = p.dimensions > 1 ? p.n[p.dimensions - 2] : 1, n0 = p.dimensions > 2 ? p.n[0] : 1;
  for (long long i = 0; i < n0; ++i) {
    for (long long j = 0; j < n1; ++j) {
      for (long long k = length / 2 + 1; k < length; ++k) {
        const long long mirror = (((n0 - i) % n0) * n1 + (n1 - j) % n1) * length + (length - k);
        cube[(i * n1 + j) * length + k] = __ws_n::conjugate(cube[mirror]);
      }
    }
  }
}
inline cufftResult execute(cufftHandle handle, const void* in, cudaDataType_t in_type, void* out,
                           cudaDataType_t out_type, int direction, cufftType wanted) {
  const plan* p = __ws_fft::plan_of(handle);
  if (p == nullptr) return CUFFT_INVALID_PLAN;
  if (p->type != wanted) return CUFFT_INVALID_TYPE;
  if (!__ws_n::submit(p->stream, out, "cufftExec")) return CUFFT_EXEC_FAILED;
  long long all = 1;
  for (int d = 0; d < p->dimensions; ++d) all *= p->n[d];
  const long long length = p->n[p->dimensions - 1], half = length / 2 + 1;
  double2* cube = (double2*)malloc((size_t)all * sizeof(double2));
  // In place, the rows of the real side are as long as those of the complex one.
  const bool in_place = in == out;
  long long in_size[kMostDimensions], out_size[kMostDimensions];
  for (int d = 0; d < p->dimensions; ++d) {
    const bool last = d == p->dimensions - 1;
    in_size[d] = last && in_place && __ws_fft::is_real_input(p->type) && p->in_size[d] == length ? 2 * half : p->in_size[d];
    out_size[d] = last && in_place && __ws_fft::is_real_output(p->type) && p->out_size[d] == length ? 2 * half : p->out_size[d];
  }
  for (int b = 0; b < p->batch; ++b) {
    const int last = p->dimensions - 1;
    const long long from = b * p->in_distance / p->in_size[last] * in_size[last];
    const long long to = b * p->out_distance / p->out_size[last] * out_size[last];
    __ws_fft::each_point(*p, in_size, p->in_stride, __ws_fft::is_real_output(p->type) ? half : length, [&](long long i, long long at) {
      cube[i] = __ws_n::read(in, in_type, (size_t)(from + at));
    });
    if (__ws_fft::is_real_output(p->type)) __ws_fft::complete(*p, cube);
    __ws_fft::transform_all(*p, cube, direction);
    __ws_fft::each_point(*p, out_size, p->out_stride, __ws_fft::is_real_input(p->type) ? half : length, [&](long long i, long long at) {
      __ws_n::write(out, out_type, (size_t)(to + at), cube[i]);
    });
  }
  free(cube);
  return CUFFT_SUCCESS;
}
inline cufftResult cufftExecC2C(cufftHandle h, cufftComplex* in, cufftComplex* out, int direction) {
  return __ws_fft::execute(h, in, CUDA_C_32F, out, CUDA_C_32F, direction, CUFFT_C2C);
}
inline cufftResult cufftExecZ2Z(cufftHandle h, cufftDoubleComplex* in, cufftDoubleComplex* out, int direction) {
  return __ws_fft::execute(h, in, CUDA_C_64F, out, CUDA_C_64F, direction, CUFFT_Z2Z);
}
inline cufftResult cufftExecR2C(cufftHandle h, cufftReal* in, cufftComplex* out) {
  return __ws_fft::execute(h, in, CUDA_R_32F, out, CUDA_C_32F, CUFFT_FORWARD, CUFFT_R2C);
}
inline cufftResult cufftExecC2R(cufftHandle h, cufftComplex* in, cufftReal* out) {
  return __ws_fft::execute(h, in, CUDA_C_32F, out, CUDA_R_32F, CUFFT_INVERSE, CUFFT_C2R);
}
inline cufftResult cufftExecD2Z(cufftHandle h, cufftDoubleReal* in, cufftDoubleComplex* out) {
  return __ws_fft::execute(h, in, CUDA_R_64F, out, CUDA_C_64F, CUFFT_FORWARD, CUFFT_D2Z);
}
inline cufftResult cufftExecZ2D(cufftHandle h, cufftDoubleComplex* in, cufftDoubleReal* out) {
  return __ws_fft::execute(h, in, CUDA_C_64F, out, CUDA_R_64F, CUFFT_INVERSE, CUFFT_Z2D);
}

// Plans of cufftXt.h, for one device and the types that the functions above take.
inline cufftResult cufftXtMakePlanMany(cufftHandle handle, int rank, long long* n, long long* inembed, long long istride,
                                       long long idist, cudaDataType in, long long* onembed, long long ostride,
                                       long long odist, cudaDataType out, long long batch, size_t* work,
                                       cudaDataType in_which) {
  struct known {
    cudaDataType in, out;
    cufftType type;
  };
  const known all[] = {{CUDA_C_32F, CUDA_C_32F, CUFFT_C2C}, {CUDA_R_32F, CUDA_C_32F, CUFFT_R2C},
                       {CUDA_C_32F, CUDA_R_32F, CUFFT_C2R}, {CUDA_C_64F, CUDA_C_64F, CUFFT_Z2Z},
                       {CUDA_R_64F, CUDA_C_64F, CUFFT_D2Z}, {CUDA_C_64F, CUDA_R_64F, CUFFT_Z2D}};
  int sizes[3][kMostDimensions] = {};
  const long long* const from[3] = {n, inembed, onembed};
  if (rank < 1 || rank > kMostDimensions) return CUFFT_INVALID_SIZE;
  for (int k = 0; k < 3; ++k) {
    for (int i = 0; i < rank && from[k] != nullptr; ++i) sizes[k][i] = (int)from[k][i];
  }
  for (const known& one : all) {
    if (one.in != in || one.out != out || (in_which != in && in_which != out)) continue;
    return cufftMakePlanMany(handle, rank, sizes[0], inembed == nullptr ? nullptr : sizes[1], (int)istride, (int)idist,
                             onembed == nullptr ? nullptr : sizes[2], (int)ostride, (int)odist, one.type, (int)batch,
                             work);
  }
  return CUFFT_INVALID_TYPE;
}

}  // namespace __ws_fft
