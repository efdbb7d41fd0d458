// SPDX-License-Identifier: MIT
// Conditions over final memory, in C's words: "out[0] == 1 && (done != 0 || !(n < 3))".
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "base/span.h"
#include "prove/prove.h"
#include "residual/residual.h"

namespace weakspot::prove {

// A part of a condition in postfix order: each operator follows its operands.
struct AssertionPart {
  enum class Kind : std::uint8_t { name, number, compare, both, either, negation };
  Kind kind = Kind::number;
  race::NamedLocation name;
  base::Span span;  // of the name, in the condition's source
  std::int64_t number = 0;
  std::string op;  // == != < <= > >=
};
using Assertion = std::vector<AssertionPart>;

base::Result<Assertion> read_assertion(const Condition& condition);

}  // namespace weakspot::prove
