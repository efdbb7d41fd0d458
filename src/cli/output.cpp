// SPDX-License-Identifier: MIT
#include <unistd.h>

#include <cstdio>

#include "base/diagnostic_json.h"
#include "base/names.h"
#include "base/printable.h"
#include "cli/commands.h"
#include "cli/fold.h"
#include "cli/interrupt.h"
#include "cli/paint.h"

namespace weakspot::cli {

namespace {

ColourChoice colour_choice = ColourChoice::automatic;
bool json_errors = false;
std::vector<std::string> after_dashes;

const Terminal& output_terminal() {
  static const Terminal terminal = terminal_of(STDOUT_FILENO);
  return terminal;
}

const Terminal& error_terminal() {
  static const Terminal terminal = terminal_of(STDERR_FILENO);
  return terminal;
}

bool in_colour(const Terminal& terminal) {
  return wants_colour(colour_choice, terminal.is_terminal, process_variables());
}

std::string error_line(const base::Diagnostic& error) {
  static constexpr base::Named<base::ErrorKind> kKinds[] = {{"input", base::ErrorKind::bad_input},
                                                            {"device", base::ErrorKind::device},
                                                            {"environment", base::ErrorKind::environment},
                                                            {"cancelled", base::ErrorKind::cancelled}};
  base::JsonValue json = base::json_object({{"kind", base::name_of(kKinds, error.kind)}});
  const base::JsonValue rest = base::error_json(error);
  for (const base::JsonMember& member : rest.members()) json.add(member.key, member.value);
  return base::json_compact(json) + "\n";
}

void write_text(const std::string& text, std::FILE* file) { std::fwrite(text.data(), 1, text.size(), file); }

}  // namespace

void choose_json_errors() { json_errors = true; }
bool has_json_errors() { return json_errors; }

void choose_colour(ColourChoice choice) { colour_choice = choice; }

const std::vector<std::string>& words_after_dashes() { return after_dashes; }
void set_words_after_dashes(std::vector<std::string> words) { after_dashes = std::move(words); }

std::size_t output_width() { return output_terminal().width; }

void print_bytes(const std::string& bytes) { write_text(bytes, stdout); }

void print_output(const std::string& text) {
  if (base::is_printable(text)) return write_text(text, stdout);
  write_text(base::printable(text), stdout);
}

void print_results(const std::string& text) {
  const std::string lines = folded(base::printable(text), output_width());
  write_text(in_colour(output_terminal()) ? painted(lines) : lines, stdout);
}

void print_findings(const std::string& text) {
  if (output_terminal().is_terminal) return print_results(text);
  const std::string lines = base::printable(text);
  write_text(in_colour(output_terminal()) ? painted(lines) : lines, stdout);
}

void print_error(const std::string& text) {
  std::fflush(stdout);
  write_text(screen_text(text), stderr);
}

void print_errors(const base::Diagnostics& errors) {
  std::fflush(stdout);
  if (json_errors) {
    for (const base::Diagnostic& error : errors) write_text(error_line(error), stderr);
    return;
  }
  const base::DiagnosticStyle style = in_colour(error_terminal()) ? coloured_diagnostics() : base::DiagnosticStyle{};
  write_text(base::render(errors, style), stderr);
}

std::string screen_text(const std::string& text) {
  const std::string lines = base::printable(text);
  return in_colour(error_terminal()) ? painted(lines) : lines;
}

int exit_code_of(workbench::Ending ending) {
  using workbench::Ending;
  switch (ending) {
    case Ending::fine:
      return kFine;
    case Ending::finding:
      return kFinding;
    case Ending::bad_input:
      return kBadInput;
    case Ending::failed:
      return kDeviceFailed;
    case Ending::cancelled:
      return InterruptGuard::exit_code();
  }
  return kDeviceFailed;
}

int fail(const base::Diagnostics& errors) {
  print_errors(errors);
  return exit_code_of(workbench::ending_of(errors));
}

}  // namespace weakspot::cli
