// SPDX-License-Identifier: MIT
// The collectives of cub for a block that compare its items: differences, flags, sorting, histograms.
#pragma once

#include "block.h"

namespace __ws_cub {

template <typename T, int X, int Y = 1, int Z = 1>
class BlockAdjacentDifference {
 public:
  static constexpr int kThreads = X * Y * Z;
  struct TempStorage {
    T first_items[kThreads];
    T last_items[kThreads];
  };
  __device__ __forceinline__ BlockAdjacentDifference() : temp_(own()) {}
  __device__ __forceinline__ explicit BlockAdjacentDifference(TempStorage& temp) : temp_(temp) {}

  template <int N, typename U, typename Op> __device__ __forceinline__ void SubtractLeft(T (&in)[N], U (&out)[N], Op op) {
    left(in, out, op, nullptr);
  }
  template <int N, typename U, typename Op>
  __device__ __forceinline__ void SubtractLeft(T (&in)[N], U (&out)[N], Op op, T before) {
    left(in, out, op, &before);
  }
  template <int N, typename U, typename Op> __device__ __forceinline__ void SubtractRight(T (&in)[N], U (&out)[N], Op op) {
    right(in, out, op, nullptr);
  }
  template <int N, typename U, typename Op>
  __device__ __forceinline__ void SubtractRight(T (&in)[N], U (&out)[N], Op op, T behind) {
    right(in, out, op, &behind);
  }

 private:
  template <int N, typename U, typename Op>
  __device__ __forceinline__ void left(T (&in)[N], U (&out)[N], Op op, T* before) {
    const int thread = __ws_cub::row_major_tid();
    temp_.last_items[thread] = in[N - 1];
    __syncthreads();
    for (int i = N - 1; i > 0; --i) out[i] = op(in[i], in[i - 1]);
    if (thread > 0) {
      out[0] = op(in[0], temp_.last_items[thread - 1]);
    } else if (before != nullptr) {
      out[0] = op(in[0], *before);
    } else {
      out[0] = in[0];
    }
  }
  template <int N, typename U, typename Op>
  __device__ __forceinline__ void right(T (&in)[N], U (&out)[N], Op op, T* behind) {
    const int thread = __ws_cub::row_major_tid();
    temp_.first_items[thread] = in[0];
    __syncthreads();
    for (int i = 0; i < N - 1; ++i) out[i] = op(in[i], in[i + 1]);
    if (thread < kThreads - 1) {
      out[N - 1] = op(in[N - 1], temp_.first_items[thread + 1]);
    } else if (behind != nullptr) {
      out[N - 1] = op(in[N - 1], *behind);
    } else {
      out[N - 1] = in[N - 1];
    }
  }
  __device__ __forceinline__ static TempStorage& own() {
    __shared__ TempStorage temp;
    return temp;
  }
  TempStorage& temp_;
};

template <typename T, int X, int Y = 1, int Z = 1, int = 0>
class BlockDiscontinuity {
 public:
  static constexpr int kThreads = X * Y * Z;
  struct TempStorage {
    T first_items[kThreads];
    T last_items[kThreads];
  };
  __device__ __forceinline__ explicit BlockDiscontinuity(TempStorage& temp) : temp_(temp) {}
  template <int N, typename Flag, typename Op>
  __device__ __forceinline__ void FlagHeads(Flag (&flags)[N], T (&in)[N], Op op) {
    const int thread = __ws_cub::row_major_tid();
    temp_.last_items[thread] = in[N - 1];
    __syncthreads();
    flags[0] = thread == 0 ? (Flag)1 : (Flag)op(temp_.last_items[thread - 1], in[0]);
    for (int i = 1; i < N; ++i) flags[i] = (Flag)op(in[i - 1], in[i]);
  }
  template <int N, typename Flag, typename Op>
  __device__ __forceinline__ void FlagTails(Flag (&flags)[N], T (&in)[N], Op op) {
    const int thread = __ws_cub::row_major_tid();
    temp_.first_items[thread] = in[0];
    __syncthreads();
    for (int i = 0; i < N - 1; ++i) flags[i] = (Flag)op(in[i], in[i + 1]);
    flags[N - 1] = thread == kThreads - 1 ? (Flag)1 : (Flag)op(in[N - 1], temp_.first_items[thread + 1]);
  }

 private:
  TempStorage& temp_;
};

// Sorts by counting, for each item, those that come before it.
template <typename K, int X, int Items, typename V, int Y, int Z>
class BlockSort {
 public:
  static constexpr int kThreads = X * Y * Z, kItems = kThreads * Items;
  struct TempStorage {
    K keys[kItems];
    V values[kItems];
  };
  __device__ __forceinline__ explicit BlockSort(TempStorage& temp) : temp_(temp) {}

 protected:
  template <typename Less>
  __device__ __forceinline__ void sort(K (&keys)[Items], V (*values)[Items], Less less, bool striped) {
    const int thread = __ws_cub::row_major_tid();
    int ranks[Items];
    for (int i = 0; i < Items; ++i) temp_.keys[thread * Items + i] = keys[i];
    __syncthreads();
    for (int i = 0; i < Items; ++i) {
      const int here = thread * Items + i;
      ranks[i] = 0;
      for (int j = 0; j < kItems; ++j) {
        const K other = temp_.keys[j];
        ranks[i] += less(other, keys[i]) || (j < here && !less(keys[i], other)) ? 1 : 0;
      }
    }
    __syncthreads();
    for (int i = 0; i < Items; ++i) {
      temp_.keys[ranks[i]] = keys[i];
      if (values != nullptr) temp_.values[ranks[i]] = (*values)[i];
    }
    __syncthreads();
    for (int i = 0; i < Items; ++i) {
      const int at = striped ? i * kThreads + thread : thread * Items + i;
      keys[i] = temp_.keys[at];
      if (values != nullptr) (*values)[i] = temp_.values[at];
    }
  }
  TempStorage& temp_;
};

// Keys compared by some of their bits, as a radix sort does.
template <typename K, bool Descending> struct ByBits {
  int begin, end;
  __device__ __forceinline__ unsigned long long part(K key) const {
    unsigned long long bits = 0;
    __builtin_memcpy(&bits, &key, sizeof(K));
    constexpr unsigned long long sign = 1ull << (sizeof(K) * 8 - 1);
    if constexpr (std::is_floating_point<K>::value) {
      bits = bits & sign ? ~bits & (sign | (sign - 1)) : bits | sign;
    } else if constexpr (std::is_signed<K>::value) {
      bits ^= sign;
    }
    const int count = end - begin;
    return bits >> begin & (count >= 64 ? ~0ull : (1ull << count) - 1);
  }
  __device__ __forceinline__ bool operator()(K a, K b) const { return Descending ? part(b) < part(a) : part(a) < part(b); }
};

template <typename K, int X, int Items, typename V = NullType, int = 4, bool = true, BlockScanAlgorithm = BLOCK_SCAN_WARP_SCANS,
          int = 0, int Y = 1, int Z = 1>
class BlockRadixSort : public BlockSort<K, X, Items, V, Y, Z> {
  using Base = BlockSort<K, X, Items, V, Y, Z>;

 public:
  using TempStorage = typename Base::TempStorage;
  __device__ __forceinline__ BlockRadixSort() : Base(own()) {}
  __device__ __forceinline__ explicit BlockRadixSort(TempStorage& temp) : Base(temp) {}
#define __WS_SORT(name, descending, striped)                                                            \
  __device__ __forceinline__ void name(K (&keys)[Items], int begin = 0, int end = sizeof(K) * 8) {       \
    this->sort(keys, (V(*)[Items]) nullptr, ByBits<K, descending>{begin, end}, striped);                \
  }                                                                                                     \
  __device__ __forceinline__ void name(K (&keys)[Items], V (&values)[Items], int begin = 0, int end = sizeof(K) * 8) { \
    this->sort(keys, &values, ByBits<K, descending>{begin, end}, striped);                              \
  }
  __WS_SORT(Sort, false, false)
  __WS_SORT(SortDescending, true, false)
  __WS_SORT(SortBlockedToStriped, false, true)
  __WS_SORT(SortDescendingBlockedToStriped, true, true)
#undef __WS_SORT

 private:
  __device__ __forceinline__ static TempStorage& own() {
    __shared__ TempStorage temp;
    return temp;
  }
};

template <typename K, int X, int Items, typename V = NullType, int Y = 1, int Z = 1>
class BlockMergeSort : public BlockSort<K, X, Items, V, Y, Z> {
  using Base = BlockSort<K, X, Items, V, Y, Z>;

 public:
  using TempStorage = typename Base::TempStorage;
  using Base::Base;
  template <typename Less> __device__ __forceinline__ void Sort(K (&keys)[Items], Less less) {
    this->sort(keys, (V(*)[Items]) nullptr, less, false);
  }
  template <typename Less> __device__ __forceinline__ void Sort(K (&keys)[Items], V (&values)[Items], Less less) {
    this->sort(keys, &values, less, false);
  }
  template <typename Less> __device__ __forceinline__ void StableSort(K (&keys)[Items], Less less) { Sort(keys, less); }
};

template <typename T, int X, int Items, int Bins, BlockHistogramAlgorithm = BLOCK_HISTO_SORT, int Y = 1, int Z = 1, int = 0>
class BlockHistogram {
 public:
  static constexpr int kThreads = X * Y * Z;
  struct TempStorage {
    char unused;
  };
  __device__ __forceinline__ explicit BlockHistogram(TempStorage&) {}
  template <typename C> __device__ __forceinline__ void InitHistogram(C (&histogram)[Bins]) {
    for (int i = __ws_cub::row_major_tid(); i < Bins; i += kThreads) histogram[i] = 0;
  }
  template <typename C> __device__ __forceinline__ void Composite(T (&items)[Items], C (&histogram)[Bins]) {
    for (int i = 0; i < Items; ++i) atomicAdd(histogram + items[i], (C)1);
  }
  template <typename C> __device__ __forceinline__ void Histogram(T (&items)[Items], C (&histogram)[Bins]) {
    InitHistogram(histogram);
    __syncthreads();
    Composite(items, histogram);
  }
};

}  // namespace __ws_cub
