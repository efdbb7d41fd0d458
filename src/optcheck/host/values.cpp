// SPDX-License-Identifier: MIT
#include "optcheck/host/values.h"

#include <algorithm>

namespace weakspot::optcheck {

using codegen::CpuIsa;

namespace {

HostValue cut_to(HostValue value, int bytes) {
  if (value.kind == HostKind::number && bytes == 4) value.number = static_cast<std::uint32_t>(value.number);
  return value;
}

HostValue add(const HostValue& a, const HostValue& b) {
  if (a.kind == HostKind::frame || b.kind == HostKind::frame) return {HostKind::frame, 0};
  if (a.kind == HostKind::number && b.kind == HostKind::number) return {HostKind::number, a.number + b.number};
  if (a.kind == HostKind::number && a.number == 0) return b;
  if (b.kind == HostKind::number && b.number == 0) return a;
  return {};
}

HostValue evaluate(const CpuSum& sum, const HostValues& values) {
  if (sum.insert || sum.left) return {};
  HostValue result{HostKind::number, sum.constant};
  for (const Register reg : sum.added) result = add(result, values[reg]);
  return result;
}

}  // namespace

const std::vector<Register>& argument_registers(CpuIsa isa) {
  static const std::vector<Register> kArm = {0, 1, 2, 3, 4, 5, 6, 7};
  static const std::vector<Register> kIntel = {7, 6, 2, 1, 8, 9};
  return isa == CpuIsa::aarch64 ? kArm : kIntel;
}

const std::vector<Register>& scratch_registers(CpuIsa isa) {
  static const std::vector<Register> kArm = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,
                                             10, 11, 12, 13, 14, 15, 16, 17, 18, kFlagsRegister};
  static const std::vector<Register> kIntel = {0, 1, 2, 6, 7, 8, 9, 10, 11, kFlagsRegister};
  return isa == CpuIsa::aarch64 ? kArm : kIntel;
}

Register stack_pointer(CpuIsa isa) { return isa == CpuIsa::aarch64 ? kStackRegister : Register{4}; }

HostValues values_at_entry(CpuIsa isa, bool arguments) {
  HostValues values{};
  values[stack_pointer(isa)] = {HostKind::frame, 0};
  values[kZeroRegister] = {HostKind::number, 0};
  if (!arguments) return values;
  const std::vector<Register>& registers = argument_registers(isa);
  for (std::size_t i = 0; i < registers.size(); ++i) {
    values[registers[i]] = {HostKind::argument, static_cast<std::int64_t>(i)};
  }
  return values;
}

void apply(CpuIsa isa, const AnyInstruction& instruction, HostValues& values) {
  const CpuDecoded& code = instruction.code;
  HostValue result;
  if (code.sum) result = cut_to(evaluate(*code.sum, values), code.bytes);
  for (const Register reg : code.step.writes) {
    const bool counted = instruction.moves_base && reg == code.address->base && values[reg].kind == HostKind::frame;
    if (!counted) values[reg] = {};
  }
  if (code.sum && code.sum->target != kZeroRegister) values[code.sum->target] = result;
  values[kZeroRegister] = {HostKind::number, 0};
  values[stack_pointer(isa)] = {HostKind::frame, 0};  // whatever is done to it
}

void apply_call(CpuIsa isa, HostValues& values) {
  for (const Register reg : scratch_registers(isa)) values[reg] = {};
}

HostValue address_of(const CpuAddress& address, const HostValues& values) {
  HostValue value = values[address.base];
  if (address.index) value = add(value, values[*address.index]);
  return value;
}

std::vector<std::optional<HostValues>> values_in(CpuIsa isa, const ObjectFunction& function) {
  std::vector<std::optional<HostValues>> before(function.code.size() + 1);
  bool changes = true;
  auto reach = [&](std::size_t i, const HostValues& values) {
    if (!before[i]) {
      before[i] = values;
      changes = true;
      return;
    }
    for (std::size_t r = 0; r < values.size(); ++r) {
      HostValue& known = (*before[i])[r];
      if (known == values[r] || known.kind == HostKind::unknown) continue;
      known = {};
      changes = true;
    }
  };
  if (!function.code.empty()) before[0] = values_at_entry(isa, false);
  while (changes) {
    changes = false;
    for (std::size_t i = 0; i < function.code.size(); ++i) {
      if (!before[i]) continue;
      HostValues values = *before[i];
      const AnyInstruction& any = function.code[i].any;
      any.call || any.leaves ? apply_call(isa, values) : apply(isa, any, values);
      if (any.code.step.falls_through) reach(i + 1, values);
      if (!any.code.jump) continue;
      if (const auto target = function.number_at(*any.code.jump)) reach(*target, values);
    }
  }
  return before;
}

}  // namespace weakspot::optcheck
