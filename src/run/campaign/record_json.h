// SPDX-License-Identifier: MIT
// Records and requests as JSON texts of one line, for files, pipes and other programs. docs/results-format.md
// describes the form of a record. A written record reads back the same.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "campaign/run_record.h"
#include "json/json.h"

namespace weakspot::campaign {

std::string to_json(const RunRecord& record);
base::JsonValue to_json_value(const RunRecord& record);
base::Result<RunRecord> record_from_json(std::string_view text);
// The results for scripts, without the fields of a record that depend on the machine or the time of day.
base::JsonValue results_json(const RunRecord& record);

std::string to_json(const RunRequest& request);
base::Result<RunRequest> request_from_json(std::string_view text);
std::string to_json(std::span<const RunRequest> requests);
base::Result<std::vector<RunRequest>> requests_from_json(std::string_view text);

// Verdicts on code, null where there is none.
std::string codes_to_json(std::span<const std::optional<CheckedCode>> codes);
base::Result<std::vector<std::optional<CheckedCode>>> codes_from_json(std::string_view text);

// The request that repeats a run: the same test, environment, seed and number of instances on the same device.
// `expected` is left empty: the model is asked again.
base::Result<RunRequest> repeat(const RunRecord& record);

// A file of records, one per line. A last line that was cut off while it was written is left out.
base::Result<std::vector<RunRecord>> read_records(const std::string& path);
base::Result<std::vector<RunRecord>> read_records(const base::Source& file);

}  // namespace weakspot::campaign
