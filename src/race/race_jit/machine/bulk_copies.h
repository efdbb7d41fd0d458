// SPDX-License-Identifier: MIT
// Operations of engines beside the threads, through the async proxy: cp.async.bulk, st.async, red.async.
//
// To the detector, each operation is two threads of their own, one that reads and one that writes, in a block of
// agents. They know what the issuing thread knew, and their end is known to those who wait for the bytes at an mbarrier
// or for the group. Memory is changed at once, which is one of the possible orders.
//
// Writes of threads reach the async proxy only through a proxy fence that a thread of the issuer's block executes,
// ordered after the write and before the operation. Writes to a tensor map reach the copy only if a fence releases
// them, and another one, behind that, acquires the map for the issuer's block.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "race/access.h"
#include "race/clock.h"
#include "race/found_races.h"
#include "race/thread_state.h"
#include "race_jit/hooks/hooks.h"

namespace weakspot::race_jit {

class BulkCopies {
 public:
  // One operation.
  struct Agent {
    race::ThreadState* reads = nullptr;
    race::ThreadState* writes = nullptr;
    race::ClockRef fenced[2];  // writes that reached the async proxy, by race::Space
    race::Engine engine = race::Engine::copies;

    // Knowledge for those that wait for its end, and for the end of its reads.
    race::ClockRef done() const;
    race::ClockRef done_reading() const;
  };

  // Writes that reached the proxy that reads tensor maps, and those that would with a fence that acquires the map.
  struct MapView {
    race::ClockRef acquired, released;
  };

  // For the start of a launch, and for the end of a block.
  void clear() {
    blocks_.clear();
    released_.clear();
  }
  void forget(std::uint32_t block) { blocks_.erase(block); }

  // The thread starts an operation; or several do together, who knew so much.
  Agent start(race::ThreadState& thread);
  Agent start(race::ThreadState& thread, const race::ClockRef& known);
  // The same for operations that only read and end in the order in which they started: one agent, by the number of the
  // warp or another one, performs them all.
  Agent start_in_order(race::ThreadState& thread, const race::ClockRef& known, unsigned number,
                       race::Engine engine = race::Engine::multiplies);
  // The steps so far of the agent of that number.
  race::ClockRef steps_in_order(const race::ThreadState& thread, unsigned number);
  // The thread executes a proxy fence for these memory spaces.
  void fence(race::ThreadState& thread, bool global, bool shared);
  // The thread executes a fence for tensor maps, which is one between threads as well: it releases what was written
  // before, or acquires the map of so many bytes.
  void release_maps(race::ThreadState& thread, race::Scope scope, race::SiteId site);
  void acquire_map(race::ThreadState& thread, race::Scope scope, race::SiteId site, std::uint64_t map,
                   std::uint64_t size);
  MapView map_view(race::ThreadState& thread, const race::Clock& known, std::uint64_t map);

  // Operations that are complete when their group is waited for: the group of the thread that is open, the end of it,
  // and waiting for all groups but the latest `left`, or only for their reads.
  void add_to_group(race::ThreadState& thread, const Agent& agent);
  void commit(race::ThreadState& thread);
  void wait(race::ThreadState& thread, std::uint32_t left, bool for_reads);

 private:
  // Operations of a block that can be told apart. Later ones take the names of the oldest.
  static constexpr unsigned kAgents = 128;
  static constexpr unsigned kInOrder = 32;       // and so many that perform theirs in order
  static constexpr std::size_t kFencesKept = 8;  // per thread
  static constexpr std::size_t kMapsKept = 256;  // acquired ones of a block

  struct Fence {
    race::Interval at = 0;
    race::ClockRef before;  // steps ordered before it
    bool of[2] = {};        // by race::Space
  };
  struct Released {
    race::Interval at = 0;
    race::ClockRef before;  // steps ordered before it
    race::Scope scope = race::Scope::device;
  };
  struct Acquired {
    race::ThreadName thread;
    race::Interval at = 0;
    std::uint64_t map = 0, size = 0;
    race::ClockRef released;  // steps that were released and are ordered before it
  };
  struct Group {
    race::ClockRef read, done;
  };
  struct Groups {
    std::deque<Group> closed;
    Group open;
  };
  struct Block {
    race::BlockState agents;
    unsigned next = 0;
    std::map<std::uint32_t, std::deque<Fence>> fences;  // by thread
    race::ClockRef fenced[2];                           // by fences that all threads of the block know of
    std::deque<Acquired> acquired;
    std::map<std::uint32_t, Groups> groups;  // by thread
  };

  Block& block_of(const race::ThreadState& thread);
  static void take_fences(Block& block, const race::ThreadState& thread, const race::Clock& known, Agent& agent);

  race::ClockRef known_releases(const race::ThreadState& thread, race::Scope scope, const race::Clock& known) const;

  std::map<std::uint32_t, Block> blocks_;                      // by number
  std::map<race::ThreadName, std::deque<Released>> released_;  // for tensor maps
};

// The way to wait for the end of an operation, in words, and the mbarrier at which it counts.
struct BulkEnd {
  const char* how = nullptr;
  const void* gate = nullptr;
};

// Tells the detector of an access to some bytes, in words, so that a finding names the one that matters. Returns the
// address to use: scratch memory if it is invalid.
void* checked_for_bulk(const BulkCopies::Agent& agent, void* address, std::uint64_t size, bool write,
                       std::uint32_t site, const BulkEnd& end);

// The current thread looks at the mbarrier, or something does for it: it must have been initialised before.
bool use_mbarrier(const void* gate, std::uint32_t site);
// A thread that uses an mbarrier too early is found to race with its initialisation; here it lets that happen first.
void let_be_initialised(const void* gate, std::uint32_t site);

// The targets of a copy. Threads may give way while they have such a list and never come back, so it owns nothing.
struct BulkTargets {
  std::array<std::pair<void*, void*>, 32> places{};  // with their mbarriers
  std::size_t count = 0;

  // The same place in each block of the cluster that the mask names; without a mask, the place itself.
  BulkTargets(void* to, void* gate, std::uint32_t mask);
  std::span<const std::pair<void*, void*>> all() const { return {places.data(), count}; }
};

// Functions that compiled kernels call, beside those of hooks.h.
std::vector<HookSymbol> bulk_hook_symbols();

}  // namespace weakspot::race_jit
