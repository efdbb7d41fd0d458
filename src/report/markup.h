// Text inside HTML and SVG.
#pragma once

#include <string>
#include <string_view>

#include "base/markup.h"

namespace weakspot::report {

using base::escaped;

// The same for a list without spaces, "a=1,b=2,...": lines may break after a comma.
std::string escaped_list(std::string_view text);

// JSON inside a <script> element: nothing in it ends the element or opens a comment, and it still reads as the same
// JSON value.
std::string json_in_script(std::string_view json);

}  // namespace weakspot::report
