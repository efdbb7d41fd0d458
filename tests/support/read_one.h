// SPDX-License-Identifier: MIT
// Tests from literal text. Nothing here needs GoogleTest, so benchmarks use it as well.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "base/diagnostic.h"
#include "base/source.h"
#include "litmus/dialect.h"

namespace weakspot::tests {

// The only test of a text, of any dialect, that must be right. Throws the mistakes otherwise: GoogleTest and RapidCheck
// report an exception as a failure of the case.
inline litmus::LitmusTest read_one(const std::string& text) {
  base::Result<std::vector<litmus::LitmusTest>> tests = litmus::read_tests(base::Source("t.litmus", text));
  if (!tests) throw std::runtime_error(base::render(tests.errors()) + text);
  if (tests->size() != 1) throw std::runtime_error("expected one test, found " + std::to_string(tests->size()));
  return std::move(tests->front());
}

// The messages of the mistakes in a text, a line each; empty if it has none.
inline std::string mistakes_in(const std::string& text) {
  const base::Result<std::vector<litmus::LitmusTest>> tests = litmus::read_tests(base::Source("t.litmus", text));
  std::string lines;
  if (!tests) {
    for (const base::Diagnostic& one : tests.errors()) lines += one.message + "\n";
  }
  return lines;
}

}  // namespace weakspot::tests
