// SPDX-License-Identifier: MIT
#include "race/allocated_name.h"

#include <algorithm>
#include <array>

namespace weakspot::race {
namespace {

constexpr std::size_t kLongestCall = 1000, kLongestName = 60;
constexpr std::string_view kSpace = " \t\r\n";

bool is_word(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; }

std::string_view without_space(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(kSpace);
  return begin == std::string_view::npos ? "" : text.substr(begin, text.find_last_not_of(kSpace) - begin + 1);
}

// The first position at which one of the signs stands outside of all brackets, or which closes one that is not open.
std::size_t find_outside(std::string_view text, std::string_view signs) {
  int open = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (open == 0 && signs.find(c) != std::string_view::npos) return i;
    if (c == '(' || c == '[' || c == '{') ++open;
    if ((c == ')' || c == ']' || c == '}') && --open < 0) return i;
  }
  return std::string_view::npos;
}

// The position of the next allocation's arguments, behind the bracket.
std::size_t find_call(std::string_view text) {
  static constexpr std::array<std::string_view, 4> kNames{"cudaMalloc", "cudaHostAlloc", "hipMalloc", "hipHostMalloc"};
  std::size_t at = std::string_view::npos;
  for (const std::string_view name : kNames) at = std::min(at, text.find(name));
  while (at < text.size() && is_word(text[at])) ++at;
  if (at < text.size() && text[at] == '<') at = text.find('>', at) + 1;
  at = text.find_first_not_of(kSpace, at);
  return at < text.size() && text[at] == '(' ? at + 1 : std::string_view::npos;
}

// Without casts and brackets around all of it.
std::string_view bare(std::string_view text) {
  while (true) {
    text = without_space(text);
    if (text.starts_with("reinterpret_cast") || text.starts_with("static_cast")) {
      const std::size_t end = text.find('>');
      if (end == std::string_view::npos) return {};
      text = text.substr(end + 1);
      continue;
    }
    if (!text.starts_with('(')) return text;
    const std::size_t end = find_outside(text.substr(1), "");
    if (end == std::string_view::npos) return {};
    const std::string_view inside = without_space(text.substr(1, end)), rest = text.substr(end + 2);
    if (without_space(rest).empty()) {
      text = inside;
    } else if (inside.ends_with('*')) {
      text = rest;
    } else {
      return text;
    }
  }
}

bool is_name(std::string_view text) {
  return !text.empty() && text.size() <= kLongestName && (is_word(text.front()) || text.front() == ':') &&
         std::all_of(text.begin(), text.end(), [](char c) {
           return is_word(c) || std::string_view(".->[]:() +*").find(c) != std::string_view::npos;
         });
}

bool begins_with_call(std::string_view text) {
  if (text.starts_with("::")) text.remove_prefix(2);
  return text.starts_with("cuda") || text.starts_with("hip");
}

// The name in the statement that begins with the text, or contains it.
std::string name_in(std::string_view text) {
  text = text.substr(0, kLongestCall);
  text = text.substr(0, text.find(';'));
  const std::size_t call = find_call(text);
  if (call == std::string_view::npos) return {};
  // A macro that has two of them does not tell which one is meant.
  const bool is_direct = begins_with_call(text);
  if (!is_direct && find_call(text.substr(call)) != std::string_view::npos) return {};
  const std::string_view arguments = text.substr(call);
  const std::string_view first = bare(arguments.substr(0, find_outside(arguments, ",")));
  if (!first.starts_with('&')) return {};
  const std::string_view name = bare(first.substr(1));
  return is_name(name) ? std::string(name) : "";
}

}  // namespace

std::string allocated_name(std::string_view source, unsigned line, unsigned column) {
  std::size_t at = 0;
  for (unsigned i = 1; i < line && at < source.size(); ++i) at = std::min(source.find('\n', at), source.size()) + 1;
  if (at >= source.size()) return {};
  const std::string_view lines = source.substr(at);
  const std::string_view call = lines.substr(std::min<std::size_t>(column - std::min(column, 1u), lines.size()));
  std::string name = name_in(call);
  // The column of a call in a macro may be that of a later part.
  return name.empty() && !begins_with_call(call) ? name_in(lines) : name;
}

}  // namespace weakspot::race
