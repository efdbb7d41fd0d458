// SPDX-License-Identifier: MIT
#include "campaign/lock_table.h"

#include <fmt/format.h>

#include "campaign/summary.h"
#include "report/html_table.h"
#include "report/markup.h"
#include "report/page.h"

namespace weakspot::campaign {
namespace {

using base::JsonValue;
using codegen::LockFences;
using report::escaped;
using report::number_cell;

bool is_half(LockFences fences) { return fences == LockFences::acquire || fences == LockFences::release; }

JsonValue row_json(const LockTable& table, const LockRow& row) {
  JsonValue object = base::json_object();
  object.add("lock", to_string(row.kind));
  object.add("fences", fences_word(row.fences));
  if (is_half(row.fences)) object.add("side", to_string(row.fences));
  object.add("device", table.device);
  object.add("verdict", verdict_word(row));
  object.add("workgroups", row.contenders);
  object.add("sections_per_workgroup", row.sections);
  object.add("runs", row.counts.runs);
  object.add("failed_runs", row.counts.failed_runs);
  object.add("unfinished_runs", row.counts.unfinished);
  object.add("lost_updates", row.counts.lost_updates);
  object.add("sections", row.counts.sections);
  object.add("seconds", row.seconds);
  object.add("sections_per_second", row.throughput());
  object.add("explained_by", row.explained_by ? JsonValue(row.explained_by->test) : JsonValue(nullptr));
  if (row.explained_by) {
    JsonValue test = base::json_object();
    test.add("model", row.explained_by->model);
    test.add("allowed", row.explained_by->allowed ? JsonValue(*row.explained_by->allowed) : JsonValue(nullptr));
    test.add("instances", row.explained_by->instances);
    test.add("observed", row.explained_by->observed);
    test.add("seconds", row.explained_by->seconds);
    if (!row.explained_by->problem.empty()) test.add("problem", row.explained_by->problem);
    object.add("explanation", std::move(test));
  }
  if (!row.problem.empty()) object.add("problem", row.problem);
  return object;
}

bool holds(const LockRow& row) {
  return row.counts.failed_runs == 0 && row.problem.empty() && row.counts.runs > row.counts.unfinished;
}

std::string explanation_html(const LockRow& row) {
  if (!row.problem.empty()) return escaped(row.problem);
  if (!row.explained_by) return "";
  const AssumptionRun& test = *row.explained_by;
  return fmt::format("{}: {} of {}, {}", escaped(test.test), test.observed,
                     short_number(static_cast<double>(test.instances)), rate_text(test.rate()));
}

}  // namespace

std::string fences_word(LockFences fences) { return is_half(fences) ? "half" : std::string(to_string(fences)); }

std::string verdict_word(const LockRow& row) {
  if (row.counts.failed_runs != 0) return "FAILED";
  if (!row.problem.empty()) return row.failed ? "failed" : "unavailable";
  return holds(row) ? "holds" : "unfinished";
}

JsonValue to_json(const LockTable& table) {
  JsonValue array = base::json_array();
  for (const LockRow& row : table.rows) array.push_back(row_json(table, row));
  return array;
}

std::string to_html(const LockTable& table) {
  std::vector<report::HtmlRow> rows;
  for (const LockRow& row : table.rows) {
    const char* const colour = row.counts.failed_runs != 0 ? "forbidden" : holds(row) ? "sequential" : "refused";
    rows.push_back({{verdict_word(row), colour},
                    {std::string(to_string(row.kind)), "name"},
                    {is_half(row.fences) ? fmt::format("{} only", to_string(row.fences)) : fences_word(row.fences), ""},
                    number_cell(std::to_string(row.counts.runs)),
                    number_cell(std::to_string(row.counts.failed_runs)),
                    number_cell(std::to_string(row.counts.unfinished)),
                    number_cell(std::to_string(row.counts.lost_updates)),
                    number_cell(rate_text(row.throughput())),
                    {explanation_html(row), "wide"}});
  }
  const std::string body = fmt::format("<h1>Locks</h1>\n<p>{}: {}, {}</p>\n", escaped(table.device),
                                       escaped(table.device_name), escaped(table.driver)) +
                           html_table({{"verdict", ""},
                                       {"lock", ""},
                                       {"fences", ""},
                                       number_cell("runs"),
                                       number_cell("failed"),
                                       number_cell("unfinished"),
                                       number_cell("lost updates"),
                                       number_cell("sections"),
                                       {"explained by", ""}},
                                      rows);
  return report::html_page("Locks on " + table.device, body);
}

}  // namespace weakspot::campaign
