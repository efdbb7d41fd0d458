// SPDX-License-Identifier: MIT
// The words of x86-64 that its reader and its printer share.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/names.h"
#include "litmus/fence.h"
#include "litmus/operators.h"

namespace weakspot::litmus::x86_64 {

// A general register by the name of its 64 bits, which is its name in the IR, and the number of bits that are meant.
struct RegisterName {
  std::string name;
  int bits = 64;
};
// Any of a register's names, in either case: RAX, eax, AX, al, R8D ...
std::optional<RegisterName> register_named(std::string_view text);
// The name of the lower `bits` (8, 16, 32 or 64) of a register.
std::string spell(const std::string& name, int bits);
// The registers in the order in which they are given out, without the stack pointer.
const std::vector<std::string>& general_registers();

inline constexpr base::Named<CompareOp> kConditions[] = {
    {"E", CompareOp::eq},   {"NE", CompareOp::ne}, {"L", CompareOp::lt},  {"LE", CompareOp::le},  {"G", CompareOp::gt},
    {"GE", CompareOp::ge},  {"Z", CompareOp::eq},  {"NZ", CompareOp::ne}, {"NGE", CompareOp::lt}, {"NG", CompareOp::le},
    {"NLE", CompareOp::gt}, {"NL", CompareOp::ge}, {"LT", CompareOp::lt}, {"GT", CompareOp::gt},  // herd7's
};

inline constexpr base::Named<FenceKind> kFences[] = {
    {"MFENCE", FenceKind::mfence}, {"SFENCE", FenceKind::sfence}, {"LFENCE", FenceKind::lfence}};

// Operations whose first operand is also the target.
inline constexpr base::Named<ComputeOp> kArithmetic[] = {
    {"ADD", ComputeOp::add}, {"SUB", ComputeOp::sub},  {"AND", ComputeOp::and_},
    {"OR", ComputeOp::or_},  {"XOR", ComputeOp::xor_}, {"IMUL", ComputeOp::mul},
    {"SHL", ComputeOp::shl}, {"SAR", ComputeOp::shr},  {"SAL", ComputeOp::shl},
};

// The arithmetic operations that may have a LOCK prefix.
inline constexpr base::Named<RmwOp> kLocked[] = {
    {"ADD", RmwOp::add}, {"SUB", RmwOp::sub}, {"AND", RmwOp::and_}, {"OR", RmwOp::or_}, {"XOR", RmwOp::xor_}};

inline constexpr base::Named<int> kSizes[] = {{"BYTE", 8}, {"WORD", 16}, {"DWORD", 32}, {"QWORD", 64}};

}  // namespace weakspot::litmus::x86_64
