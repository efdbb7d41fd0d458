// SPDX-License-Identifier: MIT
#include "litmus/herd_hash.h"

#include <algorithm>

#include "base/sort.h"
#include "litmus/herd/herd_code.h"
#include "litmus/herd/herd_state.h"
#include "litmus/herd/herd_text.h"
#include "litmus/herd/md5.h"

namespace weakspot::litmus {
namespace {

// The text of the test that is named at `at`: from its line to the header of the next test.
std::string_view text_of_test(std::string_view text, std::uint32_t at) {
  const std::size_t line = text.rfind('\n', std::min<std::size_t>(at, text.size()));
  text.remove_prefix(line == std::string_view::npos ? 0 : line + 1);
  std::size_t end = text.find('\n');
  while (end != std::string_view::npos) {
    const std::string_view next = text.substr(end + 1);
    for (std::string_view word : {"AArch64 ", "X86 ", "X86_64 ", "C ", "RISCV "}) {
      if (next.starts_with(word)) return text.substr(0, end);
    }
    end = text.find('\n', end + 1);
  }
  return text;
}

// The hash of the lines about memory types, which belong to the content of the test.
std::string info_hash(const herd::HerdText& parts) {
  std::vector<std::pair<std::string, std::string>> lines;
  for (const auto& [key, value] : parts.info) {
    const std::string upper = herd::upper_case(key);
    if (upper == "MEMORYTYPE" || upper == "MT" || upper == "CACHETYPE") lines.emplace_back(key, value);
  }
  if (lines.empty()) return "";
  base::sort(lines);
  std::string text;
  for (auto line = lines.rbegin(); line != lines.rend(); ++line) {
    for (const char c : line->first) text += static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
    text += '=' + line->second;
  }
  return herd::md5(text).raw();
}

}  // namespace

std::optional<HerdIdentity> herd_identity(std::string_view text, std::uint32_t at) {
  const std::optional<herd::HerdText> parts = herd::split_text(text_of_test(text, at));
  if (!parts) return std::nullopt;
  const std::optional<std::string> code = herd::code_text(parts->arch, parts->program);
  if (!code) return std::nullopt;
  const std::string arch(parts->arch);
  const std::string observed = herd::observed_items(parts->condition);
  for (const auto& [key, value] : parts->info) {
    if (herd::upper_case(key) == "HASH") return HerdIdentity{arch, value, observed};
  }
  const std::string whole = info_hash(*parts) + herd::md5(herd::initial_state(parts->init)).raw() +
                            herd::md5(*code).raw() + herd::md5(observed).raw();
  return HerdIdentity{arch, herd::md5(whole).hex(), observed};
}

}  // namespace weakspot::litmus
