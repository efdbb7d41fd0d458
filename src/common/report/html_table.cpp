// SPDX-License-Identifier: MIT
#include "report/html_table.h"

#include <fmt/format.h>

namespace weakspot::report {
namespace {

std::string row_html(const HtmlRow& row, const char* element) {
  std::string html = "<tr>";
  for (const HtmlCell& cell : row) {
    html += fmt::format("<{0}{1}{2}>{3}</{0}>", element, cell.css.empty() ? "" : fmt::format(" class=\"{}\"", cell.css),
                        cell.span == 1 ? "" : fmt::format(" colspan=\"{}\"", cell.span), cell.html);
  }
  return html + "</tr>\n";
}

}  // namespace

HtmlCell number_cell(std::string html) { return {std::move(html), "n"}; }

std::string html_table(const HtmlRow& head, const std::vector<HtmlRow>& rows) {
  std::string html = "<div class=\"box\"><table>" + row_html(head, "th");
  for (const HtmlRow& row : rows) html += row_html(row, "td");
  return html + "</table></div>\n";
}

}  // namespace weakspot::report
