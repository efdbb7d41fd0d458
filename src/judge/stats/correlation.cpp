// SPDX-License-Identifier: MIT
#include "stats/correlation.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/check.h"
#include "base/sort.h"
#include "stats/distribution/distributions.h"

namespace weakspot::stats {
namespace {

// Rows moved to a mean of 0 and scaled to a length of 1, so that their product is the coefficient; a row that does not
// vary becomes zeros. "Does not vary" is judged relative to the size of its values, since the mean of equal numbers may
// differ from them in the last place.
void standardize(std::span<double> row) {
  const double middle = mean(row);
  double squares = 0, largest = 0;
  for (double& value : row) {
    largest = std::max(largest, std::abs(value));
    value -= middle;
    squares += value * value;
  }
  const double length = std::sqrt(squares);
  const bool varies = length > largest * 1e-12 * std::sqrt(static_cast<double>(row.size()));
  for (double& value : row) value = varies ? value / length : 0;
}

Matrix coefficients(Matrix samples) {
  for (std::size_t row = 0; row < samples.rows(); ++row) standardize(samples.row(row));
  return row_products(samples);
}

}  // namespace

std::optional<Correlation> pearson(std::span<const double> x, std::span<const double> y) {
  WEAKSPOT_CHECK(x.size() == y.size());
  if (x.size() < 3) return std::nullopt;
  Matrix samples(2, x.size());
  std::copy(x.begin(), x.end(), samples.row(0).begin());
  std::copy(y.begin(), y.end(), samples.row(1).begin());
  const Matrix products = coefficients(std::move(samples));
  if (products.at(0, 0) == 0 || products.at(1, 1) == 0) return std::nullopt;
  const double r = std::clamp(products.at(0, 1), -1.0, 1.0);
  const auto degrees = static_cast<double>(x.size() - 2);
  const double rest = 1 - r * r;
  const double t = rest > 0 ? r * std::sqrt(degrees / rest) : std::numeric_limits<double>::infinity();
  return Correlation{r, student_two_sided(t, degrees), x.size()};
}

Matrix r_squared(const Matrix& samples) {
  Matrix squares = coefficients(samples);
  for (std::size_t row = 0; row < squares.rows(); ++row) {
    for (double& value : squares.row(row)) value = std::min(value * value, 1.0);
    squares.at(row, row) = 1;
  }
  return squares;
}

std::vector<Priority> tuning_priority(const Matrix& r_squared) {
  WEAKSPOT_CHECK(r_squared.rows() == r_squared.columns());
  std::vector<Priority> order;
  double largest = 0;
  for (std::size_t test = 0; test < r_squared.rows(); ++test) {
    double sum = 0;
    for (std::size_t other = 0; other < r_squared.columns(); ++other) {
      if (other != test) sum += r_squared.at(test, other);
    }
    order.push_back({test, sum});
    largest = std::max(largest, sum);
  }
  if (largest > 0) {
    for (Priority& priority : order) priority.sum /= largest;
  }
  base::sort(order,
             [](const Priority& a, const Priority& b) { return a.sum != b.sum ? a.sum > b.sum : a.test < b.test; });
  return order;
}

}  // namespace weakspot::stats
