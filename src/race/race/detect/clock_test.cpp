// SPDX-License-Identifier: MIT
#include "race/clock.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <vector>

#include "base/rng.h"

namespace weakspot::race {
namespace {

ClockRef clock_of(ThreadName thread, Interval up_to) {
  auto clock = std::make_shared<Clock>();
  clock->know_thread(thread, up_to);
  return clock;
}

TEST(Clock, KnowsThreadsWarpsAndBlocks) {
  Clock clock;
  clock.know_thread({1, 40}, 9, 7, 5);
  EXPECT_TRUE(clock.knows({1, 40}, 9));
  EXPECT_FALSE(clock.knows({1, 40}, 10));
  EXPECT_TRUE(clock.knows({1, 41}, 6)) << "of its warp";
  EXPECT_FALSE(clock.knows({1, 41}, 7));
  EXPECT_TRUE(clock.knows({1, 0}, 4)) << "of its block";
  EXPECT_FALSE(clock.knows({1, 0}, 5));
  EXPECT_FALSE(clock.knows({0, 40}, 1)) << "of another block";
}

TEST(Clock, JoinedKnowsWhatBothKnow) {
  const ClockRef a = clock_of({0, 3}, 5), b = clock_of({0, 900}, 6), c = clock_of({7, 3}, 7);
  const ClockRef all = joined(joined(a, b), c);
  EXPECT_TRUE(all->knows({0, 3}, 5));
  EXPECT_TRUE(all->knows({0, 900}, 6));
  EXPECT_TRUE(all->knows({7, 3}, 7));
  EXPECT_FALSE(all->knows({0, 3}, 6));
  EXPECT_FALSE(a->knows({0, 900}, 1)) << "a clock that is shared does not change";
}

TEST(Clock, JoinedIsOneOfThemIfItKnowsAll) {
  const ClockRef less = clock_of({2, 3}, 5), more = clock_of({2, 3}, 8);
  EXPECT_EQ(joined(less, more), more);
  EXPECT_EQ(joined(more, less), more);
  EXPECT_EQ(joined(nullptr, less), less);
  EXPECT_EQ(joined(less, nullptr), less);
}

TEST(Clock, SealedOneIsKnownWithTheEndOfItsInterval) {
  Clock sealed = *clock_of({2, 3}, 5);
  sealed.know_thread({9, 1}, 4);
  sealed.seal({2, 3}, 5);
  const ClockRef whole = std::make_shared<Clock>(sealed);
  // Knowing the thread's interval means knowing the rest as well, which is not looked at.
  const ClockRef later = clock_of({2, 3}, 6), earlier = clock_of({2, 3}, 4);
  EXPECT_EQ(joined(later, whole), later);
  EXPECT_EQ(joined(whole, later), later);
  const ClockRef both = joined(earlier, whole);
  EXPECT_TRUE(both->knows({9, 1}, 4));
  // A joined clock is not sealed any more: it knows more than the thread did.
  const ClockRef more = joined(whole, clock_of({7, 3}, 7));
  EXPECT_TRUE(joined(clock_of({2, 3}, 5), more)->knows({7, 3}, 7));
}

// Threads that release, acquire and meet, each with a clock and, to compare with, a plain map.
class Exchange {
 public:
  explicit Exchange(std::uint64_t seed) : rng_(seed) {
    for (std::uint32_t i = 0; i < 8; ++i) threads_.push_back({{i % 2, i * 10}, 1, {}});
  }

  void step() {
    Thread& thread = threads_[rng_.below(threads_.size())];
    Known& slot = slots_[rng_.below(4)];
    const std::uint64_t which = rng_.below(10);
    if (which < 4) {
      slot = thread.known;
      end_interval(thread, slot);
      slot.sealed(thread.name, thread.interval - 1);
    } else if (which < 9) {
      thread.known.learn(slot);
    } else {
      meet(thread, threads_[rng_.below(threads_.size())]);
    }
  }

  void compare() const {
    for (const Thread& thread : threads_) {
      if (!thread.known.clock) continue;
      for (const Thread& other : threads_) {
        const auto found = thread.known.plain.find(other.name);
        const Interval last = found == thread.known.plain.end() ? 0 : found->second;
        ASSERT_FALSE(thread.known.clock->knows(other.name, last + 1));
        if (last > 0) {
          ASSERT_TRUE(thread.known.clock->knows(other.name, last));
        }
      }
    }
  }

 private:
  struct Known {
    ClockRef clock;
    std::map<ThreadName, Interval> plain;

    void learn(const Known& other) {
      clock = joined(clock, other.clock);
      for (const auto& [name, last] : other.plain) plain[name] = std::max(plain[name], last);
    }
    void add(ThreadName name, Interval last) {
      auto more = clock ? std::make_shared<Clock>(*clock) : std::make_shared<Clock>();
      more->know_thread(name, last);
      more->unseal();
      clock = more;
      plain[name] = std::max(plain[name], last);
    }
    void sealed(ThreadName name, Interval ended) {
      auto seal = std::make_shared<Clock>(*clock);
      seal->seal(name, ended);
      clock = seal;
    }
  };
  struct Thread {
    ThreadName name;
    Interval interval = 1;
    Known known;
  };

  static void end_interval(Thread& thread, Known& told) { told.add(thread.name, thread.interval++); }

  static void meet(Thread& a, Thread& b) {
    if (&a == &b) return;
    Known both = a.known;
    both.learn(b.known);
    end_interval(a, both);
    end_interval(b, both);
    a.known = b.known = both;
  }

  base::Rng rng_;
  std::vector<Thread> threads_;
  std::array<Known, 4> slots_;
};

TEST(Clock, AgreesWithPlainMaps) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    Exchange exchange(seed);
    for (int i = 0; i < 200; ++i) {
      exchange.step();
      exchange.compare();
      if (HasFatalFailure()) return;
    }
  }
}

}  // namespace
}  // namespace weakspot::race
