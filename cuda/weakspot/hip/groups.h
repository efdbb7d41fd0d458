// SPDX-License-Identifier: MIT
// Cooperative groups of HIP: the grid, the block, tiles of a wave, and the lanes that are active.
#pragma once

namespace cooperative_groups {

class thread_group {
 public:
  __device__ thread_group(unsigned int rank, unsigned int size, int kind) : rank_(rank), size_(size), kind_(kind) {}
  __device__ unsigned int thread_rank() const { return rank_; }
  __device__ unsigned int size() const { return size_; }
  __device__ unsigned int num_threads() const { return size_; }
  __device__ bool is_valid() const { return true; }
  __device__ __forceinline__ void sync() const {
    if (kind_ == kBlock) return __syncthreads();
    if (kind_ == kGrid) return __ws_grid_barrier();
    __syncwarp();
  }

 protected:
  enum : int { kLanes, kBlock, kGrid };

 private:
  unsigned int rank_, size_;
  int kind_;
};

class thread_block : public thread_group {
 public:
  __device__ __forceinline__ thread_block() : thread_group(rank(), number(), kBlock) {}
  __device__ static __forceinline__ void sync() { __syncthreads(); }
  __device__ static __forceinline__ dim3 group_index() { return blockIdx; }
  __device__ static __forceinline__ dim3 thread_index() { return threadIdx; }
  __device__ static __forceinline__ dim3 group_dim() { return blockDim; }
  __device__ static __forceinline__ dim3 dim_threads() { return blockDim; }

 private:
  __device__ static __forceinline__ unsigned int rank() {
    return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  }
  __device__ static __forceinline__ unsigned int number() { return blockDim.x * blockDim.y * blockDim.z; }
};
__device__ __forceinline__ thread_block this_thread_block() { return {}; }

class grid_group : public thread_group {
 public:
  __device__ __forceinline__ grid_group() : thread_group(rank(), number(), kGrid) {}
  __device__ static __forceinline__ void sync() { __ws_grid_barrier(); }
  __device__ static __forceinline__ dim3 group_dim() { return gridDim; }
  __device__ static __forceinline__ unsigned int num_blocks() { return gridDim.x * gridDim.y * gridDim.z; }
  __device__ static __forceinline__ unsigned int block_rank() {
    return (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  }

 private:
  __device__ static __forceinline__ unsigned int rank() {
    const thread_block block;
    return block_rank() * block.size() + block.thread_rank();
  }
  __device__ static __forceinline__ unsigned int number() { return num_blocks() * thread_block().size(); }
};
__device__ __forceinline__ grid_group this_grid() { return {}; }

// Lanes of one wave, by their bits.
class coalesced_group : public thread_group {
 public:
  __device__ __forceinline__ explicit coalesced_group(unsigned long long lanes)
      : thread_group(__popcll(lanes & __lanemask_lt()), __popcll(lanes), kLanes), lanes_(lanes) {}
  __device__ static __forceinline__ void sync() { __syncwarp(); }
  template <typename T>
  __device__ __forceinline__ T shfl(T value, int rank) const {
    return __ws_from_lane(value, lane_of(unsigned(rank) % size()));
  }
  template <typename T>
  __device__ __forceinline__ T shfl_up(T value, unsigned int by) const {
    return __ws_from_lane(value, lane_of(thread_rank() < by ? thread_rank() : thread_rank() - by));
  }
  template <typename T>
  __device__ __forceinline__ T shfl_down(T value, unsigned int by) const {
    return __ws_from_lane(value, lane_of(thread_rank() + by >= size() ? thread_rank() : thread_rank() + by));
  }
  template <typename T>
  __device__ __forceinline__ T shfl_xor(T value, unsigned int mask) const {
    const unsigned int rank = thread_rank() ^ mask;
    return __ws_from_lane(value, lane_of(rank >= size() ? thread_rank() : rank));
  }
  __device__ __forceinline__ int any(int p) const { return (__ballot(p) & lanes_) != 0; }
  __device__ __forceinline__ int all(int p) const { return (__ballot(p == 0) & lanes_) == 0; }
  // Of the group alone, by rank.
  __device__ __forceinline__ unsigned long long ballot(int p) const {
    const unsigned long long votes = __ballot(p) & lanes_;
    unsigned long long by_rank = 0;
    unsigned int rank = 0;
    for (unsigned long long left = lanes_; left != 0; left &= left - 1, ++rank) {
      if ((votes & left & (~left + 1)) != 0) by_rank |= 1ull << rank;
    }
    return by_rank;
  }

 private:
  __device__ __forceinline__ int lane_of(unsigned int rank) const {
    unsigned long long left = lanes_;
    for (unsigned int i = 0; i < rank; ++i) left &= left - 1;
    return __ffsll((long long)left) - 1;
  }

  unsigned long long lanes_;
};
__device__ __forceinline__ coalesced_group coalesced_threads() { return coalesced_group(__activemask()); }

template <unsigned int Size, typename Parent = void>
class thread_block_tile : public coalesced_group {
 public:
  static_assert(Size > 0 && Size <= 64 && (Size & (Size - 1)) == 0, "a tile has 1 to 64 lanes, a power of two");
  __device__ __forceinline__ thread_block_tile() : coalesced_group(mask()) {}
  // A tile may forget what it is a part of.
  template <typename Whole>
  __device__ __forceinline__ thread_block_tile(const thread_block_tile<Size, Whole>&) : coalesced_group(mask()) {}
  __device__ static __forceinline__ unsigned int meta_group_rank() { return thread_block().thread_rank() / Size; }
  __device__ static __forceinline__ unsigned int meta_group_size() { return (thread_block().size() + Size - 1) / Size; }
  template <typename T>
  __device__ __forceinline__ T shfl(T value, int rank) const {
    return __shfl(value, rank, Size);
  }
  template <typename T>
  __device__ __forceinline__ T shfl_up(T value, unsigned int by) const {
    return __shfl_up(value, by, Size);
  }
  template <typename T>
  __device__ __forceinline__ T shfl_down(T value, unsigned int by) const {
    return __shfl_down(value, by, Size);
  }
  template <typename T>
  __device__ __forceinline__ T shfl_xor(T value, unsigned int by) const {
    return __shfl_xor(value, int(by), Size);
  }

 private:
  __device__ static __forceinline__ unsigned long long mask() {
    return (Size == 64 ? ~0ull : (1ull << (Size % 64)) - 1) << (__lane_id() / Size * Size);
  }
};
template <unsigned int Size, typename Parent>
__device__ __forceinline__ thread_block_tile<Size, Parent> tiled_partition(const Parent&) {
  return {};
}

template <typename Group>
__device__ __forceinline__ void sync(const Group& group) {
  group.sync();
}

}  // namespace cooperative_groups
