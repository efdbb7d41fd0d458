// SPDX-License-Identifier: MIT
#include "lsp/features/litmus_reading.h"

#include <algorithm>

#include "base/names.h"
#include "base/source.h"
#include "litmus/instruction.h"

namespace weakspot::lsp {
namespace {

using litmus::Dialect;

// The most bytes to read when tests are read one by one. Each reading goes over a text of full length, so the cost is
// the number of tests times the length.
constexpr std::size_t kMostReadAlone = std::size_t{16} << 20;

bool is_blank_character(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

std::string_view line_at(std::string_view text, std::size_t begin) {
  return text.substr(begin, std::min(text.find('\n', begin), text.size()) - begin);
}

std::optional<Dialect> dialect_of_line(std::string_view line) {
  while (!line.empty() && is_blank_character(line.front())) line.remove_prefix(1);
  const std::size_t end = line.find(' ');
  if (end == std::string_view::npos || line.find_first_not_of(' ', end) == std::string_view::npos) return std::nullopt;
  return base::value_of(litmus::kFirstWords, line.substr(0, end));
}

std::size_t line_begin(std::string_view text, std::size_t offset) {
  const std::size_t end = offset == 0 ? std::string_view::npos : text.rfind('\n', offset - 1);
  return end == std::string_view::npos ? 0 : end + 1;
}

Dialect dialect_of_test(std::string_view text, const litmus::LitmusTest& test, std::size_t begin) {
  const std::optional<Dialect> written = dialect_of_line(line_at(text, begin));
  if (!written) return text.starts_with('{') || text.starts_with('[') ? Dialect::json : litmus::dialect_of(test.arch);
  return *written == Dialect::c11 && test.arch == litmus::Arch::linux_kernel ? Dialect::linux_kernel : *written;
}

void add_tests(std::vector<litmus::LitmusTest>&& tests, const base::Source& source, LitmusReading& reading) {
  for (litmus::LitmusTest& test : tests) {
    const auto begin = static_cast<std::uint32_t>(line_begin(source.text(), test.span.begin));
    const Dialect dialect = dialect_of_test(source.text(), test, begin);
    reading.tests.push_back({std::make_shared<const litmus::LitmusTest>(std::move(test)), {begin, begin}, dialect});
  }
}

// Reads each test with the rest of the text blanked out, so that spans keep their offsets.
void read_one_by_one(const base::Source& source, LitmusReading& reading) {
  const std::vector<std::size_t> starts = test_starts(source.text());
  if (starts.size() < 2 || starts.size() * source.text().size() > kMostReadAlone) return;
  std::string blank(source.text());
  std::replace_if(blank.begin(), blank.end(), [](char c) { return c != '\n'; }, ' ');
  for (std::size_t i = 0; i < starts.size(); ++i) {
    const std::size_t end = i + 1 < starts.size() ? starts[i + 1] : source.text().size();
    std::string alone = blank;
    alone.replace(starts[i], end - starts[i], source.text().substr(starts[i], end - starts[i]));
    auto tests = litmus::read_tests(base::Source(source.name(), std::move(alone)));
    if (tests) add_tests(std::move(*tests), source, reading);
  }
}

}  // namespace

const TestInText* LitmusReading::at(std::size_t offset) const {
  // On the border of two tests, the second one counts.
  const auto found = std::find_if(tests.rbegin(), tests.rend(), [&](const TestInText& test) {
    return offset >= test.extent.begin && offset <= test.extent.end;
  });
  return found == tests.rend() ? nullptr : &*found;
}

LitmusReading read_litmus(const base::Source& source) {
  LitmusReading reading;
  auto tests = litmus::read_tests(source);
  if (tests) {
    add_tests(std::move(*tests), source, reading);
  } else {
    reading.errors = tests.errors();
    read_one_by_one(source, reading);
  }
  const std::vector<std::size_t> starts = test_starts(source.text());
  for (TestInText& test : reading.tests) {
    const auto next = std::upper_bound(starts.begin(), starts.end(), test.extent.begin);
    test.extent.end = static_cast<std::uint32_t>(next == starts.end() ? source.text().size() : *next);
  }
  return reading;
}

std::vector<std::size_t> test_starts(std::string_view text) {
  std::vector<std::size_t> starts;
  for (std::size_t at = 0; at < text.size();) {
    if (!is_blank_character(text[at]) && dialect_of_line(line_at(text, at))) starts.push_back(at);
    const std::size_t end = text.find('\n', at);
    if (end == std::string_view::npos) break;
    at = end + 1;
  }
  return starts;
}

std::optional<Dialect> dialect_at(std::string_view text, std::size_t offset) {
  for (std::size_t at = line_begin(text, std::min(offset, text.size()));; at = line_begin(text, at - 1)) {
    if (const std::optional<Dialect> dialect = dialect_of_line(line_at(text, at))) return dialect;
    if (at == 0) return std::nullopt;
  }
}

FoundInstruction instruction_at(const litmus::LitmusTest& test, std::size_t offset) {
  FoundInstruction found;
  for (std::uint32_t thread = 0; thread < test.threads.size(); ++thread) {
    for (const litmus::Instruction& instruction : test.threads[thread].instructions) {
      const base::Span span = instruction.span;
      if (span.begin >= span.end || offset < span.begin || offset > span.end) continue;
      const bool narrower = found.instruction == nullptr ||
                            span.end - span.begin < found.instruction->span.end - found.instruction->span.begin;
      if (narrower) found = {litmus::ThreadId{thread}, &instruction};
    }
  }
  return found;
}

base::Span word_at(std::string_view text, std::size_t offset) {
  const auto is_part = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$';
  };
  offset = std::min(offset, text.size());
  std::size_t begin = offset;
  std::size_t end = offset;
  while (begin > 0 && is_part(text[begin - 1])) --begin;
  while (end < text.size() && is_part(text[end])) ++end;
  return {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)};
}

}  // namespace weakspot::lsp
