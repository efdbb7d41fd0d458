// SPDX-License-Identifier: MIT
#include "console/text/paint.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace weakspot::console {
namespace {

constexpr std::string_view kEnd = "\033[0m", kBad = "\033[1;31m", kGood = "\033[32m", kWeak = "\033[33m",
                           kUnsure = "\033[35m", kMild = "\033[36m", kStrong = "\033[1m";

// Words that begin a line of results.
constexpr std::pair<std::string_view, std::string_view> kVerdicts[] = {
    {"FORBIDDEN", kBad},  {"violation", kBad},       {"failed", kBad},          {"lost", kBad},
    {"WEAKER", kBad},     {"weaker", kBad},          {"found:", kBad},          {"error:", kBad},
    {"missing", kBad},    {"weak", kWeak},           {"warning:", kWeak},       {"refused", kWeak},
    {"differs", kWeak},   {"alive", kWeak},          {"never", kWeak},          {"not-again", kWeak},
    {"unknown", kUnsure}, {"inconclusive", kUnsure}, {"unobservable", kUnsure}, {"stopped", kUnsure},
    {"unseen", kUnsure},  {"incomplete:", kUnsure},  {"interleaved", kMild},    {"allowed", kMild},
    {"note:", kMild},     {"hint:", kMild},          {"sequential", kGood},     {"conformant", kGood},
    {"clean:", kGood},    {"killed", kGood},         {"found", kGood},          {"again", kGood},
    {"stronger", kGood},  {"gained", kGood},         {"alike", kGood},          {"forbidden", kStrong},
    {"proved", kGood},    {"violated", kBad},
};
// Words that end the line of an outcome, before its bar.
constexpr std::string_view kClasses[] = {"FORBIDDEN", "weak", "unknown", "interleaved", "sequential"};
// Words behind a place: "mp.cu:7:3: warning: ...".
constexpr std::string_view kKinds[] = {"error:", "warning:", "hint:", "note:"};

std::string_view colour_of(std::string_view word) {
  const auto found =
      std::find_if(std::begin(kVerdicts), std::end(kVerdicts), [&](const auto& entry) { return entry.first == word; });
  return found == std::end(kVerdicts) ? std::string_view() : found->second;
}

std::string painted_part(std::string_view line, std::size_t begin, std::size_t end, std::string_view colour) {
  std::string text(line.substr(0, begin));
  text += colour;
  text += line.substr(begin, end - begin);
  text += kEnd;
  text += line.substr(end);
  return text;
}

// The position of the class in an outcome's line, or npos: its last word, or the one before its bar.
std::size_t class_begin(std::string_view line) {
  const std::size_t bar = std::min(line.find("▇"), line.size());
  const std::size_t end = line.find_last_not_of(' ', bar - 1);
  if (end == std::string_view::npos) return end;
  const std::size_t begin = line.find_last_of(' ', end) + 1;
  const std::string_view word = line.substr(begin, end + 1 - begin);
  return std::find(std::begin(kClasses), std::end(kClasses), word) == std::end(kClasses) ? std::string_view::npos
                                                                                         : begin;
}

std::string painted_line(std::string_view line) {
  const std::size_t begin = line.find_first_not_of(' ');
  if (begin == std::string_view::npos) return std::string(line);
  if (begin != 0) {
    const std::size_t begins = class_begin(line);
    if (begins != std::string_view::npos) {
      const std::string_view word = line.substr(begins, std::min(line.find(' ', begins), line.size()) - begins);
      return painted_part(line, begins, line.size(), colour_of(word));
    }
    // "       | ^ label"
    const std::size_t caret = line[begin] == '|' ? line.find_first_not_of(" \t", begin + 1) : begin;
    if (caret != std::string_view::npos && line[caret] == '^') return painted_part(line, caret, caret + 1, kGood);
    return std::string(line);
  }
  for (const std::string_view kind : kKinds) {
    const std::size_t at = line.find(std::string(": ").append(kind));
    if (at != std::string_view::npos) return painted_part(line, at + 2, at + 2 + kind.size(), colour_of(kind));
  }
  const std::size_t end = std::min(line.find(' '), line.size());
  const std::string_view colour = colour_of(line.substr(0, end));
  return colour.empty() ? std::string(line) : painted_part(line, 0, end, colour);
}

}  // namespace

std::string painted(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    result += painted_line(text.substr(0, end));
    if (end < text.size()) result += '\n';
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return result;
}

base::DiagnosticStyle coloured_diagnostics() { return {.error = kBad, .caret = kGood, .end = kEnd}; }

}  // namespace weakspot::console
