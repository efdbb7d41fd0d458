// SPDX-License-Identifier: MIT
// Text inside XML, HTML and SVG.
#pragma once

#include <string>
#include <string_view>

namespace weakspot::base {

// For content and for quoted attributes. Carriage returns are dropped; other characters that XML does not allow become
// '?'.
std::string escaped(std::string_view text);

}  // namespace weakspot::base
