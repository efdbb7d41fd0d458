// SPDX-License-Identifier: MIT
// The words of RISC-V that its reader and its printer share.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/names.h"
#include "litmus/fence.h"
#include "litmus/operators.h"

namespace weakspot::litmus::riscv {

inline constexpr int kRegisters = 32;  // x0 .. x31; x0 is zero

// The number of a register by its name, x5, or by its role, t0.
std::optional<int> register_number(std::string_view text);
// "x5"
std::string register_name(int number);

// The order that a suffix gives; both letters at once are sequentially consistent.
inline constexpr base::Named<Order> kOrders[] = {
    {"", Order::relaxed}, {".aq", Order::acquire}, {".rl", Order::release}, {".aqrl", Order::seq_cst}};

struct AccessWord {
  Type type = Type::s32;
  bool store = false;
  friend constexpr bool operator==(const AccessWord&, const AccessWord&) = default;
};
inline constexpr base::Named<AccessWord> kAccesses[] = {
    {"lw", {Type::s32, false}}, {"lb", {Type::s8, false}},   {"lh", {Type::s16, false}},  {"ld", {Type::s64, false}},
    {"lbu", {Type::u8, false}}, {"lhu", {Type::u16, false}}, {"lwu", {Type::u32, false}}, {"sw", {Type::s32, true}},
    {"sb", {Type::u8, true}},   {"sh", {Type::u16, true}},   {"sd", {Type::s64, true}},
};

struct AtomicOp {
  RmwOp op = RmwOp::exch;
  bool is_unsigned = false;
  friend constexpr bool operator==(const AtomicOp&, const AtomicOp&) = default;
};
inline constexpr base::Named<AtomicOp> kAtomicOps[] = {
    {"amoswap", {RmwOp::exch, false}}, {"amoadd", {RmwOp::add, false}},  {"amoand", {RmwOp::and_, false}},
    {"amoor", {RmwOp::or_, false}},    {"amoxor", {RmwOp::xor_, false}}, {"amomax", {RmwOp::max, false}},
    {"amomin", {RmwOp::min, false}},   {"amomaxu", {RmwOp::max, true}},  {"amominu", {RmwOp::min, true}},
};

inline constexpr base::Named<ComputeOp> kComputations[] = {
    {"add", ComputeOp::add}, {"sub", ComputeOp::sub},  {"and", ComputeOp::and_},
    {"or", ComputeOp::or_},  {"xor", ComputeOp::xor_}, {"mul", ComputeOp::mul},
    {"sll", ComputeOp::shl}, {"sra", ComputeOp::shr},  {"slt", ComputeOp::lt},
};

inline constexpr base::Named<CompareOp> kBranches[] = {
    {"beq", CompareOp::eq}, {"bne", CompareOp::ne}, {"blt", CompareOp::lt},
    {"ble", CompareOp::le}, {"bgt", CompareOp::gt}, {"bge", CompareOp::ge},
};

// Fences by their operands: predecessors, successors.
inline constexpr base::Named<FenceName> kFences[] = {
    {"r,r", FenceName::riscv_r_r},   {"r,w", FenceName::riscv_r_w},   {"r,rw", FenceName::riscv_r_rw},
    {"w,r", FenceName::riscv_w_r},   {"w,w", FenceName::riscv_w_w},   {"w,rw", FenceName::riscv_w_rw},
    {"rw,r", FenceName::riscv_rw_r}, {"rw,w", FenceName::riscv_rw_w}, {"rw,rw", FenceName::riscv_rw_rw},
};

}  // namespace weakspot::litmus::riscv
