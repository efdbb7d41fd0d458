// SPDX-License-Identifier: MIT
// A matrix of numbers, and the operations that this module needs.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "base/check.h"

namespace weakspot::stats {

class Matrix {
 public:
  Matrix() = default;
  Matrix(std::size_t rows, std::size_t columns) : rows_(rows), columns_(columns), values_(rows * columns) {}

  std::size_t rows() const { return rows_; }
  std::size_t columns() const { return columns_; }
  double& at(std::size_t row, std::size_t column) { return values_[index(row, column)]; }
  double at(std::size_t row, std::size_t column) const { return values_[index(row, column)]; }
  std::span<double> row(std::size_t row) { return {values_.data() + row * columns_, columns_}; }
  std::span<const double> row(std::size_t row) const { return {values_.data() + row * columns_, columns_}; }
  const std::vector<double>& values() const { return values_; }  // row by row

  friend bool operator==(const Matrix&, const Matrix&) = default;

 private:
  std::size_t index(std::size_t row, std::size_t column) const {
    WEAKSPOT_CHECK(row < rows_ && column < columns_);
    return row * columns_ + column;
  }

  std::size_t rows_ = 0, columns_ = 0;
  std::vector<double> values_;
};

// The products of all pairs of rows.
Matrix row_products(const Matrix& matrix);

double mean(std::span<const double> values);  // 0 if empty
double median(std::vector<double> values);    // 0 if empty
double squared_distance(std::span<const double> a, std::span<const double> b);

}  // namespace weakspot::stats
