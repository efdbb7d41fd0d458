// SPDX-License-Identifier: MIT
#include "campaign/assumption_table.h"

#include <fmt/format.h>

#include "campaign/summary.h"
#include "report/html_table.h"
#include "report/markup.h"
#include "report/page.h"

namespace weakspot::campaign {
namespace {

using base::JsonValue;
using report::escaped;
using report::number_cell;

JsonValue allowed_json(const AssumptionRun& run) { return run.allowed ? JsonValue(*run.allowed) : JsonValue(nullptr); }

void add_run(JsonValue& object, const AssumptionRun& run) {
  object.add("test", run.test);
  object.add("model", run.model);
  object.add("allowed", allowed_json(run));
  object.add("instances", run.instances);
  object.add("observed", run.observed);
  object.add("seconds", run.seconds);
  if (!run.problem.empty()) object.add("problem", run.problem);
}

JsonValue run_json(const AssumptionRun& run) {
  JsonValue object = base::json_object();
  add_run(object, run);
  return object;
}

std::string allowed_word(const AssumptionRun& run) {
  if (!run.problem.empty()) return "";
  return !run.allowed ? "unknown" : *run.allowed ? "allowed" : "forbidden";
}

std::string_view css_class(const AssumptionRun& run) {
  if (run.is_violation()) return "forbidden";
  if (!run.problem.empty()) return "refused";
  return run.observed != 0 ? "weak" : "sequential";
}

std::string seen_html(const AssumptionRun& run) {
  if (!run.problem.empty()) {
    return fmt::format("{}: {}", run.failed ? "failed" : "not available", escaped(run.problem));
  }
  return fmt::format("{} of {}, {}", run.observed, short_number(static_cast<double>(run.instances)),
                     rate_text(run.rate()));
}

report::HtmlRow row_of(const Assumption& assumption) {
  const AssumptionRun& run = assumption.run;
  report::HtmlRow row = {{verdict_word(run), std::string(css_class(run))},
                         {escaped(run.test), "name"},
                         {fmt::format("{}<br>{}", escaped(assumption.idiom), escaped(assumption.claim)), "wide"},
                         {allowed_word(run), ""},
                         number_cell(seen_html(run))};
  if (!assumption.repaired) {
    row.push_back({"no fenced form", ""});
    row.push_back({});
    row.push_back({});
    return row;
  }
  row.push_back({escaped(assumption.repaired->test), "name"});
  row.push_back({allowed_word(*assumption.repaired), ""});
  row.push_back(number_cell(seen_html(*assumption.repaired)));
  return row;
}

std::string device_html(const std::string& device, const std::string& name, const std::string& driver) {
  return fmt::format("<p>{}: {}, {}</p>\n", escaped(device), escaped(name), escaped(driver));
}

}  // namespace

std::string verdict_word(const AssumptionRun& run) {
  if (!run.problem.empty()) return run.failed ? "failed" : "unavailable";
  if (run.is_violation()) return "FORBIDDEN";
  if (run.observed != 0) return "false";
  if (!run.allowed) return "unknown";
  return *run.allowed ? "unseen" : "holds";
}

JsonValue to_json(const AssumptionTable& table) {
  JsonValue array = base::json_array();
  for (const Assumption& assumption : table.assumptions) {
    JsonValue object = base::json_object();
    object.add("idiom", assumption.idiom);
    object.add("assumption", assumption.claim);
    object.add("device", table.device);
    object.add("verdict", verdict_word(assumption.run));
    add_run(object, assumption.run);
    object.add("repaired", assumption.repaired ? run_json(*assumption.repaired) : JsonValue(nullptr));
    JsonValue others = base::json_array();
    for (const AssumptionRun& run : assumption.other_repairs) others.push_back(run_json(run));
    object.add("other_repairs", std::move(others));
    array.push_back(std::move(object));
  }
  return array;
}

std::string to_html(const AssumptionTable& table) {
  std::vector<report::HtmlRow> rows;
  for (const Assumption& assumption : table.assumptions) {
    rows.push_back(row_of(assumption));
    for (const AssumptionRun& run : assumption.other_repairs) {
      rows.push_back(
          {{}, {}, {}, {}, {}, {escaped(run.test), "name"}, {allowed_word(run), ""}, number_cell(seen_html(run))});
    }
  }
  const std::string body = "<h1>What programs assume</h1>\n" +
                           device_html(table.device, table.device_name, table.driver) +
                           html_table({{"verdict", ""},
                                       {"test", ""},
                                       {"assumption", ""},
                                       {"model", ""},
                                       number_cell("observed"),
                                       {"with fences", ""},
                                       {"model", ""},
                                       number_cell("observed")},
                                      rows);
  return report::html_page("Assumptions on " + table.device, body);
}

}  // namespace weakspot::campaign
