// SPDX-License-Identifier: MIT
// Cooperative groups. A part of a warp is a mask of lanes; a block, a cluster and a grid have no state.
#pragma once

#include "async.h"
#include "hook_numbers.h"

extern "C" {
__device__ void __ws_grid_barrier();
__device__ void __ws_cluster_barrier();
// By BlocksKind.
__device__ void __ws_blocks_arrive(unsigned int blocks);
__device__ void __ws_blocks_wait(unsigned int blocks);
__device__ void* __ws_map_shared(const void* p, unsigned int rank);
__device__ unsigned int __ws_shared_rank(const void* p);
// By ClusterRegister.
__device__ unsigned int __ws_cluster_register(int which);
}

namespace cooperative_groups {

namespace __ws {
__device__ __forceinline__ unsigned int lane() { return __nvvm_read_ptx_sreg_laneid(); }
__device__ __forceinline__ unsigned int thread() {
  return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}
__device__ __forceinline__ unsigned int threads() { return blockDim.x * blockDim.y * blockDim.z; }
__device__ __forceinline__ unsigned int block() {
  return (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
}
__device__ __forceinline__ unsigned int blocks() { return gridDim.x * gridDim.y * gridDim.z; }
// The position of the n-th bit that is set.
__device__ __forceinline__ unsigned int lane_of_rank(unsigned int mask, unsigned int rank) {
  for (unsigned int i = 0; i < rank; ++i) mask &= mask - 1;
  return __ffs((int)mask) - 1;
}
}  // namespace __ws

class thread_block {
 public:
  struct arrival_token {};
  __device__ static __forceinline__ void sync() { __syncthreads(); }
  __device__ static __forceinline__ unsigned int thread_rank() { return __ws::thread(); }
  __device__ static __forceinline__ unsigned int size() { return __ws::threads(); }
  __device__ static __forceinline__ unsigned int num_threads() { return __ws::threads(); }
  __device__ static __forceinline__ dim3 group_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
  __device__ static __forceinline__ dim3 thread_index() { return dim3(threadIdx.x, threadIdx.y, threadIdx.z); }
  __device__ static __forceinline__ dim3 group_dim() { return dim3(blockDim.x, blockDim.y, blockDim.z); }
  __device__ static __forceinline__ dim3 dim_threads() { return group_dim(); }
};
__device__ __forceinline__ thread_block this_thread_block() { return {}; }

class grid_group {
 public:
  __device__ static __forceinline__ bool is_valid() { return true; }
  __device__ static __forceinline__ void sync() { __ws_grid_barrier(); }
  struct arrival_token {};
  __device__ static __forceinline__ arrival_token barrier_arrive() {
    __ws_blocks_arrive(__ws_hook::kGrid);
    return {};
  }
  __device__ static __forceinline__ void barrier_wait(arrival_token&&) { __ws_blocks_wait(__ws_hook::kGrid); }
  __device__ static __forceinline__ unsigned long long size() {
    return (unsigned long long)__ws::blocks() * __ws::threads();
  }
  __device__ static __forceinline__ unsigned long long num_threads() { return size(); }
  __device__ static __forceinline__ unsigned long long thread_rank() {
    return (unsigned long long)__ws::block() * __ws::threads() + __ws::thread();
  }
  __device__ static __forceinline__ unsigned long long block_rank() { return __ws::block(); }
  __device__ static __forceinline__ unsigned long long num_blocks() { return __ws::blocks(); }
  __device__ static __forceinline__ dim3 group_dim() { return dim3(gridDim.x, gridDim.y, gridDim.z); }
  __device__ static __forceinline__ dim3 dim_blocks() { return group_dim(); }
  __device__ static __forceinline__ dim3 block_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
};
__device__ __forceinline__ grid_group this_grid() { return {}; }

class cluster_group {
 public:
  struct arrival_token {};
  __device__ static __forceinline__ void sync() { __ws_cluster_barrier(); }
  __device__ static __forceinline__ arrival_token barrier_arrive() {
    __ws_blocks_arrive(__ws_hook::kCluster);
    return {};
  }
  __device__ static __forceinline__ void barrier_wait() { __ws_blocks_wait(__ws_hook::kCluster); }
  __device__ static __forceinline__ void barrier_wait(arrival_token&&) { __ws_blocks_wait(__ws_hook::kCluster); }
  __device__ static __forceinline__ dim3 block_index() { return registers(__ws_hook::kBlockInCluster); }
  __device__ static __forceinline__ dim3 dim_blocks() { return registers(__ws_hook::kClusterSize); }
  __device__ static __forceinline__ dim3 group_dim() { return dim_blocks(); }
  __device__ static __forceinline__ unsigned int block_rank() {
    return __ws_cluster_register(__ws_hook::kRankInCluster);
  }
  __device__ static __forceinline__ unsigned int num_blocks() {
    return __ws_cluster_register(__ws_hook::kBlocksOfCluster);
  }
  __device__ static __forceinline__ dim3 thread_index() {
    const dim3 block = block_index();
    return dim3(block.x * blockDim.x + threadIdx.x, block.y * blockDim.y + threadIdx.y,
                block.z * blockDim.z + threadIdx.z);
  }
  __device__ static __forceinline__ dim3 dim_threads() {
    const dim3 blocks = dim_blocks();
    return dim3(blocks.x * blockDim.x, blocks.y * blockDim.y, blocks.z * blockDim.z);
  }
  __device__ static __forceinline__ unsigned int thread_rank() { return block_rank() * __ws::threads() + __ws::thread(); }
  __device__ static __forceinline__ unsigned int num_threads() { return num_blocks() * __ws::threads(); }
  __device__ static __forceinline__ unsigned int size() { return num_threads(); }
  template <typename T> __device__ static __forceinline__ T* map_shared_rank(T* p, unsigned int rank) {
    return (T*)__ws_map_shared((const void*)p, rank);
  }
  __device__ static __forceinline__ unsigned int query_shared_rank(const void* p) { return __ws_shared_rank(p); }

 private:
  __device__ static __forceinline__ dim3 registers(int first) {
    return dim3(__ws_cluster_register(first), __ws_cluster_register(first + 1), __ws_cluster_register(first + 2));
  }
};
__device__ __forceinline__ cluster_group this_cluster() { return {}; }

// Lanes of one warp: coalesced threads, a tile, a part of either.
class coalesced_group {
 public:
  __device__ __forceinline__ explicit coalesced_group(unsigned int mask, unsigned int meta_rank = 0,
                                                      unsigned int meta_size = 1)
      : mask_(mask), meta_rank_(meta_rank), meta_size_(meta_size) {}

  __device__ __forceinline__ void sync() const { __ws_syncwarp(mask_); }
  __device__ __forceinline__ unsigned int size() const { return __popc(mask_); }
  __device__ __forceinline__ unsigned int num_threads() const { return __popc(mask_); }
  __device__ __forceinline__ unsigned int thread_rank() const { return __popc(mask_ & ((1u << __ws::lane()) - 1)); }
  __device__ __forceinline__ unsigned int meta_group_rank() const { return meta_rank_; }
  __device__ __forceinline__ unsigned int meta_group_size() const { return meta_size_; }

  template <typename T>
  __device__ __forceinline__ T shfl(T v, unsigned int rank) const {
    return __shfl_sync(mask_, v, __ws::lane_of_rank(mask_, rank % size()));
  }
  template <typename T>
  __device__ __forceinline__ T shfl_down(T v, unsigned int delta) const {
    const unsigned int rank = thread_rank() + delta;
    return __shfl_sync(mask_, v, rank < size() ? __ws::lane_of_rank(mask_, rank) : __ws::lane());
  }
  template <typename T>
  __device__ __forceinline__ T shfl_up(T v, unsigned int delta) const {
    const unsigned int rank = thread_rank();
    return __shfl_sync(mask_, v, rank >= delta ? __ws::lane_of_rank(mask_, rank - delta) : __ws::lane());
  }
  template <typename T>
  __device__ __forceinline__ T shfl_xor(T v, unsigned int bits) const {
    const unsigned int rank = thread_rank() ^ bits;
    return __shfl_sync(mask_, v, rank < size() ? __ws::lane_of_rank(mask_, rank) : __ws::lane());
  }
  __device__ __forceinline__ int any(int p) const { return __any_sync(mask_, p); }
  __device__ __forceinline__ int all(int p) const { return __all_sync(mask_, p); }
  __device__ __forceinline__ unsigned int ballot(int p) const { return packed(__ballot_sync(mask_, p)); }
  template <typename T>
  __device__ __forceinline__ unsigned int match_any(T v) const { return packed(__match_any_sync(mask_, v)); }
  template <typename T>
  __device__ __forceinline__ unsigned int match_all(T v, int& p) const { return packed(__match_all_sync(mask_, v, &p)); }
  __device__ __forceinline__ unsigned int __ws_mask() const { return mask_; }

 private:
  // Turns bits by lane into bits by rank.
  __device__ __forceinline__ unsigned int packed(unsigned int bits) const {
    unsigned int result = 0, rank = 0;
    for (unsigned int left = mask_; left != 0; left &= left - 1, ++rank) {
      if ((bits & left & (0u - left)) != 0) result |= 1u << rank;
    }
    return result;
  }
  unsigned int mask_, meta_rank_, meta_size_;
};
__device__ __forceinline__ coalesced_group coalesced_threads() { return coalesced_group(__activemask()); }

template <unsigned int Size>
class __ws_tile_of_lanes : public coalesced_group {
  static_assert(Size >= 1 && (Size & (Size - 1)) == 0, "the size of a tile is a power of 2");

 public:
  __device__ __forceinline__ __ws_tile_of_lanes()
      : coalesced_group((Size == 32 ? ~0u : (1u << (Size % 32)) - 1) << (__ws::lane() / Size * Size),
                        __ws::thread() / Size, (__ws::threads() + Size - 1) / Size) {}
  __device__ __forceinline__ unsigned int thread_rank() const { return __ws::lane() % Size; }
};

// Memory that CUDA needs before sm_80 for tiles of several warps; here they have their own.
template <unsigned int Threads = 1024>
struct block_tile_memory {
  char unused[Threads / 32 * 16];
};
template <unsigned int Threads>
__device__ __forceinline__ thread_block this_thread_block(block_tile_memory<Threads>&) { return {}; }

// Several warps of a block. They meet at a numbered barrier, from 15 downwards, and exchange one value of each warp.
template <unsigned int Size>
class __ws_tile_of_warps {
  static_assert(Size <= 1024 && (Size & (Size - 1)) == 0, "the size of a tile is a power of 2");

 public:
  __device__ __forceinline__ void sync() const {
    if (Size >= __ws::threads()) {
      __syncthreads();
    } else {
      asm volatile("barrier.sync %0, %1;" ::"r"(15 - meta_group_rank()), "r"(Size) : "memory");
    }
  }
  __device__ __forceinline__ unsigned int thread_rank() const { return __ws::thread() % Size; }
  __device__ __forceinline__ unsigned int meta_group_rank() const { return __ws::thread() / Size; }
  __device__ __forceinline__ unsigned int meta_group_size() const { return (__ws::threads() + Size - 1) / Size; }
  template <typename T>
  __device__ __forceinline__ T shfl(T v, unsigned int rank) const {
    T* const places = values<T>();
    if (thread_rank() == rank) places[0] = v;
    return read_together(places, 0);
  }
  __device__ __forceinline__ int any(int p) const { return combine(__any_sync(~0u, p), [](int a, int b) { return a | b; }); }
  __device__ __forceinline__ int all(int p) const { return combine(__all_sync(~0u, p), [](int a, int b) { return a & b; }); }

  // The values of all warps, which each warp's lanes agree on.
  template <typename T, typename Op>
  __device__ __forceinline__ T combine(T of_warp, Op op) const {
    T* const places = values<T>();
    if (__ws::lane() == 0) places[thread_rank() / 32] = of_warp;
    sync();
    T result = places[0];
    for (unsigned int i = 1; i < Size / 32; ++i) result = op(result, places[i]);
    sync();
    return result;
  }
  // The same of the warps before this one; there must be one.
  template <typename T, typename Op>
  __device__ __forceinline__ T before(T of_warp, Op op) const {
    T* const places = values<T>();
    if (__ws::lane() == 31) places[thread_rank() / 32] = of_warp;
    sync();
    T result = places[0];
    for (unsigned int i = 1; i < thread_rank() / 32; ++i) result = op(result, places[i]);
    sync();
    return result;
  }

 private:
  template <typename T>
  __device__ __forceinline__ T* values() const {
    static_assert(sizeof(T) <= 16, "values of more than 16 bytes are not exchanged between warps");
    __shared__ __attribute__((aligned(16))) char room[32 * 16];
    return (T*)(room + meta_group_rank() * (Size / 32) * 16);
  }
  template <typename T>
  __device__ __forceinline__ T read_together(const T* places, unsigned int i) const {
    sync();
    const T value = places[i];
    sync();
    return value;
  }
};

template <bool Lanes, unsigned int Size> struct __ws_tile_kind { using type = __ws_tile_of_lanes<Size>; };
template <unsigned int Size> struct __ws_tile_kind<false, Size> { using type = __ws_tile_of_warps<Size>; };

template <unsigned int Size, typename Parent = void>
class thread_block_tile : public __ws_tile_kind<Size <= 32, Size>::type {
 public:
  thread_block_tile() = default;
  template <typename Other>
  __device__ __forceinline__ thread_block_tile(const thread_block_tile<Size, Other>& other)
      : __ws_tile_kind<Size <= 32, Size>::type(other) {}
  __device__ static constexpr unsigned int size() { return Size; }
  __device__ static constexpr unsigned int num_threads() { return Size; }
};

// A group of any kind.
class thread_group {
 public:
  __device__ __forceinline__ thread_group(const thread_block&) : kind_(0), lanes_(0) {}
  __device__ __forceinline__ thread_group(const grid_group&) : kind_(1), lanes_(0) {}
  __device__ __forceinline__ thread_group(const cluster_group&) : kind_(3), lanes_(0) {}
  __device__ __forceinline__ thread_group(const coalesced_group& lanes) : kind_(2), lanes_(lanes) {}
  __device__ __forceinline__ void sync() const {
    if (kind_ == 0) {
      thread_block::sync();
    } else if (kind_ == 1) {
      grid_group::sync();
    } else if (kind_ == 3) {
      cluster_group::sync();
    } else {
      lanes_.sync();
    }
  }
  __device__ __forceinline__ unsigned long long size() const {
    return kind_ == 0   ? thread_block::size()
           : kind_ == 1 ? grid_group::size()
           : kind_ == 3 ? cluster_group::size()
                        : lanes_.size();
  }
  __device__ __forceinline__ unsigned long long num_threads() const { return size(); }
  __device__ __forceinline__ unsigned long long thread_rank() const {
    return kind_ == 0   ? thread_block::thread_rank()
           : kind_ == 1 ? grid_group::thread_rank()
           : kind_ == 3 ? cluster_group::thread_rank()
                        : lanes_.thread_rank();
  }

 private:
  int kind_;
  coalesced_group lanes_;
};

template <unsigned int Size, typename Parent>
__device__ __forceinline__ thread_block_tile<Size, Parent> tiled_partition(const Parent&) { return {}; }
__device__ __forceinline__ thread_group tiled_partition(const thread_group&, unsigned int size) {
  const unsigned int ones = size >= 32 ? ~0u : (1u << size) - 1;
  return coalesced_group(ones << (__ws::lane() / size * size), __ws::thread() / size, __ws::threads() / size);
}
template <typename Group>
__device__ __forceinline__ coalesced_group labeled_partition(const Group& group, int label) {
  return coalesced_group(__match_any_sync(group.__ws_mask(), label));
}
template <typename Group>
__device__ __forceinline__ coalesced_group binary_partition(const Group& group, bool side) {
  const unsigned int yes = __ballot_sync(group.__ws_mask(), side);
  return coalesced_group(side ? yes : group.__ws_mask() & ~yes);
}

template <typename Group>
__device__ __forceinline__ void sync(const Group& group) { group.sync(); }
template <typename Group, typename F>
__device__ __forceinline__ void invoke_one(const Group& group, F&& f) {
  if (group.thread_rank() == 0) f();
}

template <typename T> struct plus { __device__ T operator()(T a, T b) const { return a + b; } };
template <typename T> struct less { __device__ T operator()(T a, T b) const { return b < a ? b : a; } };
template <typename T> struct greater { __device__ T operator()(T a, T b) const { return a < b ? b : a; } };
template <typename T> struct bit_and { __device__ T operator()(T a, T b) const { return a & b; } };
template <typename T> struct bit_or { __device__ T operator()(T a, T b) const { return a | b; } };
template <typename T> struct bit_xor { __device__ T operator()(T a, T b) const { return a ^ b; } };

template <typename Group, typename T, typename Op>
__device__ __forceinline__ T reduce(const Group& group, T v, Op op) {
  T result = group.shfl(v, 0);
  for (unsigned int rank = 1; rank < group.size(); ++rank) result = op(result, group.shfl(v, rank));
  return result;
}
template <typename Group, typename T, typename Op>
__device__ __forceinline__ T inclusive_scan(const Group& group, T v, Op op) {
  for (unsigned int step = 1; step < group.size(); step *= 2) {
    const T other = group.shfl_up(v, step);
    if (group.thread_rank() >= step) v = op(other, v);
  }
  return v;
}
template <typename Group, typename T>
__device__ __forceinline__ T inclusive_scan(const Group& group, T v) { return inclusive_scan(group, v, plus<T>()); }
template <typename Group, typename T, typename Op>
__device__ __forceinline__ T exclusive_scan(const Group& group, T v, Op op) {
  const T other = group.shfl_up(inclusive_scan(group, v, op), 1);
  return group.thread_rank() == 0 ? T() : other;
}
template <typename Group, typename T>
__device__ __forceinline__ T exclusive_scan(const Group& group, T v) { return exclusive_scan(group, v, plus<T>()); }

// Tiles of several warps: each warp by itself, then the warps.
template <bool If, typename T> struct __ws_if {};
template <typename T> struct __ws_if<true, T> { using type = T; };
template <unsigned int Size, typename Parent, typename T, typename Op>
__device__ __forceinline__ typename __ws_if<(Size > 32), T>::type reduce(const thread_block_tile<Size, Parent>& tile, T v,
                                                                         Op op) {
  return tile.combine(reduce(thread_block_tile<32>(), v, op), op);
}
template <unsigned int Size, typename Parent, typename T, typename Op>
__device__ __forceinline__ typename __ws_if<(Size > 32), T>::type inclusive_scan(
    const thread_block_tile<Size, Parent>& tile, T v, Op op) {
  const T here = inclusive_scan(thread_block_tile<32>(), v, op), before = tile.before(here, op);
  return tile.thread_rank() < 32 ? here : op(before, here);
}
template <unsigned int Size, typename Parent, typename T, typename Op>
__device__ __forceinline__ typename __ws_if<(Size > 32), T>::type exclusive_scan(
    const thread_block_tile<Size, Parent>& tile, T v, Op op) {
  const thread_block_tile<32> warp;
  const T here = inclusive_scan(warp, v, op), before = tile.before(here, op), left = warp.shfl_up(here, 1);
  if (tile.thread_rank() < 32) return warp.thread_rank() == 0 ? T() : left;
  return warp.thread_rank() == 0 ? before : op(before, left);
}

// Each thread starts its part of the copy, as a group of copies of its own.
template <typename Group, typename T, typename Size>
__device__ __forceinline__ void memcpy_async(const Group& group, T* to, const T* from, Size bytes) {
  __ws_copy_part((char*)to, (const char*)from, (size_t)bytes, group.thread_rank(), group.size());
  __ws_async_commit();
}
template <typename Group, typename T, typename ToCount, typename FromCount>
__device__ __forceinline__ void memcpy_async(const Group& group, T* to, ToCount to_count, const T* from,
                                             FromCount from_count) {
  const size_t count = (size_t)to_count < (size_t)from_count ? (size_t)to_count : (size_t)from_count;
  memcpy_async(group, to, from, count * sizeof(T));
}
template <typename Group>
__device__ __forceinline__ void wait(const Group& group) {
  __ws_async_wait(0);
  group.sync();
}
template <unsigned int Prior, typename Group>
__device__ __forceinline__ void wait_prior(const Group& group) {
  __ws_async_wait(Prior);
  group.sync();
}

}  // namespace cooperative_groups
