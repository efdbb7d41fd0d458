// SPDX-License-Identifier: MIT
// The collectives of cub for a warp, and what those for a block share with them.
#pragma once

#include "../thrust/functions.h"

namespace __ws_cub {

struct NullType {};
// The operators of cub are those of thrust with templates for arguments.
using Sum = __ws_thrust::plus<>;
using Max = __ws_thrust::maximum<>;
using Min = __ws_thrust::minimum<>;
using Equality = __ws_thrust::equal_to<>;
using Inequality = __ws_thrust::not_equal_to<>;
using Difference = __ws_thrust::minus<>;
struct CastOp {};

template <typename Key, typename Value> struct KeyValuePair {
  Key key;
  Value value;
};
template <bool Greater> struct ArgBest {
  template <typename P> __host__ __device__ P operator()(const P& a, const P& b) const {
    const bool better = Greater ? a.value < b.value : b.value < a.value;
    return better || (b.value == a.value && b.key < a.key) ? b : a;
  }
};
using ArgMax = ArgBest<true>;
using ArgMin = ArgBest<false>;

// Bits that are in the order of the values, as radix sorts need them.
template <int Size> struct BitsOfSize;
template <> struct BitsOfSize<1> { using type = unsigned char; };
template <> struct BitsOfSize<2> { using type = unsigned short; };
template <> struct BitsOfSize<4> { using type = unsigned int; };
template <> struct BitsOfSize<8> { using type = unsigned long long; };
template <typename T> struct Traits {
  using UnsignedBits = typename BitsOfSize<sizeof(T)>::type;
  static constexpr UnsignedBits HIGH_BIT = UnsignedBits(UnsignedBits(1) << (8 * sizeof(T) - 1));
  static constexpr bool kIntegral = __is_integral(T);
  static constexpr UnsignedBits kFlipped = __is_unsigned(T) ? UnsignedBits(0) : HIGH_BIT;
  static __host__ __device__ __forceinline__ UnsignedBits TwiddleIn(UnsignedBits bits) {
    return UnsignedBits(bits ^ (kIntegral ? kFlipped : (bits & HIGH_BIT) ? UnsignedBits(-1) : HIGH_BIT));
  }
  static __host__ __device__ __forceinline__ UnsignedBits TwiddleOut(UnsignedBits bits) {
    return UnsignedBits(bits ^ (kIntegral ? kFlipped : (bits & HIGH_BIT) ? HIGH_BIT : UnsignedBits(-1)));
  }
};

__device__ __forceinline__ int row_major_tid() {
  return (int)(threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z));
}
__device__ __forceinline__ unsigned int LaneId() { return (unsigned int)__ws_cub::row_major_tid() % 32u; }
__device__ __forceinline__ unsigned int WarpId() { return (unsigned int)__ws_cub::row_major_tid() / 32u; }
__device__ __forceinline__ void CTA_SYNC() { __syncthreads(); }
__device__ __forceinline__ void WARP_SYNC(unsigned int mask) { __syncwarp(mask); }
__device__ __forceinline__ int RowMajorTid(int, int, int) { return __ws_cub::row_major_tid(); }

// A value of any size of another lane.
template <typename T> __device__ __forceinline__ T from_lane(unsigned int mask, const T& value, int mode, int lane, int width) {
  constexpr int kWords = (int)((sizeof(T) + 7) / 8);
  unsigned long long words[kWords] = {};
  __builtin_memcpy(words, &value, sizeof(T));
  for (int i = 0; i < kWords; ++i) words[i] = __ws_shuffle(mask, mode, words[i], lane, width);
  T result;
  __builtin_memcpy((void*)&result, words, sizeof(T));
  return result;
}
template <int Width, typename T> __device__ __forceinline__ T ShuffleUp(T v, int by, int, unsigned int mask) {
  return __ws_cub::from_lane(mask, v, __ws_hook::kShuffleUp, by, Width);
}
template <int Width, typename T> __device__ __forceinline__ T ShuffleDown(T v, int by, int, unsigned int mask) {
  return __ws_cub::from_lane(mask, v, __ws_hook::kShuffleDown, by, Width);
}
template <int Width, typename T> __device__ __forceinline__ T ShuffleIndex(T v, int lane, unsigned int mask) {
  return __ws_cub::from_lane(mask, v, __ws_hook::kShuffleIndex, lane, Width);
}

// The lanes of `width` that a logical warp has, where the block has `threads`.
__device__ __forceinline__ unsigned int lanes_of(int width, int threads) {
  const int first = __ws_cub::row_major_tid() / width * width;
  const int count = threads - first < width ? threads - first : width;
  const unsigned int bits = count >= 32 ? 0xffffffffu : (1u << count) - 1;
  return bits << first % 32;
}
__device__ __forceinline__ int threads_of_block() { return (int)(blockDim.x * blockDim.y * blockDim.z); }

// The sum of lanes 0 to valid - 1 in lane 0, in their order.
template <typename T, typename Op>
__device__ __forceinline__ T warp_reduce(T value, Op op, int width, int valid, unsigned int mask) {
  const int lane = __ws_cub::row_major_tid() % width;
  for (int by = 1; by < width; by *= 2) {
    const T other = __ws_cub::from_lane(mask, value, __ws_hook::kShuffleDown, by, width);
    if (lane % (2 * by) == 0 && lane + by < valid) value = (T)op(value, other);
  }
  return value;
}
template <typename T, typename Op>
__device__ __forceinline__ T warp_inclusive_scan(T value, Op op, int width, unsigned int mask) {
  const int lane = __ws_cub::row_major_tid() % width;
  for (int by = 1; by < width; by *= 2) {
    const T other = __ws_cub::from_lane(mask, value, __ws_hook::kShuffleUp, by, width);
    if (lane >= by) value = (T)op(other, value);
  }
  return value;
}

template <typename T, int Width = 32, int = 0>
class WarpReduce {
 public:
  struct TempStorage {
    char unused;
  };
  __device__ __forceinline__ explicit WarpReduce(TempStorage&) {}
  template <typename Op> __device__ __forceinline__ T Reduce(T v, Op op) { return Reduce(v, op, Width); }
  template <typename Op> __device__ __forceinline__ T Reduce(T v, Op op, int valid) {
    return __ws_cub::warp_reduce(v, op, Width, valid, __ws_cub::lanes_of(Width, __ws_cub::threads_of_block()));
  }
  __device__ __forceinline__ T Sum(T v) { return Reduce(v, __ws_cub::Sum()); }
  __device__ __forceinline__ T Sum(T v, int valid) { return Reduce(v, __ws_cub::Sum(), valid); }
  __device__ __forceinline__ T Max(T v) { return Reduce(v, __ws_cub::Max()); }
  __device__ __forceinline__ T Min(T v) { return Reduce(v, __ws_cub::Min()); }
};

template <typename T, int Width = 32, int = 0>
class WarpScan {
 public:
  struct TempStorage {
    char unused;
  };
  __device__ __forceinline__ explicit WarpScan(TempStorage&) {}
  template <typename Op> __device__ __forceinline__ void InclusiveScan(T v, T& out, Op op) {
    out = __ws_cub::warp_inclusive_scan(v, op, Width, mask());
  }
  template <typename Op> __device__ __forceinline__ void InclusiveScan(T v, T& out, Op op, T& all) {
    InclusiveScan(v, out, op);
    all = Broadcast(out, Width - 1);
  }
  template <typename Op> __device__ __forceinline__ void ExclusiveScan(T v, T& out, Op op) {
    const T inclusive = __ws_cub::warp_inclusive_scan(v, op, Width, mask());
    const T before = __ws_cub::from_lane(mask(), inclusive, __ws_hook::kShuffleUp, 1, Width);
    if (lane() > 0) out = before;
  }
  template <typename Op> __device__ __forceinline__ void ExclusiveScan(T v, T& out, T first, Op op) {
    const T inclusive = __ws_cub::warp_inclusive_scan(v, op, Width, mask());
    const T before = __ws_cub::from_lane(mask(), inclusive, __ws_hook::kShuffleUp, 1, Width);
    out = lane() > 0 ? (T)op(first, before) : first;
  }
  template <typename Op> __device__ __forceinline__ void ExclusiveScan(T v, T& out, T first, Op op, T& all) {
    const T inclusive = __ws_cub::warp_inclusive_scan(v, op, Width, mask());
    ExclusiveScan(v, out, first, op);
    all = Broadcast(inclusive, Width - 1);
  }
  template <typename Op> __device__ __forceinline__ void Scan(T v, T& inclusive, T& exclusive, Op op) {
    const T given = v;
    InclusiveScan(given, inclusive, op);
    ExclusiveScan(given, exclusive, op);
  }
  __device__ __forceinline__ void InclusiveSum(T v, T& out) { InclusiveScan(v, out, __ws_cub::Sum()); }
  __device__ __forceinline__ void InclusiveSum(T v, T& out, T& all) { InclusiveScan(v, out, __ws_cub::Sum(), all); }
  __device__ __forceinline__ void ExclusiveSum(T v, T& out) { ExclusiveScan(v, out, T(0), __ws_cub::Sum()); }
  __device__ __forceinline__ void ExclusiveSum(T v, T& out, T& all) {
    ExclusiveScan(v, out, T(0), __ws_cub::Sum(), all);
  }
  __device__ __forceinline__ T Broadcast(T v, unsigned int lane) {
    return __ws_cub::from_lane(mask(), v, __ws_hook::kShuffleIndex, (int)lane, Width);
  }

 private:
  __device__ __forceinline__ static int lane() { return __ws_cub::row_major_tid() % Width; }
  __device__ __forceinline__ static unsigned int mask() { return __ws_cub::lanes_of(Width, __ws_cub::threads_of_block()); }
};

template <typename T, int Items, int Width = 32, int = 0>
class WarpExchange {
 public:
  struct TempStorage {
    T items[Items * Width];
  };
  __device__ __forceinline__ explicit WarpExchange(TempStorage& temp) : temp_(temp) {}
  template <typename U> __device__ __forceinline__ void BlockedToStriped(const T (&in)[Items], U (&out)[Items]) {
    put(in, [](int lane, int i) { return lane * Items + i; });
    take(out, [](int lane, int i) { return i * Width + lane; });
  }
  template <typename U> __device__ __forceinline__ void StripedToBlocked(const T (&in)[Items], U (&out)[Items]) {
    put(in, [](int lane, int i) { return i * Width + lane; });
    take(out, [](int lane, int i) { return lane * Items + i; });
  }
  template <typename Rank> __device__ __forceinline__ void ScatterToStriped(T (&items)[Items], Rank (&ranks)[Items]) {
    ScatterToStriped(items, items, ranks);
  }
  template <typename U, typename Rank>
  __device__ __forceinline__ void ScatterToStriped(const T (&in)[Items], U (&out)[Items], Rank (&ranks)[Items]) {
    put(in, [&](int, int i) { return (int)ranks[i]; });
    take(out, [](int lane, int i) { return i * Width + lane; });
  }

 private:
  template <typename F> __device__ __forceinline__ void put(const T (&in)[Items], F at) {
    for (int i = 0; i < Items; ++i) temp_.items[at(__ws_cub::row_major_tid() % Width, i)] = in[i];
    __syncwarp(__ws_cub::lanes_of(Width, __ws_cub::threads_of_block()));
  }
  template <typename U, typename F> __device__ __forceinline__ void take(U (&out)[Items], F at) {
    for (int i = 0; i < Items; ++i) out[i] = temp_.items[at(__ws_cub::row_major_tid() % Width, i)];
  }
  TempStorage& temp_;
};

}  // namespace __ws_cub
