// SPDX-License-Identifier: MIT
#include "race_jit/machine/machine.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <numeric>
#include <utility>

#include "base/check.h"
#include "race_jit/machine/block_run.h"
#include "race_jit/machine/crew.h"
#include "race_jit/machine/signals.h"
#include "race_jit/machine/warp_operations.h"

namespace weakspot::race_jit {

constinit thread_local Machine* machine = nullptr;
extern "C" {
constinit thread_local ThreadContext* weakspot_current = nullptr;
}

namespace {

// After this many rounds in which no thread changed memory or made progress, waiting threads are stuck.
constexpr int kIdleRounds = 300;
constexpr std::size_t kSideBySide = 8;

// Compiled kernels have no signature in front of them, which clang's sanitizer would read.
#if defined(__clang__)
__attribute__((no_sanitize("function")))
#endif
void call_kernel(const LaunchRequest& request) {
  request.entry(request.arguments);
}

}  // namespace

Machine::Machine(std::unique_ptr<Arena> arena, MachineOptions options)
    : options_(options),
      own_arena_(std::move(arena)),
      arena_(own_arena_.get()),
      cells_(arena_->cells()),
      detector_(
          race::Shadow(cells_, reinterpret_cast<std::uint64_t>(arena_->base()), arena_->size(), arena_->more_entries()),
          options.detector) {
  sites_.emplace_back();  // number 0: no site
  for (std::uint64_t i = Arena::kWindows; i-- > 1;) free_windows_.push_back(i);
  machine = this;
}

Machine::~Machine() {
  if (!is_worker()) machine = nullptr;
}

void Machine::doubt(race::Effect effect, race::SiteId site) {
  // Later blocks are to have the doubt as well.
  if (is_worker() && (race::casts_doubt(effect) || effect == race::Effect::grids)) give_up();
  race::Doubt doubt = detector_.doubt();
  if (race::casts_doubt(effect) && !doubt.threads) doubt.threads = site;
  if (effect == race::Effect::grids && !doubt.grids) doubt.grids = site;
  detector_.set_doubt(doubt);
}

void Machine::note(Incident incident) {
  incident.launch = launches_;
  if (incident.kind == Incident::Kind::not_modelled) {
    doubt(incident.effect, incident.site);
  } else {
    incident.doubt = detector_.doubt().threads;
  }
  add_incident(std::move(incident));
}

void Machine::add_incident(Incident incident) {
  auto [found, fresh] = incident_index_.try_emplace(key_of(incident), incidents_.size());
  if (fresh) {
    incidents_.push_back(std::move(incident));
  } else {
    incidents_[found->second].count += incident.count;
  }
}

std::vector<Incident> Machine::take_incidents() {
  incident_index_.clear();
  return std::exchange(incidents_, {});
}

void* Machine::scratch(std::uint64_t size) {
  if (scratch_.size() < size + 64) scratch_.resize(size + 64);
  void* start = scratch_.data();
  std::size_t room = scratch_.size();
  std::align(16, size, start, room);
  std::memset(start, 0, size);
  return start;
}

void Machine::remember_window(race::SiteId site, const Allocation& allocation, TouchBits touch) {
  // The last number stands for many sites.
  if (site == std::numeric_limits<race::SiteId>::max()) touch |= kTouchRead | kTouchWrite;
  const TouchBits fresh = touched_.add(allocation.begin, touch);
  if (is_worker() && (fresh & ~kTouchRead) != 0 && !member_of_->keep(allocation)) {
    give_up();
    return;
  }
  weakspot_current->windows[site] = {reinterpret_cast<std::uint64_t>(arena_->base()) + allocation.begin,
                                     allocation.size / 4, cells_ + allocation.begin / 4};
}

void Machine::forget_windows() { std::fill(windows_.begin(), windows_.end(), SiteWindow{}); }

// Whether a thread changed memory since the last call.
bool Machine::memory_changed() {
  bool changed = changes_ != 0;
  changes_ = 0;
  for (const auto& block : live_) {
    for (ThreadContext& thread : block->contexts) {
      changed = changed || thread.wrote;
      thread.wrote = false;
    }
  }
  return changed;
}

bool Machine::in_shared_bounds(const void* address, unsigned size) const {
  const char* window = weakspot_current->shared;
  const std::uint64_t bytes = weakspot_current->shared_bytes;
  const auto offset = static_cast<std::uint64_t>(static_cast<const char*>(address) - window);
  return offset < bytes ? size <= bytes - offset : in_cluster_bounds(address, size);
}

inline ThreadContext* Machine::next_ready() {
  BlockRun& block = *running_;
  if (block.next == block.ready.size()) return nullptr;
  return &block.contexts[block.ready[block.next++]];
}

// Gives a stack to a thread that has not started.
void* Machine::begin(ThreadContext& thread) {
  const InRuntime inside;
  thread.stack = stacks_.take();
  WEAKSPOT_CHECK(thread.stack != nullptr);
  return prepare_stack(thread.stack, &thread_main, &thread);
}

// The stack that the thread runs on, or the scheduler does.
inline StackBounds Machine::bounds_of(const ThreadContext* thread) const {
  if constexpr (!kAddressSanitizer) return {};
  return thread == nullptr ? scheduler_bounds_ : stacks_.bounds(thread->stack);
}

// Goes on with the next thread of the round, or ends the round. Returns when it is this one's turn again.
inline void Machine::pass_on(ThreadContext& thread, bool for_good) {
  BlockRun& block = *running_;
  ThreadContext* next = next_ready();
  void* to = scheduler_stack_;
  if (next != nullptr) {
    to = block.stack_pointers[next->number];
    if (to == nullptr) to = begin(*next);
    weakspot_current = next;
    // The stacks of a block do not fit into the first-level cache: that of the thread after next is fetched while the
    // next one runs.
    if (block.next < block.ready.size()) {
      const std::uint32_t later = block.ready[block.next];
      const char* stack = static_cast<const char*>(block.stack_pointers[later]);
      for (int line = 0; stack != nullptr && line < 256; line += 64) __builtin_prefetch(stack + line, 1);
      __builtin_prefetch(&block.contexts[later].wait, 1);
    }
  }
  switch_stack(&block.stack_pointers[thread.number], to, bounds_of(next), for_good);
}

// A thread that ends leaves its stack to the next one that starts, so that threads that never wait are just calls.
void Machine::thread_main(void* context) {
  auto* thread = static_cast<ThreadContext*>(context);
  enter_stack();
  Machine& device = *machine;
  BlockRun& block = *device.running_;
  for (;;) {
    call_kernel(*device.request_);
    thread->wait = Wait::finished;
    --block.running;
    block.progress = true;
    ThreadContext* next = device.next_ready();
    if (next != nullptr && block.stack_pointers[next->number] == nullptr) {
      next->stack = std::exchange(thread->stack, nullptr);
      weakspot_current = thread = next;
      continue;
    }
    {
      const InRuntime inside;
      device.stacks_.give_back(std::exchange(thread->stack, nullptr));
    }
    if (next != nullptr) weakspot_current = next;
    void* to = next != nullptr ? block.stack_pointers[next->number] : device.scheduler_stack_;
    switch_stack(&block.stack_pointers[thread->number], to, device.bounds_of(next), true);
    WEAKSPOT_CHECK(false);
  }
}

void Machine::wait(Wait what, race::SiteId site) {
  ThreadContext* thread = weakspot_current;
  thread->wait = what;
  thread->site = site;
  thread->strong_accesses = 0;
  running_->progress = true;
  if (what == Wait::warp_operation) ++running_->in_warp_operation;
  pass_on(*thread);
}

void Machine::wait_for_barrier(race::SiteId site, bool computes) {
  BlockRun& block = *running_;
  if (is_mutated(site, race::MutantKind::no_barrier)) return;
  if (block.at_barrier++ == 0) block.barrier_site = site;
  if (computes || block.barrier_site != site) block.mixed_barrier = true;
  ThreadContext* thread = weakspot_current;
  thread->wait = Wait::block_barrier;
  thread->site = site;
  thread->strong_accesses = 0;
  block.progress = true;
  pass_on(*thread);
  thread->wait = Wait::nothing;
}

void Machine::mutate(const std::vector<race::SiteId>& sites, race::MutantKind kind) {
  mutant_ = kind;
  skip_.assign(sites.empty() ? 0 : sites_.size(), 0);
  for (const race::SiteId site : sites) skip_[site] = 1;
}

std::uint32_t Machine::random_patience() { return 1 + static_cast<std::uint32_t>(running_->rng.below(8)); }

void Machine::give_way(const void* address) {
  ThreadContext* thread = weakspot_current;
  thread->strong_accesses = 0;
  thread->gave_way = true;
  ++thread->times_given_way;
  // Shared memory is changed by threads of the block.
  if (!arena_->contains(address) || !arena_->is_shared(address) || has_clusters()) given_way_ = true;
  pass_on(*thread);
  thread->gave_way = false;
}

void Machine::end_thread() {
  ThreadContext* thread = weakspot_current;
  thread->wait = Wait::finished;
  --running_->running;
  running_->progress = true;
  pass_on(*thread, true);
  WEAKSPOT_CHECK(false);
}

void Machine::abandon(Incident incident) {
  if (weakspot_current != nullptr) {
    incident.thread = {weakspot_current->state->block->index, weakspot_current->number};
  }
  note(std::move(incident));
  abandoned_ = true;
  // Not on the stack that is left: the sanitizer takes that away before the switch.
  static thread_local void* dropped = nullptr;
  switch_stack(&dropped, scheduler_stack_, scheduler_bounds_, true);
  WEAKSPOT_CHECK(false);
}

std::unique_ptr<BlockRun> Machine::start_block(std::uint64_t index) {
  const LaunchRequest& request = *request_;
  std::unique_ptr<BlockRun> run;
  if (idle_.empty()) {
    run = std::make_unique<BlockRun>();
  } else {
    run = std::move(idle_.back());
    idle_.pop_back();
  }
  const auto count = static_cast<unsigned>(request.block.count());
  run->window = free_windows_.back();
  free_windows_.pop_back();
  run->contexts.assign(count, {});
  run->stack_pointers.assign(count, nullptr);
  run->same_again = run->progress = run->mixed_barrier = false;
  run->at_barrier = run->in_warp_operation = 0;
  run->rng = base::Rng(request.seed + (index + 1) * 0x9e3779b97f4a7c15u);
  detector_.start_block(run->state, static_cast<std::uint32_t>(request.first_block + index), count);
  // What another block left there would depend on which one it was.
  std::memset(arena_->window(run->window), 0, request.shared_bytes());
  gates_.clear(arena_->window(run->window), Arena::kWindow);
  const std::array<std::uint32_t, 3> position = request.grid.coordinates(index);
  for (unsigned i = 0; i < count; ++i) {
    ThreadContext& thread = run->contexts[i];
    thread.state = &run->state.threads[i];
    thread.bounds = &run->state.bounds;
    thread.shared = arena_->window(run->window);
    thread.shared_bytes = request.shared_bytes();
    // Memory that other blocks may access is not judged by the bounds of one block.
    thread.shared_words = request.cluster.count() > 1 ? 0 : request.shared_bytes() / 4;
    thread.shared_cells = cells_ + run->window * (Arena::kWindow / 4);
    thread.windows = windows_.data();
    thread.marks = marks_.data();
    thread.number = i;
    thread.thread = request.block.coordinates(i);
    thread.block = position;
    thread.block_size = request.block;
    thread.grid_size = request.grid;
  }
  run->running = count;
  return run;
}

// The blocks of a cluster run together from their start.
void Machine::start_cluster(std::uint64_t number) {
  const Extent& c = request_->cluster;
  const Extent& g = request_->grid;
  if (c.count() == 1) {
    live_.push_back(start_block(number));
    return;
  }
  const Extent clusters{g.x / c.x, g.y / c.y, g.z / c.z};
  const std::array<std::uint32_t, 3> first = clusters.coordinates(number);
  auto cluster = std::make_shared<Meeting>();
  std::vector<race::BlockState*> states;
  const auto count = static_cast<std::uint32_t>(c.count());
  cluster->blocks.resize(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t rank = schedule_ == Schedule::reversed ? count - 1 - i : i;
    const std::array<std::uint32_t, 3> inside = c.coordinates(rank);
    const std::uint64_t x = first[0] * c.x + inside[0], y = first[1] * c.y + inside[1], z = first[2] * c.z + inside[2];
    live_.push_back(start_block((z * g.y + y) * g.x + x));
    live_.back()->cluster = cluster;
    live_.back()->rank = rank;
    cluster->blocks[rank] = live_.back().get();
    states.push_back(&live_.back()->state);
  }
  detector_.join_blocks(states);
}

void Machine::order(BlockRun& block) {
  if (schedule_ == Schedule::reversed) std::reverse(block.ready.begin(), block.ready.end());
  if (schedule_ == Schedule::random) block.rng.shuffle(block.ready);
}

// All threads of the block in a random order that costs less than a shuffle: every n-th, where n is more than a warp.
// So neighbours are of different warps; in the other schedules they are of the same.
void Machine::mix(BlockRun& block) {
  base::Rng& rng = block.rng;
  const std::size_t count = block.ready.size();
  std::size_t stride = count > 2 * race::kWarp ? race::kWarp + rng.below(count - 2 * race::kWarp) : count / 2 + 1;
  while (std::gcd(stride, count) != 1) ++stride;
  std::size_t at = rng.below(count);
  for (std::uint32_t& thread : block.ready) {
    thread = static_cast<std::uint32_t>(at);
    at = (at + stride) % count;
  }
}

// Runs every thread that is ready until it waits; true if any made progress.
bool Machine::step(BlockRun& block) {
  std::vector<std::uint32_t>& ready = block.ready;
  if (!block.same_again) {
    ready.clear();
    for (const ThreadContext& thread : block.contexts) {
      if (thread.wait == Wait::nothing) ready.push_back(thread.number);
    }
    order(block);
  } else if (schedule_ == Schedule::random) {
    mix(block);
  }
  block.same_again = false;
  block.progress = false;
  block.next = 0;
  running_ = &block;
  if (ThreadContext* first = next_ready()) {
    void* to = block.stack_pointers[first->number];
    if (to == nullptr) to = begin(*first);
    weakspot_current = first;
    switch_stack(&scheduler_stack_, to, bounds_of(first));
    weakspot_current = nullptr;
    if (abandoned_) return false;
  }
  if (block.running == 0) end_block(block);
  const bool settled = settle_warps(block);
  return settle_barrier(block) || settled || block.progress;
}

void Machine::report_stuck() {
  for (const auto& block : live_) {
    const ThreadContext* first = nullptr;
    for (const ThreadContext& thread : block->contexts) {
      if (thread.wait == Wait::finished) continue;
      if (first == nullptr || (thread.site != first->site && first->site != 0)) {
        const bool in_vain = thread.wait == Wait::grid_barrier && first == nullptr && some_ended_;
        Incident incident{.kind = in_vain ? Incident::Kind::absent_block : Incident::Kind::stuck, .site = thread.site};
        incident.thread = {block->state.index, thread.number};
        if (in_vain) {
          incident.other_site = ended_at_;
          incident.other_thread = ended_;
        }
        if (first != nullptr) {
          incident.other_site = first->site;
          incident.other_thread = {block->state.index, first->number};
        }
        incident.text = thread.wait == Wait::block_barrier || thread.wait == Wait::gate ? "waits at a barrier"
                        : thread.wait == Wait::warp_operation  ? "waits for other lanes of its warp"
                        : thread.wait == Wait::grid_barrier    ? "waits for the whole grid"
                        : thread.wait == Wait::cluster_barrier ? "waits for its cluster"
                                                               : "waits for memory to change";
        if (thread.wait == Wait::nothing) incident.address = thread.operation.value;
        note(std::move(incident));
        if (first != nullptr) break;
        first = &thread;
      }
    }
  }
}

// A run that has met too many barriers is given up. What was found until then stands.
bool Machine::stop_if_spent() {
  if (!detector_.is_spent()) return false;
  Incident incident{.kind = Incident::Kind::deadline};
  incident.text = fmt::format("the runs have met more barriers and fences than can be told apart: {} intervals",
                              detector_.last_interval());
  if (!live_.empty()) {
    incident.site = live_.front()->contexts.front().site;
    incident.thread = {live_.front()->state.index, 0};
  }
  note(std::move(incident));
  return abandoned_ = true;
}

// The alarm may always find the scheduler and never compiled code, where waiting threads are settled for most of the
// time.
bool Machine::stop_if_late() {
  if (time_left() || live_.empty()) return false;
  Incident incident{.kind = Incident::Kind::deadline};
  incident.text = kTimeIsOver;
  incident.site = live_.front()->contexts.front().site;
  incident.thread = {live_.front()->state.index, 0};
  note(std::move(incident));
  return abandoned_ = true;
}

// Where there are several clusters. Blocks of other launches are in none of them.
void Machine::tell_clusters() {
  if (!has_clusters() || !has_other_clusters()) {
    detector_.set_clusters(nullptr);
    return;
  }
  detector_.set_clusters([this](std::uint32_t block) -> std::uint32_t {
    const std::uint64_t index = block - request_->first_block;
    if (index >= request_->grid.count()) return block | race::kAgentBlock;
    const std::array<std::uint32_t, 3> at = request_->grid.coordinates(index);
    const Extent& c = request_->cluster;
    const Extent clusters{request_->grid.x / c.x, request_->grid.y / c.y, request_->grid.z / c.z};
    return (at[2] / c.z * clusters.y + at[1] / c.y) * clusters.x + at[0] / c.x;
  });
}

void Machine::begin_launch(const LaunchRequest& request, Schedule schedule) {
  request_ = &request;
  schedule_ = schedule;
  scheduler_bounds_ = own_stack();
  abandoned_ = false;
  given_way_ = false;
  skipped_ = 0;
  some_ended_ = false;
  ticks_ = 0;
  checked_before_ = checked_;
  gates_.clear();
  copies_.clear();
  bulk_.clear();
  matrices_.clear();
  uses_.clear();
  touched_.clear();
  children_.clear();
  windows_.assign(sites().size(), {});
  grid_ = {};
  grid_.kind = Wait::grid_barrier;
  tell_clusters();
}

void Machine::end_launch() {
  for (auto& block : live_) release(std::move(block));
  live_.clear();
  weakspot_current = nullptr;
  running_ = nullptr;
}

bool Machine::launch(const LaunchRequest& request, Schedule schedule) {
  begin_launch(request, schedule);
  ++launches_;
  first_interval_ = detector_.start_launch(request.concurrent, request.keep_history, request.prerequisite);
  // Counted in clusters, which mostly are single blocks.
  const std::uint64_t together = request.cluster.count();
  const std::uint64_t total = request.grid.count() / together;
  std::uint64_t next = 0;
  int idle = 0, busy = 0;
  auto start_next = [&] {
    // The reversed schedule takes the blocks from the end as well.
    const std::uint64_t index = schedule == Schedule::reversed ? total - 1 - next : next;
    start_cluster(index);
    ++next;
  };
  auto can_start = [&] { return next < total && free_windows_.size() >= together; };
  while ((!live_.empty() || next < total) && !stop_if_spent() && !stop_if_late()) {
    if (live_.empty() && is_worth_a_crew(total - next)) {
      const Crew::End end = crew(request.cores).run(request, schedule, next, total);
      abandoned_ = end == Crew::End::late;
      if (end != Crew::End::dependent) break;
      dependent_.insert(request.entry);
    }
    if (live_.empty()) start_next();
    // Where threads wait for each other through memory, some blocks run side by side.
    // Those that start catch up before the others go on.
    std::size_t first = 0;
    if (given_way_ && schedule != Schedule::forward && live_.size() < kSideBySide && can_start()) {
      first = live_.size();
      while (live_.size() < kSideBySide && can_start()) start_next();
    }
    given_way_ = false;
    bool progress = false;
    for (std::size_t i = first; i < live_.size() && !abandoned_; ++i) progress = step(*live_[i]) || progress;
    if (abandoned_) break;
    std::erase_if(live_, [&](std::unique_ptr<BlockRun>& block) {
      if (!has_left(*block)) return false;
      if (!std::exchange(some_ended_, true)) {
        ended_ = {block->state.index, 0};
        ended_at_ = block->contexts.front().site;
      }
      release(std::move(block));
      progress = true;
      return true;
    });
    if (progress) {
      idle = busy = 0;
      continue;
    }
    if (settle_clusters()) {
      idle = 0;
    } else if (live_.size() == 1 && busy < kBusyRounds && memory_changed()) {
      ++busy;
    } else if (can_start()) {
      start_next();
    } else if ((next == total && settle_grid()) || memory_changed()) {
      idle = 0;
    } else if (++idle > kIdleRounds || !any_ready()) {
      report_stuck();
      abandoned_ = true;
      break;
    }
  }
  end_launch();
  request_ = nullptr;
  return !abandoned_;
}

}  // namespace weakspot::race_jit
