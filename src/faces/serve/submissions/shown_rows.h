// SPDX-License-Identifier: MIT
// Results as they are asked for and shown.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "json/json.h"
#include "store/submission_store.h"

namespace weakspot::serve {

// "vendor=V&architecture=A&test=NAME"; each at most once.
base::Result<store::ShownFilter> read_filter(std::string_view query);

base::JsonValue rows_json(const std::vector<store::ShownRow>& rows);
std::string rows_csv(const std::vector<store::ShownRow>& rows);

}  // namespace weakspot::serve
