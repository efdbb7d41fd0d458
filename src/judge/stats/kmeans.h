// SPDX-License-Identifier: MIT
// Clusters of rows by Lloyd's k-means with the seeding of k-means++ (Arthur and Vassilvitskii, 2007), started several
// times; and how many clusters to make.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "stats/matrix.h"

namespace weakspot::stats {

struct Clusters {
  std::vector<std::size_t> of_row;  // clusters are numbered by their first row
  Matrix centres;                   // one row for each cluster that has rows, by number
  double distortion = 0;            // the sum of squared distances of rows to their centres
  std::vector<double> history;      // the distortion after each round, never increasing
};

struct KMeansOptions {
  std::size_t clusters = 2;  // at most; fewer if there are fewer different rows
  std::size_t restarts = 20;
  std::size_t rounds = 300;  // at most, of each start
  std::uint64_t seed = 1;
};

// The best of all starts. Requires at least one row, cluster and restart.
Clusters k_means(const Matrix& rows, const KMeansOptions& options);

// The distortions of 1, 2, ..., `most` clusters; never increasing, since each number also starts from the result of the
// number before.
std::vector<double> distortions(const Matrix& rows, std::size_t most, const KMeansOptions& options);

// The number of clusters after which more of them gain little: where the curve is farthest below the line from its
// first point to its last. 1 for curves without a bend.
std::size_t elbow(std::span<const double> distortions);

}  // namespace weakspot::stats
