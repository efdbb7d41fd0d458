// SPDX-License-Identifier: MIT
// Threads of a block run in turns on one core, each on a stack of its own until it waits. It then hands over to the
// next one of the round, and the last one to the scheduler, on whose stack the launch runs. A thread that polls memory
// gives way now and then, so that the others can change it.
#pragma once

#include <cstdint>
#include <utility>

#include "race/site.h"
#include "race_jit/hooks/context.h"
#include "race_jit/launch/launch_request.h"
#include "race_jit/machine/block_run.h"
#include "race_jit/machine/fibre.h"

namespace weakspot::race_jit {

// The thread that runs on this thread of the process.
extern "C" constinit thread_local ThreadContext* weakspot_current;

class Turns {
 public:
  void begin_launch(const LaunchRequest& request, Schedule schedule);
  void end_launch();
  Schedule schedule() const { return schedule_; }
  // On a thread of this process: its stack is the scheduler's.
  void begin_here() { scheduler_bounds_ = own_stack(); }

  // Runs every thread of the block that is ready until it waits.
  void run_round(BlockRun& block);
  BlockRun* running() const { return running_; }
  // The launch cannot go on.
  bool is_abandoned() const { return abandoned_; }
  void abandon() { abandoned_ = true; }
  // Whether a thread has polled memory that other blocks may change, since the last call of expect_polling().
  bool has_polled() const { return has_polled_; }
  void expect_polling() { has_polled_ = false; }
  bool is_local(const void* address) const { return stacks_.owns(address); }
  void give_back_stack(ThreadContext& thread) {
    if (thread.stack != nullptr) stacks_.give_back(std::exchange(thread.stack, nullptr));
  }

  // On the stack of the current thread.
  void wait(Wait what, race::SiteId site);
  void wait_at_barrier(race::SiteId site, bool computes);
  // The same at a barrier that orders no memory by itself.
  void wait_at_bare_barrier(race::SiteId site);
  // The thread polls memory that other blocks may change, or not.
  void give_way(bool polls_for_others);
  [[noreturn]] void end_thread();
  // Abandons the launch; the thread never runs again.
  [[noreturn]] void drop();
  // The number of strong accesses that a thread may make before it gives way. In the reversed schedule it gives way
  // before each of its first ones, so that everything that can happen between two of them does.
  std::uint32_t patience() {
    if (schedule_ == Schedule::random) return random_patience();
    return schedule_ == Schedule::reversed && weakspot_current->times_given_way < 16 ? 1 : 64;
  }

 private:
  std::uint32_t random_patience();
  ThreadContext* next_ready();
  void* begin(ThreadContext& thread);
  void pass_on(ThreadContext& thread, bool for_good = false);
  StackBounds bounds_of(const ThreadContext* thread) const;
  void choose(BlockRun& block) const;
  static void mix(BlockRun& block);
  static void thread_main(void* context);

  const LaunchRequest* request_ = nullptr;
  Schedule schedule_ = Schedule::forward;
  StackPool stacks_;
  BlockRun* running_ = nullptr;
  void* scheduler_stack_ = nullptr;
  StackBounds scheduler_bounds_;
  bool abandoned_ = false;
  bool has_polled_ = false;
};

}  // namespace weakspot::race_jit
