// SPDX-License-Identifier: MIT
#include "race/gate_reports.h"

#include <fmt/format.h>

#include "race/causes.h"
#include "race/classes.h"
#include "race/finding/fingerprint.h"
#include "report/sarif.h"

namespace weakspot::race {
namespace {

report::SarifLevel sarif_level(Severity severity) {
  switch (severity) {
    case Severity::error:
      return report::SarifLevel::error;
    case Severity::warning:
      return report::SarifLevel::warning;
    case Severity::hint:
      break;
  }
  return report::SarifLevel::note;
}

report::SarifLocation location(const Place& place, const std::string& function = {}) {
  return {place.file, place.line, place.column, function, {}, "function"};
}

std::string message(const Finding& finding) {
  std::string text = finding.message;
  if (const std::string label = label_text(finding); !label.empty()) text += fmt::format(" ({})", label);
  if (!finding.why.empty()) text += fmt::format("; {}", finding.why);
  return text + advice_sentence(finding);
}

std::vector<report::SarifRelated> related_places(const Finding& finding) {
  std::vector<report::SarifRelated> related;
  auto add_inner = [&](const PtxOrigin& origin, const Place& named) {
    for (const InnerPlace& inner : inner_places(origin, named)) {
      related.push_back({location(inner.place), fmt::format("{} of {}", inner.words, place_text(named))});
    }
  };
  add_inner(finding.origin, finding.place);
  if (finding.other) {
    related.push_back({location(*finding.other, finding.other_function), other_label_text(finding)});
    add_inner(finding.other_origin, *finding.other);
  }
  for (const Place& caller : finding.called_from) related.push_back({location(caller), "called from here"});
  if (finding.allocated) {
    related.push_back(
        {location(finding.allocated->place), fmt::format("memory: {}", allocated_text(*finding.allocated))});
  }
  for (const Finding& other : finding.also) {
    related.push_back({location(other.place, other.function), fmt::format("also: {}", other.message)});
    if (other.other) related.push_back({location(*other.other, other.other_function), other_label_text(other)});
  }
  if (finding.evidence) {
    for (const Place& place : finding.evidence->together) {
      related.push_back({location(place), "may be removed together with this one"});
    }
    for (const Place& place : finding.evidence->instead) {
      related.push_back({location(place), "may be removed instead of this one, but not together with it"});
    }
  }
  return related;
}

base::JsonValue properties(const Finding& finding) {
  base::JsonValue list = base::json_object({{"kernel", finding.kernel},
                                            {"launch", finding.launch},
                                            {"variable", variable_text(finding.variable)},
                                            {"space", space_word(finding.space)},
                                            {"replay", finding.replay},
                                            {"count", finding.count}});
  if (!finding.also.empty()) list.add("also", also_names(finding));
  if (!finding.architectures.empty()) list.add("architectures", finding.architectures);
  if (finding.evidence) {
    list.add("evidence", base::json_object({{"runs", finding.evidence->runs},
                                            {"instances", finding.evidence->instances},
                                            {"threads", finding.evidence->threads},
                                            {"confirmedRuns", finding.evidence->confirmed},
                                            {"sameMemory", finding.evidence->compared}}));
  }
  return list;
}

report::SarifResult result(const Finding& finding, const LineReader& line_of, bool suppressed) {
  return {std::string(class_of(finding.finding_class).id),
          sarif_level(finding.severity),
          message(finding),
          location(finding.place, finding.function),
          related_places(finding),
          fingerprint_of_all(finding, line_of),
          suppressed,
          finding.reason,
          properties(finding)};
}

}  // namespace

std::string to_sarif(const Report& report, const std::string& version, const LineReader& line_of) {
  report::SarifRun run;
  run.version = version;
  for (const FindingClass& known : finding_classes()) {
    run.rules.push_back({std::string(known.id), std::string(known.name), std::string(known.summary),
                         std::string(known.help), sarif_level(known.severity)});
  }
  for (const NotModelled& operation : report.not_modelled) {
    run.warnings.push_back(not_modelled_line(operation));
  }
  for (const NotExercised& kernel : report.not_exercised) {
    run.warnings.push_back(not_exercised_line(kernel));
  }
  if (report.fidelity) run.properties = base::json_object({{"executed", to_json(*report.fidelity)}});
  for (const Finding& finding : report.findings) run.results.push_back(result(finding, line_of, false));
  for (const Finding& finding : report.suppressed) run.results.push_back(result(finding, line_of, true));
  return report::to_sarif(run);
}

}  // namespace weakspot::race
