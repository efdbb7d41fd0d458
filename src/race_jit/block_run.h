// A block of threads between its start and its end.
#pragma once

#include <cstdint>
#include <vector>

#include "race/thread_state.h"
#include "race_jit/context.h"

namespace weakspot::race_jit {

struct BlockRun {
  race::BlockState state;
  std::vector<ThreadContext> contexts;
  std::vector<std::uint32_t> ready;  // these two are kept for their memory
  std::vector<ThreadContext*> waiting;
  std::uint64_t window = 0;  // of shared memory
  unsigned running = 0;
};

}  // namespace weakspot::race_jit
