// SPDX-License-Identifier: MIT
// Finds accesses that nothing orders, as they happen.
//
// Happens-before consists of program order, barriers of a block, synchronisation of warps, the end of a launch, and
// releases that another thread acquires. The detector is told of every access and every synchronisation in the order of
// one schedule. Its answer depends on that schedule only where threads communicate through strong accesses.
//
// Its parts: Order knows what is ordered before what, Shadow the last accesses to each word, NeededBarriers which
// barriers ordered something, Agents whom asynchronous operations work for, and FoundRaces what was found. Here an
// access is compared with the remembered ones.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "race/access.h"
#include "race/agents.h"
#include "race/found_races.h"
#include "race/needed_barriers.h"
#include "race/order.h"
#include "race/shadow.h"
#include "race/thread_state.h"

namespace weakspot::race {

class Trace;       // race/trace.h
class WeakMemory;  // race/weak_memory.h

// The first places that the detector was not told of, one per kind: something that may order threads or change what
// they do, and something that may order grids. Site 0: on the host.
struct Doubt {
  std::optional<SiteId> threads, grids;
};

struct DetectorOptions {
  // Threads of a warp run in lock step: pairs of different instructions in one warp are ordered.
  bool lockstep = false;
  // Threads may write the same value to shared memory by one instruction: compilers that spread an array over threads
  // let several hold the same element.
  bool replicas = false;
  // The most intervals that all launches together may use.
  Interval intervals = kMaxInterval - (Interval{1} << 24);
};

class Detector {
 public:
  Detector(Shadow shadow, DetectorOptions options)
      : shadow_(std::move(shadow)), options_(options), order_(options.intervals) {}

  // Tells whether two sites are on different sides of a branch, which not even lock step orders. By default none are.
  // Each module of a machine adds what tells its own sites apart.
  using BranchSides = std::function<bool(SiteId, SiteId)>;
  void add_branch_sides(BranchSides are_sides) { branch_sides_.push_back(std::move(are_sides)); }

  // Tells whether a compare-and-swap checks what is read at the site, so that an old value does no harm. By default
  // none.
  using CheckedAgain = std::function<bool(SiteId)>;
  void set_checked_again(CheckedAgain is_checked) { is_checked_again_ = std::move(is_checked); }

  // Tells the cluster of a block, from the next launch on; by default no scope lies between block and device.
  void set_clusters(Order::ClusterOf cluster_of) { order_.set_clusters(std::move(cluster_of)); }

  // What its warps are. By default those of NVIDIA; AMD calls them waves.
  struct Warps {
    unsigned lanes = kWarp;  // 32 or 64
    bool of_amd = false;
  };
  Warps& warps() { return warps_; }

  // Keeps a trace from now on, which costs time; null: none.
  void set_trace(Trace* trace) { trace_ = trace; }
  const Trace* trace() const { return trace_; }

  // Everything before the launch is ordered before everything in it, except the launches of `concurrent`. History is
  // kept if a later launch may be concurrent with this one or an earlier one. The launch may depend on one of the
  // concurrent ones: threads that wait for it are ordered behind it. Returns the launch's first interval.
  Interval start_launch(std::vector<IntervalRange> concurrent = {}, bool keep_history = false,
                        IntervalRange prerequisite = {});
  // The thread has waited for the launch that its own depends on.
  void wait_for_grids(ThreadState& thread);
  Interval last_interval() const { return order_.intervals().last(); }
  // True if no interval is left; nothing after that can be judged.
  bool is_spent() const { return order_.intervals().are_spent(); }
  // Threads are numbered from 0. The state must live until the block has ended.
  void start_block(BlockState& block, std::uint32_t index, unsigned threads) {
    order_.start_block(block, index, threads);
  }

  // All threads of the block that still run have met at a barrier at this site.
  void barrier(BlockState& block, SiteId site);
  // The threads met at different sites: orders them as well, but does not show any site to be needed.
  // `bare`: it orders no memory, but a later fence of each thread acquires what fences have released.
  void mixed_barrier(BlockState& block, bool bare = false) {
    bare ? order_.bare_barrier(block) : order_.mixed_barrier(block);
  }
  // The site counts as needed, whatever the accesses show.
  void keep_barrier(SiteId site) { barriers_.keep(site); }
  // The blocks, just started in this order, are a cluster: each may access the shared memory of the others.
  void join_blocks(const std::vector<BlockState*>& blocks) { order_.join_blocks(blocks); }
  // All running blocks have met.
  void grid_barrier(const std::vector<BlockState*>& blocks) { order_.grid_barrier(blocks); }
  // Orders blocks that have met, while others go on.
  void blocks_barrier(const std::vector<BlockState*>& blocks) { order_.blocks_barrier(blocks); }
  // The threads, all of one warp, have met.
  void warp_barrier(BlockState& block, const std::vector<unsigned>& threads);
  // `space`: it orders the accesses to that space alone.
  void fence(ThreadState& thread, Scope scope, SiteId site = 0, FenceOrder order = FenceOrder::acq_rel,
             std::optional<Space> space = std::nullopt);
  // For barriers at which threads arrive one by one: everything before this point in the thread, for others to learn.
  ClockRef publish(ThreadState& thread) { return order_.publish(thread); }
  void learn(ThreadState& thread, const ClockRef& clock) { Order::learn(thread, clock); }
  // The same for many threads that arrive at one place and leave it again.
  void arrive(ThreadState& thread, Gathering& gathering) { order_.arrive(thread, gathering); }
  void leave(ThreadState& thread, const Gathering& gathering) { Order::leave(thread, gathering); }

  // Another agent takes the place of one that worked for a thread of its block. It knows no more than `knows`.
  void start_agent(ThreadState& agent, std::uint32_t issuer, ClockRef knows, Engine engine = Engine::copies);

  void access(ThreadState& thread, const Access& access);

  // From now on strong reads may return older values; null: the newest ones.
  void set_weak(WeakMemory* weak) { weak_ = weak; }
  WeakMemory* weak() const { return weak_; }
  // Before a strong access, if they may. See WeakMemory::begin().
  std::optional<std::uint64_t> begin_weak(const ThreadState& thread, const Access& access, std::uint64_t now);

  // Races from now on are doubtful, or those between launches.
  void set_doubt(const Doubt& doubt) { doubt_ = doubt; }
  const Doubt& doubt() const { return doubt_; }

  const std::vector<Race>& races() const { return races_.all(); }
  // The races since the last call. A race that was taken before is found again.
  std::vector<Race> take_races() { return races_.take(); }
  // Sites whose barriers ordered a conflicting pair that nothing else orders.
  bool barrier_needed(SiteId site) const { return barriers_.contains(site); }
  // Returns all of these sites and forgets them.
  std::set<SiteId> take_needed() { return barriers_.take(); }
  Shadow& shadow() { return shadow_; }
  // The number of racing pairs of accesses, over all pairs of sites.
  std::uint64_t conflicts() const { return races_.conflicts(); }

  // For detectors that share the blocks of a launch, each with a shadow of its own. join_launch() starts with what
  // `main` knows; leave_launch() gives the rest of what was learnt back, except for races, which add_race() takes in
  // their order, and barriers.
  void join_launch(const Detector& main);
  void leave_launch(Detector& main) const;
  void add_race(const Race& race) { races_.add(race); }
  // Two accesses that a machine compares by itself are not ordered.
  void report(Race race);
  // Which barriers are needed, for a machine that knows more than what is said here. A chain of releases and acquires
  // that it noted may have any barrier met so far in it.
  NeededBarriers& barriers() { return barriers_; }
  Interval launch_begin() const { return order_.launch_begin(); }
  // Whether the scope of a thread of `block` includes threads of `other`.
  bool includes(Scope scope, std::uint32_t block, std::uint32_t other) const {
    return order_.includes(scope, block, other);
  }
  const DetectorOptions& options() const { return options_; }

 private:
  class Current;  // the access at hand

  Shadow shadow_;
  DetectorOptions options_;
  Order order_;
  NeededBarriers barriers_;
  Agents agents_;
  FoundRaces races_;
  std::vector<BranchSides> branch_sides_;
  CheckedAgain is_checked_again_;
  std::uint32_t launch_ = 0;
  Warps warps_;
  std::set<SiteId> ignored_;  // sites of strong updates whose results are not used
  std::set<SiteId> polls_;    // sites of strong reads that feed no data
  Doubt doubt_;
  Trace* trace_ = nullptr;
  WeakMemory* weak_ = nullptr;
};

}  // namespace weakspot::race
