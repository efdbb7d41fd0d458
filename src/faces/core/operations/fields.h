// SPDX-License-Identifier: MIT
// The fields that several requests have.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "json/json.h"
#include "json/json_fields.h"
#include "litmus/dialect.h"
#include "litmus/test.h"
#include "model/limits.h"

namespace weakspot::core {

using base::JsonFields;

// Optional fields, with what they are if they are missing.
std::string text_field(JsonFields& fields, std::string_view key, std::string_view otherwise = "");
double real_field(JsonFields& fields, std::string_view key, double otherwise, double low, double high);
std::uint64_t whole_field(JsonFields& fields, std::string_view key, std::uint64_t otherwise);
// A text, or an array of texts.
std::vector<std::string> texts_field(JsonFields& fields, std::string_view key);

// Every field was taken and none was wrong.
base::Status finished(JsonFields& fields);

// `text`, which is required, and `file`.
base::Source source_field(JsonFields& fields);
// `limits`; the time is for each question asked.
model::Limits limits_field(JsonFields& fields);
// `to`: no dialect means that of each test.
std::optional<litmus::Dialect> dialect_field(JsonFields& fields);

}  // namespace weakspot::core
