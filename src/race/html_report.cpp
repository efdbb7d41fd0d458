#include "race/html_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "race/classes.h"

namespace weakspot::race {
namespace {

constexpr const char* kStyle = R"css(
body { font:15px/1.5 system-ui,sans-serif; max-width:68rem; margin:2rem auto; padding:0 1rem; color:#222; background:#fff; }
h1 { font-size:1.5rem; } h2 { font-size:1.05rem; margin:2rem 0 .3rem; border-top:1px solid #ddd; padding-top:1rem; }
table { border-collapse:collapse; } th,td { text-align:left; padding:.15rem .8rem .15rem 0; vertical-align:top; }
pre,code { font:13px/1.45 ui-monospace,monospace; } pre { background:#f6f6f6; padding:.6rem; overflow-x:auto; margin:.4rem 0; }
.hit { background:#fde9c8; display:inline-block; min-width:100%; } .caret { color:#c62828; font-weight:bold; }
.error { color:#c62828; } .warning { color:#b26a00; } .hint { color:#3f6fb8; } small,.n { color:#777; }
@media (prefers-color-scheme:dark) { body { background:#161616; color:#ddd; } pre { background:#222; } .hit { background:#4a3a1c; }
 h2 { border-color:#444; } .error { color:#ff8a80; } .warning { color:#ffb74d; } .hint { color:#90b8f0; } .caret { color:#ff8a80; } }
)css";

constexpr unsigned kAround = 3;  // lines shown before and after

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\r':
        break;
      default:
        out += static_cast<unsigned char>(c) < 0x20 && c != '\t' && c != '\n' ? '?' : c;
    }
  }
  return out;
}

struct Mark {
  Place place;
  std::string label;
};

// The lines around marked ones of one file, in one piece where they are near each other.
std::string listing(std::vector<Mark> marks, const LineReader& line_of) {
  std::sort(marks.begin(), marks.end(),
            [](const Mark& a, const Mark& b) { return std::tie(a.place, a.label) < std::tie(b.place, b.label); });
  std::string text;
  unsigned next = 1;
  for (std::size_t i = 0; i < marks.size();) {
    const unsigned line = marks[i].place.line;
    const unsigned from = std::max(next, line > kAround ? line - kAround : 1);
    if (from > next && next > 1) text += "<span class=\"n\">   ...</span>\n";
    for (unsigned n = from; n < line; ++n) {
      text +=
          fmt::format("<span class=\"n\">{:6} </span>{}\n", n, escaped(line_of(marks[i].place.file, n).value_or("")));
    }
    const std::string source = line_of(marks[i].place.file, line).value_or("");
    text += fmt::format("<span class=\"hit\"><span class=\"n\">{:6} </span>{}</span>\n", line, escaped(source));
    for (; i < marks.size() && marks[i].place.line == line; ++i) {
      std::string blank;
      for (unsigned c = 1; c < marks[i].place.column && c <= source.size(); ++c)
        blank += source[c - 1] == '\t' ? '\t' : ' ';
      text += fmt::format("       {}<span class=\"caret\">^ {}</span>\n", blank, escaped(marks[i].label));
    }
    const unsigned until = i < marks.size() ? std::min(line + kAround, marks[i].place.line - 1) : line + kAround;
    next = line + 1;
    for (; next <= until; ++next) {
      const std::optional<std::string> after = line_of(marks[0].place.file, next);
      if (!after) break;
      text += fmt::format("<span class=\"n\">{:6} </span>{}\n", next, escaped(*after));
    }
  }
  return fmt::format("<pre>{}</pre>\n", text);
}

std::string row(const char* name, const std::string& value, bool code = false) {
  if (value.empty()) return {};
  return fmt::format("<tr><th>{}</th><td>{}{}{}</td></tr>\n", name, code ? "<code>" : "", escaped(value),
                     code ? "</code>" : "");
}

std::string evidence_text(const BarrierEvidence& evidence) {
  return fmt::format("{} runs with it, {} instances of at most {} threads; {} runs without it, {} with the same memory",
                     evidence.runs, evidence.instances, evidence.threads, evidence.confirmed, evidence.compared);
}

std::string finding_html(const Finding& finding, const LineReader& line_of) {
  const char* word = severity_text(finding.severity);
  const FindingClass& known = class_of(finding.finding_class);
  std::string html = fmt::format("<h2><span class=\"{}\">{} {}</span> {}</h2>\n<p title=\"{}\">{}</p>\n", word, word,
                                 escaped(known.id), escaped(place_text(finding.place)), escaped(known.summary),
                                 escaped(finding.message));
  std::vector<Mark> marks{{finding.place, finding.label}};
  if (finding.other && finding.other->file == finding.place.file) {
    marks.push_back({*finding.other, finding.other_label});
    html += listing(marks, line_of);
  } else {
    html += listing(marks, line_of);
    if (finding.other) {
      html += fmt::format("<p>{}</p>\n", escaped(place_text(*finding.other))) +
              listing({{*finding.other, finding.other_label}}, line_of);
    }
  }
  html += "<table>\n";
  for (const Place& caller : finding.called_from) html += row("called from", place_text(caller));
  html += row("why", finding.why) + row("fix", finding.fix) +
          row("kernel", finding.kernel.empty() ? "" : fmt::format("{} with {}", finding.kernel, finding.launch)) +
          row("evidence", finding.evidence ? evidence_text(*finding.evidence) : "") +
          row("times", finding.count > 1 ? std::to_string(finding.count) : "") + row("replay", finding.replay, true);
  return html + "</table>\n";
}

}  // namespace

std::string to_html(const Report& report, const std::string& title, const LineReader& line_of) {
  std::string body = fmt::format("<h1>weakspot race {}</h1>\n<p>{}</p>\n", escaped(title), escaped(summary(report)));
  for (const Finding& finding : report.findings) body += finding_html(finding, line_of);
  if (!report.notes.empty()) {
    body += "<h2>Not modelled</h2>\n<ul>\n";
    for (const std::string& note : report.notes) body += fmt::format("<li>{}</li>\n", escaped(note));
    body += "</ul>\n";
  }
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
      "content=\"width=device-width\"><title>weakspot race "
      "{}</title><style>{}</style></head><body>\n{}</body></html>\n",
      escaped(title), kStyle, body);
}

}  // namespace weakspot::race
