// SPDX-License-Identifier: MIT
#include "stats/portability.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/names.h"

namespace weakspot::stats {
namespace {

constexpr base::Named<PortabilityMetric> kMetricNames[] = {
    {"MFS", PortabilityMetric::mfs}, {"MLFS", PortabilityMetric::mlfs}, {"MLFS-F", PortabilityMetric::mlfsf}};
constexpr base::Named<PortabilityLevel> kLevelNames[] = {
    {"global", PortabilityLevel::global},
    {"per device", PortabilityLevel::per_device},
    {"per test", PortabilityLevel::per_test},
    {"per device and test", PortabilityLevel::per_device_and_test}};

// Tests and devices that share one environment: ranges, the ends not included.
struct Domain {
  std::size_t first_test, last_test, first_device, last_device;
};

std::vector<Domain> domains(const RateTable& rates, PortabilityLevel level) {
  const bool by_test = level == PortabilityLevel::per_test || level == PortabilityLevel::per_device_and_test;
  const bool by_device = level == PortabilityLevel::per_device || level == PortabilityLevel::per_device_and_test;
  std::vector<Domain> result;
  for (std::size_t test = 0; test < (by_test ? rates.tests() : 1); ++test) {
    for (std::size_t device = 0; device < (by_device ? rates.devices() : 1); ++device) {
      result.push_back({test, by_test ? test + 1 : rates.tests(), device, by_device ? device + 1 : rates.devices()});
    }
  }
  return result;
}

template <typename Visit>
void for_each_pair(const Domain& domain, Visit visit) {
  for (std::size_t test = domain.first_test; test < domain.last_test; ++test) {
    for (std::size_t device = domain.first_device; device < domain.last_device; ++device) visit(test, device);
  }
}

struct Score {
  std::size_t shown = 0;  // used by MLFS-F only, where it outweighs the sum
  double sum = 0;

  bool better_than(const Score& other) const { return shown != other.shown ? shown > other.shown : sum > other.sum; }
};

Score score(const RateTable& rates, const Domain& domain, std::size_t environment, PortabilityMetric metric,
            double unit) {
  Score result;
  for_each_pair(domain, [&](std::size_t test, std::size_t device) {
    const double rate = rates.at(test, environment, device);
    if (rate <= 0) return;
    if (metric == PortabilityMetric::mlfsf) ++result.shown;
    result.sum += metric == PortabilityMetric::mfs ? rate : std::log(rate / unit);
  });
  return result;
}

bool anything_shown(const RateTable& rates, const Domain& domain, std::size_t environment) {
  return score(rates, domain, environment, PortabilityMetric::mfs, 1).sum > 0;
}

std::optional<std::size_t> choose(const RateTable& rates, const Domain& domain, PortabilityMetric metric, double unit) {
  std::optional<std::size_t> best;
  Score best_score;
  for (std::size_t environment = 0; environment < rates.environments(); ++environment) {
    if (!anything_shown(rates, domain, environment)) continue;
    const Score here = score(rates, domain, environment, metric, unit);
    if (best && !here.better_than(best_score)) continue;
    best = environment;
    best_score = here;
  }
  return best;
}

double smallest_rate(const RateTable& rates) {
  double smallest = std::numeric_limits<double>::infinity();
  const Domain all{0, rates.tests(), 0, rates.devices()};
  for (std::size_t environment = 0; environment < rates.environments(); ++environment) {
    for_each_pair(all, [&](std::size_t test, std::size_t device) {
      const double rate = rates.at(test, environment, device);
      if (rate > 0) smallest = std::min(smallest, rate);
    });
  }
  return smallest;
}

}  // namespace

std::string_view to_string(PortabilityMetric metric) { return base::name_of(kMetricNames, metric); }

std::string_view to_string(PortabilityLevel level) { return base::name_of(kLevelNames, level); }

Portable choose_portable(const RateTable& rates, PortabilityMetric metric, PortabilityLevel level) {
  const double unit = smallest_rate(rates);
  Portable result;
  result.environments.resize(rates.tests() * rates.devices());
  for (const Domain& domain : domains(rates, level)) {
    const std::optional<std::size_t> environment = choose(rates, domain, metric, unit);
    if (!environment) continue;
    for_each_pair(domain, [&](std::size_t test, std::size_t device) {
      result.environments[test * rates.devices() + device] = environment;
      const double rate = rates.at(test, *environment, device);
      result.rate_sum += rate;
      if (rate > 0) ++result.shown;
    });
  }
  return result;
}

}  // namespace weakspot::stats
