#include "litmus/normalize.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <vector>

namespace weakspot::litmus {
namespace {

// What the passes need to know about the registers of one thread.
struct RegisterFacts {
  std::size_t writes = 0;
  bool guards = false;    // a guard names it
  bool observed = false;  // the condition, the filter or `locations` names it
  bool used = false;      // any instruction names it
};

std::vector<RegisterFacts> gather_facts(const LitmusTest& test, std::size_t thread) {
  std::vector<RegisterFacts> facts(test.threads[thread].registers.size());
  for (const Instruction& instruction : test.threads[thread].instructions) {
    for_each_register(instruction, [&](const RegisterId& reg) { facts[reg.index].used = true; });
    for_each_written(instruction, [&](const RegisterId& reg) { ++facts[reg.index].writes; });
    if (instruction.guard) facts[instruction.guard->predicate.index].guards = true;
  }
  for (const Observable& item : test.observed()) {
    const auto* reg = std::get_if<ObservedRegister>(&item);
    if (reg != nullptr && reg->thread.index == thread) facts[reg->reg.index].observed = true;
  }
  return facts;
}

// What a register of that type reads as when it holds `value`.
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
  if (access == nullptr || access->address.index != reg) return;
  Address& address = access->address;
  if (address.location.has_value() == value.base.has_value()) return;
  if (value.base) address.location = value.base;
  address.index.reset();
  // Unsigned, for it may wrap around; validate() then finds it out of bounds.
  address.offset =
      static_cast<std::int64_t>(static_cast<std::uint64_t>(address.offset) + static_cast<std::uint64_t>(value.number));
}

void inline_never_written(Thread& thread, const std::vector<RegisterFacts>& facts) {
  for (Instruction& instruction : thread.instructions) {
    std::vector<RegisterId> named;
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

// Substitutes and removes `mov reg, constant` where that is the register's only definition and comes first.
void inline_constant_moves(Thread& thread, const std::vector<RegisterFacts>& facts) {
  std::vector<Instruction>& code = thread.instructions;
  for (std::size_t i = 0; i < code.size();) {
    if (std::holds_alternative<Branch>(code[i].operation) || std::holds_alternative<Label>(code[i].operation)) return;
    const auto* move = std::get_if<Compute>(&code[i].operation);
    const Value* constant = move != nullptr && move->op == ComputeOp::mov ? std::get_if<Value>(&move->left) : nullptr;
    if (constant == nullptr || code[i].guard) {
      ++i;
      continue;
    }
    const RegisterId reg = move->target;
    const RegisterFacts& fact = facts[reg.index];
    const Value value = held_by(thread.registers[reg.index], *constant);
    const bool first = std::none_of(code.begin(), code.begin() + static_cast<std::ptrdiff_t>(i),
                                    [&](const Instruction& earlier) { return names(earlier, reg); });
    if (fact.writes != 1 || fact.guards || fact.observed || !first) {
      ++i;
      continue;
    }
    std::vector<Instruction> rest(code.begin() + static_cast<std::ptrdiff_t>(i) + 1, code.end());
    for (Instruction& later : rest) substitute(later, reg, value);
    const bool gone =
        std::none_of(rest.begin(), rest.end(), [&](const Instruction& later) { return names(later, reg); });
    if (!gone) {
      ++i;
      continue;
    }
    code.erase(code.begin() + static_cast<std::ptrdiff_t>(i), code.end());
    std::move(rest.begin(), rest.end(), std::back_inserter(code));
  }
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

void renumber_registers(LitmusTest& test, std::size_t index) {
  Thread& thread = test.threads[index];
  std::vector<std::uint32_t> number(thread.registers.size(), kUnnumbered);
  std::vector<Register> ordered;
  auto assign = [&](const RegisterId& reg) {
    if (number[reg.index] != kUnnumbered) return;
    number[reg.index] = static_cast<std::uint32_t>(ordered.size());
    ordered.push_back(thread.registers[reg.index]);
  };
  for (const Instruction& instruction : thread.instructions) for_each_register(instruction, assign);
  const std::vector<RegisterFacts> facts = gather_facts(test, index);
  for (std::uint32_t reg = 0; reg < facts.size(); ++reg) {
    if (facts[reg].observed) assign(RegisterId{reg});
  }
  for (Instruction& instruction : thread.instructions) {
    for_each_register(instruction, [&](RegisterId& reg) { reg.index = number[reg.index]; });
  }
  for_each_observable(test, [&](Observable& item) {
    auto* reg = std::get_if<ObservedRegister>(&item);
    if (reg != nullptr && reg->thread.index == index) reg->reg.index = number[reg->reg.index];
  });
  thread.registers = std::move(ordered);
}

// Calls `visit` for every mention of a location by the program, in program order.
template <typename Visit>
void for_each_location_of_program(LitmusTest& test, Visit&& visit) {
  for (Thread& thread : test.threads) {
    for (Instruction& instruction : thread.instructions) {
      if (Access* access = access_of(instruction); access != nullptr && access->address.location) {
        visit(*access->address.location);
      }
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
  auto assign = [&](const LocationId& id) {
    if (number[id.index] != kUnnumbered) return;
    number[id.index] = static_cast<std::uint32_t>(ordered.size());
    ordered.push_back(test.locations[id.index]);
  };
  // A location that another one names comes after all that came before that one was looked at, so that the order does
  // not depend on where a text declares it.
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
  for (std::uint32_t i = 0; i < test.locations.size(); ++i) {
    assign(LocationId{i});
    assign_named_by_locations();
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

// What means nothing for the kind of fence is as it is by default.
void keep_only_what_the_kind_has(Fence& fence) {
  const Fence given = fence;
  fence = Fence{};
  fence.kind = given.kind;
  if (given.kind == FenceKind::order) {
    fence.order = given.order;
    fence.semantics = given.semantics;
    fence.tags = given.tags;
  }
  if (given.kind == FenceKind::proxy) fence.proxy = given.proxy;
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

// Texts give a description line by line; empty lines around it are not seen in one.
void trim_lines(std::string& text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  text.erase(0, std::min(text.find_first_not_of('\n'), text.size()));
}

void keep_only_extra_observations(LitmusTest& test) {
  std::vector<Observable> extra;
  extra.swap(test.also_observed);
  const std::vector<Observable> asked = test.observed();
  std::sort(extra.begin(), extra.end());
  extra.erase(std::unique(extra.begin(), extra.end()), extra.end());
  std::set_difference(extra.begin(), extra.end(), asked.begin(), asked.end(), std::back_inserter(test.also_observed));
}

}  // namespace

void inline_constant_registers(LitmusTest& test) {
  for (std::size_t i = 0; i < test.threads.size(); ++i) {
    inline_never_written(test.threads[i], gather_facts(test, i));
  }
}

void normalize(LitmusTest& test) {
  for (std::size_t i = 0; i < test.threads.size(); ++i) {
    Thread& thread = test.threads[i];
    const std::vector<RegisterFacts> facts = gather_facts(test, i);
    inline_never_written(thread, facts);
    inline_constant_moves(thread, facts);
    renumber_registers(test, i);
    for (Instruction& instruction : thread.instructions) keep_only_what_says_something(instruction);
  }
  renumber_locations(test);
  trim_lines(test.description);
  keep_only_extra_observations(test);
  if (test.scopes) {
    auto& pairs = test.scopes->system_synchronizes;
    std::sort(pairs.begin(), pairs.end());
    pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  }
}

base::Result<LitmusTest> finish(LitmusTest test, const base::Source& source) {
  std::vector<Mistake> mistakes = validate(test);
  if (mistakes.empty()) {
    normalize(test);
    // Constants may now stand where registers did: an address that was computed can be seen to be out of bounds.
    mistakes = validate(test);
  }
  // In the order of the text; several at one place in the order they were found.
  std::multimap<std::uint32_t, const Mistake*> in_order;
  for (const Mistake& mistake : mistakes) in_order.emplace(mistake.span.begin, &mistake);
  base::Diagnostics diagnostics;
  for (const auto& [at, mistake] : in_order) {
    diagnostics.push_back(base::error_at(source, mistake->span, mistake->message));
  }
  if (!diagnostics.empty()) return diagnostics;
  return test;
}

}  // namespace weakspot::litmus
