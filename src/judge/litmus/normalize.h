// SPDX-License-Identifier: MIT
// Brings a test into normal form, in which equal tests are equal values, and checks that it makes sense.
#pragma once

#include "base/result.h"
#include "litmus/test.h"

namespace weakspot::litmus {

// Idempotent. Never changes the set of executions under any model:
//  - an address held by a register that is never written becomes the location itself;
//  - a constant held by a register that is written once, by a mov before any branch or label, or never, and that is
//    not observed, becomes an immediate operand;
//  - registers that nothing uses or observes disappear; the others are numbered by first use in program order, those
//    only observed last, by name; locations likewise, by thread, then those that they name as initial value or alias;
//  - fields that a kind of fence does not use have their defaults; a description neither starts nor ends with a
//  newline;
//  - plain accesses that are neither available nor visible have scope device; also_observed is sorted and leaves out
//    what the condition observes.
void normalize(LitmusTest& test);

// The first step of normalize(), for readers that must know locations before the test is complete: registers that are
// never written are replaced by their values.
void inline_constant_registers(LitmusTest& test);

// Checks the rules for every test (labels exist, orders fit the instruction, scopes fit the tree, values fit types,
// ...). Returns one message per mistake, with the span of its cause.
struct Mistake {
  base::Span span;
  std::string message;
};
std::vector<Mistake> validate(const LitmusTest& test);

// validate(), normalize() and validate() again; the mistakes become diagnostics that point into `source`.
base::Result<LitmusTest> finish(LitmusTest test, const base::Source& source);

}  // namespace weakspot::litmus
