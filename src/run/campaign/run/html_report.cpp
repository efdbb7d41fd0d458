// SPDX-License-Identifier: MIT
#include "campaign/html_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include "base/plural.h"
#include "campaign/device_table.h"
#include "campaign/summary.h"
#include "report/html_table.h"
#include "report/markup.h"
#include "report/page.h"
#include "report/plot.h"

namespace weakspot::campaign {
namespace {

using report::escaped;
using report::html_table;
using report::number_cell;

using stats::OutcomeClass;

std::string lower(std::string word) {
  std::transform(word.begin(), word.end(), word.begin(), [](unsigned char c) { return std::tolower(c); });
  return word;
}

std::string css_class(const RunRecord& sum) { return lower(verdict_word(sum)); }

std::string histogram_svg(const RunRecord& sum) {
  report::BarChart chart{"outcomes of " + sum.test, report::Scale::decades, {}};
  for (const OutcomeCount& outcome : sum.outcomes) {
    chart.bars.push_back({(outcome.matches ? "* " : "") + outcome.outcome, static_cast<double>(outcome.count),
                          fmt::format("{} {}", outcome.count, class_word(outcome.outcome_class)),
                          fmt::format("var(--{})", stats::to_string(outcome.outcome_class))});
  }
  return report::bar_chart(chart);
}

// "env 1" becomes "env-1".
std::string environment_anchor(std::string name) {
  std::replace(name.begin(), name.end(), ' ', '-');
  return name;
}

std::string anchor(std::size_t number) { return fmt::format("run-{}", number); }

report::HtmlRow summary_row(std::size_t number, const RunGroup& group, const RunRecord& sum) {
  return {{verdict_word(sum), css_class(sum)},
          {fmt::format("<a href=\"#{}\">{}</a>", anchor(number), escaped(sum.test)), "name"},
          {escaped(sum.device), ""},
          number_cell(short_number(static_cast<double>(sum.instances))),
          number_cell(short_number(sum.rate())),
          number_cell(std::to_string(sum.count(OutcomeClass::weak))),
          number_cell(std::to_string(sum.count(OutcomeClass::forbidden))),
          number_cell(std::to_string(group.records.size()))};
}

std::string environments_table(const RunGroup& group) {
  std::vector<report::HtmlRow> rows;
  for (const RunRecord& record : group.records) {
    const std::string message = record.message.empty() ? "" : ": " + escaped(record.message);
    rows.push_back(
        {{fmt::format("<code>{}</code>", report::escaped_list(codegen::to_text(record.environment))), "wide"},
         number_cell(std::to_string(record.instances)),
         number_cell(short_number(record.rate()) + "/s"),
         number_cell(std::to_string(record.count(OutcomeClass::weak))),
         number_cell(std::to_string(record.count(OutcomeClass::forbidden))),
         number_cell(fmt::format("{:.3f} s", record.seconds)),
         {fmt::format("{}{}", to_string(record.status), message), ""}});
  }
  return html_table({{"environment", ""},
                     number_cell("instances"),
                     number_cell("rate"),
                     number_cell("weak"),
                     number_cell("forbidden"),
                     number_cell("time"),
                     {"status", ""}},
                    rows);
}

std::string folded(const std::string& summary, const std::string& html) {
  return fmt::format("<details><summary>{}</summary>\n{}</details>\n", summary, html);
}

std::string section(std::size_t number, const RunGroup& group, const RunRecord& sum) {
  std::string html = fmt::format("<h2 id=\"{}\"><span class=\"{}\">{}</span> {} on {}</h2>\n", anchor(number),
                                 css_class(sum), verdict_word(sum), escaped(sum.test), escaped(sum.device));
  if (sum.deliberately_broken()) {
    html +=
        "<p class=\"broken\">Deliberately broken: this run weakens the test to show that violations are found.</p>\n";
  }
  if (!sum.outcomes.empty()) html += histogram_svg(sum);
  html += violations_html(group.records);
  html += folded(base::counted(group.records.size(), "environment"), environments_table(group));
  std::string remark = sum.remark.empty() ? "" : fmt::format(" ({})", escaped(sum.remark));
  html += fmt::format(
      "<details><summary>the test, judged by {}{}</summary><pre>{}</pre></details>\n<small>seed {}, {} unfinished, {}, "
      "compiled in {:.3f} s, code {}</small>\n",
      escaped(sum.model), remark, escaped(sum.text), sum.seed, sum.unfinished,
      base::counted(sum.barrier_timeouts, "barrier time-out"), sum.compile_seconds, escaped(sum.code_hash));
  return html;
}

std::string device_table_html(const DeviceTable& table) {
  report::HtmlRow head = {{escaped(table.test), ""}}, instances = {{"instances", ""}}, verdicts = {{"verdict", ""}},
                  models = {{"judged by", ""}};
  for (const DeviceTable::Column& column : table.columns) {
    head.push_back({escaped(column.device), "n", 2});
    models.push_back({escaped(column.model), "n", 2});
    verdicts.push_back({column.verdict, "n " + lower(column.verdict), 2});
    instances.push_back(number_cell(std::to_string(column.instances)));
    instances.push_back(number_cell(short_number(column.rate(column.instances)) + "/s"));
  }
  head.push_back({"class", ""});
  instances.push_back({});
  models.push_back({});
  verdicts.push_back({});
  std::vector<report::HtmlRow> rows;
  for (const DeviceTable::Row& row : table.rows) {
    report::HtmlRow& cells = rows.emplace_back();
    cells.push_back({fmt::format("{}<code>{}</code>", row.matches ? "* " : "", escaped(row.outcome)), "name"});
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      const DeviceTable::Column& column = table.columns[i];
      cells.push_back(number_cell(column.ran ? std::to_string(row.counts[i]) : "-"));
      cells.push_back(number_cell(column.ran ? short_number(column.rate(row.counts[i])) + "/s" : ""));
    }
    cells.push_back({row.classes, std::string(stats::to_string(row.outcome_class))});
  }
  rows.push_back(std::move(instances));
  rows.push_back(std::move(models));
  rows.push_back(std::move(verdicts));
  return html_table(head, rows);
}

std::string device_tables_html(const std::vector<RunGroup>& groups) {
  const std::vector<DeviceTable> tables = device_tables(groups);
  if (tables.empty()) return {};
  std::string html = "<h2>Outcomes by device</h2>\n";
  for (const DeviceTable& table : tables) html += device_table_html(table);
  return html;
}

std::string head_line(const std::vector<RunRecord>& records) {
  std::set<std::string> devices;
  for (const RunRecord& record : records) {
    if (record.device_name.empty()) continue;
    devices.insert(fmt::format("<li><b>{}</b> {}, {}</li>\n", escaped(record.device), escaped(record.device_name),
                               escaped(record.driver)));
  }
  std::string html = "<ul>\n";
  for (const std::string& device : devices) html += device;
  return html + "</ul>\n";
}

// Groups with a forbidden outcome first, each part in the order in which it ran.
std::vector<RunGroup> worst_first(std::vector<RunGroup> groups) {
  std::vector<RunGroup> forbidden, others;
  for (RunGroup& group : groups) {
    (group.sum().count(OutcomeClass::forbidden) != 0 ? forbidden : others).push_back(std::move(group));
  }
  std::move(others.begin(), others.end(), std::back_inserter(forbidden));
  return forbidden;
}

}  // namespace

std::string violations_html(const std::vector<RunRecord>& records) {
  std::string html;
  for (const RunRecord& record : records) {
    if (record.witnesses.empty()) continue;
    html += fmt::format("<pre class=\"alarm\">{}</pre>\n<p>To see it again:</p>\n<pre class=\"command\">{}</pre>\n",
                        escaped(witness_text(record)), escaped(replay_commands(record)));
  }
  return html;
}

std::string environment_link(const std::string& settings, EnvironmentNames& names) {
  const std::string name = names.name(settings);
  const bool numbered = name.find(' ') != std::string::npos;
  return numbered ? fmt::format("<a href=\"#{}\">{}</a>", environment_anchor(name), name)
                  : fmt::format("<code>{}</code>", escaped(name));
}

std::string environments_html(const EnvironmentNames& names) {
  std::string rows;
  for (const EnvironmentNames::Entry& entry : names.numbered()) {
    rows += fmt::format("<tr id=\"{}\"><th>{}</th><td><code>{}</code></td></tr>\n", environment_anchor(entry.name),
                        entry.name, report::escaped_list(entry.settings));
  }
  return "<table class=\"facts\">\n" + rows + "</table>\n";
}

std::string html_runs(const std::vector<RunRecord>& records) {
  const std::vector<RunGroup> groups = worst_first(group_records(records));
  std::vector<report::HtmlRow> rows;
  std::string sections;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const RunRecord sum = groups[i].sum();
    rows.push_back(summary_row(i, groups[i], sum));
    sections += section(i, groups[i], sum);
  }
  const std::string table = html_table({{"verdict", ""},
                                        {"test", ""},
                                        {"device", ""},
                                        number_cell("instances"),
                                        number_cell("per second"),
                                        number_cell("weak"),
                                        number_cell("forbidden"),
                                        number_cell("environments")},
                                       rows);
  return fmt::format(
      "{}<p><small>sequential: whole threads one after the other; interleaved: sequentially consistent; weak: allowed "
      "by "
      "the model only; forbidden: not allowed by the model. * marks outcomes that satisfy the test's condition. Bars "
      "have "
      "a logarithmic scale.</small></p>\n{}{}",
      table, device_tables_html(groups), sections);
}

std::string html_report(const std::vector<RunRecord>& records) {
  const std::vector<RunGroup> groups = group_records(records);
  std::map<std::string, std::size_t> verdicts;
  for (const RunGroup& group : groups) ++verdicts[verdict_word(group.sum())];
  std::string tally;
  for (const auto& [word, count] : verdicts) tally += fmt::format("{}{} {}", tally.empty() ? "" : ", ", count, word);
  const RunRecord* first = records.empty() ? nullptr : &records.front();
  const std::string body = fmt::format(
      "<h1>Memory consistency: {}</h1>\n<p>{} of {}; {}, {}.</p>\n{}{}", escaped(tally),
      base::counted(records.size(), "run"), base::counted(groups.size(), "test on a device", "tests and devices"),
      first == nullptr ? "" : escaped(first->program), first == nullptr ? "" : escaped(first->started),
      head_line(records), html_runs(records));
  return report::html_page(tally, body);
}

}  // namespace weakspot::campaign
