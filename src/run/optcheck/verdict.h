// SPDX-License-Identifier: MIT
// The verdict on the code of a test: whether it still is the test.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weakspot::optcheck {

enum class CodeVerdict : std::uint8_t {
  matched,
  changed,  // the code is not the test: what it shows says nothing about the test
  unknown,  // not enough can be known; the reason says why
};
std::string_view to_string(CodeVerdict verdict);
std::optional<CodeVerdict> code_verdict_named(std::string_view name);

// An instruction of the test and the machine instruction that it became.
struct Pairing {
  std::uint32_t thread = 0;
  std::uint32_t instruction = 0;  // of the thread
  std::string code;
  std::uint64_t at = 0;  // byte of the function

  friend bool operator==(const Pairing&, const Pairing&) = default;
};

struct CodeCheck {
  CodeVerdict verdict = CodeVerdict::unknown;
  std::string reason;             // one line; empty if matched
  std::vector<Pairing> pairings;  // from all threads that match

  friend bool operator==(const CodeCheck&, const CodeCheck&) = default;
};

}  // namespace weakspot::optcheck
