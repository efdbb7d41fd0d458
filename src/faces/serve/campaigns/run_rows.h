// SPDX-License-Identifier: MIT
// Runs of campaigns as they are asked for and shown: one row for each record.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "json/json.h"
#include "store/result_store.h"

namespace weakspot::serve {

struct RunQuestion {
  store::RecordFilter filter;
  std::int64_t after = 0;  // the id of the last row that was seen
  std::size_t most = 0;    // 0: as many as the form allows
};

// "campaign=&test=&device=&class=&model=&environment=&since=&until=&after=&most="; each at most once.
base::Result<RunQuestion> read_run_question(std::string_view query);

// `next` is the id to go on after, if there may be more.
base::JsonValue run_rows_json(const std::vector<store::StoredRecord>& records, bool more);
std::string run_rows_csv(const std::vector<store::StoredRecord>& records);
std::string run_lines(const std::vector<store::StoredRecord>& records);

}  // namespace weakspot::serve
