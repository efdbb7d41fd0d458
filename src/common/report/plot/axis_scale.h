// SPDX-License-Identifier: MIT
// From values to positions along an axis, and its ticks.
#pragma once

#include <string>
#include <vector>

#include "report/plot.h"

namespace weakspot::report {

struct Tick {
  double value = 0;
  std::string label;
};

class AxisScale {
 public:
  // Spans all values, rounded outwards to ticks. A linear scale of positive values begins at 0.
  AxisScale(Scale scale, const std::vector<double>& values);

  // 0 at the low end, 1 at the high end; values outside are moved to the nearer end.
  double place(double value) const;
  const std::vector<Tick>& ticks() const { return ticks_; }

 private:
  double unit(double value) const;  // the logarithm, or the value itself

  Scale scale_;
  double low_ = 0, high_ = 1;  // in units
  std::vector<Tick> ticks_;
};

// "0.5", "12", "3.1e+07": short, for ticks and labels.
std::string tick_label(double value);

}  // namespace weakspot::report
