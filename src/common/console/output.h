// SPDX-License-Identifier: MIT
// Output of programs: results on standard output, messages on standard error, and the exit code. All output goes
// through these functions. Characters that a terminal would obey are written out first (base::printable()).
#pragma once

#include <cstddef>
#include <string>

#include "base/diagnostic.h"
#include "base/job_ending.h"
#include "console/terminal.h"

namespace weakspot::console {

// Exit codes, which scripts rely on.
enum ExitCode {
  kFine = 0,
  kFinding = 1,
  kBadInput = 2,
  kDeviceFailed = 3,  // or the machine around the program
  kInterrupted = 130  // the code of shells for SIGINT; SIGTERM has 143, SIGHUP 129
};
// The one place that turns endings into exit codes.
int exit_code_of(base::JobEnding ending);

// Prints the errors; the exit code that their kind means.
int fail(const base::Diagnostics& errors);

// Text that stays as it is: code, tests, drawings, JSON.
void print_output(const std::string& text);
// Results for people: folded at results_width(), verdict words in colour on a terminal.
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
// Whether a person reads the results, and not a program behind a pipe.
bool output_is_terminal();
// The width of help texts and bars: the terminal's, else COLUMNS, else 80.
std::size_t output_width();
// The width of lines and tables of results: the same, but without limit if neither is known.
std::size_t results_width();
// Whether drawings must do with ASCII, by the locale.
bool draws_plainly();
// Text for a progress display on standard error, which may be drawn over: printable, in colour if the terminal wants
// it.
std::string screen_text(const std::string& text);
// Bars of ASCII instead of blocks and lines.
std::string with_plain_bars(std::string text);
// The error with its message folded and its excerpt clipped at this width, for a terminal, so that the caret stands
// under its place. Other programs read messages as one line.
base::Diagnostic folded_error(base::Diagnostic error, std::size_t width);

}  // namespace weakspot::console
