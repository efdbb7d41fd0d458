// SPDX-License-Identifier: MIT
// cusparse as plain loops on the host: the generic interface, for matrices in CSR, CSC and COO; see cusparse.h. A call
// is one operation of its stream.
#pragma once

#include "library_types.h"

namespace __ws_sparse {

using namespace __ws_n;

enum cusparseStatus_t { CUSPARSE_STATUS_SUCCESS, CUSPARSE_STATUS_NOT_INITIALIZED, CUSPARSE_STATUS_ALLOC_FAILED,
                        CUSPARSE_STATUS_INVALID_VALUE, CUSPARSE_STATUS_ARCH_MISMATCH, CUSPARSE_STATUS_MAPPING_ERROR,
                        CUSPARSE_STATUS_EXECUTION_FAILED, CUSPARSE_STATUS_INTERNAL_ERROR,
                        CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED, CUSPARSE_STATUS_ZERO_PIVOT,
                        CUSPARSE_STATUS_NOT_SUPPORTED, CUSPARSE_STATUS_INSUFFICIENT_RESOURCES };
enum cusparseOperation_t { CUSPARSE_OPERATION_NON_TRANSPOSE, CUSPARSE_OPERATION_TRANSPOSE,
                           CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE };
enum cusparseIndexBase_t { CUSPARSE_INDEX_BASE_ZERO, CUSPARSE_INDEX_BASE_ONE };
enum cusparseIndexType_t { CUSPARSE_INDEX_16U = 1, CUSPARSE_INDEX_32I = 2, CUSPARSE_INDEX_64I = 3 };
enum cusparseFormat_t { CUSPARSE_FORMAT_CSR = 1, CUSPARSE_FORMAT_CSC = 2, CUSPARSE_FORMAT_COO = 3 };
enum cusparseOrder_t { CUSPARSE_ORDER_COL = 1, CUSPARSE_ORDER_ROW = 2 };
enum cusparsePointerMode_t { CUSPARSE_POINTER_MODE_HOST, CUSPARSE_POINTER_MODE_DEVICE };
enum cusparseMatrixType_t { CUSPARSE_MATRIX_TYPE_GENERAL, CUSPARSE_MATRIX_TYPE_SYMMETRIC,
                            CUSPARSE_MATRIX_TYPE_HERMITIAN, CUSPARSE_MATRIX_TYPE_TRIANGULAR };
enum cusparseFillMode_t { CUSPARSE_FILL_MODE_LOWER, CUSPARSE_FILL_MODE_UPPER };
enum cusparseDiagType_t { CUSPARSE_DIAG_TYPE_NON_UNIT, CUSPARSE_DIAG_TYPE_UNIT };
enum cusparseDirection_t { CUSPARSE_DIRECTION_ROW, CUSPARSE_DIRECTION_COLUMN };
enum cusparseAction_t { CUSPARSE_ACTION_SYMBOLIC, CUSPARSE_ACTION_NUMERIC };
enum cusparseSpMatAttribute_t { CUSPARSE_SPMAT_FILL_MODE, CUSPARSE_SPMAT_DIAG_TYPE };
enum cusparseSpMVAlg_t { CUSPARSE_SPMV_ALG_DEFAULT, CUSPARSE_MV_ALG_DEFAULT = 0, CUSPARSE_SPMV_COO_ALG1 = 1,
                         CUSPARSE_COOMV_ALG = 1, CUSPARSE_SPMV_CSR_ALG1 = 2, CUSPARSE_CSRMV_ALG1 = 2,
                         CUSPARSE_SPMV_CSR_ALG2 = 3, CUSPARSE_CSRMV_ALG2 = 3, CUSPARSE_SPMV_COO_ALG2 = 4 };
enum cusparseSpMMAlg_t { CUSPARSE_SPMM_ALG_DEFAULT = 0, CUSPARSE_SPMM_COO_ALG1 = 1, CUSPARSE_SPMM_CSR_ALG1 = 4,
                         CUSPARSE_SPMM_COO_ALG4 = 5, CUSPARSE_SPMM_CSR_ALG2 = 6, CUSPARSE_SPMM_CSR_ALG3 = 12 };
enum cusparseSpSVAlg_t { CUSPARSE_SPSV_ALG_DEFAULT };
enum cusparseSolvePolicy_t { CUSPARSE_SOLVE_POLICY_NO_LEVEL, CUSPARSE_SOLVE_POLICY_USE_LEVEL };
enum cusparseSparseToDenseAlg_t { CUSPARSE_SPARSETODENSE_ALG_DEFAULT };

struct cusparseContext {
  cudaStream_t stream;
  cusparsePointerMode_t pointers;
};
typedef cusparseContext* cusparseHandle_t;
struct vector_description {
  long long size;
  void* values;
  cudaDataType_t type;
};
typedef vector_description* cusparseDnVecDescr_t;
typedef const vector_description* cusparseConstDnVecDescr_t;
struct dense_description {
  long long rows, columns, ld;
  void* values;
  cudaDataType_t type;
  cusparseOrder_t order;
  size_t at(long long i, long long j) const {
    return (size_t)(order == CUSPARSE_ORDER_COL ? i + j * ld : i * ld + j);
  }
};
typedef dense_description* cusparseDnMatDescr_t;
typedef const dense_description* cusparseConstDnMatDescr_t;
struct sparse_description {
  cusparseFormat_t format;
  long long rows, columns, stored;
  void *offsets, *indices, *values;  // of COO: rows, columns
  cusparseIndexType_t offset_type, index_type;
  cusparseIndexBase_t base;
  cudaDataType_t type;
  cusparseFillMode_t fill;
  cusparseDiagType_t diagonal;
};
typedef sparse_description* cusparseSpMatDescr_t;
typedef const sparse_description* cusparseConstSpMatDescr_t;
struct solve_description {
  int unused;
};
typedef solve_description* cusparseSpSVDescr_t;
struct matrix_description {
  cusparseMatrixType_t type;
  cusparseFillMode_t fill;
  cusparseDiagType_t diagonal;
  cusparseIndexBase_t base;
};
typedef matrix_description* cusparseMatDescr_t;

template <typename T> inline cusparseStatus_t make(T** made, const T& value) {
  *made = (T*)malloc(sizeof(T));
  **made = value;
  return CUSPARSE_STATUS_SUCCESS;
}
inline cusparseStatus_t unmake(const void* made) {
  free((void*)made);
  return CUSPARSE_STATUS_SUCCESS;
}

inline cusparseStatus_t cusparseCreate(cusparseHandle_t* h) { return __ws_sparse::make(h, cusparseContext{}); }
inline cusparseStatus_t cusparseDestroy(cusparseHandle_t h) { return __ws_sparse::unmake(h); }
inline cusparseStatus_t cusparseSetStream(cusparseHandle_t h, cudaStream_t stream) {
  h->stream = stream;
  return CUSPARSE_STATUS_SUCCESS;
}
inline cusparseStatus_t cusparseSetPointerMode(cusparseHandle_t h, cusparsePointerMode_t mode) {
  h->pointers = mode;
  return CUSPARSE_STATUS_SUCCESS;
}
inline const char* cusparseGetErrorString(cusparseStatus_t s) {
  return s == CUSPARSE_STATUS_SUCCESS ? "success" : "the function failed";
}
inline const char* cusparseGetErrorName(cusparseStatus_t s) {
  return s == CUSPARSE_STATUS_SUCCESS ? "CUSPARSE_STATUS_SUCCESS" : "CUSPARSE_STATUS_INVALID_VALUE";
}

inline cusparseStatus_t cusparseCreateMatDescr(cusparseMatDescr_t* d) { return __ws_sparse::make(d, matrix_description{}); }
inline cusparseStatus_t cusparseDestroyMatDescr(cusparseMatDescr_t d) { return __ws_sparse::unmake(d); }
#define __WS_SETTING(name, type_, field) \
  inline cusparseStatus_t cusparseSetMat##name(cusparseMatDescr_t d, type_ value) { \
    d->field = value; \
    return CUSPARSE_STATUS_SUCCESS; \
  }
__WS_SETTING(Type, cusparseMatrixType_t, type)
__WS_SETTING(FillMode, cusparseFillMode_t, fill)
__WS_SETTING(DiagType, cusparseDiagType_t, diagonal)
__WS_SETTING(IndexBase, cusparseIndexBase_t, base)
#undef __WS_SETTING

inline cusparseStatus_t cusparseCreateDnVec(cusparseDnVecDescr_t* d, long long size, void* values, cudaDataType_t type) {
  return __ws_sparse::make(d, vector_description{size, values, type});
}
inline cusparseStatus_t cusparseDestroyDnVec(cusparseConstDnVecDescr_t d) { return __ws_sparse::unmake(d); }
inline cusparseStatus_t cusparseDnVecSetValues(cusparseDnVecDescr_t d, void* values) {
  d->values = values;
  return CUSPARSE_STATUS_SUCCESS;
}
inline cusparseStatus_t cusparseCreateDnMat(cusparseDnMatDescr_t* d, long long rows, long long columns, long long ld,
                                            void* values, cudaDataType_t type, cusparseOrder_t order) {
  return __ws_sparse::make(d, dense_description{rows, columns, ld, values, type, order});
}
inline cusparseStatus_t cusparseDestroyDnMat(cusparseConstDnMatDescr_t d) { return __ws_sparse::unmake(d); }
inline cusparseStatus_t cusparseCreateCsr(cusparseSpMatDescr_t* d, long long rows, long long columns, long long stored,
                                          void* offsets, void* indices, void* values, cusparseIndexType_t offset_type,
                                          cusparseIndexType_t index_type, cusparseIndexBase_t base, cudaDataType_t type) {
  return __ws_sparse::make(d, sparse_description{CUSPARSE_FORMAT_CSR, rows, columns, stored, offsets, indices, values, offset_type,
                                    index_type, base, type, CUSPARSE_FILL_MODE_LOWER, CUSPARSE_DIAG_TYPE_NON_UNIT});
}
inline cusparseStatus_t cusparseCreateCsc(cusparseSpMatDescr_t* d, long long rows, long long columns, long long stored,
                                          void* offsets, void* indices, void* values, cusparseIndexType_t offset_type,
                                          cusparseIndexType_t index_type, cusparseIndexBase_t base, cudaDataType_t type) {
  const cusparseStatus_t made =
      cusparseCreateCsr(d, rows, columns, stored, offsets, indices, values, offset_type, index_type, base, type);
  (*d)->format = CUSPARSE_FORMAT_CSC;
  return made;
}
inline cusparseStatus_t cusparseCreateCoo(cusparseSpMatDescr_t* d, long long rows, long long columns, long long stored,
                                          void* row_indices, void* column_indices, void* values,
                                          cusparseIndexType_t index_type, cusparseIndexBase_t base, cudaDataType_t type) {
  const cusparseStatus_t made = cusparseCreateCsr(d, rows, columns, stored, row_indices, column_indices, values,
                                                  index_type, index_type, base, type);
  (*d)->format = CUSPARSE_FORMAT_COO;
  return made;
}
inline cusparseStatus_t cusparseDestroySpMat(cusparseConstSpMatDescr_t d) { return __ws_sparse::unmake(d); }
inline cusparseStatus_t cusparseSpMatGetSize(cusparseConstSpMatDescr_t d, int64_t* rows, int64_t* columns, int64_t* stored) {
  *rows = d->rows;
  *columns = d->columns;
  *stored = d->stored;
  return CUSPARSE_STATUS_SUCCESS;
}
inline cusparseStatus_t cusparseSpMatSetAttribute(cusparseSpMatDescr_t d, cusparseSpMatAttribute_t which,
                                                  const void* value, size_t) {
  if (which == CUSPARSE_SPMAT_FILL_MODE) {
    d->fill = *(const cusparseFillMode_t*)value;
  } else {
    d->diagonal = *(const cusparseDiagType_t*)value;
  }
  return CUSPARSE_STATUS_SUCCESS;
}

inline long long index_at(const void* array, cusparseIndexType_t type, long long i) {
  return type == CUSPARSE_INDEX_64I   ? ((const long long*)array)[i]
         : type == CUSPARSE_INDEX_32I ? ((const int*)array)[i]
                                      : ((const unsigned short*)array)[i];
}
// Calls f(row, column, value) for every stored element.
template <typename F> inline void each_element(const sparse_description& m, F f) {
  const long long base = m.base == CUSPARSE_INDEX_BASE_ONE ? 1 : 0;
  if (m.format == CUSPARSE_FORMAT_COO) {
    for (long long i = 0; i < m.stored; ++i) {
      f(__ws_sparse::index_at(m.offsets, m.offset_type, i) - base, __ws_sparse::index_at(m.indices, m.index_type, i) - base,
        __ws_n::read(m.values, m.type, (size_t)i));
    }
    return;
  }
  const bool by_rows = m.format == CUSPARSE_FORMAT_CSR;
  for (long long line = 0; line < (by_rows ? m.rows : m.columns); ++line) {
    const long long end = __ws_sparse::index_at(m.offsets, m.offset_type, line + 1) - base;
    for (long long i = __ws_sparse::index_at(m.offsets, m.offset_type, line) - base; i < end; ++i) {
      const long long other = __ws_sparse::index_at(m.indices, m.index_type, i) - base;
      f(by_rows ? line : other, by_rows ? other : line, __ws_n::read(m.values, m.type, (size_t)i));
    }
  }
}
inline double2 operation_on(cusparseOperation_t op, double2 v) {
  return op == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE ? __ws_n::conjugate(v) : v;
}
#define __WS_START(h, memory, name) \
  if ((h) == nullptr) return CUSPARSE_STATUS_NOT_INITIALIZED; \
  if (!__ws_n::submit((h)->stream, memory, name)) return CUSPARSE_STATUS_EXECUTION_FAILED

// y = alpha op(A) x + beta y, for every column of a dense matrix.
template <typename In, typename Out>
inline void multiply(cusparseOperation_t op, const sparse_description& a, double2 alpha, double2 beta, long long rows,
                     long long columns, In in, Out& out, cudaDataType_t type, void* values) {
  double2* sums = (double2*)calloc((size_t)(rows * columns) + 1, sizeof(double2));
  __ws_sparse::each_element(a, [&](long long i, long long j, double2 v) {
    const long long row = op == CUSPARSE_OPERATION_NON_TRANSPOSE ? i : j;
    const long long column = op == CUSPARSE_OPERATION_NON_TRANSPOSE ? j : i;
    for (long long c = 0; c < columns; ++c) {
      double2& sum = sums[row * columns + c];
      sum = __ws_n::add(sum, __ws_n::times(__ws_sparse::operation_on(op, v), in(column, c)));
    }
  });
  for (long long i = 0; i < rows; ++i) {
    for (long long c = 0; c < columns; ++c) {
      const size_t to = out(i, c);
      double2 v = __ws_n::times(alpha, sums[i * columns + c]);
      if (!__ws_n::is_zero(beta)) v = __ws_n::add(v, __ws_n::times(beta, __ws_n::read(values, type, to)));
      __ws_n::write(values, type, to, v);
    }
  }
  free(sums);
}
inline cusparseStatus_t cusparseSpMV_bufferSize(cusparseHandle_t, cusparseOperation_t, const void*,
                                                cusparseConstSpMatDescr_t, cusparseConstDnVecDescr_t, const void*,
                                                cusparseDnVecDescr_t, cudaDataType_t, cusparseSpMVAlg_t, size_t* size) {
  *size = 8;
  return CUSPARSE_STATUS_SUCCESS;
}
inline cusparseStatus_t cusparseSpMV_preprocess(cusparseHandle_t, cusparseOperation_t, const void*,
                                                cusparseConstSpMatDescr_t, cusparseConstDnVecDescr_t, const void*,
                                                cusparseDnVecDescr_t, cudaDataType_t, cusparseSpMVAlg_t, void*) {
  return CUSPARSE_STATUS_SUCCESS;
}
inline cusparseStatus_t cusparseSpMV(cusparseHandle_t h, cusparseOperation_t op, const void* alpha,
                                     cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x, const void* beta,
                                     cusparseDnVecDescr_t y, cudaDataType_t compute, cusparseSpMVAlg_t, void*) {
  __WS_START(h, y->values, "cusparseSpMV");
  auto in = [&](long long i, long long) { return __ws_n::read(x->values, x->type, (size_t)i); };
  auto out = [&](long long i, long long) { return (size_t)i; };
  __ws_sparse::multiply(op, *a, __ws_n::read(alpha, compute, 0), __ws_n::read(beta, compute, 0), y->size, 1, in, out, y->type, y->values);
  return CUSPARSE_STATUS_SUCCESS;
}
inline cusparseStatus_t cusparseSpMM_bufferSize(cusparseHandle_t, cusparseOperation_t, cusparseOperation_t, const void*,
                                                cusparseConstSpMatDescr_t, cusparseConstDnMatDescr_t, const void*,
                                                cusparseDnMatDescr_t, cudaDataType_t, cusparseSpMMAlg_t, size_t* size) {
  *size = 8;
  return CUSPARSE_STATUS_SUCCESS;
}
inline cusparseStatus_t cusparseSpMM(cusparseHandle_t h, cusparseOperation_t op, cusparseOperation_t op_b,
                                     const void* alpha, cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,
                                     const void* beta, cusparseDnMatDescr_t c, cudaDataType_t compute, cusparseSpMMAlg_t,
                                     void*) {
  __WS_START(h, c->values, "cusparseSpMM");
  auto in = [&](long long i, long long j) {
    const bool plain = op_b == CUSPARSE_OPERATION_NON_TRANSPOSE;
    return __ws_sparse::operation_on(op_b, __ws_n::read(b->values, b->type, plain ? b->at(i, j) : b->at(j, i)));
  };
  auto out = [&](long long i, long long j) { return c->at(i, j); };
  __ws_sparse::multiply(op, *a, __ws_n::read(alpha, compute, 0), __ws_n::read(beta, compute, 0), c->rows, c->columns, in, out, c->type, c->values);
  return CUSPARSE_STATUS_SUCCESS;
}
inline cusparseStatus_t cusparseSparseToDense_bufferSize(cusparseHandle_t, cusparseConstSpMatDescr_t,
                                                         cusparseDnMatDescr_t, cusparseSparseToDenseAlg_t, size_t* size) {
  *size = 8;
  return CUSPARSE_STATUS_SUCCESS;
}
inline cusparseStatus_t cusparseSparseToDense(cusparseHandle_t h, cusparseConstSpMatDescr_t a, cusparseDnMatDescr_t b,
                                              cusparseSparseToDenseAlg_t, void*) {
  __WS_START(h, b->values, "cusparseSparseToDense");
  for (long long i = 0; i < b->rows; ++i) {
    for (long long j = 0; j < b->columns; ++j) __ws_n::write(b->values, b->type, b->at(i, j), {0, 0});
  }
  __ws_sparse::each_element(*a, [&](long long i, long long j, double2 v) { __ws_n::write(b->values, b->type, b->at(i, j), v); });
  return CUSPARSE_STATUS_SUCCESS;
}

inline cusparseStatus_t cusparseSpSV_createDescr(cusparseSpSVDescr_t* d) { return __ws_sparse::make(d, solve_description{}); }
inline cusparseStatus_t cusparseSpSV_destroyDescr(cusparseSpSVDescr_t d) { return __ws_sparse::unmake(d); }
inline cusparseStatus_t cusparseSpSV_bufferSize(cusparseHandle_t, cusparseOperation_t, const void*,
                                                cusparseConstSpMatDescr_t, cusparseConstDnVecDescr_t,
                                                cusparseDnVecDescr_t, cudaDataType_t, cusparseSpSVAlg_t,
                                                cusparseSpSVDescr_t, size_t* size) {
  *size = 8;
  return CUSPARSE_STATUS_SUCCESS;
}
inline cusparseStatus_t cusparseSpSV_analysis(cusparseHandle_t, cusparseOperation_t, const void*,
                                              cusparseConstSpMatDescr_t, cusparseConstDnVecDescr_t,
                                              cusparseDnVecDescr_t, cudaDataType_t, cusparseSpSVAlg_t,
                                              cusparseSpSVDescr_t, void*) {
  return CUSPARSE_STATUS_SUCCESS;
}
// Solves op(A) y = alpha x for the triangle of A that its attributes name.
inline cusparseStatus_t cusparseSpSV_solve(cusparseHandle_t h, cusparseOperation_t op, const void* alpha,
                                           cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x,
                                           cusparseDnVecDescr_t y, cudaDataType_t compute, cusparseSpSVAlg_t,
                                           cusparseSpSVDescr_t) {
  __WS_START(h, y->values, "cusparseSpSV_solve");
  const long long n = a->rows;
  const bool plain = op == CUSPARSE_OPERATION_NON_TRANSPOSE;
  const bool lower = (a->fill == CUSPARSE_FILL_MODE_LOWER) == plain;
  for (long long step = 0; step < n; ++step) {
    // A pass over all elements for each row would be slow: rows of CSR are found directly.
    const long long row = lower ? step : n - 1 - step;
    double2 sum = __ws_n::times(__ws_n::read(alpha, compute, 0), __ws_n::read(x->values, x->type, (size_t)row)), pivot{1, 0};
    auto take = [&](long long i, long long j, double2 v) {
      const long long r = plain ? i : j, c = plain ? j : i;
      if (r != row) return;
      if (c == row) pivot = __ws_sparse::operation_on(op, v);
      if (lower ? c < row : c > row) {
        sum = __ws_n::add(sum, __ws_n::minus(__ws_n::times(__ws_sparse::operation_on(op, v), __ws_n::read(y->values, y->type, (size_t)c))));
      }
    };
    if (plain && a->format == CUSPARSE_FORMAT_CSR) {
      const long long base = a->base == CUSPARSE_INDEX_BASE_ONE ? 1 : 0;
      const long long end = __ws_sparse::index_at(a->offsets, a->offset_type, row + 1) - base;
      for (long long i = __ws_sparse::index_at(a->offsets, a->offset_type, row) - base; i < end; ++i) {
        take(row, __ws_sparse::index_at(a->indices, a->index_type, i) - base, __ws_n::read(a->values, a->type, (size_t)i));
      }
    } else {
      __ws_sparse::each_element(*a, take);
    }
    if (a->diagonal == CUSPARSE_DIAG_TYPE_NON_UNIT) sum = __ws_n::times(sum, __ws_n::inverse(pivot));
    __ws_n::write(y->values, y->type, (size_t)row, sum);
  }
  return CUSPARSE_STATUS_SUCCESS;
}
// Incomplete L U of the older interface: A keeps its places, and gets L below its diagonal, whose own is 1, and U.
struct factor_description {
  int zero_pivot;  // the first, or -1
};
typedef factor_description* csrilu02Info_t;
inline cusparseStatus_t cusparseCreateCsrilu02Info(csrilu02Info_t* d) { return __ws_sparse::make(d, factor_description{-1}); }
inline cusparseStatus_t cusparseDestroyCsrilu02Info(csrilu02Info_t d) { return __ws_sparse::unmake(d); }
inline cusparseStatus_t cusparseXcsrilu02_zeroPivot(cusparseHandle_t, csrilu02Info_t d, int* position) {
  *position = d->zero_pivot;
  return d->zero_pivot < 0 ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_ZERO_PIVOT;
}
template <typename T> inline void factor(int m, int base, T* values, const int* rows, const int* columns, int& zero_pivot) {
  auto begin = [&](int row) { return rows[row] - base; };
  auto place = [&](int row, int column) {  // -1: a zero
    for (int i = begin(row); i < begin(row + 1); ++i) {
      if (columns[i] - base == column) return i;
    }
    return -1;
  };
  zero_pivot = -1;
  for (int row = 0; row < m; ++row) {
    for (int i = begin(row); i < begin(row + 1); ++i) {
      const int k = columns[i] - base, pivot = k < row ? place(k, k) : -1;
      if (k >= row || pivot < 0) continue;
      values[i] /= values[pivot];
      for (int j = begin(k); j < begin(k + 1); ++j) {
        const int to = columns[j] - base > k ? place(row, columns[j] - base) : -1;
        if (to >= 0) values[to] -= values[i] * values[j];
      }
    }
    const int own = place(row, row);
    if (zero_pivot < 0 && (own < 0 || values[own] == 0)) zero_pivot = row + base;
  }
}
#define __WS_INCOMPLETE(P, T) \
  inline cusparseStatus_t cusparse##P##csrilu02_bufferSize(cusparseHandle_t, int, int, cusparseMatDescr_t, T*, \
                                                           const int*, const int*, csrilu02Info_t, int* size) { \
    *size = 8; \
    return CUSPARSE_STATUS_SUCCESS; \
  } \
  inline cusparseStatus_t cusparse##P##csrilu02_analysis(cusparseHandle_t, int, int, cusparseMatDescr_t, const T*, \
                                                         const int*, const int*, csrilu02Info_t, \
                                                         cusparseSolvePolicy_t, void*) { \
    return CUSPARSE_STATUS_SUCCESS; \
  } \
  inline cusparseStatus_t cusparse##P##csrilu02(cusparseHandle_t h, int m, int, cusparseMatDescr_t a, T* values, \
                                                const int* rows, const int* columns, csrilu02Info_t d, \
                                                cusparseSolvePolicy_t, void*) { \
    __WS_START(h, values, "cusparse" #P "csrilu02"); \
    __ws_sparse::factor(m, a->base == CUSPARSE_INDEX_BASE_ONE ? 1 : 0, values, rows, columns, d->zero_pivot); \
    return CUSPARSE_STATUS_SUCCESS; \
  }
__WS_INCOMPLETE(S, float)
__WS_INCOMPLETE(D, double)
#undef __WS_INCOMPLETE
#undef __WS_START

}  // namespace __ws_sparse
