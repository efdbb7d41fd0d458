// SPDX-License-Identifier: MIT
#include "compile/report.h"

#include <fmt/format.h>

#include "base/build_info.h"
#include "litmus/dialect.h"
#include "report/sarif.h"

namespace weakspot::compile {
namespace {

using litmus::LitmusTest;
using Json = base::JsonValue;

Json test_text(const LitmusTest& test, litmus::Dialect dialect) {
  const base::Result<std::string> text = litmus::print(test, dialect);
  if (text) return Json(*text);
  const base::Result<std::string> canonical = litmus::print(test, litmus::Dialect::canonical);
  return canonical ? Json(*canonical) : Json();
}

Json counterexample_json(const Counterexample& found) {
  Json json = base::json_object();
  json["outcome"] = found.outcome;
  json["threads"] = found.source.threads.size();
  json["source"] = test_text(found.source, litmus::dialect_of(found.source.arch));
  json["compiled"] = test_text(found.compiled, litmus::dialect_of(found.compiled.arch));
  return json;
}

report::SarifLevel level_of(CompileVerdict verdict) {
  return verdict == CompileVerdict::unsound    ? report::SarifLevel::error
         : verdict == CompileVerdict::stronger ? report::SarifLevel::note
                                               : report::SarifLevel::warning;
}

}  // namespace

Json to_json(const Checked& checked) {
  Json json = base::json_object();
  json["test"] = checked.test.name;
  json["compiler"] = checked.compiler;
  json["verdict"] = std::string(to_string(checked.verdict));
  json["reason"] = checked.reason;
  if (!checked.compiled) return json;
  json["machine"] = checked.machine;
  json["models"] = base::json_object();
  json["models"]["source"] = checked.source_model;
  json["models"]["machine"] = checked.machine_model;
  json["outcomes"] = base::json_object();
  json["outcomes"]["source"] = checked.source_outcomes;
  json["outcomes"]["compiled"] = checked.compiled_outcomes;
  json["compiled"] = test_text(*checked.compiled, litmus::dialect_of(checked.compiled->arch));
  if (checked.found) json["counterexample"] = counterexample_json(*checked.found);
  if (checked.minimal) json["minimal"] = counterexample_json(*checked.minimal);
  return json;
}

std::string to_sarif(const std::vector<Checked>& checked, const std::vector<std::string>& files,
                     const std::vector<std::string>& warnings) {
  report::SarifRun run;
  run.version = base::kVersion;
  run.warnings = warnings;
  run.rules = {
      {"unsound", "UnsoundMapping", "The compiled code allows an outcome that the language forbids.",
       "Report it to the makers of the compiler, with the smallest test.", report::SarifLevel::error},
      {"stronger", "StrongerMapping", "An instruction is stronger than this test needs.", "", report::SarifLevel::note},
      {"error", "NotChecked", "The test could not be checked.", "", report::SarifLevel::warning}};
  for (std::size_t i = 0; i < checked.size(); ++i) {
    const Checked& one = checked[i];
    if (one.verdict == CompileVerdict::sound) continue;
    report::SarifResult entry;
    entry.rule = to_string(one.verdict);
    entry.level = level_of(one.verdict);
    entry.message = fmt::format("{} by {}: {}", one.test.name, one.compiler, one.reason);
    if (!files[i].empty()) {
      entry.location.file = files[i];
      entry.location.line = 1;
    }
    entry.location.name = one.test.name;
    entry.location.kind = "resource";
    entry.fingerprint = fmt::format("{}:{}:{}", entry.rule, one.compiler, litmus::hash_of(one.test).hex());
    entry.properties = to_json(one);
    run.results.push_back(std::move(entry));
  }
  return report::to_sarif(run);
}

}  // namespace weakspot::compile
