// SPDX-License-Identifier: MIT
#include "race/agents.h"

namespace weakspot::race {
namespace {

constexpr std::size_t kMostIssuers = std::size_t{1} << 20;  // further agents are said to work for the first thread

}  // namespace

void Agents::start(ThreadName agent, std::uint32_t issuer, Engine engine) {
  if (issuers_.size() < kMostIssuers || issuers_.contains(agent)) issuers_[agent] = {issuer, engine};
}

Party Agents::party(ThreadName thread, SiteId site, bool write, bool strong, Scope scope) const {
  Party made{thread, site, write, strong, scope};
  if (!thread.uses_async_proxy()) return made;
  auto found = issuers_.find(thread);
  const Issuer issuer = found == issuers_.end() ? Issuer{} : found->second;
  made.thread = {thread.home() | kAgentBlock, issuer.thread};
  made.engine = issuer.engine;
  return made;
}

ClockRef steps_of(const ThreadState& agent) {
  auto clock = std::make_shared<Clock>();
  clock->know_thread({agent.block->index, agent.thread}, agent.interval());
  return clock;
}

}  // namespace weakspot::race
