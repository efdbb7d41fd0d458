// SPDX-License-Identifier: MIT
// The last events of the threads of a launch, kept on demand, so that a race can be told as a story of a few threads.
//
// Two accesses that race are often almost ordered: the first thread wrote a flag after its access, and the second saw
// the flag before its own, but a fence is missing or a scope is too narrow. The trace finds the shortest such chain,
// which goes along program order, from a write to the read that saw it, and through barriers, whatever their orders
// and scopes are.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "race/access.h"
#include "race/clock.h"
#include "race/facts.h"

namespace weakspot::race {

struct TraceEvent {
  using Kind = StepKind;

  ThreadName thread;  // of a barrier: any thread of the block; of a warp barrier: the first of the warp
  Kind kind = Kind::read;
  SiteId site = 0;
  bool strong = false, acquire = false, release = false;
  bool polls = false;           // a read whose value only decides branches
  Scope scope = Scope::device;  // for a fence or a strong access
  Space space = Space::global;
  bool of_space = false;  // the fence orders accesses to `space` alone
  unsigned size = 0;
  std::uint64_t address = 0;  // for a warp barrier: the lanes that met, as a mask

  bool is_access() const { return kind <= Kind::update; }
  bool is_barrier() const { return kind >= Kind::barrier; }
  bool writes() const { return kind == Kind::write || kind == Kind::update; }
  bool reads() const { return kind == Kind::read || kind == Kind::update; }
};

// The chain of a race, from the thread of the first access to that of the second.
struct TracedChain {
  struct Step {
    TraceEvent event;
    std::uint64_t number = 0;  // in the order of the run; equal for the threads that meet at a barrier
  };
  struct Part {
    ThreadName thread;
    std::vector<Step> steps;  // in program order
  };
  // From a part to the next: the numbers of a write and of the read that saw it, or both of a barrier.
  struct Link {
    std::uint64_t from = 0, to = 0;
  };
  // The first step of the first part and the last step of the last part are the race. The other steps are the ends of
  // links, fences between them, and barriers of links. Without a chain, there are two parts with the race alone, or
  // none if the first access was forgotten.
  std::vector<Part> parts;
  std::vector<Link> links;
  bool on_signal = false;  // threads signal with what is raced for: some access to it was strong, or a poll
};

class Trace {
 public:
  // A launch begins, which is ordered after everything before.
  void clear();
  void access(ThreadName thread, const Access& access);
  void fence(ThreadName thread, Scope scope, SiteId site, std::optional<Space> space = std::nullopt);
  void barrier(std::uint32_t block, SiteId site);
  // All threads are of one warp.
  void warp_barrier(std::uint32_t block, const std::vector<unsigned>& threads);

  // The chain to the last access, which races with an earlier one of another thread at that site. A chain of more
  // threads than kMostThreads counts as none.
  TracedChain chain_to_last(ThreadName first, SiteId site, bool writes) const;

  // Keeps that chain and gives its number; 0 if there are too many, or the first access was forgotten.
  std::uint32_t keep_chain(ThreadName first, SiteId site, bool writes);
  const TracedChain& kept(std::uint32_t number) const { return chains_[number - 1]; }

  static constexpr std::size_t kMostChains = 10'000;
  static constexpr std::size_t kMostThreads = 4;
  static constexpr std::size_t kMostEvents = std::size_t{1} << 19;

 private:
  void add(const TraceEvent& event);

  std::deque<TraceEvent> events_;
  std::vector<TracedChain> chains_;
};

}  // namespace weakspot::race
