// SPDX-License-Identifier: MIT
// The first words of the lines in which a worker tells how runs ended. What stands behind them: a device's name, a
// hash, an error, a reason.
#pragma once

#include <string_view>

namespace weakspot::confirm {

inline constexpr std::string_view kDeviceLine = "device";
inline constexpr std::string_view kFormLine = "form";  // the number of that which comes next
inline constexpr std::string_view kMemoryLine = "memory";
inline constexpr std::string_view kFailedLine = "failed";
inline constexpr std::string_view kNotEndedLine = "not-ended";
inline constexpr std::string_view kRefusedLine = "refused";  // the driver does not take the form
inline constexpr std::string_view kNoDeviceLine = "no-device";

}  // namespace weakspot::confirm
