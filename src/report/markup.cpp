#include "report/markup.h"

namespace weakspot::report {

std::string escaped_list(std::string_view text) {
  std::string result;
  for (const char c : escaped(text)) {
    result += c;
    if (c == ',') result += "<wbr>";
  }
  return result;
}

std::string json_in_script(std::string_view json) {
  std::string result;
  // These three stand only inside strings of a JSON text, where an escape means the same.
  for (const char c : json) {
    switch (c) {
      case '<':
        result += "\\u003c";
        break;
      case '>':
        result += "\\u003e";
        break;
      case '&':
        result += "\\u0026";
        break;
      default:
        result += c;
    }
  }
  return result;
}

}  // namespace weakspot::report
