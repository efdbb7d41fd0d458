// SPDX-License-Identifier: MIT
#include "model/reason/failed_check.h"

#include <algorithm>
#include <map>

namespace weakspot::model {
namespace {

constexpr std::size_t kMostChoices = 24;

// All linear orders of `events` that contain `contains`, up to a number of them; each as a relation.
class LinearOrders {
 public:
  LinearOrders(std::size_t size, std::vector<EventId> events, const Relation& contains)
      : contains_(contains), order_(size), free_(std::move(events)) {
    place();
  }
  std::vector<Relation> take() { return std::move(found_); }

 private:
  void place() {
    if (found_.size() >= kMostChoices) return;
    if (free_.empty()) return found_.push_back(order_);
    for (std::size_t i = 0; i < free_.size(); ++i) {
      const EventId event = free_[i];
      if (std::any_of(free_.begin(), free_.end(), [&](EventId other) { return contains_.has(other, event); })) continue;
      free_.erase(free_.begin() + static_cast<std::ptrdiff_t>(i));
      for (EventId before : placed_) order_.insert(before, event);
      placed_.push_back(event);
      place();
      placed_.pop_back();
      for (EventId before : placed_) order_.erase(before, event);
      free_.insert(free_.begin() + static_cast<std::ptrdiff_t>(i), event);
    }
  }

  const Relation& contains_;
  Relation order_;
  std::vector<EventId> free_, placed_;
  std::vector<Relation> found_;
};

// Runs the steps of a model, choice by choice.
class StepRunner {
 public:
  StepRunner(const WrittenModel& model, bool flags) : model_(model), flags_(flags) {}

  std::optional<FailedCheck> run() {
    from(0, std::make_shared<NodeValues>(model_.witness.frame, &model_.candidate, model_.allowance), {});
    if (found_) found_->choices = ends_;
    return model_.allowance.used_up() ? std::nullopt : std::move(found_);
  }

 private:
  bool is_flag(std::uint32_t check) const { return model_.program.checks[check].flag; }

  bool holds(NodeValues& values, const cat::Step& step) const {
    const Check& check = model_.program.checks[step.index];
    const Graph& graph = model_.graph();
    if (graph.is_set(step.node)) return values.set_at(graph, step.node).empty() != check.negated;
    const Relation& relation = values.relation_at(graph, step.node);
    const bool result = check.kind == Check::Kind::empty         ? relation.empty()
                        : check.kind == Check::Kind::irreflexive ? relation.is_irreflexive()
                                                                 : relation.is_acyclic();
    return result != check.negated;
  }

  void from(std::size_t at, const std::shared_ptr<NodeValues>& values, std::vector<Relation> chosen) {
    const std::vector<cat::Step>& steps = model_.built().steps;
    for (; at < steps.size() && !model_.allowance.used_up(); ++at) {
      const cat::Step& step = steps[at];
      if (step.kind == cat::Step::Kind::choice) return choose(at, values, chosen);
      if (is_flag(step.index)) continue;
      if (!holds(*values, step)) return end(at, step, values);
    }
    if (flags_) raise(values);
  }

  void choose(std::size_t at, const std::shared_ptr<NodeValues>& values, const std::vector<Relation>& chosen) {
    std::vector<Relation> orders = choices(model_.built().choices[model_.built().steps[at].index], *values);
    for (Relation& order : orders) {
      if (ends_ >= kMostChoices || model_.allowance.used_up() || (flags_ && found_)) return;
      std::vector<Relation> more = chosen;
      more.push_back(std::move(order));
      from(at + 1, std::make_shared<NodeValues>(model_.witness.frame, &model_.candidate, model_.allowance, more), more);
    }
  }

  std::vector<Relation> choices(const cat::Choice& choice, NodeValues& values) const {
    const Graph& graph = model_.graph();
    const std::size_t size = model_.witness.frame.size();
    std::vector<Relation> result{Relation(size)};
    if (!choice.alternatives.empty()) {
      result.clear();
      for (NodeId node : choice.alternatives) result.push_back(values.relation(graph, node));
      return result;
    }
    for (const cat::OrderFactor& factor : choice.factors) {
      for (const std::vector<EventId>& part : parts(values.set_at(graph, factor.set), factor.per_location)) {
        const std::vector<Relation> orders =
            LinearOrders(size, part, values.relation_at(graph, factor.contains)).take();
        std::vector<Relation> both;
        for (const Relation& so_far : result) {
          for (const Relation& order : orders) {
            if (both.size() < kMostChoices) (both.emplace_back(so_far)) |= order;
          }
        }
        result = std::move(both);
      }
    }
    return result;
  }

  std::vector<std::vector<EventId>> parts(const EventSet& set, bool per_location) const {
    std::vector<std::vector<EventId>> result;
    std::map<litmus::LocationId, std::vector<EventId>> by_location;
    std::vector<EventId> all;
    set.for_each([&](EventId event) {
      all.push_back(event);
      const Event& e = model_.witness.frame.events[event];
      if (e.location) by_location[e.physical].push_back(event);
    });
    if (!per_location) return {all};
    for (auto& [location, events] : by_location) result.push_back(std::move(events));
    return result;
  }

  void end(std::size_t at, const cat::Step& step, const std::shared_ptr<NodeValues>& values) {
    ++ends_;
    if (flags_ || (found_ && at <= reached_)) return;
    reached_ = at;
    found_ = FailedCheck{step.index, step.node, 1, values};
  }

  void raise(const std::shared_ptr<NodeValues>& values) {
    ++ends_;
    for (const cat::Step& step : model_.built().steps) {
      if (found_ || step.kind != cat::Step::Kind::check || !is_flag(step.index)) continue;
      if (holds(*values, step)) found_ = FailedCheck{step.index, step.node, 1, values};
    }
  }

  const WrittenModel& model_;
  const bool flags_;
  std::optional<FailedCheck> found_;
  std::size_t reached_ = 0;
  std::size_t ends_ = 0;
};

}  // namespace

WrittenModel::WrittenModel(const Model& model, const Witness& of, Allowance& limits)
    : program(model.program()), witness(of), candidate(of.candidate()), allowance(limits) {
  // In the form as written, a model may have to take sets apart that are plainly empty in the simplified form.
  if (program.needs == kConstant && program.written().needs == kConstant) return;
  NodeValues known(witness.frame, &candidate, allowance);
  own = cat::build_as_written(program.text, program.check_infos, program.variants, &known);
}

std::optional<FailedCheck> find_failed_check(const WrittenModel& model) { return StepRunner(model, false).run(); }
std::optional<FailedCheck> find_raised_flag(const WrittenModel& model) { return StepRunner(model, true).run(); }

}  // namespace weakspot::model
