// SPDX-License-Identifier: MIT
#include "report/sarif.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "base/check.h"
#include "base/invocation.h"
#include "json/json.h"

namespace weakspot::report {
namespace {

using base::json_array;
using base::json_object;
using base::JsonValue;

const char* level_word(SarifLevel level) {
  static constexpr const char* kWords[] = {"error", "warning", "note"};
  return kWords[static_cast<std::size_t>(level)];
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

JsonValue message(const std::string& text) { return json_object({{"text", text}}); }

JsonValue location_json(const SarifLocation& location) {
  JsonValue json = json_object();
  if (!location.file.empty()) {
    JsonValue region = json_object({{"startLine", std::max(location.line, 1u)}});
    if (location.column > 0) region.add("startColumn", location.column);
    json.add("physicalLocation", json_object({{"artifactLocation", json_object({{"uri", uri(location.file)}})},
                                              {"region", std::move(region)}}));
  }
  if (!location.name.empty()) {
    JsonValue named = json_object({{"name", location.name}});
    if (!location.qualified_name.empty()) named.add("fullyQualifiedName", location.qualified_name);
    named.add("kind", location.kind);
    json.add("logicalLocations", json_array({std::move(named)}));
  }
  return json;
}

JsonValue related_json(const std::vector<SarifRelated>& related) {
  JsonValue list = json_array();
  for (std::size_t i = 0; i < related.size(); ++i) {
    JsonValue json = location_json(related[i].location);
    json.add("id", i + 1);
    json.add("message", message(related[i].message));
    list.push_back(std::move(json));
  }
  return list;
}

JsonValue rule_json(const SarifRule& rule) {
  JsonValue json = json_object({{"id", rule.id}});
  if (!rule.name.empty()) json.add("name", rule.name);
  json.add("shortDescription", message(rule.summary));
  if (!rule.help.empty()) json.add("help", message(rule.help));
  json.add("defaultConfiguration", json_object({{"level", level_word(rule.level)}}));
  return json;
}

JsonValue result_json(const SarifResult& result, const std::vector<SarifRule>& rules) {
  const auto rule =
      std::find_if(rules.begin(), rules.end(), [&](const SarifRule& known) { return known.id == result.rule; });
  WEAKSPOT_CHECK(rule != rules.end());
  JsonValue json = json_object({{"ruleId", result.rule},
                                {"ruleIndex", rule - rules.begin()},
                                {"level", level_word(result.level)},
                                {"message", message(result.message)},
                                {"locations", json_array({location_json(result.location)})}});
  if (!result.related.empty()) json.add("relatedLocations", related_json(result.related));
  if (!result.fingerprint.empty()) {
    json.add("fingerprints", json_object({{"weakspot/v1", result.fingerprint}}));
    json.add("partialFingerprints", json_object({{"lines/v1", result.fingerprint}}));
  }
  if (result.suppressed) {
    JsonValue suppression = json_object({{"kind", "external"}});
    if (!result.justification.empty()) suppression.add("justification", result.justification);
    json.add("suppressions", json_array({std::move(suppression)}));
  }
  if (!result.properties.is(JsonValue::Kind::null)) json.add("properties", result.properties);
  return json;
}

JsonValue invocation_json(const std::vector<std::string>& warnings) {
  JsonValue json = json_object({{"executionSuccessful", true}});
  if (const base::Invocation& made = base::invocation(); made.is_known()) {
    json.add("commandLine", made.command);
    json.add("startTimeUtc", made.date);
  }
  JsonValue notifications = json_array();
  for (const std::string& warning : warnings) {
    notifications.push_back(json_object({{"level", "warning"}, {"message", message(warning)}}));
  }
  if (!warnings.empty()) json.add("toolExecutionNotifications", std::move(notifications));
  return json;
}

}  // namespace

std::string to_sarif(const SarifRun& run) {
  JsonValue rules = json_array(), results = json_array();
  for (const SarifRule& rule : run.rules) rules.push_back(rule_json(rule));
  for (const SarifResult& result : run.results) results.push_back(result_json(result, run.rules));
  JsonValue driver = json_object({{"name", "weakspot"}, {"version", run.version}, {"rules", std::move(rules)}});
  JsonValue json = json_object({{"tool", json_object({{"driver", std::move(driver)}})},
                                {"invocations", json_array({invocation_json(run.warnings)})},
                                {"columnKind", "utf16CodeUnits"},
                                {"results", std::move(results)}});
  if (!run.properties.is(JsonValue::Kind::null)) json.add("properties", run.properties);
  return json_indented(json_object({{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                                    {"version", "2.1.0"},
                                    {"runs", json_array({std::move(json)})}})) +
         "\n";
}

}  // namespace weakspot::report
