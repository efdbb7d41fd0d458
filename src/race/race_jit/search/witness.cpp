// SPDX-License-Identifier: MIT
// Tells the chain of a race in the words of the source.
#include <algorithm>

#include "race_jit/search/findings.h"

namespace weakspot::race_jit {
namespace {

using race::StepOrder;
using race::TraceEvent;

StepOrder traced_order(const TraceEvent& event) {
  if (event.kind == TraceEvent::Kind::fence) return StepOrder::acq_rel;
  if (!event.is_access()) return StepOrder::none;
  if (!event.strong) return StepOrder::weak;
  const bool acquire = event.acquire && event.reads(), release = event.release && event.writes();
  if (acquire && release) return StepOrder::acq_rel;
  return acquire ? StepOrder::acquire : release ? StepOrder::release : StepOrder::relaxed;
}

// A volatile access is a relaxed one of the widest scope.
std::optional<race::Scope> traced_scope(const TraceEvent& event) {
  if (event.kind != TraceEvent::Kind::fence && !event.strong) return std::nullopt;
  return event.scope == race::Scope::volatile_access ? race::Scope::system : event.scope;
}

}  // namespace

race::Witness Collector::witness(const LaunchRecord& record, const race::TracedChain& chain) const {
  race::Witness told;
  told.on_signal = chain.on_signal;
  std::vector<std::uint64_t> addresses;
  for (const race::TracedChain::Part& part : chain.parts) {
    race::WitnessThread thread{index_of(part.thread, record), part.thread.block, part.thread.warp(), {}};
    for (const race::TracedChain::Step& step : part.steps) {
      const TraceEvent& event = step.event;
      race::WitnessStep one;
      one.kind = event.kind;
      one.order = traced_order(event);
      one.scope = traced_scope(event);
      one.is_volatile = event.is_access() && event.strong && event.scope == race::Scope::volatile_access;
      one.polls = event.polls;
      one.number = step.number;
      one.place = site(event.site).place;
      if (event.is_access()) {
        // The last access is at the location of the first, whatever the bytes.
        const bool race = step.number == chain.parts.back().steps.back().number;
        const auto known = race ? addresses.begin() : std::find(addresses.begin(), addresses.end(), event.address);
        one.location = static_cast<std::size_t>(known - addresses.begin());
        const TraceEvent& first = chain.parts.front().steps.front().event;
        one.partial = race && (event.address != first.address || event.size != first.size);
        if (known == addresses.end()) {
          addresses.push_back(event.address);
          told.locations.push_back({variable_at(event.address, site(event.site)), event.space, event.size});
        }
      }
      thread.steps.push_back(std::move(one));
    }
    told.threads.push_back(std::move(thread));
  }
  for (const race::TracedChain::Link& link : chain.links) told.links.push_back({link.from, link.to});
  return told;
}

}  // namespace weakspot::race_jit
