// SPDX-License-Identifier: MIT
// The target of the program's output: whether it is a terminal, whether it wants colours, how wide it is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace weakspot::console {

enum class ColourChoice : std::uint8_t { automatic, always, never };

// The value of a variable of the process's environment, empty if it has none.
using Variables = std::function<std::string(const char* name)>;
Variables process_variables();

// By the conventions of no-color.org and of CLICOLOR_FORCE: the user's choice first, then NO_COLOR, CLICOLOR_FORCE, and
// whether this is a terminal that TERM does not call dumb.
bool wants_colour(ColourChoice choice, bool is_terminal, const Variables& variables);
// Whether lines can be drawn over.
bool can_redraw(bool is_terminal, const Variables& variables);

// Whether the locale knows no more than ASCII: the first of LC_ALL, LC_CTYPE and LANG that is set names another
// encoding than UTF-8. Without any of them, as in most containers, output is read by programs that know UTF-8.
bool is_plain_locale(const Variables& variables);

// The terminal's own width, else COLUMNS, at least 40; nothing if neither is known.
std::optional<std::size_t> usable_width(std::size_t terminal_columns, const Variables& variables);

// The descriptor is standard output (1) or standard error (2).
struct Terminal {
  bool is_terminal = false;
  bool redraws = false;
  bool folds = false;  // a terminal, or COLUMNS says how wide lines may be: a program that reads them wants them whole
  std::size_t width = 80;
  std::size_t height = 24;
};
Terminal terminal_of(int descriptor);

}  // namespace weakspot::console
