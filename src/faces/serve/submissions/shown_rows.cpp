// SPDX-License-Identifier: MIT
#include "serve/submissions/shown_rows.h"

#include <fmt/format.h>

#include "http/message.h"
#include "serve/answer/csv_cell.h"
#include "serve/submissions/gpu_card.h"

namespace weakspot::serve {
base::Result<store::ShownFilter> read_filter(std::string_view query) {
  const std::optional<http::Headers> parameters = http::query_parameters(query);
  if (!parameters) return base::error("the query is not of the form name=value&name=value");
  store::ShownFilter filter;
  for (const auto& [name, value] : *parameters) {
    std::string* field = name == "vendor"         ? &filter.vendor
                         : name == "architecture" ? &filter.architecture
                         : name == "test"         ? &filter.test
                                                  : nullptr;
    if (field == nullptr) return base::error("expected vendor=, architecture= or test= in the query");
    if (!field->empty()) return base::error(fmt::format("duplicate parameter '{}'", name));
    if (value.empty()) return base::error(fmt::format("'{}': expected a value", name));
    *field = value;
  }
  return filter;
}

base::JsonValue rows_json(const std::vector<store::ShownRow>& rows) {
  base::JsonValue list{std::vector<base::JsonValue>()};
  for (const store::ShownRow& row : rows) {
    base::JsonValue value = base::json_object();
    value.add("vendor", row.vendor);
    value.add("architecture", row.architecture);
    value.add("gpu", gpu_name(row.vendor, row.architecture));
    value.add("test", row.sum.test);
    value.add("hash", row.sum.test_hash);
    value.add("devices", row.devices);
    value.add("instances", row.sum.instances);
    value.add("sequential", row.sum.sequential);
    value.add("interleaved", row.sum.interleaved);
    value.add("weak", row.sum.weak);
    value.add("forbidden", row.sum.forbidden);
    value.add("unknown", row.sum.unknown);
    value.add("seconds", row.sum.seconds);
    list.push_back(std::move(value));
  }
  base::JsonValue whole = base::json_object();
  whole.add("fewest_devices", store::kFewestDevices);
  whole.add("rows", std::move(list));
  return whole;
}

std::string rows_csv(const std::vector<store::ShownRow>& rows) {
  std::string text =
      "vendor,architecture,test,hash,devices,instances,sequential,interleaved,weak,forbidden,unknown,seconds\n";
  for (const auto& [vendor, architecture, devices, sum] : rows) {
    text += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{}\n", csv_cell(vendor), csv_cell(architecture),
                        csv_cell(sum.test), csv_cell(sum.test_hash), devices, sum.instances, sum.sequential,
                        sum.interleaved, sum.weak, sum.forbidden, sum.unknown, sum.seconds);
  }
  return text;
}

}  // namespace weakspot::serve
