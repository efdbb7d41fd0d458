// SPDX-License-Identifier: MIT
// The distribution functions that this module uses, and the only place that uses Boost.Math. Results are those of
// double arithmetic on every machine, even where long double is wider.
#pragma once

namespace weakspot::stats {

// The x in [0, 1] below which a beta distribution has the probability p. Requires a, b > 0 and 0 <= p <= 1.
double beta_quantile(double a, double b, double p);
// The x >= 0 below which a gamma distribution of scale 1 has the probability p < 1. Requires shape > 0.
double gamma_quantile(double shape, double p);
// The logarithm of x / (1 - x) minus that of a / b, where x is the beta quantile; for an infinite b, the logarithm of
// the gamma quantile minus that of a. The two functions above use it where Boost's evaluation begins to fail (shapes
// from 1e8, a + b from 1e11). An expansion, with a relative error below 1e-11 once the smaller parameter is 1e6.
double large_log_odds(double a, double b, double p);
// The probability that |T| >= |t| for a T of Student's distribution. Requires degrees > 0; t may be infinite.
double student_two_sided(double t, double degrees);
// The t below which a variable of Student's distribution lies with the probability p. Requires degrees > 0, 0 < p < 1.
double student_quantile(double p, double degrees);
// The probability that a chi-squared variable is at least x. Requires degrees > 0, x >= 0.
double chi_squared_upper(double x, double degrees);
// The x below which a standard normal variable lies with the probability p. Requires 0 < p < 1.
double normal_quantile(double p);
// The probability that a Kolmogorov variable is at least x >= 0: the limit of the distribution of sqrt(n) times the
// largest distance between an empirical distribution of n samples and the true one.
double kolmogorov_upper(double x);

}  // namespace weakspot::stats
