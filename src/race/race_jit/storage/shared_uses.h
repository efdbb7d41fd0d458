// SPDX-License-Identifier: MIT
// Accesses to shared memory that may come after the end of its block: those of other blocks of the cluster, and those
// of asynchronous operations. The memory is the block's until its last thread ends, so each must be ordered before the
// end of one of its threads. Which of them ends first in the run does not matter.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <vector>

#include "race/clock.h"

namespace weakspot::race_jit {

struct SharedUse {
  race::ThreadName user;    // to the detector
  race::ThreadName issuer;  // the thread that executed it
  race::Interval at = 0;
  race::SiteId site = 0;
  std::uint64_t address = 0, size = 0;
  bool write = false;
  const char* end = nullptr;  // for an asynchronous operation: what waits for it
  bool arrives = false;       // at the mbarrier
  // An mbarrier of the same block, in whose phase it counts; 0: none. Who sees the phase end has seen it, whatever else
  // that orders.
  std::uint64_t gate = 0, phase = 0;
};

class SharedUses {
 public:
  void clear() { of_.clear(); }
  void add(std::uint32_t owner, const SharedUse& use);
  // What `user` has used so far, but for what is over already, counts at the mbarrier as well.
  void count(std::uint32_t owner, const race::ThreadName& user, std::uint64_t gate, std::uint64_t phase,
             const std::function<bool(const SharedUse&)>& is_over);
  // The mbarrier is made again: what counted there before is over, or races with that.
  void forget_counted(std::uint32_t owner, std::uint64_t gate);
  // Returns them and forgets them.
  std::vector<SharedUse> take(std::uint32_t owner);

 private:
  // A thread that is known to have come to its last use has come to those before. Each line is kept by itself.
  struct Key {
    race::ThreadName user;
    race::SiteId site = 0;
    bool arrives = false, write = false;
    auto operator<=>(const Key&) const = default;
  };
  std::map<std::uint32_t, std::map<Key, SharedUse>> of_;  // by the block that owns the memory
};

}  // namespace weakspot::race_jit
