// SPDX-License-Identifier: MIT
// Runs the blocks of a launch on several cores, with the findings that one core would give.
//
// Each worker is a thread with a core of its own: stacks, shared memory, detector and shadow memory. The memory of
// the device is the same for all. Blocks are handed out in the order of the schedule, and afterwards the shadows tell
// whether the blocks were independent: no word that one worker wrote was accessed by another, but for atomic updates
// that commute. Then every worker has seen what it would have seen if the blocks had run one after the other, and what
// the blocks showed is put together in their order. Otherwise the contents of memory are put back, and the blocks run
// one after the other. A block that may need others (it polls, waits for the grid, reads what an atomic returns) ends
// the attempt at once.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "race/request.h"
#include "race_jit/storage/arena.h"

namespace weakspot::race_jit {

class Machine;
struct LaunchRequest;

class Crew {
 public:
  // A crew of at most `workers`; fewer if their shadows do not fit in memory.
  Crew(Machine& main, unsigned workers);
  ~Crew();
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;

  std::size_t size() const { return workers_.size(); }

  enum class End {
    done,       // the device knows all that the blocks showed
    late,       // the same for some blocks; the time is over
    dependent,  // memory is as it was
  };
  // The blocks from the place `next` of the schedule to the last one.
  End run(const LaunchRequest& request, race::Schedule schedule, std::uint64_t next, std::uint64_t total);

  // For the workers. Keeps the contents of an allocation before its first write; false if there is no room.
  bool keep(const Allocation& allocation);
  // The attempt has failed.
  void give_up() {
    gave_up_ = true;
    stop_ = true;
  }
  bool is_over() const { return stop_.load(std::memory_order_relaxed); }

 private:
  struct Worker;
  struct Order;

  void in_threads(const std::function<void(Worker&)>& work);
  void work(Worker& worker);
  bool are_independent();
  void restore();
  void merge();
  void merge_barriers();

  Machine& main_;
  std::vector<std::unique_ptr<Worker>> workers_;
  race::Schedule schedule_ = race::Schedule::forward;
  std::atomic<std::uint64_t> next_ = 0;
  std::uint64_t total_ = 0;
  std::atomic<bool> stop_ = false, gave_up_ = false;
  std::mutex keeping_;
  std::map<std::uint64_t, std::vector<char>> kept_;  // by begin
  std::uint64_t kept_bytes_ = 0;
};

}  // namespace weakspot::race_jit
