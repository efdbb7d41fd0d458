// SPDX-License-Identifier: MIT
#include "stats/correlation.h"

#include <gtest/gtest.h>

#include <cmath>

namespace weakspot::stats {
namespace {

Matrix matrix(std::initializer_list<std::vector<double>> rows) {
  Matrix result(rows.size(), rows.begin()->size());
  std::size_t row = 0;
  for (const std::vector<double>& values : rows) {
    std::copy(values.begin(), values.end(), result.row(row++).begin());
  }
  return result;
}

TEST(Matrix, ProductsOfRows) {
  EXPECT_EQ(matrix({{5, 11}, {11, 25}}), row_products(matrix({{1, 2}, {3, 4}})));
  EXPECT_EQ(Matrix(), row_products(Matrix()));
}

TEST(Matrix, MeanMedianDistance) {
  EXPECT_EQ(2.5, mean(std::vector{1.0, 2.0, 3.0, 4.0}));
  EXPECT_EQ(0, mean({}));
  EXPECT_EQ(2.5, median({4, 1, 3, 2}));
  EXPECT_EQ(3, median({4, 1, 3}));
  EXPECT_EQ(0, median({}));
  EXPECT_EQ(25, squared_distance(std::vector{0.0, 0.0}, std::vector{3.0, 4.0}));
}

TEST(Pearson, KnownCoefficients) {
  const std::vector<double> x{1, 2, 3, 4, 5};
  EXPECT_NEAR(1, pearson(x, std::vector<double>{2, 4, 6, 8, 10})->r, 1e-12);
  EXPECT_NEAR(-1, pearson(x, std::vector<double>{5, 4, 3, 2, 1})->r, 1e-12);
  // Sums of products 8, of squares 10 and 10.
  const Correlation some = *pearson(x, std::vector<double>{1, 3, 2, 5, 4});
  EXPECT_NEAR(0.8, some.r, 1e-12);
  EXPECT_EQ(5, some.samples);
  EXPECT_NEAR(0.104088, some.p_value, 1e-6);  // t = 2.3094, 3 degrees of freedom
  const Correlation none = *pearson(std::vector<double>{-1, 0, 1}, std::vector<double>{1, -2, 1});
  EXPECT_NEAR(0, none.r, 1e-12);
  EXPECT_NEAR(1, none.p_value, 1e-6);
}

TEST(Pearson, WithoutVariationThereIsNone) {
  EXPECT_EQ(std::nullopt, pearson(std::vector<double>{1, 2}, std::vector<double>{1, 2}));
  EXPECT_EQ(std::nullopt, pearson(std::vector<double>{0.1, 0.1, 0.1}, std::vector<double>{1, 2, 3}));
  EXPECT_EQ(std::nullopt, pearson(std::vector<double>{1, 2, 3}, std::vector<double>(3, 1e17)));
}

TEST(RSquared, OfAllPairsOfTests) {
  const Matrix squares = r_squared(matrix({{1, 2, 3, 4, 5}, {1, 3, 2, 5, 4}, {7, 7, 7, 7, 7}}));
  EXPECT_NEAR(0.64, squares.at(0, 1), 1e-12);
  EXPECT_NEAR(0.64, squares.at(1, 0), 1e-12);
  EXPECT_EQ(0, squares.at(0, 2));
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(1, squares.at(i, i));
}

// Table 8b of the OOPSLA 2020 paper gives the pairs and the sums, table 9 the order.
TEST(TuningPriority, IsThatOfThePaper) {
  const char* names[] = {"MP", "LB", "SB", "R", "S", "2+2W"};
  const Matrix quadro = matrix({{1, 0.034, 0.126, 0.089, 0.041, 0.029},
                                {0.034, 1, 0.029, 0.033, 0.787, 0.618},
                                {0.126, 0.029, 1, 0.149, 0.035, 0.021},
                                {0.089, 0.033, 0.149, 1, 0.037, 0.027},
                                {0.041, 0.787, 0.035, 0.037, 1, 0.636},
                                {0.029, 0.618, 0.021, 0.027, 0.636, 1}});
  const std::vector<Priority> order = tuning_priority(quadro);
  std::string text;
  for (const Priority& priority : order) text += std::string(names[priority.test]) + " ";
  EXPECT_EQ("S LB 2+2W SB R MP ", text);
  EXPECT_EQ(1, order[0].sum);
  EXPECT_NEAR(0.977, order[1].sum, 5e-4);
  EXPECT_NEAR(0.866, order[2].sum, 1e-3);  // the pairs are rounded
  EXPECT_NEAR(0.208, order[5].sum, 5e-4);
}

TEST(TuningPriority, EqualTestsKeepTheirOrder) {
  EXPECT_EQ((std::vector<Priority>{{0, 0}, {1, 0}}), tuning_priority(matrix({{1, 0}, {0, 1}})));
}

}  // namespace
}  // namespace weakspot::stats
