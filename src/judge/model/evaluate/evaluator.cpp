// SPDX-License-Identifier: MIT
#include "model/evaluate/evaluator.h"

#include <algorithm>
#include <tuple>

#include "base/check.h"
#include "base/sort.h"
#include "model/evaluate/cat_program.h"
#include "model/evaluate/node_values.h"
#include "model/evaluate/order_search.h"
#include "model/evaluate/plan.h"

namespace weakspot::model {

using kernels::Word;

namespace {

// Trying so many orders takes less time than learning something from the first.
constexpr double kFewOrders = 6;

}  // namespace

struct Evaluator::State {
  Model model;
  const Model::Program& program;
  Allowance unlimited;
  Allowance* allowance = &unlimited;
  const Frame* frame = nullptr;
  Plan plan;
  // For models that are built per frame or per candidate.
  std::optional<cat::Built> own_built;
  Schedule own_schedule;
  const cat::Built* built = nullptr;
  bool per_candidate = false;
  std::optional<base::Diagnostic> problem;
  bool all_orders = false;  // try_all_orders() was called
  bool raises_flags = true;
  bool searches = false;  // for an order, rather than trying all
  OrderSearch order_search;
  Relation forced;                      // scratch
  Relation contains;                    // scratch
  std::optional<std::size_t> searched;  // the section where no order was found for the last candidate

  std::vector<std::size_t> flags;
  std::optional<PlanSection> failed;
  Relation failed_relation;

  // The last candidate, for names and pictures.
  Candidate candidate;
  mutable std::optional<NodeValues> values;
  mutable std::vector<std::pair<std::string, Relation>> named;
  mutable std::vector<std::pair<std::string, Relation>> shown;

  explicit State(const Model& of) : model(of), program(model.program()) {}

  void begin(const Frame& of) {
    frame = &of;
    problem.reset();
    per_candidate = false;
    searches = false;
    forget();
    if (program.needs == kConstant) {
      built = &program.built;
      plan.prepare(*built, program.schedule, of, *allowance, raises_flags);
      prepare_search();
      return;
    }
    NodeValues known(of, nullptr, *allowance);
    rebuild(known);
  }

  void rebuild(NodeValues& known) {
    own_built = cat::build(program.text, program.check_infos, program.variants, &known);
    if (allowance->used_up()) return;
    if (own_built->mistake) {
      problem = own_built->mistake;
      return;
    }
    if (own_built->needs > known.level()) {
      WEAKSPOT_CHECK(known.level() < kCandidate);
      per_candidate = true;
      return;
    }
    own_schedule = make_schedule(*own_built, program.check_infos);
    built = &*own_built;
    plan.prepare(*own_built, own_schedule, *frame, *allowance, raises_flags);
    prepare_search();
  }

  void prepare_search() {
    searches = false;
    if (!built->ordered || all_orders || allowance->used_up() || plan.choices.front().factors.empty()) return;
    const auto& flags_by_order = built->flags_by_order;
    auto never = [&](NodeId id) { return plan.is_always_empty(id); };
    if (raises_flags && !std::all_of(flags_by_order.begin(), flags_by_order.end(), never)) return;
    std::vector<std::vector<EventId>> sets = plan.ordered_sets(plan.choices.front());
    double orders = 1;
    for (const std::vector<EventId>& set : sets) {
      for (std::size_t i = 2; i <= set.size(); ++i) orders *= static_cast<double>(i);
    }
    if (orders <= kFewOrders) return;
    searches = true;
    order_search.begin(*frame, std::move(sets));
  }

  void forget() {
    values.reset();
    named.clear();
    shown.clear();
  }

  bool passes(const PlanSection& section) const {
    const Check& check = program.checks[section.index];
    const Word* value = plan.at(section.value);
    const std::size_t n = plan.events();
    const std::size_t w = plan.words_per_row();
    bool holds = false;
    switch (check.kind) {
      case Check::Kind::acyclic:
        holds = kernels::is_acyclic(value, n, w, allowance);
        break;
      case Check::Kind::irreflexive:
        holds = kernels::is_irreflexive(value, n, w);
        break;
      case Check::Kind::empty:
        holds = kernels::is_zero(value, section.words);
        break;
    }
    return holds != check.negated;
  }

  bool allows(const Candidate& of) {
    candidate = of;
    forget();
    flags.clear();
    failed.reset();
    searched.reset();
    if (allowance->used_up()) return false;
    if (problem) return true;
    if (per_candidate) {
      NodeValues known(*frame, &candidate, *allowance);
      rebuild(known);
      if (allowance->used_up()) return false;
      if (problem) return true;
    }
    if (built->impossible) return false;
    plan.set_candidate(*of.rf, *of.co, of.values);
    return run(0) && !allowance->used_up();
  }

  // Whether some choice passes all checks from this section on.
  bool run(std::size_t at) {
    for (; at < plan.sections.size(); ++at) {
      const PlanSection& section = plan.sections[at];
      plan.run(plan.instructions, section.begin, section.end);
      if (section.kind == ScheduleItem::Kind::choice) {
        const PlanChoice& choice = plan.choices[section.index];
        if (!choice.alternatives.empty()) return run_alternatives(at, choice);
        if (!choice.factors.empty()) return searches ? search_orders(at, choice) : run_orders(at, choice);
        continue;
      }
      const bool flag = program.checks[section.index].flag;
      const bool holds = passes(section);
      if (flag && holds && std::find(flags.begin(), flags.end(), section.index) == flags.end()) {
        flags.push_back(section.index);
      }
      if (!flag && !holds) {
        failed = section;
        return false;
      }
    }
    return true;
  }

  bool run_alternatives(std::size_t at, const PlanChoice& choice) {
    const std::size_t size = plan.events() * plan.words_per_row();
    for (Offset alternative : choice.alternatives) {
      if (allowance->spend()) return false;
      kernels::copy(plan.at(choice.to), plan.at(alternative), size);
      plan.touch(choice);
      if (run(at + 1)) return true;
    }
    return false;
  }

  // ---- orders, by a search ----

  class SearchChecks : public OrderChecks {
   public:
    SearchChecks(State& state, std::size_t at, const PlanChoice& choice) : state_(state), at_(at), choice_(choice) {}

    bool passes(const Relation& order) override {
      state_.plan.set_order(choice_, order);
      return state_.run(at_ + 1);
    }
    bool fails(const Relation& order) override {
      state_.plan.set_order(choice_, order);
      return state_.fails_part(state_.plan.order);
    }
    bool fails_within(const Relation& rf, const Relation& co, const Relation& order) override {
      state_.plan.set_candidate(rf, co, nullptr);
      state_.plan.set_order(choice_, order);
      return state_.fails_part(state_.plan.cut);
    }
    void restore() override {
      state_.plan.set_candidate(*state_.candidate.rf, *state_.candidate.co, state_.candidate.values);
      state_.plan.run(state_.plan.instructions, 0, state_.plan.sections[at_].end);
    }

   private:
    State& state_;
    std::size_t at_;
    const PlanChoice& choice_;
  };

  bool search_orders(std::size_t at, const PlanChoice& choice) {
    contains.resize(plan.events());
    for (const PlanChoice::Factor& factor : choice.factors) {
      kernels::unite(contains.words(), contains.words(), plan.at(factor.contains), contains.word_count());
    }
    SearchChecks checks(*this, at, choice);
    if (order_search.find(candidate, contains, checks, *allowance)) return true;
    searched = at;
    return false;
  }

  // Fails as trying one order after the other would in the end: on the order that has the last events first.
  void fail_on_last_order(std::size_t at) {
    Relation order(plan.events());
    for (std::vector<EventId> left : plan.ordered_sets(plan.choices[plan.sections[at].index])) {
      for (std::size_t placed = 0; placed < left.size(); ++placed) {
        std::size_t next = left.size();
        auto is_free = [&](EventId event) {
          return std::none_of(left.begin() + static_cast<std::ptrdiff_t>(placed), left.end(),
                              [&](EventId other) { return contains.has(other, event); });
        };
        while (next > placed && !is_free(left[next - 1])) --next;
        if (next == placed) return;  // there is no order at all
        std::swap(left[placed], left[next - 1]);
        for (std::size_t i = 0; i < placed; ++i) order.insert(left[i], left[placed]);
      }
    }
    plan.set_order(plan.choices[plan.sections[at].index], order);
    run(at + 1);
  }

  // ---- orders: events are placed one after the other, in memory that is kept from candidate to candidate ----

  struct Part {
    std::uint32_t first = 0, count = 0;  // a range of `members`
    Offset contains = 0;
  };
  std::vector<Part> parts;
  std::vector<std::uint32_t> members;

  bool run_orders(std::size_t at, const PlanChoice& choice) {
    const std::size_t parts_before = parts.size();
    const std::size_t members_before = members.size();
    const std::size_t w = plan.words_per_row();
    kernels::fill_zero(plan.at(choice.to), plan.events() * w);
    for (const PlanChoice::Factor& factor : choice.factors) {
      const auto first = static_cast<std::uint32_t>(members.size());
      kernels::for_each_bit(plan.at(factor.set), w, [&](std::size_t event) {
        // Events without a location are not ordered by location.
        if (!factor.per_location || frame->events[event].location) members.push_back(static_cast<std::uint32_t>(event));
      });
      if (!factor.per_location) {
        parts.push_back({first, static_cast<std::uint32_t>(members.size()) - first, factor.contains});
        continue;
      }
      auto location = [&](std::uint32_t event) {
        return std::pair(frame->events[event].physical, frame->events[event].offset);
      };
      std::sort(members.begin() + first, members.end(), [&](std::uint32_t a, std::uint32_t b) {
        return location(a) != location(b) ? location(a) < location(b) : a < b;
      });
      for (std::uint32_t i = first; i < members.size();) {
        std::uint32_t end = i;
        while (end < members.size() && location(members[end]) == location(members[i])) ++end;
        parts.push_back({i, end - i, factor.contains});
        i = end;
      }
    }
    const bool found = place(at, choice, parts_before, 0);
    plan.touch(choice);
    parts.resize(parts_before);
    members.resize(members_before);
    return found;
  }

  // members[first .. first + placed) of the part are in order; the rest are still free.
  bool place(std::size_t at, const PlanChoice& choice, std::size_t part_index, std::uint32_t placed) {
    if (allowance->spend()) return false;
    if (part_index == parts.size()) {
      plan.touch(choice);
      return run(at + 1);
    }
    const Part part = parts[part_index];
    if (placed == part.count) return place(at, choice, part_index + 1, 0);
    const std::size_t w = plan.words_per_row();
    for (std::uint32_t i = placed; i < part.count; ++i) {
      const std::uint32_t event = members[part.first + i];
      bool free = true;
      for (std::uint32_t k = placed; k < part.count && free; ++k) {
        free = !kernels::test(plan.at(part.contains) + members[part.first + k] * w, event);
      }
      if (!free) continue;
      std::swap(members[part.first + placed], members[part.first + i]);
      for (std::uint32_t k = 0; k < placed; ++k) {
        kernels::set(plan.at(choice.to) + members[part.first + k] * w, event);
      }
      const bool found = place(at, choice, part_index, placed + 1);
      for (std::uint32_t k = 0; k < placed; ++k) {
        kernels::reset(plan.at(choice.to) + members[part.first + k] * w, event);
      }
      std::swap(members[part.first + placed], members[part.first + i]);
      if (found) return true;
    }
    return false;
  }

  bool fails(const Plan::Part& part, const Relation& rf, const Relation& co) {
    if (allowance->used_up() || problem || per_candidate || built->impossible || part.sections.empty()) return false;
    plan.set_candidate(rf, co, nullptr);
    plan.clear_choices();
    return fails_part(part);
  }

  bool cut(const Relation& rf, const Relation& co) {
    if (!searches || order_search.knows_nothing() || allowance->used_up()) return fails(plan.cut, rf, co);
    if (!order_search.forced(rf, co, forced)) return true;
    plan.set_candidate(rf, co, nullptr);
    plan.set_order(plan.choices.front(), forced);
    return fails_part(plan.cut);
  }

  bool fails_part(const Plan::Part& part) {
    for (const PlanSection& section : part.sections) {
      plan.run(part.instructions, section.begin, section.end);
      if (!passes(section)) return true;
    }
    return false;
  }

  // ---- after the fact ----

  Failure explain(const Candidate& of) {
    const bool allowed = allows(of);
    WEAKSPOT_CHECK(!allowed);
    if (searched && !allowance->used_up()) fail_on_last_order(*searched);
    Failure failure{};
    const std::size_t n = plan.events();
    failed_relation.resize(n);
    failure.relation = &failed_relation;
    if (!failed || allowance->used_up()) return failure;  // a `with` had no orders to choose from
    failure.check = failed->index;
    const Check& check = program.checks[failed->index];
    if (failed->words != failed_relation.word_count()) {
      EventSet events(n);
      kernels::copy(events.words(), plan.at(failed->value), failed->words);
      if (!check.negated) events.for_each([&](EventId event) { failure.events.push_back(event); });
      return failure;
    }
    kernels::copy(failed_relation.words(), plan.at(failed->value), failed->words);
    if (check.negated) return failure;
    switch (check.kind) {
      case Check::Kind::acyclic:
        failure.events = find_cycle(failed_relation, allowance);
        break;
      case Check::Kind::irreflexive:
        if (auto event = find_reflexive(failed_relation)) failure.events = {*event};
        break;
      case Check::Kind::empty:
        if (auto pair = find_pair(failed_relation)) failure.events = {pair->first, pair->second};
        break;
    }
    return failure;
  }

  NodeValues& last_values() const {
    if (!values) {
      std::vector<Relation> chosen;
      for (const PlanChoice& choice : plan.choices) {
        Relation relation(plan.events());
        kernels::copy(relation.words(), plan.at(choice.to), relation.word_count());
        chosen.push_back(std::move(relation));
      }
      values.emplace(*frame, &candidate, *allowance, std::move(chosen));
    }
    return *values;
  }

  const std::vector<std::pair<std::string, Relation>>& evaluate(
      const std::vector<cat::NamedNode>& nodes, std::vector<std::pair<std::string, Relation>>& into) const {
    if (into.empty() && built != nullptr) {
      for (const cat::NamedNode& node : nodes) {
        into.emplace_back(node.name, last_values().relation(built->graph, node.node));
      }
    }
    return into;
  }
};

Evaluator::Evaluator(const Model& model, Allowance* allowance) : state_(std::make_unique<State>(model)) {
  limit(allowance);
}
Evaluator::~Evaluator() = default;
Evaluator::Evaluator(Evaluator&&) noexcept = default;

void Evaluator::limit(Allowance* allowance) {
  state_->allowance = allowance == nullptr ? &state_->unlimited : allowance;
}

void Evaluator::begin(const Frame& frame) { state_->begin(frame); }
bool Evaluator::cut(const Relation& rf, const Relation& co) { return state_->cut(rf, co); }
bool Evaluator::lacks(const Relation& rf, const Relation& co) { return state_->fails(state_->plan.lack, rf, co); }
void Evaluator::try_all_orders() { state_->all_orders = true; }
void Evaluator::raise_flags(bool raises) { state_->raises_flags = raises; }
bool Evaluator::allows(const Candidate& candidate) { return state_->allows(candidate); }
const std::optional<base::Diagnostic>& Evaluator::problem() const { return state_->problem; }
std::size_t Evaluator::held() const { return state_->plan.held() + state_->order_search.held(); }
const std::vector<std::size_t>& Evaluator::flags() const { return state_->flags; }
std::optional<std::size_t> Evaluator::failed_check() const {
  return state_->failed ? std::optional<std::size_t>(state_->failed->index) : std::nullopt;
}
Evaluator::Failure Evaluator::explain(const Candidate& candidate) { return state_->explain(candidate); }

std::vector<std::string> Evaluator::names_of(EventId from, EventId to) const {
  if (state_->built == nullptr) return {};
  const auto& all = state_->evaluate(state_->built->named, state_->named);
  struct Found {
    std::size_t pairs;
    cat::NamedNode::Origin origin;
    std::size_t index;
  };
  std::vector<Found> found;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Relation& relation = all[i].second;
    if (relation.has(from, to)) found.push_back({relation.count(), state_->built->named[i].origin, i});
  }
  base::sort(found, [](const Found& a, const Found& b) {
    return std::tie(a.pairs, a.origin, a.index) < std::tie(b.pairs, b.origin, b.index);
  });
  std::vector<std::string> names;
  for (const Found& entry : found) names.push_back(all[entry.index].first);
  return names;
}

std::vector<std::pair<std::string, const Relation*>> Evaluator::shown() const {
  std::vector<std::pair<std::string, const Relation*>> result;
  if (state_->built == nullptr) return result;
  for (const auto& [name, relation] : state_->evaluate(state_->built->shown, state_->shown)) {
    result.emplace_back(name, &relation);
  }
  return result;
}

}  // namespace weakspot::model
