// SPDX-License-Identifier: MIT
#include "console/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>

namespace weakspot::console {

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

bool is_plain_locale(const Variables& variables) {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    std::string locale = variables(name);
    if (locale.empty()) continue;
    std::transform(locale.begin(), locale.end(), locale.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; });
    return locale.find("utf-8") == std::string::npos && locale.find("utf8") == std::string::npos;
  }
  return false;
}

std::optional<std::size_t> usable_width(std::size_t terminal_columns, const Variables& variables) {
  constexpr std::size_t kLeast = 40;
  if (terminal_columns != 0) return std::max(terminal_columns, kLeast);
  const std::string columns = variables("COLUMNS");
  std::size_t width = 0;
  const auto [end, error] = std::from_chars(columns.data(), columns.data() + columns.size(), width);
  const bool is_number = error == std::errc() && end == columns.data() + columns.size() && width != 0;
  return is_number ? std::optional(std::max(width, kLeast)) : std::nullopt;
}

Terminal terminal_of(int descriptor) {
  const Variables variables = process_variables();
  Terminal terminal;
  terminal.is_terminal = ::isatty(descriptor) == 1;
  terminal.redraws = can_redraw(terminal.is_terminal, variables);
  winsize size{};
  const bool measured = terminal.is_terminal && ::ioctl(descriptor, TIOCGWINSZ, &size) == 0;
  const std::optional<std::size_t> width = usable_width(measured ? size.ws_col : 0, variables);
  terminal.folds = terminal.is_terminal || width;
  terminal.width = width.value_or(terminal.width);
  if (measured && size.ws_row != 0) terminal.height = size.ws_row;
  return terminal;
}

}  // namespace weakspot::console
