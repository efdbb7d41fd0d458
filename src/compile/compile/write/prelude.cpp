// SPDX-License-Identifier: MIT
#include "compile/write/prelude.h"

namespace weakspot::compile {
namespace {

// The functions of C11 and OpenCL in terms of builtins, so that no header of the target is needed.
constexpr std::string_view kCTypes = R"(typedef signed char int8_t;
typedef unsigned char uint8_t;
typedef short int16_t;
typedef unsigned short uint16_t;
typedef unsigned int uint32_t;
typedef long long int64_t;
typedef unsigned long long uint64_t;
typedef unsigned int uint;
typedef int atomic_int;
typedef unsigned int atomic_uint;
#define _Atomic(type) type
#define memory_order_relaxed __ATOMIC_RELAXED
#define memory_order_consume __ATOMIC_CONSUME
#define memory_order_acquire __ATOMIC_ACQUIRE
#define memory_order_release __ATOMIC_RELEASE
#define memory_order_acq_rel __ATOMIC_ACQ_REL
#define memory_order_seq_cst __ATOMIC_SEQ_CST
)";

constexpr std::string_view kC = R"(#define atomic_load_explicit(at, order) __atomic_load_n(at, order)
#define atomic_store_explicit(at, value, order) __atomic_store_n(at, value, order)
#define atomic_exchange_explicit(at, value, order) __atomic_exchange_n(at, value, order)
#define atomic_fetch_add_explicit(at, value, order) __atomic_fetch_add(at, value, order)
#define atomic_fetch_sub_explicit(at, value, order) __atomic_fetch_sub(at, value, order)
#define atomic_fetch_and_explicit(at, value, order) __atomic_fetch_and(at, value, order)
#define atomic_fetch_or_explicit(at, value, order) __atomic_fetch_or(at, value, order)
#define atomic_fetch_xor_explicit(at, value, order) __atomic_fetch_xor(at, value, order)
#define atomic_compare_exchange_strong_explicit(at, old, value, order, failure) \
  __atomic_compare_exchange_n(at, old, value, 0, order, failure)
#define atomic_compare_exchange_weak_explicit(at, old, value, order, failure) \
  __atomic_compare_exchange_n(at, old, value, 1, order, failure)
#define atomic_thread_fence(order) __atomic_thread_fence(order)
)";

// A scope that is left out is the device.
constexpr std::string_view kScopedC = R"(#define memory_scope_work_item __MEMORY_SCOPE_SINGLE
#define memory_scope_sub_group __MEMORY_SCOPE_WVFRNT
#define memory_scope_work_group __MEMORY_SCOPE_WRKGRP
#define memory_scope_device __MEMORY_SCOPE_DEVICE
#define memory_scope_all_svm_devices __MEMORY_SCOPE_SYSTEM
#define WS_2(name, at, order, scope, ...) name(at, order, scope)
#define WS_3(name, at, value, order, scope, ...) name(at, value, order, scope)
#define WS_CAS(weak, at, old, value, order, failure, scope, ...) \
  __scoped_atomic_compare_exchange_n(at, old, value, weak, order, failure, scope)
#define atomic_load_explicit(...) WS_2(__scoped_atomic_load_n, __VA_ARGS__, memory_scope_device, 0)
#define atomic_store_explicit(...) WS_3(__scoped_atomic_store_n, __VA_ARGS__, memory_scope_device, 0)
#define atomic_exchange_explicit(...) WS_3(__scoped_atomic_exchange_n, __VA_ARGS__, memory_scope_device, 0)
#define atomic_fetch_add_explicit(...) WS_3(__scoped_atomic_fetch_add, __VA_ARGS__, memory_scope_device, 0)
#define atomic_fetch_sub_explicit(...) WS_3(__scoped_atomic_fetch_sub, __VA_ARGS__, memory_scope_device, 0)
#define atomic_fetch_and_explicit(...) WS_3(__scoped_atomic_fetch_and, __VA_ARGS__, memory_scope_device, 0)
#define atomic_fetch_or_explicit(...) WS_3(__scoped_atomic_fetch_or, __VA_ARGS__, memory_scope_device, 0)
#define atomic_fetch_xor_explicit(...) WS_3(__scoped_atomic_fetch_xor, __VA_ARGS__, memory_scope_device, 0)
#define atomic_fetch_min_explicit(...) WS_3(__scoped_atomic_fetch_min, __VA_ARGS__, memory_scope_device, 0)
#define atomic_fetch_max_explicit(...) WS_3(__scoped_atomic_fetch_max, __VA_ARGS__, memory_scope_device, 0)
#define atomic_compare_exchange_strong_explicit(...) WS_CAS(0, __VA_ARGS__, memory_scope_device, 0)
#define atomic_compare_exchange_weak_explicit(...) WS_CAS(1, __VA_ARGS__, memory_scope_device, 0)
#define atomic_work_item_fence(flags, order, scope) __scoped_atomic_thread_fence(order, scope)
)";

// Targets without the functions of OpenCL C, such as SPIR-V, use clang's builtins. A fence is the one of the target:
// GPUs of NVIDIA have only those with scopes, CPUs only those with orders.
constexpr std::string_view kOpencl = R"(typedef char int8_t;
typedef uchar uint8_t;
typedef short int16_t;
typedef ushort uint16_t;
typedef uint uint32_t;
typedef long int64_t;
typedef ulong uint64_t;
#if !defined(__SPIR__) && !defined(__SPIRV__)
#define WS_2(name, at, order, scope, ...) name(at, order, scope)
#define WS_3(name, at, value, order, scope, ...) name(at, value, order, scope)
#define WS_CAS(name, at, old, value, order, failure, scope, ...) name(at, old, value, order, failure, scope)
#define atomic_load_explicit(...) WS_2(__opencl_atomic_load, __VA_ARGS__, memory_scope_device, 0)
#define atomic_store_explicit(...) WS_3(__opencl_atomic_store, __VA_ARGS__, memory_scope_device, 0)
#define atomic_exchange_explicit(...) WS_3(__opencl_atomic_exchange, __VA_ARGS__, memory_scope_device, 0)
#define atomic_fetch_add_explicit(...) WS_3(__opencl_atomic_fetch_add, __VA_ARGS__, memory_scope_device, 0)
#define atomic_fetch_sub_explicit(...) WS_3(__opencl_atomic_fetch_sub, __VA_ARGS__, memory_scope_device, 0)
#define atomic_fetch_and_explicit(...) WS_3(__opencl_atomic_fetch_and, __VA_ARGS__, memory_scope_device, 0)
#define atomic_fetch_or_explicit(...) WS_3(__opencl_atomic_fetch_or, __VA_ARGS__, memory_scope_device, 0)
#define atomic_fetch_xor_explicit(...) WS_3(__opencl_atomic_fetch_xor, __VA_ARGS__, memory_scope_device, 0)
#define atomic_fetch_min_explicit(...) WS_3(__opencl_atomic_fetch_min, __VA_ARGS__, memory_scope_device, 0)
#define atomic_fetch_max_explicit(...) WS_3(__opencl_atomic_fetch_max, __VA_ARGS__, memory_scope_device, 0)
#define atomic_compare_exchange_strong_explicit(...) \
  WS_CAS(__opencl_atomic_compare_exchange_strong, __VA_ARGS__, memory_scope_device, 0)
#define atomic_compare_exchange_weak_explicit(...) \
  WS_CAS(__opencl_atomic_compare_exchange_weak, __VA_ARGS__, memory_scope_device, 0)
#ifdef __NVPTX__
#define WS_FENCE_memory_scope_work_group __nvvm_membar_cta
#define WS_FENCE_memory_scope_device __nvvm_membar_gl
#define WS_FENCE_memory_scope_all_svm_devices __nvvm_membar_sys
#define atomic_work_item_fence(flags, order, scope) WS_FENCE_##scope()
#else
#define atomic_work_item_fence(flags, order, scope) __atomic_thread_fence(order)
#endif
#endif
)";

// OpenCL's names for what CUDA has.
constexpr std::string_view kCudaTypes = R"(typedef int atomic_int;
typedef unsigned int atomic_uint;
typedef unsigned int uint;
#define CLK_GLOBAL_MEM_FENCE 1
#define CLK_LOCAL_MEM_FENCE 2
#define barrier(flags) __syncthreads()
#define sub_group_barrier(flags) __syncwarp()
)";

constexpr std::string_view kCuda = R"(#include <cuda/atomic>
#define memory_order_relaxed cuda::memory_order_relaxed
#define memory_order_acquire cuda::memory_order_acquire
#define memory_order_release cuda::memory_order_release
#define memory_order_acq_rel cuda::memory_order_acq_rel
#define memory_order_seq_cst cuda::memory_order_seq_cst
#define memory_scope_work_item cuda::thread_scope_thread
#define memory_scope_work_group cuda::thread_scope_block
#define memory_scope_device cuda::thread_scope_device
#define memory_scope_all_svm_devices cuda::thread_scope_system
template <cuda::thread_scope scope, typename T>
__device__ inline cuda::atomic_ref<T, scope> ws_ref(T* at) { return cuda::atomic_ref<T, scope>(*at); }
#define WS_2(name, at, order, scope, ...) ws_ref<scope>(at).name(order)
#define WS_3(name, at, value, order, scope, ...) ws_ref<scope>(at).name(value, order)
#define WS_CAS(name, at, old, value, order, failure, scope, ...) ws_ref<scope>(at).name(*(old), value, order, failure)
#define atomic_load_explicit(...) WS_2(load, __VA_ARGS__, memory_scope_device, 0)
#define atomic_store_explicit(...) WS_3(store, __VA_ARGS__, memory_scope_device, 0)
#define atomic_exchange_explicit(...) WS_3(exchange, __VA_ARGS__, memory_scope_device, 0)
#define atomic_fetch_add_explicit(...) WS_3(fetch_add, __VA_ARGS__, memory_scope_device, 0)
#define atomic_fetch_sub_explicit(...) WS_3(fetch_sub, __VA_ARGS__, memory_scope_device, 0)
#define atomic_fetch_and_explicit(...) WS_3(fetch_and, __VA_ARGS__, memory_scope_device, 0)
#define atomic_fetch_or_explicit(...) WS_3(fetch_or, __VA_ARGS__, memory_scope_device, 0)
#define atomic_fetch_xor_explicit(...) WS_3(fetch_xor, __VA_ARGS__, memory_scope_device, 0)
#define atomic_fetch_min_explicit(...) WS_3(fetch_min, __VA_ARGS__, memory_scope_device, 0)
#define atomic_fetch_max_explicit(...) WS_3(fetch_max, __VA_ARGS__, memory_scope_device, 0)
#define atomic_compare_exchange_strong_explicit(...) \
  WS_CAS(compare_exchange_strong, __VA_ARGS__, memory_scope_device, 0)
#define atomic_compare_exchange_weak_explicit(...) WS_CAS(compare_exchange_weak, __VA_ARGS__, memory_scope_device, 0)
#define atomic_work_item_fence(flags, order, scope) cuda::atomic_thread_fence(order, scope)
)";

// The functions do not take an array for a pointer.
constexpr std::string_view kCudaBuiltins = R"(#define memory_order_relaxed __NV_ATOMIC_RELAXED
#define memory_order_acquire __NV_ATOMIC_ACQUIRE
#define memory_order_release __NV_ATOMIC_RELEASE
#define memory_order_acq_rel __NV_ATOMIC_ACQ_REL
#define memory_order_seq_cst __NV_ATOMIC_SEQ_CST
#define memory_scope_work_item __NV_THREAD_SCOPE_THREAD
#define memory_scope_work_group __NV_THREAD_SCOPE_BLOCK
#define memory_scope_device __NV_THREAD_SCOPE_DEVICE
#define memory_scope_all_svm_devices __NV_THREAD_SCOPE_SYSTEM
#define WS_2(name, at, order, scope, ...) name(&*(at), order, scope)
#define WS_3(name, at, value, order, scope, ...) name(&*(at), value, order, scope)
#define WS_CAS(weak, at, old, value, order, failure, scope, ...) \
  __nv_atomic_compare_exchange_n(&*(at), old, value, weak, order, failure, scope)
#define atomic_load_explicit(...) WS_2(__nv_atomic_load_n, __VA_ARGS__, memory_scope_device, 0)
#define atomic_store_explicit(...) WS_3(__nv_atomic_store_n, __VA_ARGS__, memory_scope_device, 0)
#define atomic_exchange_explicit(...) WS_3(__nv_atomic_exchange_n, __VA_ARGS__, memory_scope_device, 0)
#define atomic_fetch_add_explicit(...) WS_3(__nv_atomic_fetch_add, __VA_ARGS__, memory_scope_device, 0)
#define atomic_fetch_sub_explicit(...) WS_3(__nv_atomic_fetch_sub, __VA_ARGS__, memory_scope_device, 0)
#define atomic_fetch_and_explicit(...) WS_3(__nv_atomic_fetch_and, __VA_ARGS__, memory_scope_device, 0)
#define atomic_fetch_or_explicit(...) WS_3(__nv_atomic_fetch_or, __VA_ARGS__, memory_scope_device, 0)
#define atomic_fetch_xor_explicit(...) WS_3(__nv_atomic_fetch_xor, __VA_ARGS__, memory_scope_device, 0)
#define atomic_fetch_min_explicit(...) WS_3(__nv_atomic_fetch_min, __VA_ARGS__, memory_scope_device, 0)
#define atomic_fetch_max_explicit(...) WS_3(__nv_atomic_fetch_max, __VA_ARGS__, memory_scope_device, 0)
#define atomic_compare_exchange_strong_explicit(...) WS_CAS(false, __VA_ARGS__, memory_scope_device, 0)
#define atomic_compare_exchange_weak_explicit(...) WS_CAS(true, __VA_ARGS__, memory_scope_device, 0)
#define atomic_work_item_fence(flags, order, scope) __nv_atomic_thread_fence(order, scope)
)";

// Only what is relaxed has a function. A fence of any order is __threadfence, which is one of seq_cst. Clang without
// the toolkit (-nocudainc) has the builtins that the toolkit's functions are for it.
constexpr std::string_view kCudaFences = R"(#ifndef __device__
#define __device__ __attribute__((device))
#define atomicExch __nvvm_atom_xchg_gen_i
#define atomicAdd __nvvm_atom_add_gen_i
#define atomicAnd __nvvm_atom_and_gen_i
#define atomicOr __nvvm_atom_or_gen_i
#define atomicXor __nvvm_atom_xor_gen_i
#define atomicMin __nvvm_atom_min_gen_i
#define atomicMax __nvvm_atom_max_gen_i
#define atomicExch_block __nvvm_atom_cta_xchg_gen_i
#define atomicAdd_block __nvvm_atom_cta_add_gen_i
#define atomicAnd_block __nvvm_atom_cta_and_gen_i
#define atomicOr_block __nvvm_atom_cta_or_gen_i
#define atomicXor_block __nvvm_atom_cta_xor_gen_i
#define atomicMin_block __nvvm_atom_cta_min_gen_i
#define atomicMax_block __nvvm_atom_cta_max_gen_i
#define __threadfence_block __nvvm_membar_cta
#define __threadfence __nvvm_membar_gl
#define __threadfence_system __nvvm_membar_sys
#endif
#define WS_SUFFIX_memory_scope_work_group _block
#define WS_SUFFIX_memory_scope_device
#define WS_SUFFIX_memory_scope_all_svm_devices _system
#define WS_JOIN_(name, suffix) name##suffix
#define WS_JOIN(name, suffix) WS_JOIN_(name, suffix)
#define WS_2(at, order, scope, ...) (*(volatile int*)(at))
#define WS_3(name, at, value, order, scope, ...) WS_JOIN(name, WS_SUFFIX_##scope)(at, value)
#define WS_ST(at, value, order, scope, ...) (*(volatile int*)(at) = (value))
#define atomic_load_explicit(...) WS_2(__VA_ARGS__, memory_scope_device, 0)
#define atomic_store_explicit(...) WS_ST(__VA_ARGS__, memory_scope_device, 0)
#define atomic_exchange_explicit(...) WS_3(atomicExch, __VA_ARGS__, memory_scope_device, 0)
#define atomic_fetch_add_explicit(...) WS_3(atomicAdd, __VA_ARGS__, memory_scope_device, 0)
#define atomic_fetch_sub_explicit(...) WS_3(atomicSub, __VA_ARGS__, memory_scope_device, 0)
#define atomic_fetch_and_explicit(...) WS_3(atomicAnd, __VA_ARGS__, memory_scope_device, 0)
#define atomic_fetch_or_explicit(...) WS_3(atomicOr, __VA_ARGS__, memory_scope_device, 0)
#define atomic_fetch_xor_explicit(...) WS_3(atomicXor, __VA_ARGS__, memory_scope_device, 0)
#define atomic_fetch_min_explicit(...) WS_3(atomicMin, __VA_ARGS__, memory_scope_device, 0)
#define atomic_fetch_max_explicit(...) WS_3(atomicMax, __VA_ARGS__, memory_scope_device, 0)
#define atomic_work_item_fence(flags, order, scope) WS_JOIN(__threadfence, WS_SUFFIX_##scope)()
)";

}  // namespace

std::string prelude_of(Language language) {
  auto joined = [](std::string_view first, std::string_view second) {
    return std::string(first) + std::string(second);
  };
  switch (language) {
    case Language::c:
      return joined(kCTypes, kC);
    case Language::scoped_c:
      return joined(kCTypes, kScopedC);
    case Language::opencl:
      return std::string(kOpencl);
    case Language::cuda:
      return joined(kCuda, kCudaTypes);
    case Language::cuda_builtins:
      return joined(kCudaTypes, kCudaBuiltins);
    case Language::cuda_fences:
      return joined(kCudaTypes, kCudaFences);
    case Language::wgsl:
      break;
  }
  return {};
}

std::string_view head_of_variables(Language language) {
  if (language == Language::opencl) return "extern global ";
  return language == Language::c || language == Language::scoped_c ? "extern " : "extern __device__ ";
}

std::string_view head_of_functions(Language language) {
  switch (language) {
    case Language::c:
    case Language::scoped_c:
    case Language::opencl:
      return "void ";
    case Language::wgsl:
      return "@compute @workgroup_size(64) fn ";
    default:
      return "extern \"C\" __device__ void ";
  }
}

}  // namespace weakspot::compile
