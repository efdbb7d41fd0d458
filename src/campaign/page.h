// The HTML page that reports stand in: one style for all of them, nothing fetched from elsewhere.
#pragma once

#include <string>
#include <string_view>

namespace weakspot::campaign {

// `title` is plain text, `body` is HTML.
std::string html_page(std::string_view title, std::string_view body);

}  // namespace weakspot::campaign
