// SPDX-License-Identifier: MIT
// The HTML page around every report: one style sheet for light and dark screens, phones and paper, and nothing fetched
// from elsewhere: a policy in its head forbids scripts, frames, forms and any request, whatever a test's text holds.
//
// Classes for the body: "n" on cells of numbers, "name" on cells that must not break, "wide" on cells of long lists;
// "facts" on tables of a name and a text per row; "box" around what may be wider than the page, and scrolls inside;
// "sequential", "interleaved", "weak", "forbidden", "unknown", "refused", "failed", "lost" for outcomes and verdicts;
// "error", "warning", "hint" for severities; "broken" for a warning that must not be missed; "number", "hit" and
// "caret" in listings of source code. The colours of outcomes are also variables for pictures, as in var(--weak).
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace weakspot::report {

struct PageSection {
  std::string id;     // of its heading
  std::string title;  // plain text
};

// Links to the sections, for below the page's title. Nothing for a single section.
std::string contents_html(const std::vector<PageSection>& sections);

// `title` is plain text, `body` is HTML. The page ends with the program, the date and the command that made it, if they
// are known (base/invocation.h).
std::string html_page(std::string_view title, std::string_view body);

}  // namespace weakspot::report
