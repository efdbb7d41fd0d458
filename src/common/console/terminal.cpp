// SPDX-License-Identifier: MIT
#include "cli/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>

namespace weakspot::cli {

Variables process_variables() {
  return [](const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr ? std::string() : std::string(value);
  };
}

bool can_redraw(bool is_terminal, const Variables& variables) { return is_terminal && variables("TERM") != "dumb"; }

bool wants_colour(ColourChoice choice, bool is_terminal, const Variables& variables) {
  if (choice != ColourChoice::automatic) return choice == ColourChoice::always;
  if (!variables("NO_COLOR").empty()) return false;
  const std::string forced = variables("CLICOLOR_FORCE");
  if (!forced.empty() && forced != "0") return true;
  return can_redraw(is_terminal, variables);
}

std::size_t usable_width(std::size_t terminal_columns, const Variables& variables) {
  constexpr std::size_t kDefault = 80, kLeast = 40;
  if (terminal_columns != 0) return std::max(terminal_columns, kLeast);
  const std::string columns = variables("COLUMNS");
  std::size_t width = 0;
  const auto [end, error] = std::from_chars(columns.data(), columns.data() + columns.size(), width);
  const bool is_number = error == std::errc() && end == columns.data() + columns.size() && width != 0;
  return is_number ? std::max(width, kLeast) : kDefault;
}

Terminal terminal_of(int descriptor) {
  const Variables variables = process_variables();
  Terminal terminal;
  terminal.is_terminal = ::isatty(descriptor) == 1;
  terminal.redraws = can_redraw(terminal.is_terminal, variables);
  winsize size{};
  const bool measured = terminal.is_terminal && ::ioctl(descriptor, TIOCGWINSZ, &size) == 0;
  terminal.width = usable_width(measured ? size.ws_col : 0, variables);
  if (measured && size.ws_row != 0) terminal.height = size.ws_row;
  return terminal;
}

}  // namespace weakspot::cli
