// SPDX-License-Identifier: MIT
// The commands of the program. Each adds itself to the parser and, when chosen, leaves its exit code.
#pragma once

#include <memory>
#include <string>

#include "base/diagnostic.h"
#include "base/json.h"
#include "cli/command_line.h"
#include "workbench/ending.h"

namespace weakspot::cli {

// The program: what main() does.
int run(int argc, char** argv);

// What scripts rely on.
enum ExitCode {
  kFine = 0,
  kFinding = 1,
  kBadInput = 2,
  kDeviceFailed = 3,  // or the machine around the program
  kInterrupted = 130  // as shells report a program that SIGINT ended
};
// The one place that turns endings into exit codes.
int exit_code_of(workbench::Ending ending);

// Prints the errors; the exit code that their kind means.
int fail(const base::Diagnostics& errors);

void add_show(Command& app, int& exit_code);
void add_convert(Command& app, int& exit_code);
void add_check(Command& app, int& exit_code);
void add_models(Command& app, int& exit_code);
void add_gen(Command& app, int& exit_code);
void add_mutate(Command& app, int& exit_code);
void add_suite(Command& app, int& exit_code);
void add_devices(Command& app, int& exit_code);
void add_run(Command& app, int& exit_code);
void add_replay(Command& app, int& exit_code);
void add_report(Command& app, int& exit_code);
void add_compare(Command& app, int& exit_code);
void add_analyze(Command& app, int& exit_code);
void add_tune(Command& app, int& exit_code);
void add_score(Command& app, int& exit_code);
void add_conform(Command& app, int& exit_code);
void add_emit(Command& app, int& exit_code);
// Hidden: the child process that uses a device.
void add_worker(Command& app, int& exit_code);
void add_race(Command& app, int& exit_code);

void print_output(const std::string& text);
// Keeps its place among what print_output() wrote.
void print_error(const std::string& text);

// An indented JSON text with its newline.
inline std::string json_text(const base::JsonValue& json) { return base::json_indented(json) + "\n"; }

}  // namespace weakspot::cli
