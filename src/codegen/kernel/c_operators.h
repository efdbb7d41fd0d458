// The operators that languages of C's family share, for their printers.
#pragma once

#include <string_view>

#include "base/check.h"
#include "codegen/kernel/kernel.h"

namespace weakspot::codegen {

// Of two operands; a product that widens is a product of operands that were widened.
inline std::string_view infix(Op op) {
  switch (op) {
    case Op::add:
      return "+";
    case Op::sub:
      return "-";
    case Op::mul:
    case Op::mul_wide:
      return "*";
    case Op::div:
      return "/";
    case Op::rem:
      return "%";
    case Op::and_:
      return "&";
    case Op::or_:
      return "|";
    case Op::xor_:
      return "^";
    case Op::eq:
      return "==";
    case Op::ne:
      return "!=";
    case Op::lt:
    case Op::lt_signed:
      return "<";
    case Op::le:
    case Op::le_signed:
      return "<=";
    default:
      WEAKSPOT_CHECK(false);
      return {};
  }
}

}  // namespace weakspot::codegen
