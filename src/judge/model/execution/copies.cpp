// SPDX-License-Identifier: MIT
#include "model/execution/copies.h"

namespace weakspot::model {

std::vector<Reads>& Copies::groups(litmus::AsyncEngine engine) {
  std::vector<Reads>& groups = groups_[engine];
  if (groups.empty()) groups.emplace_back();
  return groups;
}

void Copies::add(const Agent& agent, std::vector<PathEvent>& events, std::size_t first) {
  for (std::size_t i = first; i < events.size(); ++i) {
    events[i].agent = issued_;
    if (agent.follows) {
      events[i].after = agent.engine == litmus::AsyncEngine::lane ? lanes_ : products_;
      continue;
    }
    const auto at = static_cast<std::uint32_t>(i);
    if (agent.engine == litmus::AsyncEngine::lane) lanes_.push_back(at);
    if (agent.engine == litmus::AsyncEngine::tccp || agent.engine == litmus::AsyncEngine::tcmma) {
      products_.push_back(at);
    } else if (agent.grouped) {
      groups(agent.engine).back().push_back(at);
    }
  }
}

void Copies::commit(litmus::AsyncEngine engine) { groups(engine).emplace_back(); }

Reads Copies::completed(const litmus::AsyncControl& control, const std::vector<PathEvent>& events) const {
  Reads complete;
  const auto found = groups_.find(control.engine);
  if (found == groups_.end()) return complete;
  const std::vector<Reads>& groups = found->second;
  // Loads and stores of tensor memory are not grouped: a wait is for all of them.
  const std::size_t open = litmus::is_tensor(control.engine) ? 0 : 1 + static_cast<std::size_t>(control.pending);
  for (std::size_t i = 0; i + open < groups.size(); ++i) {
    for (std::uint32_t event : groups[i]) {
      const bool read = events[event].kind == EventKind::read;
      if (read || control.kind == litmus::AsyncControl::Kind::wait) complete.push_back(event);
    }
  }
  return complete;
}

ExprId mbarrier_after(ExpressionPool& pool, ExprId changed, const litmus::Rmw& change) {
  using litmus::ComputeOp;
  constexpr litmus::Type kType = litmus::Type::s64;
  auto number = [&](std::int64_t value) { return pool.constant(litmus::integer(value)); };
  const ExprId pending = pool.compute(ComputeOp::and_, kType, changed, number(kMbarrierPending));
  const ExprId done = pool.compute(ComputeOp::eq, kType, pending, number(kMbarrierDone));
  ExprId refill = number(change.refill);
  if (change.drops) {
    const ExprId dropped = pool.compute(ComputeOp::shr, kType, changed, number(kMbarrierDropped));
    refill = pool.compute(ComputeOp::sub, kType, refill, dropped);
  }
  return pool.compute(ComputeOp::add, kType, changed, pool.compute(ComputeOp::mul, kType, done, refill));
}

}  // namespace weakspot::model
