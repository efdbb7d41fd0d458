// SPDX-License-Identifier: MIT
#include "lsp/features/race_findings.h"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>

#include "base/file.h"
#include "base/source.h"
#include "json/json.h"
#include "lsp/protocol/uri.h"

namespace weakspot::lsp {
namespace {

namespace fs = std::filesystem;
using Severity = RaceFinding::Severity;
using base::JsonValue;

constexpr std::size_t kLargestReport = std::size_t{64} << 20;

std::size_t number_in(const JsonValue& json, std::string_view key) { return json.at(key).whole().value_or(0); }

Severity severity_named(std::string_view word) {
  if (word == "error") return Severity::error;
  return word == "warning" ? Severity::warning : Severity::note;
}

// An entry of `race --json`.
RaceFinding own_finding(const JsonValue& json) {
  RaceFinding finding;
  finding.severity = severity_named(json.at("severity").text());
  finding.rule = json.at("class").text();
  std::string message = json.at("message").text();
  if (!json.at("why").text().empty()) message += fmt::format("; {}", json.at("why").text());
  if (!json.at("fix").text().empty()) message += fmt::format(". To fix it, {}", json.at("fix").text());
  if (const JsonValue* hint = json.find("hint")) message += fmt::format(". Hint: {}", hint->text());
  finding.place = {json.at("file").text(), number_in(json, "line"), number_in(json, "column"), std::move(message)};
  auto add_inner = [&](const JsonValue& at) {
    for (const auto& [key, what] : {std::pair("library", "inside the library"), std::pair("ptx", "its PTX")}) {
      if (const JsonValue* inner = at.find(key)) {
        finding.related.push_back(
            {inner->at("file").text(), number_in(*inner, "line"), number_in(*inner, "column"), what});
      }
    }
  };
  add_inner(json);
  const JsonValue& other = json.at("other");
  if (other.is(JsonValue::Kind::object)) {
    finding.related.push_back(
        {other.at("file").text(), number_in(other, "line"), number_in(other, "column"), other.at("label").text()});
    add_inner(other);
  }
  for (const JsonValue& caller : json.at("called_from").items()) {
    finding.related.push_back(
        {caller.at("file").text(), number_in(caller, "line"), number_in(caller, "column"), "called from here"});
  }
  for (const JsonValue& also : json.at("also").items()) {
    finding.related.push_back({also.at("file").text(), number_in(also, "line"), number_in(also, "column"),
                               fmt::format("also: {}", also.at("message").text())});
  }
  return finding;
}

RacePlace sarif_place(const JsonValue& location, std::string message) {
  const JsonValue& physical = location.at("physicalLocation");
  const std::string& uri = physical.at("artifactLocation").at("uri").text();
  const std::string path = path_of(uri);
  return {path.empty() ? uri : path, number_in(physical.at("region"), "startLine"),
          number_in(physical.at("region"), "startColumn"), std::move(message)};
}

RaceFinding sarif_finding(const JsonValue& result) {
  RaceFinding finding;
  finding.severity = severity_named(result.at("level").text());
  finding.rule = result.at("ruleId").text();
  finding.place = sarif_place(result.at("locations").at(0), result.at("message").at("text").text());
  for (const JsonValue& related : result.at("relatedLocations").items()) {
    finding.related.push_back(sarif_place(related, related.at("message").at("text").text()));
  }
  return finding;
}

bool is_report_name(const fs::path& path) { return path.extension() == ".json" || path.extension() == ".sarif"; }

// The newest report of a folder; the first by name among equally old ones.
std::optional<std::string> newest_report(const fs::path& folder) {
  std::optional<std::string> found;
  fs::file_time_type newest;
  std::error_code failed;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, failed)) {
    std::error_code unknown;
    if (!is_report_name(entry.path()) || !entry.is_regular_file(unknown)) continue;
    const fs::file_time_type time = entry.last_write_time(unknown);
    if (unknown) continue;
    if (!found || time > newest || (time == newest && entry.path().string() < *found)) {
      found = entry.path().string();
      newest = time;
    }
  }
  return found;
}

std::optional<std::string> report_in(const fs::path& folder) {
  for (const char* name : {"weakspot-race.json", "weakspot-race.sarif"}) {
    if (base::is_file(folder / name)) return (folder / name).string();
  }
  return std::nullopt;
}

}  // namespace

base::Result<std::vector<RaceFinding>> read_race_report(const std::string& name, const std::string& text) {
  if (text.size() > kLargestReport) return base::error_in(name, "the report is larger than 64 MiB");
  const base::Result<JsonValue> json = base::read_json_text(base::Source(name, text));
  if (!json) return json.errors();
  std::vector<RaceFinding> findings;
  for (const JsonValue& finding : json->at("findings").items()) findings.push_back(own_finding(finding));
  for (const JsonValue& run : json->at("runs").items()) {
    for (const JsonValue& result : run.at("results").items()) {
      if (result.at("suppressions").items().empty()) findings.push_back(sarif_finding(result));
    }
  }
  return findings;
}

std::optional<std::string> find_race_report(const std::string& source, const std::string& setting) {
  if (!setting.empty()) {
    if (base::is_file(setting)) return setting;
    if (std::optional<std::string> found = report_in(setting)) return found;
    return newest_report(setting);
  }
  constexpr int kMostFolders = 32;
  fs::path folder = fs::path(source).parent_path();
  for (int i = 0; i < kMostFolders && !folder.empty(); ++i) {
    if (std::optional<std::string> found = report_in(folder)) return found;
    if (std::optional<std::string> found = newest_report(folder / ".weakspot")) return found;
    if (folder == folder.parent_path()) break;
    folder = folder.parent_path();
  }
  return std::nullopt;
}

bool names_file(const std::string& reported, const std::string& path) {
  if (reported.empty() || path.empty()) return false;
  const std::string clean = fs::path(reported).lexically_normal().string();
  if (clean == path) return true;
  return !clean.starts_with('/') && !clean.starts_with("..") && path.ends_with("/" + clean);
}

}  // namespace weakspot::lsp
