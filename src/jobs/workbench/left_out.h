// SPDX-License-Identifier: MIT
// Tests that a dialect cannot express, by reason. Among many tests they are a remark, not an error.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/diagnostic.h"

namespace weakspot::workbench {

class LeftOut {
 public:
  struct Reason {
    std::string text;                // "C11 has no scopes to place threads in"
    std::vector<std::string> tests;  // in the order they came
  };

  // `why` is what litmus::print() said, at least one reason; the first counts.
  void add(const std::string& test, const base::Diagnostics& why);

  bool empty() const { return count_ == 0; }
  std::size_t count() const { return count_; }
  // The errors of the first test's printer.
  const base::Diagnostics& first() const { return first_; }
  // The most frequent one first.
  std::vector<Reason> reasons() const;

 private:
  std::size_t count_ = 0;
  base::Diagnostics first_;
  std::vector<Reason> reasons_;
};

}  // namespace weakspot::workbench
