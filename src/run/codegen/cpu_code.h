// SPDX-License-Identifier: MIT
// Machine code as a plain value: instructions of AArch64 or x86-64 under the names their manuals give them, with
// machine registers already chosen. codegen writes it, a CPU device encodes it, and print_cpu() shows it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "codegen/device_program.h"

namespace weakspot::codegen {

// A general register by its number in instruction encodings. On AArch64 number 31 is the zero register; as the base of
// an address, or with kStackPointerBytes, it is the stack pointer.
inline constexpr std::uint8_t kStackPointerBytes = 16;
struct CpuRegister {
  std::uint8_t number = 0;
  std::uint8_t bytes = 8;
  friend bool operator==(const CpuRegister&, const CpuRegister&) = default;
};

// [base + index + displacement]; always with a 64-bit base, and `bytes` wide.
struct CpuMemory {
  static constexpr std::uint8_t kNoIndex = 0xff;
  std::uint8_t base = 0;
  std::uint8_t index = kNoIndex;
  std::int32_t displacement = 0;
  std::uint8_t bytes = 4;
  friend bool operator==(const CpuMemory&, const CpuMemory&) = default;
};

struct CpuImmediate {
  std::int64_t value = 0;
  friend bool operator==(const CpuImmediate&, const CpuImmediate&) = default;
};

struct CpuLabel {
  std::uint32_t number = 0;
  friend bool operator==(const CpuLabel&, const CpuLabel&) = default;
};

// A condition (eq ne lt le gt ge) or the domain of a barrier (sy ish ishld ...), by name.
struct CpuWord {
  std::string_view name;  // a literal
  friend bool operator==(const CpuWord&, const CpuWord&) = default;
};

using CpuOperand = std::variant<CpuRegister, CpuMemory, CpuImmediate, CpuLabel, CpuWord>;

// `mnemonic` in lower case; conditional branches of AArch64 as "b.eq", locked instructions of x86 as "lock xadd".
// "label" with a CpuLabel marks a place in the code.
struct CpuInstruction {
  std::string mnemonic;
  std::vector<CpuOperand> operands;
  friend bool operator==(const CpuInstruction&, const CpuInstruction&) = default;
};

using CpuCode = std::vector<CpuInstruction>;

std::string_view to_string(CpuIsa isa);  // AArch64 x86-64
std::string register_name(CpuIsa isa, CpuRegister reg);

// One instruction per line, target operand first, as in the manuals of Arm and Intel.
std::string print_cpu(CpuIsa isa, const CpuCode& code);

}  // namespace weakspot::codegen
