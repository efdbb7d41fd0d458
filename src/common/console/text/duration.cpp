// SPDX-License-Identifier: MIT
#include "console/text/duration.h"

#include <fmt/format.h>

#include <charconv>
#include <string_view>
#include <utility>

namespace weakspot::console {

base::Result<double> read_duration(const std::string& text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
  static constexpr std::pair<std::string_view, double> kUnits[] = {{"", 1},     {"s", 1},  {"ms", 1e-3},
                                                                   {"min", 60}, {"m", 60}, {"h", 3600}};
  if (error == std::errc() && number > 0 && number < 1e9) {
    for (const auto& [name, seconds] : kUnits) {
      if (unit == name) return number * seconds;
    }
  }
  return base::error(fmt::format("'{}' is not a time such as 5, 500ms, 5s, 2min or 1h", text));
}

std::string duration_text(double seconds) {
  if (seconds < 1) return fmt::format("{:.6g}ms", seconds * 1000);
  return fmt::format("{:.6g}s", seconds);
}

}  // namespace weakspot::console
