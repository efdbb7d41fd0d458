// SPDX-License-Identifier: MIT
#include "questions/dependency.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "litmus/test.h"
#include "litmus/visit.h"

namespace weakspot::questions {
namespace {

using litmus::Instruction;
using litmus::LitmusTest;
using Kind = Dependency::Kind;

bool has_dependencies(litmus::Arch arch) { return arch == litmus::Arch::aarch64 || arch == litmus::Arch::riscv; }

// The register that a load, or a read-modify-write, loads into.
std::optional<litmus::RegisterId> loaded(const Instruction& instruction) {
  if (const auto* load = std::get_if<litmus::Load>(&instruction.operation)) return load->target;
  const auto* rmw = std::get_if<litmus::Rmw>(&instruction.operation);
  return rmw == nullptr ? std::nullopt : rmw->target;
}

bool jumps(const Instruction& instruction) {
  return std::holds_alternative<litmus::Branch>(instruction.operation) ||
         std::holds_alternative<litmus::Label>(instruction.operation);
}

bool writes(const Instruction& instruction, litmus::RegisterId reg) {
  bool found = false;
  litmus::for_each_written(instruction, [&](const litmus::RegisterId& written) { found = found || written == reg; });
  return found;
}

// Whether the thread runs straight from the load to the access without losing the loaded value of the register.
bool survives(const std::vector<Instruction>& code, std::uint32_t load, std::uint32_t access, litmus::RegisterId reg) {
  return std::none_of(code.begin() + load + 1, code.begin() + access, [&](const Instruction& between) {
    return jumps(between) || between.guard || writes(between, reg);
  });
}

// A register that the thread does not use, with a name of the machine's.
litmus::RegisterId fresh_register(const LitmusTest& test, litmus::Thread& thread, litmus::Type type) {
  const char letter = test.arch == litmus::Arch::aarch64 ? 'X' : 'x';
  for (int number = 12;; ++number) {
    const std::string name = fmt::format("{}{}", letter, number);
    const bool used = std::any_of(thread.registers.begin(), thread.registers.end(),
                                  [&](const litmus::Register& reg) { return reg.name == name; });
    if (used) continue;
    litmus::Register& made = thread.registers.emplace_back();
    made.name = name;
    made.type = type;
    return {static_cast<std::uint32_t>(thread.registers.size() - 1)};
  }
}

Instruction compute(litmus::ComputeOp op, litmus::RegisterId target, litmus::Operand left, litmus::Operand right) {
  return {litmus::Compute{op, target, left, right}, {}, {}};
}

// The machine adds a register to an address, or the sum is computed before.
void depend_by_address(litmus::Arch arch, litmus::Address& address, litmus::RegisterId zero,
                       std::vector<Instruction>& before) {
  if (address.index) {  // depends on another load already
    before.push_back(compute(litmus::ComputeOp::add, zero, zero, *address.index));
  } else if (arch == litmus::Arch::riscv) {
    before.push_back(compute(litmus::ComputeOp::add, zero, litmus::address_of(*address.location), zero));
    address.location.reset();
  }
  address.index = zero;
}

void branch_on(litmus::RegisterId reg, const Dependency& dependency, std::vector<Instruction>& before) {
  const std::string label = fmt::format("LD{}", dependency.load);
  const litmus::Comparison not_zero{litmus::CompareOp::ne, reg, litmus::integer(0)};
  before.push_back({litmus::Branch{label, not_zero}, {}, {}});
  before.push_back({litmus::Label{label}, {}, {}});
  if (dependency.kind != Kind::control_fence) return;
  litmus::Fence isb;
  isb.kind = litmus::FenceKind::isb;
  before.push_back({isb, {}, {}});
}

}  // namespace

std::string_view to_string(Kind kind) {
  switch (kind) {
    case Kind::data:
      return "data";
    case Kind::address:
      return "address";
    case Kind::control:
      return "control";
    case Kind::control_fence:
      return "control-isb";
  }
  return "data";
}

std::vector<std::vector<Dependency>> possible_dependencies(const LitmusTest& test, litmus::ThreadId thread,
                                                           std::uint32_t access) {
  std::vector<std::vector<Dependency>> groups;
  if (!has_dependencies(test.arch)) return groups;
  const std::vector<Instruction>& code = test[thread].instructions;
  const litmus::Access* to = litmus::access_of(code[access]);
  const auto* store = std::get_if<litmus::Store>(&code[access].operation);
  for (std::uint32_t load = 0; load < access; ++load) {
    const std::optional<litmus::RegisterId> reg = loaded(code[load]);
    if (!reg || !survives(code, load, access, *reg)) continue;
    std::vector<Dependency> values;
    if (store != nullptr) values.push_back({Kind::data, load});
    if (to->address.location && !to->address.index) values.push_back({Kind::address, load});
    if (!values.empty()) groups.push_back(values);
    // The nearest access behind the branch: all others follow as well.
    const bool next = std::none_of(code.begin() + load + 1, code.begin() + access,
                                   [](const Instruction& between) { return litmus::access_of(between) != nullptr; });
    if (!next) continue;
    groups.push_back({{Kind::control, load}});
    if (test.arch == litmus::Arch::aarch64) groups.back().push_back({Kind::control_fence, load});
  }
  return groups;
}

std::uint32_t add_dependency(LitmusTest& test, litmus::ThreadId thread, std::uint32_t access,
                             const Dependency& dependency) {
  litmus::Thread& own = test.threads[thread.index];
  const litmus::RegisterId reg = *loaded(own.instructions[dependency.load]);
  std::vector<Instruction> before;
  if (dependency.kind == Kind::control || dependency.kind == Kind::control_fence) {
    branch_on(reg, dependency, before);
  } else {
    const litmus::RegisterId zero = fresh_register(test, own, own.registers[reg.index].type);
    before.push_back(compute(litmus::ComputeOp::xor_, zero, reg, reg));
    Instruction& dependent = own.instructions[access];
    if (dependency.kind == Kind::address) {
      depend_by_address(test.arch, litmus::access_of(dependent)->address, zero, before);
    } else {
      auto& store = std::get<litmus::Store>(dependent.operation);
      before.push_back(compute(litmus::ComputeOp::add, zero, zero, store.value));
      store.value = zero;
    }
  }
  own.instructions.insert(own.instructions.begin() + access, before.begin(), before.end());
  return static_cast<std::uint32_t>(before.size());
}

}  // namespace weakspot::questions
