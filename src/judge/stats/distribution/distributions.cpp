// SPDX-License-Identifier: MIT
#include "stats/distribution/distributions.h"

#include <boost/math/special_functions/beta.hpp>
#include <boost/math/special_functions/erf.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <cmath>
#include <limits>
#include <numbers>

#include "base/check.h"

namespace weakspot::stats {
namespace {

// Without promotion: long double is slow on AArch64 and differs between architectures.
constexpr auto kPolicy =
    boost::math::policies::make_policy(boost::math::policies::promote_double<false>(),
                                       boost::math::policies::overflow_error<boost::math::policies::ignore_error>(),
                                       boost::math::policies::underflow_error<boost::math::policies::ignore_error>());

constexpr double kLargeShape = 1e8;  // a gamma distribution's shape
constexpr double kLargeSum = 1e11;   // a + b in a beta distribution
constexpr double kLargeEach = 1e6;   // least a and b for the expansion in both

// The logarithm of a gamma variable of shape 1/u: its cumulants (polygamma functions), from their asymptotic series.
struct LogGamma {
  explicit LogGamma(double u)
      : mean(-u / 2 - u * u / 12),  // less ln(1/u)
        variance(u + u * u / 2 + u * u * u / 6),
        third(-u * u - u * u * u),
        fourth(2 * u * u * u) {}
  double mean, variance, third, fourth;
};

// One parameter small, the other large: nearly a gamma distribution. With `upper`, p is the probability above x.
double small_beta_quantile(double small, double large, double p, bool upper) {
  const double y = upper ? boost::math::gamma_q_inv(small, p, kPolicy) : boost::math::gamma_p_inv(small, p, kPolicy);
  return -std::expm1(-y / (large + (small - 1) / 2));  // after Wise
}

double large_beta_quantile(double a, double b, double p) {
  if (p == 0 || p == 1) return p;
  if (a < kLargeEach) return small_beta_quantile(a, b, p, false);
  if (b < kLargeEach) return 1 - small_beta_quantile(b, a, p, true);
  const double odds = a / b * std::exp(large_log_odds(a, b, p));
  return odds / (1 + odds);
}

}  // namespace

double large_log_odds(double a, double b, double p) {
  WEAKSPOT_CHECK(a > 0 && b > 0 && p > 0 && p < 1);
  const LogGamma up(1 / a), down(1 / b);
  const double z = normal_quantile(p);
  // Cornish and Fisher: from the quantile of the normal distribution to that of a nearly normal one.
  const double variance = up.variance + down.variance;
  const double deviation = std::sqrt(variance);
  const double skew = (up.third - down.third) / (variance * deviation);
  const double excess = (up.fourth + down.fourth) / (variance * variance);
  const double cube = z * z * z;
  const double w = z + (z * z - 1) * skew / 6 + (cube - 3 * z) * excess / 24 - (2 * cube - 5 * z) * skew * skew / 36;
  return up.mean - down.mean + deviation * w;
}

double beta_quantile(double a, double b, double p) {
  WEAKSPOT_CHECK(a > 0 && b > 0 && p >= 0 && p <= 1);
  if (a + b >= kLargeSum) return large_beta_quantile(a, b, p);
  return boost::math::ibeta_inv(a, b, p, kPolicy);
}

double gamma_quantile(double shape, double p) {
  WEAKSPOT_CHECK(shape > 0 && p >= 0 && p < 1);
  if (shape >= kLargeShape && p > 0) {
    return shape * std::exp(large_log_odds(shape, std::numeric_limits<double>::infinity(), p));
  }
  return boost::math::gamma_p_inv(shape, p, kPolicy);
}

double student_two_sided(double t, double degrees) {
  WEAKSPOT_CHECK(degrees > 0);
  if (std::isinf(t)) return 0;
  return boost::math::ibeta(degrees / 2, 0.5, degrees / (degrees + t * t), kPolicy);
}

double student_quantile(double p, double degrees) {
  WEAKSPOT_CHECK(degrees > 0 && p > 0 && p < 1);
  const double tails = 2 * std::min(p, 1 - p);
  const double x = boost::math::ibeta_inv(degrees / 2, 0.5, tails, kPolicy);
  const double t = x > 0 ? std::sqrt(degrees * (1 - x) / x) : std::numeric_limits<double>::infinity();
  return p < 0.5 ? -t : t;
}

double chi_squared_upper(double x, double degrees) {
  WEAKSPOT_CHECK(degrees > 0 && x >= 0);
  if (std::isinf(x)) return 0;
  return boost::math::gamma_q(degrees / 2, x / 2, kPolicy);
}

double normal_quantile(double p) {
  WEAKSPOT_CHECK(p > 0 && p < 1);
  return -std::numbers::sqrt2 * boost::math::erfc_inv(2 * p, kPolicy);
}

double kolmogorov_upper(double x) {
  WEAKSPOT_CHECK(x >= 0);
  // Two series for the same function; each converges within a few terms on its side.
  if (x < 1) {
    if (x < 0.1) return 1;  // 1 - 1e-50 and less
    double lower = 0;
    for (int k = 1; k <= 5; ++k) {
      const double odd = 2 * k - 1;
      lower += std::exp(-odd * odd * std::numbers::pi * std::numbers::pi / (8 * x * x));
    }
    return 1 - lower * std::sqrt(2 * std::numbers::pi) / x;
  }
  double upper = 0;
  for (int k = 1; k <= 8; ++k) upper += (k % 2 == 1 ? 2 : -2) * std::exp(-2.0 * k * k * x * x);
  return upper;
}

}  // namespace weakspot::stats
