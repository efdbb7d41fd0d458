// SPDX-License-Identifier: MIT
#include "optcheck/verdict.h"

namespace weakspot::optcheck {

std::string_view to_string(CodeVerdict verdict) {
  static constexpr std::string_view kNames[] = {"matched", "changed", "unknown"};
  return kNames[static_cast<std::size_t>(verdict)];
}

std::optional<CodeVerdict> code_verdict_named(std::string_view name) {
  for (const CodeVerdict verdict : {CodeVerdict::matched, CodeVerdict::changed, CodeVerdict::unknown}) {
    if (to_string(verdict) == name) return verdict;
  }
  return std::nullopt;
}

}  // namespace weakspot::optcheck
