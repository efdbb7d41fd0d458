// SPDX-License-Identifier: MIT
// The incantations of ASPLOS 2015, section 4.3, as parameters of an environment.
#include <fmt/format.h>

#include "campaign/assumption_table.h"
#include "campaign/summary.h"
#include "report/html_table.h"
#include "report/markup.h"
#include "report/page.h"

namespace weakspot::campaign {
namespace {

using base::JsonValue;
using codegen::TestEnvironment;

// One warp's worth of threads: bank conflicts are conflicts within a warp.
constexpr int kWarp = 32;
// Strides at which all lanes of a warp meet in one of 32 banks, and at which no two do.
constexpr int kConflicting = 32;
constexpr int kSpread = 1;

// The paper's plain setting: the two testing threads alone, in fixed places, each execution on its own.
TestEnvironment plain_setting() {
  TestEnvironment environment;
  environment.mode = codegen::Mode::site;
  environment.testing_workgroups = 2;
  environment.workgroup_size = kWarp;
  environment.barrier = codegen::BarrierKind::none;
  environment.iterations = 16384;
  return environment;
}

}  // namespace

std::string_view incantation_name(Incantation incantation) {
  switch (incantation) {
    case kMemoryStress:
      return "memory stress";
    case kBankConflicts:
      return "bank conflicts";
    case kSynchronisation:
      return "synchronisation";
    case kRandomisation:
      break;
  }
  return "randomisation";
}

std::vector<TestEnvironment> incantation_environments(std::uint32_t combination) {
  TestEnvironment environment = plain_setting();
  if ((combination & kMemoryStress) != 0) environment.memory_stress_percent = 100;
  if ((combination & kSynchronisation) != 0) environment.barrier = codegen::BarrierKind::partner;
  if ((combination & kRandomisation) != 0) environment.shuffle_percent = 100;
  if ((combination & kBankConflicts) == 0) return {environment};
  // The other threads of a testing warp do the same as the testing thread, at an offset: instances of their own.
  environment.mode = codegen::Mode::pte;
  environment.assignment = codegen::Assignment::one;
  environment.iterations = 2048;
  environment.memory_stride = kConflicting;
  std::vector<TestEnvironment> both = {environment};
  environment.memory_stride = kSpread;
  both.push_back(environment);
  return both;
}

JsonValue to_json(const IncantationTable& table) {
  JsonValue array = base::json_array();
  for (std::uint32_t combination = 0; combination < kCombinations; ++combination) {
    for (std::size_t i = 0; i < table.tests.size(); ++i) {
      const IncantationTable::Cell& cell = table.cells[combination][i];
      JsonValue object = base::json_object();
      object.add("column", combination + 1);
      JsonValue incantations = base::json_array();
      for (const Incantation one : kIncantations) {
        if ((combination & one) != 0) incantations.push_back(incantation_name(one));
      }
      object.add("incantations", std::move(incantations));
      JsonValue environments = base::json_array();
      for (const TestEnvironment& environment : incantation_environments(combination)) {
        environments.push_back(codegen::to_text(environment));
      }
      object.add("environments", std::move(environments));
      object.add("test", table.tests[i]);
      object.add("device", table.device);
      object.add("instances", cell.instances);
      object.add("observed", cell.observed);
      object.add("seconds", cell.seconds);
      object.add("per_100k", cell.per_100k());
      if (!cell.problem.empty()) object.add("problem", cell.problem);
      array.push_back(std::move(object));
    }
  }
  return array;
}

std::string to_html(const IncantationTable& table) {
  report::HtmlRow head = {report::number_cell("")};
  for (const Incantation one : kIncantations) head.push_back({std::string(incantation_name(one)), ""});
  for (const std::string& test : table.tests) {
    head.push_back(report::number_cell(report::escaped(test) + " per 100k"));
    head.push_back(report::number_cell("rate"));
  }
  std::vector<report::HtmlRow> rows;
  for (std::uint32_t combination = 0; combination < kCombinations; ++combination) {
    report::HtmlRow& row = rows.emplace_back();
    row.push_back(report::number_cell(std::to_string(combination + 1)));
    for (const Incantation one : kIncantations) row.push_back({(combination & one) != 0 ? "●" : "", ""});
    for (const IncantationTable::Cell& cell : table.cells[combination]) {
      const bool ran = cell.problem.empty();
      row.push_back(report::number_cell(ran ? fmt::format("{:.0f}", cell.per_100k()) : report::escaped(cell.problem)));
      row.push_back(report::number_cell(ran ? rate_text(cell.rate()) : ""));
    }
  }
  const std::string body = fmt::format("<h1>Incantations</h1>\n<p>{}: {}, {}</p>\n", report::escaped(table.device),
                                       report::escaped(table.device_name), report::escaped(table.driver)) +
                           html_table(head, rows);
  return report::html_page("Incantations on " + table.device, body);
}

}  // namespace weakspot::campaign
