#include "campaign/page.h"

#include <fmt/format.h>

#include "campaign/markup.h"

namespace weakspot::campaign {
namespace {

constexpr const char* kStyle = R"css(
:root { --sequential:#4c9a5f; --interleaved:#3f86b8; --weak:#d98c1f; --forbidden:#c62828; --unknown:#8e5bb5; }
body { font:15px/1.5 system-ui,sans-serif; max-width:68rem; margin:2rem auto; padding:0 1rem; color:#222; }
h1 { font-size:1.6rem; } h2 { font-size:1.2rem; margin-top:2.2rem; border-top:1px solid #ddd; padding-top:1rem; }
table { border-collapse:collapse; width:100%; } th,td { text-align:left; padding:.2rem .6rem; border-bottom:1px solid #eee; }
td.n,th.n { text-align:right; font-variant-numeric:tabular-nums; }
code,pre { font:13px/1.45 ui-monospace,monospace; } pre { background:#f6f6f6; padding:.7rem; overflow-x:auto; }
.sequential { color:var(--sequential); } .interleaved { color:var(--interleaved); } .weak { color:var(--weak); }
.forbidden,.failed,.lost { color:var(--forbidden); font-weight:bold; } .unknown { color:var(--unknown); } .refused { color:#777; }
svg { max-width:100%; height:auto; } figure { margin:1rem 0; } svg text { font:12px ui-monospace,monospace; fill:currentColor; } .broken { background:#fdecea; padding:.5rem .8rem; font-weight:bold; }
small { color:#666; } details { margin:.4rem 0; }
@media (prefers-color-scheme:dark) { body { background:#161616; color:#ddd; } pre { background:#222; }
 th,td { border-color:#333; } h2 { border-color:#444; } .broken { background:#4a1f1c; } }
)css";

}  // namespace

std::string html_page(std::string_view title, std::string_view body) {
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
      "content=\"width=device-width\"><title>Weakspot: {}</title><style>{}</style></head><body>\n{}</body></html>\n",
      escaped(title), kStyle, body);
}

}  // namespace weakspot::campaign
