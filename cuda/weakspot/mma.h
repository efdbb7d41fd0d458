// SPDX-License-Identifier: MIT
// nvcuda::wmma: matrices that a warp multiplies. Which lane holds which element is not specified; here a lane holds all
// elements of A and B that its elements of the result need. The warp as a whole reads and writes what it does on a GPU,
// and a lane that writes an element of a matrix which another lane loads without __syncwarp() between is a race.
#pragma once

#include "small_floats.h"
#include "warp.h"

namespace nvcuda {
namespace wmma {

struct row_major {};
struct col_major {};
struct matrix_a {};
struct matrix_b {};
struct accumulator {};
enum layout_t { mem_row_major, mem_col_major };

namespace precision {
struct tf32 {};
}  // namespace precision

// Elements of less than a byte have their names, for headers that mention them. Of their matrices only bits can be
// multiplied, in the registers in which mma.m8n8k128 has them.
namespace experimental {
namespace precision {
struct u4 {};
struct s4 {};
struct b1 {};
}  // namespace precision
enum bmmaBitOp { bmmaBitOpXOR = 1, bmmaBitOpAND = 2 };
enum bmmaAccumulateOp { bmmaAccumulateOpPOPC = 1 };
}  // namespace experimental

// In memory and in registers a tf32 is a float.
template <typename T> struct __ws_storage { using type = T; };
template <> struct __ws_storage<precision::tf32> { using type = float; };
template <> struct __ws_storage<experimental::precision::u4>;
template <> struct __ws_storage<experimental::precision::s4>;
template <> struct __ws_storage<experimental::precision::b1>;

// Lane i holds elements i * kPart to i * kPart + kPart - 1 of the result, row by row: all of one row.
template <int M, int N> struct __ws_shape {
  static constexpr int kPart = M * N / 32;
  static_assert(M * N % 32 == 0 && N % kPart == 0, "this shape of a matrix is not modelled");
  static __device__ __forceinline__ int lane() { return __nvvm_read_ptx_sreg_laneid(); }
  static __device__ __forceinline__ int row() { return lane() * kPart / N; }
  static __device__ __forceinline__ int column() { return lane() * kPart % N; }
};

template <typename T, int Count> struct __ws_elements {
  enum { num_elements = Count, num_storage_elements = Count };
  using element_type = T;
  using storage_element_type = typename __ws_storage<T>::type;
  storage_element_type x[Count];
};

template <typename Use, int M, int N, int K, typename T, typename Layout = void> class fragment;
template <int M, int N, int K, typename T, typename Layout>
class fragment<matrix_a, M, N, K, T, Layout> : public __ws_elements<T, K> {};
template <int M, int N, int K, typename T, typename Layout>
class fragment<matrix_b, M, N, K, T, Layout> : public __ws_elements<T, K * __ws_shape<M, N>::kPart> {};
template <int M, int N, int K, typename T>
class fragment<accumulator, M, N, K, T, void> : public __ws_elements<T, __ws_shape<M, N>::kPart> {};

template <> class fragment<matrix_a, 8, 8, 128, experimental::precision::b1, row_major> {
 public:
  unsigned int x[1];
};
template <> class fragment<matrix_b, 8, 8, 128, experimental::precision::b1, col_major> {
 public:
  unsigned int x[1];
};

// Lane i has 32 bits of row i / 4 of A, and of column i / 4 of B.
__device__ __forceinline__ void bmma_sync(
    fragment<accumulator, 8, 8, 128, int>& d,
    const fragment<matrix_a, 8, 8, 128, experimental::precision::b1, row_major>& a,
    const fragment<matrix_b, 8, 8, 128, experimental::precision::b1, col_major>& b,
    const fragment<accumulator, 8, 8, 128, int>& c, experimental::bmmaBitOp bits = experimental::bmmaBitOpXOR,
    experimental::bmmaAccumulateOp = experimental::bmmaAccumulateOpPOPC) {
  using Shape = __ws_shape<8, 8>;
  for (int i = 0; i < Shape::kPart; ++i) {
    int sum = c.x[i];
    for (int part = 0; part < 4; ++part) {
      const unsigned int left = __shfl_sync(0xffffffffu, a.x[0], Shape::row() * 4 + part);
      const unsigned int right = __shfl_sync(0xffffffffu, b.x[0], (Shape::column() + i) * 4 + part);
      sum += __popc(bits == experimental::bmmaBitOpXOR ? left ^ right : left & right);
    }
    d.x[i] = sum;
  }
}

// All lanes take part.
__device__ __forceinline__ void __ws_together() { __ws_vote(0xffffffffu, __ws_hook::kVoteAny, 0); }

template <typename Layout> __device__ __forceinline__ size_t __ws_at(int row, int column, unsigned int stride) {
  return __is_same(Layout, row_major) ? (size_t)row * stride + column : (size_t)column * stride + row;
}

template <int M, int N, int K, typename T, typename Layout, typename S>
__device__ __forceinline__ void load_matrix_sync(fragment<matrix_a, M, N, K, T, Layout>& a, const S* from,
                                                 unsigned int stride) {
  const int row = __ws_shape<M, N>::row();
  for (int k = 0; k < K; ++k) a.x[k] = from[__ws_at<Layout>(row, k, stride)];
  __ws_together();
}
template <int M, int N, int K, typename T, typename Layout, typename S>
__device__ __forceinline__ void load_matrix_sync(fragment<matrix_b, M, N, K, T, Layout>& b, const S* from,
                                                 unsigned int stride) {
  constexpr int kPart = __ws_shape<M, N>::kPart;
  const int column = __ws_shape<M, N>::column();
  for (int k = 0; k < K; ++k) {
    for (int i = 0; i < kPart; ++i) b.x[k * kPart + i] = from[__ws_at<Layout>(k, column + i, stride)];
  }
  __ws_together();
}
template <int M, int N, int K, typename T, typename S>
__device__ __forceinline__ void load_matrix_sync(fragment<accumulator, M, N, K, T>& c, const S* from,
                                                 unsigned int stride, layout_t layout) {
  const int row = __ws_shape<M, N>::row(), column = __ws_shape<M, N>::column();
  for (int i = 0; i < __ws_shape<M, N>::kPart; ++i) {
    c.x[i] = from[layout == mem_row_major ? __ws_at<row_major>(row, column + i, stride)
                                          : __ws_at<col_major>(row, column + i, stride)];
  }
  __ws_together();
}
template <int M, int N, int K, typename T, typename S>
__device__ __forceinline__ void store_matrix_sync(S* to, const fragment<accumulator, M, N, K, T>& c,
                                                  unsigned int stride, layout_t layout) {
  const int row = __ws_shape<M, N>::row(), column = __ws_shape<M, N>::column();
  __ws_together();
  for (int i = 0; i < __ws_shape<M, N>::kPart; ++i) {
    to[layout == mem_row_major ? __ws_at<row_major>(row, column + i, stride)
                               : __ws_at<col_major>(row, column + i, stride)] = c.x[i];
  }
}

template <typename Use, int M, int N, int K, typename T, typename Layout, typename V>
__device__ __forceinline__ void fill_fragment(fragment<Use, M, N, K, T, Layout>& all, const V& value) {
  for (int i = 0; i < all.num_elements; ++i) all.x[i] = value;
}

// Sums are made in the type of the accumulator: float for halves, as the hardware does, and double for doubles.
template <typename T> struct __ws_sum { using type = T; };
template <> struct __ws_sum<__half> { using type = float; };

template <int M, int N, int K, typename A, typename LayoutA, typename LayoutB, typename C, typename D>
__device__ __forceinline__ void mma_sync(fragment<accumulator, M, N, K, D>& d,
                                         const fragment<matrix_a, M, N, K, A, LayoutA>& a,
                                         const fragment<matrix_b, M, N, K, A, LayoutB>& b,
                                         const fragment<accumulator, M, N, K, C>& c, bool = false) {
  using Sum = typename __ws_sum<C>::type;
  constexpr int kPart = __ws_shape<M, N>::kPart;
  for (int i = 0; i < kPart; ++i) {
    Sum sum = (Sum)c.x[i];
    for (int k = 0; k < K; ++k) sum += (Sum)a.x[k] * (Sum)b.x[k * kPart + i];
    d.x[i] = (D)sum;
  }
  __ws_together();
}

// Ten bits of a float's mantissa, rounded to the nearest, ties away from zero.
__device__ __forceinline__ float __float_to_tf32(float value) {
  const unsigned int bits = __builtin_bit_cast(unsigned int, value);
  if ((bits & 0x7f800000u) == 0x7f800000u) return value;
  return __builtin_bit_cast(float, (bits + 0x1000u) & 0xffffe000u);
}

}  // namespace wmma
}  // namespace nvcuda
