// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <utility>

#include "base/plural.h"
#include "campaign/campaign_report.h"
#include "campaign/html_report.h"
#include "campaign/summary.h"
#include "report/html_table.h"
#include "report/markup.h"
#include "report/page.h"

namespace weakspot::campaign {
namespace {

using report::escaped;
using report::number_cell;
using stats::OutcomeClass;

report::HtmlCell verdict_cell(const RunTally& tally) {
  std::string css = tally.verdict();
  std::transform(css.begin(), css.end(), css.begin(), [](unsigned char c) { return std::tolower(c); });
  return {tally.verdict(), css == "-" ? "" : css};
}

// Rounded, with the exact number for those who point at it.
report::HtmlCell count_cell(std::uint64_t count) {
  const std::string text = short_number(static_cast<double>(count));
  const bool exact = text == std::to_string(count);
  return number_cell(exact ? text : fmt::format("<span title=\"{}\">{}</span>", count, text));
}

report::HtmlCell rate_cell(const RunTally& tally, OutcomeClass outcome_class) {
  const stats::Rate rate = tally.rate(outcome_class);
  if (tally.seconds == 0) return number_cell("");
  if (tally.count(outcome_class) == 0) return number_cell("below " + rate_text(rate.interval.high));
  const auto bare = [](double number) { return rate_text(number).substr(0, rate_text(number).rfind('/')); };
  return number_cell(fmt::format("{} <small>({} to {})</small>", rate_text(rate.value), bare(rate.interval.low),
                                 bare(rate.interval.high)));
}

// `summed`: the cells are sums over environments, and name the one that shows most, if any shows anything.
std::string cell_table(const std::vector<const CampaignCell*>& cells, bool summed, EnvironmentNames& names) {
  std::vector<report::HtmlRow> rows;
  for (const CampaignCell* cell : cells) {
    const bool shows = cell->tally.count(OutcomeClass::weak) + cell->tally.count(OutcomeClass::forbidden) != 0;
    rows.push_back({verdict_cell(cell->tally),
                    {report::escaped_list(cell->test), ""},
                    count_cell(cell->tally.instances),
                    number_cell(fmt::format("{:.3g} s", cell->tally.seconds)),
                    count_cell(cell->tally.count(OutcomeClass::weak)),
                    rate_cell(cell->tally, OutcomeClass::weak),
                    count_cell(cell->tally.count(OutcomeClass::forbidden)),
                    {(shows || !summed ? environment_link(cell->environment, names) : "") +
                         (cell->message.empty() ? "" : "<br><small>" + escaped(cell->message) + "</small>"),
                     ""}});
  }
  return report::html_table({{"verdict", ""},
                             {"test", ""},
                             number_cell("instances"),
                             number_cell("time"),
                             number_cell("weak"),
                             number_cell("weak per second (95&nbsp;%)"),
                             number_cell("forbidden"),
                             {summed ? "most in" : "environment", ""}},
                            rows);
}

std::string device_title(const CampaignCell& cell) {
  std::string title = cell.device_class;
  if (!cell.device_name.empty()) title += ": " + cell.device_name;
  if (!cell.driver.empty()) title += ", " + cell.driver;
  return title;
}

// The cells of each kind of device, in the order of their first ones.
using CellsByDevice = std::vector<std::pair<std::string, std::vector<const CampaignCell*>>>;
CellsByDevice by_device(const std::vector<CampaignCell>& cells) {
  CellsByDevice groups;
  for (const CampaignCell& cell : cells) {
    const std::string title = device_title(cell);
    auto group = std::find_if(groups.begin(), groups.end(), [&](const auto& one) { return one.first == title; });
    if (group == groups.end()) group = groups.insert(groups.end(), {title, {}});
    group->second.push_back(&cell);
  }
  return groups;
}

// A page is made section by section, and its contents as well.
class PageBody {
 public:
  // `heading` is HTML, for where it differs from the title.
  void add(const std::string& id, const std::string& title, const std::string& heading, const std::string& html) {
    sections_.push_back({id, title});
    html_ += fmt::format("<h2 id=\"{}\">{}</h2>\n{}", id, heading, html);
  }
  void add(const std::string& id, const std::string& title, const std::string& html) {
    add(id, title, escaped(title), html);
  }
  std::string html() const { return report::contents_html(sections_) + html_; }

 private:
  std::vector<report::PageSection> sections_;
  std::string html_;
};

void add_finding(std::size_t number, const CampaignFinding& finding, PageBody& body) {
  const std::string where = fmt::format("{} on {}", finding.first.test, finding.first.device_name);
  body.add(fmt::format("finding-{}", number), "FORBIDDEN " + where,
           fmt::format("<span class=\"forbidden\">FORBIDDEN</span> {}", escaped(where)),
           fmt::format("<p>{}: {} in {}</p>\n{}", escaped(finding.outcome), base::counted(finding.count, "instance"),
                       base::counted(finding.runs, "run"), violations_html({finding.first})));
}

void add_quarantined(const std::vector<Quarantined>& quarantined, PageBody& body) {
  if (quarantined.empty()) return;
  std::string items;
  for (const Quarantined& one : quarantined) {
    items += fmt::format("<li>{} <b>{}</b>: {}</li>\n", escaped(one.kind), escaped(one.name), escaped(one.reason));
  }
  body.add("quarantined", "Quarantined", "<ul>\n" + items + "</ul>\n");
}

void add_devices(const CampaignReport& report, EnvironmentNames& names, PageBody& body) {
  const std::vector<CampaignCell> tests = report.by_test();
  const CellsByDevice sums = by_device(tests), cells = by_device(report.cells);
  for (std::size_t i = 0; i < sums.size(); ++i) {
    std::string html = cell_table(sums[i].second, true, names);
    // The same device classes in the same order; with one environment each there is nothing to unfold.
    if (cells[i].second.size() > sums[i].second.size()) {
      html += fmt::format("<details><summary>every environment: {}</summary>\n{}</details>\n",
                          base::counted(cells[i].second.size(), "row"), cell_table(cells[i].second, false, names));
    }
    body.add(fmt::format("device-{}", i + 1), "Tests on " + sums[i].first, html);
  }
}

}  // namespace

std::string campaign_html(const CampaignReport& report) {
  const bool named = !report.name.empty() && report.name != report.suite;
  const std::string title = named ? "Campaign " + report.name : "Campaign of " + report.suite;
  PageBody body;
  EnvironmentNames names;
  for (std::size_t i = 0; i < report.findings.size(); ++i) add_finding(i + 1, report.findings[i], body);
  add_quarantined(report.quarantined, body);
  add_devices(report, names, body);
  if (!names.numbered().empty()) body.add("environments", "Environments", environments_html(names));
  return report::html_page(
      title, fmt::format("<h1>{}</h1>\n<p>{}{} of {} done; {}; id {}.</p>\n{}", escaped(title),
                         named ? escaped(report.suite) + ": " : "", report.done, base::counted(report.shards, "shard"),
                         base::counted(report.tests, "test"), escaped(report.campaign), body.html()));
}

}  // namespace weakspot::campaign
