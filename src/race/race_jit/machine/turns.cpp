// SPDX-License-Identifier: MIT
#include "race_jit/machine/turns.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/check.h"
#include "race_jit/machine/core.h"
#include "race_jit/machine/signals.h"

namespace weakspot::race_jit {

extern "C" {
constinit thread_local ThreadContext* weakspot_current = nullptr;
}

namespace {

// Compiled kernels have no signature in front of them, which clang's sanitizer would read.
#if defined(__clang__)
__attribute__((no_sanitize("function")))
#endif
void call_kernel(const LaunchRequest& request) {
  request.entry(request.arguments);
}

}  // namespace

void Turns::begin_launch(const LaunchRequest& request, Schedule schedule) {
  request_ = &request;
  schedule_ = schedule;
  abandoned_ = false;
  has_polled_ = false;
  begin_here();
}

void Turns::end_launch() {
  weakspot_current = nullptr;
  running_ = nullptr;
}

inline ThreadContext* Turns::next_ready() {
  BlockRun& block = *running_;
  if (block.next == block.ready.size()) return nullptr;
  return &block.contexts[block.ready[block.next++]];
}

// Gives a stack to a thread that has not started.
void* Turns::begin(ThreadContext& thread) {
  const InRuntime inside;
  thread.stack = stacks_.take();
  WEAKSPOT_CHECK(thread.stack != nullptr);
  return prepare_stack(thread.stack, &thread_main, &thread);
}

// The stack that the thread runs on, or the scheduler does.
inline StackBounds Turns::bounds_of(const ThreadContext* thread) const {
  if constexpr (!kAddressSanitizer) return {};
  return thread == nullptr ? scheduler_bounds_ : stacks_.bounds(thread->stack);
}

// Goes on with the next thread of the round, or ends the round. Returns when it is this one's turn again.
inline void Turns::pass_on(ThreadContext& thread, bool for_good) {
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
void Turns::thread_main(void* context) {
  auto* thread = static_cast<ThreadContext*>(context);
  enter_stack();
  Turns& turns = core->turns();
  BlockRun& block = *turns.running_;
  for (;;) {
    call_kernel(*turns.request_);
    thread->wait = Wait::finished;
    --block.running;
    block.progress = true;
    ThreadContext* next = turns.next_ready();
    if (next != nullptr && block.stack_pointers[next->number] == nullptr) {
      next->stack = std::exchange(thread->stack, nullptr);
      weakspot_current = thread = next;
      continue;
    }
    {
      const InRuntime inside;
      turns.stacks_.give_back(std::exchange(thread->stack, nullptr));
    }
    if (next != nullptr) weakspot_current = next;
    void* to = next != nullptr ? block.stack_pointers[next->number] : turns.scheduler_stack_;
    switch_stack(&block.stack_pointers[thread->number], to, turns.bounds_of(next), true);
    WEAKSPOT_CHECK(false);
  }
}

void Turns::wait(Wait what, race::SiteId site) {
  ThreadContext* thread = weakspot_current;
  thread->wait = what;
  thread->site = site;
  thread->strong_accesses = 0;
  running_->progress = true;
  if (what == Wait::warp_operation) ++running_->in_warp_operation;
  pass_on(*thread);
}

void Turns::wait_at_barrier(race::SiteId site, bool computes) {
  BlockRun& block = *running_;
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

void Turns::wait_at_bare_barrier(race::SiteId site) {
  ++running_->at_bare_barrier;
  wait_at_barrier(site, true);
}

std::uint32_t Turns::random_patience() { return 1 + static_cast<std::uint32_t>(running_->rng.below(8)); }

void Turns::give_way(bool polls_for_others) {
  ThreadContext* thread = weakspot_current;
  thread->strong_accesses = 0;
  thread->gave_way = true;
  ++thread->times_given_way;
  if (polls_for_others) has_polled_ = true;
  pass_on(*thread);
  thread->gave_way = false;
}

void Turns::end_thread() {
  ThreadContext* thread = weakspot_current;
  thread->wait = Wait::finished;
  --running_->running;
  running_->progress = true;
  pass_on(*thread, true);
  WEAKSPOT_CHECK(false);
}

void Turns::drop() {
  abandoned_ = true;
  // Not on the stack that is left: the sanitizer takes that away before the switch.
  static thread_local void* dropped = nullptr;
  switch_stack(&dropped, scheduler_stack_, scheduler_bounds_, true);
  WEAKSPOT_CHECK(false);
}

// All threads of the block in a random order that costs less than a shuffle: every n-th, where n is more than a warp.
// So neighbours are of different warps; in the other schedules they are of the same.
void Turns::mix(BlockRun& block) {
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

// The threads of the next round, in its order.
void Turns::choose(BlockRun& block) const {
  if (block.same_again) {
    if (schedule_ == Schedule::random) mix(block);
    return;
  }
  block.ready.clear();
  for (const ThreadContext& thread : block.contexts) {
    if (thread.wait == Wait::nothing) block.ready.push_back(thread.number);
  }
  if (schedule_ == Schedule::reversed) std::reverse(block.ready.begin(), block.ready.end());
  if (schedule_ == Schedule::random) block.rng.shuffle(block.ready);
}

void Turns::run_round(BlockRun& block) {
  choose(block);
  block.same_again = false;
  block.progress = false;
  block.next = 0;
  running_ = &block;
  ThreadContext* first = next_ready();
  if (first == nullptr) return;
  void* to = block.stack_pointers[first->number];
  if (to == nullptr) to = begin(*first);
  weakspot_current = first;
  switch_stack(&scheduler_stack_, to, bounds_of(first));
  weakspot_current = nullptr;
}

}  // namespace weakspot::race_jit
