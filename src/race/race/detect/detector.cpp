// SPDX-License-Identifier: MIT
#include "race/detector.h"

#include <algorithm>

#include "race/trace.h"
#include "race/weak_memory.h"

namespace weakspot::race {

Interval Detector::start_launch(std::vector<IntervalRange> concurrent, bool keep_history, IntervalRange prerequisite) {
  order_.start_launch(std::move(concurrent), keep_history, prerequisite);
  barriers_.start_launch(order_.is_concurrent());
  if (!order_.is_concurrent()) {
    agents_.clear();
    if (trace_ != nullptr) trace_->clear();
  }
  if (weak_ != nullptr) weak_->start_launch();
  ++launch_;
  return order_.launch_begin();
}

void Detector::wait_for_grids(ThreadState& thread) {
  order_.wait_for_grids(thread);
  // Accesses of earlier grids may not be visible here, and barriers behind the wait may be needed for them.
  if (!order_.has_prerequisite()) barriers_.keep_all();
}

void Detector::barrier(BlockState& block, SiteId site) {
  if (trace_ != nullptr) trace_->barrier(block.index, site);
  barriers_.meet(block, site);
  order_.barrier(block);
}

void Detector::warp_barrier(BlockState& block, const std::vector<unsigned>& threads) {
  if (trace_ != nullptr) trace_->warp_barrier(block.index, threads);
  order_.warp_barrier(block, threads);
}

std::optional<std::uint64_t> Detector::begin_weak(const ThreadState& thread, const Access& access, std::uint64_t now) {
  return weak_->begin(order_, thread, access, now);
}

// Without weak values the order of sequentially consistent fences is left out: an interleaving keeps it by itself.
void Detector::fence(ThreadState& thread, Scope scope, SiteId site, FenceOrder order, std::optional<Space> space) {
  if (trace_ != nullptr) trace_->fence({thread.block->index, thread.thread}, scope, site, space);
  if (space) return order_.fence_part(thread, scope, *space, order);
  if (weak_ != nullptr && order == FenceOrder::sc) return order_.sc_fence(thread, scope);
  // AMD's come in halves, of which each does its own part. Others are taken for whole ones.
  if (warps_.of_amd && order == FenceOrder::acquire) return Order::acquire_pending(thread, scope);
  order_.fence(thread, scope, !warps_.of_amd || order != FenceOrder::release);
}

void Detector::start_agent(ThreadState& agent, std::uint32_t issuer, ClockRef knows, Engine engine) {
  order_.start_agent(agent, std::move(knows));
  agents_.start({agent.block->index, agent.thread}, issuer, engine);
}

void Detector::report(Race race) {
  const FoundRaces::Key key(race.race_class, race.first.site, race.second.site, race.first.write, race.second.write);
  if (races_.count_again(key, race.across_blocks)) return;
  race.launch = launch_;
  race.doubt = doubt_.threads;
  races_.add(race);
}

void Detector::join_launch(const Detector& main) {
  branch_sides_ = main.branch_sides_;
  is_checked_again_ = main.is_checked_again_;
  warps_ = main.warps_;
  order_.join_launch(main.order_);
  barriers_.join_launch(main.barriers_);
  launch_ = main.launch_;
  doubt_ = main.doubt_;
  races_.clear();
  agents_.clear();
}

void Detector::leave_launch(Detector& main) const {
  order_.leave_launch(main.order_);
  main.races_.add_conflicts(races_.conflicts());
  main.ignored_.insert(ignored_.begin(), ignored_.end());
  main.polls_.insert(polls_.begin(), polls_.end());
}

// One word of an access, compared with what is remembered of it.
class Detector::Current {
 public:
  Current(Detector& detector, ThreadState& thread, const Access& access, Entry entry, Interval stale)
      : detector_(detector),
        order_(detector.order_),
        thread_(thread),
        access_(access),
        name_{thread.block->index, thread.thread},
        entry_(entry),
        stale_(stale) {}

  // Reports conflicts with what is in the cell, and remembers the access there.
  void check(Cell& cell);

 private:
  bool is_better_evidence(Entry write) const;
  bool may_have_seen(const Cell& cell) const;
  void remember_read(Cell& cell) const;
  void conflict(Entry entry, bool entry_writes);
  bool morally_strong(Entry entry, ThreadName other) const;
  bool writes() const { return access_.kind != AccessKind::read; }
  bool is_first_read(Entry entry, bool entry_writes) const;
  // Waves may have more lanes than what Order takes for a warp.
  bool in_one_wave(ThreadName other) const {
    return other.block == name_.block &&
           other.thread / detector_.warps_.lanes == name_.thread / detector_.warps_.lanes && !other.uses_async_proxy();
  }
  bool is_by_lock_step(Entry entry, ThreadName other, bool entry_writes) const;
  std::optional<ClassId> class_of_race(Entry entry, ThreadName other, bool entry_writes) const;
  void report(Entry entry, ThreadName other, bool entry_writes, ClassId race_class) const;

  Detector& detector_;
  Order& order_;
  ThreadState& thread_;
  const Access& access_;
  const ThreadName name_;
  const Entry entry_;
  const Interval stale_;
  bool seen_ = false;  // see may_have_seen()
};

void Detector::access(ThreadState& thread, const Access& access) {
  if (trace_ != nullptr && !access.asynchronous) trace_->access({thread.block->index, thread.thread}, access);
  if (access.strong && !access.feeds_data) polls_.insert(access.site);
  if (access.strong && access.ignored) ignored_.insert(access.site);
  const Interval stale = access.space == Space::shared ? thread.block->shared_from : order_.intervals().launch_start();
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
    Current current(*this, thread, access, entry, stale);
    Cell& word = shadow_.word(address);
    if (bytes == kAllBytes && !Shadow::is_split(word)) {
      current.check(word);
    } else {
      ByteCells cells = shadow_.bytes(address);
      for (unsigned i = 0; i < 4; ++i) {
        if ((bytes >> i & 1) != 0) current.check(cells[i]);
      }
      shadow_.keep_bytes(address, cells, stale);
    }
    address += count;
    left -= count;
  }
  if (access.strong && weak_ != nullptr) {
    weak_->synchronise(order_, thread, access);
  } else if (access.strong) {
    order_.synchronise(thread, access);
  } else if (access.kind != AccessKind::read) {
    if (weak_ != nullptr) weak_->forget(order_, access.address, access.size);
    order_.overwrite(access.address);
  }
}

// A weak write is better evidence against later accesses than a strong one: a strong write that nothing orders after
// it, or of the same thread in the same interval, does not replace it.
bool Detector::Current::is_better_evidence(Entry write) const {
  auto strength = [](Entry entry) { return !is_strong(entry) ? 0 : scope_of(entry) == Scope::block ? 1 : 2; };
  if (write == 0 || strength(write) >= strength(entry_)) return false;
  const Interval interval = interval_of(write);
  if (interval < stale_ || order_.is_over(interval)) return false;
  const ThreadName other{order_.intervals().block_of(interval), thread_of(write)};
  return other == name_ ? interval == thread_.interval() : !order_.ordered(other, interval, thread_, access_.space);
}

// Whether a strong read of the thread has seen the last write: its later stores then come after it in the coherence
// order of the location. With two readers in the cell the thread's own read may have been forgotten, and counts.
bool Detector::Current::may_have_seen(const Cell& cell) const {
  auto is_fresh = [&](Entry read) { return read != 0 && interval_of(read) >= stale_; };
  auto is_own = [&](Entry read) {
    return is_fresh(read) && is_strong(read) &&
           ThreadName{order_.intervals().block_of(interval_of(read)), thread_of(read)} == name_;
  };
  return is_own(cell.read) || is_own(cell.other_read) || (is_fresh(cell.read) && is_fresh(cell.other_read));
}

void Detector::Current::check(Cell& cell) {
  seen_ = access_.strong && access_.kind == AccessKind::write && may_have_seen(cell);
  conflict(cell.write, true);
  seen_ = false;
  if (access_.kind == AccessKind::read) {
    remember_read(cell);
    return;
  }
  conflict(cell.read, false);
  conflict(cell.other_read, false);
  if (is_better_evidence(cell.write)) return;
  cell = {entry_, 0, 0};
}

// Keeps the latest two readers of different threads, and prefers one of another block, which no barrier will ever
// order.
void Detector::Current::remember_read(Cell& cell) const {
  auto from_elsewhere = [&](Entry entry) {
    return interval_of(entry) >= stale_ && order_.intervals().block_of(interval_of(entry)) != name_.block;
  };
  if (cell.read == 0 || interval_of(cell.read) < stale_) {
    cell.read = entry_;
    cell.other_read = 0;
    return;
  }
  const bool here = !from_elsewhere(cell.read);
  const bool same_thread = here && thread_of(cell.read) == name_.thread;
  // A plain read is the stronger evidence: a strong one of the same thread does not replace it.
  if (same_thread && is_strong(entry_) && !is_strong(cell.read) && interval_of(cell.read) == thread_.interval()) {
    return;
  }
  const bool keep_other = same_thread || (here && cell.other_read != 0 && from_elsewhere(cell.other_read));
  if (!keep_other) cell.other_read = cell.read;
  cell.read = entry_;
}

void Detector::Current::conflict(Entry entry, bool entry_writes) {
  if (entry == 0) return;
  const Interval interval = interval_of(entry);
  if (interval < stale_ || (order_.is_concurrent() && order_.is_over(interval))) return;
  const std::uint32_t block = interval == thread_.interval() ? name_.block : order_.intervals().block_of(interval);
  const ThreadName other{block, thread_of(entry)};
  if (other == name_) return;
  if (order_.ordered(other, interval, thread_, access_.space)) {
    // What orders the threads is needed all the same.
    if (interval >= order_.launch_begin() && lacks_proxy_fence(other, interval, name_, access_)) {
      if (entry_writes || !other.uses_async_proxy()) {
        report(entry, other, entry_writes, entry_writes ? ClassId::p1 : ClassId::p2);
      }
    }
    // Atomics whose results are not used may come in any order.
    if (access_.ignored && detector_.ignored_.contains(site_of(entry)) && morally_strong(entry, other)) return;
    // Nor is a barrier needed for what the warp has ordered by itself.
    if (same_warp(other, name_) && interval < thread_.warp_synced) return;
    // Nor is one of a block for what several blocks have ordered together.
    if (thread_.block->met && thread_.block->met->knows(other, interval)) return;
    const bool by_barrier = block == name_.block && interval < thread_.block->barrier_from;
    if (by_barrier) {
      if (detector_.barriers_.note_use(interval, *thread_.block)) order_.refresh(*thread_.block);
    } else if (!same_warp(other, name_) || interval >= thread_.warp_from) {
      detector_.barriers_.note_chain();
    }
    return;
  }
  if (const std::optional<ClassId> found = class_of_race(entry, other, entry_writes)) {
    report(entry, other, entry_writes, *found);
  }
}

// Both are strong, each is in the scope of the other, they go through one proxy, and the bytes are the same.
bool Detector::Current::morally_strong(Entry entry, ThreadName other) const {
  if (other.uses_async_proxy() != access_.asynchronous) return false;
  // Agents' accesses of block scope are plain; the mark keeps them from the fast path.
  if (((other.block | name_.block) & kAgentBlock) != 0 &&
      (scope_of(entry) == Scope::block || access_.scope == Scope::block)) {
    return false;
  }
  return is_strong(entry) && access_.strong && order_.includes(scope_of(entry), other.block, name_.block) &&
         order_.includes(access_.scope, name_.block, other.block) && bytes_of(entry) == bytes_of(entry_);
}

// The plain first read of a loop around a compare-and-swap, and an atomic write of the same bytes.
bool Detector::Current::is_first_read(Entry entry, bool entry_writes) const {
  if (!detector_.is_checked_again_ || entry_writes == writes()) return false;
  const bool plain_read = writes() ? !is_strong(entry) : !access_.strong;
  const bool atomic_write = writes() ? access_.strong : is_strong(entry);
  return plain_read && atomic_write && detector_.is_checked_again_(writes() ? site_of(entry) : access_.site);
}

// Different instructions of one warp, not on different sides of a branch.
bool Detector::Current::is_by_lock_step(Entry entry, ThreadName other, bool entry_writes) const {
  const bool same_site = site_of(entry) == access_.site && entry_writes == writes();
  if (!in_one_wave(other) || same_site) return false;
  return std::none_of(detector_.branch_sides_.begin(), detector_.branch_sides_.end(),
                      [&](const BranchSides& are_sides) { return are_sides(site_of(entry), access_.site); });
}

// The class of two accesses that nothing orders; none if they may be unordered.
std::optional<ClassId> Detector::Current::class_of_race(Entry entry, ThreadName other, bool entry_writes) const {
  const bool by_lock_step = is_by_lock_step(entry, other, entry_writes);
  if (detector_.options_.lockstep && by_lock_step) return std::nullopt;
  if (morally_strong(entry, other)) {
    const bool is_volatile = scope_of(entry) == Scope::volatile_access || access_.scope == Scope::volatile_access;
    if (!is_volatile || !access_.feeds_data || seen_) return std::nullopt;
    if (!entry_writes && detector_.polls_.contains(site_of(entry))) return std::nullopt;
    return ClassId::w3;
  }
  if (is_first_read(entry, entry_writes)) return ClassId::w2;
  if (entry_writes && access_.kind == AccessKind::write && access_.same_value) {
    const bool replica = site_of(entry) == access_.site && access_.space == Space::shared;
    if (detector_.options_.replicas && replica) return std::nullopt;
    return ClassId::w1;
  }
  return by_lock_step ? ClassId::e2 : ClassId::e1;
}

void Detector::Current::report(Entry entry, ThreadName other, bool entry_writes, ClassId race_class) const {
  const bool across_blocks = other.block != name_.block;
  const FoundRaces::Key key(race_class, site_of(entry), access_.site, entry_writes, writes());
  if (detector_.races_.count_again(key, across_blocks)) return;
  const Interval interval = interval_of(entry);
  Race race;
  race.race_class = race_class;
  race.first = detector_.agents_.party(other, site_of(entry), entry_writes, is_strong(entry), scope_of(entry));
  race.second = detector_.agents_.party(name_, access_.site, writes(), access_.strong, access_.scope);
  race.address = access_.address;
  race.space = access_.space;
  race.launch = detector_.launch_;
  race.same_warp = in_one_wave(other);
  race.across_blocks = across_blocks;
  auto would_know = [&](const ClockRef& pending) { return pending && pending->knows(other, interval); };
  race.missing_acquire =
      would_know(thread_.pending_near) || would_know(thread_.pending_cluster) || would_know(thread_.pending_wide);
  race.amd = detector_.warps_.of_amd;
  race.at_bare_barrier = !across_blocks && interval < thread_.block->bare_from;
  race.fenced_elsewhere = order_.ordered_elsewhere(other, interval, thread_, access_.space);
  race.missing_grid_wait = order_.is_prerequisite(interval);
  race.of_map = access_.of_map;
  race.map_released = access_.released != nullptr && access_.released->knows(other, interval);
  race.doubt = detector_.doubt_.threads;
  if (!race.doubt && interval < order_.launch_begin()) race.doubt = detector_.doubt_.grids;
  Trace* trace = detector_.trace_;
  const bool is_traced = trace != nullptr && !access_.asynchronous && !other.uses_async_proxy();
  if (is_traced) race.chain = trace->keep_chain(other, site_of(entry), entry_writes);
  detector_.races_.add(race);
}

}  // namespace weakspot::race
