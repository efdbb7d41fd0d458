// SPDX-License-Identifier: MIT
// The tests of a text that is being written: those without mistakes are known even while others have some.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "base/source.h"
#include "litmus/dialect.h"
#include "litmus/test.h"

namespace weakspot::lsp {

struct TestInText {
  std::shared_ptr<const litmus::LitmusTest> test;
  base::Span extent;  // from its first line to the first one of the next test
  litmus::Dialect dialect = litmus::Dialect::canonical;
};

struct LitmusReading {
  std::vector<TestInText> tests;
  base::Diagnostics errors;

  const TestInText* at(std::size_t offset) const;
};

LitmusReading read_litmus(const base::Source& source);

// Where tests begin: lines with the first word of a dialect and a name.
std::vector<std::size_t> test_starts(std::string_view text);
// The dialect of the test around this byte, by its first word.
std::optional<litmus::Dialect> dialect_at(std::string_view text, std::size_t offset);

// The instruction around a byte, and its thread; none if there is none.
struct FoundInstruction {
  litmus::ThreadId thread;
  const litmus::Instruction* instruction = nullptr;
};
FoundInstruction instruction_at(const litmus::LitmusTest& test, std::size_t offset);

// A word as all dialects have them, around or just before a byte: letters, digits, '_' and '$'.
base::Span word_at(std::string_view text, std::size_t offset);

}  // namespace weakspot::lsp
