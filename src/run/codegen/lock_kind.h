// SPDX-License-Identifier: MIT
// Locks and their fences by name, the size of a run of one, and its counts.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace weakspot::codegen {

enum class LockKind : std::uint8_t {
  none,               // no lock: the counter is incremented all the same
  test_and_set,       // fetch-or; unlocked by a store
  test_test_and_set,  // reads until the lock looks free, then fetch-or; unlocked by a store
  compare_and_swap,   // CUDA by Example: compare-and-swap; unlocked by an exchange
  exchange,           // Stuart and Owens: exchange; unlocked by an exchange
  ticket,             // fetch-add, waits for its number
  mcs,                // a queue of workgroups, each of which waits for the one before it
  prefix_sum,         // decoupled look-back: partitions publish sums behind flags
  deque,              // a ring of tasks, pushed by one workgroup and stolen by the others
};
inline constexpr LockKind kLockKinds[] = {LockKind::none,
                                          LockKind::test_and_set,
                                          LockKind::test_test_and_set,
                                          LockKind::compare_and_swap,
                                          LockKind::exchange,
                                          LockKind::ticket,
                                          LockKind::mcs,
                                          LockKind::prefix_sum,
                                          LockKind::deque};
std::string_view to_string(LockKind kind);  // no-lock tas ttas cas exchange ticket mcs prefix-sum deque
std::optional<LockKind> lock_kind_named(std::string_view name);

// Acquire fences stand behind the reads that let a thread in, release fences before the writes that let others in.
enum class LockFences : std::uint8_t { full, acquire, release, none };
inline constexpr LockFences kLockFences[] = {LockFences::full, LockFences::acquire, LockFences::release,
                                             LockFences::none};
std::string_view to_string(LockFences fences);  // full acquire release none

struct LockPlan {
  std::uint32_t contenders = 2;  // workgroups
  std::uint32_t sections = 1;    // entered by each; together: tasks of the deque, partitions of the sum
  std::uint32_t spin_bound = 1;  // polls, after which a workgroup gives up
  std::uint32_t rounds = 1;      // runs of one launch
  std::uint64_t all() const { return std::uint64_t{contenders} * sections; }
};

struct LockCounts {
  std::uint64_t runs = 0;          // finished ones
  std::uint64_t unfinished = 0;    // somebody gave up or was told to stop
  std::uint64_t failed_runs = 0;   // finished ones that lost something
  std::uint64_t lost_updates = 0;  // increments that were lost, or stale values that were used
  std::uint64_t sections = 0;
};

}  // namespace weakspot::codegen
