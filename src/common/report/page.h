// SPDX-License-Identifier: MIT
// The HTML page around every report: one style sheet for light and dark screens, phones and paper, and nothing fetched
// from elsewhere: a policy in its head forbids scripts, frames, forms and any request, whatever a test's text holds.
//
// Classes for the body: "n" on cells of numbers, "name" on cells that must not break, "wide" on cells of long lists;
// "facts" on tables of a name and a text per row; "sequential", "interleaved", "weak", "forbidden", "unknown",
// "refused", "failed", "lost" for outcomes and verdicts; "error", "warning", "hint" for severities; "broken" for a
// warning that must not be missed; "number", "hit" and "caret" in listings of source code. The colours of outcomes are
// also variables for pictures, as in var(--weak).
#pragma once

#include <string>
#include <string_view>

namespace weakspot::report {

// `title` is plain text, `body` is HTML.
std::string html_page(std::string_view title, std::string_view body);

}  // namespace weakspot::report
