// SPDX-License-Identifier: MIT
#include "stats/kmeans.h"

#include <algorithm>
#include <limits>
#include <optional>

#include "base/check.h"
#include "base/rng.h"

namespace weakspot::stats {
namespace {

using Centres = std::vector<std::vector<double>>;

std::vector<double> copied(std::span<const double> row) { return {row.begin(), row.end()}; }

struct Nearest {
  std::size_t centre = 0;
  double distance = std::numeric_limits<double>::infinity();
};

Nearest nearest(std::span<const double> row, const Centres& centres) {
  Nearest best;
  for (std::size_t centre = 0; centre < centres.size(); ++centre) {
    const double distance = squared_distance(row, centres[centre]);
    if (distance < best.distance) best = {centre, distance};
  }
  return best;
}

// k-means++: each next centre is a row drawn with a probability proportional to its squared distance from the others.
// Stops early when all rows are centres.
Centres draw_centres(const Matrix& rows, std::size_t clusters, base::Rng& rng) {
  Centres centres{copied(rows.row(rng.below(rows.rows())))};
  while (centres.size() < clusters) {
    std::vector<double> distances;
    double sum = 0;
    for (std::size_t row = 0; row < rows.rows(); ++row) {
      distances.push_back(nearest(rows.row(row), centres).distance);
      sum += distances.back();
    }
    if (sum == 0) break;
    double left = rng.unit() * sum;
    std::optional<std::size_t> drawn;
    for (std::size_t row = 0; row < rows.rows() && left >= 0; ++row) {
      left -= distances[row];
      if (distances[row] > 0) drawn = row;
    }
    centres.push_back(copied(rows.row(*drawn)));
  }
  return centres;
}

// A centre without rows stays where it is.
Centres centres_of(const Matrix& rows, const std::vector<std::size_t>& of_row, const Centres& before) {
  Centres sums(before.size(), std::vector<double>(rows.columns()));
  std::vector<double> members(before.size());
  for (std::size_t row = 0; row < rows.rows(); ++row) {
    std::vector<double>& sum = sums[of_row[row]];
    for (std::size_t column = 0; column < rows.columns(); ++column) sum[column] += rows.at(row, column);
    ++members[of_row[row]];
  }
  for (std::size_t centre = 0; centre < sums.size(); ++centre) {
    if (members[centre] == 0) sums[centre] = before[centre];
    for (double& value : sums[centre]) value /= std::max(members[centre], 1.0);
  }
  return sums;
}

// Numbered by first appearance; centres without rows are dropped.
void renumber(Clusters& clusters, const Centres& centres) {
  std::vector<std::optional<std::size_t>> number(centres.size());
  std::vector<std::size_t> used;
  for (std::size_t& cluster : clusters.of_row) {
    if (!number[cluster]) {
      number[cluster] = used.size();
      used.push_back(cluster);
    }
    cluster = *number[cluster];
  }
  clusters.centres = Matrix(used.size(), centres.front().size());
  for (std::size_t i = 0; i < used.size(); ++i) {
    std::copy(centres[used[i]].begin(), centres[used[i]].end(), clusters.centres.row(i).begin());
  }
}

Clusters lloyd(const Matrix& rows, Centres centres, std::size_t rounds) {
  Clusters clusters;
  for (std::size_t round = 0; round < rounds; ++round) {
    std::vector<std::size_t> of_row;
    double distortion = 0;
    for (std::size_t row = 0; row < rows.rows(); ++row) {
      const Nearest best = nearest(rows.row(row), centres);
      of_row.push_back(best.centre);
      distortion += best.distance;
    }
    const bool settled = of_row == clusters.of_row;
    // Rounding must not make the last round look worse than the one before.
    clusters.distortion = clusters.history.empty() ? distortion : std::min(distortion, clusters.history.back());
    clusters.history.push_back(clusters.distortion);
    clusters.of_row = std::move(of_row);
    if (settled) break;
    centres = centres_of(rows, clusters.of_row, centres);
  }
  renumber(clusters, centres);
  return clusters;
}

// The centres of `clusters` and the row that is farthest from its own.
Centres one_more(const Matrix& rows, const Clusters& clusters) {
  Centres centres;
  for (std::size_t i = 0; i < clusters.centres.rows(); ++i) centres.push_back(copied(clusters.centres.row(i)));
  std::size_t farthest = 0;
  double distance = -1;
  for (std::size_t row = 0; row < rows.rows(); ++row) {
    const double here = nearest(rows.row(row), centres).distance;
    if (here > distance) {
      farthest = row;
      distance = here;
    }
  }
  centres.push_back(copied(rows.row(farthest)));
  return centres;
}

}  // namespace

Clusters k_means(const Matrix& rows, const KMeansOptions& options) {
  WEAKSPOT_CHECK(rows.rows() > 0 && options.clusters > 0 && options.restarts > 0 && options.rounds > 0);
  base::Rng rng(options.seed);
  std::optional<Clusters> best;
  for (std::size_t start = 0; start < options.restarts; ++start) {
    Clusters clusters = lloyd(rows, draw_centres(rows, options.clusters, rng), options.rounds);
    if (!best || clusters.distortion < best->distortion) best = std::move(clusters);
  }
  return *std::move(best);
}

std::vector<double> distortions(const Matrix& rows, std::size_t most, const KMeansOptions& options) {
  std::vector<double> curve;
  std::optional<Clusters> before;
  for (std::size_t number = 1; number <= most; ++number) {
    KMeansOptions here = options;
    here.clusters = number;
    Clusters clusters = k_means(rows, here);
    if (before) {
      Clusters grown = lloyd(rows, one_more(rows, *before), options.rounds);
      if (grown.distortion < clusters.distortion) clusters = std::move(grown);
      clusters.distortion = std::min(clusters.distortion, before->distortion);
    }
    curve.push_back(clusters.distortion);
    before = std::move(clusters);
  }
  return curve;
}

std::size_t elbow(std::span<const double> distortions) {
  if (distortions.size() < 3) return 1;
  const double drop = distortions.front() - distortions.back();
  const auto last = static_cast<double>(distortions.size() - 1);
  std::size_t best = 1;
  double deepest = 1e-9;
  if (drop <= 0) return best;
  for (std::size_t i = 1; i + 1 < distortions.size(); ++i) {
    const double line = 1 - static_cast<double>(i) / last;
    const double depth = line - (distortions[i] - distortions.back()) / drop;
    if (depth > deepest) {
      deepest = depth;
      best = i + 1;
    }
  }
  return best;
}

}  // namespace weakspot::stats
