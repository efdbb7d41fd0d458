// SPDX-License-Identifier: MIT
// Happens-before: which steps of other threads are ordered before those of a thread.
//
// Barriers move the threads of a block on to a fresh interval, which is all that most comparisons need. What is ordered
// beyond that, by releases and acquires and between blocks, is in the clocks of threads.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <unordered_map>
#include <vector>

#include "race/access.h"
#include "race/intervals.h"
#include "race/thread_state.h"

namespace weakspot::race {

inline bool same_warp(ThreadName a, ThreadName b) {
  return a.block == b.block && a.warp() == b.warp() && !a.uses_async_proxy();
}

// Knowledge that a strong write published, including what it carries on if it is an update: releases keep their own
// scopes, whatever the scope of the updates that follow.
struct Published {
  ClockRef wide;                                 // for all
  std::map<std::uint32_t, ClockRef> near;        // for the block alone: all releases of its threads
  std::map<std::uint32_t, ClockRef> in_cluster;  // for the cluster alone: those of more than block scope
  Scope scope = Scope::device;                   // of the write, and its block
  std::uint32_t block = 0;
  // What fences for one address space add for its accesses.
  struct Part {
    ClockRef wide;
    std::map<std::uint32_t, ClockRef> near;
  };
  std::map<Space, Part> parts;

  bool empty() const { return !wide && near.empty() && in_cluster.empty() && parts.empty(); }
  void join(const Published& other);
};

class Order {
 public:
  explicit Order(Interval limit) : intervals_(limit) {}

  // Tells the cluster of a block.
  using ClusterOf = std::function<std::uint32_t(std::uint32_t)>;
  void set_clusters(ClusterOf cluster_of) { cluster_of_ = std::move(cluster_of); }

  // Same as Detector::start_launch().
  void start_launch(std::vector<IntervalRange> concurrent, bool keep_history, IntervalRange prerequisite);
  // Same as Detector::join_launch() and leave_launch().
  void join_launch(const Order& main);
  void leave_launch(Order& main) const { main.intervals_.skip_to(intervals_.last()); }
  void wait_for_grids(ThreadState& thread);

  void start_block(BlockState& block, std::uint32_t index, unsigned threads);
  void join_blocks(const std::vector<BlockState*>& blocks);
  void start_agent(ThreadState& agent, ClockRef knows);

  void barrier(BlockState& block);
  // Orders like a barrier, but no site is shown to be needed by it.
  void mixed_barrier(BlockState& block);
  void bare_barrier(BlockState& block);
  void grid_barrier(const std::vector<BlockState*>& blocks);
  void blocks_barrier(const std::vector<BlockState*>& blocks);
  void warp_barrier(BlockState& block, const std::vector<unsigned>& threads);
  void fence(ThreadState& thread, Scope scope, bool acquires = true);
  // A fence that is also ordered behind the earlier ones of its kind whose scopes and its own include each other.
  void sc_fence(ThreadState& thread, Scope scope);
  // A fence for the accesses to one space.
  void fence_part(ThreadState& thread, Scope scope, Space space, FenceOrder order);
  // The acquiring part of a fence.
  static void acquire_pending(ThreadState& thread, Scope scope);
  ClockRef publish(ThreadState& thread);
  static void learn(ThreadState& thread, const ClockRef& clock);
  void arrive(ThreadState& thread, Gathering& gathering);
  static void leave(ThreadState& thread, const Gathering& gathering);
  // A strong access acquires what it reads and publishes what it releases.
  void synchronise(ThreadState& thread, const Access& access);
  // The parts of that: a read observes what the write that it sees has published, and a write publishes. An update also
  // carries on what it saw. `released`: earlier releases of the thread to the address, which its later writes publish
  // as well.
  void observe(ThreadState& thread, const Access& access, const Published& seen) const;
  Published publish_write(ThreadState& thread, const Access& access, Published carried, const Published* released);
  // Whether an access of a thread of the block observes the write.
  bool is_seen_by(const Access& access, std::uint32_t block, const Published& published) const;
  // Takes what is remembered of the address, or puts it back.
  Published take_published(std::uint64_t address);
  void put_published(std::uint64_t address, Published published);
  // A plain write to the address publishes nothing.
  void overwrite(std::uint64_t address) {
    if (!published_.empty()) published_.erase(address);
  }

  const Intervals& intervals() const { return intervals_; }
  Interval launch_begin() const { return launch_begin_; }
  // Whether other launches run at the same time.
  bool is_concurrent() const { return !concurrent_.empty(); }
  bool has_prerequisite() const { return prerequisite_.end != 0; }
  bool is_prerequisite(Interval interval) const {
    return interval >= prerequisite_.begin && interval < prerequisite_.end;
  }
  // Entries before this launch matter only if their launches may run at the same time.
  bool is_over(Interval interval) const {
    if (interval >= launch_begin_) return false;
    return std::none_of(concurrent_.begin(), concurrent_.end(),
                        [&](const IntervalRange& other) { return interval >= other.begin && interval < other.end; });
  }
  // Whether the other thread's accesses to the space in the interval are ordered before the thread.
  bool ordered(ThreadName other, Interval interval, const ThreadState& thread, Space space) const {
    if (ordered(other, interval, thread)) return true;
    if (!thread.parts) return false;
    const auto part = thread.parts->find(space);
    return part != thread.parts->end() && part->second.clock && part->second.clock->knows(other, interval);
  }
  // Whether those to another space are.
  static bool ordered_elsewhere(ThreadName other, Interval interval, const ThreadState& thread, Space space) {
    return thread.parts && std::any_of(thread.parts->begin(), thread.parts->end(), [&](const auto& part) {
             return part.first != space && part.second.clock && part.second.clock->knows(other, interval);
           });
  }
  // Whether they are, whatever the space.
  bool ordered(ThreadName other, Interval interval, const ThreadState& thread) const {
    const ThreadName self{thread.block->index, thread.thread};
    if (other == self) return true;
    if (other.block == self.block && interval < thread.block->barrier_from) return true;
    if (same_warp(other, self) && interval < thread.warp_from) return true;
    if (!thread.clock) return false;
    return thread.clock->knows(other, interval) ||
           (is_prerequisite(interval) && thread.clock->knows_grids(launch_begin_));
  }
  // Whether the scope of a thread of `block` includes threads of `other`.
  bool includes(Scope scope, std::uint32_t block, std::uint32_t other) const;
  // Computes the block's bounds again.
  void refresh(BlockState& block) const;

 private:
  void begin_interval(ThreadState& thread);
  void begin_phase(BlockState& block);
  void begin_together(BlockState& block);

  Intervals intervals_;
  ClusterOf cluster_of_;
  Interval launch_begin_ = 1;
  std::vector<IntervalRange> concurrent_;
  IntervalRange prerequisite_;
  bool keep_history_ = false;
  std::unordered_map<std::uint64_t, Published> published_;  // by the last strong write to an address
  // Everything before the sequentially consistent fences of this launch, by the reach of their scopes.
  std::map<std::uint32_t, ClockRef> sc_near_, sc_cluster_;
  ClockRef sc_wide_;
};

// Knowledge that a relaxed arrival at a barrier publishes: all before the last fence that reaches that far; null
// without such a fence.
ClockRef fenced_clock(ThreadState& thread, bool wide);
// Learnt by a relaxed wait: a fence acquires it.
void learn_at_fence(ThreadState& thread, const ClockRef& near, const ClockRef& wide);
// The joint knowledge of the block's threads, without what all of them know of their own block.
ClockRef known_to_any(const BlockState& block);

}  // namespace weakspot::race
