// SPDX-License-Identifier: MIT
#include "stats/rates.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "base/check.h"
#include "base/real_text.h"
#include "stats/distribution/distributions.h"

namespace weakspot::stats {
namespace {

// The probability below the upper end. Not 1, whose quantile may be infinite.
double below_upper_end(double tail) { return std::min(1 - tail, std::nextafter(1.0, 0.0)); }

}  // namespace

Interval binomial_interval(std::uint64_t successes, std::uint64_t trials, double confidence) {
  WEAKSPOT_CHECK(successes <= trials && confidence > 0 && confidence < 1);
  const double tail = (1 - confidence) / 2;
  const auto seen = static_cast<double>(successes);
  const auto unseen = static_cast<double>(trials - successes);
  Interval interval{0, 1};
  if (successes > 0) interval.low = beta_quantile(seen, unseen + 1, tail);
  if (successes < trials) interval.high = beta_quantile(seen + 1, unseen, below_upper_end(tail));
  return interval;
}

Interval poisson_interval(std::uint64_t events, double confidence) {
  WEAKSPOT_CHECK(confidence > 0 && confidence < 1);
  const double tail = (1 - confidence) / 2;
  const auto seen = static_cast<double>(events);
  return {events == 0 ? 0 : gamma_quantile(seen, tail), gamma_quantile(seen + 1, below_upper_end(tail))};
}

Rate fraction(std::uint64_t sightings, std::uint64_t instances, double confidence) {
  const Interval interval = binomial_interval(sightings, instances, confidence);
  if (instances == 0) return {0, interval};
  return {static_cast<double>(sightings) / static_cast<double>(instances), interval};
}

Rate per_second(std::uint64_t sightings, double seconds, double confidence) {
  WEAKSPOT_CHECK(seconds >= 0);
  if (seconds == 0) return {0, {0, std::numeric_limits<double>::infinity()}};
  const Interval events = poisson_interval(sightings, confidence);
  return {static_cast<double>(sightings) / seconds, {events.low / seconds, events.high / seconds}};
}

double rounded_rate(std::uint64_t sightings, double seconds) {
  WEAKSPOT_CHECK(seconds >= 0);
  if (sightings == 0 || seconds == 0) return 0;
  const double rate = static_cast<double>(sightings) / seconds;
  if (rate >= 1e15) return rate;  // no digits after the point, and more before it than the text has room for
  // Through the decimal text, because multiplying by 1000 would round twice.
  char text[32];
  const auto printed = std::to_chars(text, text + sizeof text, rate, std::chars_format::fixed, 3);
  WEAKSPOT_CHECK(printed.ec == std::errc());
  return base::read_real({text, static_cast<std::size_t>(printed.ptr - text)}).value_or(rate);
}

}  // namespace weakspot::stats
