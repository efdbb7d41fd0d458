// SPDX-License-Identifier: MIT
// cuda::pipeline: stages of asynchronous copies. For one thread, a stage is a group of copies. For several threads, each
// stage has a gate that opens when it is full and one that opens when it may be filled again.
#pragma once
#include "gate.h"

namespace __WS_CUDA {

enum class pipeline_role { producer, consumer };

template <thread_scope Scope, unsigned char Stages>
struct pipeline_shared_state {
  static constexpr unsigned int stages = Stages;
  long long full_[Stages], empty_[Stages];
  unsigned int producers_, consumers_;
};

template <thread_scope Scope>
class pipeline {
 public:
  // For the calling thread alone.
  __device__ __forceinline__ pipeline() : full_(0), empty_(0), stages_(0), filled_(0), emptied_(0) {}
  __device__ __forceinline__ pipeline(long long* full, long long* empty, unsigned int stages)
      : full_(full), empty_(empty), stages_(stages), filled_(0), emptied_(0) {}

  __device__ __forceinline__ void producer_acquire() {
    if (stages_ != 0 && filled_ >= stages_) __ws_gate_wait(&empty_[filled_ % stages_], filled_ / stages_ - 1);
  }
  __device__ __forceinline__ void producer_commit() {
    if (stages_ == 0) {
      __ws_async_commit();
    } else {
      __ws_async_tell(&full_[filled_ % stages_]);
      __ws_gate_arrive(&full_[filled_ % stages_], 1, 0);
    }
    ++filled_;
  }
  // Waits for the oldest stage that was not waited for yet.
  __device__ __forceinline__ void consumer_wait() {
    if (stages_ == 0) {
      __ws_async_wait((unsigned int)(filled_ - emptied_ - 1));
    } else {
      __ws_gate_wait(&full_[emptied_ % stages_], emptied_ / stages_);
    }
  }
  __device__ __forceinline__ void consumer_release() {
    if (stages_ != 0) __ws_gate_arrive(&empty_[emptied_ % stages_], 1, 0);
    ++emptied_;
  }
  __device__ __forceinline__ void wait_prior(unsigned int left) const { __ws_async_wait(left); }
  __device__ __forceinline__ bool quit() { return true; }

 private:
  long long *full_, *empty_;
  unsigned long long stages_, filled_, emptied_;
};

__device__ __forceinline__ pipeline<thread_scope_thread> make_pipeline() { return {}; }

namespace __ws {
template <typename Group, thread_scope Scope, unsigned char Stages>
__device__ __forceinline__ pipeline<Scope> shared_pipeline(const Group& group,
                                                           pipeline_shared_state<Scope, Stages>* state,
                                                           unsigned int producers) {
  if (group.thread_rank() == 0) {
    state->producers_ = producers;
    for (unsigned int i = 0; i < Stages; ++i) {
      __ws_gate_init(&state->full_[i], producers);
      __ws_gate_init(&state->empty_[i], (unsigned int)group.size() - (producers == group.size() ? 0 : producers));
    }
  }
  group.sync();
  return pipeline<Scope>(state->full_, state->empty_, Stages);
}
}  // namespace __ws

// All threads of the group produce and consume.
template <typename Group, thread_scope Scope, unsigned char Stages>
__device__ __forceinline__ pipeline<Scope> make_pipeline(const Group& group,
                                                         pipeline_shared_state<Scope, Stages>* state) {
  return __ws::shared_pipeline(group, state, (unsigned int)group.size());
}
// The first `producers` threads produce, the others consume.
template <typename Group, thread_scope Scope, unsigned char Stages>
__device__ __forceinline__ pipeline<Scope> make_pipeline(const Group& group,
                                                         pipeline_shared_state<Scope, Stages>* state,
                                                         size_t producers) {
  return __ws::shared_pipeline(group, state, (unsigned int)producers);
}
template <typename Group, thread_scope Scope, unsigned char Stages>
__device__ __forceinline__ pipeline<Scope> make_pipeline(const Group& group,
                                                         pipeline_shared_state<Scope, Stages>* state,
                                                         pipeline_role role) {
  const unsigned int producers = (unsigned int)__syncthreads_count(role == pipeline_role::producer);
  return __ws::shared_pipeline(group, state, producers);
}

template <typename Size, thread_scope Scope>
__device__ __forceinline__ void memcpy_async(void* to, const void* from, Size size, pipeline<Scope>&) {
  __ws_async_copy(to, from, (size_t)size, (size_t)size);
}
template <typename Group, typename Size, thread_scope Scope>
__device__ __forceinline__ void memcpy_async(const Group& group, void* to, const void* from, Size size,
                                             pipeline<Scope>&) {
  __ws_copy_part((char*)to, (const char*)from, (size_t)size, group.thread_rank(), group.size());
}
template <unsigned char Prior, thread_scope Scope>
__device__ __forceinline__ void pipeline_consumer_wait_prior(pipeline<Scope>& stages) { stages.wait_prior(Prior); }
template <thread_scope Scope>
__device__ __forceinline__ void pipeline_producer_commit(pipeline<Scope>&, barrier<thread_scope_block>& gate) {
  __ws_async_tell(&gate);
}

}  // namespace __WS_CUDA
