// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

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

// How many tests are reached, over the time for each.
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

std::string tests_table(const ConformReport& report) {
  std::vector<report::HtmlRow> rows;
  for (const TestResult& test : report.tests) {
    std::string environments;
    for (const PlannedPart& part : test.plan.parts) {
      environments += fmt::format("{}<code>{}</code>", environments.empty() ? "" : "<br>",
                                  report::escaped_list(codegen::to_text(report.suite->environments[part.environment])));
    }
    const bool unobservable = test.verdict == ConformVerdict::unobservable;
    rows.push_back({{std::string(to_string(test.verdict)), colour_of(test.verdict)},
                    {escaped(test.test->test.name), "name"},
                    {escaped(test.model), ""},
                    number_cell(unobservable ? "" : escaped(percent_text(test.reproducibility))),
                    number_cell(fmt::format("{:.3f} s", test.seconds)),
                    {escaped(test.reason), ""},
                    {environments, "wide"}});
  }
  return html_table({{"verdict", ""},
                     {"test", ""},
                     {"judged by", ""},
                     number_cell("reproducibility"),
                     number_cell("time"),
                     {"remark", ""},
                     {"environment", ""}},
                    rows);
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
  return items.empty() ? "" : "<h3>Mutants that do not count on this device</h3>\n<ul>" + items + "</ul>\n";
}

std::string together(const ConformReport& report) {
  return report.total_reproducibility ? percent_text(*report.total_reproducibility) : "nothing that counts";
}

std::string device_section(const ConformReport& report) {
  return fmt::format(
      "<h2 class=\"{}\">{}: {}</h2>\n<p>{}, {}. Suite {}{}. {:.2f} s of device time: {:.2f} s for mutants, {:.2f} s "
      "for "
      "tests; the budget was {} s, the confidence asked for {} per test. All tests together: {}.</p>\n{}"
      "<p><small>Reproducibility: the probability that a run like this one kills every mutant of the test, and so "
      "would "
      "have shown an equally rare violation.</small></p>\n{}"
      "<h3>How fast mutants die</h3>\n{}\n<h3>Tests reached within a time budget</h3>\n{}\n",
      colour_of(report.verdict), escaped(report.device), to_string(report.verdict), escaped(report.device_name),
      escaped(report.driver), escaped(report.suite->name),
      report.suite->family.empty() ? "" : " for " + escaped(report.suite->family), report.device_seconds(),
      report.measuring_seconds, report.testing_seconds, report.options.budget, percent_text(report.options.target),
      escaped(together(report)), tests_table(report), pruned_list(report), death_rates(report), budget_curve(report));
}

}  // namespace

std::string conform_html(const ConformReports& reports) {
  const std::string title = fmt::format("Conformance: {}", to_string(overall(reports)));
  std::string body =
      fmt::format("<h1>{}</h1>\n<p>{}, {}.</p>\n", title, reports.empty() ? "" : escaped(reports.front().program),
                  reports.empty() ? "" : escaped(reports.front().started));
  std::vector<RunRecord> records;
  for (const ConformReport& report : reports) {
    body += device_section(report);
    const std::vector<RunRecord> of_device = report.records();
    records.insert(records.end(), of_device.begin(), of_device.end());
  }
  body += "<h2>Outcomes</h2>\n" + html_runs(records);
  return report::html_page(title, body);
}

}  // namespace weakspot::campaign
