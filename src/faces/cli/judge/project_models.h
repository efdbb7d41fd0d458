// SPDX-License-Identifier: MIT
// The models that a project file names for 'weakspot check'.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace weakspot::cli {

// The models of the table [check]; none without a file or the table. `choice` is that of --project.
base::Result<std::vector<std::string>> project_models(const std::string& choice);

}  // namespace weakspot::cli
