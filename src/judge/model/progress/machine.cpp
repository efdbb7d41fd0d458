// SPDX-License-Identifier: MIT
#include "model/progress/machine.h"

#include <algorithm>
#include <map>
#include <string_view>

namespace weakspot::model {

using litmus::Value;

// One step of a thread.
struct Machine::Run {
  MachineState& state;
  std::size_t thread;
  std::optional<ReadValue> read = std::nullopt;
  std::optional<litmus::LocationId> stored = std::nullopt;  // without reading
  bool broken = false;  // arithmetic without a meaning: the thread stays where it is

  MachineState::ThreadState& self() const { return state.threads[thread]; }
  Value value(const litmus::Operand& operand) const {
    if (const auto* reg = std::get_if<litmus::RegisterId>(&operand)) return self().registers[reg->index];
    return std::get<Value>(operand);
  }
};

namespace {

bool holds(const litmus::Comparison& condition, const Value& left, const Value& right) {
  const auto result = litmus::compute(litmus::as_compute(condition.op), litmus::Type::s32, left, right);
  return result && *result != Value{};
}

std::string why_not(const litmus::LitmusTest& test, const litmus::Instruction& instruction) {
  if (std::holds_alternative<litmus::Barrier>(instruction.operation)) return "a loop that writes, beside a barrier";
  const litmus::Access* access = litmus::access_of(instruction);
  if (access == nullptr) return {};
  const bool exclusive = access->tags.has(litmus::Tag::exclusive);
  if (!access->address.location || access->address.index || access->address.offset != 0) {
    return "a loop that writes, beside a computed address";
  }
  const litmus::Location& location = test[litmus::physical_location(test, *access->address.location)];
  if (litmus::size_in_bytes(access->type) != litmus::size_in_bytes(location.type)) {
    return "a loop that writes, beside an access of part of a location";
  }
  return exclusive ? "a loop that writes, beside exclusive accesses" : "";
}

}  // namespace

Machine::Machine(const litmus::LitmusTest& test) : test_(test), shared_(test) {
  for (std::uint32_t t = 0; t < test.threads.size(); ++t) {
    spins_.emplace_back(test, litmus::ThreadId{t}, shared_);
    std::map<std::string_view, std::size_t> labels;
    const std::vector<litmus::Instruction>& code = test.threads[t].instructions;
    for (std::size_t i = 0; i < code.size(); ++i) {
      if (const auto* label = std::get_if<litmus::Label>(&code[i].operation)) labels[label->name] = i;
      if (refusal_.empty()) refusal_ = why_not(test, code[i]);
      const auto* rmw = std::get_if<litmus::Rmw>(&code[i].operation);
      exact_ = exact_ && (rmw == nullptr || !rmw->may_fail);
    }
    std::vector<std::size_t>& targets = targets_.emplace_back(code.size());
    for (std::size_t i = 0; i < code.size(); ++i) {
      if (const auto* branch = std::get_if<litmus::Branch>(&code[i].operation)) targets[i] = labels.at(branch->label);
    }
  }
}

MachineState Machine::start() const {
  MachineState state;
  for (const litmus::Location& location : test_.locations) {
    state.memory.push_back(litmus::wrap(location.initial, location.type));
  }
  for (const litmus::Thread& thread : test_.threads) {
    MachineState::ThreadState& self = state.threads.emplace_back();
    for (const litmus::Register& reg : thread.registers) self.registers.push_back(litmus::wrap(reg.initial, reg.type));
  }
  for (std::size_t t = 0; t < threads(); ++t) forget_dead(state, t);
  return state;
}

bool Machine::has_finished(const MachineState& state, std::size_t thread) const {
  return state.threads[thread].next >= test_.threads[thread].instructions.size();
}

void Machine::forget_dead(MachineState& state, std::size_t thread) const {
  MachineState::ThreadState& self = state.threads[thread];
  for (std::size_t i = 0; i < self.registers.size(); ++i) {
    if (!spins_[thread].is_live(self.next, i)) self.registers[i] = {};
  }
}

std::optional<MachineState> Machine::step(const MachineState& state, std::size_t thread) const {
  if (has_finished(state, thread)) return std::nullopt;
  MachineState after = state;
  Run run{after, thread};
  after.threads[thread].started = true;
  while (!has_finished(after, thread) && goes_on(run)) {
  }
  if (run.broken) return std::nullopt;
  forget_dead(after, thread);
  return after;
}

std::optional<Machine::ReadValue> Machine::read_by(const MachineState& state, std::size_t thread) const {
  MachineState after = state;
  Run run{after, thread};
  while (!has_finished(after, thread) && goes_on(run)) {
  }
  return run.read;
}

std::optional<litmus::LocationId> Machine::store_by(const MachineState& state, std::size_t thread) const {
  MachineState after = state;
  Run run{after, thread};
  while (!has_finished(after, thread) && goes_on(run)) {
  }
  return run.stored;
}

// Runs one instruction; false if the step ends with it.
bool Machine::goes_on(Run& run) const {
  MachineState::ThreadState& self = run.self();
  const std::size_t index = self.next++;
  const litmus::Thread& code = test_.threads[run.thread];
  const litmus::Instruction& instruction = code.instructions[index];
  if (instruction.guard) {
    const bool zero = self.registers[instruction.guard->predicate.index] == Value{};
    if (zero != instruction.guard->negated) return true;
  }
  auto assign = [&](litmus::RegisterId target, const std::optional<Value>& value) {
    run.broken = run.broken || !value;
    if (value) self.registers[target.index] = litmus::wrap(*value, code.registers[target.index].type);
  };
  if (const auto* compute = std::get_if<litmus::Compute>(&instruction.operation)) {
    const Value left = run.value(compute->left);
    const litmus::Type type = code.registers[compute->target.index].type;
    assign(compute->target,
           litmus::compute(compute->op, type, left, compute->right ? run.value(*compute->right) : left));
    return !run.broken;
  }
  if (const auto* select = std::get_if<litmus::Select>(&instruction.operation)) {
    const bool yes = holds(select->condition, run.value(select->condition.left), run.value(select->condition.right));
    assign(select->target, run.value(yes ? select->yes : select->no));
    return true;
  }
  if (const auto* branch = std::get_if<litmus::Branch>(&instruction.operation)) {
    const std::optional<litmus::Comparison>& condition = branch->condition;
    if (condition && !holds(*condition, run.value(condition->left), run.value(condition->right))) return true;
    self.next = targets_[run.thread][index];
    return self.next > index;
  }
  return !access(run, instruction);
}

// Does the instruction if it is an access; false if it is something else.
bool Machine::access(Run& run, const litmus::Instruction& instruction) const {
  const litmus::Access* access = litmus::access_of(instruction);
  if (access == nullptr) return false;
  MachineState::ThreadState& self = run.self();
  const litmus::LocationId location = litmus::physical_location(test_, *access->address.location);
  Value& memory = run.state.memory[location.index];
  const Value old = litmus::wrap(memory, access->type);
  auto assign = [&](const std::optional<litmus::RegisterId>& target, const Value& value) {
    if (!target) return;
    const litmus::Type type = test_.threads[run.thread].registers[target->index].type;
    self.registers[target->index] = litmus::wrap(value, type);
  };
  if (const auto* store = std::get_if<litmus::Store>(&instruction.operation)) {
    memory = litmus::wrap(run.value(store->value), access->type);
    run.stored = location;
    return true;
  }
  run.read = ReadValue{self.next - 1, location, old};
  if (const auto* load = std::get_if<litmus::Load>(&instruction.operation)) {
    assign(load->target, old);
    return true;
  }
  const auto& rmw = std::get<litmus::Rmw>(instruction.operation);
  const bool succeeds = !rmw.expected || litmus::wrap(run.value(*rmw.expected), access->type) == old;
  if (succeeds) {
    const std::optional<Value> stored =
        litmus::modify(rmw.op, access->type, old, litmus::wrap(run.value(rmw.operand), access->type));
    run.broken = run.broken || !stored;
    if (stored) memory = litmus::wrap(*stored, access->type);
  }
  assign(rmw.target, old);
  assign(rmw.success, litmus::integer(succeeds ? 1 : 0));
  return true;
}

}  // namespace weakspot::model
