// SPDX-License-Identifier: MIT
// Tests in JSON, as commands print them and a page gets them.
#pragma once

#include <string>

#include "json/json.h"
#include "litmus/dialect.h"

namespace weakspot::litmus {
struct LitmusTest;
}  // namespace weakspot::litmus

namespace weakspot::questions {

// An entry of `show --json`.
base::JsonValue description_json(const litmus::LitmusTest& test, const std::string& file);
// An entry of `gen`, `mutate` and `suite --json`; `text` is the test in the dialect.
base::JsonValue made_test_json(const litmus::LitmusTest& test, const std::string& text, litmus::Dialect dialect);
// An entry of `convert --json`.
base::JsonValue converted_json(const litmus::LitmusTest& test, const std::string& file, litmus::Dialect dialect,
                               const std::string& text);

}  // namespace weakspot::questions
