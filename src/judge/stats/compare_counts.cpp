// SPDX-License-Identifier: MIT
#include "stats/compare_counts.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/check.h"
#include "base/names.h"
#include "base/sort.h"
#include "stats/distribution/distributions.h"
#include "stats/rates.h"

namespace weakspot::stats {
namespace {

constexpr base::Named<CountTest> kTests[] = {
    {"exact", CountTest::exact},
    {"likelihood-ratio", CountTest::likelihood_ratio},
};

constexpr double kLargeExpected = 500;  // each cell's, for the chi-square distribution to be good far into its tail
constexpr double kMostSteps = 2e6;      // from the mode; farther out the probability is 0 in double arithmetic
constexpr double kMostCounted = 9e15;   // adding 1 to more changes nothing
constexpr double kTie = 1e-7;           // probabilities that differ less are equal but for rounding
constexpr double kNegligible = 1e-18;
constexpr std::uint64_t kSmallCount = 50;

// The four cells of a table with fixed sums; `first` is the count in `a`.
class Table {
 public:
  Table(const Seen& a, const Seen& b)
      : n_a_(static_cast<double>(a.instances)),
        n_b_(static_cast<double>(b.instances)),
        sum_(static_cast<double>(a.count) + static_cast<double>(b.count)) {}

  double least() const { return std::max(0.0, sum_ - n_b_); }
  double most() const { return std::min(sum_, n_a_); }
  double mode() const { return std::clamp(std::floor((sum_ + 1) * (n_a_ + 1) / (n_a_ + n_b_ + 2)), least(), most()); }
  // The likelihood of the table with first + 1 relative to the table with `first`.
  double step_up(double first) const {
    return (sum_ - first) * (n_a_ - first) / ((first + 1) * (n_b_ - sum_ + first + 1));
  }
  double expected_least() const {
    const double n = n_a_ + n_b_;
    return std::min({sum_ * n_a_ / n, sum_ * n_b_ / n, (n - sum_) * n_a_ / n, (n - sum_) * n_b_ / n});
  }

 private:
  double n_a_, n_b_, sum_;
};

// The sum of the weights from `first` on in one direction, relative to the weight of `first`.
double tail(const Table& table, double first, int direction) {
  double sum = 0, weight = 1;
  for (double at = first; weight > sum * kNegligible; at += direction) {
    sum += weight;
    if (at == (direction > 0 ? table.most() : table.least())) break;
    weight *= direction > 0 ? table.step_up(at) : 1 / table.step_up(at - 1);
  }
  return sum;
}

double exact_p(const Table& table, double observed) {
  const double mode = table.mode();
  if (observed == mode) return 1;
  // Logarithms, because weights relative to the mode's can be too small for a double.
  const int away = observed > mode ? 1 : -1;
  double log_weight = 0;
  for (double at = mode; at != observed; at += away) {
    log_weight += away > 0 ? std::log(table.step_up(at)) : -std::log(table.step_up(at - 1));
  }
  double sum = tail(table, observed, away);
  // Across the mode, the first table that is not more likely than this one.
  double log_other = 0;
  double other = mode;
  const double end = away > 0 ? table.least() : table.most();
  while (other != end && log_other > log_weight + kTie) {
    log_other += away > 0 ? -std::log(table.step_up(other - 1)) : std::log(table.step_up(other));
    other -= away;
  }
  if (log_other <= log_weight + kTie) sum += std::exp(log_other - log_weight) * tail(table, other, -away);
  const double all = tail(table, mode, 1) + tail(table, mode, -1) - 1;
  return std::min(1.0, std::exp(log_weight + std::log(sum) - std::log(all)));
}

double g_of(double seen, double expected) { return seen == 0 ? 0 : 2 * seen * std::log(seen / expected); }

double likelihood_ratio_p(const Seen& a, const Seen& b) {
  const double n_a = static_cast<double>(a.instances), n_b = static_cast<double>(b.instances);
  const double k_a = static_cast<double>(a.count), k_b = static_cast<double>(b.count);
  const double chance = (k_a + k_b) / (n_a + n_b);
  const double g = g_of(k_a, n_a * chance) + g_of(k_b, n_b * chance) + g_of(n_a - k_a, n_a * (1 - chance)) +
                   g_of(n_b - k_b, n_b * (1 - chance));
  return chi_squared_upper(std::max(0.0, g), 1);
}

}  // namespace

std::string_view to_string(CountTest test) { return base::name_of(kTests, test); }

CountDifference compare_counts(const Seen& a, const Seen& b) {
  WEAKSPOT_CHECK(a.count <= a.instances && b.count <= b.instances);
  if (a.instances == 0 || b.instances == 0) return {};
  const Table table(a, b);
  const double observed = static_cast<double>(a.count);
  const bool large = table.expected_least() >= kLargeExpected;
  const bool countable = table.most() < kMostCounted && std::abs(observed - table.mode()) <= kMostSteps;
  if (large || !countable) {
    return {likelihood_ratio_p(a, b), CountTest::likelihood_ratio};
  }
  return {exact_p(table, observed), CountTest::exact};
}

RateRatio rate_ratio(const Seen& a, const Seen& b, double confidence) {
  WEAKSPOT_CHECK(a.count <= a.instances && b.count <= b.instances && confidence > 0 && confidence < 1);
  constexpr double kInfinite = std::numeric_limits<double>::infinity();
  if (a.instances == 0 || b.instances == 0 || (a.count == 0 && b.count == 0)) {
    return {std::numeric_limits<double>::quiet_NaN(), 0, kInfinite};
  }
  const double estimate = b.count == 0 ? kInfinite : a.chance() / b.chance();
  const double instances = static_cast<double>(b.instances) / static_cast<double>(a.instances);
  if (std::min(a.count, b.count) >= kSmallCount) {
    const double k_a = static_cast<double>(a.count), k_b = static_cast<double>(b.count);
    const double error =
        std::sqrt((1 - a.chance()) / k_a + (1 - b.chance()) / k_b) * -normal_quantile((1 - confidence) / 2);
    return {estimate, estimate * std::exp(-error), estimate * std::exp(error)};
  }
  // Given the sum, the smaller count is binomial; its odds are the ratio of the chances times that of the instances.
  const auto [small, large] = std::minmax(a.count, b.count);
  const std::uint64_t sum = small + std::min(large, std::numeric_limits<std::uint64_t>::max() - small);
  const auto [low, high] = binomial_interval(small, sum, confidence);
  auto odds = [&](double p) { return p >= 1 ? kInfinite : p / (1 - p); };
  if (a.count == small) return {estimate, odds(low) * instances, odds(high) * instances};
  return {estimate, instances / odds(high), low == 0 ? kInfinite : instances / odds(low)};
}

std::vector<double> holm_adjusted(std::span<const double> p_values) {
  std::vector<std::size_t> order(p_values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  base::sort(order, [&](std::size_t i, std::size_t j) {
    return p_values[i] != p_values[j] ? p_values[i] < p_values[j] : i < j;
  });
  std::vector<double> adjusted(p_values.size());
  double least = 0;
  for (std::size_t rank = 0; rank < order.size(); ++rank) {
    least = std::max(least, p_values[order[rank]] * static_cast<double>(order.size() - rank));
    adjusted[order[rank]] = std::min(1.0, least);
  }
  return adjusted;
}

}  // namespace weakspot::stats
