// SPDX-License-Identifier: MIT
// A core of the device: runs blocks of a launch on one thread of this process. It has a detector with a shadow of its
// own, the threads that take turns, and what they wait at. The memory belongs to the device (machine.h), which has one
// core, and others for the workers that share the blocks of large launches (crew.h).
//
// Threads of a block run in turns, each until it waits. A barrier or warp operation is settled between the turns.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "race/detector.h"
#include "race/site.h"
#include "race_jit/launch/launch_request.h"
#include "race_jit/launch/mutation.h"
#include "race_jit/launch/notes.h"
#include "race_jit/machine/async_copies.h"
#include "race_jit/machine/blocks.h"
#include "race_jit/machine/bulk_copies.h"
#include "race_jit/machine/cluster_memory.h"
#include "race_jit/machine/gates.h"
#include "race_jit/machine/matrix_reads.h"
#include "race_jit/machine/meetings.h"
#include "race_jit/machine/tensor_blocks.h"
#include "race_jit/machine/turns.h"
#include "race_jit/machine/windows.h"
#include "race_jit/storage/arena.h"

namespace weakspot::race_jit {

class Core;
class Crew;
class Machine;
class ShadowMemory;

// The core that compiled code on this thread of the process runs on.
extern constinit thread_local Core* core;

struct Counts {
  std::uint64_t checked = 0;         // accesses
  std::uint64_t checked_before = 0;  // this launch
  std::uint64_t blocks = 0;          // that came to their end
  std::uint64_t changes = 0;         // writes to memory since the scheduler last looked
  std::uint64_t ticks = 0;           // a clock of this launch that advances whenever it is read
};

class Core {
 public:
  Core(Machine& device, const race::DetectorOptions& options);
  // A worker's, with this window of shared memory.
  Core(Machine& device, Crew& crew, ShadowMemory& shadow, std::uint64_t window);

  // Executes a launch to its end; false when it had to be abandoned (an incident says why).
  bool launch(const LaunchRequest& request, Schedule schedule);
  // For a worker: takes part in the launch that the device runs.
  void join(const LaunchRequest& request, Schedule schedule);
  // Runs a block to its end; false if the worker has given up, or the launch cannot go on.
  bool run_alone(std::uint64_t index);

  Machine& device() { return device_; }
  const LaunchRequest& request() const { return *request_; }  // the running one
  Arena& arena() { return arena_; }
  const std::vector<race::Site>& sites() const { return sites_; }
  std::span<std::uint8_t> marks();  // branches taken, marked by compiled code
  race::Detector& detector() { return detector_; }
  const race::Detector& detector() const { return detector_; }
  Turns& turns() { return turns_; }
  Blocks& blocks() { return blocks_; }
  Meetings& meetings() { return meetings_; }
  ClusterMemory& shared() { return shared_; }
  Gates& gates() { return gates_; }
  AsyncCopies& copies() { return copies_; }
  BulkCopies& bulk() { return bulk_; }
  MatrixReads& matrices() { return matrices_; }
  TensorBlocks& tensor() { return tensor_; }
  Windows& windows() { return windows_; }
  Mutation& mutation() { return mutation_; }
  const Mutation& mutation() const { return mutation_; }
  Notes& notes() { return notes_; }
  const Notes& notes() const { return notes_; }
  Counts& counts() { return counts_; }
  const Counts& counts() const { return counts_; }

  void note(Incident incident);
  // Something at that site, 0 for the host, was left out of the run.
  void doubt(race::Effect effect, race::SiteId site);
  // Takes what was learnt since the last call.
  BarrierKnowledge take_barriers();

  bool is_worker() const { return crew_ != nullptr; }
  // On the stack of the current thread: what follows depends on other blocks, so a worker gives up.
  void needs_others() {
    if (crew_ != nullptr) leave();
  }
  bool has_given_up() const;
  // Whether the allocation can be put back as it is now; a worker gives up otherwise.
  bool may_write(const Allocation& allocation);

  // On the stack of the current thread, which polls memory there.
  void give_way(const void* address);
  // The shared memory of a running block, by the bounds of its launch.
  bool is_in_shared_bounds(const void* address, unsigned size) const;
  // Leaves the launch from a signal handler.
  [[noreturn]] void abandon(Incident incident);

 private:
  void begin_launch(const LaunchRequest& request, Schedule schedule);
  void end_launch();
  bool step(BlockRun& block);
  bool stop_if_spent();
  bool stop_if_late();
  bool stop(std::string why);
  [[noreturn]] void leave();

  Machine& device_;
  Crew* crew_ = nullptr;  // only for a worker
  Arena& arena_;
  const std::vector<race::Site>& sites_;
  race::Detector detector_;
  Turns turns_;
  Blocks blocks_;
  Meetings meetings_{*this};
  ClusterMemory shared_{*this};
  Gates gates_;
  AsyncCopies copies_;
  BulkCopies bulk_;
  MatrixReads matrices_;
  TensorBlocks tensor_;
  Windows windows_;
  Mutation mutation_;
  Notes notes_;
  Counts counts_;
  const LaunchRequest* request_ = nullptr;
  std::vector<std::uint8_t> own_marks_;  // only for a worker
};

}  // namespace weakspot::race_jit
