// SPDX-License-Identifier: MIT
// Parts of a test as text in the canonical form, for messages, drawings and reports. print() writes whole tests.
#pragma once

#include <string>
#include <vector>

#include "litmus/outcome.h"
#include "litmus/test.h"

namespace weakspot::litmus {

// "5", "-1", "&x", "&x+4"
std::string value_text(const LitmusTest& test, const Value& value);
// "1:r0=1; 1:r1=0;"
std::string outcome_text(const LitmusTest& test, const Outcome& outcome);
// Whether the condition's proposition holds in the outcome.
bool satisfies(const LitmusTest& test, const Outcome& outcome);

// The same for many outcomes of one test, which must outlive it: the observed items are looked up once.
class OutcomeReader {
 public:
  explicit OutcomeReader(const LitmusTest& test);

  void append_text(std::string& text, const Outcome& outcome) const;
  bool satisfies(const Outcome& outcome) const;

 private:
  const LitmusTest& test_;
  std::vector<Observable> observed_;
  Proposition proposition_;
  std::vector<std::string> names_;
};
std::string proposition_text(const LitmusTest& test, const Proposition& proposition);
// "exists (1:r0=1 /\ 1:r1=0)"
std::string condition_line(const LitmusTest& test);
// The cells of each thread, the thread's name first.
std::vector<std::vector<std::string>> canonical_columns(const LitmusTest& test);

}  // namespace weakspot::litmus
