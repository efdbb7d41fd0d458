#include "model/evaluate/schedule.h"

#include <algorithm>

namespace weakspot::model {
namespace {

using cat::Step;

class Scheduler {
 public:
  explicit Scheduler(const Graph& graph) : graph_(graph), done_(graph_.size()), inside_(graph_.fixpoint_count()) {}

  // Appends what `node` needs and is not there yet.
  void require(NodeId target, std::vector<ScheduleItem>& out) {
    std::vector<std::pair<NodeId, bool>> stack{{target, false}};
    while (!stack.empty()) {
      const auto [node, ready] = stack.back();
      stack.pop_back();
      if (done_[node]) continue;
      if (is_variable(node)) {
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

  std::vector<std::vector<ScheduleItem>> take_inside() { return std::move(inside_); }

 private:
  bool is_variable(NodeId node) const { return graph_[node].op == Op::variable || graph_[node].op == Op::set_variable; }

  void fixpoint(std::uint32_t group, std::vector<ScheduleItem>& out) {
    const Fixpoint& fixpoint = graph_.fixpoint(group);
    const std::vector<bool> recursive = graph_.reaching(group);
    for (NodeId variable : fixpoint.variables) done_[variable] = true;
    // First what the definitions need from outside, then the inside as a list of its own.
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
    std::vector<ScheduleItem>& inside = inside_[group];
    inside.clear();
    for (NodeId node : inner) {
      if (!is_variable(node) || graph_[node].a != group) done_[node] = false;
    }
    for (NodeId definition : fixpoint.definitions) require(definition, inside);
    out.push_back({ScheduleItem::Kind::fixpoint, group});
  }

  const Graph& graph_;
  std::vector<bool> done_;
  std::vector<std::vector<ScheduleItem>> inside_;
};

}  // namespace

Schedule make_schedule(const cat::Built& built, const std::vector<cat::CheckInfo>& checks) {
  const Graph& graph = built.graph;
  std::vector<std::uint32_t> order;  // of the steps
  for (std::uint32_t i = 0; i < built.steps.size(); ++i) order.push_back(i);
  auto is_flag = [&](std::uint32_t i) {
    return built.steps[i].kind == Step::Kind::check && checks[built.steps[i].index].check.flag;
  };
  // Where a step belongs: after the choices it depends on, checks before the next choice.
  auto level = [&](std::uint32_t i) {
    const Step& step = built.steps[i];
    return step.kind == Step::Kind::choice ? kFirstChoice + step.index : std::max(graph[step.node].level, kCandidate);
  };
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    if (is_flag(a) != is_flag(b)) return is_flag(b);
    if (!is_flag(a) && level(a) != level(b)) return level(a) < level(b);
    const bool choice = built.steps[a].kind == Step::Kind::choice;
    if (!is_flag(a) && choice != (built.steps[b].kind == Step::Kind::choice)) return choice;
    return a < b;
  });

  Schedule schedule;
  Scheduler scheduler(graph);
  for (std::size_t i = 0; i < order.size(); ++i) {
    const Step& step = built.steps[order[i]];
    if (step.kind == Step::Kind::check) {
      scheduler.require(step.node, schedule.all);
      schedule.all.push_back({ScheduleItem::Kind::check, order[i]});
      continue;
    }
    const cat::Choice& choice = built.choices[step.index];
    for (const cat::OrderFactor& factor : choice.factors) {
      scheduler.require(factor.set, schedule.all);
      scheduler.require(factor.contains, schedule.all);
    }
    for (NodeId alternative : choice.alternatives) scheduler.require(alternative, schedule.all);
    // What is computed after this and does not depend on the choice is computed now.
    std::vector<bool> needed(graph.size());
    std::vector<NodeId> stack;
    for (std::size_t k = i + 1; k < order.size(); ++k) {
      if (built.steps[order[k]].kind == Step::Kind::check) stack.push_back(built.steps[order[k]].node);
    }
    while (!stack.empty()) {
      const NodeId node = stack.back();
      stack.pop_back();
      if (needed[node]) continue;
      needed[node] = true;
      const Node& what = graph[node];
      if (what.op == Op::variable || what.op == Op::set_variable) {
        const std::vector<NodeId>& definitions = graph.fixpoint(what.a).definitions;
        stack.insert(stack.end(), definitions.begin(), definitions.end());
      }
      graph.for_each_operand(what, [&](NodeId operand) { stack.push_back(operand); });
    }
    for (NodeId node = 0; node < graph.size(); ++node) {
      if (needed[node] && graph[node].level < kFirstChoice + step.index) scheduler.require(node, schedule.all);
    }
    schedule.all.push_back({ScheduleItem::Kind::choice, order[i]});
  }

  schedule.inside = scheduler.take_inside();
  Scheduler for_cut(graph);
  Scheduler for_lack(graph);
  for (std::uint32_t i : order) {
    const Step& step = built.steps[i];
    if (step.kind == Step::Kind::choice) continue;
    const Model::Check& check = checks[step.index].check;
    const Node& node = graph[step.node];
    if (check.flag || node.level < kCandidate) continue;
    // What a growing input can only make worse, and only better.
    const Inputs worse = check.negated ? node.shrinks : node.grows;
    const Inputs better = check.negated ? node.grows : node.shrinks;
    // Choices are evaluated as if nothing were chosen, so they must not make it better either.
    constexpr Inputs kOthers = kReadsFrom | kChoices;
    if (step.below != kNoNode) {
      for_cut.require(step.below, schedule.cut);
      schedule.cut.push_back({ScheduleItem::Kind::bound, i});
    }
    if ((worse & kOthers) != kOthers) continue;
    if ((worse & kCoherence) != 0) {
      for_cut.require(step.node, schedule.cut);
      schedule.cut.push_back({ScheduleItem::Kind::check, i});
    } else if ((better & kCoherence) != 0) {
      for_lack.require(step.node, schedule.lack);
      schedule.lack.push_back({ScheduleItem::Kind::check, i});
    }
  }
  // Fixpoints that only these reach do not exist: their checks are among all checks, and bounds have none of their own.
  return schedule;
}

}  // namespace weakspot::model
