// SPDX-License-Identifier: MIT
#include "litmus/assembly/assembly.h"

namespace weakspot::litmus {

Type type_of_size(int bytes) {
  switch (bytes) {
    case 1:
      return Type::u8;
    case 2:
      return Type::u16;
    case 4:
      return Type::s32;
    default:
      return Type::s64;
  }
}

bool fills_upper_half(const Compute& compute) {
  if (is_comparison(compute.op)) return false;
  if (compute.op == ComputeOp::xor_ && compute.left == *compute.right) return false;
  const auto* right = compute.right ? std::get_if<Value>(&*compute.right) : nullptr;
  return !(compute.op == ComputeOp::and_ && right != nullptr && !right->base && right->number >= 0 &&
           right->number <= INT32_MAX);
}

std::string upper(std::string_view text) {
  std::string result(text);
  for (char& c : result) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return result;
}

}  // namespace weakspot::litmus
