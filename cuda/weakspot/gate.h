// SPDX-License-Identifier: MIT
// cuda::barrier: a gate, that is, a barrier at which arriving and waiting are separate steps.
#pragma once
#include "async.h"
#include "atomic_call.h"
#if defined(__WS_TOOLKIT)
#include <cuda/atomic>
#else
#include "atomic_types.h"
#endif

extern "C" __device__ void __ws_gate_init(void* gate, unsigned int expected);
extern "C" __device__ unsigned long long __ws_gate_arrive(void* gate, unsigned int count, unsigned int drop);
extern "C" __device__ void __ws_gate_wait(void* gate, unsigned long long phase);
extern "C" __device__ unsigned int __ws_gate_test(void* gate, unsigned long long phase);

namespace __WS_CUDA {
namespace __ws {
struct no_completion {
  __device__ void operator()() const {}
};
}  // namespace __ws

template <thread_scope Scope, typename Completion = __ws::no_completion>
class barrier {
  static_assert(__is_same(Completion, __ws::no_completion), "completion functions of cuda::barrier are not modelled");

 public:
  using arrival_token = unsigned long long;

  barrier() = default;
  __host__ __device__ __forceinline__ explicit barrier(ptrdiff_t expected) { start(expected); }
  barrier(const barrier&) = delete;
  barrier& operator=(const barrier&) = delete;

  // The object is written when it is made and read when it is used, so that using it too early is a race.
  __host__ __device__ __forceinline__ void start(ptrdiff_t expected) {
    expected_ = expected;
#if defined(__CUDA_ARCH__)
    __ws_gate_init(this, (unsigned int)expected);
#endif
  }
  __device__ __forceinline__ arrival_token arrive(ptrdiff_t count = 1) {
    touch();
    return __ws_gate_arrive(this, (unsigned int)count, 0);
  }
  __device__ __forceinline__ void wait(arrival_token&& token) const { __ws_gate_wait((void*)this, token); }
  __device__ __forceinline__ void wait_parity(bool parity) const {
    while (!try_wait_parity(parity)) {
    }
  }
  __device__ __forceinline__ bool try_wait(arrival_token token) const { return __ws_gate_test((void*)this, token); }
  __device__ __forceinline__ bool try_wait_parity(bool parity) const {
    return __ws_gate_test((void*)this, __ws_hook::kParityPhase - (parity ? 1 : 0));
  }
  __device__ __forceinline__ void arrive_and_wait() { wait(arrive()); }
  __device__ __forceinline__ void arrive_and_drop() {
    touch();
    __ws_gate_arrive(this, 1, 1);
  }

 private:
  __device__ __forceinline__ void touch() {
    __ws_atomic(&expected_, __ws_hook::kLoad, sizeof expected_, __ws_hook::kBlockScope, __ws_hook::kRelaxedOrder, 0,
                0);
  }
  long long expected_;
};

template <thread_scope Scope, typename Completion>
__host__ __device__ __forceinline__ void init(barrier<Scope, Completion>* gate, ptrdiff_t expected) {
  gate->start(expected);
}
template <thread_scope Scope, typename Completion>
__host__ __device__ __forceinline__ void init(barrier<Scope, Completion>* gate, ptrdiff_t expected, Completion) {
  gate->start(expected);
}

// Copies that the phase of the barrier waits for.
template <typename Size, thread_scope Scope>
__device__ __forceinline__ void memcpy_async(void* to, const void* from, Size size, barrier<Scope>& gate) {
  __ws_async_copy(to, from, (size_t)size, (size_t)size);
  __ws_async_tell(&gate);
}
template <typename Group, typename Size, thread_scope Scope>
__device__ __forceinline__ void memcpy_async(const Group& group, void* to, const void* from, Size size,
                                             barrier<Scope>& gate) {
  __ws_copy_part((char*)to, (const char*)from, (size_t)size, group.thread_rank(), group.size());
  __ws_async_tell(&gate);
}

namespace __ws_std {  // see atomic_types.h
template <typename Completion = ::__WS_CUDA::__ws::no_completion>
using barrier = ::__WS_CUDA::barrier<thread_scope_system, Completion>;
}  // namespace __ws_std
}  // namespace __WS_CUDA
