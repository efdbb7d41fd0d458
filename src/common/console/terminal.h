// SPDX-License-Identifier: MIT
// What the program's output goes to: whether it is a terminal, whether it wants colours, how wide it is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

namespace weakspot::cli {

enum class ColourChoice : std::uint8_t { automatic, always, never };

// The value of a variable of the process's environment, empty if it has none.
using Variables = std::function<std::string(const char* name)>;
Variables process_variables();

// By the conventions of no-color.org and of CLICOLOR_FORCE: the user's choice first, then NO_COLOR, CLICOLOR_FORCE, and
// whether this is a terminal that TERM does not call dumb.
bool wants_colour(ColourChoice choice, bool is_terminal, const Variables& variables);
// Whether lines can be drawn over.
bool can_redraw(bool is_terminal, const Variables& variables);

// The terminal's own width, else COLUMNS, else 80; at least 40.
std::size_t usable_width(std::size_t terminal_columns, const Variables& variables);

// The descriptor is standard output (1) or standard error (2).
struct Terminal {
  bool is_terminal = false;
  bool redraws = false;
  std::size_t width = 80;
  std::size_t height = 24;
};
Terminal terminal_of(int descriptor);

}  // namespace weakspot::cli
