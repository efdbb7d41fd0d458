// SPDX-License-Identifier: MIT
#include "race_jit/compile/changed_source.h"

#include <fmt/format.h>

#include <cctype>

#include "base/file.h"

namespace weakspot::race_jit {
namespace {

constexpr std::string_view kOpen = "<<<", kClose = ">>>";

bool is_blank(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }
bool is_of_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == ':'; }

// Behind the quoted text that begins at `at`.
std::size_t skip_quoted(const std::string& text, std::size_t at) {
  const char quote = text[at];
  for (++at; at < text.size() && text[at] != quote; ++at) {
    if (text[at] == '\\') ++at;
  }
  return at;
}

// The first `wanted` at or behind `at` that is in no parentheses and no quotes.
std::size_t find_outside(const std::string& text, std::size_t at, std::string_view wanted) {
  for (int depth = 0; at < text.size(); ++at) {
    if (depth == 0 && text.compare(at, wanted.size(), wanted) == 0) return at;
    if (text[at] == '"' || text[at] == '\'') at = skip_quoted(text, at);
    if (at >= text.size()) break;
    if (std::string_view("([{").find(text[at]) != std::string_view::npos) ++depth;
    if (std::string_view(")]}").find(text[at]) != std::string_view::npos && --depth < 0) break;
  }
  return std::string::npos;
}

// The beginning of the name before `end`: "child", "n::child", "child<T, 4>".
std::size_t begin_of_name(const std::string& text, std::size_t end) {
  std::size_t at = end;
  while (at > 0 && is_blank(text[at - 1])) --at;
  if (at > 0 && text[at - 1] == '>') {
    int depth = 0;
    do {
      --at;
      depth += text[at] == '>' ? 1 : text[at] == '<' ? -1 : 0;
    } while (at > 0 && depth > 0);
    while (at > 0 && is_blank(text[at - 1])) --at;
  }
  while (at > 0 && is_of_name(text[at - 1])) --at;
  return at;
}

}  // namespace

std::optional<std::string> with_child_call(const std::string& text, std::size_t place) {
  const std::size_t open = text.find(kOpen, place);
  if (open == std::string::npos || text.find_first_of(";{}", place) < open) return std::nullopt;
  const std::size_t close = find_outside(text, open + kOpen.size(), kClose);
  const std::size_t begin = begin_of_name(text, open);
  if (close == std::string::npos || begin == open) return std::nullopt;
  const std::string name = text.substr(begin, open - begin);
  const std::string how = text.substr(open + kOpen.size(), close - open - kOpen.size());
  return fmt::format("{}__ws_child<decltype(&{}), &{}>({}){}", text.substr(0, begin), name, name, how,
                     text.substr(close + kClose.size()));
}

namespace {

// The text that the compiler reads for the file.
std::string text_of(const std::string& file, const std::map<std::string, std::string>& replaced) {
  if (auto known = replaced.find(file); known != replaced.end()) return known->second;
  base::Result<std::string> read = base::read_file(file);
  return read ? *std::move(read) : std::string();
}

}  // namespace

// From the end in both, so that places before keep their offsets.
bool replace_launches(const LaunchPlaces& places, std::map<std::string, std::string>& replaced) {
  bool changed = false;
  for (const auto& [file, offsets] : places) {
    std::string text = text_of(file, replaced);
    for (auto offset = offsets.rbegin(); offset != offsets.rend(); ++offset) {
      std::optional<std::string> better = with_child_call(text, *offset);
      if (!better) continue;
      text = *std::move(better);
      replaced[file] = text;
      changed = true;
    }
  }
  return changed;
}

std::map<std::size_t, std::string> missing_percents(std::string_view text, std::size_t place) {
  std::map<std::size_t, std::string> missing;
  auto is_letter = [&](std::size_t at) { return std::isalpha(static_cast<unsigned char>(text[at])) != 0; };
  for (std::size_t at = text.rfind('%', place); at < text.size() && text[at] != '"' && text[at] != '\n'; ++at) {
    if (text[at] == '\\' || (text[at] == '%' && at + 1 < text.size() && text[at + 1] == '%')) {
      ++at;
    } else if (text[at] == '%' && at + 2 < text.size() && is_letter(at + 1) && is_letter(at + 2)) {
      missing[at] = "%";
    }
  }
  return missing;
}

bool insert_missing(const MissingWords& missing, std::map<std::string, std::string>& replaced) {
  bool changed = false;
  for (const auto& [file, words] : missing) {
    std::string text = text_of(file, replaced);
    for (auto word = words.rbegin(); word != words.rend(); ++word) {
      if (word->first >= text.size()) continue;
      text.insert(word->first, word->second);
      replaced[file] = text;
      changed = true;
    }
  }
  return changed;
}

}  // namespace weakspot::race_jit
