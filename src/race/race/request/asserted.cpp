// SPDX-License-Identifier: MIT
// Inputs that a kernel does not refuse: those for which the equalities that it asserts hold.
#include <algorithm>
#include <cstdlib>
#include <optional>
#include <utility>

#include "race/entry.h"
#include "race/inputs.h"

namespace weakspot::race {
namespace {

constexpr std::int64_t kLargestAsserted = 1 << 20;

class AssertedLaunch {
 public:
  AssertedLaunch(LaunchSpec& launch, const LaunchSpec& fixed, bool shape_fixed, std::uint64_t most_threads)
      : launch_(launch), fixed_(fixed), shape_fixed_(shape_fixed), most_threads_(most_threads) {}

  void make_equal(const Term& a, const Term& b) {
    const std::optional<std::int64_t> left = value(a), right = value(b);
    if (!left || !right || *left == *right) return;
    // A parameter is easier to choose than an extent.
    for (const bool parameters : {true, false}) {
      for (const auto& [side, wanted] : {std::pair(&a, *right), std::pair(&b, *left)}) {
        for (const std::string& name : side->names) {
          if ((extent(name) == nullptr) == parameters && set(*side, name, wanted)) return;
        }
      }
    }
  }

 private:
  // The extent that "blockDim.x" or the like names; null for other names.
  std::uint32_t* extent(const std::string& name) {
    if (name.size() < 2 || name[name.size() - 2] != '.') return nullptr;
    const auto axis = static_cast<unsigned>(name.back() - 'x');
    if (axis > 2) return nullptr;
    if (name.starts_with("blockDim")) return &launch_.block[axis];
    return name.starts_with("gridDim") ? &launch_.grid[axis] : nullptr;
  }

  std::optional<std::int64_t> value(const std::string& name) {
    if (const std::uint32_t* number = extent(name)) return *number;
    const ArgumentSpec* argument = find_argument(launch_, name);
    if (argument == nullptr || argument->count) return std::nullopt;
    return std::strtoll(argument->value.c_str(), nullptr, 10);
  }

  std::optional<std::int64_t> value(const Term& term) {
    std::int64_t product = term.constant;
    for (const std::string& name : term.names) {
      const std::optional<std::int64_t> factor = value(name);
      if (!factor || std::abs(*factor) > kLargestAsserted || std::abs(product) > kLargestAsserted) return std::nullopt;
      product *= *factor;
    }
    return product;
  }

  // Makes the term equal to `wanted` by this number alone, if that is possible.
  bool set(const Term& term, const std::string& name, std::int64_t wanted) {
    Term others = term;
    others.names.erase(std::find(others.names.begin(), others.names.end(), name));
    const std::optional<std::int64_t> rest = value(others);
    if (!rest || *rest == 0 || wanted % *rest != 0) return false;
    const std::int64_t number = wanted / *rest;
    if (std::uint32_t* side = extent(name)) {
      if (shape_fixed_ || number < 1 || number > kLargestAsserted) return false;
      const std::uint32_t before = std::exchange(*side, static_cast<std::uint32_t>(number));
      if (launch_.block.count() <= most_threads_ && launch_.grid.count() <= kMaxBlockThreads) return true;
      *side = before;
      return false;
    }
    ArgumentSpec* argument = find_argument(launch_, name);
    if (argument == nullptr || argument->count || find_argument(fixed_, name) != nullptr) return false;
    argument->value = std::to_string(number);
    return true;
  }

  LaunchSpec& launch_;
  const LaunchSpec& fixed_;
  bool shape_fixed_;
  std::uint64_t most_threads_;
};

}  // namespace

void keep_asserted(const KernelFacts& facts, const LaunchSpec& fixed, bool shape_fixed, LaunchSpec& launch) {
  AssertedLaunch asserted(launch, fixed, shape_fixed || facts.cluster.count() > 1, facts.most_threads);
  // One may depend on another.
  for (std::size_t i = 0; i < facts.asserted.size(); ++i) {
    for (const auto& [a, b] : facts.asserted) asserted.make_equal(a, b);
  }
}

}  // namespace weakspot::race
