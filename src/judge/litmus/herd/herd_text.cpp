// SPDX-License-Identifier: MIT
#include "litmus/herd/herd_text.h"

#include <algorithm>
#include <cctype>

namespace weakspot::litmus::herd {
namespace {

constexpr std::string_view kBlanks = " \t\r\n\f\v";

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$' || c == '%'; }
bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

// The end of the comment `(* ... *)` that starts at `at`.
std::size_t comment_end(std::string_view text, std::size_t at) {
  std::size_t depth = 0;
  while (at < text.size()) {
    if (text.substr(at, 2) == "(*") {
      ++depth;
      at += 2;
    } else if (text.substr(at, 2) == "*)") {
      at += 2;
      if (--depth == 0) break;
    } else {
      ++at;
    }
  }
  return at;
}

std::string without_comments(std::string_view text) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    if (text.substr(at, 2) == "(*") {
      at = comment_end(text, at);
    } else {
      result += text[at++];
    }
  }
  return result;
}

// The offset of the brace that closes the one before `at`.
std::size_t closing_brace(std::string_view text, std::size_t at) {
  std::size_t depth = 1;
  for (; at < text.size(); ++at) {
    if (text[at] == '{') ++depth;
    if (text[at] == '}' && --depth == 0) break;
  }
  return at;
}

bool starts_condition(std::string_view word) {
  for (std::string_view one : {"final", "forall", "exists", "cases", "observed", "Observed", "locations", "filter"}) {
    if (word == one) return true;
  }
  return false;
}

// The end of the program: the place where the condition starts.
std::size_t program_end(std::string_view text, std::size_t at, bool comments) {
  while (at < text.size()) {
    if (comments && text.substr(at, 2) == "(*") {
      at = comment_end(text, at);
    } else if (text[at] == '~') {
      const std::size_t word = std::min(text.find_first_not_of(" \t\r", at + 1), text.size());
      if (text.substr(word).starts_with("exists")) return at;
      ++at;
    } else if (is_letter(text[at])) {
      const std::size_t begin = at;
      while (at < text.size() && (is_letter(text[at]) || is_digit(text[at]))) ++at;
      if (starts_condition(text.substr(begin, at - begin))) return begin;
    } else {
      ++at;
    }
  }
  return at;
}

// A line `Key=value` of the header.
void read_info(std::string_view line, HerdText& into) {
  const std::size_t equals = line.find('=');
  if (equals == std::string_view::npos) return;
  const std::string_view key = trimmed(line.substr(0, equals));
  const bool name = !key.empty() && std::isalpha(static_cast<unsigned char>(key[0])) != 0 &&
                    key.find_first_of(" \t\"") == std::string_view::npos;
  if (name) into.info.emplace_back(key, trimmed(line.substr(equals + 1)));
}

}  // namespace

std::string_view trimmed(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
  while (!text.empty() && kBlanks.find(text.back()) != std::string_view::npos) text.remove_suffix(1);
  return text;
}

std::string upper_case(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return result;
}

bool is_name(std::string_view token) { return !token.empty() && (is_letter(token[0]) || token[0] == '.'); }
bool is_number(std::string_view token) {
  return !token.empty() && (is_digit(token[0]) || (token.size() > 1 && token[0] == '-' && is_digit(token[1])));
}

std::optional<HerdText> split_text(std::string_view text) {
  HerdText result;
  text = trimmed(text);
  const std::size_t line_end = std::min(text.find('\n'), text.size());
  result.arch = text.substr(0, text.find_first_of(" \t"));
  std::size_t at = line_end;
  while (at < text.size() && text[at] != '{') {
    if (text.substr(at, 2) == "(*") {
      at = comment_end(text, at);
      continue;
    }
    const std::size_t end = std::min(text.find_first_of("\n{", at + 1), text.size());
    read_info(trimmed(text.substr(at, end - at)), result);
    at = end;
  }
  if (at >= text.size()) return std::nullopt;
  const std::size_t init_end = closing_brace(text, at + 1);
  if (init_end >= text.size()) return std::nullopt;
  result.init = without_comments(text.substr(at + 1, init_end - at - 1));
  const bool c = result.arch == "C";
  const std::size_t end = program_end(text, init_end + 1, !c);
  const std::string_view program = text.substr(init_end + 1, end - init_end - 1);
  result.program = c ? std::string(program) : without_comments(program);
  result.condition = without_comments(text.substr(end));
  return result;
}

std::vector<std::string_view> tokens_of(std::string_view text) {
  static constexpr std::string_view kPairs[] = {"/\\", "\\/", "==", "!=", "<>", "=>", "<<"};
  std::vector<std::string_view> tokens;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t begin = at;
    const char c = text[at];
    if (kBlanks.find(c) != std::string_view::npos) {
      ++at;
      continue;
    }
    if (is_letter(c) || c == '.') {
      while (at < text.size() && (is_letter(text[at]) || is_digit(text[at]) || text[at] == '.')) ++at;
    } else if (is_digit(c) || (c == '-' && at + 1 < text.size() && is_digit(text[at + 1]))) {
      ++at;
      while (at < text.size() && (is_digit(text[at]) || is_letter(text[at]))) ++at;
    } else {
      const bool pair = std::find(std::begin(kPairs), std::end(kPairs), text.substr(at, 2)) != std::end(kPairs);
      at += pair ? 2 : 1;
    }
    tokens.push_back(text.substr(begin, at - begin));
  }
  return tokens;
}

}  // namespace weakspot::litmus::herd
