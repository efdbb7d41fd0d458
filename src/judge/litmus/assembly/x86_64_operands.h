// SPDX-License-Identifier: MIT
// The operands of x86-64 instructions in both spellings: `MOV EAX,[x]`, target first, and `movl (x),%eax`, target last.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "litmus/assembly/assembly_reader.h"

namespace weakspot::litmus::x86_64 {

struct X86Operand {
  enum class Kind : std::uint8_t { reg, immediate, memory };
  Kind kind = Kind::immediate;
  base::Span span;
  int bits = 0;  // the width of the register, or the width given for a memory operand; 0: not given
  RegisterId reg;
  Value value;
  // memory: location + base + index + offset
  std::optional<LocationId> location;
  std::optional<RegisterId> base;
  std::optional<RegisterId> index;
  bool narrow_index = false;  // the index, if there is one, has 32 bits
  std::int64_t offset = 0;

  bool is_register() const { return kind == Kind::reg; }
  bool is_memory() const { return kind == Kind::memory; }
};

class X86Operands : public AssemblyDialect {
 public:
  Arch arch() const override { return Arch::x86_64; }
  std::optional<std::string> register_name(std::string_view text) const override;

 protected:
  std::vector<std::string> spare_registers() const override;
  bool two_operands() const override { return true; }

  // The operands to the end of the cell, target first; nullopt after a mistake.
  std::optional<std::vector<X86Operand>> operands(Cursor& cursor, TestBuilder& builder, ThreadId thread);

 private:
  struct Reading;
};

}  // namespace weakspot::litmus::x86_64
