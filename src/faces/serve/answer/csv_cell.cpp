// SPDX-License-Identifier: MIT
#include "serve/answer/csv_cell.h"

namespace weakspot::serve {

std::string csv_cell(std::string_view text) {
  std::string made = "\"";
  if (!text.empty() && std::string_view("=+-@\t").find(text.front()) != std::string_view::npos) made += '\'';
  for (const char c : text) {
    if (c == '"') made += '"';
    made += c;
  }
  return made + '"';
}

}  // namespace weakspot::serve
