// SPDX-License-Identifier: MIT
#include "console/output.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "base/names.h"
#include "base/printable.h"
#include "console/fold.h"
#include "console/interrupt.h"
#include "console/text/paint.h"
#include "json/diagnostic_json.h"

namespace weakspot::console {

namespace {

ColourChoice colour_choice = ColourChoice::automatic;
bool json_errors = false;

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

std::string for_terminal(const std::string& lines, const Terminal& terminal) {
  std::string text = in_colour(terminal) ? painted(lines) : lines;
  return draws_plainly() ? with_plain_bars(std::move(text)) : text;
}

}  // namespace

void choose_json_errors() { json_errors = true; }
bool has_json_errors() { return json_errors; }

void choose_colour(ColourChoice choice) { colour_choice = choice; }

bool output_is_terminal() { return output_terminal().is_terminal; }
std::size_t output_width() { return output_terminal().width; }
std::size_t results_width() { return output_terminal().folds ? output_width() : std::string::npos; }

void print_bytes(const std::string& bytes) { write_text(bytes, stdout); }

void print_output(const std::string& text) {
  if (base::is_printable(text)) return write_text(text, stdout);
  write_text(base::printable(text), stdout);
}

void print_results(const std::string& text) {
  write_text(for_terminal(folded(base::printable(text), results_width()), output_terminal()), stdout);
}

void print_findings(const std::string& text) {
  if (output_terminal().is_terminal) return print_results(text);
  write_text(for_terminal(base::printable(text), output_terminal()), stdout);
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
  if (!error_terminal().is_terminal) return write_text(base::render(errors, style), stderr);
  base::Diagnostics shown;
  for (const base::Diagnostic& error : errors) shown.push_back(folded_error(error, error_terminal().width));
  write_text(base::render(shown, style), stderr);
}

std::string screen_text(const std::string& text) { return for_terminal(base::printable(text), error_terminal()); }

bool draws_plainly() {
  static const bool plain = is_plain_locale(process_variables());
  return plain;
}

std::string with_plain_bars(std::string text) {
  static constexpr std::pair<std::string_view, char> kMarks[] = {{"▇", '#'}, {"━", '='}, {"╌", '-'}};
  for (const auto& [mark, plain] : kMarks) {
    for (std::size_t at = 0; (at = text.find(mark, at)) != std::string::npos; ++at)
      text.replace(at, mark.size(), 1, plain);
  }
  return text;
}

namespace {

void clip_excerpt(base::Diagnostic& error, std::size_t room) {
  constexpr std::string_view kCut = "...";
  if (base::columns_of(error.excerpt) <= room) return;
  std::string_view rest = error.excerpt;
  std::size_t dropped = 0;
  while (error.caret + kCut.size() > dropped + room / 2) {
    const std::size_t length = base::first_code_point(rest).length;
    dropped += base::columns_of(rest.substr(0, length));
    rest.remove_prefix(length);
  }
  std::string shown(dropped == 0 ? "" : kCut);
  error.caret += shown.size();
  error.caret -= dropped;
  shown += rest;
  shown = shortened(shown, room);
  error.caret_length = std::clamp<std::size_t>(room - error.caret, 1, error.caret_length);
  error.excerpt = std::move(shown);
}

}  // namespace

base::Diagnostic folded_error(base::Diagnostic error, std::size_t width) {
  // What stands before the message, "mp.litmus:1:2: error:", as one word.
  base::Diagnostic bare = error;
  bare.message.clear();
  const std::string head = base::render(bare);
  const std::size_t columns = base::columns_of(head.substr(0, head.find('\n'))) - 1;
  const std::string lines = folded(std::string(columns, '-') + " " + base::printable(error.message), width);
  if (lines.size() > columns && lines[columns] == ' ') error.message = lines.substr(columns + 1);
  if (error.located()) clip_excerpt(error, width - 2);
  return error;
}

int exit_code_of(base::JobEnding ending) {
  using base::JobEnding;
  switch (ending) {
    case JobEnding::fine:
      return kFine;
    case JobEnding::finding:
      return kFinding;
    case JobEnding::bad_input:
      return kBadInput;
    case JobEnding::failed:
      return kDeviceFailed;
    case JobEnding::cancelled:
      return InterruptGuard::exit_code();
  }
  return kDeviceFailed;
}

int fail(const base::Diagnostics& errors) {
  print_errors(errors);
  return exit_code_of(base::ending_of(errors));
}

}  // namespace weakspot::console
