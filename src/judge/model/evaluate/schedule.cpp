// SPDX-License-Identifier: MIT
#include "model/evaluate/schedule.h"

#include <algorithm>
#include <numeric>
#include <span>

#include "base/sort.h"

namespace weakspot::model {
namespace {

using cat::Step;

class Scheduler {
 public:
  explicit Scheduler(const Graph& graph) : graph_(graph), done_(graph_.size()), inside_(graph_.fixpoint_count()) {}

  // Appends `target` and everything it needs, except what was appended before.
  void require(NodeId target, std::vector<ScheduleItem>& out) {
    std::vector<std::pair<NodeId, bool>> stack{{target, false}};
    while (!stack.empty()) {
      const auto [node, ready] = stack.back();
      stack.pop_back();
      if (done_[node]) continue;
      if (is_variable(graph_[node].op)) {
        fixpoint(graph_[node].a, out);
        continue;
      }
      if (ready) {
        done_[node] = true;
        out.push_back({ScheduleItem::Kind::node, node});
        continue;
      }
      stack.emplace_back(node, true);
      graph_.for_each_operand(graph_[node], [&](NodeId operand) {
        if (!done_[operand]) stack.emplace_back(operand, false);
      });
    }
  }

  // Takes everything below the level for appended.
  void assume(Level level) {
    for (NodeId node = 0; node < graph_.size(); ++node) done_[node] = done_[node] || graph_[node].level < level;
  }

  std::vector<std::vector<std::vector<ScheduleItem>>> take_inside() { return std::move(inside_); }

 private:
  void fixpoint(std::uint32_t group, std::vector<ScheduleItem>& out) {
    const Fixpoint& fixpoint = graph_.fixpoint(group);
    const std::vector<bool> recursive = graph_.reaching(group);
    for (NodeId variable : fixpoint.variables) done_[variable] = true;
    // First what the definitions need from outside, then the list of the inside.
    std::vector<NodeId> inner;
    std::vector<bool> seen(graph_.size());
    std::vector<NodeId> stack(fixpoint.definitions.begin(), fixpoint.definitions.end());
    while (!stack.empty()) {
      const NodeId node = stack.back();
      stack.pop_back();
      if (seen[node]) continue;
      seen[node] = true;
      if (!recursive[node]) {
        require(node, out);
        continue;
      }
      inner.push_back(node);
      graph_.for_each_operand(graph_[node], [&](NodeId operand) { stack.push_back(operand); });
    }
    inside_[group].clear();
    // Definitions that only grow may share what they compute: the last round, in which nothing changes, agrees with all
    // of it. Otherwise each computes anew what depends on the definitions before it.
    bool shared = false;
    for (NodeId definition : fixpoint.definitions) {
      for (NodeId node : inner) {
        if (!shared && (!is_variable(graph_[node].op) || graph_[node].a != group)) done_[node] = false;
      }
      shared = fixpoint.monotone;
      require(definition, inside_[group].emplace_back());
    }
    out.push_back({ScheduleItem::Kind::fixpoint, group});
  }

  const Graph& graph_;
  std::vector<bool> done_;
  std::vector<std::vector<std::vector<ScheduleItem>>> inside_;
};

// The steps in the order in which they are taken: after the choices they depend on, checks before the next choice,
// flags last.
std::vector<std::uint32_t> order_steps(const cat::Built& built, const std::vector<cat::CheckInfo>& checks) {
  auto is_choice = [&](std::uint32_t i) { return built.steps[i].kind == Step::Kind::choice; };
  auto is_flag = [&](std::uint32_t i) { return !is_choice(i) && checks[built.steps[i].index].check.flag; };
  auto level = [&](std::uint32_t i) {
    const Step& step = built.steps[i];
    return is_choice(i) ? kFirstChoice + step.index : std::max(built.graph[step.node].level, kCandidate);
  };
  std::vector<std::uint32_t> order(built.steps.size());
  std::iota(order.begin(), order.end(), 0u);
  base::sort(order, [&](std::uint32_t a, std::uint32_t b) {
    if (is_flag(a) != is_flag(b)) return is_flag(b);
    if (!is_flag(a) && level(a) != level(b)) return level(a) < level(b);
    if (!is_flag(a) && is_choice(a) != is_choice(b)) return is_choice(a);
    return a < b;
  });
  return order;
}

// By node: whether a check among these steps needs it.
std::vector<bool> needed_by_checks(const cat::Built& built, std::span<const std::uint32_t> steps) {
  const Graph& graph = built.graph;
  std::vector<bool> needed(graph.size());
  std::vector<NodeId> stack;
  for (std::uint32_t i : steps) {
    if (built.steps[i].kind != Step::Kind::check) continue;
    stack.push_back(built.steps[i].node);
    if (built.ordered && built.steps[i].ordered != kNoNode) stack.push_back(built.steps[i].ordered);
  }
  while (!stack.empty()) {
    const NodeId node = stack.back();
    stack.pop_back();
    if (needed[node]) continue;
    needed[node] = true;
    if (is_variable(graph[node].op)) {
      const std::vector<NodeId>& definitions = graph.fixpoint(graph[node].a).definitions;
      stack.insert(stack.end(), definitions.begin(), definitions.end());
    }
    graph.for_each_operand(graph[node], [&](NodeId operand) { stack.push_back(operand); });
  }
  return needed;
}

// Every step with what it needs. What comes after a choice and does not depend on it is computed before the choice.
void schedule_all(const cat::Built& built, const std::vector<cat::CheckInfo>& checks,
                  const std::vector<std::uint32_t>& order, Schedule& schedule) {
  Scheduler scheduler(built.graph);
  for (std::size_t i = 0; i < order.size(); ++i) {
    const Step& step = built.steps[order[i]];
    if (step.kind == Step::Kind::check) {
      scheduler.require(step.node, schedule.all);
      schedule.all.push_back({ScheduleItem::Kind::check, order[i]});
      if (!checks[step.index].check.flag) schedule.flags = schedule.all.size();
      continue;
    }
    const cat::Choice& choice = built.choices[step.index];
    for (const cat::OrderFactor& factor : choice.factors) {
      scheduler.require(factor.set, schedule.all);
      scheduler.require(factor.contains, schedule.all);
    }
    for (NodeId alternative : choice.alternatives) scheduler.require(alternative, schedule.all);
    const std::vector<bool> needed = needed_by_checks(built, std::span(order).subspan(i + 1));
    for (NodeId node = 0; node < built.graph.size(); ++node) {
      if (needed[node] && built.graph[node].level < kFirstChoice + step.index) scheduler.require(node, schedule.all);
    }
    schedule.all.push_back({ScheduleItem::Kind::choice, order[i]});
    schedule.flags = schedule.all.size();
  }
  schedule.inside = scheduler.take_inside();
}

// The checks that can fail for good on a partial candidate. They have no fixpoints of their own: every check is also in
// schedule_all(), and bounds have no fixpoints.
void schedule_partial(const cat::Built& built, const std::vector<cat::CheckInfo>& checks,
                      const std::vector<std::uint32_t>& order, Schedule& schedule) {
  Scheduler for_cut(built.graph);
  Scheduler for_lack(built.graph);
  for (std::uint32_t i : order) {
    const Step& step = built.steps[i];
    if (step.kind == Step::Kind::choice) continue;
    const Check& check = checks[step.index].check;
    const Node& node = built.graph[step.node];
    if (check.flag || node.level < kCandidate) continue;
    if (step.below != kNoNode) {
      for_cut.require(step.below, schedule.cut);
      schedule.cut.push_back({ScheduleItem::Kind::bound, i});
    }
    // The inputs that can only make the check worse as they grow, and those that can only make it better.
    const Inputs worse = check.negated ? node.shrinks : node.grows;
    const Inputs better = check.negated ? node.grows : node.shrinks;
    // Choices are evaluated as if nothing were chosen, so more of them must not make it better.
    constexpr Inputs kOthers = kReadsFrom | kChoices;
    if ((worse & kOthers) != kOthers) continue;
    if ((worse & kCoherence) != 0) {
      for_cut.require(step.node, schedule.cut);
      schedule.cut.push_back({ScheduleItem::Kind::check, i});
    } else if ((better & kCoherence) != 0) {
      for_lack.require(step.node, schedule.lack);
      schedule.lack.push_back({ScheduleItem::Kind::check, i});
    }
  }
}

void schedule_order(const cat::Built& built, const std::vector<std::uint32_t>& order, Schedule& schedule) {
  if (!built.ordered) return;
  Scheduler scheduler(built.graph);
  scheduler.assume(kFirstChoice);
  for (std::uint32_t i : order) {
    const Step& step = built.steps[i];
    if (step.kind == Step::Kind::choice || step.ordered == kNoNode) continue;
    scheduler.require(step.ordered, schedule.order);
    schedule.order.push_back({ScheduleItem::Kind::ordered, i});
  }
}

}  // namespace

Schedule make_schedule(const cat::Built& built, const std::vector<cat::CheckInfo>& checks) {
  const std::vector<std::uint32_t> order = order_steps(built, checks);
  Schedule schedule;
  schedule_all(built, checks, order, schedule);
  schedule_partial(built, checks, order, schedule);
  schedule_order(built, order, schedule);
  return schedule;
}

}  // namespace weakspot::model
