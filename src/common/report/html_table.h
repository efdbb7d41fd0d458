// SPDX-License-Identifier: MIT
// Tables of an HTML page. page.h lists the CSS classes.
#pragma once

#include <string>
#include <vector>

namespace weakspot::report {

struct HtmlCell {
  std::string html;
  std::string css;    // classes, or empty
  unsigned span = 1;  // columns
};
using HtmlRow = std::vector<HtmlCell>;

// A cell of a number, aligned to the right.
HtmlCell number_cell(std::string html);

// A table that is wider than the page scrolls inside its box.
std::string html_table(const HtmlRow& head, const std::vector<HtmlRow>& rows);

}  // namespace weakspot::report
