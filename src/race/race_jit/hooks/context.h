// SPDX-License-Identifier: MIT
// A CUDA thread as compiled code sees it. Code reads the first members by their offsets.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "race/launch_shape.h"
#include "race/thread_state.h"

namespace weakspot::race_jit {

// The event that a thread waits for.
enum class Wait : std::uint8_t {
  nothing,
  block_barrier,
  warp_operation,
  grid_barrier,
  cluster_barrier,
  gate,
  finished
};

struct WarpOperation {
  std::uint32_t mask = 0;
  int kind = 0;             // a WarpKind
  std::uint64_t value = 0;  // for a thread that polls memory: the address
  std::uint32_t lane = 0, width = 32;
  std::uint64_t result = 0;
};

// The allocation that a site of the source accessed last, in words. Empty until the checker was called.
struct SiteWindow {
  std::uint64_t begin = 0;
  std::uint64_t words = 0;
  race::Cell* cells = nullptr;
};

// A context takes three cache lines; a switch between threads touches the first two.
struct alignas(64) ThreadContext {
  race::ThreadState* state = nullptr;
  const race::Bounds* bounds = nullptr;
  char* shared = nullptr;
  std::uint64_t shared_bytes = 0;  // size for this launch
  std::uint64_t shared_words = 0;  // whole ones of them
  race::Cell* shared_cells = nullptr;
  SiteWindow* windows = nullptr;          // by site
  std::uint64_t accesses = 0;             // counted by compiled code
  std::array<std::uint32_t, 3> thread{};  // coordinates
  std::array<std::uint32_t, 3> block{};
  race::Extent block_size, grid_size;

  bool wrote = false;     // since the runtime last looked; set only where threads may wait for memory to change
  race::SiteId site = 0;  // the site of its wait, or its last known one

  // The rest is for the runtime alone.
  Wait wait = Wait::nothing;
  bool gave_way = false;              // it polls memory that others have to change
  std::uint8_t arrived = 0;           // at barriers of several blocks, see meetings.cpp
  std::uint32_t number = 0;           // within its block
  std::uint32_t strong_accesses = 0;  // since it last gave way
  char* stack = nullptr;              // null before the thread has started and after it has ended
  WarpOperation operation;
  int barrier_kind = 0, barrier_value = 0, barrier_result = 0;
  std::uint32_t times_given_way = 0;
  std::uint8_t* marks = nullptr;  // branch marks, for compiled code, which reads the pointer once
};
static_assert(sizeof(ThreadContext) == std::size_t{3} * 64);

}  // namespace weakspot::race_jit
