// SPDX-License-Identifier: MIT
#include "litmus/normalize.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <vector>

#include "base/sort.h"
#include "base/source.h"
#include "litmus/visit.h"

namespace weakspot::litmus {
namespace {

// Facts about one register that the passes need.
struct RegisterFacts {
  std::size_t writes = 0;
  bool guards = false;    // a guard names it
  bool observed = false;  // the condition, the filter or `locations` names it
};

using ThreadFacts = std::vector<RegisterFacts>;

ThreadFacts gather_facts(const Thread& thread) {
  ThreadFacts facts(thread.registers.size());
  for (const Instruction& instruction : thread.instructions) {
    for_each_written(instruction, [&](const RegisterId& reg) { ++facts[reg.index].writes; });
    if (instruction.guard) facts[instruction.guard->predicate.index].guards = true;
  }
  return facts;
}

std::vector<ThreadFacts> gather_facts(const LitmusTest& test) {
  std::vector<ThreadFacts> facts;
  facts.reserve(test.threads.size());
  for (const Thread& thread : test.threads) facts.push_back(gather_facts(thread));
  for (const Observable& item : test.observed()) {
    if (const auto* reg = std::get_if<ObservedRegister>(&item)) {
      facts[reg->thread.index][reg->reg.index].observed = true;
    }
  }
  return facts;
}

// The value as the register's type holds it.
Value held_by(const Register& reg, Value value) {
  if (!value.base) value.number = wrap(value.number, reg.type);
  return value;
}

// Puts `value` in place of register `reg`. A number can only replace an index that is added to a location.
void substitute(Instruction& instruction, RegisterId reg, const Value& value) {
  Access* access = access_of(instruction);
  // A store of a register that is wider than the access cuts it; an immediate has to fit.
  Value stored = value;
  if (access != nullptr && !value.base && !fits(value.number, access->type)) {
    stored.number = wrap(value.number, access->type);
  }
  for_each_operand(instruction, [&](Operand& operand) {
    if (operand == Operand(reg)) operand = stored;
  });
  for_each_address(instruction, [&](Address& address) {
    if (address.index != reg || address.location.has_value() == value.base.has_value()) return;
    if (value.base) address.location = value.base;
    address.index.reset();
    // validate() finds a sum that wraps around out of bounds.
    address.offset = wrapping_sum(address.offset, value.number);
  });
}

void inline_never_written(Thread& thread, const ThreadFacts& facts) {
  std::vector<RegisterId> named;
  for (Instruction& instruction : thread.instructions) {
    named.clear();
    for_each_register(instruction, [&](const RegisterId& reg) { named.push_back(reg); });
    for (RegisterId reg : named) {
      const Register& source = thread.registers[reg.index];
      if (facts[reg.index].writes == 0) substitute(instruction, reg, held_by(source, source.initial));
    }
  }
}

bool names(const Instruction& instruction, RegisterId reg) {
  bool found = false;
  for_each_register(instruction, [&](const RegisterId& other) { found = found || other == reg; });
  return found;
}

// The instructions that name each register, in order.
std::vector<std::vector<std::size_t>> find_mentions(const Thread& thread) {
  std::vector<std::vector<std::size_t>> mentions(thread.registers.size());
  for (std::size_t i = 0; i < thread.instructions.size(); ++i) {
    for_each_register(thread.instructions[i], [&](const RegisterId& reg) {
      std::vector<std::size_t>& places = mentions[reg.index];
      if (places.empty() || places.back() != i) places.push_back(i);
    });
  }
  return mentions;
}

// Puts `value` in place of the register in all `places` but the first, its definition. Returns false and changes
// nothing if one of the instructions cannot do without the register.
bool substitute_all(std::vector<Instruction>& code, const std::vector<std::size_t>& places, RegisterId reg,
                    const Value& value) {
  std::vector<Instruction> changed;
  for (std::size_t i = 1; i < places.size(); ++i) {
    changed.push_back(code[places[i]]);
    substitute(changed.back(), reg, value);
    if (names(changed.back(), reg)) return false;
  }
  for (std::size_t i = 1; i < places.size(); ++i) code[places[i]] = std::move(changed[i - 1]);
  return true;
}

const Value* moved_constant(const Instruction& instruction) {
  const auto* move = std::get_if<Compute>(&instruction.operation);
  if (move == nullptr || move->op != ComputeOp::mov || instruction.guard) return nullptr;
  return std::get_if<Value>(&move->left);
}

// Substitutes and removes `mov reg, constant` where that is the register's only definition and comes first.
void inline_constant_moves(Thread& thread, const ThreadFacts& facts) {
  std::vector<Instruction>& code = thread.instructions;
  if (std::none_of(code.begin(), code.end(), [](const Instruction& one) { return moved_constant(one) != nullptr; })) {
    return;
  }
  const std::vector<std::vector<std::size_t>> mentions = find_mentions(thread);
  std::vector<Instruction> kept;
  kept.reserve(code.size());
  std::size_t i = 0;
  for (; i < code.size(); ++i) {
    if (std::holds_alternative<Branch>(code[i].operation) || std::holds_alternative<Label>(code[i].operation)) break;
    if (const Value* constant = moved_constant(code[i])) {
      const RegisterId reg = std::get<Compute>(code[i].operation).target;
      const RegisterFacts& fact = facts[reg.index];
      const bool only = fact.writes == 1 && !fact.guards && !fact.observed && mentions[reg.index].front() == i;
      const Value value = held_by(thread.registers[reg.index], *constant);
      if (only && substitute_all(code, mentions[reg.index], reg, value)) continue;
    }
    kept.push_back(std::move(code[i]));
  }
  std::move(code.begin() + static_cast<std::ptrdiff_t>(i), code.end(), std::back_inserter(kept));
  code = std::move(kept);
}

void for_each_proposition(LitmusTest& test, const std::function<void(Proposition&)>& visit) {
  visit(test.condition.proposition);
  if (test.filter) visit(*test.filter);
}

void for_each_observable(LitmusTest& test, const std::function<void(Observable&)>& visit) {
  for_each_proposition(test, [&](Proposition& proposition) { for_each_observable(proposition, visit); });
  for (Observable& item : test.also_observed) visit(item);
}

constexpr std::uint32_t kUnnumbered = UINT32_MAX;

// The new number of each register of the thread.
std::vector<std::uint32_t> renumber_registers(Thread& thread, const ThreadFacts& facts) {
  std::vector<std::uint32_t> number(thread.registers.size(), kUnnumbered);
  std::vector<Register> ordered;
  ordered.reserve(number.size());
  auto assign = [&](const RegisterId& reg) {
    if (number[reg.index] != kUnnumbered) return;
    number[reg.index] = static_cast<std::uint32_t>(ordered.size());
    ordered.push_back(thread.registers[reg.index]);
  };
  for (const Instruction& instruction : thread.instructions) for_each_register(instruction, assign);
  // Observed registers without a use are sorted by name, so that their order does not depend on the text.
  std::map<std::string_view, RegisterId> only_observed;
  for (std::uint32_t reg = 0; reg < facts.size(); ++reg) {
    if (facts[reg].observed && number[reg] == kUnnumbered) {
      only_observed.emplace(thread.registers[reg].name, RegisterId{reg});
    }
  }
  for (const auto& [name, reg] : only_observed) assign(reg);
  for (Instruction& instruction : thread.instructions) {
    for_each_register(instruction, [&](RegisterId& reg) { reg.index = number[reg.index]; });
  }
  thread.registers = std::move(ordered);
  return number;
}

// Calls `visit` for every mention of a location by the program, in program order.
template <typename Visit>
void for_each_location_of_program(LitmusTest& test, Visit&& visit) {
  for (Thread& thread : test.threads) {
    for (Instruction& instruction : thread.instructions) {
      for_each_location(instruction, visit);
      for_each_operand(instruction, [&](Operand& operand) {
        if (auto* value = std::get_if<Value>(&operand); value != nullptr && value->base) visit(*value->base);
      });
    }
    for (Register& reg : thread.registers) {
      if (reg.initial.base) visit(*reg.initial.base);
    }
  }
}

void renumber_locations(LitmusTest& test) {
  std::vector<std::uint32_t> number(test.locations.size(), kUnnumbered);
  std::vector<Location> ordered;
  ordered.reserve(number.size());
  auto assign = [&](const LocationId& id) {
    if (number[id.index] != kUnnumbered) return;
    // The elements of an array stay together.
    const Location& location = test.locations[id.index];
    const std::uint32_t first = id.index - location.element;
    for (std::uint32_t i = first; i < first + location.elements; ++i) {
      number[i] = static_cast<std::uint32_t>(ordered.size());
      ordered.push_back(test.locations[i]);
    }
  };
  // Locations that others name come after those numbered so far, so that the order does not depend on where a text
  // declares them.
  std::size_t looked_at = 0;
  auto assign_named_by_locations = [&] {
    for (; looked_at < ordered.size(); ++looked_at) {
      const std::optional<LocationId> alias_of = ordered[looked_at].alias_of;
      const std::optional<LocationId> base = ordered[looked_at].initial.base;
      if (alias_of) assign(*alias_of);
      if (base) assign(*base);
    }
  };
  for_each_location_of_program(test, assign);
  assign_named_by_locations();
  // Arrays come first, as when texts are read.
  for (const bool arrays : {true, false}) {
    for (std::uint32_t i = 0; i < test.locations.size(); ++i) {
      if (test.locations[i].is_array() != arrays) continue;
      assign(LocationId{i});
      assign_named_by_locations();
    }
  }

  auto rename = [&](LocationId& id) { id.index = number[id.index]; };
  for_each_location_of_program(test, rename);
  for (Location& location : ordered) {
    if (location.alias_of) rename(*location.alias_of);
    if (location.initial.base) rename(*location.initial.base);
  }
  for_each_observable(test, [&](Observable& item) {
    if (auto* location = std::get_if<LocationId>(&item)) rename(*location);
  });
  for_each_proposition(test, [&](Proposition& proposition) {
    for_each_value(proposition, [&](Value& value) {
      if (value.base) rename(*value.base);
    });
  });
  test.locations = std::move(ordered);
}

// Fields that the kind of fence does not use get their defaults.
void keep_only_what_the_kind_has(Fence& fence) {
  const Fence given = fence;
  fence = Fence{};
  fence.kind = given.kind;
  if (given.kind == FenceKind::order) {
    fence.order = given.order;
    fence.semantics = given.semantics;
    fence.tags = given.tags;
  }
  if (given.kind == FenceKind::proxy) {
    fence.proxy = given.proxy;
    fence.order = given.order;
    fence.semantics = given.semantics;
    fence.map = given.map;
  }
  if (given.kind == FenceKind::named) fence.name = given.name;
  if (given.kind == FenceKind::dmb || given.kind == FenceKind::dsb) {
    fence.accesses = given.accesses;
    fence.shareability = given.shareability;
  }
  const bool scoped =
      given.kind == FenceKind::order || given.kind == FenceKind::membar || given.kind == FenceKind::proxy;
  if (scoped) fence.scope = given.scope;
}

void keep_only_what_says_something(Instruction& instruction) {
  if (auto* fence = std::get_if<Fence>(&instruction.operation)) keep_only_what_the_kind_has(*fence);
  Access* access = access_of(instruction);
  if (access == nullptr || access->order != Order::plain) return;
  if (!access->tags.has(Tag::available) && !access->tags.has(Tag::visible)) access->scope = Scope::device;
}

// Texts give a description line by line, and empty lines around it are lost.
void trim_lines(std::string& text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  text.erase(0, std::min(text.find_first_not_of('\n'), text.size()));
}

void keep_only_extra_observations(LitmusTest& test) {
  std::vector<Observable> extra;
  extra.swap(test.also_observed);
  const std::vector<Observable> asked = test.observed();
  base::sort(extra);
  extra.erase(std::unique(extra.begin(), extra.end()), extra.end());
  std::set_difference(extra.begin(), extra.end(), asked.begin(), asked.end(), std::back_inserter(test.also_observed));
}

}  // namespace

void inline_constant_registers(LitmusTest& test) {
  for (Thread& thread : test.threads) inline_never_written(thread, gather_facts(thread));
}

void normalize(LitmusTest& test) {
  const std::vector<ThreadFacts> facts = gather_facts(test);
  std::vector<std::vector<std::uint32_t>> numbers;
  for (std::size_t i = 0; i < test.threads.size(); ++i) {
    Thread& thread = test.threads[i];
    inline_never_written(thread, facts[i]);
    inline_constant_moves(thread, facts[i]);
    numbers.push_back(renumber_registers(thread, facts[i]));
    for (Instruction& instruction : thread.instructions) keep_only_what_says_something(instruction);
  }
  for_each_observable(test, [&](Observable& item) {
    auto* reg = std::get_if<ObservedRegister>(&item);
    if (reg != nullptr) reg->reg.index = numbers[reg->thread.index][reg->reg.index];
  });
  renumber_locations(test);
  trim_lines(test.description);
  keep_only_extra_observations(test);
  if (test.scopes) {
    for (auto* pairs : {&test.scopes->system_synchronizes, &test.scopes->launches}) {
      base::sort(*pairs);
      pairs->erase(std::unique(pairs->begin(), pairs->end()), pairs->end());
    }
  }
}

base::Result<LitmusTest> finish(LitmusTest test, const base::Source& source) {
  std::vector<Mistake> mistakes = validate(test);
  if (mistakes.empty()) {
    normalize(test);
    // An address may turn out to be out of bounds once constants have replaced registers.
    mistakes = validate(test);
    if (mistakes.empty()) return test;
  }
  // Mistakes are reported in the order of the text; several at one place in the order they were found.
  std::multimap<std::uint32_t, const Mistake*> in_order;
  for (const Mistake& mistake : mistakes) in_order.emplace(mistake.span.begin, &mistake);
  base::Diagnostics diagnostics;
  for (const auto& [at, mistake] : in_order) {
    diagnostics.push_back(base::error_at(source, mistake->span, mistake->message));
  }
  return diagnostics;
}

}  // namespace weakspot::litmus
