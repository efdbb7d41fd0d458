// SPDX-License-Identifier: MIT
#include "report/page.h"

#include <fmt/format.h>

#include "base/invocation.h"
#include "report/markup.h"

namespace weakspot::report {
namespace {

// Text has a contrast of at least 4.5 to its background; the colours of outcomes are for bars, with less.
constexpr const char* kStyle = R"css(
:root { color-scheme:light dark; --page:#fff; --text:#1f2328; --faint:#5f6670; --panel:#f5f6f8; --line:#d5d9df; --row:#e8ebef;
 --link:#0a58a8; --hit:#fdebc8; --alarm:#fdecea; --good:#2f7d46; --plain:#2a6f9e; --caution:#a15c00; --bad:#c02626; --unsure:#7d49a5;
 --sequential:#4c9a5f; --interleaved:#3f86b8; --weak:#de9526; --forbidden:#c62828; --unknown:#8e5bb5; }
@media screen and (prefers-color-scheme:dark) { :root { --page:#15171a; --text:#dfe3e8; --faint:#9aa3ad; --panel:#202327; --line:#41464d;
 --row:#2c3035; --link:#7cb7f2; --hit:#4a3a1c; --alarm:#4a1f1c; --good:#6cc083; --plain:#6cb3e0; --caution:#eba845; --bad:#ff8a80;
 --unsure:#c79be6; --forbidden:#e5534b; } }
* { box-sizing:border-box; }
body { font:15px/1.5 system-ui,sans-serif; max-width:68rem; margin:2rem auto; padding:0 1rem; color:var(--text); background:var(--page); }
h1 { font-size:1.6rem; line-height:1.25; } h3 { font-size:1rem; margin:1.4rem 0 .4rem; }
h2 { font-size:1.2rem; line-height:1.35; margin:2.2rem 0 .6rem; border-top:1px solid var(--line); padding-top:1rem; }
h1,h2,h3,p,li,td { overflow-wrap:break-word; }
a { color:var(--link); }
table { border-collapse:collapse; width:100%; margin:.6rem 0; } .box { overflow-x:auto; margin:.6rem 0; } .box table { margin:0; }
nav ul { columns:18rem; padding-left:0; list-style:none; margin:.6rem 0; } nav li { break-inside:avoid; padding:.1rem 0; }
footer { margin-top:2.5rem; border-top:1px solid var(--line); padding-top:.6rem; } footer small,footer code { color:var(--faint); }
th,td { text-align:left; vertical-align:top; padding:.25rem .6rem; border-bottom:1px solid var(--row); }
th { border-bottom-color:var(--line); } th:first-child,td:first-child { padding-left:0; } th:last-child,td:last-child { padding-right:0; }
td.n,th.n { text-align:right; font-variant-numeric:tabular-nums; } td.n,td.name { white-space:nowrap; }
table.facts { width:auto; } table.facts th { font-weight:600; white-space:nowrap; border-bottom-color:var(--row); }
code,pre { font:13px/1.45 ui-monospace,monospace; } code { overflow-wrap:anywhere; }
pre { background:var(--panel); padding:.7rem; border-radius:.3rem; overflow-x:auto; margin:.5rem 0; }
.sequential { color:var(--good); } .interleaved,.hint { color:var(--plain); } .weak,.warning { color:var(--caution); }
.forbidden,.failed,.lost { color:var(--bad); font-weight:bold; } .error,.caret { color:var(--bad); }
.unknown { color:var(--unsure); } .refused,.number,small { color:var(--faint); }
.broken { background:var(--alarm); padding:.5rem .8rem; border-radius:.3rem; font-weight:bold; } .caret { font-weight:bold; }
.hit { background:var(--hit); display:inline-block; min-width:100%; }
pre.alarm { background:var(--alarm); } pre.alarm,pre.command { white-space:pre-wrap; overflow-wrap:anywhere; } td details { margin:0; } h4 { margin:1rem 0 .3rem; } details ul { margin:.3rem 0; }
figure { margin:1rem 0; } details { margin:.5rem 0; } summary { cursor:pointer; } ul { padding-left:1.3rem; }
.plot { overflow-x:auto; margin:.6rem 0; } .plot svg { display:block; max-width:100%; height:auto; }
svg text { font:12px ui-monospace,monospace; fill:currentColor; }
svg .value { paint-order:stroke; stroke:var(--page); stroke-width:3px; }
@media screen and (max-width:48rem) { body { margin:1rem auto; } .plot svg { max-width:none; }
 td code { white-space:nowrap; }
 td.wide code { display:inline-block; width:max-content; max-width:38rem; } td.wide code,.facts code { white-space:normal; } }
@media screen and (max-width:30rem) { tr:has(>.wide) { display:flex; flex-wrap:wrap; border-bottom:1px solid var(--row); }
 tr:has(>.wide)>* { border-bottom:0; } tr>.wide { flex-basis:100%; padding-left:0; } tr:has(>.wide)>.n { margin-left:auto; } }
@media print { body { max-width:none; margin:0; font-size:10pt; } pre { white-space:pre-wrap; overflow:visible; }
 .plot,.box { overflow:visible; } nav { display:none; } h1,h2,h3 { break-after:avoid; } tr,figure,.plot,svg { break-inside:avoid; }
 a { color:inherit; text-decoration:none; } * { print-color-adjust:exact; -webkit-print-color-adjust:exact; } }
)css";

std::string origin_html() {
  const base::Invocation& made = base::invocation();
  if (!made.is_known()) return "";
  return fmt::format("<footer><small>Made by {} on {} with <code>{}</code></small></footer>\n", escaped(made.program),
                     escaped(made.date), escaped(made.command));
}

}  // namespace

std::string contents_html(const std::vector<PageSection>& sections) {
  if (sections.size() < 2) return "";
  std::string html = "<nav><ul>\n";
  for (const PageSection& section : sections) {
    html += fmt::format("<li><a href=\"#{}\">{}</a></li>\n", escaped(section.id), escaped(section.title));
  }
  return html + "</ul></nav>\n";
}

std::string html_page(std::string_view title, std::string_view body) {
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta http-equiv=\"Content-Security-Policy\" "
      "content=\"default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action "
      "'none'\"><meta name=\"viewport\" "
      "content=\"width=device-width, initial-scale=1\"><title>Weakspot: {}</title><style>{}</style></head><body>\n"
      "{}{}</body></html>\n",
      escaped(title), kStyle, body, origin_html());
}

}  // namespace weakspot::report
