// SPDX-License-Identifier: MIT
// A thread's knowledge of other threads beyond barriers, because it acquired what they released.
//
// A clock maps threads, warps and blocks to intervals. It knows everything that a thread did up to and including its
// interval, and everything that a warp or block did before its interval. Most kernels never release anything, and then
// no clock exists at all.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "race/entry.h"

namespace weakspot::race {

// Marks in the number of a block. Its threads are agents: they perform what threads of the block without the marks have
// started. Those with the second mark do so through the async proxy.
inline constexpr std::uint32_t kAgentBlock = 0x80000000u, kAsyncProxy = 0x40000000u;
inline constexpr std::uint32_t kAgentMarks = kAgentBlock | kAsyncProxy;

// A thread of a launch, by block and thread number.
struct ThreadName {
  std::uint32_t block = 0;
  std::uint32_t thread = 0;

  auto operator<=>(const ThreadName&) const = default;
  std::uint32_t warp() const { return thread / kWarp; }
  bool uses_async_proxy() const { return (block & kAsyncProxy) != 0; }
  // Performs a cp.async, which goes through the generic proxy.
  bool copies_by_lane() const { return (block & kAgentMarks) == kAgentBlock; }
  // The block that it is, or works for.
  std::uint32_t home() const { return block & ~kAgentMarks; }
};

class Clock {
 public:
  void know_thread(ThreadName thread, Interval up_to);
  // The same, and everything that its warp and its block did before these intervals.
  void know_thread(ThreadName thread, Interval up_to, Interval warp_before, Interval block_before);
  void know_block(std::uint32_t block, Interval before);
  // The grid of the launch that begins there has waited for those that it depends on.
  void know_grids(Interval launch);
  void join(const Clock& other);
  // Seals the clock: it holds everything that the thread knew when its interval ended. Clocks are complete: one that
  // knows of the end of an interval knows all that its thread knew then. So whoever knows of that end knows all of a
  // sealed clock.
  void seal(ThreadName thread, Interval ended) {
    maker_ = thread;
    ended_ = ended;
  }
  void unseal() { ended_ = 0; }

  bool knows(ThreadName thread, Interval interval) const;
  // Anything that a thread of the block did.
  bool knows_of(std::uint32_t block) const { return find(block) != nullptr; }
  bool knows_grids(Interval launch) const { return grids_ == launch; }

 private:
  // Knowledge of one warp. Blocks share these: between two clocks most warps have not changed.
  struct Warp {
    mutable std::uint32_t owners = 0;
    Interval before = 0;  // the whole warp
    std::array<Interval, kWarp> threads{};
  };
  // A clock and all that shares its parts belong to one thread of the process, so owners are counted plainly.
  class WarpRef {
   public:
    WarpRef() = default;
    explicit WarpRef(Warp* warp) : warp_(warp) { ++warp_->owners; }
    WarpRef(const WarpRef& other) : warp_(other.warp_) {
      if (warp_ != nullptr) ++warp_->owners;
    }
    WarpRef(WarpRef&& other) noexcept : warp_(std::exchange(other.warp_, nullptr)) {}
    WarpRef& operator=(WarpRef other) noexcept {
      std::swap(warp_, other.warp_);
      return *this;
    }
    ~WarpRef() {
      if (warp_ != nullptr && --warp_->owners == 0) delete warp_;
    }
    const Warp* get() const { return warp_; }
    // Copied first if others share it.
    Warp& changeable();

   private:
    Warp* warp_ = nullptr;
  };
  // Knowledge of one block. Clocks share these: most differ in the block of one thread only.
  struct Part {
    Interval before = 0;         // the whole block
    std::vector<WarpRef> warps;  // by number, as far as any is known; null: nothing

    Warp& warp(std::uint32_t number);
  };
  using PartRef = std::shared_ptr<Part>;  // changed only by its single owner

  static unsigned compare(const Warp* a, const Warp* b);
  static PartRef together(const PartRef& a, const PartRef& b);
  Part& changeable(std::uint32_t block);
  const Part* find(std::uint32_t block) const;

  std::vector<std::pair<std::uint32_t, PartRef>> parts_;  // by block, ascending
  Interval grids_ = 0;
  ThreadName maker_;
  Interval ended_ = 0;  // 0: not sealed

  friend std::shared_ptr<const Clock> joined(const std::shared_ptr<const Clock>& a,
                                             const std::shared_ptr<const Clock>& b);
};

// Shared and never changed once shared; null knows nothing.
using ClockRef = std::shared_ptr<const Clock>;
// The joint knowledge of two clocks: one of them, if it knows all that the other does. Both must be complete; what
// makes a clock so is added by join().
ClockRef joined(const ClockRef& a, const ClockRef& b);

// The joint knowledge of all threads that arrive at one place. Each clock is joined once: most threads share theirs.
struct Gathering {
  std::shared_ptr<Clock> clock;
  std::set<ClockRef> taken;  // parts of `clock`
};

}  // namespace weakspot::race
