// SPDX-License-Identifier: MIT
// cuda::ptx: instructions about asynchronous copies, mbarriers, proxies, clusters and dependent grids as functions, and
// what cuda::barrier has for bulk copies. Those on tensor memory are in ptx/tensor_memory.h.
#pragma once
#include "gate.h"
#include "groups.h"

extern "C" {
// By GateFlags and ProxySpaces.
__device__ void __ws_mbarrier_init(void* gate, unsigned int expected);
__device__ unsigned long long __ws_mbarrier_arrive(void* gate, unsigned int count, unsigned int bytes,
                                                   unsigned int flags);
__device__ void __ws_mbarrier_bytes(void* gate, long long bytes);
__device__ unsigned int __ws_mbarrier_wait(void* gate, unsigned long long phase, unsigned int flags);
__device__ void __ws_proxy_fence(unsigned int spaces);
// Without a gate, the copy belongs to a group. With a mask, it goes to several blocks.
__device__ void __ws_bulk_copy(void* to, const void* from, unsigned long long size, void* gate, unsigned int mask);
__device__ void __ws_bulk_reduce(void* to, const void* from, unsigned long long size, void* gate,
                                 unsigned int operation, unsigned int element);
__device__ void __ws_bulk_store(void* to, unsigned long long value, unsigned int size, void* gate);
__device__ void __ws_bulk_update(void* to, unsigned long long value, unsigned int operation, unsigned int size,
                                 void* gate);
// Copies of a box by a tensor map. An operation other than kStore is a reduction.
__device__ void __ws_tensor_load(void* to, const void* map, int x, int y, int z, int v, int w, void* gate,
                                 unsigned int mask);
__device__ void __ws_tensor_store(const void* map, int x, int y, int z, int v, int w, const void* from,
                                  unsigned int operation);
__device__ void __ws_bulk_commit();
__device__ void __ws_bulk_wait(unsigned int left, unsigned int for_reads);
}

namespace __WS_CUDA {
namespace ptx {

#define __WS_TAG(name)                             \
  struct name##_t {};                              \
  static constexpr name##_t name {}
__WS_TAG(sem_acq_rel);
__WS_TAG(sem_acquire);
__WS_TAG(sem_relaxed);
__WS_TAG(sem_release);
__WS_TAG(sem_sc);
__WS_TAG(sem_weak);
__WS_TAG(scope_cluster);
__WS_TAG(scope_cta);
__WS_TAG(scope_gpu);
__WS_TAG(scope_sys);
__WS_TAG(space_cluster);
__WS_TAG(space_global);
__WS_TAG(space_shared);
__WS_TAG(op_add);
__WS_TAG(op_and_op);
__WS_TAG(op_dec);
__WS_TAG(op_inc);
__WS_TAG(op_max);
__WS_TAG(op_min);
__WS_TAG(op_or_op);
__WS_TAG(op_xor_op);
#undef __WS_TAG
template <int N>
struct n32_t {
  static constexpr int value = N;
};
template <int N>
static constexpr n32_t<N> n32{};

namespace __ws {
__device__ constexpr unsigned int flags(sem_release_t) { return 0; }
__device__ constexpr unsigned int flags(sem_acquire_t) { return 0; }
__device__ constexpr unsigned int flags(sem_relaxed_t) { return __ws_hook::kGateRelaxed; }
__device__ constexpr unsigned int flags(scope_cta_t) { return __ws_hook::kGateBlock; }
__device__ constexpr unsigned int flags(scope_cluster_t) { return __ws_hook::kGateCluster; }
__device__ constexpr unsigned long long parity(unsigned int bit) { return __ws_hook::kParityPhase - (bit & 1); }

template <typename T> struct is_signed { static constexpr bool value = (T)-1 < (T)0; };
template <typename T> __device__ constexpr unsigned int number(op_add_t) { return __ws_hook::kAdd; }
template <> __device__ constexpr unsigned int number<float>(op_add_t) { return __ws_hook::kAddFloat; }
template <> __device__ constexpr unsigned int number<double>(op_add_t) { return __ws_hook::kAddDouble; }
template <typename T> __device__ constexpr unsigned int number(op_and_op_t) { return __ws_hook::kAnd; }
template <typename T> __device__ constexpr unsigned int number(op_or_op_t) { return __ws_hook::kOr; }
template <typename T> __device__ constexpr unsigned int number(op_xor_op_t) { return __ws_hook::kXor; }
template <typename T> __device__ constexpr unsigned int number(op_inc_t) { return __ws_hook::kIncrement; }
template <typename T> __device__ constexpr unsigned int number(op_dec_t) { return __ws_hook::kDecrement; }
template <typename T> __device__ constexpr unsigned int number(op_min_t) {
  return is_signed<T>::value ? __ws_hook::kMinSigned : __ws_hook::kMinUnsigned;
}
template <typename T> __device__ constexpr unsigned int number(op_max_t) {
  return is_signed<T>::value ? __ws_hook::kMaxSigned : __ws_hook::kMaxUnsigned;
}
template <typename T> __device__ __forceinline__ unsigned long long bits(const T& value) {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8, "values of four or eight bytes");
  if constexpr (sizeof(T) == 4) {
    return __builtin_bit_cast(unsigned int, value);
  } else {
    return __builtin_bit_cast(unsigned long long, value);
  }
}
}  // namespace __ws

// mbarrier
__device__ __forceinline__ void mbarrier_init(uint64_t* gate, const uint32_t& count) {
  __ws_mbarrier_init(gate, count);
}
__device__ __forceinline__ void mbarrier_inval(uint64_t*) {}
__device__ __forceinline__ uint64_t mbarrier_arrive(uint64_t* gate, const uint32_t& count = 1) {
  return __ws_mbarrier_arrive(gate, count, 0, 0);
}
template <typename Sem, typename Scope>
__device__ __forceinline__ uint64_t mbarrier_arrive(Sem sem, Scope scope, space_shared_t, uint64_t* gate,
                                                    const uint32_t& count = 1) {
  return __ws_mbarrier_arrive(gate, count, 0, __ws::flags(sem) | __ws::flags(scope));
}
template <typename Sem, typename Scope>
__device__ __forceinline__ void mbarrier_arrive(Sem sem, Scope scope, space_cluster_t, uint64_t* gate,
                                                const uint32_t& count = 1) {
  __ws_mbarrier_arrive(gate, count, 0, __ws::flags(sem) | __ws::flags(scope));
}
template <typename Sem, typename Scope>
__device__ __forceinline__ uint64_t mbarrier_arrive_expect_tx(Sem sem, Scope scope, space_shared_t, uint64_t* gate,
                                                              const uint32_t& bytes) {
  return __ws_mbarrier_arrive(gate, 1, bytes, __ws::flags(sem) | __ws::flags(scope));
}
template <typename Sem, typename Scope>
__device__ __forceinline__ void mbarrier_arrive_expect_tx(Sem sem, Scope scope, space_cluster_t, uint64_t* gate,
                                                          const uint32_t& bytes) {
  __ws_mbarrier_arrive(gate, 1, bytes, __ws::flags(sem) | __ws::flags(scope));
}
template <typename Scope, typename Space>
__device__ __forceinline__ void mbarrier_expect_tx(sem_relaxed_t, Scope, Space, uint64_t* gate, const uint32_t& bytes) {
  __ws_mbarrier_bytes(gate, bytes);
}
#define __WS_WAIT(name)                                                                                             \
  __device__ __forceinline__ bool mbarrier_##name(uint64_t* gate, const uint64_t& state) {                          \
    return __ws_mbarrier_wait(gate, state, 0);                                                                      \
  }                                                                                                                 \
  template <typename Sem, typename Scope>                                                                           \
  __device__ __forceinline__ bool mbarrier_##name(Sem sem, Scope scope, uint64_t* gate, const uint64_t& state) {    \
    return __ws_mbarrier_wait(gate, state, __ws::flags(sem) | __ws::flags(scope));                                  \
  }                                                                                                                 \
  __device__ __forceinline__ bool mbarrier_##name##_parity(uint64_t* gate, const uint32_t& bit) {                   \
    return __ws_mbarrier_wait(gate, __ws::parity(bit), 0);                                                          \
  }                                                                                                                 \
  template <typename Sem, typename Scope>                                                                           \
  __device__ __forceinline__ bool mbarrier_##name##_parity(Sem sem, Scope scope, uint64_t* gate,                    \
                                                           const uint32_t& bit) {                                   \
    return __ws_mbarrier_wait(gate, __ws::parity(bit), __ws::flags(sem) | __ws::flags(scope));                      \
  }
__WS_WAIT(test_wait)
__WS_WAIT(try_wait)
#undef __WS_WAIT

// Bulk copies
template <typename To>
__device__ __forceinline__ void cp_async_bulk(To, space_global_t, void* to, const void* from, const uint32_t& size,
                                              uint64_t* gate) {
  __ws_bulk_copy(to, from, size, gate, 0);
}
__device__ __forceinline__ void cp_async_bulk(space_cluster_t, space_global_t, void* to, const void* from,
                                              const uint32_t& size, uint64_t* gate, const uint16_t& blocks) {
  __ws_bulk_copy(to, from, size, gate, blocks);
}
__device__ __forceinline__ void cp_async_bulk(space_cluster_t, space_shared_t, void* to, const void* from,
                                              const uint32_t& size, uint64_t* gate) {
  __ws_bulk_copy(to, from, size, gate, 0);
}
__device__ __forceinline__ void cp_async_bulk(space_global_t, space_shared_t, void* to, const void* from,
                                              const uint32_t& size) {
  __ws_bulk_copy(to, from, size, nullptr, 0);
}
template <typename T, typename Op>
__device__ __forceinline__ void cp_reduce_async_bulk(space_global_t, space_shared_t, Op op, T* to, const T* from,
                                                     uint32_t size) {
  __ws_bulk_reduce(to, from, size, nullptr, __ws::number<T>(op), sizeof(T));
}
template <typename T, typename Op>
__device__ __forceinline__ void cp_reduce_async_bulk(space_cluster_t, space_shared_t, Op op, T* to, const T* from,
                                                     uint32_t size, uint64_t* gate) {
  __ws_bulk_reduce(to, from, size, gate, __ws::number<T>(op), sizeof(T));
}
// Copies by tensor maps
namespace __ws {
template <int N> __device__ __forceinline__ int at(const int32_t (&coordinates)[N], int i) {
  return i < N ? coordinates[i] : 0;
}
template <int N>
__device__ __forceinline__ void tensor_load(void* to, const void* map, const int32_t (&c)[N], void* gate,
                                            unsigned int mask) {
  static_assert(N <= 5, "at most five coordinates");
  __ws_tensor_load(to, map, at(c, 0), at(c, 1), at(c, 2), at(c, 3), at(c, 4), gate, mask);
}
template <int N>
__device__ __forceinline__ void tensor_store(const void* map, const int32_t (&c)[N], const void* from,
                                             unsigned int operation) {
  static_assert(N <= 5, "at most five coordinates");
  __ws_tensor_store(map, at(c, 0), at(c, 1), at(c, 2), at(c, 3), at(c, 4), from, operation);
}
}  // namespace __ws
template <typename To, int N>
__device__ __forceinline__ void cp_async_bulk_tensor(To, space_global_t, void* to, const void* map,
                                                     const int32_t (&coordinates)[N], uint64_t* gate) {
  __ws::tensor_load(to, map, coordinates, gate, 0);
}
template <int N>
__device__ __forceinline__ void cp_async_bulk_tensor(space_cluster_t, space_global_t, void* to, const void* map,
                                                     const int32_t (&coordinates)[N], uint64_t* gate,
                                                     const uint16_t& blocks) {
  __ws::tensor_load(to, map, coordinates, gate, blocks);
}
template <int N>
__device__ __forceinline__ void cp_async_bulk_tensor(space_global_t, space_shared_t, const void* map,
                                                     const int32_t (&coordinates)[N], const void* from) {
  __ws::tensor_store(map, coordinates, from, __ws_hook::kStore);
}
template <typename Op, int N>
__device__ __forceinline__ void cp_reduce_async_bulk_tensor(space_global_t, space_shared_t, Op op, const void* map,
                                                            const int32_t (&coordinates)[N], const void* from) {
  __ws::tensor_store(map, coordinates, from, __ws::number<unsigned int>(op));
}
__device__ __forceinline__ void cp_async_bulk_commit_group() { __ws_bulk_commit(); }
template <int N>
__device__ __forceinline__ void cp_async_bulk_wait_group(n32_t<N>) { __ws_bulk_wait(N, 0); }
template <int N>
__device__ __forceinline__ void cp_async_bulk_wait_group_read(n32_t<N>) { __ws_bulk_wait(N, 1); }
template <typename T>
__device__ __forceinline__ void st_async(T* to, const T& value, uint64_t* gate) {
  __ws_bulk_store(to, __ws::bits(value), sizeof(T), gate);
}
template <typename T>
__device__ __forceinline__ void st_async(sem_weak_t, space_cluster_t, T* to, const T& value, uint64_t* gate) {
  __ws_bulk_store(to, __ws::bits(value), sizeof(T), gate);
}
template <typename T, typename Op>
__device__ __forceinline__ void red_async(Op op, T* to, const T& value, uint64_t* gate) {
  __ws_bulk_update(to, __ws::bits(value), __ws::number<T>(op), sizeof(T), gate);
}
template <typename T, typename Op>
__device__ __forceinline__ void red_async(sem_relaxed_t, scope_cluster_t, space_cluster_t, Op op, T* to,
                                          const T& value, uint64_t* gate) {
  __ws_bulk_update(to, __ws::bits(value), __ws::number<T>(op), sizeof(T), gate);
}

// Fences
__device__ __forceinline__ void fence_proxy_async() {
  __ws_proxy_fence(__ws_hook::kProxyGlobal | __ws_hook::kProxyShared);
}
__device__ __forceinline__ void fence_proxy_async(space_global_t) { __ws_proxy_fence(__ws_hook::kProxyGlobal); }
__device__ __forceinline__ void fence_proxy_async(space_shared_t) { __ws_proxy_fence(__ws_hook::kProxyShared); }
__device__ __forceinline__ void fence_proxy_async(space_cluster_t) { __ws_proxy_fence(__ws_hook::kProxyShared); }
template <typename Sem, typename Space>
__device__ __forceinline__ void fence_proxy_async_generic_sync_restrict(Sem, Space, scope_cluster_t) {
  __ws_proxy_fence(__ws_hook::kProxyShared);
}
#define __WS_MAP_FENCES(scope, word)                                                                              \
  __device__ __forceinline__ void fence_proxy_tensormap_generic(sem_release_t, scope) {                          \
    asm volatile("fence.proxy.tensormap::generic.release." word ";" ::: "memory");                               \
  }                                                                                                              \
  template <int N>                                                                                               \
  __device__ __forceinline__ void fence_proxy_tensormap_generic(sem_acquire_t, scope, const void* map, n32_t<N>) { \
    asm volatile("fence.proxy.tensormap::generic.acquire." word " [%0], %1;" ::"l"(map), "n"(N) : "memory");      \
  }                                                                                                              \
  template <int N>                                                                                               \
  __device__ __forceinline__ void tensormap_cp_fenceproxy(sem_release_t, scope, void* to, const void* from,      \
                                                          n32_t<N>) {                                            \
    asm volatile("tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release." word                   \
                 ".sync.aligned [%0], [%1], %2;" ::"l"(to),                                                      \
                 "r"((unsigned int)__cvta_generic_to_shared(from)), "n"(N)                                       \
                 : "memory");                                                                                    \
  }
__WS_MAP_FENCES(scope_cta_t, "cta")
__WS_MAP_FENCES(scope_cluster_t, "cluster")
__WS_MAP_FENCES(scope_gpu_t, "gpu")
__WS_MAP_FENCES(scope_sys_t, "sys")
#undef __WS_MAP_FENCES
template <typename T>
__device__ __forceinline__ void tensormap_replace_global_address(space_global_t, void* map, T address) {
  asm volatile("tensormap.replace.tile.global_address.global.b1024.b64 [%0], %1;" ::"l"(map), "l"(address) : "memory");
}
template <typename T>
__device__ __forceinline__ void tensormap_replace_global_address(space_shared_t, void* map, T address) {
  asm volatile("tensormap.replace.tile.global_address.shared::cta.b1024.b64 [%0], %1;" ::"r"(
                   (unsigned int)__cvta_generic_to_shared(map)),
               "l"(address)
               : "memory");
}
__device__ __forceinline__ void fence_mbarrier_init(sem_release_t, scope_cluster_t) {
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

// Clusters and grids
__device__ __forceinline__ void barrier_cluster_arrive() { __ws_blocks_arrive(__ws_hook::kCluster); }
__device__ __forceinline__ void barrier_cluster_arrive(sem_release_t) { __ws_blocks_arrive(__ws_hook::kCluster); }
__device__ __forceinline__ void barrier_cluster_arrive(sem_relaxed_t) {
  __ws_blocks_arrive(__ws_hook::kClusterRelaxed);
}
__device__ __forceinline__ void barrier_cluster_wait() { __ws_blocks_wait(__ws_hook::kCluster); }
__device__ __forceinline__ void barrier_cluster_wait(sem_acquire_t) { __ws_blocks_wait(__ws_hook::kCluster); }
template <typename T>
__device__ __forceinline__ T* mapa(space_cluster_t, const T* address, uint32_t rank) {
  return (T*)__ws_map_shared(address, rank);
}
__device__ __forceinline__ uint32_t get_sreg_cluster_ctarank() {
  return __ws_cluster_register(__ws_hook::kRankInCluster);
}
__device__ __forceinline__ uint32_t get_sreg_cluster_nctarank() {
  return __ws_cluster_register(__ws_hook::kBlocksOfCluster);
}
__device__ __forceinline__ void griddepcontrol_wait() { asm volatile("griddepcontrol.wait;" ::: "memory"); }
__device__ __forceinline__ void griddepcontrol_launch_dependents() {
  asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
}

}  // namespace ptx

// Bulk copies of cuda::barrier.
namespace device {
__device__ __forceinline__ uint64_t* barrier_native_handle(barrier<thread_scope_block>& gate) {
  return (uint64_t*)&gate;
}
__device__ __forceinline__ barrier<thread_scope_block>::arrival_token barrier_arrive_tx(
    barrier<thread_scope_block>& gate, ptrdiff_t count, ptrdiff_t bytes) {
  return __ws_mbarrier_arrive(&gate, (unsigned int)count, (unsigned int)bytes, 0);
}
__device__ __forceinline__ void barrier_expect_tx(barrier<thread_scope_block>& gate, ptrdiff_t bytes) {
  __ws_mbarrier_bytes(&gate, bytes);
}
template <typename T, size_t Alignment>
__device__ __forceinline__ void memcpy_async_tx(T* to, const T* from, aligned_size_t<Alignment> size,
                                                barrier<thread_scope_block>& gate) {
  static_assert(Alignment >= 16, "the alignment must be at least 16");
  __ws_bulk_copy(to, from, size, &gate, 0);
}

namespace experimental {
__device__ __forceinline__ void cp_async_bulk_global_to_shared(void* to, const void* from, uint32_t size,
                                                               barrier<thread_scope_block>& gate) {
  __ws_bulk_copy(to, from, size, &gate, 0);
}
__device__ __forceinline__ void cp_async_bulk_shared_to_global(void* to, const void* from, uint32_t size) {
  __ws_bulk_copy(to, from, size, nullptr, 0);
}
#define __WS_TENSOR(name, given, used)                                                                          \
  __device__ __forceinline__ void cp_async_bulk_tensor_##name##_global_to_shared(                               \
      void* to, const void* map, __WS_ALL given, barrier<thread_scope_block>& gate) {                           \
    const int c[5] = {__WS_ALL used};                                                                           \
    __ws_tensor_load(to, map, c[0], c[1], c[2], c[3], c[4], &gate, 0);                                          \
  }                                                                                                             \
  __device__ __forceinline__ void cp_async_bulk_tensor_##name##_shared_to_global(const void* map, __WS_ALL given, \
                                                                                 const void* from) {            \
    const int c[5] = {__WS_ALL used};                                                                           \
    __ws_tensor_store(map, c[0], c[1], c[2], c[3], c[4], from, __ws_hook::kStore);                              \
  }
#define __WS_ALL(...) __VA_ARGS__
__WS_TENSOR(1d, (int a), (a))
__WS_TENSOR(2d, (int a, int b), (a, b))
__WS_TENSOR(3d, (int a, int b, int c3), (a, b, c3))
__WS_TENSOR(4d, (int a, int b, int c3, int d), (a, b, c3, d))
__WS_TENSOR(5d, (int a, int b, int c3, int d, int e), (a, b, c3, d, e))
#undef __WS_TENSOR
#undef __WS_ALL
__device__ __forceinline__ void cp_async_bulk_commit_group() { __ws_bulk_commit(); }
template <int Left>
__device__ __forceinline__ void cp_async_bulk_wait_group_read() { __ws_bulk_wait(Left, 1); }
__device__ __forceinline__ void fence_proxy_async_shared_cta() { __ws_proxy_fence(__ws_hook::kProxyShared); }
}  // namespace experimental
}  // namespace device

}  // namespace __WS_CUDA

#include "ptx/tensor_memory.h"
