// SPDX-License-Identifier: MIT
// cuda::ptx: instructions on tensor memory (tcgen05) as functions. What is not modelled of them is listed as inline PTX
// is, such as pairs of blocks.
#pragma once

extern "C" {
// The registers of the running lane, before a store and behind a load.
__device__ void __ws_tmem_set(unsigned int number, unsigned int value);
__device__ unsigned int __ws_tmem_get(unsigned int number);
// By Shape. Packed: two columns of 16 bits in a register.
__device__ void __ws_tmem_load(unsigned int address, unsigned int shape, unsigned int registers, unsigned int packed);
__device__ void __ws_tmem_store(unsigned int address, unsigned int shape, unsigned int registers, unsigned int packed);
}

namespace __WS_CUDA {
namespace ptx {

struct cta_group_1_t {};
struct cta_group_2_t {};
static constexpr cta_group_1_t cta_group_1{};
static constexpr cta_group_2_t cta_group_2{};

// Waits, fences
__device__ __forceinline__ void tcgen05_wait_ld() { asm volatile("tcgen05.wait::ld.sync.aligned;" ::: "memory"); }
__device__ __forceinline__ void tcgen05_wait_st() { asm volatile("tcgen05.wait::st.sync.aligned;" ::: "memory"); }
__device__ __forceinline__ void tcgen05_fence_before_thread_sync() {
  asm volatile("tcgen05.fence::before_thread_sync;" ::: "memory");
}
__device__ __forceinline__ void tcgen05_fence_after_thread_sync() {
  asm volatile("tcgen05.fence::after_thread_sync;" ::: "memory");
}

// Allocation, commits, copies
#define __WS_TENSOR_COPY(group, name, shape)                                                                 \
  __device__ __forceinline__ void tcgen05_cp_##name(cta_group_##group##_t, uint32_t to, uint64_t from) {     \
    asm volatile("tcgen05.cp.cta_group::" #group "." shape " [%0], %1;" ::"r"(to), "l"(from) : "memory");    \
  }
#define __WS_TENSOR_GROUP(group)                                                                             \
  __device__ __forceinline__ void tcgen05_alloc(cta_group_##group##_t, uint32_t* to, const uint32_t& columns) { \
    asm volatile("tcgen05.alloc.cta_group::" #group ".sync.aligned.shared::cta.b32 [%0], %1;" ::"r"(         \
                     (unsigned int)__cvta_generic_to_shared(to)),                                            \
                 "r"(columns)                                                                                \
                 : "memory");                                                                                \
  }                                                                                                          \
  __device__ __forceinline__ void tcgen05_dealloc(cta_group_##group##_t, uint32_t address, const uint32_t& columns) { \
    asm volatile("tcgen05.dealloc.cta_group::" #group ".sync.aligned.b32 %0, %1;" ::"r"(address), "r"(columns) \
                 : "memory");                                                                                \
  }                                                                                                          \
  __device__ __forceinline__ void tcgen05_relinquish_alloc_permit(cta_group_##group##_t) {                   \
    asm volatile("tcgen05.relinquish_alloc_permit.cta_group::" #group ".sync.aligned;" ::: "memory");        \
  }                                                                                                          \
  __device__ __forceinline__ void tcgen05_commit(cta_group_##group##_t, uint64_t* gate) {                    \
    asm volatile("tcgen05.commit.cta_group::" #group ".mbarrier::arrive::one.shared::cluster.b64 [%0];" ::"r"( \
                     (unsigned int)__cvta_generic_to_shared(gate))                                           \
                 : "memory");                                                                                \
  }                                                                                                          \
  __device__ __forceinline__ void tcgen05_commit_multicast(cta_group_##group##_t, uint64_t* gate,            \
                                                           uint16_t blocks) {                                \
    asm volatile("tcgen05.commit.cta_group::" #group                                                         \
                 ".mbarrier::arrive::one.shared::cluster.multicast::cluster.b64 [%0], %1;" ::"r"(            \
                     (unsigned int)__cvta_generic_to_shared(gate)),                                          \
                 "h"(blocks)                                                                                 \
                 : "memory");                                                                                \
  }                                                                                                          \
  __WS_TENSOR_COPY(group, 128x256b, "128x256b")                                                              \
  __WS_TENSOR_COPY(group, 4x256b, "4x256b")                                                                  \
  __WS_TENSOR_COPY(group, 128x128b, "128x128b")                                                              \
  __WS_TENSOR_COPY(group, 64x128b_warpx2_02_13, "64x128b.warpx2::02_13")                                     \
  __WS_TENSOR_COPY(group, 64x128b_warpx2_01_23, "64x128b.warpx2::01_23")                                     \
  __WS_TENSOR_COPY(group, 32x128b_warpx4, "32x128b.warpx4")
__WS_TENSOR_GROUP(1)
__WS_TENSOR_GROUP(2)
#undef __WS_TENSOR_GROUP
#undef __WS_TENSOR_COPY

// Products; the first factor is in shared or in tensor memory.
#define __WS_TENSOR_PRODUCT(kind, group, name, type, constraint, left)                                       \
  __device__ __forceinline__ void name(kind_##kind##_t, cta_group_##group##_t, uint32_t sums, type a, uint64_t b, \
                                       uint32_t shape, bool keep) {                                          \
    asm volatile("{\n.reg .pred keeps;\nsetp.ne.b32 keeps, %4, 0;\ntcgen05.mma.cta_group::" #group ".kind::" #kind \
                 " [%0], " left ", %2, %3, keeps;\n}" ::"r"(sums),                                           \
                 constraint(a), "l"(b), "r"(shape), "r"((unsigned int)keep)                                  \
                 : "memory");                                                                                \
  }
#define __WS_TENSOR_SCALED(kind, name, type, constraint, left)                                               \
  template <int N>                                                                                           \
  __device__ __forceinline__ void name(kind_##kind##_t, cta_group_1_t, uint32_t sums, type a, uint64_t b,    \
                                       uint32_t shape, const uint32_t (&disabled)[4], bool keep, n32_t<N>) { \
    asm volatile("{\n.reg .pred keeps;\nsetp.ne.b32 keeps, %4, 0;\ntcgen05.mma.cta_group::1.kind::" #kind    \
                 " [%0], " left ", %2, %3, {%5, %6, %7, %8}, keeps, %9;\n}" ::"r"(sums),                     \
                 constraint(a), "l"(b), "r"(shape), "r"((unsigned int)keep), "r"(disabled[0]),               \
                 "r"(disabled[1]), "r"(disabled[2]), "r"(disabled[3]), "n"(N)                                \
                 : "memory");                                                                                \
  }
#define __WS_TENSOR_KIND(kind)                                                                               \
  struct kind_##kind##_t {};                                                                                 \
  static constexpr kind_##kind##_t kind_##kind{};                                                            \
  __WS_TENSOR_PRODUCT(kind, 1, tcgen05_mma, uint64_t, "l", "%1")                                             \
  __WS_TENSOR_PRODUCT(kind, 2, tcgen05_mma, uint64_t, "l", "%1")                                             \
  __WS_TENSOR_PRODUCT(kind, 1, tcgen05_mma_tmem_a, uint32_t, "r", "[%1]")                                    \
  __WS_TENSOR_PRODUCT(kind, 2, tcgen05_mma_tmem_a, uint32_t, "r", "[%1]")
__WS_TENSOR_KIND(f16)
__WS_TENSOR_KIND(tf32)
__WS_TENSOR_KIND(f8f6f4)
__WS_TENSOR_KIND(i8)
__WS_TENSOR_SCALED(f16, tcgen05_mma, uint64_t, "l", "%1")
__WS_TENSOR_SCALED(tf32, tcgen05_mma, uint64_t, "l", "%1")
__WS_TENSOR_SCALED(f16, tcgen05_mma_tmem_a, uint32_t, "r", "[%1]")
__WS_TENSOR_SCALED(tf32, tcgen05_mma_tmem_a, uint32_t, "r", "[%1]")
#undef __WS_TENSOR_KIND
#undef __WS_TENSOR_SCALED
#undef __WS_TENSOR_PRODUCT

// Loads and stores of a warp
namespace __ws {
// The numbers of race_jit's TensorShape.
enum Shape : unsigned int { shape_32x32b, shape_16x64b, shape_16x128b, shape_16x256b };
template <typename T, int N>
__device__ __forceinline__ void tmem_load(T (&out)[N], uint32_t from, unsigned int shape, unsigned int packed) {
  static_assert(sizeof(T) == 4 && N <= 128, "at most 128 values of four bytes");
  __ws_tmem_load(from, shape, N, packed);
  for (unsigned int i = 0; i < N; ++i) out[i] = __builtin_bit_cast(T, __ws_tmem_get(i));
}
template <typename T, int N>
__device__ __forceinline__ void tmem_store(uint32_t to, const T (&values)[N], unsigned int shape, unsigned int packed) {
  static_assert(sizeof(T) == 4 && N <= 128, "at most 128 values of four bytes");
  for (unsigned int i = 0; i < N; ++i) __ws_tmem_set(i, __builtin_bit_cast(unsigned int, values[i]));
  __ws_tmem_store(to, shape, N, packed);
}
}  // namespace __ws
#define __WS_TENSOR_SHAPE(shape)                                                                             \
  template <typename T, int N>                                                                               \
  __device__ __forceinline__ void tcgen05_ld_##shape(T (&out)[N], uint32_t from) {                           \
    __ws::tmem_load(out, from, __ws::shape_##shape, 0);                                                  \
  }                                                                                                          \
  template <typename T, int N>                                                                               \
  __device__ __forceinline__ void tcgen05_ld_##shape##_pack_16b(T (&out)[N], uint32_t from) {                \
    __ws::tmem_load(out, from, __ws::shape_##shape, 1);                                                  \
  }                                                                                                          \
  template <typename T, int N>                                                                               \
  __device__ __forceinline__ void tcgen05_st_##shape(uint32_t to, const T (&values)[N]) {                    \
    __ws::tmem_store(to, values, __ws::shape_##shape, 0);                                                \
  }                                                                                                          \
  template <typename T, int N>                                                                               \
  __device__ __forceinline__ void tcgen05_st_##shape##_unpack_16b(uint32_t to, const T (&values)[N]) {       \
    __ws::tmem_store(to, values, __ws::shape_##shape, 1);                                                \
  }
__WS_TENSOR_SHAPE(32x32b)
__WS_TENSOR_SHAPE(16x64b)
__WS_TENSOR_SHAPE(16x128b)
__WS_TENSOR_SHAPE(16x256b)
#undef __WS_TENSOR_SHAPE

}  // namespace ptx
}  // namespace __WS_CUDA
