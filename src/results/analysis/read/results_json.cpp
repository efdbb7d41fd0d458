// SPDX-License-Identifier: MIT
#include "analysis/read/results_json.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "base/source.h"
#include "campaign/measured_fields.h"
#include "campaign/recorded.h"
#include "json/json_fields.h"

namespace weakspot::analysis {
namespace {

using base::JsonFields;
using base::JsonMember;
using base::JsonValue;

constexpr std::uint64_t kLargestCount = std::uint64_t{1} << 53;  // every smaller integer is a double

constexpr std::string_view kDuration = "durationSeconds";

// The mobile results of GPUHarbor have no times. A cell without one beside others with theirs is a mistake.
bool has_times(const JsonValue& json) {
  for (const JsonMember& entry : json.members()) {
    for (const JsonMember& cell : entry.value.members()) {
      if (cell.value.find(kDuration) != nullptr) return true;
    }
  }
  return false;
}

Cell read_cell(const JsonValue& value, bool timed, base::Mistakes& mistakes) {
  JsonFields fields(value, mistakes, "a cell");
  Cell cell;
  cell.sequential = fields.whole("seq", kLargestCount);
  cell.interleaved = fields.whole("interleaved", kLargestCount);
  cell.weak = cell.sightings = fields.whole("weak", kLargestCount);
  if (timed) cell.seconds = campaign::seconds_in(fields, kDuration);
  return cell;
}

Entry read_entry(const JsonMember& member, bool timed, base::Mistakes& mistakes) {
  Entry entry{member.key, {}, {}};
  const JsonFields checked(member.value, mistakes, "an environment");
  entry.cells.reserve(member.value.members().size());
  for (const JsonMember& part : member.value.members()) {
    if (part.key != "params") {
      entry.cells.push_back({part.key, read_cell(part.value, timed, mistakes)});
      continue;
    }
    for (const JsonMember& parameter : part.value.members()) {
      if (const auto number = parameter.value.real()) entry.parameters.emplace_back(parameter.key, *number);
    }
  }
  return entry;
}

// Returns the member's text; empty if it is missing.
std::string text_in(const JsonValue& object, std::string_view key) {
  const JsonValue* member = object.find(key);
  return member != nullptr ? member->text() : "";
}

void name_device(const JsonValue& platform, DeviceResults& results) {
  const JsonValue* found = platform.find("gpu");
  const JsonValue gpu = found != nullptr ? *found : JsonValue();
  results.vendor = text_in(gpu, "vendor");
  std::string name = text_in(gpu, "description");
  if (name.empty()) name = text_in(gpu, "device");
  const std::string architecture = text_in(gpu, "architecture");
  if (name.empty() && !architecture.empty()) name = results.vendor + " " + architecture;
  if (!name.empty()) results.device = name;
}

void part_conformance(DeviceResults& results) {
  std::vector<Entry> tuning;
  for (Entry& entry : results.entries) {
    (entry.cells.size() <= 1 ? results.conformance : tuning).push_back(std::move(entry));
  }
  results.entries = std::move(tuning);
}

}  // namespace

base::Result<DeviceResults> read_results_json(const std::string& file, std::string_view text,
                                              const std::string& device) {
  const base::Source source(file, std::string(text));
  base::Mistakes mistakes(source);
  const std::optional<JsonValue> json = base::read_json_text(mistakes);
  if (!json) return mistakes.take();
  const JsonFields checked(*json, mistakes, "the results of a device");
  DeviceResults results;
  results.file = file;
  results.device = device;
  const bool timed = has_times(*json);
  for (const JsonMember& member : json->members()) {
    if (campaign::is_environment_number(member.key)) results.entries.push_back(read_entry(member, timed, mistakes));
  }
  if (mistakes.any()) return mistakes.take();
  if (results.entries.empty()) {
    return base::error_in(file, "the file has no environments: expected keys that are numbers");
  }
  const JsonValue* platform = json->find("platformInfo");
  if (platform != nullptr) name_device(*platform, results);
  if (results.vendor.empty()) results.vendor = results.device;
  if (platform != nullptr && platform->is(JsonValue::Kind::object)) part_conformance(results);
  return results;
}

}  // namespace weakspot::analysis
