// SPDX-License-Identifier: MIT
// Shared memory of a block as other blocks of its cluster and asynchronous operations use it.
#pragma once

#include <cstdint>

#include "race/site.h"
#include "race/thread_state.h"
#include "race_jit/launch/incident.h"
#include "race_jit/machine/block_run.h"
#include "race_jit/machine/bulk_copies.h"
#include "race_jit/storage/shared_uses.h"

namespace weakspot::race_jit {

class Core;

class ClusterMemory {
 public:
  explicit ClusterMemory(Core& owner) : core_(owner) {}

  void begin_launch() { uses_.clear(); }
  // Shared memory of a running block of the cluster, by the bounds of its launch.
  bool is_in_bounds(const void* address, unsigned size) const;
  bool is_of_ended_block(const void* address) const;

  // Shared memory of a block is used by another block of its cluster, or by an asynchronous operation, `user` to the
  // detector.
  void note_use(const race::ThreadState& user, const void* address, std::uint64_t size, bool write, race::SiteId site,
                const BulkEnd& end = {});
  void note_arrival(const void* gate, std::uint64_t phase, race::SiteId site);
  // What the agent has used so far is over when the phase of this mbarrier of the running block is.
  void count(const race::ThreadName& agent, const void* gate);
  void forget_counted(const void* gate);
  // All its threads have ended: what may still use its memory is noted.
  void end_block(BlockRun& block);

  // The same place in the block of that rank; null if there is none.
  char* mapped(const void* address, std::uint32_t rank);
  // The rank of the block whose memory this is; their number if it is of none.
  std::uint32_t rank_of(const void* address);

 private:
  void check_started(const race::ThreadState& user, const BlockRun& owner, Incident incident);
  bool has_seen_end(const SharedUse& use) const;
  const BlockRun* owner_in_cluster(const void* address) const;
  const BlockRun* owner_of(const void* address) const;  // own block or one of the cluster

  Core& core_;
  SharedUses uses_;
};

}  // namespace weakspot::race_jit
