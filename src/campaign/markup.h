// Text within XML and HTML.
#pragma once

#include <string>
#include <string_view>

namespace weakspot::campaign {

// For content and quoted attributes; characters that XML does not have become '?'.
std::string escaped(std::string_view text);

}  // namespace weakspot::campaign
