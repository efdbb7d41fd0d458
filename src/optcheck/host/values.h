// SPDX-License-Identifier: MIT
// What is known of the values in registers of compiled code: numbers, places in the frame of the function, arguments of
// the function that is followed.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "codegen/cpu_program.h"
#include "optcheck/host/object_code.h"

namespace weakspot::optcheck {

struct HostValue {
  enum class Kind : std::uint8_t { unknown, number, frame, argument };
  Kind kind = Kind::unknown;
  std::int64_t number = 0;  // of an argument: which one

  friend bool operator==(const HostValue&, const HostValue&) = default;
};
using HostKind = HostValue::Kind;
using HostValues = std::array<HostValue, kCpuRegisters>;

// The registers that hold a function's arguments, and the one of its result.
const std::vector<Register>& argument_registers(codegen::CpuIsa isa);
// Those that a function may change.
const std::vector<Register>& scratch_registers(codegen::CpuIsa isa);
Register stack_pointer(codegen::CpuIsa isa);

// At the entry of a function: arguments by number, or unknown.
HostValues values_at_entry(codegen::CpuIsa isa, bool arguments);

// Applies an instruction that is not a call.
void apply(codegen::CpuIsa isa, const AnyInstruction& instruction, HostValues& values);
// What is left after a call.
void apply_call(codegen::CpuIsa isa, HostValues& values);

// Where an address leads.
HostValue address_of(const CpuAddress& address, const HostValues& values);

// Before each instruction of a function, whichever way led there.
std::vector<std::optional<HostValues>> values_in(codegen::CpuIsa isa, const ObjectFunction& function);

}  // namespace weakspot::optcheck
