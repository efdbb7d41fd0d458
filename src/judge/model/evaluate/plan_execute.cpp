// SPDX-License-Identifier: MIT
// Plan: its instructions are executed, where their operands have changed.
#include <algorithm>

#include "base/check.h"
#include "model/cat/predefined.h"
#include "model/evaluate/plan.h"

namespace weakspot::model {

using kernels::Word;

void Plan::assign(Offset offset, const Word* value) {
  if (!tracks_) return kernels::copy(at(offset), value, n_ * w_);
  if (kernels::replace(at(offset), value, n_ * w_)) changed(offset) = ++now_;
}

void Plan::set_candidate(const Relation& rf, const Relation& co, const std::vector<litmus::Value>* values) {
  if (rf_ != kNowhere) assign(rf_, rf.words());
  if (co_ != kNowhere) assign(co_, co.words());
  values_ = values;
}

void Plan::clear_choices() {
  for (const PlanChoice& choice : choices) {
    if (!choice.factors.empty() || !choice.alternatives.empty()) assign(choice.to, at(nothing_));
    if (choice.most != kNowhere) assign(choice.most, at(choice.all));
  }
}

void Plan::set_order(const PlanChoice& choice, const Relation& chosen) {
  assign(choice.to, chosen.words());
  if (choice.most == kNowhere) return;
  kernels::copy(scratch_.data(), at(choice.all), n_ * w_);
  chosen.for_each([&](EventId before, EventId after) { kernels::reset(scratch_.data() + after * w_, before); });
  assign(choice.most, scratch_.data());
}

void Plan::run(const std::vector<PlanInstruction>& list, std::uint32_t begin, std::uint32_t end) {
  w_ == 1 ? run_in<1>(list, begin, end) : run_in<0>(list, begin, end);
}

template <std::size_t W>
void Plan::run_in(const std::vector<PlanInstruction>& list, std::uint32_t begin, std::uint32_t end) {
  if (tracks_) {
    for (std::uint32_t i = begin; i < end && (W == 1 || !give_up()); ++i) update<W>(list[i]);
    return;
  }
  for (std::uint32_t i = begin; i < end && (W == 1 || !give_up()); ++i) {
    list[i].fixpoint ? execute_fixpoint(fixpoints_[list[i].a]) : execute_in<W>(list[i], at(list[i].to));
  }
}

template <typename Visit>
void Plan::for_each_operand(const PlanInstruction& in, const Visit& visit) const {
  for (std::uint32_t i = 0; i < in.count; ++i) visit(lists_[in.first + i]);
  for (Offset operand : {in.a, in.b, in.c}) {
    if (operand != kNowhere) visit(operand);
  }
}

void Plan::watch_operands(PlanInstruction& in) {
  in.watched = static_cast<std::uint32_t>(watched_.size());
  for_each_operand(in, [&](Offset operand) {
    if (computed(operand) != kForever) watched_.push_back(operand);
  });
  in.watched_count = static_cast<std::uint32_t>(watched_.size()) - in.watched;
}

bool Plan::is_due(const PlanInstruction& in) {
  const Word* const block = block_.data();
  const Word since = block[in.to - 2];
  const Offset* const watched = watched_.data() + in.watched;
  bool due = in.op == Op::different_values;
  for (std::uint32_t i = 0; i < in.watched_count; ++i) due |= block[watched[i] - 1] > since;
  return due;
}

bool Plan::is_due(const PlanFixpoint& fixpoint) {
  const Word since = computed(fixpoint.variables.front().value);
  return fixpoint.by_value || since == 0 ||
         std::any_of(fixpoint.inputs.begin(), fixpoint.inputs.end(), [&](Offset in) { return changed(in) > since; });
}

void Plan::list_inputs(PlanFixpoint& fixpoint) const {
  for (const PlanFixpoint::Variable& variable : fixpoint.variables) fixpoint.outputs.push_back(variable.value);
  for (const PlanInstruction& in : fixpoint.inside) {
    if (in.fixpoint) {
      const PlanFixpoint& nested = fixpoints_[in.a];
      fixpoint.by_value = fixpoint.by_value || nested.by_value;
      fixpoint.inputs.insert(fixpoint.inputs.end(), nested.inputs.begin(), nested.inputs.end());
      fixpoint.outputs.insert(fixpoint.outputs.end(), nested.outputs.begin(), nested.outputs.end());
      continue;
    }
    fixpoint.by_value = fixpoint.by_value || in.op == Op::different_values;
    fixpoint.outputs.push_back(in.to);
    for_each_operand(in, [&](Offset operand) { fixpoint.inputs.push_back(operand); });
  }
  for (const PlanFixpoint::Variable& variable : fixpoint.variables) fixpoint.inputs.push_back(variable.definition);
  std::sort(fixpoint.inputs.begin(), fixpoint.inputs.end());
  fixpoint.inputs.erase(std::unique(fixpoint.inputs.begin(), fixpoint.inputs.end()), fixpoint.inputs.end());
  std::sort(fixpoint.outputs.begin(), fixpoint.outputs.end());
  std::erase_if(fixpoint.inputs, [&](Offset input) {
    return std::binary_search(fixpoint.outputs.begin(), fixpoint.outputs.end(), input);
  });
}

template <std::size_t W>
void Plan::update(const PlanInstruction& in) {
  if (in.fixpoint) {
    if (is_due(fixpoints_[in.a])) execute_fixpoint(fixpoints_[in.a]);
    return;
  }
  if (!is_due(in)) return;
  execute_in<W>(in, scratch_.data());
  const std::size_t w = W == 0 ? w_ : W;
  if (kernels::replace(at(in.to), scratch_.data(), is_set(in.op) ? w : n_ * w)) changed(in.to) = now_;
  computed(in.to) = now_;
}

void Plan::execute(const PlanInstruction& in) {
  if (in.fixpoint) return execute_fixpoint(fixpoints_[in.a]);
  w_ == 1 ? execute_in<1>(in, at(in.to)) : execute_in<0>(in, at(in.to));
}

template <std::size_t W>
void Plan::execute_in(const PlanInstruction& in, Word* const to) {
  const std::size_t n = n_;
  const std::size_t w = W == 0 ? w_ : W;
  auto words = [&](Op op) { return is_set(op) ? w : n * w; };
  switch (in.op) {
    case Op::all:
      kernels::complement_set(to, to, n, w);
      return;
    case Op::base_set:
      return fill_predefined_set(in.a, *frame_, to);
    case Op::constant_set:
      return kernels::copy(to, graph_->constant_set_at(in.a).words(), w);
    case Op::identity:
      return kernels::add_identity(to, n, w);
    case Op::universe:
      return kernels::complement(to, to, n, w);
    case Op::base_relation:
      return fill_predefined_relation(in.a, *frame_, to, allowance_);
    case Op::constant_relation:
      return kernels::copy(to, graph_->constant_relation_at(in.a).words(), n * w);
    case Op::unite_sets:
    case Op::unite: {
      const std::size_t size = words(in.op);
      kernels::unite(to, at(lists_[in.first]), at(lists_[in.first + 1]), size);
      for (std::uint32_t i = 2; i < in.count; ++i) kernels::unite(to, to, at(lists_[in.first + i]), size);
      return;
    }
    case Op::intersect_sets:
    case Op::intersect: {
      const std::size_t size = words(in.op);
      kernels::intersect(to, at(lists_[in.first]), at(lists_[in.first + 1]), size);
      for (std::uint32_t i = 2; i < in.count; ++i) kernels::intersect(to, to, at(lists_[in.first + i]), size);
      return;
    }
    case Op::subtract_sets:
    case Op::subtract:
      return kernels::subtract(to, at(in.a), at(in.b), words(in.op));
    case Op::complement_set:
      return kernels::complement_set(to, at(in.a), n, w);
    case Op::complement:
      return kernels::complement(to, at(in.a), n, w);
    case Op::domain:
      return kernels::domain(to, at(in.a), n, w);
    case Op::range:
      return kernels::range(to, at(in.a), n, w);
    case Op::inverse:
      return kernels::inverse(to, at(in.a), n, w);
    case Op::sequence:
      return kernels::compose(to, at(in.a), at(in.b), n, w, allowance_);
    case Op::closure:
    case Op::star:
      kernels::copy(to, at(in.a), n * w);
      kernels::close(to, n, w, allowance_);
      if (in.op == Op::star) kernels::add_identity(to, n, w);
      return;
    case Op::identity_on:
      return kernels::identity_on(to, at(in.a), n, w);
    case Op::product:
      return kernels::product(to, at(in.a), at(in.b), n, w);
    case Op::restriction:
      return kernels::restrict_to(to, at(in.a), in.b == kNowhere ? nullptr : at(in.b),
                                  in.c == kNowhere ? nullptr : at(in.c), n, w);
    case Op::different_values:
      kernels::copy(to, at(in.a), n * w);
      if (values_ == nullptr) return;
      for (std::size_t i = 0; i < n; ++i) {
        kernels::for_each_bit(at(in.a) + i * w, w, [&](std::size_t j) {
          if ((*values_)[i] == (*values_)[j]) kernels::reset(to + i * w, j);
        });
      }
      return;
    case Op::empty_set:
    case Op::empty_relation:
    case Op::set_variable:
    case Op::variable:
    case Op::reads_from:
    case Op::coherence:
    case Op::choice:
    case Op::choice_most:
      break;
  }
  WEAKSPOT_CHECK(false);
}

// Computes a fixpoint like herd7: each round computes the definitions in order, each from the newest values of those
// before it, until no definition adds anything to its value of the round before.
void Plan::execute_fixpoint(const PlanFixpoint& fixpoint) {
  std::size_t most = 2;
  for (const PlanFixpoint::Variable& variable : fixpoint.variables) {
    kernels::fill_zero(at(variable.value), variable.words);
    most += variable.words * 64;
  }
  // Every round but the last adds a pair if the definitions are monotone. Others may never settle.
  bool stable = false;
  for (std::size_t round = 0; round < most && !stable; ++round) {
    if (allowance_->spend(1 + fixpoint.inside.size() * n_ * w_ / 1024)) return;
    stable = true;
    std::uint32_t next = 0;
    for (const PlanFixpoint::Variable& variable : fixpoint.variables) {
      for (; next < variable.end; ++next) execute(fixpoint.inside[next]);
      Word* const value = at(variable.value);
      const Word* const definition = at(variable.definition);
      Word more = 0;
      for (std::size_t i = 0; i < variable.words; ++i) {
        more |= definition[i] & ~value[i];
        value[i] = definition[i];
      }
      stable = stable && more == 0;
    }
  }
  if (!stable) return allowance_->unsettled();
  // Other users of the nodes inside expect them to follow from the final values.
  if (!fixpoint.monotone) {
    for (const PlanInstruction& instruction : fixpoint.inside) execute(instruction);
  }
  for (Offset output : fixpoint.outputs) computed(output) = changed(output) = now_;
}

}  // namespace weakspot::model
