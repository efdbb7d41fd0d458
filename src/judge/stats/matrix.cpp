// SPDX-License-Identifier: MIT
#include "stats/matrix.h"
#include "base/sort.h"

#include <Eigen/Core>

namespace weakspot::stats {
namespace {

using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

Eigen::Map<const Eigen::VectorXd> vector_of(std::span<const double> values) {
  return {values.data(), static_cast<Eigen::Index>(values.size())};
}

}  // namespace

Matrix row_products(const Matrix& matrix) {
  const auto rows = static_cast<Eigen::Index>(matrix.rows());
  const Eigen::Map<const Rows> given(matrix.values().data(), rows, static_cast<Eigen::Index>(matrix.columns()));
  Matrix products(matrix.rows(), matrix.rows());
  if (rows == 0) return products;
  Eigen::Map<Rows>(products.row(0).data(), rows, rows).noalias() = given * given.transpose();
  return products;
}

double mean(std::span<const double> values) { return values.empty() ? 0 : vector_of(values).mean(); }

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  base::sort(values);
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

double squared_distance(std::span<const double> a, std::span<const double> b) {
  WEAKSPOT_CHECK(a.size() == b.size());
  return (vector_of(a) - vector_of(b)).squaredNorm();
}

}  // namespace weakspot::stats
