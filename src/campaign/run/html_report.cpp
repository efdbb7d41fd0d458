#include "campaign/html_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "campaign/device_table.h"
#include "campaign/markup.h"
#include "campaign/page.h"
#include "campaign/plot.h"
#include "campaign/summary.h"

namespace weakspot::campaign {
namespace {

using stats::OutcomeClass;

std::string lower(std::string word) {
  std::transform(word.begin(), word.end(), word.begin(), [](unsigned char c) { return std::tolower(c); });
  return word;
}

std::string css_class(const RunRecord& sum) { return lower(verdict_word(sum)); }

std::string histogram_svg(const RunRecord& sum) {
  BarChart chart{"outcomes of " + sum.test, Scale::decades, {}};
  for (const OutcomeCount& outcome : sum.outcomes) {
    chart.bars.push_back({(outcome.matches ? "* " : "") + outcome.outcome, static_cast<double>(outcome.count),
                          fmt::format("{} {}", outcome.count, class_word(outcome.outcome_class)),
                          fmt::format("var(--{})", stats::to_string(outcome.outcome_class))});
  }
  return bar_chart(chart);
}

std::string anchor(std::size_t number) { return fmt::format("run-{}", number); }

std::string summary_row(std::size_t number, const RunGroup& group, const RunRecord& sum) {
  return fmt::format(
      "<tr><td class=\"{}\">{}</td><td><a href=\"#{}\">{}</a></td><td>{}</td><td class=\"n\">{}</td><td "
      "class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td></tr>\n",
      css_class(sum), verdict_word(sum), anchor(number), escaped(sum.test), escaped(sum.device),
      short_number(static_cast<double>(sum.instances)), short_number(sum.rate()), sum.count(OutcomeClass::weak),
      sum.count(OutcomeClass::forbidden), group.records.size());
}

std::string environment_rows(const RunGroup& group) {
  std::string rows;
  for (const RunRecord& record : group.records) {
    rows += fmt::format(
        "<tr><td><code>{}</code></td><td class=\"n\">{}</td><td class=\"n\">{}/s</td><td class=\"n\">{}</td><td "
        "class=\"n\">{}</td><td class=\"n\">{:.3f} s</td><td>{}{}</td></tr>\n",
        escaped(codegen::to_text(record.environment)), record.instances, short_number(record.rate()),
        record.count(OutcomeClass::weak), record.count(OutcomeClass::forbidden), record.seconds,
        to_string(record.status), record.message.empty() ? "" : ": " + escaped(record.message));
  }
  return "<table><tr><th>environment</th><th class=\"n\">instances</th><th class=\"n\">rate</th><th "
         "class=\"n\">weak</th><th class=\"n\">forbidden</th><th class=\"n\">time</th><th>status</th></tr>\n" +
         rows + "</table>\n";
}

std::string section(std::size_t number, const RunGroup& group, const RunRecord& sum) {
  std::string html = fmt::format("<h2 id=\"{}\"><span class=\"{}\">{}</span> {} on {}</h2>\n", anchor(number),
                                 css_class(sum), verdict_word(sum), escaped(sum.test), escaped(sum.device));
  if (sum.deliberately_broken()) {
    html +=
        "<p class=\"broken\">Deliberately broken: this run weakens the test to show that violations are found.</p>\n";
  }
  if (!sum.outcomes.empty()) html += histogram_svg(sum);
  html += environment_rows(group);
  std::string witnesses;
  for (const RunRecord& record : group.records) witnesses += witness_text(record);
  if (!witnesses.empty()) html += fmt::format("<pre>{}</pre>\n", escaped(witnesses));
  std::string remark = sum.remark.empty() ? "" : fmt::format(" ({})", escaped(sum.remark));
  html += fmt::format(
      "<details><summary>the test, judged by {}{}</summary><pre>{}</pre></details>\n<small>seed {}, {} unfinished, {} "
      "barrier time-outs, compiled in {:.3f} s, code {}</small>\n",
      escaped(sum.model), remark, escaped(sum.text), sum.seed, sum.unfinished, sum.barrier_timeouts,
      sum.compile_seconds, escaped(sum.code_hash));
  return html;
}

std::string device_table_html(const DeviceTable& table) {
  std::string head = fmt::format("<tr><th>{}</th>", escaped(table.test));
  std::string verdicts = "<tr><td>verdict</td>";
  std::string instances = "<tr><td>instances</td>";
  for (const DeviceTable::Column& column : table.columns) {
    head += fmt::format("<th class=\"n\" colspan=\"2\">{}</th>", escaped(column.device));
    verdicts += fmt::format("<td class=\"n {}\" colspan=\"2\">{}</td>", lower(column.verdict), column.verdict);
    instances += fmt::format("<td class=\"n\">{}</td><td class=\"n\">{}/s</td>", column.instances,
                             short_number(column.rate(column.instances)));
  }
  std::string rows;
  for (const DeviceTable::Row& row : table.rows) {
    rows += fmt::format("<tr><td>{}<code>{}</code></td>", row.matches ? "* " : "", escaped(row.outcome));
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      const DeviceTable::Column& column = table.columns[i];
      if (!column.ran) {
        rows += "<td class=\"n\">-</td><td></td>";
      } else {
        rows += fmt::format("<td class=\"n\">{}</td><td class=\"n\">{}/s</td>", row.counts[i],
                            short_number(column.rate(row.counts[i])));
      }
    }
    rows += fmt::format("<td class=\"{}\">{}</td></tr>\n", stats::to_string(row.outcome_class), row.classes);
  }
  return fmt::format("<table>{}<th>class</th></tr>\n{}{}</tr>\n{}</tr></table>\n", head, rows, instances, verdicts);
}

std::string device_tables_html(const std::vector<RunGroup>& groups) {
  const std::vector<DeviceTable> tables = device_tables(groups);
  if (tables.empty()) return {};
  std::string html = "<h2>Outcomes by devices</h2>\n";
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

}  // namespace

std::string html_runs(const std::vector<RunRecord>& records) {
  const std::vector<RunGroup> groups = group_records(records);
  std::string rows, sections;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const RunRecord sum = groups[i].sum();
    rows += summary_row(i, groups[i], sum);
    sections += section(i, groups[i], sum);
  }
  return fmt::format(
      "<table><tr><th>verdict</th><th>test</th><th>device</th><th class=\"n\">instances</th><th class=\"n\">per "
      "second</th><th class=\"n\">weak</th><th class=\"n\">forbidden</th><th "
      "class=\"n\">environments</th></tr>\n{}</table>\n<p><small>sequential: whole threads one after the other; "
      "interleaved: sequentially consistent; weak: allowed by the model only; forbidden: not allowed by the model. * "
      "marks outcomes that satisfy the test's condition. Bars have a logarithmic scale.</small></p>\n{}{}",
      rows, device_tables_html(groups), sections);
}

std::string html_report(const std::vector<RunRecord>& records) {
  const std::vector<RunGroup> groups = group_records(records);
  std::map<std::string, std::size_t> verdicts;
  for (const RunGroup& group : groups) ++verdicts[verdict_word(group.sum())];
  std::string tally;
  for (const auto& [word, count] : verdicts) tally += fmt::format("{}{} {}", tally.empty() ? "" : ", ", count, word);
  const RunRecord* first = records.empty() ? nullptr : &records.front();
  const std::string body =
      fmt::format("<h1>Memory consistency: {}</h1>\n<p>{} runs of {} tests and devices; {}, {}.</p>\n{}{}",
                  escaped(tally), records.size(), groups.size(), first == nullptr ? "" : escaped(first->program),
                  first == nullptr ? "" : escaped(first->started), head_line(records), html_runs(records));
  return html_page(tally, body);
}

}  // namespace weakspot::campaign
