// SPDX-License-Identifier: MIT
// The collectives of cub for a block. They use their temporary storage as cub does: between two uses of it there must
// be a barrier of the caller's.
#pragma once

#include "warp.h"

namespace __ws_cub {

enum BlockReduceAlgorithm { BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY, BLOCK_REDUCE_RAKING, BLOCK_REDUCE_WARP_REDUCTIONS };
enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };
enum BlockLoadAlgorithm { BLOCK_LOAD_DIRECT, BLOCK_LOAD_STRIPED, BLOCK_LOAD_VECTORIZE, BLOCK_LOAD_TRANSPOSE,
                          BLOCK_LOAD_WARP_TRANSPOSE, BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED };
enum BlockStoreAlgorithm { BLOCK_STORE_DIRECT, BLOCK_STORE_STRIPED, BLOCK_STORE_VECTORIZE, BLOCK_STORE_TRANSPOSE,
                           BLOCK_STORE_WARP_TRANSPOSE, BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED };
enum BlockHistogramAlgorithm { BLOCK_HISTO_SORT, BLOCK_HISTO_ATOMIC };
enum CacheLoadModifier { LOAD_DEFAULT, LOAD_CA, LOAD_CG, LOAD_CS, LOAD_CV, LOAD_LDG, LOAD_VOLATILE };
enum CacheStoreModifier { STORE_DEFAULT, STORE_WB, STORE_CG, STORE_CS, STORE_WT, STORE_VOLATILE };
template <int M, typename It> __device__ __forceinline__ auto ThreadLoad(It at) { return *at; }
template <int M, typename It, typename T> __device__ __forceinline__ void ThreadStore(It at, T v) { *at = v; }

template <typename T, int X, BlockReduceAlgorithm = BLOCK_REDUCE_WARP_REDUCTIONS, int Y = 1, int Z = 1, int = 0>
class BlockReduce {
 public:
  static constexpr int kThreads = X * Y * Z, kWarps = (kThreads + 31) / 32;
  struct TempStorage {
    T warps[kWarps];
  };
  __device__ __forceinline__ BlockReduce() : temp_(own()) {}
  __device__ __forceinline__ explicit BlockReduce(TempStorage& temp) : temp_(temp) {}

  template <typename Op> __device__ __forceinline__ T Reduce(T v, Op op) { return Reduce(v, op, kThreads); }
  template <typename Op> __device__ __forceinline__ T Reduce(T v, Op op, int valid) {
    const int thread = __ws_cub::row_major_tid(), first = thread / 32 * 32;
    T sum = __ws_cub::warp_reduce(v, op, 32, valid - first, __ws_cub::lanes_of(32, kThreads));
    if (thread % 32 == 0) temp_.warps[thread / 32] = sum;
    __syncthreads();
    if (thread == 0) {
      for (int i = 1; i < kWarps && i * 32 < valid; ++i) sum = (T)op(sum, temp_.warps[i]);
    }
    return sum;
  }
  template <int N, typename Op> __device__ __forceinline__ T Reduce(T (&v)[N], Op op) {
    T sum = v[0];
    for (int i = 1; i < N; ++i) sum = (T)op(sum, v[i]);
    return Reduce(sum, op);
  }
  __device__ __forceinline__ T Sum(T v) { return Reduce(v, __ws_cub::Sum()); }
  __device__ __forceinline__ T Sum(T v, int valid) { return Reduce(v, __ws_cub::Sum(), valid); }
  template <int N> __device__ __forceinline__ T Sum(T (&v)[N]) { return Reduce(v, __ws_cub::Sum()); }

 private:
  __device__ __forceinline__ static TempStorage& own() {
    __shared__ TempStorage temp;
    return temp;
  }
  TempStorage& temp_;
};

template <typename T, int X, BlockScanAlgorithm = BLOCK_SCAN_RAKING, int Y = 1, int Z = 1, int = 0>
class BlockScan {
 public:
  static constexpr int kThreads = X * Y * Z, kWarps = (kThreads + 31) / 32;
  struct TempStorage {
    T warps[kWarps];
    T prefix;
  };
  __device__ __forceinline__ BlockScan() : temp_(own()) {}
  __device__ __forceinline__ explicit BlockScan(TempStorage& temp) : temp_(temp) {}

  template <typename Op> __device__ __forceinline__ void InclusiveScan(T v, T& out, Op op) {
    T all;
    InclusiveScan(v, out, op, all);
  }
  template <typename Op> __device__ __forceinline__ void InclusiveScan(T v, T& out, Op op, T& all) {
    T inclusive, before;
    const bool has_before = scan(v, op, inclusive, before, all);
    out = inclusive;
    (void)has_before;
  }
  template <typename Op, typename F> __device__ __forceinline__ void InclusiveScan(T v, T& out, Op op, F& prefix) {
    T inclusive, before, all;
    scan(v, op, inclusive, before, all);
    out = (T)op(prefix_of(prefix, all), inclusive);
  }
  template <typename Op> __device__ __forceinline__ void ExclusiveScan(T v, T& out, Op op) {
    T inclusive, before, all;
    if (scan(v, op, inclusive, before, all)) out = before;
  }
  template <typename Op> __device__ __forceinline__ void ExclusiveScan(T v, T& out, T first, Op op) {
    T all;
    ExclusiveScan(v, out, first, op, all);
  }
  template <typename Op> __device__ __forceinline__ void ExclusiveScan(T v, T& out, T first, Op op, T& all) {
    T inclusive, before;
    out = scan(v, op, inclusive, before, all) ? (T)op(first, before) : first;
  }
  template <typename Op, typename F> __device__ __forceinline__ void ExclusiveScanWith(T v, T& out, Op op, F& prefix) {
    T inclusive, before, all;
    const bool has_before = scan(v, op, inclusive, before, all);
    const T start = prefix_of(prefix, all);
    out = has_before ? (T)op(start, before) : start;
  }
  __device__ __forceinline__ void InclusiveSum(T v, T& out) { InclusiveScan(v, out, __ws_cub::Sum()); }
  __device__ __forceinline__ void InclusiveSum(T v, T& out, T& all) { InclusiveScan(v, out, __ws_cub::Sum(), all); }
  template <typename F> __device__ __forceinline__ void InclusiveSum(T v, T& out, F& prefix) {
    InclusiveScan(v, out, __ws_cub::Sum(), prefix);
  }
  __device__ __forceinline__ void ExclusiveSum(T v, T& out) { ExclusiveScan(v, out, T(0), __ws_cub::Sum()); }
  __device__ __forceinline__ void ExclusiveSum(T v, T& out, T& all) {
    ExclusiveScan(v, out, T(0), __ws_cub::Sum(), all);
  }
  template <typename F> __device__ __forceinline__ void ExclusiveSum(T v, T& out, F& prefix) {
    ExclusiveScanWith(v, out, __ws_cub::Sum(), prefix);
  }

  template <int N> __device__ __forceinline__ void InclusiveSum(T (&v)[N], T (&out)[N]) {
    T all;
    InclusiveSum(v, out, all);
  }
  template <int N> __device__ __forceinline__ void InclusiveSum(T (&v)[N], T (&out)[N], T& all) {
    InclusiveScan(v, out, __ws_cub::Sum(), all);
  }
  template <int N, typename Op> __device__ __forceinline__ void InclusiveScan(T (&v)[N], T (&out)[N], Op op) {
    T all;
    InclusiveScan(v, out, op, all);
  }
  template <int N, typename Op> __device__ __forceinline__ void InclusiveScan(T (&v)[N], T (&out)[N], Op op, T& all) {
    T inclusive, before;
    const bool has_before = scan(total(v, op), op, inclusive, before, all);
    for (int i = 0; i < N; ++i) {
      const T here = v[i];
      before = i == 0 && !has_before ? here : (T)op(before, here);
      out[i] = before;
    }
  }
  template <int N> __device__ __forceinline__ void ExclusiveSum(T (&v)[N], T (&out)[N]) {
    T all;
    ExclusiveSum(v, out, all);
  }
  template <int N> __device__ __forceinline__ void ExclusiveSum(T (&v)[N], T (&out)[N], T& all) {
    ExclusiveScan(v, out, T(0), __ws_cub::Sum(), all);
  }
  template <int N, typename Op> __device__ __forceinline__ void ExclusiveScan(T (&v)[N], T (&out)[N], T first, Op op) {
    T all;
    ExclusiveScan(v, out, first, op, all);
  }
  template <int N, typename Op>
  __device__ __forceinline__ void ExclusiveScan(T (&v)[N], T (&out)[N], T first, Op op, T& all) {
    T inclusive, before;
    T sum = scan(total(v, op), op, inclusive, before, all) ? (T)op(first, before) : first;
    for (int i = 0; i < N; ++i) {
      const T here = v[i];
      out[i] = sum;
      sum = (T)op(sum, here);
    }
  }

 private:
  __device__ __forceinline__ static TempStorage& own() {
    __shared__ TempStorage temp;
    return temp;
  }
  template <int N, typename Op> __device__ __forceinline__ static T total(T (&v)[N], Op op) {
    T sum = v[0];
    for (int i = 1; i < N; ++i) sum = (T)op(sum, v[i]);
    return sum;
  }
  // Up to and including this thread, before it, and of all; false in the first thread, which has nothing before it.
  template <typename Op> __device__ __forceinline__ bool scan(T v, Op op, T& inclusive, T& before, T& all) {
    const int thread = __ws_cub::row_major_tid(), warp = thread / 32, lane = thread % 32;
    const unsigned int mask = __ws_cub::lanes_of(32, kThreads);
    inclusive = __ws_cub::warp_inclusive_scan(v, op, 32, mask);
    before = __ws_cub::from_lane(mask, inclusive, __ws_hook::kShuffleUp, 1, 32);
    if (lane == 31 || thread == kThreads - 1) temp_.warps[warp] = inclusive;
    __syncthreads();
    T sum = temp_.warps[0], start = sum;
    for (int i = 1; i < kWarps; ++i) {
      if (i == warp) start = sum;
      sum = (T)op(sum, temp_.warps[i]);
    }
    all = sum;
    if (warp == 0) return lane > 0;
    inclusive = (T)op(start, inclusive);
    before = lane > 0 ? (T)op(start, before) : start;
    return true;
  }
  template <typename F> __device__ __forceinline__ T prefix_of(F& prefix, T all) {
    if (__ws_cub::row_major_tid() < 32) {
      const T value = prefix(all);
      if (__ws_cub::row_major_tid() == 0) temp_.prefix = value;
    }
    __syncthreads();
    return temp_.prefix;
  }
  TempStorage& temp_;
};

template <typename T, int X, int Items, bool = false, int Y = 1, int Z = 1, int = 0>
class BlockExchange {
 public:
  static constexpr int kThreads = X * Y * Z;
  struct TempStorage {
    T items[kThreads * Items];
  };
  __device__ __forceinline__ BlockExchange() : temp_(own()) {}
  __device__ __forceinline__ explicit BlockExchange(TempStorage& temp) : temp_(temp) {}

  static __device__ __forceinline__ int blocked(int i) { return __ws_cub::row_major_tid() * Items + i; }
  static __device__ __forceinline__ int striped(int i) { return i * kThreads + __ws_cub::row_major_tid(); }
  static __device__ __forceinline__ int warp_striped(int i) {
    return __ws_cub::row_major_tid() / 32 * 32 * Items + i * 32 + __ws_cub::row_major_tid() % 32;
  }
#define __WS_EXCHANGE(name, from, to)                                                            \
  template <typename U> __device__ __forceinline__ void name(const T (&in)[Items], U (&out)[Items]) { \
    for (int i = 0; i < Items; ++i) temp_.items[from(i)] = in[i];                                \
    __syncthreads();                                                                             \
    for (int i = 0; i < Items; ++i) out[i] = temp_.items[to(i)];                                 \
  }                                                                                              \
  __device__ __forceinline__ void name(T (&items)[Items]) { name(items, items); }
  __WS_EXCHANGE(StripedToBlocked, striped, blocked)
  __WS_EXCHANGE(BlockedToStriped, blocked, striped)
  __WS_EXCHANGE(WarpStripedToBlocked, warp_striped, blocked)
  __WS_EXCHANGE(BlockedToWarpStriped, blocked, warp_striped)
#undef __WS_EXCHANGE
#define __WS_SCATTER(name, to)                                                                             \
  template <typename U, typename Rank>                                                                     \
  __device__ __forceinline__ void name(const T (&in)[Items], U (&out)[Items], Rank (&ranks)[Items]) {      \
    for (int i = 0; i < Items; ++i) temp_.items[ranks[i]] = in[i];                                         \
    __syncthreads();                                                                                       \
    for (int i = 0; i < Items; ++i) out[i] = temp_.items[to(i)];                                           \
  }                                                                                                        \
  template <typename Rank> __device__ __forceinline__ void name(T (&items)[Items], Rank (&ranks)[Items]) { \
    name(items, items, ranks);                                                                             \
  }
  __WS_SCATTER(ScatterToBlocked, blocked)
  __WS_SCATTER(ScatterToStriped, striped)
#undef __WS_SCATTER

 private:
  __device__ __forceinline__ static TempStorage& own() {
    __shared__ TempStorage temp;
    return temp;
  }
  TempStorage& temp_;
};

template <int X, typename T, int N, typename It>
__device__ __forceinline__ void LoadDirectStriped(int thread, It from, T (&items)[N]) {
  for (int i = 0; i < N; ++i) items[i] = from[thread + i * X];
}
template <int X, typename T, int N, typename It>
__device__ __forceinline__ void LoadDirectStriped(int thread, It from, T (&items)[N], int valid) {
  for (int i = 0; i < N; ++i) {
    if (thread + i * X < valid) items[i] = from[thread + i * X];
  }
}
template <int X, typename T, int N, typename It>
__device__ __forceinline__ void StoreDirectStriped(int thread, It to, T (&items)[N]) {
  for (int i = 0; i < N; ++i) to[thread + i * X] = items[i];
}
template <int X, typename T, int N, typename It>
__device__ __forceinline__ void StoreDirectStriped(int thread, It to, T (&items)[N], int valid) {
  for (int i = 0; i < N; ++i) {
    if (thread + i * X < valid) to[thread + i * X] = items[i];
  }
}
template <typename T, int N, typename It>
__device__ __forceinline__ void LoadDirectBlocked(int thread, It from, T (&items)[N]) {
  for (int i = 0; i < N; ++i) items[i] = from[thread * N + i];
}
template <typename T, int N, typename It>
__device__ __forceinline__ void LoadDirectBlocked(int thread, It from, T (&items)[N], int valid) {
  for (int i = 0; i < N; ++i) {
    if (thread * N + i < valid) items[i] = from[thread * N + i];
  }
}
template <typename T, int N, typename It>
__device__ __forceinline__ void StoreDirectBlocked(int thread, It to, T (&items)[N]) {
  for (int i = 0; i < N; ++i) to[thread * N + i] = items[i];
}
template <typename T, int N, typename It>
__device__ __forceinline__ void StoreDirectBlocked(int thread, It to, T (&items)[N], int valid) {
  for (int i = 0; i < N; ++i) {
    if (thread * N + i < valid) to[thread * N + i] = items[i];
  }
}

template <typename T, int X, int Items, BlockLoadAlgorithm Algorithm = BLOCK_LOAD_DIRECT, int Y = 1, int Z = 1, int = 0>
class BlockLoad {
  static constexpr bool kExchanges = Algorithm >= BLOCK_LOAD_TRANSPOSE;
  using Exchange = BlockExchange<T, X, Items, false, Y, Z>;
  struct Empty {
    char unused;
  };

 public:
  using TempStorage = typename std::conditional<kExchanges, typename Exchange::TempStorage, Empty>::type;
  __device__ __forceinline__ BlockLoad() : temp_(own()) {}
  __device__ __forceinline__ explicit BlockLoad(TempStorage& temp) : temp_(temp) {}

  template <typename It> __device__ __forceinline__ void Load(It from, T (&items)[Items]) {
    Load(from, items, X * Y * Z * Items);
  }
  template <typename It, typename D> __device__ __forceinline__ void Load(It from, T (&items)[Items], int valid, D other) {
    for (int i = 0; i < Items; ++i) items[i] = (T)other;
    Load(from, items, valid);
  }
  template <typename It> __device__ __forceinline__ void Load(It from, T (&items)[Items], int valid) {
    for (int i = 0; i < Items; ++i) {
      const int at = Algorithm == BLOCK_LOAD_DIRECT || Algorithm == BLOCK_LOAD_VECTORIZE ? Exchange::blocked(i)
                                                                                         : Exchange::striped(i);
      if (at < valid) items[i] = from[at];
    }
    if constexpr (kExchanges) Exchange(temp_).StripedToBlocked(items, items);
  }

 private:
  __device__ __forceinline__ static TempStorage& own() {
    __shared__ TempStorage temp;
    return temp;
  }
  TempStorage& temp_;
};

template <typename T, int X, int Items, BlockStoreAlgorithm Algorithm = BLOCK_STORE_DIRECT, int Y = 1, int Z = 1, int = 0>
class BlockStore {
  static constexpr bool kExchanges = Algorithm >= BLOCK_STORE_TRANSPOSE;
  using Exchange = BlockExchange<T, X, Items, false, Y, Z>;
  struct Empty {
    char unused;
  };

 public:
  using TempStorage = typename std::conditional<kExchanges, typename Exchange::TempStorage, Empty>::type;
  __device__ __forceinline__ BlockStore() : temp_(own()) {}
  __device__ __forceinline__ explicit BlockStore(TempStorage& temp) : temp_(temp) {}

  template <typename It> __device__ __forceinline__ void Store(It to, T (&items)[Items]) {
    Store(to, items, X * Y * Z * Items);
  }
  template <typename It> __device__ __forceinline__ void Store(It to, T (&items)[Items], int valid) {
    if constexpr (kExchanges) Exchange(temp_).BlockedToStriped(items, items);
    for (int i = 0; i < Items; ++i) {
      const int at = Algorithm == BLOCK_STORE_DIRECT || Algorithm == BLOCK_STORE_VECTORIZE ? Exchange::blocked(i)
                                                                                           : Exchange::striped(i);
      if (at < valid) to[at] = items[i];
    }
  }

 private:
  __device__ __forceinline__ static TempStorage& own() {
    __shared__ TempStorage temp;
    return temp;
  }
  TempStorage& temp_;
};

}  // namespace __ws_cub
