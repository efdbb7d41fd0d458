// SPDX-License-Identifier: MIT
// A check of a model: what an execution must pass to be allowed.
#pragma once

#include <cstdint>
#include <string>

#include "base/span.h"

namespace weakspot::model {

struct Check {
  enum class Kind : std::uint8_t { acyclic, irreflexive, empty };

  std::string name;
  Kind kind = Kind::acyclic;
  bool negated = false;
  bool flag = false;       // `flag ~empty r as n`: reported, does not forbid
  bool undefined = false;  // a flag of `undefined_unless`: what it reports leaves the test without a meaning
  base::Span span;
};

}  // namespace weakspot::model
