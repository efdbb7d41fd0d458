// SPDX-License-Identifier: MIT
// Text inside HTML and SVG.
#pragma once

#include <string>
#include <string_view>

#include "base/markup.h"

namespace weakspot::report {

using base::escaped;

// The same for a list without spaces, "a=1,b=2,...", and a test's name, "MP+rel+acq": lines may break after a comma and
// a plus.
std::string escaped_list(std::string_view text);

}  // namespace weakspot::report
