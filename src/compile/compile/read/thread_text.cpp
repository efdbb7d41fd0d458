// SPDX-License-Identifier: MIT
#include "compile/read/thread_text.h"

#include "compile/source.h"

namespace weakspot::compile {
namespace {

std::string trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return std::string(text);
}

}  // namespace

Words words_of(std::string_view line) {
  Words words;
  const std::size_t blank = line.find(' ');
  words.mnemonic = std::string(line.substr(0, blank));
  if (blank == std::string_view::npos) return words;
  std::string operand;
  int depth = 0;
  for (const char c : line.substr(blank + 1)) {
    if (c == '[' || c == '(' || c == '{') ++depth;
    if (c == ']' || c == ')' || c == '}') --depth;
    if (c == ',' && depth == 0) {
      words.operands.push_back(trimmed(operand));
      operand.clear();
    } else {
      operand += c;
    }
  }
  if (!trimmed(operand).empty()) words.operands.push_back(trimmed(operand));
  return words;
}

std::string label_in(const std::string& line) {
  return line.ends_with(':') && line.find(' ') == std::string::npos ? line.substr(0, line.size() - 1) : std::string();
}

std::string label_name(std::string_view label) {
  std::string name;
  for (const char c : label) {
    const bool fits = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    if (fits) name += c;
  }
  return name;
}

std::string upper(std::string_view text) {
  std::string result(text);
  for (char& c : result) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return result;
}

bool starts_with_any(std::string_view text, std::initializer_list<std::string_view> heads) {
  for (const std::string_view head : heads) {
    if (text.starts_with(head)) return true;
  }
  return false;
}

std::string result_of_symbol(std::string_view symbol) {
  return symbol.starts_with(kResultPrefix) ? std::string(symbol.substr(kResultPrefix.size())) : std::string();
}

std::string location_of_symbol(std::string_view symbol) {
  return symbol.starts_with(kLocationPrefix) ? std::string(symbol.substr(kLocationPrefix.size())) : std::string();
}

}  // namespace weakspot::compile
