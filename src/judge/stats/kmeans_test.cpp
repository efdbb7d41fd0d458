// SPDX-License-Identifier: MIT
#include "stats/kmeans.h"

#include <gtest/gtest.h>

#include <cmath>

#include "stats/similarity.h"

namespace weakspot::stats {
namespace {

Matrix points(std::initializer_list<std::pair<double, double>> given) {
  Matrix result(given.size(), 2);
  std::size_t row = 0;
  for (const auto& [x, y] : given) {
    result.at(row, 0) = x;
    result.at(row++, 1) = y;
  }
  return result;
}

TEST(Cosine, OfKnownAngles) {
  EXPECT_NEAR(1, cosine(std::vector{1.0, 2.0}, std::vector{10.0, 20.0}), 1e-12);
  EXPECT_NEAR(0, cosine(std::vector{1.0, 0.0}, std::vector{0.0, 5.0}), 1e-12);
  EXPECT_NEAR(std::sqrt(0.5), cosine(std::vector{1.0, 0.0}, std::vector{3.0, 3.0}), 1e-12);
  EXPECT_EQ(0, cosine(std::vector{0.0, 0.0}, std::vector{3.0, 3.0}));
}

TEST(Cosine, OfAllPairs) {
  const Matrix similar = cosine_similarities(points({{1, 0}, {3, 3}, {0, 0}}));
  EXPECT_NEAR(std::sqrt(0.5), similar.at(0, 1), 1e-12);
  EXPECT_NEAR(std::sqrt(0.5), similar.at(1, 0), 1e-12);
  EXPECT_EQ(1, similar.at(2, 2));
  EXPECT_EQ(0, similar.at(2, 0));
}

// Three groups, far apart.
Matrix three_groups() {
  return points({{0, 0}, {100, 0}, {0, 2}, {2, 0}, {100, 2}, {0, 100}, {2, 2}, {2, 100}, {102, 0}});
}

TEST(KMeans, FindsSeparateGroups) {
  const Clusters clusters = k_means(three_groups(), {.clusters = 3});
  EXPECT_EQ((std::vector<std::size_t>{0, 1, 0, 0, 1, 2, 0, 2, 1}), clusters.of_row);
  EXPECT_EQ(3, clusters.centres.rows());
  EXPECT_NEAR(1, clusters.centres.at(0, 0), 1e-12);
  EXPECT_NEAR(100 + 2.0 / 3, clusters.centres.at(1, 0), 1e-12);
  EXPECT_NEAR(8 + 16.0 / 3 + 2, clusters.distortion, 1e-9);
}

TEST(KMeans, TheSameSeedGivesTheSame) {
  const Clusters once = k_means(three_groups(), {.clusters = 4, .restarts = 1, .seed = 7});
  const Clusters again = k_means(three_groups(), {.clusters = 4, .restarts = 1, .seed = 7});
  EXPECT_EQ(once.of_row, again.of_row);
  EXPECT_EQ(once.history, again.history);
}

TEST(KMeans, NoMoreClustersThanDifferentRows) {
  const Clusters clusters = k_means(points({{1, 1}, {2, 2}, {1, 1}}), {.clusters = 5});
  EXPECT_EQ((std::vector<std::size_t>{0, 1, 0}), clusters.of_row);
  EXPECT_EQ(2, clusters.centres.rows());
  EXPECT_EQ(0, clusters.distortion);
}

TEST(Elbow, IsWhereTheCurveBends) {
  const std::vector<double> curve = distortions(three_groups(), 6, {});
  EXPECT_EQ(6, curve.size());
  EXPECT_EQ(3, elbow(curve));
  EXPECT_EQ(2, elbow(std::vector<double>{100, 10, 9, 8, 7}));
  EXPECT_EQ(1, elbow(std::vector<double>{4, 3, 2, 1}));  // straight
  EXPECT_EQ(1, elbow(std::vector<double>{0, 0, 0}));
  EXPECT_EQ(1, elbow(std::vector<double>{5}));
}

}  // namespace
}  // namespace weakspot::stats
