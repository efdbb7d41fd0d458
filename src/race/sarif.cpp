#include "race/sarif.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "base/hash.h"
#include "race/classes.h"

namespace weakspot::race {
namespace {

using Json = nlohmann::ordered_json;

const char* level(Severity severity) {
  static constexpr const char* kLevels[] = {"error", "warning", "note"};
  return kLevels[static_cast<std::size_t>(severity)];
}

// A relative reference, or file://... for an absolute path.
std::string uri(const std::string& path) {
  std::string text = path.starts_with("/") ? "file://" : "";
  for (const char c : path) {
    const bool plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                       std::string_view("/-._~").find(c) != std::string_view::npos;
    text += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return text;
}

Json location(const Place& place, const std::string& function) {
  Json region{{"startLine", std::max(place.line, 1u)}};
  if (place.column > 0) region["startColumn"] = place.column;
  Json json;
  json["physicalLocation"] = {{"artifactLocation", {{"uri", uri(place.file)}}}, {"region", std::move(region)}};
  if (!function.empty()) json["logicalLocations"] = Json::array({{{"name", function}, {"kind", "function"}}});
  return json;
}

std::string fingerprint(const Finding& finding, const LineReader& line_of) {
  auto line = [&](const Place& place) {
    std::string text = line_of(place.file, place.line).value_or(std::to_string(place.line));
    std::erase_if(text, [](char c) { return c == ' ' || c == '\t' || c == '\r'; });
    return place.file + '\n' + text + '\n';
  };
  // The two sides in an order that no schedule decides.
  std::string first = line(finding.place), second = finding.other ? line(*finding.other) : "";
  if (second < first) std::swap(first, second);
  const std::string variable = finding.variable.substr(0, finding.variable.find('['));
  return base::hash_bytes(std::string(class_of(finding.finding_class).id) + '\n' + variable + '\n' + first + second)
      .hex();
}

Json result(const Finding& finding, const LineReader& line_of, bool suppressed) {
  Json json;
  json["ruleId"] = class_of(finding.finding_class).id;
  json["ruleIndex"] = static_cast<std::size_t>(finding.finding_class);
  json["level"] = level(finding.severity);
  std::string text = finding.message;
  if (!finding.label.empty()) text += fmt::format(" ({})", finding.label);
  if (!finding.why.empty()) text += fmt::format("; {}", finding.why);
  if (!finding.fix.empty()) text += fmt::format(". To mend it, {}", finding.fix);
  json["message"] = {{"text", text}};
  json["locations"] = Json::array({location(finding.place, finding.function)});
  Json related = Json::array();
  auto add_related = [&](Json place, const std::string& message) {
    place["id"] = related.size() + 1;
    place["message"] = {{"text", message}};
    related.push_back(std::move(place));
  };
  if (finding.other) add_related(location(*finding.other, finding.other_function), finding.other_label);
  for (const Place& caller : finding.called_from) add_related(location(caller, ""), "called from here");
  if (finding.evidence) {
    for (const Place& place : finding.evidence->together) add_related(location(place, ""), "can go too");
    for (const Place& place : finding.evidence->instead) add_related(location(place, ""), "can go instead, not too");
  }
  if (!related.empty()) json["relatedLocations"] = std::move(related);
  const std::string print = fingerprint(finding, line_of);
  json["fingerprints"] = {{"weakspot/v1", print}};
  json["partialFingerprints"] = {{"lines/v1", print}};
  if (suppressed) json["suppressions"] = Json::array({{{"kind", "external"}}});
  json["properties"] = {{"kernel", finding.kernel}, {"launch", finding.launch}, {"variable", finding.variable},
                        {"space", finding.space},   {"replay", finding.replay}, {"count", finding.count}};
  if (finding.evidence) {
    json["properties"]["evidence"] = {{"runs", finding.evidence->runs},
                                      {"instances", finding.evidence->instances},
                                      {"threads", finding.evidence->threads},
                                      {"confirmedRuns", finding.evidence->confirmed},
                                      {"sameMemory", finding.evidence->compared}};
  }
  return json;
}

Json rules() {
  Json list = Json::array();
  for (const FindingClass& known : finding_classes()) {
    list.push_back({{"id", known.id},
                    {"name", known.name},
                    {"shortDescription", {{"text", known.summary}}},
                    {"help", {{"text", known.help}}},
                    {"defaultConfiguration", {{"level", level(known.severity)}}}});
  }
  return list;
}

}  // namespace

std::string to_sarif(const Report& report, const std::string& version, const LineReader& line_of) {
  Json run;
  run["tool"] = {{"driver", {{"name", "weakspot"}, {"version", version}, {"rules", rules()}}}};
  Json notes = Json::array();
  for (const std::string& note : report.notes) {
    notes.push_back({{"level", "warning"}, {"message", {{"text", "not modelled: " + note}}}});
  }
  Json invocation{{"executionSuccessful", true}};
  if (!notes.empty()) invocation["toolExecutionNotifications"] = std::move(notes);
  run["invocations"] = Json::array({std::move(invocation)});
  run["columnKind"] = "utf16CodeUnits";
  run["results"] = Json::array();
  for (const Finding& finding : report.findings) run["results"].push_back(result(finding, line_of, false));
  for (const Finding& finding : report.suppressed) run["results"].push_back(result(finding, line_of, true));
  Json sarif;
  sarif["$schema"] = "https://json.schemastore.org/sarif-2.1.0.json";
  sarif["version"] = "2.1.0";
  sarif["runs"] = Json::array({std::move(run)});
  return sarif.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace weakspot::race
