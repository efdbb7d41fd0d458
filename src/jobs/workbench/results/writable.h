// SPDX-License-Identifier: MIT
// Checks that a job that takes hours will be able to write its results.
#pragma once

#include <string>

#include "base/result.h"

namespace weakspot::workbench {

// Checks that a file can be written there later; an old file stays as it is. An empty path means that nothing is
// written.
base::Status can_write(const std::string& path);

}  // namespace weakspot::workbench
