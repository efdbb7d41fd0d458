// SPDX-License-Identifier: MIT
// Completes a command line for a shell while it is typed, from the same tables as the help. Scripts for the shells only
// ask 'weakspot complete -- WORDS' and show the answer.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace CLI {
class App;
}  // namespace CLI

namespace weakspot::cli {

struct Candidate {
  std::string word;
  std::string help;  // may be empty
};

// The answer that stands for the names of files.
inline constexpr const char* kFiles = ":files";

// The kind of value that an option or argument takes.
enum class ValueKind : std::uint8_t {
  none,
  files,
  tests,
  models,
  devices,
  suites,
  dialects,
  targets,
  environment,
  parameters,  // of environments
  presets,     // of environments
  colours,
  error_forms,
  strategies,
  warps,
};

// Names that are looked up when they are needed; none for kinds with fixed words.
using NamesOf = std::function<std::vector<std::string>(ValueKind kind)>;
NamesOf program_names();

// Completions of the last word. `words`: those behind the program's name, the last one perhaps empty.
std::vector<Candidate> completions(const CLI::App& app, const std::vector<std::string>& words, const NamesOf& names);

// A line per candidate, with its help behind a tab.
std::string to_text(const std::vector<Candidate>& candidates);

// The script for "bash", "zsh" or "fish".
std::string completion_script(const std::string& shell);

}  // namespace weakspot::cli
