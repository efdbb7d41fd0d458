// SPDX-License-Identifier: MIT
// The frame of a program: options that all our programs have, and what they say to words that they do not understand.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "console/command_line.h"

namespace weakspot::console {

// "weakspot 0.1.0 (1a2b3c4)"
std::string version_of(const std::string& program);
// The date and time in the form of records, 2026-01-31T12:00:00Z: now, or as SOURCE_DATE_EPOCH says.
std::string now_text();
// Without those that the help hides.
std::vector<std::string> command_names(const CLI::App& app);

// Gives the program --help, --version, --color and --errors, and the form of its help. `arguments` are looked at for
// --errors: what is wrong with the words themselves is an error as well. Reports name the program and the arguments.
void begin_program(CLI::App& app, const std::vector<std::string>& arguments);
// Says what is wrong with the command line; the exit code.
int misused(const std::string& message, const std::string& advice);
// Takes '--' and the words behind it away; words_after_dashes() has them then.
void split_at_dashes(std::vector<std::string>& arguments);
const std::vector<std::string>& words_after_dashes();
// Runs the command that the arguments name. The exit code if none ran: for --help, or words that make no sense.
std::optional<int> parse(CLI::App& app, const std::vector<std::string>& arguments);
// The exit code of main(): a full disk must not look like success.
int end_program(int exit_code);

// Does all of the above for a program without commands. `add` declares its options and its action.
int run_program(const std::string& name, const std::string& summary, int argc, char** argv,
                const std::function<void(Command& program, int& exit_code)>& add);

}  // namespace weakspot::console
