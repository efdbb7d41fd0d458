// SPDX-License-Identifier: MIT
// Asynchronous operations: each is a thread of its own, and what it sees of other proxies needs a fence.
#include <utility>

#include "race/detector.h"

namespace weakspot::race {
namespace {

constexpr std::size_t kMostIssuers = std::size_t{1} << 20;  // further agents are said to work for the first thread

}  // namespace

void Detector::start_agent(ThreadState& agent, std::uint32_t issuer, ClockRef knows, bool multiplies) {
  const ThreadName name{agent.block->index, agent.thread};
  agent.clock = std::move(knows);
  set_interval(agent, intervals_.next(name.block));
  if (issuers_.size() < kMostIssuers || issuers_.contains(name)) issuers_[name] = {issuer, multiplies};
}

ClockRef Detector::steps_of(const ThreadState& agent) {
  auto clock = std::make_shared<Clock>();
  clock->know_thread({agent.block->index, agent.thread}, agent.interval());
  return clock;
}

ClockRef Detector::known_to_any(const BlockState& block) {
  Gathering gathering;
  for (const ThreadState& thread : block.threads) {
    if (!thread.clock || !gathering.taken.insert(thread.clock).second) continue;
    if (!gathering.clock) gathering.clock = std::make_shared<Clock>();
    gathering.clock->join(*thread.clock);
  }
  return gathering.clock;
}

void Detector::learn_at_fence(ThreadState& thread, const ClockRef& near, const ClockRef& wide) {
  thread.pending_near = joined(thread.pending_near, near);
  thread.pending_cluster = joined(thread.pending_cluster, wide);
  thread.block->has_clocks = true;
}

void Detector::wait_for_grids(ThreadState& thread) {
  auto clock = std::make_shared<Clock>();
  clock->know_grids(launch_begin_);
  learn(thread, clock);
  // What grids before this one did may not be seen here: it may be what barriers behind the wait are needed for.
  keeps_barriers_ = keeps_barriers_ || prerequisite_.end == 0;
}

Party Detector::party(ThreadName thread, SiteId site, bool write, bool strong, Scope scope) const {
  Party made{thread, site, write, strong, scope};
  if (!thread.uses_async_proxy()) return made;
  auto found = issuers_.find(thread);
  const Issuer issuer = found == issuers_.end() ? Issuer{} : found->second;
  made.thread = {thread.home() | kAgentBlock, issuer.thread};
  made.multiplies = issuer.multiplies;
  return made;
}

bool Detector::lacks_proxy_fence(ThreadName writer, Interval interval, ThreadName other, const Access& access) {
  if (!access.asynchronous) return false;
  // One proxy of one block needs no fence.
  if (writer.uses_async_proxy() && writer.home() == other.home() && !access.of_map) return false;
  return access.fenced == nullptr || !access.fenced->knows(writer, interval);
}

}  // namespace weakspot::race
