// SPDX-License-Identifier: MIT
// ::cuda and ::cuda::std, for files that include a header of libcu++.
#pragma once

#if !defined(__WS_TOOLKIT)
#include "atomic_types.h"

namespace cuda {
using namespace ::__ws_cuda;

namespace std {
using ::__ws_cuda::atomic_thread_fence;
using ::__ws_cuda::memory_order;
using ::__ws_cuda::memory_order_acq_rel;
using ::__ws_cuda::memory_order_acquire;
using ::__ws_cuda::memory_order_consume;
using ::__ws_cuda::memory_order_relaxed;
using ::__ws_cuda::memory_order_release;
using ::__ws_cuda::memory_order_seq_cst;
using ::__ws_cuda::__ws_std::atomic;
using ::__ws_cuda::__ws_std::atomic_flag;
using ::__ws_cuda::__ws_std::atomic_ref;
}  // namespace std
}  // namespace cuda
#endif

#if defined(__CUDA__)  // barriers have no operations on the host alone
#include "gate.h"

namespace cuda {
namespace std {
using ::__WS_CUDA::__ws_std::barrier;
}  // namespace std
}  // namespace cuda
#endif
