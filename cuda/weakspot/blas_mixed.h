// SPDX-License-Identifier: MIT
// The functions of cublas whose types are arguments. They compute in double and round to the type of the result.
#pragma once

#include "blas.h"

namespace __ws_blas {

struct mixed_matrix {
  const void* data;
  cudaDataType_t type;
  ptrdiff_t row, column, start;
  double sign;
  double2 operator()(int i, int j) const {
    double2 v = __ws_n::read(data, type, (size_t)(start + i * row + j * column));
    v.y *= sign;
    return v;
  }
};
inline mixed_matrix mixed(cublasOperation_t op, const void* data, cudaDataType_t type, int ld, ptrdiff_t start) {
  if (op == CUBLAS_OP_N) return {data, type, 1, ld, start, 1};
  return {data, type, ld, 1, start, op == CUBLAS_OP_C ? -1.0 : 1.0};
}
// Factors have the type in which sums are made.
inline cudaDataType_t factor_type(cublasComputeType_t compute, cudaDataType_t result) {
  const bool is_complex = result == CUDA_C_32F || result == CUDA_C_64F;
  if (compute == CUBLAS_COMPUTE_64F || compute == CUBLAS_COMPUTE_64F_PEDANTIC) return is_complex ? CUDA_C_64F : CUDA_R_64F;
  if (compute == CUBLAS_COMPUTE_16F || compute == CUBLAS_COMPUTE_16F_PEDANTIC) return CUDA_R_16F;
  if (compute == CUBLAS_COMPUTE_32I || compute == CUBLAS_COMPUTE_32I_PEDANTIC) {
    return result == CUDA_R_32I ? CUDA_R_32I : CUDA_R_32F;
  }
  return is_complex ? CUDA_C_32F : CUDA_R_32F;
}
// Older programs give a data type instead.
inline cudaDataType_t factor_type(cudaDataType_t compute, cudaDataType_t) { return compute; }

template <typename Compute>
inline cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m,
                                                 int n, int k, const void* alpha, const void* a, cudaDataType_t at,
                                                 int lda, long long sa, const void* b, cudaDataType_t bt, int ldb,
                                                 long long sb, const void* beta, void* c, cudaDataType_t ct, int ldc,
                                                 long long sc, int count, Compute compute, cublasGemmAlgo_t) {
  if (!__ws_n::is_known(at) || !__ws_n::is_known(bt) || !__ws_n::is_known(ct)) return CUBLAS_STATUS_NOT_SUPPORTED;
  __WS_START(h, c, "cublasGemmEx");
  const double2 scale = __ws_n::read(alpha, __ws_blas::factor_type(compute, ct), 0), keep = __ws_n::read(beta, __ws_blas::factor_type(compute, ct), 0);
  for (int batch = 0; batch < count; ++batch) {
    const mixed_matrix left = __ws_blas::mixed(ta, a, at, lda, (ptrdiff_t)(batch * sa));
    const mixed_matrix right = __ws_blas::mixed(tb, b, bt, ldb, (ptrdiff_t)(batch * sb));
    for (int j = 0; j < n; ++j) {
      for (int i = 0; i < m; ++i) {
        double2 sum{};
        for (int l = 0; l < k; ++l) sum = __ws_n::add(sum, __ws_n::times(left(i, l), right(l, j)));
        const size_t to = (size_t)(batch * sc + i + (long long)j * ldc);
        __ws_n::write(c, ct, to, __ws_blas::scaled(scale, sum, keep, __ws_n::read(c, ct, to)));
      }
    }
  }
  return CUBLAS_STATUS_SUCCESS;
}
template <typename Compute>
inline cublasStatus_t cublasGemmEx(cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m, int n, int k,
                                   const void* alpha, const void* a, cudaDataType_t at, int lda, const void* b,
                                   cudaDataType_t bt, int ldb, const void* beta, void* c, cudaDataType_t ct, int ldc,
                                   Compute compute, cublasGemmAlgo_t algorithm) {
  return cublasGemmStridedBatchedEx(h, ta, tb, m, n, k, alpha, a, at, lda, 0, b, bt, ldb, 0, beta, c, ct, ldc, 0, 1,
                                    compute, algorithm);
}
inline cublasStatus_t cublasSgemmEx(cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m, int n, int k,
                                    const float* alpha, const void* a, cudaDataType_t at, int lda, const void* b,
                                    cudaDataType_t bt, int ldb, const float* beta, void* c, cudaDataType_t ct, int ldc) {
  return cublasGemmEx(h, ta, tb, m, n, k, alpha, a, at, lda, b, bt, ldb, beta, c, ct, ldc, CUBLAS_COMPUTE_32F,
                      CUBLAS_GEMM_DEFAULT);
}
#if defined(__CUDA__) || defined(__HIP__)
inline cublasStatus_t cublasHgemm(cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m, int n, int k,
                                  const __half* alpha, const __half* a, int lda, const __half* b, int ldb,
                                  const __half* beta, __half* c, int ldc) {
  return cublasGemmEx(h, ta, tb, m, n, k, alpha, a, CUDA_R_16F, lda, b, CUDA_R_16F, ldb, beta, c, CUDA_R_16F, ldc,
                      CUBLAS_COMPUTE_16F, CUBLAS_GEMM_DEFAULT);
}
#endif

inline cublasStatus_t dot_mixed(cublasHandle_t h, int n, const void* x, cudaDataType_t xt, int bx, const void* y,
                                cudaDataType_t yt, int by, void* result, cudaDataType_t rt, double sign) {
  if (!__ws_n::is_known(xt) || !__ws_n::is_known(yt) || !__ws_n::is_known(rt)) return CUBLAS_STATUS_NOT_SUPPORTED;
  __WS_START(h, x, "cublasDotEx");
  double2 sum{};
  for (int i = 0; i < n; ++i) {
    double2 left = __ws_n::read(x, xt, (size_t)at(n, i, bx));
    left.y *= sign;
    sum = __ws_n::add(sum, __ws_n::times(left, __ws_n::read(y, yt, (size_t)at(n, i, by))));
  }
  __ws_n::write(result, rt, 0, sum);
  return CUBLAS_STATUS_SUCCESS;
}
inline cublasStatus_t cublasDotEx(cublasHandle_t h, int n, const void* x, cudaDataType_t xt, int bx, const void* y,
                                  cudaDataType_t yt, int by, void* result, cudaDataType_t rt, cudaDataType_t) {
  return __ws_blas::dot_mixed(h, n, x, xt, bx, y, yt, by, result, rt, 1);
}
inline cublasStatus_t cublasDotcEx(cublasHandle_t h, int n, const void* x, cudaDataType_t xt, int bx, const void* y,
                                   cudaDataType_t yt, int by, void* result, cudaDataType_t rt, cudaDataType_t) {
  return __ws_blas::dot_mixed(h, n, x, xt, bx, y, yt, by, result, rt, -1);
}
inline cublasStatus_t cublasAxpyEx(cublasHandle_t h, int n, const void* alpha, cudaDataType_t at_, const void* x,
                                   cudaDataType_t xt, int bx, void* y, cudaDataType_t yt, int by, cudaDataType_t) {
  if (!__ws_n::is_known(xt) || !__ws_n::is_known(yt) || !__ws_n::is_known(at_)) return CUBLAS_STATUS_NOT_SUPPORTED;
  __WS_START(h, y, "cublasAxpyEx");
  const double2 factor = __ws_n::read(alpha, at_, 0);
  for (int i = 0; i < n; ++i) {
    const size_t to = (size_t)at(n, i, by);
    __ws_n::write(y, yt, to, __ws_n::add(__ws_n::read(y, yt, to), __ws_n::times(factor, __ws_n::read(x, xt, (size_t)at(n, i, bx)))));
  }
  return CUBLAS_STATUS_SUCCESS;
}
inline cublasStatus_t cublasScalEx(cublasHandle_t h, int n, const void* alpha, cudaDataType_t at_, void* x,
                                   cudaDataType_t xt, int bx, cudaDataType_t) {
  if (!__ws_n::is_known(xt) || !__ws_n::is_known(at_)) return CUBLAS_STATUS_NOT_SUPPORTED;
  __WS_START(h, x, "cublasScalEx");
  const double2 factor = __ws_n::read(alpha, at_, 0);
  for (int i = 0; i < n; ++i) __ws_n::write(x, xt, (size_t)i * bx, __ws_n::times(factor, __ws_n::read(x, xt, (size_t)i * bx)));
  return CUBLAS_STATUS_SUCCESS;
}
inline cublasStatus_t cublasNrm2Ex(cublasHandle_t h, int n, const void* x, cudaDataType_t xt, int bx, void* result,
                                   cudaDataType_t rt, cudaDataType_t) {
  if (!__ws_n::is_known(xt) || !__ws_n::is_known(rt)) return CUBLAS_STATUS_NOT_SUPPORTED;
  __WS_START(h, x, "cublasNrm2Ex");
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += __ws_n::square(__ws_n::read(x, xt, (size_t)i * bx));
  __ws_n::write(result, rt, 0, {sqrt(sum), 0});
  return CUBLAS_STATUS_SUCCESS;
}

}  // namespace __ws_blas
#undef __WS_START
