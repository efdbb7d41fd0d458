// SPDX-License-Identifier: MIT
#include "workbench/choice/best_environment.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <tuple>
#include <vector>

#include "codegen/test_program.h"
#include "litmus/instruction.h"
#include "workbench/devices.h"
#include "workbench/suites.h"

namespace weakspot::workbench {
namespace {

struct ShapeAccess {
  char kind;
  std::size_t location;
};

std::optional<ShapeAccess> shaped_access(const litmus::Instruction& instruction) {
  const auto shape = [](char kind, const litmus::Access& access) -> std::optional<ShapeAccess> {
    if (!access.address.location) return ShapeAccess{kind, std::numeric_limits<std::size_t>::max()};
    return ShapeAccess{kind, access.address.location->index};
  };
  if (const auto* load = std::get_if<litmus::Load>(&instruction.operation)) return shape('R', load->access);
  if (const auto* store = std::get_if<litmus::Store>(&instruction.operation)) return shape('W', store->access);
  if (const auto* rmw = std::get_if<litmus::Rmw>(&instruction.operation)) return shape('U', rmw->access);
  return std::nullopt;
}

// The threads in this order, locations numbered as they appear.
std::string shape_in_order(const std::vector<std::vector<ShapeAccess>>& threads,
                           const std::vector<std::size_t>& order) {
  std::map<std::size_t, std::size_t> numbers;
  std::string text;
  for (const std::size_t t : order) {
    if (!text.empty()) text += '|';
    bool is_first = true;
    for (const ShapeAccess& access : threads[t]) {
      const std::size_t number = numbers.try_emplace(access.location, numbers.size()).first->second;
      text += fmt::format("{}{}{}", is_first ? "" : " ", access.kind, number);
      is_first = false;
    }
  }
  return text;
}

long fences_in(const litmus::LitmusTest& test) {
  long fences = 0;
  for (const litmus::Thread& thread : test.threads) {
    fences += std::count_if(thread.instructions.begin(), thread.instructions.end(), [](const auto& instruction) {
      return std::holds_alternative<litmus::Fence>(instruction.operation);
    });
  }
  return fences;
}

constexpr std::size_t kMostThreads = 6;  // more are not put in order

bool is_asynchronous(const litmus::LitmusTest& test) {
  return std::any_of(test.threads.begin(), test.threads.end(), [](const litmus::Thread& thread) {
    return std::any_of(thread.instructions.begin(), thread.instructions.end(),
                       [](const litmus::Instruction& instruction) { return litmus::is_asynchronous(instruction); });
  });
}

// The suite has no asynchronous tests, and the environments of others mean little to them.
BestEnvironments::Choice for_asynchronous_tests() {
  BestEnvironments::Choice choice;
  choice.environment.workgroup_size = 256;
  choice.why = "for tests with asynchronous operations";
  return choice;
}

}  // namespace

std::string shape_of(const litmus::LitmusTest& test) {
  std::vector<std::vector<ShapeAccess>> threads;
  for (const litmus::Thread& thread : test.threads) {
    std::vector<ShapeAccess>& accesses = threads.emplace_back();
    for (const litmus::Instruction& instruction : thread.instructions) {
      if (const std::optional<ShapeAccess> access = shaped_access(instruction)) accesses.push_back(*access);
    }
  }
  std::vector<std::size_t> order(threads.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::string least = shape_in_order(threads, order);
  while (threads.size() <= kMostThreads && std::next_permutation(order.begin(), order.end())) {
    least = std::min(least, shape_in_order(threads, order));
  }
  return least;
}

base::Result<BestEnvironments> BestEnvironments::of(const backend::DeviceInfo& device) {
  base::Result<campaign::ConformanceSuite> suite = load_suite("", device);
  if (!suite) return suite.errors();
  if (suite->family != family_of(device)) suite->tests.clear();
  return BestEnvironments(device, *std::move(suite));
}

std::optional<BestEnvironments::Choice> BestEnvironments::choose(const litmus::LitmusTest& test) const {
  if (device_.target == codegen::Target::ptx && is_asynchronous(test)) return for_asynchronous_tests();
  const std::string shape = shape_of(test);
  const long fences = fences_in(test);
  const campaign::SuiteMutant* best = nullptr;
  std::tuple<long, double> least;
  // By environment: the mutants that it shows, and the logarithms of their rates.
  std::vector<std::pair<int, double>> shown(suite_.environments.size());
  for (const campaign::SuiteTest& of_suite : suite_.tests) {
    for (const campaign::SuiteMutant& mutant : of_suite.mutants) {
      for (const campaign::KillRate& rate : mutant.rates) {
        ++shown[rate.environment].first;
        shown[rate.environment].second += std::log1p(rate.per_second);
      }
      if (mutant.rates.empty() || shape_of(mutant.test) != shape) continue;
      const std::tuple<long, double> distance{std::abs(fences_in(mutant.test) - fences),
                                              -mutant.rates.front().per_second};
      if (best == nullptr || distance < least) {
        best = &mutant;
        least = distance;
      }
    }
  }
  const auto most = std::max_element(shown.begin(), shown.end());
  if (most == shown.end() || most->first == 0) return std::nullopt;
  Choice choice;
  if (best != nullptr) {
    choice.environment = suite_.environments[best->rates.front().environment];
    choice.why = fmt::format("best known on {} for a test of this shape, {}", suite_.family, best->test.name);
  } else {
    choice.environment = suite_.environments[static_cast<std::size_t>(most - shown.begin())];
    choice.why = fmt::format("best known on {} for most tests; none has this shape", suite_.family);
  }
  // A test may need what the environment does not give: threads that share a workgroup, say.
  if (!codegen::TestProgram::compile(test, choice.environment, device_.target, device_.limits)) return std::nullopt;
  return choice;
}

}  // namespace weakspot::workbench
