// SPDX-License-Identifier: MIT
#include "stats/similarity.h"

#include <algorithm>
#include <cmath>

namespace weakspot::stats {
namespace {

double angle(double product, double a_squared, double b_squared) {
  if (a_squared == 0 || b_squared == 0) return 0;
  return std::clamp(product / std::sqrt(a_squared) / std::sqrt(b_squared), -1.0, 1.0);
}

}  // namespace

double cosine(std::span<const double> a, std::span<const double> b) {
  WEAKSPOT_CHECK(a.size() == b.size());
  double product = 0, a_squared = 0, b_squared = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    product += a[i] * b[i];
    a_squared += a[i] * a[i];
    b_squared += b[i] * b[i];
  }
  return angle(product, a_squared, b_squared);
}

Matrix cosine_similarities(const Matrix& rows) {
  const Matrix products = row_products(rows);
  Matrix result(rows.rows(), rows.rows());
  for (std::size_t a = 0; a < rows.rows(); ++a) {
    for (std::size_t b = 0; b < rows.rows(); ++b) {
      result.at(a, b) = a == b ? 1 : angle(products.at(a, b), products.at(a, a), products.at(b, b));
    }
  }
  return result;
}

}  // namespace weakspot::stats
