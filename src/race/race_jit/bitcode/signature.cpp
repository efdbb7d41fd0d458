// SPDX-License-Identifier: MIT
#include "race_jit/bitcode/signature.h"

#include <algorithm>

namespace weakspot::race_jit {
namespace {

// The end of what opens at `at`, or npos.
std::size_t closing(std::string_view text, std::size_t at) {
  int depth = 0;
  for (std::size_t i = at; i < text.size(); ++i) {
    if (text[i] == '(' || text[i] == '<' || text[i] == '[') ++depth;
    if ((text[i] == ')' || text[i] == '>' || text[i] == ']') && --depth == 0) return i;
  }
  return std::string_view::npos;
}

std::string trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return std::string(text);
}

}  // namespace

std::string source_symbol(std::string_view symbol) {
  // nvcc makes a variable "tile_$_1" of each member of a structure.
  for (const std::string_view mark : {"__intern__", "__static__", "_$_", "."}) {
    symbol = symbol.substr(0, symbol.find(mark));
  }
  return std::string(symbol);
}

Signature parse_signature(std::string_view text) {
  // The list of parameters opens at the first parenthesis outside of template arguments.
  std::size_t open = std::string_view::npos, name_begin = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '<') {
      const std::size_t end = closing(text, i);
      if (end == std::string_view::npos) break;
      i = end;
    } else if (text[i] == ' ') {
      name_begin = i + 1;
    } else if (text[i] == '(' && !text.substr(i).starts_with("(anonymous namespace)")) {
      open = i;
      break;
    } else if (text[i] == '(') {
      i += 20;
    }
  }
  Signature signature;
  if (open == std::string_view::npos) {
    signature.name = std::string(text);
    return signature;
  }
  signature.name = std::string(text.substr(name_begin, open - name_begin));
  const std::size_t end = std::min(closing(text, open), text.size());
  std::size_t begin = open + 1;
  for (std::size_t i = begin; i <= end && i < text.size(); ++i) {
    if (text[i] == '<' || text[i] == '(' || text[i] == '[') {
      const std::size_t close = closing(text, i);
      if (close == std::string_view::npos) break;
      i = close;
      continue;
    }
    if (text[i] == ',' || i == end) {
      std::string parameter = trimmed(text.substr(begin, i - begin));
      if (!parameter.empty() && parameter != "void") signature.parameters.push_back(std::move(parameter));
      begin = i + 1;
    }
  }
  return signature;
}

std::string pointee(std::string_view type) {
  const std::size_t star = type.rfind('*');
  if (star == std::string_view::npos) return {};
  std::string inner = trimmed(type.substr(0, star));
  for (const std::string_view word : {" const", " volatile", " __restrict"}) {
    while (inner.ends_with(word)) inner.resize(inner.size() - word.size());
  }
  for (const std::string_view word : {"const ", "volatile "}) {
    while (inner.starts_with(word)) inner.erase(0, word.size());
  }
  return inner;
}

}  // namespace weakspot::race_jit
