// SPDX-License-Identifier: MIT
#include "race/detector.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "race/trace.h"

namespace weakspot::race {
namespace {

bool same_warp(ThreadName a, ThreadName b) {
  return a.block == b.block && a.warp() == b.warp() && !a.uses_async_proxy();
}

bool is_wide(Scope scope) { return scope != Scope::block && scope != Scope::cluster; }

}  // namespace

struct Detector::Current {
  ThreadState& thread;
  const Access& access;
  ThreadName name;
  Entry entry;
  Interval stale;
  bool seen = false;  // see may_have_seen()
};

Interval Detector::start_launch(std::vector<IntervalRange> concurrent, bool keep_history, IntervalRange prerequisite) {
  concurrent_ = std::move(concurrent);
  prerequisite_ = prerequisite;
  keeps_barriers_ = false;
  keep_history_ = keep_history || !concurrent_.empty();
  launch_begin_ = intervals_.last() + 1;
  Interval stale = launch_begin_;
  for (const IntervalRange& other : concurrent_) stale = std::min(stale, other.begin);
  intervals_.start_launch(stale, keep_history_);
  if (concurrent_.empty()) {
    published_.clear();
    issuers_.clear();
    met_.clear();
    if (trace_ != nullptr) trace_->clear();
  }
  ++launch_;
  return launch_begin_;
}

// Entries before this launch matter only if their launches may run at the same time.
bool Detector::is_over(Interval interval) const {
  if (interval >= launch_begin_) return false;
  return std::none_of(concurrent_.begin(), concurrent_.end(),
                      [&](const IntervalRange& other) { return interval >= other.begin && interval < other.end; });
}

void Detector::start_block(BlockState& block, std::uint32_t index, unsigned threads) {
  WEAKSPOT_CHECK(threads <= kMaxBlockThreads);
  block.index = index;
  block.first = block.shared_from = block.barrier_from = intervals_.next(index);
  block.run_from = 0;
  block.met_barrier = false;
  block.has_clocks = false;
  block.met = nullptr;
  block.threads.resize(threads);
  for (unsigned i = 0; i < threads; ++i) {
    ThreadState& thread = block.threads[i];
    thread.block = &block;
    thread.thread = i;
    thread.clock = thread.pending_near = thread.pending_cluster = thread.pending_wide = nullptr;
    thread.fenced_near = thread.fenced_cluster = thread.fenced_wide = {};
    thread.warp_from = thread.warp_synced = block.first;
    set_interval(thread, block.first);
  }
  refresh(block);
}

void Detector::refresh(BlockState& block) {
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

void Detector::set_interval(ThreadState& thread, Interval interval) {
  thread.now = make_entry(interval, thread.thread, kAllBytes, 0);
}

void Detector::begin_phase(BlockState& block) {
  if (block.has_clocks) share_clocks(block);
  for (ThreadState& thread : block.threads) {
    thread.warp_from = block.barrier_from;
    set_interval(thread, block.barrier_from);
  }
  refresh(block);
}

namespace {

// What threads that meet know together.
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

}  // namespace

void Detector::share_clocks(BlockState& block) {
  Together together;
  for (const ThreadState& thread : block.threads) together.add(thread);
  for (ThreadState& thread : block.threads) together.give(thread);
}

void Detector::barrier(BlockState& block, SiteId site) {
  if (trace_ != nullptr) trace_->barrier(block.index, site);
  const Interval before = block.barrier_from;
  block.barrier_from = intervals_.next(block.index);
  if (!block.met_barrier || block.last_barrier != site) block.run_from = before;
  if (needed_.contains(site)) block.run_from = 0;
  met_.insert(site);
  if (keeps_barriers_) needed_.insert(site);
  block.met_barrier = true;
  block.last_barrier = site;
  begin_phase(block);
}

void Detector::mixed_barrier(BlockState& block) {
  block.barrier_from = intervals_.next(block.index);
  block.run_from = 0;
  block.met_barrier = false;
  begin_phase(block);
}

void Detector::grid_barrier(const std::vector<BlockState*>& blocks) {
  // Accesses of concurrent launches that are forgotten here will not be found to conflict with the rest of this one.
  intervals_.start_launch(intervals_.last() + 1, keep_history_);
  for (BlockState* block : blocks) {
    begin_together(*block);
    block->first = block->barrier_from;
    block->shared_from = intervals_.launch_start();
    begin_phase(*block);
  }
}

void Detector::begin_together(BlockState& block) {
  block.barrier_from = intervals_.next(block.index);
  block.run_from = 0;
  block.met_barrier = false;
}

void Detector::join_blocks(const std::vector<BlockState*>& blocks) {
  for (BlockState* block : blocks) block->shared_from = blocks.front()->first;
}

void Detector::blocks_barrier(const std::vector<BlockState*>& blocks) {
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

void Detector::warp_barrier(BlockState& block, const std::vector<unsigned>& threads) {
  if (trace_ != nullptr) trace_->warp_barrier(block.index, threads);
  ClockRef clock;
  const std::size_t first = threads.front() / kWarp * kWarp;
  const bool whole = threads.size() == std::min<std::size_t>(kWarp, block.threads.size() - first);
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
  refresh(block);
}

// Everything that is ordered before the thread's next step.
ClockRef Detector::snapshot(const ThreadState& thread) const {
  auto clock = thread.clock ? std::make_shared<Clock>(*thread.clock) : std::make_shared<Clock>();
  const ThreadName name{thread.block->index, thread.thread};
  clock->know_thread(name, thread.interval(), thread.warp_from, thread.block->barrier_from);
  clock->seal(name, thread.interval());
  return clock;
}

ClockRef Detector::fenced_clock(const ThreadState& thread, ThreadState::Fenced& fenced) {
  if (!fenced.any || fenced.made) return fenced.made;
  auto clock = fenced.clock ? std::make_shared<Clock>(*fenced.clock) : std::make_shared<Clock>();
  const ThreadName name{thread.block->index, thread.thread};
  clock->know_thread(name, fenced.up_to, fenced.warp_before, fenced.block_before);
  clock->seal(name, fenced.up_to);
  return fenced.made = std::move(clock);
}

void Detector::fence(ThreadState& thread, Scope scope, SiteId site) {
  if (trace_ != nullptr) trace_->fence({thread.block->index, thread.thread}, scope, site);
  const bool wide = is_wide(scope);
  thread.clock = joined(thread.clock, thread.pending_near);
  thread.pending_near = nullptr;
  if (scope != Scope::block) {
    thread.clock = joined(thread.clock, thread.pending_cluster);
    thread.pending_cluster = nullptr;
  }
  if (wide) {
    thread.clock = joined(thread.clock, thread.pending_wide);
    thread.pending_wide = nullptr;
  }
  thread.fenced_near = {.any = true,
                        .clock = thread.clock,
                        .made = nullptr,
                        .up_to = thread.interval(),
                        .warp_before = thread.warp_from,
                        .block_before = thread.block->barrier_from};
  if (scope != Scope::block) thread.fenced_cluster = thread.fenced_near;
  if (wide) thread.fenced_wide = thread.fenced_near;
  set_interval(thread, intervals_.next(thread.block->index));
  refresh(*thread.block);
}

ClockRef Detector::publish(ThreadState& thread) {
  ClockRef clock = snapshot(thread);
  set_interval(thread, intervals_.next(thread.block->index));
  refresh(*thread.block);
  return clock;
}

void Detector::learn(ThreadState& thread, const ClockRef& clock) {
  thread.clock = joined(thread.clock, clock);
  thread.block->has_clocks = true;
}

void Detector::arrive(ThreadState& thread, Gathering& gathering) {
  if (!gathering.clock) gathering.clock = std::make_shared<Clock>();
  const ThreadName name{thread.block->index, thread.thread};
  gathering.clock->know_thread(name, thread.interval(), thread.warp_from, thread.block->barrier_from);
  if (thread.clock && gathering.taken.insert(thread.clock).second) gathering.clock->join(*thread.clock);
  set_interval(thread, intervals_.next(name.block));
  refresh(*thread.block);
}

void Detector::leave(ThreadState& thread, const Gathering& gathering) {
  const bool has_nothing_more = !thread.clock || gathering.taken.contains(thread.clock);
  thread.clock = has_nothing_more ? gathering.clock : joined(thread.clock, gathering.clock);
  thread.block->has_clocks = true;
}

bool Detector::includes(Scope scope, std::uint32_t block, std::uint32_t other) const {
  if (block == other || is_wide(scope)) return true;
  return scope == Scope::cluster && cluster_of_ && cluster_of_(block) == cluster_of_(other);
}

// Whether an access of a thread of the block observes the write.
bool Detector::is_seen_by(const Access& access, std::uint32_t block, const Published& published) const {
  return includes(published.scope, published.block, block) && includes(access.scope, block, published.block);
}

void Detector::observe(ThreadState& thread, const Access& access, const Published& seen) const {
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
  thread.block->has_clocks = true;
}

void Detector::synchronise(ThreadState& thread, const Access& access) {
  const std::uint32_t block = thread.block->index;
  auto found = published_.find(access.address);
  const bool reads_it = access.kind != AccessKind::write && found != published_.end();
  if (reads_it) observe(thread, access, found->second);
  if (access.kind == AccessKind::read) return;
  Published made;
  // An update carries on what the write it saw had published.
  if (reads_it && is_seen_by(access, block, found->second)) made = std::move(found->second);
  made.scope = access.scope;
  made.block = block;
  const bool for_all = is_wide(access.scope);
  const ClockRef near = access.release ? snapshot(thread) : fenced_clock(thread, thread.fenced_near);
  const ClockRef wide = !for_all ? nullptr : access.release ? near : fenced_clock(thread, thread.fenced_wide);
  // What was acquired by the same access is part of what is released.
  const bool knows_all = access.release && access.acquire && for_all;
  if (near) {
    ClockRef& known = made.near[block];
    known = knows_all ? near : joined(known, near);
  }
  made.wide = knows_all ? wide : joined(made.wide, wide);
  if (cluster_of_ && access.scope != Scope::block) {
    const ClockRef within = access.release ? near : fenced_clock(thread, thread.fenced_cluster);
    ClockRef& known = made.in_cluster[cluster_of_(block)];
    known = joined(known, within);
  }
  if (made.wide || !made.near.empty() || !made.in_cluster.empty()) {
    published_[access.address] = std::move(made);
  } else if (found != published_.end()) {
    published_.erase(found);
  }
  if (access.release) {
    set_interval(thread, intervals_.next(block));
    refresh(*thread.block);
  }
}

void Detector::access(ThreadState& thread, const Access& access) {
  if (trace_ != nullptr && !access.asynchronous) trace_->access({thread.block->index, thread.thread}, access);
  if (access.strong && !access.feeds_data) polls_.insert(access.site);
  if (access.strong && access.ignored) ignored_.insert(access.site);
  const Interval stale = access.space == Space::shared ? thread.block->shared_from : intervals_.launch_start();
  std::uint64_t address = access.address;
  unsigned left = access.size;
  while (left > 0) {
    const unsigned offset = static_cast<unsigned>(address & 3);
    const unsigned count = std::min(4 - offset, left);
    const unsigned bytes = ((1u << count) - 1) << offset;
    Entry entry = make_entry(thread.interval(), thread.thread, bytes, access.site);
    if (access.strong) {
      // The halves of a double word have marks of their own: an atomic of one word does not match them.
      const unsigned mark = access.size != 8 ? bytes : address == access.address ? kLowHalf : kHighHalf;
      entry = make_strong(make_entry(thread.interval(), thread.thread, mark, access.site), access.scope);
    }
    const Current current{thread, access, {thread.block->index, thread.thread}, entry, stale};
    Cell& word = shadow_.word(address);
    if (bytes == kAllBytes && !Shadow::is_split(word)) {
      check_cell(word, current);
    } else {
      ByteCells cells = shadow_.bytes(address);
      for (unsigned i = 0; i < 4; ++i) {
        if ((bytes >> i & 1) != 0) check_cell(cells[i], current);
      }
      shadow_.keep_bytes(address, cells, stale);
    }
    address += count;
    left -= count;
  }
  if (access.strong) {
    synchronise(thread, access);
  } else if (access.kind != AccessKind::read && !published_.empty()) {
    published_.erase(access.address);
  }
}

// A weak write is better evidence against later accesses than a strong one: a strong write that nothing orders after
// it, or of the same thread in the same interval, does not replace it.
bool Detector::is_better_evidence(Entry write, const Current& current) const {
  auto strength = [](Entry entry) { return !is_strong(entry) ? 0 : scope_of(entry) == Scope::block ? 1 : 2; };
  if (write == 0 || strength(write) >= strength(current.entry)) return false;
  const Interval interval = interval_of(write);
  if (interval < current.stale || is_over(interval)) return false;
  const ThreadName other{intervals_.block_of(interval), thread_of(write)};
  return other == current.name ? interval == current.thread.interval() : !ordered(other, interval, current.thread);
}

// Whether the thread has read what is there, by a strong read: what it stores after that comes after it in the
// coherence order of the location. With two readers in the cell its own read may have been forgotten, and counts.
bool Detector::may_have_seen(const Cell& cell, const Current& current) const {
  auto is_fresh = [&](Entry read) { return read != 0 && interval_of(read) >= current.stale; };
  auto is_own = [&](Entry read) {
    return is_fresh(read) && is_strong(read) &&
           ThreadName{intervals_.block_of(interval_of(read)), thread_of(read)} == current.name;
  };
  return is_own(cell.read) || is_own(cell.other_read) || (is_fresh(cell.read) && is_fresh(cell.other_read));
}

void Detector::check_cell(Cell& cell, const Current& current) {
  if (current.access.strong && current.access.kind == AccessKind::write && may_have_seen(cell, current)) {
    Current knowing = current;
    knowing.seen = true;
    conflict(cell.write, true, knowing);
  } else {
    conflict(cell.write, true, current);
  }
  if (current.access.kind == AccessKind::read) {
    remember_read(cell, current);
    return;
  }
  conflict(cell.read, false, current);
  conflict(cell.other_read, false, current);
  if (is_better_evidence(cell.write, current)) return;
  cell = {current.entry, 0, 0};
}

// Keeps the latest two readers of different threads, and prefers one of another block, which no barrier will ever
// order.
void Detector::remember_read(Cell& cell, const Current& current) {
  auto from_elsewhere = [&](Entry entry) {
    return interval_of(entry) >= current.stale && intervals_.block_of(interval_of(entry)) != current.name.block;
  };
  if (cell.read == 0 || interval_of(cell.read) < current.stale) {
    cell.read = current.entry;
    cell.other_read = 0;
    return;
  }
  const bool here = !from_elsewhere(cell.read);
  const bool same_thread = here && thread_of(cell.read) == current.name.thread;
  // A plain read is the stronger evidence: a strong one of the same thread does not replace it.
  if (same_thread && is_strong(current.entry) && !is_strong(cell.read) &&
      interval_of(cell.read) == current.thread.interval()) {
    return;
  }
  const bool keep_other = same_thread || (here && cell.other_read != 0 && from_elsewhere(cell.other_read));
  if (!keep_other) cell.other_read = cell.read;
  cell.read = current.entry;
}

bool Detector::ordered(ThreadName other, Interval interval, const ThreadState& thread) const {
  const ThreadName self{thread.block->index, thread.thread};
  if (other == self) return true;
  if (other.block == self.block && interval < thread.block->barrier_from) return true;
  if (same_warp(other, self) && interval < thread.warp_from) return true;
  if (!thread.clock) return false;
  return thread.clock->knows(other, interval) ||
         (is_prerequisite(interval) && thread.clock->knows_grids(launch_begin_));
}

void Detector::note_needed(Interval interval, const Current& current) {
  BlockState& block = *current.thread.block;
  if (interval >= block.barrier_from || block.run_from == 0 || interval < block.run_from) return;
  needed_.insert(block.last_barrier);
  block.run_from = 0;
  refresh(block);
}

void Detector::conflict(Entry entry, bool entry_writes, const Current& current) {
  if (entry == 0) return;
  const Interval interval = interval_of(entry);
  if (interval < current.stale || (!concurrent_.empty() && is_over(interval))) return;
  const std::uint32_t block =
      interval == current.thread.interval() ? current.name.block : intervals_.block_of(interval);
  const ThreadName other{block, thread_of(entry)};
  if (other == current.name) return;
  if (ordered(other, interval, current.thread)) {
    if (entry_writes && interval >= launch_begin_ && lacks_proxy_fence(other, interval, current.name, current.access)) {
      report(entry, other, entry_writes, current, true);
      return;
    }
    // Atomics whose results are not used may come in any order.
    if (current.access.ignored && ignored_.contains(site_of(entry)) && morally_strong(entry, other, current)) return;
    // Nor is a barrier needed for what the warp has ordered by itself.
    if (same_warp(other, current.name) && interval < current.thread.warp_synced) return;
    // Nor is one of a block for what several blocks have ordered together.
    if (current.thread.block->met && current.thread.block->met->knows(other, interval)) return;
    const bool by_barrier = block == current.name.block && interval < current.thread.block->barrier_from;
    if (by_barrier) {
      note_needed(interval, current);
    } else if (!same_warp(other, current.name) || interval >= current.thread.warp_from) {
      // Ordered by a chain of releases and acquires, which any barrier may be part of: none is called redundant.
      keep_met();
      ++chains_;
    }
    return;
  }
  report(entry, other, entry_writes, current);
}

std::vector<Race> Detector::take_races() {
  by_sites_.clear();
  return std::exchange(races_, {});
}

std::set<SiteId> Detector::take_needed() { return std::exchange(needed_, {}); }

// Both are strong, each is in the scope of the other, they go through one proxy, and the bytes are the same.
bool Detector::morally_strong(Entry entry, ThreadName other, const Current& current) const {
  const Access& access = current.access;
  if (other.uses_async_proxy() != access.asynchronous) return false;
  // What agents do with block scope is plain; the mark keeps it from the fast path.
  if (((other.block | current.name.block) & kAgentBlock) != 0 &&
      (scope_of(entry) == Scope::block || access.scope == Scope::block)) {
    return false;
  }
  return is_strong(entry) && access.strong && includes(scope_of(entry), other.block, current.name.block) &&
         includes(access.scope, current.name.block, other.block) && bytes_of(entry) == bytes_of(current.entry);
}

// The plain first read of a loop around a compare-and-swap, and an atomic write of the same bytes.
bool Detector::is_first_read(Entry entry, bool entry_writes, const Current& current) const {
  const bool writes = current.access.kind != AccessKind::read;
  if (!is_checked_again_ || entry_writes == writes) return false;
  const bool plain_read = writes ? !is_strong(entry) : !current.access.strong;
  const bool atomic_write = writes ? current.access.strong : is_strong(entry);
  return plain_read && atomic_write && is_checked_again_(writes ? site_of(entry) : current.access.site);
}

void Detector::report(Entry entry, ThreadName other, bool entry_writes, const Current& current, bool are_ordered) {
  const Access& access = current.access;
  const bool writes = access.kind != AccessKind::read;
  const bool in_warp = same_warp(other, current.name);
  const bool same_site = site_of(entry) == access.site && entry_writes == writes;
  const bool by_lock_step =
      in_warp && !same_site && !(are_branch_sides_ && are_branch_sides_(site_of(entry), access.site));
  if (options_.lockstep && by_lock_step) return;
  ClassId race_class = ClassId::e1;
  if (are_ordered) {
    race_class = ClassId::p1;
  } else if (morally_strong(entry, other, current)) {
    const bool is_volatile = scope_of(entry) == Scope::volatile_access || access.scope == Scope::volatile_access;
    if (!is_volatile || !access.feeds_data || current.seen) return;
    if (!entry_writes && polls_.contains(site_of(entry))) return;
    race_class = ClassId::w3;
  } else if (is_first_read(entry, entry_writes, current)) {
    race_class = ClassId::w2;
  } else if (entry_writes && writes && access.kind == AccessKind::write && access.same_value) {
    race_class = ClassId::w1;
  } else if (by_lock_step) {
    race_class = ClassId::e2;
  }
  ++conflicts_;
  const auto key = std::tuple(race_class, site_of(entry), access.site, entry_writes, writes);
  auto [found, fresh] = by_sites_.try_emplace(key, races_.size());
  const bool across_blocks = other.block != current.name.block;
  if (!fresh) {
    ++races_[found->second].count;
    races_[found->second].across_blocks |= across_blocks;
    return;
  }
  Race race;
  race.race_class = race_class;
  race.first = party(other, site_of(entry), entry_writes, is_strong(entry), scope_of(entry));
  race.second = party(current.name, access.site, writes, access.strong, access.scope);
  race.address = access.address;
  race.space = access.space;
  race.launch = launch_;
  race.same_warp = in_warp;
  race.across_blocks = across_blocks;
  auto would_know = [&](const ClockRef& pending) { return pending && pending->knows(other, interval_of(entry)); };
  race.missing_acquire = would_know(current.thread.pending_near) || would_know(current.thread.pending_cluster) ||
                         would_know(current.thread.pending_wide);
  race.missing_grid_wait = is_prerequisite(interval_of(entry));
  race.of_map = access.of_map;
  race.map_released = access.released != nullptr && access.released->knows(other, interval_of(entry));
  race.doubt = doubt_.threads;
  if (!race.doubt && interval_of(entry) < launch_begin_) race.doubt = doubt_.grids;
  const bool is_traced = trace_ != nullptr && !access.asynchronous && !other.uses_async_proxy();
  if (is_traced) race.chain = trace_->keep_chain(other, site_of(entry), entry_writes);
  races_.push_back(race);
}

}  // namespace weakspot::race
