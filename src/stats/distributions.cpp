#include "stats/distributions.h"

#include <boost/math/special_functions/beta.hpp>
#include <boost/math/special_functions/erf.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <cmath>
#include <numbers>

#include "base/check.h"

namespace weakspot::stats {
namespace {

// Without promotion: long double is slow on AArch64 and another type on each architecture.
constexpr auto kPolicy =
    boost::math::policies::make_policy(boost::math::policies::promote_double<false>(),
                                       boost::math::policies::overflow_error<boost::math::policies::ignore_error>(),
                                       boost::math::policies::underflow_error<boost::math::policies::ignore_error>());

}  // namespace

double beta_quantile(double a, double b, double p) {
  WEAKSPOT_CHECK(a > 0 && b > 0 && p >= 0 && p <= 1);
  return boost::math::ibeta_inv(a, b, p, kPolicy);
}

double gamma_quantile(double shape, double p) {
  WEAKSPOT_CHECK(shape > 0 && p >= 0 && p < 1);
  return boost::math::gamma_p_inv(shape, p, kPolicy);
}

double student_two_sided(double t, double degrees) {
  WEAKSPOT_CHECK(degrees > 0);
  if (std::isinf(t)) return 0;
  return boost::math::ibeta(degrees / 2, 0.5, degrees / (degrees + t * t), kPolicy);
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
