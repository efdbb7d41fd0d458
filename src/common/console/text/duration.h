// SPDX-License-Identifier: MIT
// Times on the command line, in every option that takes one: "500ms", "5s", "2min", "1h", or seconds as a plain number.
#pragma once

#include <string>

#include "base/result.h"

namespace weakspot::console {

// In seconds, above zero.
base::Result<double> read_duration(const std::string& text);
// The shortest form that reads back as this many seconds: "1ms", "20s", "1e+07s".
std::string duration_text(double seconds);

}  // namespace weakspot::console
