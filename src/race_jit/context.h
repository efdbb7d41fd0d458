// A CUDA thread as compiled code sees it. Code reads the first members by their offsets.
#pragma once

#include <cstdint>

#include "race/thread_state.h"

namespace weakspot::race_jit {

struct Extent {
  std::uint32_t x = 1, y = 1, z = 1;

  std::uint64_t count() const { return std::uint64_t{x} * y * z; }
};

// What a thread waits for.
enum class Wait : std::uint8_t { nothing, block_barrier, warp_operation, grid_barrier, gate, finished };

struct WarpOperation {
  std::uint32_t mask = 0;
  int kind = 0;  // see WarpKind in warp_operations.h
  std::uint64_t value = 0;
  std::uint32_t lane = 0, width = 32;
  std::uint64_t result = 0;
};

struct ThreadContext {
  race::ThreadState* state = nullptr;
  char* shared = nullptr;
  std::uint32_t thread[3] = {0, 0, 0};
  std::uint32_t block[3] = {0, 0, 0};
  std::uint32_t block_size[3] = {1, 1, 1};
  std::uint32_t grid_size[3] = {1, 1, 1};

  // From here on for the runtime alone.
  void* stack_pointer = nullptr;
  char* stack = nullptr;
  std::uint32_t number = 0;  // within its block
  Wait wait = Wait::nothing;
  race::SiteId site = 0;              // where it waits
  std::uint32_t strong_accesses = 0;  // since it last gave way
  bool gave_way = false;              // it waits for others through memory
  WarpOperation operation;
  int barrier_kind = 0, barrier_value = 0, barrier_result = 0;
};

}  // namespace weakspot::race_jit
