// SPDX-License-Identifier: MIT
// Agents: threads of their own that asynchronous operations are carried out by. They work for the threads that issued
// the operations, and what they see of other proxies needs a fence.
#pragma once

#include <cstdint>
#include <map>

#include "race/access.h"
#include "race/found_races.h"
#include "race/thread_state.h"

namespace weakspot::race {

class Agents {
 public:
  void clear() { issuers_.clear(); }
  void start(ThreadName agent, std::uint32_t issuer, Engine engine);

  // An access, for a report: an agent is named as the thread that it works for, in the block of agents.
  Party party(ThreadName thread, SiteId site, bool write, bool strong, Scope scope) const;

 private:
  struct Issuer {
    std::uint32_t thread = 0;
    Engine engine = Engine::copies;
  };
  std::map<ThreadName, Issuer> issuers_;
};

// The agent's own steps, for those that learn of its end, without its knowledge of others.
ClockRef steps_of(const ThreadState& agent);

// Whether a write that is ordered before the other thread's access does not reach the proxy of that access.
inline bool lacks_proxy_fence(ThreadName writer, Interval interval, ThreadName other, const Access& access) {
  if (!access.asynchronous) return false;
  // One proxy of one block needs no fence.
  if (writer.uses_async_proxy() && writer.home() == other.home() && !access.of_map) return false;
  // Kernels in use have none between cp.async and a product; see docs/decisions/0017.
  if (writer.copies_by_lane() && access.of_product) return false;
  return access.fenced == nullptr || !access.fenced->knows(writer, interval);
}

}  // namespace weakspot::race
