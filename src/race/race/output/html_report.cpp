// SPDX-License-Identifier: MIT
#include "race/gate_reports.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/plural.h"
#include "race/causes.h"
#include "race/classes.h"
#include "report/markup.h"
#include "report/page.h"

namespace weakspot::race {
namespace {

using report::escaped;

constexpr unsigned kAround = 3;  // lines shown before and after a marked one

struct Mark {
  Place place;
  std::string label;
};

// The marked lines of one file with the lines around them, in one block where they are close together.
std::string listing(std::vector<Mark> marks, const LineReader& line_of) {
  std::sort(marks.begin(), marks.end(),
            [](const Mark& a, const Mark& b) { return std::tie(a.place, a.label) < std::tie(b.place, b.label); });
  std::string text;
  unsigned next = 1;
  for (std::size_t i = 0; i < marks.size();) {
    const unsigned line = marks[i].place.line;
    const unsigned from = std::max(next, line > kAround ? line - kAround : 1);
    if (from > next && next > 1) text += "<span class=\"number\">   ...</span>\n";
    for (unsigned n = from; n < line; ++n) {
      text += fmt::format("<span class=\"number\">{:6} </span>{}\n", n,
                          escaped(line_of(marks[i].place.file, n).value_or("")));
    }
    const std::string source = line_of(marks[i].place.file, line).value_or("");
    text += fmt::format("<span class=\"hit\"><span class=\"number\">{:6} </span>{}</span>\n", line, escaped(source));
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
      text += fmt::format("<span class=\"number\">{:6} </span>{}\n", next, escaped(*after));
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
  return fmt::format("{} with it, {} of at most {}; {} without it, {} with the same memory",
                     base::counted(evidence.runs, "run"), base::counted(evidence.instances, "instance"),
                     base::counted(evidence.threads, "thread"), base::counted(evidence.confirmed, "run"),
                     evidence.compared);
}

std::string distilled_rows(const Distilled& tests) {
  auto judged = [&](const std::string& test, const std::string& verdict) {
    return test.empty() ? "" : fmt::format("{}: {} by {}", test, verdict, tests.model);
  };
  return row("test", judged(tests.test, tests.verdict)) +
         row("repaired", judged(tests.repaired, tests.repaired_verdict)) +
         row("repair", fmt::format("{}", fmt::join(tests.repair, "; "))) +
         row(tests.disagrees ? "disagreement" : "not distilled", tests.problem);
}

std::string finding_html(const std::string& anchor, const Finding& finding, const LineReader& line_of) {
  const std::string_view word = severity_text(finding.severity);
  const FindingClass& known = class_of(finding.finding_class);
  std::string html = fmt::format("<h2 id=\"{}\"><span class=\"{}\">{} {}</span> {}</h2>\n<p title=\"{}\">{}</p>\n",
                                 anchor, word, word, escaped(known.id), escaped(place_text(finding.place)),
                                 escaped(known.summary), escaped(finding.message));
  std::vector<Mark> marks{{finding.place, label_text(finding)}};
  if (finding.other && finding.other->file == finding.place.file) {
    marks.push_back({*finding.other, other_label_text(finding)});
    html += listing(marks, line_of);
  } else {
    html += listing(marks, line_of);
    if (finding.other) {
      html += fmt::format("<p>{}</p>\n", escaped(place_text(*finding.other))) +
              listing({{*finding.other, other_label_text(finding)}}, line_of);
    }
  }
  html += "<table class=\"facts\">\n";
  auto add_inner = [&](const PtxOrigin& origin, const Place& named) {
    for (const InnerPlace& inner : inner_places(origin, named)) {
      html +=
          row(std::string(inner.words).c_str(), fmt::format("{}, for {}", place_text(inner.place), place_text(named)));
    }
  };
  add_inner(finding.origin, finding.place);
  if (finding.other) add_inner(finding.other_origin, *finding.other);
  for (const Place& caller : finding.called_from) html += row("called from", place_text(caller));
  html += row("also", fmt::format("{}", fmt::join(also_names(finding), ", "))) +
          row("memory", finding.allocated ? allocated_text(*finding.allocated) : "") + row("why", finding.why) +
          row(has_fix(finding) ? "fix" : "hint", advice_text(finding)) +
          row("kernel", finding.kernel.empty() ? "" : fmt::format("{} with {}", finding.kernel, finding.launch)) +
          row("evidence", finding.evidence ? evidence_text(*finding.evidence) : "") +
          row("only for", architectures_text(finding)) +
          row("seen", finding.count > 1 ? fmt::format("{} times", finding.count) : "") +
          row("replay", finding.replay, true);
  if (finding.distilled) html += distilled_rows(*finding.distilled);
  return html + "</table>\n";
}

std::string list(const char* title, const std::vector<std::string>& lines) {
  if (lines.empty()) return {};
  std::string html = fmt::format("<h2>{}</h2>\n<ul>\n", title);
  for (const std::string& line : lines) html += fmt::format("<li>{}</li>\n", escaped(line));
  return html + "</ul>\n";
}

}  // namespace

std::string to_html(const Report& report, const std::string& title, const LineReader& line_of) {
  std::vector<report::PageSection> sections;
  std::string findings;
  for (const Finding& finding : report.findings) {
    const std::string anchor = fmt::format("finding-{}", sections.size() + 1);
    sections.push_back({anchor, fmt::format("{} {} {}", severity_text(finding.severity),
                                            class_of(finding.finding_class).id, place_text(finding.place))});
    findings += finding_html(anchor, finding, line_of);
  }
  const std::string executed =
      report.fidelity ? fmt::format("<p>{}</p>\n", escaped(fidelity_line(*report.fidelity))) : "";
  std::string body = fmt::format("<h1>weakspot race {}</h1>\n<p>{}</p>\n{}{}{}", escaped(title),
                                 escaped(summary(report)), executed, report::contents_html(sections), findings);
  std::vector<std::string> lines;
  lines.reserve(report.not_modelled.size() + report.not_exercised.size() + 1);
  for (const NotModelled& operation : report.not_modelled) lines.push_back(not_modelled_line(operation));
  for (const NotExercised& kernel : report.not_exercised) lines.push_back(not_exercised_line(kernel));
  if (!report.incomplete.empty()) lines.push_back("not complete: " + report.incomplete);
  body += list("What is missing", lines);
  if (report.weak) body += list("Weak values", {weak_text(*report.weak)});
  if (report.mutants) {
    lines.clear();
    for (const Mutant& mutant : *report.mutants) lines.push_back(mutant_line(mutant));
    lines.push_back(score_text(*report.mutants));
    body += list("Mutants", lines);
  }
  return report::html_page("race " + title, body);
}

}  // namespace weakspot::race
