// SPDX-License-Identifier: MIT
#include "race/order.h"

#include <utility>

#include "base/check.h"

namespace weakspot::race {
namespace {

bool is_wide(Scope scope) { return scope != Scope::block && scope != Scope::cluster; }

void set_interval(ThreadState& thread, Interval interval) {
  thread.now = make_entry(interval, thread.thread, kAllBytes, 0);
}

// The joint knowledge of threads that meet.
struct Together {
  ClockRef clock, near, cluster, wide;

  void add(const ThreadState& thread) {
    clock = joined(clock, thread.clock);
    near = joined(near, thread.pending_near);
    cluster = joined(cluster, thread.pending_cluster);
    wide = joined(wide, thread.pending_wide);
  }
  void give(ThreadState& thread) const {
    thread.clock = clock;
    thread.pending_near = near;
    thread.pending_cluster = cluster;
    thread.pending_wide = wide;
  }
};

// Everything that is ordered before the thread's next step.
ClockRef snapshot(const ThreadState& thread) {
  auto clock = thread.clock ? std::make_shared<Clock>(*thread.clock) : std::make_shared<Clock>();
  const ThreadName name{thread.block->index, thread.thread};
  clock->know_thread(name, thread.interval(), thread.warp_from, thread.block->barrier_from);
  clock->seal(name, thread.interval());
  return clock;
}

ClockRef clock_at(const ThreadState& thread, ThreadState::Fenced& fenced) {
  if (!fenced.any || fenced.made) return fenced.made;
  auto clock = fenced.clock ? std::make_shared<Clock>(*fenced.clock) : std::make_shared<Clock>();
  const ThreadName name{thread.block->index, thread.thread};
  clock->know_thread(name, fenced.up_to, fenced.warp_before, fenced.block_before);
  clock->seal(name, fenced.up_to);
  return fenced.made = std::move(clock);
}

// The thread's own steps so far, and what else it knows.
ThreadState::Fenced fence_now(const ThreadState& thread, ClockRef clock) {
  return {.any = true,
          .clock = std::move(clock),
          .made = nullptr,
          .up_to = thread.interval(),
          .warp_before = thread.warp_from,
          .block_before = thread.block->barrier_from};
}

ThreadState::Part& part_of(ThreadState& thread, Space space) {
  if (!thread.parts) thread.parts = std::make_shared<ThreadState::Parts>();
  thread.block->has_parts = true;
  return (*thread.parts)[space];
}

void acquire_part(ThreadState::Part& part, Scope scope) {
  part.clock = joined(part.clock, std::exchange(part.pending_near, nullptr));
  if (is_wide(scope)) part.clock = joined(part.clock, std::exchange(part.pending_wide, nullptr));
}

void release_part(const ThreadState& thread, ThreadState::Part& part, Scope scope) {
  part.fenced_near = fence_now(thread, joined(thread.clock, part.clock));
  if (is_wide(scope)) part.fenced_wide = part.fenced_near;
}

// Beside what the write publishes for all memory.
void publish_parts(ThreadState& thread, const Access& access, Published& made) {
  for (auto& [space, part] : *thread.parts) {
    const ClockRef near = access.release ? part.clock : clock_at(thread, part.fenced_near);
    const ClockRef wide = access.release ? part.clock : clock_at(thread, part.fenced_wide);
    if (!near) continue;
    Published::Part& known = made.parts[space];
    ClockRef& known_near = known.near[thread.block->index];
    known_near = joined(known_near, near);
    if (is_wide(access.scope)) known.wide = joined(known.wide, wide);
  }
}

// Threads that meet share what they know about the parts of memory.
void share_parts(const std::vector<ThreadState*>& threads) {
  std::map<Space, ClockRef> known;
  for (const ThreadState* thread : threads) {
    if (!thread->parts) continue;
    for (const auto& [space, part] : *thread->parts) known[space] = joined(known[space], part.clock);
  }
  for (const auto& [space, clock] : known) {
    if (!clock) continue;
    for (ThreadState* thread : threads) part_of(*thread, space).clock = clock;
  }
}

}  // namespace

void Published::join(const Published& other) {
  wide = joined(wide, other.wide);
  for (const auto& [reached, clock] : other.near) near[reached] = joined(near[reached], clock);
  for (const auto& [cluster, clock] : other.in_cluster) in_cluster[cluster] = joined(in_cluster[cluster], clock);
  for (const auto& [space, part] : other.parts) {
    Part& own = parts[space];
    own.wide = joined(own.wide, part.wide);
    for (const auto& [reached, clock] : part.near) own.near[reached] = joined(own.near[reached], clock);
  }
}

void Order::start_launch(std::vector<IntervalRange> concurrent, bool keep_history, IntervalRange prerequisite) {
  concurrent_ = std::move(concurrent);
  prerequisite_ = prerequisite;
  keep_history_ = keep_history || !concurrent_.empty();
  launch_begin_ = intervals_.last() + 1;
  Interval stale = launch_begin_;
  for (const IntervalRange& other : concurrent_) stale = std::min(stale, other.begin);
  intervals_.start_launch(stale, keep_history_);
  if (concurrent_.empty()) {
    published_.clear();
    sc_near_.clear();
    sc_cluster_.clear();
    sc_wide_ = nullptr;
  }
}

void Order::join_launch(const Order& main) {
  intervals_ = main.intervals_;
  intervals_.start_launch(main.intervals_.launch_start(), false);
  launch_begin_ = main.launch_begin_;
  published_.clear();
}

void Order::wait_for_grids(ThreadState& thread) {
  auto clock = std::make_shared<Clock>();
  clock->know_grids(launch_begin_);
  learn(thread, clock);
}

void Order::start_block(BlockState& block, std::uint32_t index, unsigned threads) {
  WEAKSPOT_CHECK(threads <= kMaxBlockThreads);
  block.index = index;
  block.first = block.shared_from = block.barrier_from = intervals_.next(index);
  block.run_from = block.bare_from = 0;
  block.met_barrier = false;
  block.has_clocks = block.has_parts = false;
  block.met = nullptr;
  block.threads.resize(threads);
  for (unsigned i = 0; i < threads; ++i) {
    ThreadState& thread = block.threads[i];
    thread.block = &block;
    thread.thread = i;
    thread.clock = thread.pending_near = thread.pending_cluster = thread.pending_wide = nullptr;
    thread.fenced_near = thread.fenced_cluster = thread.fenced_wide = {};
    thread.parts = nullptr;
    thread.warp_from = thread.warp_synced = block.first;
    set_interval(thread, block.first);
  }
  refresh(block);
}

void Order::refresh(BlockState& block) const {
  const Entry settled = entry_at(block.run_from != 0 ? block.run_from : block.barrier_from);
  const Entry stale = entry_at(intervals_.launch_start());
  // If the block's intervals are mixed with those of others, the bounds can tell only earlier launches.
  const bool alone = intervals_.alone_since(block.first, block.index);
  block.bounds.shared_settled = settled;
  block.bounds.stale = stale;
  block.bounds.foreign = alone ? entry_at(block.first) - stale : 0;
  block.bounds.settled = alone ? settled : stale;
  block.bounds.own_end = alone ? entry_at(intervals_.last() + 1) : 0;
}

void Order::begin_interval(ThreadState& thread) {
  set_interval(thread, intervals_.next(thread.block->index));
  refresh(*thread.block);
}

void Order::start_agent(ThreadState& agent, ClockRef knows) {
  agent.clock = std::move(knows);
  set_interval(agent, intervals_.next(agent.block->index));
}

void Order::begin_phase(BlockState& block) {
  if (block.has_clocks) {
    Together together;
    for (const ThreadState& thread : block.threads) together.add(thread);
    for (ThreadState& thread : block.threads) together.give(thread);
  }
  if (block.has_parts) {
    std::vector<ThreadState*> all;
    for (ThreadState& thread : block.threads) all.push_back(&thread);
    share_parts(all);
  }
  for (ThreadState& thread : block.threads) {
    thread.warp_from = block.barrier_from;
    set_interval(thread, block.barrier_from);
  }
  refresh(block);
}

void Order::barrier(BlockState& block) {
  block.barrier_from = intervals_.next(block.index);
  begin_phase(block);
}

void Order::mixed_barrier(BlockState& block) {
  begin_together(block);
  begin_phase(block);
}

void Order::bare_barrier(BlockState& block) {
  ClockRef released;
  std::map<Space, ClockRef> of_part;
  for (ThreadState& thread : block.threads) {
    released = joined(released, clock_at(thread, thread.fenced_near));
    if (!thread.parts) continue;
    for (auto& [space, part] : *thread.parts)
      of_part[space] = joined(of_part[space], clock_at(thread, part.fenced_near));
  }
  block.bare_from = intervals_.last() + 1;
  for (ThreadState& thread : block.threads) begin_interval(thread);
  if (!released && of_part.empty()) return;
  block.has_clocks = true;
  for (ThreadState& thread : block.threads) {
    thread.pending_near = joined(thread.pending_near, released);
    for (const auto& [space, clock] : of_part) {
      ThreadState::Part& part = part_of(thread, space);
      part.pending_near = joined(part.pending_near, clock);
    }
  }
}

void Order::grid_barrier(const std::vector<BlockState*>& blocks) {
  // Accesses of concurrent launches that are forgotten here will not be found to conflict with the rest of this one.
  intervals_.start_launch(intervals_.last() + 1, keep_history_);
  for (BlockState* block : blocks) {
    begin_together(*block);
    block->first = block->barrier_from;
    block->shared_from = intervals_.launch_start();
    begin_phase(*block);
  }
}

void Order::begin_together(BlockState& block) {
  block.barrier_from = intervals_.next(block.index);
  block.run_from = 0;
  block.met_barrier = false;
}

void Order::join_blocks(const std::vector<BlockState*>& blocks) {
  for (BlockState* block : blocks) block->shared_from = blocks.front()->first;
}

void Order::blocks_barrier(const std::vector<BlockState*>& blocks) {
  auto met = std::make_shared<Clock>();
  Together together;
  for (const BlockState* block : blocks) {
    met->know_block(block->index, intervals_.last() + 1);
    if (!block->has_clocks) continue;
    for (const ThreadState& thread : block->threads) together.add(thread);
  }
  auto clock = std::make_shared<Clock>(*met);
  if (together.clock) clock->join(*together.clock);
  together.clock = std::move(clock);
  for (BlockState* block : blocks) {
    block->met = met;
    block->has_clocks = true;
    for (ThreadState& thread : block->threads) together.give(thread);
    begin_together(*block);
    begin_phase(*block);
  }
}

void Order::warp_barrier(BlockState& block, const std::vector<unsigned>& threads) {
  ClockRef clock;
  const std::size_t first = threads.front() / kWarp * kWarp;
  const bool whole = threads.back() / kWarp * kWarp == first &&
                     threads.size() == std::min<std::size_t>(kWarp, block.threads.size() - first);
  if (block.has_clocks) {
    for (unsigned i : threads) clock = joined(clock, block.threads[i].clock);
  }
  if (!whole) {
    auto members = clock ? std::make_shared<Clock>(*clock) : std::make_shared<Clock>();
    for (unsigned i : threads) members->know_thread({block.index, i}, block.threads[i].interval());
    members->unseal();
    clock = std::move(members);
    block.has_clocks = true;
  }
  const Interval interval = intervals_.next(block.index);
  for (unsigned i : threads) {
    ThreadState& thread = block.threads[i];
    thread.clock = clock;
    if (whole) thread.warp_from = thread.warp_synced = interval;
    set_interval(thread, interval);
  }
  if (block.has_parts) {
    std::vector<ThreadState*> lanes;
    for (unsigned i : threads) lanes.push_back(&block.threads[i]);
    share_parts(lanes);
  }
  refresh(block);
}

void Order::acquire_pending(ThreadState& thread, Scope scope) {
  thread.clock = joined(thread.clock, thread.pending_near);
  thread.pending_near = nullptr;
  if (scope != Scope::block) {
    thread.clock = joined(thread.clock, thread.pending_cluster);
    thread.pending_cluster = nullptr;
  }
  if (is_wide(scope)) {
    thread.clock = joined(thread.clock, thread.pending_wide);
    thread.pending_wide = nullptr;
  }
  if (!thread.parts) return;
  for (auto& [space, part] : *thread.parts) acquire_part(part, scope);
}

void Order::fence(ThreadState& thread, Scope scope, bool acquires) {
  if (acquires) acquire_pending(thread, scope);
  thread.fenced_near = fence_now(thread, thread.clock);
  if (scope != Scope::block) thread.fenced_cluster = thread.fenced_near;
  if (is_wide(scope)) thread.fenced_wide = thread.fenced_near;
  if (thread.parts) {
    for (auto& [space, part] : *thread.parts) release_part(thread, part, scope);
  }
  begin_interval(thread);
}

// What earlier writes released for all memory stays to be acquired: a later fence may be for more than this space.
void Order::fence_part(ThreadState& thread, Scope scope, Space space, FenceOrder order) {
  ThreadState::Part& part = part_of(thread, space);
  if (order != FenceOrder::release) {
    part.clock = joined(part.clock, thread.pending_near);
    if (is_wide(scope)) part.clock = joined(part.clock, thread.pending_wide);
    acquire_part(part, scope);
  }
  if (order == FenceOrder::acquire) return;
  release_part(thread, part, scope);
  begin_interval(thread);
}

void Order::sc_fence(ThreadState& thread, Scope scope) {
  const std::uint32_t block = thread.block->index;
  auto reach = [&](const auto& visit) {
    visit(sc_near_[block]);
    if (cluster_of_ && scope != Scope::block) visit(sc_cluster_[cluster_of_(block)]);
    if (is_wide(scope)) visit(sc_wide_);
  };
  reach([&](const ClockRef& earlier) { thread.clock = joined(thread.clock, earlier); });
  thread.block->has_clocks = true;
  fence(thread, scope);
  const ClockRef before = clock_at(thread, thread.fenced_near);
  reach([&](ClockRef& known) { known = joined(known, before); });
}

ClockRef Order::publish(ThreadState& thread) {
  ClockRef clock = snapshot(thread);
  begin_interval(thread);
  return clock;
}

void Order::learn(ThreadState& thread, const ClockRef& clock) {
  thread.clock = joined(thread.clock, clock);
  thread.block->has_clocks = true;
}

void Order::arrive(ThreadState& thread, Gathering& gathering) {
  if (!gathering.clock) gathering.clock = std::make_shared<Clock>();
  const ThreadName name{thread.block->index, thread.thread};
  gathering.clock->know_thread(name, thread.interval(), thread.warp_from, thread.block->barrier_from);
  if (thread.clock && gathering.taken.insert(thread.clock).second) gathering.clock->join(*thread.clock);
  begin_interval(thread);
}

void Order::leave(ThreadState& thread, const Gathering& gathering) {
  const bool has_nothing_more = !thread.clock || gathering.taken.contains(thread.clock);
  thread.clock = has_nothing_more ? gathering.clock : joined(thread.clock, gathering.clock);
  thread.block->has_clocks = true;
}

bool Order::includes(Scope scope, std::uint32_t block, std::uint32_t other) const {
  if (block == other || is_wide(scope)) return true;
  return scope == Scope::cluster && cluster_of_ && cluster_of_(block) == cluster_of_(other);
}

bool Order::is_seen_by(const Access& access, std::uint32_t block, const Published& published) const {
  return includes(published.scope, published.block, block) && includes(access.scope, block, published.block);
}

void Order::observe(ThreadState& thread, const Access& access, const Published& seen) const {
  const std::uint32_t block = thread.block->index;
  if (!is_seen_by(access, block, seen)) return;
  auto take = [&](const ClockRef& clock, ClockRef& pending) {
    ClockRef& target = access.acquire ? thread.clock : pending;
    target = joined(target, clock);
  };
  if (auto near = seen.near.find(block); near != seen.near.end()) take(near->second, thread.pending_near);
  if (cluster_of_ && access.scope != Scope::block) {
    auto cluster = seen.in_cluster.find(cluster_of_(block));
    if (cluster != seen.in_cluster.end()) take(cluster->second, thread.pending_cluster);
  }
  if (is_wide(access.scope) && seen.wide) take(seen.wide, thread.pending_wide);
  for (const auto& [space, known] : seen.parts) {
    ThreadState::Part& part = part_of(thread, space);
    auto take_part = [&](const ClockRef& clock, ClockRef& pending) {
      ClockRef& target = access.acquire ? part.clock : pending;
      target = joined(target, clock);
    };
    if (auto near = known.near.find(block); near != known.near.end()) take_part(near->second, part.pending_near);
    if (is_wide(access.scope)) take_part(known.wide, part.pending_wide);
  }
  thread.block->has_clocks = true;
}

Published Order::publish_write(ThreadState& thread, const Access& access, Published made, const Published* released) {
  const std::uint32_t block = thread.block->index;
  made.scope = access.scope;
  made.block = block;
  const bool for_all = is_wide(access.scope);
  const ClockRef near = access.release ? snapshot(thread) : clock_at(thread, thread.fenced_near);
  const ClockRef wide = !for_all ? nullptr : access.release ? near : clock_at(thread, thread.fenced_wide);
  // Knowledge acquired by the same access is part of what is released.
  const bool knows_all = access.release && access.acquire && for_all;
  if (near) {
    ClockRef& known = made.near[block];
    known = knows_all ? near : joined(known, near);
  }
  made.wide = knows_all ? wide : joined(made.wide, wide);
  if (cluster_of_ && access.scope != Scope::block) {
    const ClockRef within = access.release ? near : clock_at(thread, thread.fenced_cluster);
    ClockRef& known = made.in_cluster[cluster_of_(block)];
    known = joined(known, within);
  }
  if (thread.parts) publish_parts(thread, access, made);
  if (released != nullptr) made.join(*released);
  if (access.release) begin_interval(thread);
  return made;
}

void Order::synchronise(ThreadState& thread, const Access& access) {
  auto found = published_.find(access.address);
  const bool reads_it = access.kind != AccessKind::write && found != published_.end();
  if (reads_it) observe(thread, access, found->second);
  if (access.kind == AccessKind::read) return;
  Published carried;
  if (reads_it && is_seen_by(access, thread.block->index, found->second)) carried = std::move(found->second);
  Published made = publish_write(thread, access, std::move(carried), nullptr);
  if (!made.empty()) {
    published_[access.address] = std::move(made);
  } else if (found != published_.end()) {
    published_.erase(found);
  }
}

Published Order::take_published(std::uint64_t address) {
  auto found = published_.find(address);
  return found == published_.end() ? Published{} : std::move(published_.extract(found).mapped());
}

void Order::put_published(std::uint64_t address, Published published) {
  if (!published.empty()) published_[address] = std::move(published);
}

ClockRef fenced_clock(ThreadState& thread, bool wide) {
  return clock_at(thread, wide ? thread.fenced_cluster : thread.fenced_near);
}

void learn_at_fence(ThreadState& thread, const ClockRef& near, const ClockRef& wide) {
  thread.pending_near = joined(thread.pending_near, near);
  thread.pending_cluster = joined(thread.pending_cluster, wide);
  thread.block->has_clocks = true;
}

ClockRef known_to_any(const BlockState& block) {
  Gathering gathering;
  for (const ThreadState& thread : block.threads) {
    if (!thread.clock || !gathering.taken.insert(thread.clock).second) continue;
    if (!gathering.clock) gathering.clock = std::make_shared<Clock>();
    gathering.clock->join(*thread.clock);
  }
  return gathering.clock;
}

}  // namespace weakspot::race
