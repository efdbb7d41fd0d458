// SPDX-License-Identifier: MIT
// Times on the command line: "500ms", "5s", "2min", "1h", or seconds as a plain number.
#pragma once

#include <string>

#include "base/result.h"

namespace weakspot::cli {

// In seconds, above zero.
base::Result<double> read_duration(const std::string& text);

}  // namespace weakspot::cli
