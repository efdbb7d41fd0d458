// SPDX-License-Identifier: MIT
#include "stats/rate_model.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <vector>

#include "base/check.h"

namespace weakspot::stats {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// The work grows with the cube of the number of tests that inform each other.
constexpr std::size_t kMostKin = 64;
// The distribution is estimated from at most this many environments, spread over all.
constexpr std::size_t kMostFitted = 512;
constexpr int kFitSteps = 3;
constexpr int kNewtonSteps = 12;
constexpr double kLongestStep = 1.5;
constexpr double kConverged = 1e-3;
// The prior spread of a test's rates, in logarithms, and its weight in environments.
constexpr double kSpread = 1.5;
constexpr double kSpreadWeight = 4;
// A test's best environment is often not its kin's: some variance, and some part of it, is the test's own. Without it
// the model is too sure of what it has not seen.
constexpr double kOwnVariance = 0.05;
constexpr double kOwnPart = 0.1;

}  // namespace

// Tests that inform each other, and all environments.
class RateModel::Kin {
 public:
  void begin(std::size_t tests, const RateModelOptions& options) {
    options_ = options;
    const auto count = static_cast<Index>(tests);
    mean_ = VectorXd::Constant(count, std::log(options.rate));
    set_covariance(MatrixXd::Identity(count, count) * (kSpread * kSpread));
    seconds_ = VectorXd::Zero(count);
  }

  void observe(Index test, std::size_t environment, double kills, double seconds) {
    if (environment >= rows_.size()) rows_.resize(environment + 1);
    Row& row = rows_[environment];
    if (!row.is_known()) {
      const VectorXd none = VectorXd::Zero(mean_.size());
      row = {none, none, none, mean_, none};
    }
    row.kills[test] += kills;
    row.seconds[test] += seconds;
    row.slices[test] += 1;
    seconds_[test] += seconds;
    // From far below, the steps of Newton's method overshoot.
    if (row.kills[test] > 0) row.mean[test] = std::log(row.kills[test] / row.seconds[test]);
    estimate(row);
  }

  // Steps of expectation and maximisation.
  void fit() {
    const std::vector<Row*> sample = fitted_rows();
    if (sample.empty()) return;
    const Index count = mean_.size();
    const auto known = static_cast<double>(sample.size());
    for (int step = 0; step < kFitSteps; ++step) {
      VectorXd sum = VectorXd::Zero(count);
      MatrixXd squares = MatrixXd::Zero(count, count);
      for (Row* row : sample) {
        squares += estimate(*row);
        squares += row->mean * row->mean.transpose();
        sum += row->mean;
      }
      const VectorXd average = sum / known;
      mean_ = average;
      // A test that was never seen must not sink without end.
      for (Index t = 0; t < count; ++t) {
        if (seconds_[t] > 0) mean_[t] = std::max(mean_[t], std::log(0.5 / seconds_[t]));
      }
      const MatrixXd cross = average * mean_.transpose();
      const MatrixXd spread = squares / known - cross - cross.transpose() + mean_ * mean_.transpose();
      MatrixXd covariance = (spread * known + MatrixXd::Identity(count, count) * (kSpreadWeight * kSpread * kSpread)) /
                            (known + kSpreadWeight);
      covariance.diagonal() *= 1 + kOwnPart;
      covariance.diagonal().array() += kOwnVariance;
      set_covariance(std::move(covariance));
    }
    for (Row* row : sample) estimate(*row);
  }

  LogRate at(Index test, std::size_t environment) const {
    if (environment >= rows_.size() || !rows_[environment].is_known()) {
      return {mean_[test], std::sqrt(covariance_(test, test))};
    }
    return {rows_[environment].mean[test], rows_[environment].deviation[test]};
  }

 private:
  struct Row {
    VectorXd kills, seconds, slices;  // by test
    VectorXd mean, deviation;

    bool is_known() const { return mean.size() != 0; }
  };

  void set_covariance(MatrixXd covariance) {
    covariance_ = std::move(covariance);
    precision_ = covariance_.llt().solve(MatrixXd::Identity(covariance_.rows(), covariance_.cols()));
  }

  std::vector<Row*> fitted_rows() {
    std::vector<Row*> known;
    for (Row& row : rows_) {
      if (row.is_known()) known.push_back(&row);
    }
    if (known.size() <= kMostFitted) return known;
    std::vector<Row*> sample;
    for (std::size_t i = 0; i < kMostFitted; ++i) sample.push_back(known[i * known.size() / kMostFitted]);
    return sample;
  }

  // The mode, by Fisher's scoring, and the covariance around it. The variance of a count is taken as its mean and, on
  // top, the device's jitter.
  MatrixXd estimate(Row& row) const {
    const Index count = mean_.size();
    Eigen::LLT<MatrixXd> factors;
    for (int step = 0; step < kNewtonSteps; ++step) {
      VectorXd slope = precision_ * (mean_ - row.mean);
      MatrixXd curvature = precision_;
      for (Index t = 0; t < count; ++t) {
        if (row.seconds[t] <= 0) continue;
        const double expected = std::exp(row.mean[t]) * row.seconds[t];
        const double excess = 1 + expected * options_.jitter * options_.jitter / row.slices[t];
        slope[t] += (row.kills[t] - expected) / excess;
        curvature(t, t) += expected / excess;
      }
      factors.compute(curvature);
      VectorXd move = factors.solve(slope);
      const double longest = move.cwiseAbs().maxCoeff();
      if (longest > kLongestStep) move *= kLongestStep / longest;
      row.mean += move;
      if (longest < kConverged) break;
    }
    MatrixXd covariance = factors.solve(MatrixXd::Identity(count, count));
    row.deviation = covariance.diagonal().cwiseSqrt();
    return covariance;
  }

  RateModelOptions options_;
  VectorXd mean_;
  MatrixXd covariance_, precision_;
  VectorXd seconds_;       // by test
  std::vector<Row> rows_;  // by environment
};

RateModel::RateModel(std::size_t tests, const RateModelOptions& options)
    : tests_(tests), groups_((tests + kMostKin - 1) / kMostKin) {
  WEAKSPOT_CHECK(tests > 0 && options.rate > 0);
  kin_ = std::make_unique<Kin[]>(groups_);
  for (std::size_t g = 0; g < groups_; ++g) kin_[g].begin(std::min(kMostKin, tests - g * kMostKin), options);
}

RateModel::~RateModel() = default;

void RateModel::observe(std::size_t test, std::size_t environment, std::uint64_t kills, double seconds) {
  WEAKSPOT_CHECK(test < tests_ && seconds > 0);
  kin_[test / kMostKin].observe(static_cast<Index>(test % kMostKin), environment, static_cast<double>(kills), seconds);
}

void RateModel::fit() {
  for (std::size_t g = 0; g < groups_; ++g) kin_[g].fit();
}

LogRate RateModel::at(std::size_t test, std::size_t environment) const {
  return kin_[test / kMostKin].at(static_cast<Index>(test % kMostKin), environment);
}

std::pair<std::size_t, std::size_t> RateModel::kin(std::size_t test) const {
  const std::size_t first = test / kMostKin * kMostKin;
  return {first, std::min(first + kMostKin, tests_)};
}

}  // namespace weakspot::stats
