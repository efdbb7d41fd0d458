// SPDX-License-Identifier: MIT
#include "litmus/riscv/riscv.h"

#include <fmt/format.h>

#include "litmus/text/cursor.h"

namespace weakspot::litmus::riscv {

std::optional<int> register_number(std::string_view text) {
  static constexpr base::Named<int> kRoles[] = {
      {"zero", 0}, {"ra", 1},   {"sp", 2},  {"gp", 3},  {"tp", 4},  {"t0", 5},  {"t1", 6},  {"t2", 7},  {"s0", 8},
      {"fp", 8},   {"s1", 9},   {"a0", 10}, {"a1", 11}, {"a2", 12}, {"a3", 13}, {"a4", 14}, {"a5", 15}, {"a6", 16},
      {"a7", 17},  {"s2", 18},  {"s3", 19}, {"s4", 20}, {"s5", 21}, {"s6", 22}, {"s7", 23}, {"s8", 24}, {"s9", 25},
      {"s10", 26}, {"s11", 27}, {"t3", 28}, {"t4", 29}, {"t5", 30}, {"t6", 31},
  };
  if (std::optional<int> role = base::value_of(kRoles, text)) return role;
  if (text.size() < 2 || text.size() > 3 || text[0] != 'x' || (text.size() == 3 && text[1] == '0')) return std::nullopt;
  const std::optional<std::int64_t> number = parse_integer(text.substr(1), false);
  if (!number || *number < 0 || *number >= kRegisters) return std::nullopt;
  return static_cast<int>(*number);
}

std::string register_name(int number) { return fmt::format("x{}", number); }

}  // namespace weakspot::litmus::riscv
