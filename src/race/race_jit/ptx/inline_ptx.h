// SPDX-License-Identifier: MIT
// Parses the PTX of inline assembly into instructions, as far as that needs no types. lower_ptx.cpp gives them their
// meaning.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weakspot::race_jit {

struct PtxOperand {
  enum class Kind { assembly, name, number, real, address, vector };
  Kind kind = Kind::name;
  unsigned index = 0;        // operand of the assembly, $0 and so on; also the base of such an address
  std::string name;          // a register, special (%tid.x) or declared in the text; also the base of an address
  long long number = 0;      // or the offset of an address; 0f3f800000 is its bits
  double real = 0;           // 0.5, which takes the type of the instruction
  bool base_is_name = true;  // for an address
  std::vector<PtxOperand> elements;  // parts of a vector, {a, b}, or behind an address, [a, {b}]
};

struct PtxInstruction {
  std::string guard;                // "p" or "!p" of "@p", empty if there is none
  std::vector<std::string> opcode;  // {"ld", "acquire", "gpu", "u32"}
  std::vector<PtxOperand> operands;
  // Whether the dotted name has this word after the first.
  bool has(std::string_view word) const;
};

// Declarations of registers and braces are skipped; nothing if the text is not understood.
std::optional<std::vector<PtxInstruction>> parse_inline_ptx(std::string_view text);

// The elements of a vector, or the operand itself.
std::vector<PtxOperand> ptx_elements(const PtxOperand& operand);

std::string ptx_without_comments(std::string_view text);

// "u32", "b64", "f32": the last word of the name that is a type; its size in bytes, 0 if there is none.
unsigned ptx_type_size(const PtxInstruction& instruction);

}  // namespace weakspot::race_jit
