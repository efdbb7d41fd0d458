// SPDX-License-Identifier: MIT
// The part of docs/stress.md that comes from the table of parameters; a test compares the two.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "codegen/environment.h"

namespace weakspot::codegen {
namespace {

// Prose of the manual is at most this wide.
constexpr std::size_t kManualColumns = 100;

// A paragraph, broken between words, and the empty line after it.
std::string manual_paragraph(std::string_view text) {
  std::string lines, line;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (!line.empty() && line.size() + 1 + word.size() > kManualColumns) {
      lines += line + "\n";
      line.clear();
    }
    line += line.empty() ? std::string(word) : fmt::format(" {}", word);
  }
  return lines + line + "\n\n";
}

// "a=1,b=2" as "`a=1`, `b=2`".
std::string settings_in_code(std::string_view settings) {
  std::string text;
  while (!settings.empty()) {
    const std::size_t end = std::min(settings.find(','), settings.size());
    text += fmt::format("{}`{}`", text.empty() ? "" : ", ", settings.substr(0, end));
    settings.remove_prefix(std::min(end + 1, settings.size()));
  }
  return text;
}

std::string manual_entry(const Preset& preset) {
  std::string meaning(preset.meaning);
  meaning.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(meaning.front())));
  const std::string settings = to_text(preset.environment);
  if (settings != "basic") meaning += fmt::format(": {}", settings_in_code(settings));
  return fmt::format("### `{}`\n\n{}", preset.name, manual_paragraph(meaning + "."));
}

std::string manual_entry(const Parameter& parameter) {
  const int value = parameter.default_value();
  const bool automatic = value == 0 && parameter.zero_is_automatic;
  std::string text = fmt::format("### `{}`\n\n", parameter.name);
  text += manual_paragraph(fmt::format("Values: {}. Default: {}.", parameter.range_text(),
                                       automatic ? "automatic" : parameter.value_text(value)));
  // The meaning on a CPU gets its own paragraph.
  constexpr std::string_view kOnCpu = " CPU: ";
  const std::size_t cpu = parameter.meaning.find(kOnCpu);
  text += manual_paragraph(parameter.meaning.substr(0, cpu));
  if (cpu != std::string_view::npos) text += manual_paragraph(parameter.meaning.substr(cpu + 1));
  return text;
}

}  // namespace

std::string parameter_manual() {
  std::string text = "## Presets\n\n";
  for (const Preset& preset : presets()) text += manual_entry(preset);
  std::string_view group;
  for (const Parameter& parameter : parameters()) {
    if (parameter.group != group) text += fmt::format("## {}\n\n", parameter.group);
    group = parameter.group;
    text += manual_entry(parameter);
  }
  text.pop_back();
  return text;
}

}  // namespace weakspot::codegen
