// SPDX-License-Identifier: MIT
#include "report/markup.h"

namespace weakspot::report {

std::string escaped_list(std::string_view text) {
  std::string result;
  for (const char c : escaped(text)) {
    result += c;
    if (c == ',' || c == '+') result += "<wbr>";
  }
  return result;
}

}  // namespace weakspot::report
