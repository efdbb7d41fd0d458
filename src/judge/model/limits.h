// SPDX-License-Identifier: MIT
// Limits on the work for a verdict. A limit that is reached makes a verdict incomplete, never wrong.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

namespace weakspot::model {

struct Limits {
  // An execution is given up after a backward branch was followed this often. Rounds of a loop in which nothing depends
  // on a read are not counted.
  std::uint32_t unroll = 3;
  // Zero: no limit.
  std::chrono::milliseconds time{0};
  std::uint64_t candidates = 0;  // candidate executions looked at
  std::uint64_t memory = 0;      // bytes: paths, open choices, relations, and the outcomes found
  // The user's wish to end; may be null. Set from any thread or from a signal handler, it ends the work as the end of
  // the time does. It must outlive the work.
  const std::atomic<bool>* stop = nullptr;
};

}  // namespace weakspot::model
