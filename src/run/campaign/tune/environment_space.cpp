// SPDX-License-Identifier: MIT
#include "campaign/environment_space.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <set>

#include "base/check.h"
#include "codegen/random_environment.h"

namespace weakspot::campaign {
namespace {

using codegen::Parameter;
using codegen::TestEnvironment;

// Parameters that a search never changes: they say what a run is, not how it stresses.
bool is_fixed(const Parameter& parameter) {
  static const std::set<std::string_view> kFixed = {"mode",         "weaken",        "loop_bound",     "spin_bound",
                                                    "access_width", "scratch_words", "max_workgroups", "memory_kind",
                                                    "start_delay",  "start_spread"};
  return kFixed.contains(parameter.name);
}

std::vector<const Parameter*> free_parameters() {
  std::vector<const Parameter*> free;
  for (const Parameter& parameter : codegen::parameters()) {
    if (!is_fixed(parameter)) free.push_back(&parameter);
  }
  return free;
}

// Parameters of a launch: environments that differ only in these share the program that a GPU's driver compiled.
// (Threads on a CPU are compiled for each environment.)
std::vector<const Parameter*> launch_parameters() {
  static const std::set<std::string_view> kLaunch = {
      "testing_workgroups", "occupancy_percent",        "permute_locations",     "stress_target_lines",
      "iterations",         "memory_stress_iterations", "pre_stress_iterations", "strategy_balance_percent"};
  std::vector<const Parameter*> launch;
  for (const Parameter& parameter : codegen::parameters()) {
    if (kLaunch.contains(parameter.name)) launch.push_back(&parameter);
  }
  return launch;
}

template <typename T>
T pick(base::Rng& rng, std::initializer_list<T> choices) {
  return *(choices.begin() + rng.below(choices.size()));
}

// Over ranges that make sense on a few cores.
TestEnvironment draw_cpu(base::Rng& rng) {
  using namespace codegen;
  auto power = [&](int low, int high) { return 1 << rng.between(low, high); };
  TestEnvironment e;
  e.workgroup_size = rng.percent(50) ? power(0, 10) : static_cast<int>(rng.between(4, 128));
  e.testing_workgroups = static_cast<int>(rng.between(2, 64));
  e.assignment = pick(rng, {Assignment::all, Assignment::one, Assignment::one});
  e.pairing = pick(rng, {Pairing::stripe, Pairing::half, Pairing::neighbour, Pairing::next});
  e.role_order = pick(rng, {RoleOrder::ascending, RoleOrder::ascending, RoleOrder::descending, RoleOrder::by_block,
                            RoleOrder::by_lane});
  e.barrier =
      pick(rng, {BarrierKind::none, BarrierKind::block, BarrierKind::grid, BarrierKind::partner, BarrierKind::partner});
  e.barrier_spacing = rng.percent(70) ? 1 : power(1, 5);
  e.layout = pick(rng, {Layout::interleaved, Layout::arrays, Layout::arrays});
  e.memory_stride = power(0, 5);
  e.second_stride = e.layout == Layout::arrays ? pick(rng, {0, power(0, 5)}) : 0;
  e.permute_locations = pick(rng, {0, 0, 3, 17, 33});
  e.permute_threads = pick(rng, {0, 0, 1, 3, 7});
  e.shuffle_percent = pick(rng, {0, 0, 100});
  e.pre_stress_percent = pick(rng, {0, 0, 0, 100});
  e.pre_stress_iterations = power(0, 7);
  e.stress_line_words = power(2, 8);
  e.stress_target_lines = static_cast<int>(rng.between(1, 16));
  e.pre_store_first_percent = pick(rng, {0, 100});
  e.pre_store_second_percent = pick(rng, {0, 100});
  return e;
}

TestEnvironment draw_gpu(base::Rng& rng) {
  TestEnvironment base;
  base.iterations = pick(rng, {32, 128, 256, 1024});
  return codegen::draw_environment(rng, base, {.workgroup_size = 1024});
}

// The next value on a ladder of doublings, up or down.
int step(const Parameter& parameter, int value, base::Rng& rng) {
  const bool up = rng.percent(50);
  const int next = up ? (value == 0 ? 1 : value * 2) : value / 2;
  return parameter.accepts(next) ? next : value;
}

// The percentage of variations on a GPU that need no compiling, and of parameters that a child has from its other
// parent.
constexpr unsigned kLaunchAlone = 20;
constexpr unsigned kFromOther = 20;

class ParameterSpace final : public EnvironmentSpace {
 public:
  ParameterSpace(SpaceFor machine, std::vector<TestEnvironment> known) : machine_(machine), free_(free_parameters()) {
    for (TestEnvironment& environment : known) known_.push_back(number_of(std::move(environment)));
  }

  const TestEnvironment& at(std::size_t number) const override { return pool_[number]; }
  std::vector<std::size_t> known() const override { return known_; }

  std::optional<std::size_t> draw(const Tried& tried, base::Rng& rng) override {
    return untried(tried, [&] { return random(rng); });
  }

  std::optional<std::size_t> vary(std::size_t number, const Tried& tried, base::Rng& rng) override {
    return untried(tried, [&] {
      TestEnvironment varied = pool_[number];
      const TestEnvironment other = random(rng);
      const std::uint64_t changes = 1 + rng.below(3);
      const auto& choices = machine_ == SpaceFor::gpu && rng.percent(kLaunchAlone) ? launch_ : free_;
      for (std::uint64_t i = 0; i < changes; ++i) {
        const Parameter& parameter = *choices[rng.below(choices.size())];
        const bool stepped = parameter.kind != Parameter::Kind::choice && rng.percent(50);
        parameter.set(varied, stepped ? step(parameter, parameter.get(varied), rng) : parameter.get(other));
      }
      return varied;
    });
  }

  std::optional<std::size_t> cross(std::size_t a, std::size_t b, const Tried& tried, base::Rng& rng) override {
    return untried(tried, [&] {
      TestEnvironment child = pool_[a];
      for (const Parameter* parameter : free_) {
        if (rng.percent(kFromOther)) parameter->set(child, parameter->get(pool_[b]));
      }
      return child;
    });
  }

 private:
  TestEnvironment random(base::Rng& rng) const { return machine_ == SpaceFor::cpu ? draw_cpu(rng) : draw_gpu(rng); }

  std::size_t number_of(TestEnvironment environment) {
    const auto [entry, is_new] = numbers_.try_emplace(codegen::to_text(environment), pool_.size());
    if (is_new) pool_.push_back(std::move(environment));
    return entry->second;
  }

  template <typename Make>
  std::optional<std::size_t> untried(const Tried& tried, Make&& make) {
    for (int attempt = 0; attempt < 50; ++attempt) {
      TestEnvironment made = make();
      if (!codegen::validate(made)) continue;
      const std::size_t number = number_of(std::move(made));
      if (!tried(number)) return number;
    }
    return std::nullopt;
  }

  SpaceFor machine_;
  std::vector<const Parameter*> free_, launch_ = launch_parameters();
  std::vector<TestEnvironment> pool_;
  std::map<std::string, std::size_t> numbers_;  // by text
  std::vector<std::size_t> known_;
};

class ListedSpace final : public EnvironmentSpace {
 public:
  explicit ListedSpace(std::vector<TestEnvironment> environments) : pool_(std::move(environments)) {
    WEAKSPOT_CHECK(!pool_.empty());
    const std::vector<const Parameter*> free = free_parameters();
    for (const TestEnvironment& environment : pool_) {
      std::vector<double> point;
      for (const Parameter* parameter : free) {
        const int value = parameter->get(environment);
        // Numbers are compared by magnitude, percentages by value, choices by equality.
        point.push_back(parameter->kind == Parameter::Kind::percent  ? value / 100.0
                        : parameter->kind == Parameter::Kind::choice ? value
                                                                     : std::log2(1.0 + value) / 10);
      }
      points_.push_back(std::move(point));
    }
  }

  bool is_finite() const override { return true; }
  const TestEnvironment& at(std::size_t number) const override { return pool_[number]; }

  std::optional<std::size_t> draw(const Tried& tried, base::Rng& rng) override {
    std::vector<std::size_t> left;
    for (std::size_t i = 0; i < pool_.size(); ++i) {
      if (!tried(i)) left.push_back(i);
    }
    if (left.empty()) return std::nullopt;
    return left[rng.below(left.size())];
  }

  std::optional<std::size_t> vary(std::size_t number, const Tried& tried, base::Rng& rng) override {
    return nearest(points_[number], tried, rng);
  }

  std::optional<std::size_t> cross(std::size_t a, std::size_t b, const Tried& tried, base::Rng& rng) override {
    std::vector<double> middle = points_[a];
    for (std::size_t i = 0; i < middle.size(); ++i) middle[i] = (middle[i] + points_[b][i]) / 2;
    return nearest(middle, tried, rng);
  }

 private:
  // One of the few that are nearest.
  std::optional<std::size_t> nearest(const std::vector<double>& point, const Tried& tried, base::Rng& rng) const {
    constexpr std::size_t kFew = 3;
    std::vector<std::pair<double, std::size_t>> order;
    for (std::size_t i = 0; i < pool_.size(); ++i) {
      if (tried(i)) continue;
      double distance = 0;
      for (std::size_t p = 0; p < point.size(); ++p) distance += std::abs(points_[i][p] - point[p]);
      order.emplace_back(distance, i);
    }
    if (order.empty()) return std::nullopt;
    std::sort(order.begin(), order.end());
    return order[rng.below(std::min(kFew, order.size()))].second;
  }

  std::vector<TestEnvironment> pool_;
  std::vector<std::vector<double>> points_;
};

}  // namespace

std::unique_ptr<EnvironmentSpace> parameter_space(SpaceFor machine, std::vector<TestEnvironment> known) {
  return std::make_unique<ParameterSpace>(machine, std::move(known));
}

std::unique_ptr<EnvironmentSpace> listed_space(std::vector<TestEnvironment> environments) {
  return std::make_unique<ListedSpace>(std::move(environments));
}

}  // namespace weakspot::campaign
