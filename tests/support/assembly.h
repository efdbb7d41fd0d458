// SPDX-License-Identifier: MIT
// Helpers for the tests of the assembly dialects.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "litmus/dialect.h"
#include "support/read_one.h"

namespace weakspot::litmus {

using tests::mistakes_in;
using tests::read_one;

inline std::string canonical(const LitmusTest& test) { return *print(test, Dialect::canonical); }

// The canonical form of a test of one thread on one line: the initial state, if there is any to tell, and the
// instructions.
inline std::string only_thread(const LitmusTest& test) {
  std::string text = canonical(test);
  text = text.substr(text.find('\n', text.find("Arch=")) + 1);
  text = text.substr(0, text.rfind("forall"));
  std::string result;
  bool blank = false;
  for (char c : text) {
    if (c == ' ' || c == '\n') {
      blank = true;
      continue;
    }
    if (blank && !result.empty() && c != ';') result += ' ';
    blank = false;
    result += c;
  }
  const std::size_t header = result.find("P0;");
  if (header != std::string::npos) result.erase(header, 4);
  return result;
}

// Code as written, and the code expected of it.
struct Case {
  std::string_view code;
  std::string_view expected;
};

inline void expect_round_trip(const LitmusTest& test, Dialect dialect) {
  base::Result<LitmusTest> adapted = adapt(test, dialect);
  ASSERT_TRUE(adapted.ok()) << base::render(adapted.errors());
  base::Result<std::string> text = print(test, dialect);
  ASSERT_TRUE(text.ok()) << base::render(text.errors());
  EXPECT_EQ(canonical(read_one(*text)), canonical(*adapted)) << *text;
  EXPECT_TRUE(read_one(*text) == *adapted) << *text;
}

}  // namespace weakspot::litmus
