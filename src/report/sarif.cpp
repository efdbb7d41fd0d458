#include "report/sarif.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>

namespace weakspot::report {
namespace {

using Json = nlohmann::ordered_json;

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

Json message(const std::string& text) { return {{"text", text}}; }

Json location_json(const SarifLocation& location) {
  Json json = Json::object();
  if (!location.file.empty()) {
    Json region{{"startLine", std::max(location.line, 1u)}};
    if (location.column > 0) region["startColumn"] = location.column;
    json["physicalLocation"] = {{"artifactLocation", {{"uri", uri(location.file)}}}, {"region", std::move(region)}};
  }
  if (!location.name.empty()) {
    Json named{{"name", location.name}};
    if (!location.qualified_name.empty()) named["fullyQualifiedName"] = location.qualified_name;
    named["kind"] = location.kind;
    json["logicalLocations"] = Json::array({std::move(named)});
  }
  return json;
}

Json related_json(const std::vector<SarifRelated>& related) {
  Json list = Json::array();
  for (const SarifRelated& other : related) {
    Json json = location_json(other.location);
    json["id"] = list.size() + 1;
    json["message"] = message(other.message);
    list.push_back(std::move(json));
  }
  return list;
}

Json properties_json(const std::vector<SarifProperty>& properties) {
  Json json = Json::object();
  for (const auto& [name, value] : properties) {
    if (const auto* text = std::get_if<std::string>(&value)) json[name] = *text;
    if (const auto* number = std::get_if<std::uint64_t>(&value)) json[name] = *number;
    if (const auto* inner = std::get_if<std::vector<SarifProperty>>(&value)) json[name] = properties_json(*inner);
  }
  return json;
}

Json rule_json(const SarifRule& rule) {
  Json json{{"id", rule.id}};
  if (!rule.name.empty()) json["name"] = rule.name;
  json["shortDescription"] = message(rule.summary);
  if (!rule.help.empty()) json["help"] = message(rule.help);
  json["defaultConfiguration"] = {{"level", level_word(rule.level)}};
  return json;
}

Json result_json(const SarifResult& result, const std::vector<SarifRule>& rules) {
  const auto rule =
      std::find_if(rules.begin(), rules.end(), [&](const SarifRule& known) { return known.id == result.rule; });
  Json json;
  json["ruleId"] = result.rule;
  if (rule != rules.end()) json["ruleIndex"] = rule - rules.begin();
  json["level"] = level_word(result.level);
  json["message"] = message(result.message);
  json["locations"] = Json::array({location_json(result.location)});
  if (!result.related.empty()) json["relatedLocations"] = related_json(result.related);
  if (!result.fingerprint.empty()) {
    json["fingerprints"] = {{"weakspot/v1", result.fingerprint}};
    json["partialFingerprints"] = {{"lines/v1", result.fingerprint}};
  }
  if (result.suppressed) json["suppressions"] = Json::array({{{"kind", "external"}}});
  if (!result.properties.empty()) json["properties"] = properties_json(result.properties);
  return json;
}

Json invocation_json(const std::vector<std::string>& warnings) {
  Json json{{"executionSuccessful", true}};
  for (const std::string& warning : warnings) {
    json["toolExecutionNotifications"].push_back({{"level", "warning"}, {"message", message(warning)}});
  }
  return json;
}

}  // namespace

std::string to_sarif(const SarifRun& run) {
  Json rules = Json::array(), results = Json::array();
  for (const SarifRule& rule : run.rules) rules.push_back(rule_json(rule));
  for (const SarifResult& result : run.results) results.push_back(result_json(result, run.rules));
  Json json;
  json["tool"] = {{"driver", {{"name", "weakspot"}, {"version", run.version}, {"rules", std::move(rules)}}}};
  json["invocations"] = Json::array({invocation_json(run.warnings)});
  json["columnKind"] = "utf16CodeUnits";
  json["results"] = std::move(results);
  const Json log{{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                 {"version", "2.1.0"},
                 {"runs", Json::array({std::move(json)})}};
  return log.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace weakspot::report
