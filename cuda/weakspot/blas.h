// SPDX-License-Identifier: MIT
// cublas as plain loops on the host; see cublas_v2.h. A call is one operation of its stream.
#pragma once

#include "library_types.h"

namespace __ws_blas {

using namespace __ws_n;

enum cublasStatus_t { CUBLAS_STATUS_SUCCESS = 0, CUBLAS_STATUS_NOT_INITIALIZED = 1, CUBLAS_STATUS_ALLOC_FAILED = 3,
                      CUBLAS_STATUS_INVALID_VALUE = 7, CUBLAS_STATUS_ARCH_MISMATCH = 8, CUBLAS_STATUS_MAPPING_ERROR = 11,
                      CUBLAS_STATUS_EXECUTION_FAILED = 13, CUBLAS_STATUS_INTERNAL_ERROR = 14,
                      CUBLAS_STATUS_NOT_SUPPORTED = 15, CUBLAS_STATUS_LICENSE_ERROR = 16 };
typedef cublasStatus_t cublasStatus;
enum cublasOperation_t { CUBLAS_OP_N = 0, CUBLAS_OP_T = 1, CUBLAS_OP_C = 2, CUBLAS_OP_HERMITAN = 2, CUBLAS_OP_CONJG = 3 };
enum cublasFillMode_t { CUBLAS_FILL_MODE_LOWER = 0, CUBLAS_FILL_MODE_UPPER = 1, CUBLAS_FILL_MODE_FULL = 2 };
enum cublasDiagType_t { CUBLAS_DIAG_NON_UNIT = 0, CUBLAS_DIAG_UNIT = 1 };
enum cublasSideMode_t { CUBLAS_SIDE_LEFT = 0, CUBLAS_SIDE_RIGHT = 1 };
enum cublasPointerMode_t { CUBLAS_POINTER_MODE_HOST = 0, CUBLAS_POINTER_MODE_DEVICE = 1 };
enum cublasAtomicsMode_t { CUBLAS_ATOMICS_NOT_ALLOWED = 0, CUBLAS_ATOMICS_ALLOWED = 1 };
enum cublasMath_t { CUBLAS_DEFAULT_MATH = 0, CUBLAS_TENSOR_OP_MATH = 1, CUBLAS_PEDANTIC_MATH = 2,
                    CUBLAS_TF32_TENSOR_OP_MATH = 3, CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION = 16 };
enum cublasGemmAlgo_t { CUBLAS_GEMM_DFALT = -1, CUBLAS_GEMM_DEFAULT = -1, CUBLAS_GEMM_ALGO0 = 0, CUBLAS_GEMM_ALGO1 = 1,
                        CUBLAS_GEMM_ALGO2 = 2, CUBLAS_GEMM_ALGO3 = 3, CUBLAS_GEMM_ALGO4 = 4, CUBLAS_GEMM_ALGO23 = 23,
                        CUBLAS_GEMM_DFALT_TENSOR_OP = 99, CUBLAS_GEMM_DEFAULT_TENSOR_OP = 99,
                        CUBLAS_GEMM_ALGO0_TENSOR_OP = 100, CUBLAS_GEMM_ALGO15_TENSOR_OP = 115 };
enum cublasComputeType_t { CUBLAS_COMPUTE_16F = 64, CUBLAS_COMPUTE_16F_PEDANTIC = 65, CUBLAS_COMPUTE_32F = 68,
                           CUBLAS_COMPUTE_32F_PEDANTIC = 69, CUBLAS_COMPUTE_32F_FAST_16F = 74,
                           CUBLAS_COMPUTE_32F_FAST_16BF = 75, CUBLAS_COMPUTE_32F_FAST_TF32 = 77, CUBLAS_COMPUTE_64F = 70,
                           CUBLAS_COMPUTE_64F_PEDANTIC = 71, CUBLAS_COMPUTE_32I = 72, CUBLAS_COMPUTE_32I_PEDANTIC = 73 };
typedef cudaDataType_t cublasDataType_t;

struct cublasContext {
  cudaStream_t stream;
  cublasPointerMode_t pointers;
  cublasMath_t math;
  cublasAtomicsMode_t atomics;
};
typedef cublasContext* cublasHandle_t;

inline cublasStatus_t cublasCreate(cublasHandle_t* made) {
  *made = (cublasHandle_t)calloc(1, sizeof(cublasContext));
  return CUBLAS_STATUS_SUCCESS;
}
inline cublasStatus_t cublasDestroy(cublasHandle_t handle) {
  free(handle);
  return CUBLAS_STATUS_SUCCESS;
}
#define __WS_SETTING(name, type, field) \
  inline cublasStatus_t cublasSet##name(cublasHandle_t handle, type value) { \
    handle->field = value; \
    return CUBLAS_STATUS_SUCCESS; \
  } \
  inline cublasStatus_t cublasGet##name(cublasHandle_t handle, type* value) { \
    *value = handle->field; \
    return CUBLAS_STATUS_SUCCESS; \
  }
__WS_SETTING(Stream, cudaStream_t, stream)
__WS_SETTING(PointerMode, cublasPointerMode_t, pointers)
__WS_SETTING(MathMode, cublasMath_t, math)
__WS_SETTING(AtomicsMode, cublasAtomicsMode_t, atomics)
#undef __WS_SETTING
inline cublasStatus_t cublasSetWorkspace(cublasHandle_t, void*, size_t) { return CUBLAS_STATUS_SUCCESS; }
inline cublasStatus_t cublasGetVersion(cublasHandle_t, int* version) {
  *version = 120500;
  return CUBLAS_STATUS_SUCCESS;
}
inline const char* cublasGetStatusName(cublasStatus_t s) {
  return s == CUBLAS_STATUS_SUCCESS ? "CUBLAS_STATUS_SUCCESS" : "CUBLAS_STATUS_INVALID_VALUE";
}
inline const char* cublasGetStatusString(cublasStatus_t s) {
  return s == CUBLAS_STATUS_SUCCESS ? "the function succeeded" : "the function failed";
}

inline cublasStatus_t status_of(bool done) { return done ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_EXECUTION_FAILED; }
inline cublasStatus_t copy_strided(int n, int size, const void* from, int by, void* to, int to_by, cudaStream_t stream) {
  return status_of(cudaMemcpy2DAsync(to, (size_t)to_by * size, from, (size_t)by * size, (size_t)size, (size_t)n,
                                     cudaMemcpyDefault, stream) == cudaSuccess);
}
inline cublasStatus_t copy_matrix(int rows, int columns, int size, const void* from, int ld, void* to, int to_ld,
                                  cudaStream_t stream) {
  return status_of(cudaMemcpy2DAsync(to, (size_t)to_ld * size, from, (size_t)ld * size, (size_t)rows * size,
                                     (size_t)columns, cudaMemcpyDefault, stream) == cudaSuccess);
}
#define __WS_COPIES(way) \
  inline cublasStatus_t cublas##way##Vector(int n, int size, const void* from, int by, void* to, int to_by) { \
    cudaDeviceSynchronize(); \
    return __ws_blas::copy_strided(n, size, from, by, to, to_by, 0); \
  } \
  inline cublasStatus_t cublas##way##VectorAsync(int n, int size, const void* from, int by, void* to, int to_by, \
                                                 cudaStream_t stream) { \
    return __ws_blas::copy_strided(n, size, from, by, to, to_by, stream); \
  } \
  inline cublasStatus_t cublas##way##Matrix(int rows, int columns, int size, const void* from, int ld, void* to, \
                                            int to_ld) { \
    cudaDeviceSynchronize(); \
    return __ws_blas::copy_matrix(rows, columns, size, from, ld, to, to_ld, 0); \
  } \
  inline cublasStatus_t cublas##way##MatrixAsync(int rows, int columns, int size, const void* from, int ld, void* to, \
                                                 int to_ld, cudaStream_t stream) { \
    return __ws_blas::copy_matrix(rows, columns, size, from, ld, to, to_ld, stream); \
  }
__WS_COPIES(Set)
__WS_COPIES(Get)
#undef __WS_COPIES

// The place of element i of a vector: a negative stride begins at its end.
inline ptrdiff_t at(int n, int i, int by) { return (ptrdiff_t)(by < 0 ? i - n + 1 : i) * by; }
#define __WS_START(handle, memory, name) \
  if ((handle) == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED; \
  if (!__ws_n::submit((handle)->stream, memory, name)) return CUBLAS_STATUS_EXECUTION_FAILED

template <typename T> struct elements {
  T* data;
  ptrdiff_t row, column;  // the distances of neighbours
  bool conjugated;
  T operator()(int i, int j) const {
    const T v = data[i * row + j * column];
    return conjugated ? __ws_n::conjugate(v) : v;
  }
};
template <typename T> inline elements<const T> under(cublasOperation_t op, const T* data, int ld) {
  if (op == CUBLAS_OP_N || op == CUBLAS_OP_CONJG) return {data, 1, ld, op == CUBLAS_OP_CONJG};
  return {data, ld, 1, op == CUBLAS_OP_C};
}
// An element of a triangle, whose other half follows from it.
template <typename T> inline T symmetric(cublasFillMode_t fill, const T* a, int ld, int i, int j) {
  const bool stored = fill == CUBLAS_FILL_MODE_LOWER ? i >= j : i <= j;
  return stored ? a[i + (ptrdiff_t)j * ld] : a[j + (ptrdiff_t)i * ld];
}
template <typename T> inline T scaled(T alpha, T v, T beta, const T& old) {
  const T product = __ws_n::times(alpha, v);
  return __ws_n::is_zero(beta) ? product : __ws_n::add(product, __ws_n::times(beta, old));
}

template <typename T>
inline void gemm(cublasOperation_t ta, cublasOperation_t tb, int m, int n, int k, T alpha, const T* a, int lda,
                 const T* b, int ldb, T beta, T* c, int ldc) {
  const elements<const T> left = __ws_blas::under(ta, a, lda), right = __ws_blas::under(tb, b, ldb);
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < m; ++i) {
      T sum{};
      for (int l = 0; l < k; ++l) sum = __ws_n::add(sum, __ws_n::times(left(i, l), right(l, j)));
      T& to = c[i + (ptrdiff_t)j * ldc];
      to = __ws_blas::scaled(alpha, sum, beta, to);
    }
  }
}

// Solves op(A) x = b for a triangle, in place.
template <typename T>
inline void solve(cublasFillMode_t fill, cublasOperation_t op, cublasDiagType_t diagonal, int n, const T* a, int lda, T* x,
                  ptrdiff_t by) {
  const elements<const T> matrix = __ws_blas::under(op, a, lda);
  const bool lower = (fill == CUBLAS_FILL_MODE_LOWER) == (op == CUBLAS_OP_N);
  for (int step = 0; step < n; ++step) {
    const int i = lower ? step : n - 1 - step;
    T v = x[i * by];
    for (int j = lower ? 0 : i + 1; j < (lower ? i : n); ++j) v = __ws_n::add(v, __ws_n::minus(__ws_n::times(matrix(i, j), x[j * by])));
    x[i * by] = diagonal == CUBLAS_DIAG_UNIT ? v : __ws_n::times(v, __ws_n::inverse(matrix(i, i)));
  }
}
// x = op(A) x for a triangle, in place.
template <typename T>
inline void multiply(cublasFillMode_t fill, cublasOperation_t op, cublasDiagType_t diagonal, int n, const T* a, int lda,
                     T* x, ptrdiff_t by) {
  const elements<const T> matrix = __ws_blas::under(op, a, lda);
  const bool lower = (fill == CUBLAS_FILL_MODE_LOWER) == (op == CUBLAS_OP_N);
  for (int step = 0; step < n; ++step) {
    const int i = lower ? n - 1 - step : step;
    T v = diagonal == CUBLAS_DIAG_UNIT ? x[i * by] : __ws_n::times(matrix(i, i), x[i * by]);
    for (int j = lower ? 0 : i + 1; j < (lower ? i : n); ++j) v = __ws_n::add(v, __ws_n::times(matrix(i, j), x[j * by]));
    x[i * by] = v;
  }
}

// A = P L U in place, by columns; `pivots` counts from 1 and may be null, for no exchange of rows. The number of the
// first pivot that is zero, or 0.
template <typename T> inline int factor(int n, T* a, int lda, int* pivots) {
  int zero = 0;
  for (int k = 0; k < n; ++k) {
    T* column = a + (ptrdiff_t)k * lda;
    int best = k;
    for (int i = k + 1; i < n && pivots != nullptr; ++i) best = __ws_n::size1(column[i]) > __ws_n::size1(column[best]) ? i : best;
    if (pivots != nullptr) pivots[k] = best + 1;
    for (int j = 0; j < n && best != k; ++j) {
      T& first = a[k + (ptrdiff_t)j * lda];
      T& second = a[best + (ptrdiff_t)j * lda];
      const T kept = first;
      first = second;
      second = kept;
    }
    if (__ws_n::is_zero(column[k])) {
      zero = zero == 0 ? k + 1 : zero;
      continue;
    }
    for (int i = k + 1; i < n; ++i) column[i] = __ws_n::times(column[i], __ws_n::inverse(column[k]));
    for (int j = k + 1; j < n; ++j) {
      T* other = a + (ptrdiff_t)j * lda;
      for (int i = k + 1; i < n; ++i) other[i] = __ws_n::add(other[i], __ws_n::minus(__ws_n::times(column[i], other[k])));
    }
  }
  return zero;
}

#define __WS_BLAS_ANY(P, T, R, IP, RP) \
  inline cublasStatus_t cublas##P##copy(cublasHandle_t h, int n, const T* x, int bx, T* y, int by) { \
    __WS_START(h, y, "cublas" #P "copy"); \
    for (int i = 0; i < n; ++i) y[at(n, i, by)] = x[at(n, i, bx)]; \
    return CUBLAS_STATUS_SUCCESS; \
  } \
  inline cublasStatus_t cublas##P##swap(cublasHandle_t h, int n, T* x, int bx, T* y, int by) { \
    __WS_START(h, y, "cublas" #P "swap"); \
    for (int i = 0; i < n; ++i) { \
      const T kept = x[at(n, i, bx)]; \
      x[at(n, i, bx)] = y[at(n, i, by)]; \
      y[at(n, i, by)] = kept; \
    } \
    return CUBLAS_STATUS_SUCCESS; \
  } \
  inline cublasStatus_t cublas##P##axpy(cublasHandle_t h, int n, const T* alpha, const T* x, int bx, T* y, int by) { \
    __WS_START(h, y, "cublas" #P "axpy"); \
    for (int i = 0; i < n; ++i) y[at(n, i, by)] = __ws_n::add(y[at(n, i, by)], __ws_n::times(*alpha, x[at(n, i, bx)])); \
    return CUBLAS_STATUS_SUCCESS; \
  } \
  inline cublasStatus_t cublas##P##scal(cublasHandle_t h, int n, const T* alpha, T* x, int bx) { \
    __WS_START(h, x, "cublas" #P "scal"); \
    for (int i = 0; i < n; ++i) x[(ptrdiff_t)i * bx] = __ws_n::times(*alpha, x[(ptrdiff_t)i * bx]); \
    return CUBLAS_STATUS_SUCCESS; \
  } \
  inline cublasStatus_t cublas##RP##nrm2(cublasHandle_t h, int n, const T* x, int bx, R* result) { \
    __WS_START(h, x, "cublas" #RP "nrm2"); \
    double sum = 0; \
    for (int i = 0; i < n; ++i) sum += __ws_n::square(x[(ptrdiff_t)i * bx]); \
    *result = (R)sqrt(sum); \
    return CUBLAS_STATUS_SUCCESS; \
  } \
  inline cublasStatus_t cublas##RP##asum(cublasHandle_t h, int n, const T* x, int bx, R* result) { \
    __WS_START(h, x, "cublas" #RP "asum"); \
    double sum = 0; \
    for (int i = 0; i < n; ++i) sum += __ws_n::size1(x[(ptrdiff_t)i * bx]); \
    *result = (R)sum; \
    return CUBLAS_STATUS_SUCCESS; \
  } \
  inline cublasStatus_t cublasI##IP##amax(cublasHandle_t h, int n, const T* x, int bx, int* result) { \
    __WS_START(h, x, "cublasI" #IP "amax"); \
    int best = 0; \
    for (int i = 1; i < n; ++i) best = __ws_n::size1(x[(ptrdiff_t)i * bx]) > __ws_n::size1(x[(ptrdiff_t)best * bx]) ? i : best; \
    *result = n < 1 ? 0 : best + 1; \
    return CUBLAS_STATUS_SUCCESS; \
  } \
  inline cublasStatus_t cublasI##IP##amin(cublasHandle_t h, int n, const T* x, int bx, int* result) { \
    __WS_START(h, x, "cublasI" #IP "amin"); \
    int best = 0; \
    for (int i = 1; i < n; ++i) best = __ws_n::size1(x[(ptrdiff_t)i * bx]) < __ws_n::size1(x[(ptrdiff_t)best * bx]) ? i : best; \
    *result = n < 1 ? 0 : best + 1; \
    return CUBLAS_STATUS_SUCCESS; \
  } \
  inline cublasStatus_t cublas##P##gemv(cublasHandle_t h, cublasOperation_t op, int m, int n, const T* alpha, \
                                        const T* a, int lda, const T* x, int bx, const T* beta, T* y, int by) { \
    __WS_START(h, y, "cublas" #P "gemv"); \
    const elements<const T> matrix = __ws_blas::under(op, a, lda); \
    const int rows = op == CUBLAS_OP_N ? m : n, columns = op == CUBLAS_OP_N ? n : m; \
    for (int i = 0; i < rows; ++i) { \
      T sum{}; \
      for (int j = 0; j < columns; ++j) sum = __ws_n::add(sum, __ws_n::times(matrix(i, j), x[at(columns, j, bx)])); \
      T& to = y[at(rows, i, by)]; \
      to = __ws_blas::scaled(*alpha, sum, *beta, to); \
    } \
    return CUBLAS_STATUS_SUCCESS; \
  } \
  inline cublasStatus_t cublas##P##symv(cublasHandle_t h, cublasFillMode_t fill, int n, const T* alpha, const T* a, \
                                        int lda, const T* x, int bx, const T* beta, T* y, int by) { \
    __WS_START(h, y, "cublas" #P "symv"); \
    for (int i = 0; i < n; ++i) { \
      T sum{}; \
      for (int j = 0; j < n; ++j) sum = __ws_n::add(sum, __ws_n::times(__ws_blas::symmetric(fill, a, lda, i, j), x[at(n, j, bx)])); \
      T& to = y[at(n, i, by)]; \
      to = __ws_blas::scaled(*alpha, sum, *beta, to); \
    } \
    return CUBLAS_STATUS_SUCCESS; \
  } \
  inline cublasStatus_t cublas##P##trsv(cublasHandle_t h, cublasFillMode_t fill, cublasOperation_t op, \
                                        cublasDiagType_t diagonal, int n, const T* a, int lda, T* x, int bx) { \
    __WS_START(h, x, "cublas" #P "trsv"); \
    __ws_blas::solve(fill, op, diagonal, n, a, lda, x, bx); \
    return CUBLAS_STATUS_SUCCESS; \
  } \
  inline cublasStatus_t cublas##P##trmv(cublasHandle_t h, cublasFillMode_t fill, cublasOperation_t op, \
                                        cublasDiagType_t diagonal, int n, const T* a, int lda, T* x, int bx) { \
    __WS_START(h, x, "cublas" #P "trmv"); \
    __ws_blas::multiply(fill, op, diagonal, n, a, lda, x, bx); \
    return CUBLAS_STATUS_SUCCESS; \
  } \
  inline cublasStatus_t cublas##P##gemm(cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m, int n, \
                                        int k, const T* alpha, const T* a, int lda, const T* b, int ldb, \
                                        const T* beta, T* c, int ldc) { \
    __WS_START(h, c, "cublas" #P "gemm"); \
    __ws_blas::gemm(ta, tb, m, n, k, *alpha, a, lda, b, ldb, *beta, c, ldc); \
    return CUBLAS_STATUS_SUCCESS; \
  } \
  inline cublasStatus_t cublas##P##gemmStridedBatched( \
      cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m, int n, int k, const T* alpha, const T* a, \
      int lda, long long sa, const T* b, int ldb, long long sb, const T* beta, T* c, int ldc, long long sc, \
      int count) { \
    __WS_START(h, c, "cublas" #P "gemmStridedBatched"); \
    for (int i = 0; i < count; ++i) { \
      __ws_blas::gemm(ta, tb, m, n, k, *alpha, a + i * sa, lda, b + i * sb, ldb, *beta, c + i * sc, ldc); \
    } \
    return CUBLAS_STATUS_SUCCESS; \
  } \
  inline cublasStatus_t cublas##P##gemmBatched(cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m, \
                                               int n, int k, const T* alpha, const T* const a[], int lda, \
                                               const T* const b[], int ldb, const T* beta, T* const c[], int ldc, \
                                               int count) { \
    __WS_START(h, c, "cublas" #P "gemmBatched"); \
    for (int i = 0; i < count; ++i) __ws_blas::gemm(ta, tb, m, n, k, *alpha, a[i], lda, b[i], ldb, *beta, c[i], ldc); \
    return CUBLAS_STATUS_SUCCESS; \
  } \
  inline cublasStatus_t cublas##P##getrfBatched(cublasHandle_t h, int n, T* const a[], int lda, int* pivots, int* info, \
                                                int count) { \
    __WS_START(h, a, "cublas" #P "getrfBatched"); \
    for (int i = 0; i < count; ++i) { \
      info[i] = __ws_blas::factor(n, a[i], lda, pivots == nullptr ? nullptr : pivots + (ptrdiff_t)i * n); \
    } \
    return CUBLAS_STATUS_SUCCESS; \
  } \
  inline cublasStatus_t cublas##P##symm(cublasHandle_t h, cublasSideMode_t side, cublasFillMode_t fill, int m, int n, \
                                        const T* alpha, const T* a, int lda, const T* b, int ldb, const T* beta, \
                                        T* c, int ldc) { \
    __WS_START(h, c, "cublas" #P "symm"); \
    for (int j = 0; j < n; ++j) { \
      for (int i = 0; i < m; ++i) { \
        T sum{}; \
        for (int l = 0; l < (side == CUBLAS_SIDE_LEFT ? m : n); ++l) { \
          sum = __ws_n::add(sum, side == CUBLAS_SIDE_LEFT \
                             ? __ws_n::times(__ws_blas::symmetric(fill, a, lda, i, l), b[l + (ptrdiff_t)j * ldb]) \
                             : __ws_n::times(b[i + (ptrdiff_t)l * ldb], __ws_blas::symmetric(fill, a, lda, l, j))); \
        } \
        T& to = c[i + (ptrdiff_t)j * ldc]; \
        to = __ws_blas::scaled(*alpha, sum, *beta, to); \
      } \
    } \
    return CUBLAS_STATUS_SUCCESS; \
  } \
  inline cublasStatus_t cublas##P##syrk(cublasHandle_t h, cublasFillMode_t fill, cublasOperation_t op, int n, int k, \
                                        const T* alpha, const T* a, int lda, const T* beta, T* c, int ldc) { \
    __WS_START(h, c, "cublas" #P "syrk"); \
    const elements<const T> left = __ws_blas::under(op, a, lda); \
    for (int j = 0; j < n; ++j) { \
      for (int i = 0; i < n; ++i) { \
        if (fill == CUBLAS_FILL_MODE_LOWER ? i < j : i > j) continue; \
        T sum{}; \
        for (int l = 0; l < k; ++l) sum = __ws_n::add(sum, __ws_n::times(left(i, l), left(j, l))); \
        T& to = c[i + (ptrdiff_t)j * ldc]; \
        to = __ws_blas::scaled(*alpha, sum, *beta, to); \
      } \
    } \
    return CUBLAS_STATUS_SUCCESS; \
  } \
  inline cublasStatus_t cublas##P##trsm(cublasHandle_t h, cublasSideMode_t side, cublasFillMode_t fill, \
                                        cublasOperation_t op, cublasDiagType_t diagonal, int m, int n, \
                                        const T* alpha, const T* a, int lda, T* b, int ldb) { \
    __WS_START(h, b, "cublas" #P "trsm"); \
    for (int j = 0; j < n; ++j) { \
      for (int i = 0; i < m; ++i) b[i + (ptrdiff_t)j * ldb] = __ws_n::times(*alpha, b[i + (ptrdiff_t)j * ldb]); \
    } \
    if (side == CUBLAS_SIDE_LEFT) { \
      for (int j = 0; j < n; ++j) __ws_blas::solve(fill, op, diagonal, m, a, lda, b + (ptrdiff_t)j * ldb, 1); \
    } else { \
      const cublasOperation_t other = op == CUBLAS_OP_N ? CUBLAS_OP_T : CUBLAS_OP_N; \
      for (int i = 0; i < m; ++i) __ws_blas::solve(fill, other, diagonal, n, a, lda, b + i, ldb); \
    } \
    return CUBLAS_STATUS_SUCCESS; \
  } \
  inline cublasStatus_t cublas##P##geam(cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m, int n, \
                                        const T* alpha, const T* a, int lda, const T* beta, const T* b, int ldb, \
                                        T* c, int ldc) { \
    __WS_START(h, c, "cublas" #P "geam"); \
    const elements<const T> left = __ws_blas::under(ta, a, lda), right = __ws_blas::under(tb, b, ldb); \
    for (int j = 0; j < n; ++j) { \
      for (int i = 0; i < m; ++i) { \
        T v{}; \
        if (!__ws_n::is_zero(*alpha)) v = __ws_n::times(*alpha, left(i, j)); \
        if (!__ws_n::is_zero(*beta)) v = __ws_n::add(v, __ws_n::times(*beta, right(i, j))); \
        c[i + (ptrdiff_t)j * ldc] = v; \
      } \
    } \
    return CUBLAS_STATUS_SUCCESS; \
  } \
  inline cublasStatus_t cublas##P##dgmm(cublasHandle_t h, cublasSideMode_t side, int m, int n, const T* a, int lda, \
                                        const T* x, int bx, T* c, int ldc) { \
    __WS_START(h, c, "cublas" #P "dgmm"); \
    for (int j = 0; j < n; ++j) { \
      for (int i = 0; i < m; ++i) { \
        const T factor = side == CUBLAS_SIDE_LEFT ? x[at(m, i, bx)] : x[at(n, j, bx)]; \
        c[i + (ptrdiff_t)j * ldc] = __ws_n::times(a[i + (ptrdiff_t)j * lda], factor); \
      } \
    } \
    return CUBLAS_STATUS_SUCCESS; \
  }
__WS_BLAS_ANY(S, float, float, s, S)
__WS_BLAS_ANY(D, double, double, d, D)
__WS_BLAS_ANY(C, float2, float, c, Sc)
__WS_BLAS_ANY(Z, double2, double, z, Dz)
#undef __WS_BLAS_ANY

#define __WS_BLAS_DOT(name, T, left) \
  inline cublasStatus_t cublas##name(cublasHandle_t h, int n, const T* x, int bx, const T* y, int by, T* result) { \
    __WS_START(h, x, "cublas" #name); \
    T sum{}; \
    for (int i = 0; i < n; ++i) sum = __ws_n::add(sum, __ws_n::times(left(x[at(n, i, bx)]), y[at(n, i, by)])); \
    *result = sum; \
    return CUBLAS_STATUS_SUCCESS; \
  }
__WS_BLAS_DOT(Sdot, float, )
__WS_BLAS_DOT(Ddot, double, )
__WS_BLAS_DOT(Cdotu, float2, )
__WS_BLAS_DOT(Zdotu, double2, )
__WS_BLAS_DOT(Cdotc, float2, conjugate)
__WS_BLAS_DOT(Zdotc, double2, conjugate)
#undef __WS_BLAS_DOT
#define __WS_BLAS_GER(name, T, right) \
  inline cublasStatus_t cublas##name(cublasHandle_t h, int m, int n, const T* alpha, const T* x, int bx, const T* y, \
                                     int by, T* a, int lda) { \
    __WS_START(h, a, "cublas" #name); \
    for (int j = 0; j < n; ++j) { \
      for (int i = 0; i < m; ++i) { \
        T& to = a[i + (ptrdiff_t)j * lda]; \
        to = __ws_n::add(to, __ws_n::times(*alpha, __ws_n::times(x[at(m, i, bx)], right(y[at(n, j, by)])))); \
      } \
    } \
    return CUBLAS_STATUS_SUCCESS; \
  }
__WS_BLAS_GER(Sger, float, )
__WS_BLAS_GER(Dger, double, )
__WS_BLAS_GER(Cgeru, float2, )
__WS_BLAS_GER(Zgeru, double2, )
__WS_BLAS_GER(Cgerc, float2, conjugate)
__WS_BLAS_GER(Zgerc, double2, conjugate)
#undef __WS_BLAS_GER
#define __WS_BLAS_ROT(name, T) \
  inline cublasStatus_t cublas##name(cublasHandle_t h, int n, T* x, int bx, T* y, int by, const T* c, const T* s) { \
    __WS_START(h, x, "cublas" #name); \
    for (int i = 0; i < n; ++i) { \
      const T a = x[at(n, i, bx)], b = y[at(n, i, by)]; \
      x[at(n, i, bx)] = *c * a + *s * b; \
      y[at(n, i, by)] = *c * b - *s * a; \
    } \
    return CUBLAS_STATUS_SUCCESS; \
  }
__WS_BLAS_ROT(Srot, float)
__WS_BLAS_ROT(Drot, double)
#undef __WS_BLAS_ROT
}  // namespace __ws_blas
