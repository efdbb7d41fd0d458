// SPDX-License-Identifier: MIT
#include "base/invocation.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/markup.h"

namespace weakspot::base {
namespace {

Invocation& known() {
  static Invocation invocation;
  return invocation;
}

// postgresql://user:password@host/lab and postgresql://host/lab?password=...
std::string without_password(std::string word) {
  constexpr std::string_view kHidden = "***", kScheme = "://", kKey = "password=";
  const std::size_t scheme = word.find(kScheme);
  if (scheme == std::string::npos) return word;
  const std::size_t user = scheme + kScheme.size();
  const std::size_t at = word.rfind('@');
  const std::size_t colon = word.find(':', user);
  if (at != std::string::npos && colon < at) word.replace(colon + 1, at - colon - 1, kHidden);
  for (std::size_t key = word.find(kKey); key != std::string::npos; key = word.find(kKey, key + kKey.size())) {
    const std::size_t value = key + kKey.size();
    word.replace(value, std::min(word.find('&', value), word.size()) - value, kHidden);
  }
  return word;
}

}  // namespace

const Invocation& invocation() { return known(); }

void set_invocation(Invocation invocation) { known() = std::move(invocation); }

std::string command_text(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + shell_word(without_password(word));
  return text;
}

}  // namespace weakspot::base
