// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "base/plural.h"
#include "campaign/conform_report.h"
#include "campaign/html_report.h"
#include "campaign/summary.h"
#include "report/html_table.h"
#include "report/markup.h"
#include "report/page.h"
#include "report/plot.h"
#include "stats/reproducibility.h"

namespace weakspot::campaign {
namespace {

using report::escaped;
using report::html_table;
using report::number_cell;

std::string colour_of(ConformVerdict verdict) {
  switch (verdict) {
    case ConformVerdict::conformant:
      return "sequential";
    case ConformVerdict::unobservable:
      return "refused";
    case ConformVerdict::inconclusive:
      return "weak";
    case ConformVerdict::violation:
      return "forbidden";
  }
  return "";
}

double best_rate(const MutantResult& mutant) {
  return mutant.rates.empty() ? 0 : *std::max_element(mutant.rates.begin(), mutant.rates.end());
}

std::string death_rates(const ConformReport& report) {
  report::BarChart chart{"kills of each mutant per second, in its best environment", report::Scale::decades, {}};
  for (const TestResult& test : report.tests) {
    for (const MutantResult& mutant : test.mutants) {
      const double rate = best_rate(mutant);
      chart.bars.push_back({mutant.mutant->test.name, rate,
                            mutant.counts()
                                ? fmt::format("{}/s", rate < 10 ? fmt::format("{:.2g}", rate) : short_number(rate))
                                : std::string(to_string(mutant.mutant->status)),
                            ""});
    }
  }
  return report::bar_chart(chart);
}

// Seconds until the test is expected to have killed each of its mutants this many times, in its best environment.
double seconds_for(const TestResult& test, double sightings) {
  double seconds = 0;
  for (const MutantResult& mutant : test.mutants) {
    if (!mutant.counts()) continue;
    const double rate = best_rate(mutant);
    if (rate == 0) return std::numeric_limits<double>::infinity();
    seconds = std::max(seconds, sightings / rate);
  }
  return seconds;
}

// Charts the number of tests reached over the time for each.
std::string budget_curve(const ConformReport& report) {
  report::Chart chart{"tests reached within a time budget",
                      {"seconds per test", report::Scale::doublings},
                      {"tests", report::Scale::linear},
                      {}};
  for (const double target : {0.95, report.options.target}) {
    report::Series series{percent_text(target), {}};
    const auto sightings = static_cast<double>(stats::sightings_needed(target));
    for (int power = -10; power <= 8; ++power) {
      const double budget = std::ldexp(1, power);
      const auto reached = std::count_if(report.tests.begin(), report.tests.end(), [&](const TestResult& test) {
        const bool counts = std::any_of(test.mutants.begin(), test.mutants.end(),
                                        [](const MutantResult& mutant) { return mutant.counts(); });
        return counts && seconds_for(test, sightings) <= budget;
      });
      series.points.push_back({budget, static_cast<double>(reached)});
    }
    chart.series.push_back(std::move(series));
  }
  return report::line_chart(chart);
}

// The most environments that a row names; the page of a run lists them all.
constexpr std::size_t kMostInRow = 4;

std::string environments_cell(const TestResult& test, const ConformanceSuite& suite, EnvironmentNames& names) {
  if (test.plan.parts.size() > kMostInRow) return base::counted(test.plan.parts.size(), "environment");
  std::string html;
  for (const PlannedPart& part : test.plan.parts) {
    html +=
        (html.empty() ? "" : ", ") + environment_link(codegen::to_text(suite.environments[part.environment]), names);
  }
  return html;
}

std::string verdict_table(const ConformReport& report, ConformVerdict verdict, EnvironmentNames& names) {
  const bool tells = verdict != ConformVerdict::unobservable, explains = verdict != ConformVerdict::conformant;
  report::HtmlRow head = {{"test", ""}, number_cell("time"), {"environment", ""}};
  if (explains) head.push_back({"remark", "wide"});
  if (tells) head.insert(head.begin() + 1, number_cell("reproducibility"));
  std::vector<report::HtmlRow> rows;
  for (const TestResult& test : report.tests) {
    if (test.verdict != verdict) continue;
    report::HtmlRow& row = rows.emplace_back();
    row.push_back({escaped(test.test->test.name), "name"});
    if (tells) row.push_back(number_cell(escaped(percent_text(test.reproducibility))));
    row.push_back(number_cell(fmt::format("{:.3f} s", test.seconds)));
    row.push_back({environments_cell(test, *report.suite, names), ""});
    if (explains) row.push_back({escaped(test.reason), "wide"});
  }
  if (rows.empty()) return "";
  return fmt::format("<h3 class=\"{}\">{}: {}</h3>\n", colour_of(verdict), to_string(verdict),
                     base::counted(rows.size(), "test")) +
         html_table(head, rows);
}

// The worst first.
std::string tests_tables(const ConformReport& report, EnvironmentNames& names) {
  std::string html;
  for (const ConformVerdict verdict : {ConformVerdict::violation, ConformVerdict::inconclusive,
                                       ConformVerdict::conformant, ConformVerdict::unobservable}) {
    html += verdict_table(report, verdict, names);
    if (verdict != ConformVerdict::violation) continue;
    for (const TestResult& test : report.tests) {
      const std::string shown = violations_html(test.records);
      if (!shown.empty()) html += fmt::format("<h4>{}</h4>\n{}", escaped(test.test->test.name), shown);
    }
  }
  return html;
}

std::string pruned_list(const ConformReport& report) {
  std::string items;
  for (const TestResult& test : report.tests) {
    for (const MutantResult& mutant : test.mutants) {
      if (mutant.counts()) continue;
      items += fmt::format("<li>{}: {} ({})</li>\n", escaped(mutant.mutant->test.name),
                           to_string(mutant.mutant->status), escaped(mutant.mutant->reason));
    }
  }
  if (items.empty()) return "";
  return "<details><summary>Mutants that do not count on this device</summary>\n<ul>" + items + "</ul></details>\n";
}

std::string together(const ConformReport& report) {
  return report.total_reproducibility ? percent_text(*report.total_reproducibility) : "nothing that counts";
}

// The models that judged, which differ only if tests are of several dialects.
std::string judges(const ConformReport& report) {
  std::set<std::string> models;
  for (const TestResult& test : report.tests) {
    if (!test.model.empty()) models.insert(test.model);
  }
  return models.empty() ? "" : fmt::format(" Judged by {}.", escaped(fmt::format("{}", fmt::join(models, ", "))));
}

std::string device_section(const std::string& anchor, const ConformReport& report, EnvironmentNames& names) {
  return fmt::format(
      "<h2 id=\"{}\" class=\"{}\">{}: {}</h2>\n<p>{}, {}. Suite {}{}.{} {:.2f} s of device time: {:.2f} s for mutants, "
      "{:.2f} s "
      "for "
      "tests; {:.1f} s by the clock; the budget was {} s, the confidence asked for {} per test. All tests together: "
      "{}.</p>\n{}"
      "<p><small>Reproducibility: the probability that a run like this one kills every mutant of the test, and so "
      "would "
      "have shown an equally rare violation.</small></p>\n{}"
      "<h3>How fast mutants die</h3>\n{}\n<h3>Tests reached within a time budget</h3>\n{}\n",
      anchor, colour_of(report.verdict), escaped(report.device), to_string(report.verdict), escaped(report.device_name),
      escaped(report.driver), escaped(report.suite->name),
      report.suite->family.empty() ? "" : " for " + escaped(report.suite->family), judges(report),
      report.device_seconds(), report.measuring_seconds, report.testing_seconds, report.wall_seconds,
      report.options.budget, percent_text(report.options.target), escaped(together(report)),
      tests_tables(report, names), pruned_list(report), death_rates(report), budget_curve(report));
}

}  // namespace

std::string conform_html(const ConformReports& reports) {
  const std::string title = fmt::format("Conformance: {}", to_string(overall(reports)));
  std::string body =
      fmt::format("<h1>{}</h1>\n<p>{}, {}.</p>\n", title, reports.empty() ? "" : escaped(reports.front().program),
                  reports.empty() ? "" : escaped(reports.front().started));
  EnvironmentNames names;
  std::vector<report::PageSection> sections;
  std::vector<RunRecord> records;
  std::string devices;
  for (const ConformReport& report : reports) {
    const std::string anchor = fmt::format("device-{}", sections.size() + 1);
    sections.push_back({anchor, fmt::format("{}: {}", report.device, to_string(report.verdict))});
    devices += device_section(anchor, report, names);
    const std::vector<RunRecord> of_device = report.records();
    records.insert(records.end(), of_device.begin(), of_device.end());
  }
  sections.push_back({"outcomes", "Outcomes"});
  std::string environments;
  if (!names.numbered().empty()) {
    sections.push_back({"environments", "Environments"});
    environments = "<h2 id=\"environments\">Environments</h2>\n" + environments_html(names);
  }
  body += report::contents_html(sections) + devices + "<h2 id=\"outcomes\">Outcomes</h2>\n" + html_runs(records) +
          environments;
  return report::html_page(title, body);
}

}  // namespace weakspot::campaign
