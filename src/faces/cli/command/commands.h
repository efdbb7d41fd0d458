// SPDX-License-Identifier: MIT
// The commands of the program. Each adds itself to the parser and, when chosen, leaves its exit code.
#pragma once

#include <memory>
#include <string>

#include "base/diagnostic.h"
#include "base/json.h"
#include "cli/command_line.h"
#include "cli/terminal.h"
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
  kInterrupted = 130  // as shells report a program that SIGINT ended; SIGTERM 143, SIGHUP 129
};
// The one place that turns endings into exit codes.
int exit_code_of(workbench::Ending ending);

// Prints the errors; the exit code that their kind means.
int fail(const base::Diagnostics& errors);

void add_list(Command& app, int& exit_code);
void add_show(Command& app, int& exit_code);
void add_convert(Command& app, int& exit_code);
void add_check(Command& app, int& exit_code);
void add_fences(Command& app, int& exit_code);
void add_models(Command& app, int& exit_code);
void add_gen(Command& app, int& exit_code);
void add_mutate(Command& app, int& exit_code);
void add_suite(Command& app, int& exit_code);
void add_compile_check(Command& app, int& exit_code);
void add_devices(Command& app, int& exit_code);
void add_run(Command& app, int& exit_code);
void add_replay(Command& app, int& exit_code);
void add_report(Command& app, int& exit_code);
void add_compare(Command& app, int& exit_code);
void add_analyze(Command& app, int& exit_code);
void add_tune(Command& app, int& exit_code);
void add_score(Command& app, int& exit_code);
void add_conform(Command& app, int& exit_code);
void add_assumptions(Command& app, int& exit_code);
void add_locks(Command& app, int& exit_code);
void add_store(Command& app, int& exit_code);
void add_emit(Command& app, int& exit_code);
void add_optcheck(Command& app, int& exit_code);
void add_page(Command& app, int& exit_code);
void add_mcp(Command& app, int& exit_code);
void add_serve(Command& app, int& exit_code);
void add_campaign(Command& app, int& exit_code);
void add_agent(Command& app, int& exit_code);
void add_launch(Command& app, int& exit_code);
void add_lsp(Command& app, int& exit_code);
void add_schema(Command& app, int& exit_code);
// Hidden: the child process that uses a device.
void add_worker(Command& app, int& exit_code);
void add_lock_worker(Command& app, int& exit_code);
void add_race(Command& app, int& exit_code);

// All output goes through these. Whatever a terminal would obey is written out first (base::printable()).
//
// Text that stays as it is: code, tests, drawings, JSON.
void print_output(const std::string& text);
// Results for people: folded at the width of the terminal, verdict words in colour there.
void print_results(const std::string& text);
// Messages in the form of compilers, which other programs read as well: folded only on a terminal.
void print_findings(const std::string& text);
// Exactly these bytes: code in binary.
void print_bytes(const std::string& bytes);
// On standard error, in its place among what was written to standard output.
void print_error(const std::string& text);
void print_errors(const base::Diagnostics& errors);

// Errors as lines of JSON instead of text for people.
void choose_json_errors();
bool has_json_errors();
// The user's word on colours (default: automatic).
void choose_colour(ColourChoice choice);
// The width of results.
std::size_t output_width();
// Text for a progress display on standard error, which may be drawn over: printable, in colour if the terminal wants
// it.
std::string screen_text(const std::string& text);

// The words of the command line behind '--', where a command has files before it and takes these for something else.
const std::vector<std::string>& words_after_dashes();
void set_words_after_dashes(std::vector<std::string> words);

// An indented JSON text with its newline.
inline std::string json_text(const base::JsonValue& json) { return base::json_indented(json) + "\n"; }

}  // namespace weakspot::cli
