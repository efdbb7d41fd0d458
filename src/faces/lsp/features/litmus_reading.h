// SPDX-License-Identifier: MIT
// The tests of a text that is being edited. A mistake in one test does not hide the others.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "base/span.h"
#include "litmus/dialect.h"
#include "litmus/instruction.h"
#include "litmus/test.h"

namespace weakspot::lsp {

struct TestInText {
  std::shared_ptr<const litmus::LitmusTest> test;
  base::Span extent;  // from its first line to the first line of the next test
  litmus::Dialect dialect = litmus::Dialect::canonical;
};

struct LitmusReading {
  std::vector<TestInText> tests;
  base::Diagnostics errors;

  const TestInText* at(std::size_t offset) const;
};

LitmusReading read_litmus(const base::Source& source);

// The beginnings of tests: lines with the first word of a dialect and a name.
std::vector<std::size_t> test_starts(std::string_view text);
// The dialect of the test around this byte, by its first word.
std::optional<litmus::Dialect> dialect_at(std::string_view text, std::size_t offset);

// The instruction around a byte, with its thread; `instruction` is null if there is none.
struct FoundInstruction {
  litmus::ThreadId thread;
  const litmus::Instruction* instruction = nullptr;
};
FoundInstruction instruction_at(const litmus::LitmusTest& test, std::size_t offset);

// The word around or just before a byte: letters, digits, '_' and '$', in every dialect.
base::Span word_at(std::string_view text, std::size_t offset);

}  // namespace weakspot::lsp
