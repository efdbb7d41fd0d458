// SPDX-License-Identifier: MIT
// Checked tests for other programs.
#pragma once

#include <string>
#include <vector>

#include "compile/check.h"
#include "json/json.h"

namespace weakspot::compile {

// An entry of `compile-check --json`.
base::JsonValue to_json(const Checked& checked);

// All but the sound ones as SARIF. `files`: where each test came from; empty for generated ones.
std::string to_sarif(const std::vector<Checked>& checked, const std::vector<std::string>& files,
                     const std::vector<std::string>& warnings);

}  // namespace weakspot::compile
