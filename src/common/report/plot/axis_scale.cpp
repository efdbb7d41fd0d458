// SPDX-License-Identifier: MIT
#include "report/plot/axis_scale.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace weakspot::report {
namespace {

constexpr int kMostTicks = 8;

// The smallest of 1, 2, 5, 10, 20, ... that divides the span into few enough parts.
double nice_step(double span) {
  double power = std::pow(10, std::floor(std::log10(span)) - 1);
  while (true) {
    for (const double factor : {1.0, 2.0, 5.0}) {
      if (span / (power * factor) <= kMostTicks - 1) return power * factor;
    }
    power *= 10;
  }
}

std::string power_label(Scale scale, int exponent) {
  if (scale == Scale::decades) {
    return std::abs(exponent) <= 3 ? fmt::format("{:g}", std::pow(10, exponent)) : fmt::format("1e{}", exponent);
  }
  const auto power = std::uint64_t{1} << std::min(std::abs(exponent), 62);
  return exponent < 0 ? fmt::format("1/{}", power) : fmt::format("{}", power);
}

}  // namespace

std::string tick_label(double value) { return fmt::format("{:.6g}", value); }

AxisScale::AxisScale(Scale scale, const std::vector<double>& values) : scale_(scale) {
  std::vector<double> units;
  for (const double value : values) {
    if (std::isfinite(value) && (scale == Scale::linear || value > 0)) units.push_back(unit(value));
  }
  if (!units.empty()) {
    low_ = *std::min_element(units.begin(), units.end());
    high_ = *std::max_element(units.begin(), units.end());
  }
  if (scale == Scale::linear && low_ > 0) low_ = 0;
  if (scale == Scale::linear && high_ <= low_) high_ = low_ + 1;
  if (scale == Scale::linear) {
    const double step = nice_step(high_ - low_);
    const double first = std::floor(low_ / step + 1e-9), last = std::ceil(high_ / step - 1e-9);
    low_ = first * step;
    high_ = last * step;
    for (double mark = first; mark <= last; ++mark) ticks_.push_back({mark * step, tick_label(mark * step)});
    return;
  }
  low_ = std::floor(low_ + 1e-9);
  high_ = std::max(std::ceil(high_ - 1e-9), low_ + 1);
  const int step = std::max(1, static_cast<int>(std::ceil((high_ - low_) / kMostTicks)));
  for (int exponent = static_cast<int>(low_); exponent <= static_cast<int>(high_); exponent += step) {
    ticks_.push_back({std::pow(scale == Scale::decades ? 10 : 2, exponent), power_label(scale, exponent)});
  }
}

double AxisScale::unit(double value) const {
  switch (scale_) {
    case Scale::decades:
      return std::log10(value);
    case Scale::doublings:
      return std::log2(value);
    case Scale::linear:
      break;
  }
  return value;
}

double AxisScale::place(double value) const {
  if (std::isnan(value) || (scale_ != Scale::linear && value <= 0)) return 0;
  return std::clamp((unit(value) - low_) / (high_ - low_), 0.0, 1.0);
}

}  // namespace weakspot::report
