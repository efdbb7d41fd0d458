// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cctype>

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

report::HtmlCell rate_cell(const RunTally& tally, OutcomeClass outcome_class) {
  const stats::Rate rate = tally.rate(outcome_class);
  return number_cell(fmt::format("{} <small>({} to {})</small>", rate_text(rate.value), rate_text(rate.interval.low),
                                 rate_text(rate.interval.high)));
}

std::string cell_table(const std::vector<CampaignCell>& cells, const char* environment) {
  std::vector<report::HtmlRow> rows;
  for (const CampaignCell& cell : cells) {
    rows.push_back({verdict_cell(cell.tally),
                    {escaped(cell.test), "name"},
                    {fmt::format("{}<br><small>{}, {}</small>", escaped(cell.device_class), escaped(cell.device_name),
                                 escaped(cell.driver)),
                     ""},
                    number_cell(std::to_string(cell.tally.instances)),
                    number_cell(fmt::format("{:.3f} s", cell.tally.seconds)),
                    number_cell(std::to_string(cell.tally.count(OutcomeClass::weak))),
                    rate_cell(cell.tally, OutcomeClass::weak),
                    number_cell(std::to_string(cell.tally.count(OutcomeClass::forbidden))),
                    {fmt::format("<code>{}</code>{}", report::escaped_list(cell.environment),
                                 cell.message.empty() ? "" : " " + escaped(cell.message)),
                     "wide"}});
  }
  return report::html_table({{"verdict", ""},
                             {"test", ""},
                             {"device", ""},
                             number_cell("instances"),
                             number_cell("time"),
                             number_cell("weak"),
                             number_cell("weak per second (95 %)"),
                             number_cell("forbidden"),
                             {environment, ""}},
                            rows);
}

}  // namespace

std::string campaign_html(const CampaignReport& report) {
  const bool named = !report.name.empty() && report.name != report.suite;
  const std::string title = named ? "Campaign " + report.name : "Campaign of " + report.suite;
  std::string body =
      fmt::format("<h1>{}</h1>\n<p>{}{} of {} done; {}; id {}.</p>\n", escaped(title),
                  named ? escaped(report.suite) + ": " : "", report.done, base::counted(report.shards, "shard"),
                  base::counted(report.tests, "test"), escaped(report.campaign));
  for (const CampaignFinding& finding : report.findings) {
    body += fmt::format("<h2><span class=\"forbidden\">FORBIDDEN</span> {} on {}</h2>\n<p>{}: {} in {}</p>\n",
                        escaped(finding.first.test), escaped(finding.first.device_name), escaped(finding.outcome),
                        base::counted(finding.count, "instance"), base::counted(finding.runs, "run"));
    body += violations_html({finding.first});
  }
  if (!report.quarantined.empty()) body += "<h2>Quarantined</h2>\n<ul>\n";
  for (const Quarantined& one : report.quarantined) {
    body += fmt::format("<li>{} <b>{}</b>: {}</li>\n", escaped(one.kind), escaped(one.name), escaped(one.reason));
  }
  if (!report.quarantined.empty()) body += "</ul>\n";
  body += "<h2>Tests by device</h2>\n" + cell_table(report.by_test(), "most telling environment");
  body += fmt::format("<details><summary>every environment</summary>\n{}</details>\n",
                      cell_table(report.cells, "environment"));
  return report::html_page(title, body);
}

}  // namespace weakspot::campaign
