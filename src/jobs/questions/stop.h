// SPDX-License-Identifier: MIT
// The user's wish to end a job.
#pragma once

#include <atomic>

namespace weakspot::questions {

// The flag is set by a signal handler or another thread; null: never.
inline bool is_stopped(const std::atomic<bool>* stop) {
  return stop != nullptr && stop->load(std::memory_order_relaxed);
}

}  // namespace weakspot::questions
