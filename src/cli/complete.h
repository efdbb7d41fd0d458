// SPDX-License-Identifier: MIT
// What a shell offers while a command line is typed, from the same tables as the help. Scripts for the shells only ask
// 'weakspot complete -- WORDS' and show the answer.
#pragma once

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

// Names that are looked up when they are needed: "tests", "models", "devices", "suites", "dialects", "targets",
// "parameters" (of environments) or "presets".
using NamesOf = std::function<std::vector<std::string>(const std::string& kind)>;
NamesOf program_names();

// How the last word may go on. `words`: those behind the program's name, the last one perhaps empty.
std::vector<Candidate> completions(const CLI::App& app, const std::vector<std::string>& words, const NamesOf& names);

// A line per candidate, with its help behind a tab.
std::string to_text(const std::vector<Candidate>& candidates);

// The script for "bash", "zsh" or "fish".
std::string completion_script(const std::string& shell);

}  // namespace weakspot::cli
