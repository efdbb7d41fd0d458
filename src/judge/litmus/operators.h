// SPDX-License-Identifier: MIT
// The operators of read-modify-writes, computations and comparisons, with their words.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace weakspot::litmus {

enum class RmwOp : std::uint8_t { exch, add, sub, inc, dec, and_, or_, xor_, min, max, cas };

enum class ComputeOp : std::uint8_t {
  mov,
  not_,
  neg,
  add,
  sub,
  mul,
  and_,
  or_,
  xor_,
  shl,
  shr,
  eq,
  ne,
  lt,
  le,
  gt,
  ge
};
constexpr bool is_comparison(ComputeOp op) { return op >= ComputeOp::eq; }

bool is_unary(ComputeOp op);

enum class CompareOp : std::uint8_t { eq, ne, lt, le, gt, ge };

CompareOp negate(CompareOp op);
ComputeOp as_compute(CompareOp op);
CompareOp as_compare(ComputeOp op);  // is_comparison(op)

// The canonical words, also used by JSON and messages.
std::string_view to_string(RmwOp op);      // exch add sub inc dec and or xor min max cas
std::string_view to_string(ComputeOp op);  // mov not neg add ... ge
std::string_view to_string(CompareOp op);  // eq ne lt le gt ge
std::string_view symbol(CompareOp op);     // == != < <= > >=
std::optional<RmwOp> rmw_op_named(std::string_view name);
std::optional<ComputeOp> compute_op_named(std::string_view name);
std::optional<CompareOp> compare_op_named(std::string_view name);

}  // namespace weakspot::litmus
