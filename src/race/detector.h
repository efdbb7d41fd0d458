// SPDX-License-Identifier: MIT
// Finds accesses that nothing orders, as they happen.
//
// Happens-before consists of program order, barriers of a block, synchronisation of warps, the end of a launch, and
// releases that another thread acquires. The detector is told of every access and every synchronisation in the order of
// one schedule. Its answer depends on that schedule only where threads communicate through strong accesses.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "race/access.h"
#include "race/class_id.h"
#include "race/intervals.h"
#include "race/shadow.h"
#include "race/thread_state.h"

namespace weakspot::race {

// One side of a race.
struct Party {
  ThreadName thread;
  SiteId site = 0;
  bool write = false;
  bool strong = false;
  Scope scope = Scope::device;
  bool multiplies = false;  // an agent that reads matrices for a product, not one that copies
};

class Trace;  // race/trace.h

// The first instance of a race between two sites, and how many there were.
struct Race {
  ClassId race_class = ClassId::e1;  // E1, E2, P1, W1, W2 or W3
  Party first, second;               // in the order of the schedule
  std::uint64_t address = 0;
  Space space = Space::global;
  std::uint32_t launch = 0;
  bool same_warp = false;
  bool across_blocks = false;      // some instance is between threads of different blocks
  bool missing_acquire = false;    // ordered if a fence followed the strong read
  bool missing_grid_wait = false;  // ordered if the grid had waited for the one that it depends on
  bool of_map = false;             // the second reads the tensor map that its copy goes by
  bool map_released = false;       // and what it lacks is an acquire alone
  std::optional<SiteId> doubt;     // something that ran before is not modelled: perhaps there is no race
  std::uint64_t count = 1;
  std::uint32_t chain = 0;  // its number in the trace; 0: none
};

// Where something ran that the detector was not told of, the first of each kind: something that may order threads or
// change what they do, and something that may order grids. Site 0: on the host.
struct Doubt {
  std::optional<SiteId> threads, grids;
};

struct DetectorOptions {
  // Threads of a warp run in lock step: pairs of different instructions in one warp are ordered.
  bool lockstep = false;
  // The most intervals that all launches together may use.
  Interval intervals = kMaxInterval - (Interval{1} << 24);
};

class Detector {
 public:
  Detector(Shadow shadow, DetectorOptions options)
      : shadow_(std::move(shadow)), options_(options), intervals_(options.intervals) {}

  // Tells whether two sites are on different sides of a branch, which not even lock step orders. By default none are.
  using BranchSides = std::function<bool(SiteId, SiteId)>;
  void set_branch_sides(BranchSides are_sides) { are_branch_sides_ = std::move(are_sides); }

  // Tells whether a compare-and-swap checks what is read at the site, so that an old value does no harm. By default
  // none.
  using CheckedAgain = std::function<bool(SiteId)>;
  void set_checked_again(CheckedAgain is_checked) { is_checked_again_ = std::move(is_checked); }

  // Tells the cluster of a block, from the next launch on; by default no scope lies between block and device.
  using ClusterOf = std::function<std::uint32_t(std::uint32_t)>;
  void set_clusters(ClusterOf cluster_of) { cluster_of_ = std::move(cluster_of); }

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
  Interval last_interval() const { return intervals_.last(); }
  // Whether no interval is left; nothing after that can be judged.
  bool is_spent() const { return intervals_.are_spent(); }
  // Threads are numbered from 0. The state must live until the block has ended.
  void start_block(BlockState& block, std::uint32_t index, unsigned threads);

  // All threads of the block that still run have met at a barrier at this site.
  void barrier(BlockState& block, SiteId site);
  // They met at different sites: orders them as well, but does not show any site to be needed.
  void mixed_barrier(BlockState& block);
  // The site counts as needed, whatever the accesses show.
  void keep_barrier(SiteId site) { needed_.insert(site); }
  // The blocks, just started in this order, are a cluster: each may access the shared memory of the others.
  void join_blocks(const std::vector<BlockState*>& blocks);
  // All running blocks have met.
  void grid_barrier(const std::vector<BlockState*>& blocks);
  // These blocks have met, while others go on.
  void blocks_barrier(const std::vector<BlockState*>& blocks);
  // The threads, all of one warp, have met.
  void warp_barrier(BlockState& block, const std::vector<unsigned>& threads);
  void fence(ThreadState& thread, Scope scope, SiteId site = 0);
  // For barriers at which threads arrive one by one: everything before this point in the thread, for others to learn.
  ClockRef publish(ThreadState& thread);
  void learn(ThreadState& thread, const ClockRef& clock);
  // The same for many threads that arrive at one place and leave it again.
  void arrive(ThreadState& thread, Gathering& gathering);
  void leave(ThreadState& thread, const Gathering& gathering);

  // Another agent takes the place of one that worked for a thread of its block. It knows no more than `knows`.
  void start_agent(ThreadState& agent, std::uint32_t issuer, ClockRef knows, bool multiplies = false);
  // What the agent has done, for those that learn of its end, and nothing of what it knew.
  static ClockRef steps_of(const ThreadState& agent);
  // What the threads of the block know together, without what all of them know of their own block.
  static ClockRef known_to_any(const BlockState& block);
  // What a relaxed arrival at a barrier publishes: all before the last fence that reaches that far; null if there is
  // none.
  static ClockRef fenced(ThreadState& thread, bool wide) {
    return fenced_clock(thread, wide ? thread.fenced_cluster : thread.fenced_near);
  }
  // Learnt by a relaxed wait: a fence acquires it.
  static void learn_at_fence(ThreadState& thread, const ClockRef& near, const ClockRef& wide);

  void access(ThreadState& thread, const Access& access);

  // Races from now on are doubtful, or those between launches.
  void set_doubt(const Doubt& doubt) { doubt_ = doubt; }
  const Doubt& doubt() const { return doubt_; }

  const std::vector<Race>& races() const { return races_; }
  // The races since the last call. A race that was taken before is found again.
  std::vector<Race> take_races();
  // Sites whose barriers ordered a conflicting pair that nothing else orders.
  bool barrier_needed(SiteId site) const { return needed_.contains(site); }
  // Returns all of these sites and forgets them.
  std::set<SiteId> take_needed();
  Shadow& shadow() { return shadow_; }
  // How often two accesses raced, over all pairs of sites.
  std::uint64_t conflicts() const { return conflicts_; }

  // For detectors that share the blocks of a launch, each with a shadow of its own. join_launch() starts with what
  // `main` knows; leave_launch() gives the rest of what was learnt back, except for races, which add_race() takes in
  // their order, and barriers.
  void join_launch(const Detector& main);
  void leave_launch(Detector& main) const;
  void add_race(const Race& race);
  // How often a chain of releases and acquires, which any barrier met so far may be part of, ordered two accesses.
  std::uint64_t chains() const { return chains_; }
  // All barriers met so far count as needed.
  void keep_met() { needed_.insert(met_.begin(), met_.end()); }
  Interval launch_begin() const { return launch_begin_; }
  // Whether the scope of a thread of the one block includes threads of the other.
  bool includes(Scope scope, std::uint32_t block, std::uint32_t other) const;
  const DetectorOptions& options() const { return options_; }

 private:
  struct Current;  // the access at hand, decoded once

  void refresh(BlockState& block);
  void set_interval(ThreadState& thread, Interval interval);
  void begin_phase(BlockState& block);
  void begin_together(BlockState& block);
  void share_clocks(BlockState& block);
  bool is_better_evidence(Entry write, const Current& current) const;
  bool may_have_seen(const Cell& cell, const Current& current) const;
  void check_cell(Cell& cell, const Current& current);
  void remember_read(Cell& cell, const Current& current);
  void conflict(Entry entry, bool entry_writes, const Current& current);
  bool is_over(Interval interval) const;
  bool is_prerequisite(Interval interval) const {
    return interval >= prerequisite_.begin && interval < prerequisite_.end;
  }
  bool ordered(ThreadName other, Interval interval, const ThreadState& thread) const;
  void note_needed(Interval interval, const Current& current);
  bool morally_strong(Entry entry, ThreadName other, const Current& current) const;
  // Whether the write, which is ordered before the access of the other thread, does not reach its proxy.
  static bool lacks_proxy_fence(ThreadName writer, Interval interval, ThreadName other, const Access& access);
  // An access, for a report: an agent is named as the thread that it works for, in the block of agents.
  Party party(ThreadName thread, SiteId site, bool write, bool strong, Scope scope) const;
  void report(Entry entry, ThreadName other, bool entry_writes, const Current& current, bool are_ordered = false);
  struct Published;
  bool is_seen_by(const Access& access, std::uint32_t block, const Published& published) const;
  void observe(ThreadState& thread, const Access& access, const Published& seen) const;
  bool is_first_read(Entry entry, bool entry_writes, const Current& current) const;
  void synchronise(ThreadState& thread, const Access& access);
  ClockRef snapshot(const ThreadState& thread) const;
  static ClockRef fenced_clock(const ThreadState& thread, ThreadState::Fenced& fenced);

  // What the last strong write to an address published, with what it carries on if it is an update: releases keep
  // their own scopes, whatever the scope of the updates that follow.
  struct Published {
    ClockRef wide;                                 // for all
    std::map<std::uint32_t, ClockRef> near;        // for the block alone: all releases of its threads
    std::map<std::uint32_t, ClockRef> in_cluster;  // for the cluster alone: those of more than block scope
    Scope scope = Scope::device;                   // of the last write, and its block
    std::uint32_t block = 0;
  };

  Shadow shadow_;
  DetectorOptions options_;
  Intervals intervals_;
  ClusterOf cluster_of_;
  BranchSides are_branch_sides_;
  CheckedAgain is_checked_again_;
  std::uint32_t launch_ = 0;
  Interval launch_begin_ = 1;
  std::vector<IntervalRange> concurrent_;
  IntervalRange prerequisite_;
  bool keeps_barriers_ = false;  // of this launch, from now on
  bool keep_history_ = false;
  std::vector<Race> races_;
  std::map<std::tuple<ClassId, SiteId, SiteId, bool, bool>, std::size_t> by_sites_;
  std::set<SiteId> needed_;
  std::set<SiteId> met_;      // sites of barriers met in this launch and concurrent ones
  std::set<SiteId> ignored_;  // sites of strong updates whose results are not used
  std::set<SiteId> polls_;    // sites of strong reads that feed no data
  std::unordered_map<std::uint64_t, Published> published_;
  struct Issuer {
    std::uint32_t thread = 0;
    bool multiplies = false;
  };
  std::map<ThreadName, Issuer> issuers_;  // that agents work for
  std::uint64_t conflicts_ = 0, chains_ = 0;
  Doubt doubt_;
  Trace* trace_ = nullptr;
};

}  // namespace weakspot::race
