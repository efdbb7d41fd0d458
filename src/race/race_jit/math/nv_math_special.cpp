// SPDX-License-Identifier: MIT
// The functions of the CUDA mathematical library that the C library does not have, and that no short expression gives.
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <unordered_map>

#include "race_jit/math/nv_math.h"

namespace weakspot::race_jit {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// The argument for which erfc() is y: bisection, since erfc() falls.
double erfc_inverse(double y) {
  if (std::isnan(y) || y < 0 || y > 2) return std::nan("");
  if (y == 0) return kInfinity;
  if (y == 2) return -kInfinity;
  double low = -6, high = 28;  // erfc() is 2 and 0 there
  for (int i = 0; i < 100; ++i) {
    const double middle = (low + high) / 2;
    (std::erfc(middle) > y ? low : high) = middle;
  }
  return (low + high) / 2;
}

double erf_inverse(double y) {
  if (std::isnan(y) || y < -1 || y > 1) return std::nan("");
  if (y < 0) return -erf_inverse(-y);
  // Near 0, where 1 - y would lose what erf() keeps.
  if (y > 0.5) return erfc_inverse(1 - y);
  double low = 0, high = 1;
  for (int i = 0; i < 100; ++i) {
    const double middle = (low + high) / 2;
    (std::erf(middle) < y ? low : high) = middle;
  }
  return (low + high) / 2;
}

double normal_inverse(double y) { return -M_SQRT2 * erfc_inverse(2 * y); }

// exp(x * x) * erfc(x); for large x by its continued fraction, where erfc() is 0.
double scaled_erfc(double x) {
  if (x < 20) return std::exp(x * x) * std::erfc(x);
  double fraction = x;
  for (int i = 20; i > 0; --i) fraction = x + i / 2.0 / fraction;
  return 1 / (fraction * std::sqrt(M_PI));
}

// The modified Bessel functions of the first kind: the sum of (x/2)^(2k + order) / (k! (k + order)!).
double bessel_i(int order, double x) {
  if (std::isinf(x)) return order == 0 ? kInfinity : x;
  double term = order == 0 ? 1 : x / 2, sum = term;
  for (int k = 1; k < 1000 && std::abs(term) > std::abs(sum) * 1e-17; ++k) {
    term *= x * x / 4 / (static_cast<double>(k) * (k + order));
    sum += term;
  }
  return sum;
}

double bessel_i0(double x) { return bessel_i(0, x); }
double bessel_i1(double x) { return bessel_i(1, x); }

template <typename T>
T length(std::int32_t count, const T* values) {
  double sum = 0;
  for (std::int32_t i = 0; i < count; ++i) sum = std::hypot(sum, static_cast<double>(values[i]));
  return static_cast<T>(sum);
}

template <typename Function>
void* address_of_special(Function function) {
  return reinterpret_cast<void*>(+function);
}

using SpecialTable = std::unordered_map<std::string, void*>;

template <double (*Function)(double)>
void add_both(SpecialTable& table, const std::string& name) {
  table.emplace(name, address_of_special([](double a) { return Function(a); }));
  table.emplace(name + "f",
                address_of_special([](float a) { return static_cast<float>(Function(static_cast<double>(a))); }));
}

SpecialTable special_functions() {
  SpecialTable table;
  add_both<erf_inverse>(table, "erfinv");
  add_both<erfc_inverse>(table, "erfcinv");
  add_both<normal_inverse>(table, "normcdfinv");
  add_both<scaled_erfc>(table, "erfcx");
  add_both<bessel_i0>(table, "cyl_bessel_i0");
  add_both<bessel_i1>(table, "cyl_bessel_i1");
  table.emplace("norm", address_of_special([](std::int32_t n, const double* v) { return length(n, v); }));
  table.emplace("normf", address_of_special([](std::int32_t n, const float* v) { return length(n, v); }));
  table.emplace("rnorm", address_of_special([](std::int32_t n, const double* v) { return 1 / length(n, v); }));
  table.emplace("rnormf", address_of_special([](std::int32_t n, const float* v) { return 1 / length(n, v); }));
  table.emplace("rnorm4d", address_of_special([](double a, double b, double c, double d) {
                  return 1 / std::hypot(std::hypot(a, b, c), d);
                }));
  table.emplace("rnorm4df", address_of_special([](float a, float b, float c, float d) {
                  return 1 / std::hypot(std::hypot(a, b, c), d);
                }));
  return table;
}

}  // namespace

void* nv_special_function(const std::string& name) {
  static const SpecialTable functions = special_functions();
  auto found = functions.find(name);
  return found == functions.end() ? nullptr : found->second;
}

}  // namespace weakspot::race_jit
