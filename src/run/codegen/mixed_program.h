// SPDX-License-Identifier: MIT
// A program for a CPU and a GPU together: a kernel for the threads on the GPU (in the DeviceProgram), machine code for
// those on the CPU, and how the two meet.
//
// A round is one launch of the kernel. It has `iterations` chunks of instances, each on fresh memory of both. In a
// chunk a thread of the GPU runs its role in one instance, and a worker of the CPU in a slice of the instances, one
// after the other. Before a chunk the workers say that they are ready; the first thread of the GPU waits for them and
// for the other workgroups, says "go", and all of them start; the workers see that word when it has crossed the bus.
// Whoever comes late changes how the accesses interleave and nothing else, so all waits of the GPU may be bounded.
// After a round the CPU counts outcomes and initialises the memory again.
#pragma once

#include <cstdint>
#include <vector>

#include "codegen/cpu_program.h"
#include "codegen/environment.h"

namespace weakspot::codegen {

// The words of the buffer `sync`, which is pinned whatever the memory of the test is. Writers do not share a line.
enum MeetingWord : std::uint32_t {
  kMeetingGo = 0,       // by the GPU: chunks that it has started
  kMeetingReady = 32,   // by the CPU: how often a worker was ready
  kMeetingMissed = 64,  // by the GPU: chunks that it started without all workers
  kMeetingDelay = 96,   // by the CPU before the round: steps of arithmetic by which the GPU starts late
  kMeetingWorkers = 97,
  kMeetingWords = 128,
};

struct MixedProgram {
  // The layout of memory over all instances of a round, the counting of outcomes, and the code of the CPU's roles. The
  // results of the GPU come first.
  CpuProgram host;
  std::vector<std::uint32_t> cpu_roles;
  std::vector<std::uint32_t> gpu_roles;
  std::uint32_t workgroup_size = 64;
  std::uint32_t workgroups = 32;  // for each role on the GPU
  std::uint32_t iterations = 1;
  MemoryKind memory = MemoryKind::pinned;
  std::int32_t start_delay = 0;  // nanoseconds; 0: to be tuned
  std::int32_t start_spread = 0;
  std::uint32_t occupancy_percent = 100;  // percentage of the cores

  std::uint32_t chunk() const { return workgroup_size * workgroups; }
};

}  // namespace weakspot::codegen
