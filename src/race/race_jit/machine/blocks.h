// SPDX-License-Identifier: MIT
// The blocks that a core runs at the same time, from their start to their end.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "race/thread_state.h"
#include "race_jit/machine/block_run.h"

namespace weakspot::race_jit {

class Core;

class Blocks {
 public:
  // `windows` of shared memory; each block has one.
  Blocks(Core& owner, std::vector<std::uint64_t> windows) : core_(owner), free_windows_(std::move(windows)) {}

  void begin_launch() { some_ended_ = false; }
  void start(std::uint64_t index) { live_.push_back(make(index)); }
  // The blocks of a cluster run together from their start.
  void start_cluster(std::uint64_t number);
  bool has_room(std::uint64_t blocks) const { return free_windows_.size() >= blocks; }
  // In the order of their start.
  const std::vector<std::unique_ptr<BlockRun>>& live() const { return live_; }
  // Forgets blocks that are over; whether there were any.
  bool release_ended();
  void release_all();

  bool any_ready() const;
  // Threads that have not ended.
  std::uint64_t running() const;
  // Plain accesses of live blocks, up to the last call of the runtime by each thread.
  std::uint64_t accesses() const;
  // Since the last call.
  bool have_changed_memory();
  // Notes which threads wait for what will not happen.
  void report_stuck() const;

 private:
  std::unique_ptr<BlockRun> make(std::uint64_t index);
  void release(std::unique_ptr<BlockRun> block);

  Core& core_;
  std::vector<std::uint64_t> free_windows_;
  std::vector<std::unique_ptr<BlockRun>> live_;
  std::vector<std::unique_ptr<BlockRun>> idle_;  // kept for their memory
  race::ThreadName ended_;                       // the first thread of the first block that ended
  race::SiteId ended_at_ = 0;
  bool some_ended_ = false;
};

}  // namespace weakspot::race_jit
