// SPDX-License-Identifier: MIT
#include "analysis/study.h"

#include <fmt/format.h>

#include <set>
#include <unordered_map>

#include "base/check.h"

namespace weakspot::analysis {
namespace {

// Names in the order of appearance, each with its number.
class Numbering {
 public:
  // The number, and whether the name is new.
  std::pair<std::size_t, bool> number(const std::string& name) {
    const auto [at, inserted] = numbers_.try_emplace(name, numbers_.size());
    return {at->second, inserted};
  }

 private:
  std::unordered_map<std::string, std::size_t> numbers_;
};

}  // namespace

Study::Study(std::string name, std::vector<DeviceResults> results)
    : name_(std::move(name)), results_(std::move(results)) {
  struct Placed {
    std::size_t device, environment, test;
    const Cell* cell;
  };
  std::vector<Placed> placed;
  std::set<std::string> names;
  Numbering environments, tests;
  for (std::size_t device = 0; device < results_.size(); ++device) {
    const DeviceResults& given = results_[device];
    const bool fresh = names.insert(given.device).second;
    devices_.push_back(
        {fresh ? given.device : fmt::format("{} ({})", given.device, device + 1), given.vendor, given.file});
    for (const Entry& entry : given.entries) {
      const auto [environment, new_environment] = environments.number(entry.key);
      if (new_environment) environments_.push_back(entry.key);
      for (const NamedCell& cell : entry.cells) {
        const auto [test, new_test] = tests.number(cell.test);
        if (new_test) tests_.push_back({cell.test, role_of(cell.test, given.style)});
        has_times_ = has_times_ || cell.cell.seconds > 0;
        placed.push_back({device, environment, test, &cell.cell});
      }
    }
  }
  cells_.resize(devices_.size() * environments_.size() * tests_.size());
  for (const Placed& at : placed) {
    cells_[(at.device * environments_.size() + at.environment) * tests_.size() + at.test] = at.cell;
  }
}

const Cell* Study::cell(std::size_t device, std::size_t environment, std::size_t test) const {
  WEAKSPOT_CHECK(device < devices_.size() && environment < environments_.size() && test < tests_.size());
  return cells_[(device * environments_.size() + environment) * tests_.size() + test];
}

bool Study::ran(std::size_t device, std::size_t test) const {
  for (std::size_t environment = 0; environment < environments_.size(); ++environment) {
    if (cell(device, environment, test) != nullptr) return true;
  }
  return false;
}

std::size_t Study::pairs(const std::vector<std::size_t>& tests) const {
  std::size_t count = 0;
  for (const std::size_t test : tests) {
    for (std::size_t device = 0; device < devices_.size(); ++device) count += ran(device, test) ? 1 : 0;
  }
  return count;
}

std::vector<std::size_t> Study::tests_that_are(TestKind kind) const {
  std::vector<std::size_t> found;
  for (std::size_t test = 0; test < tests_.size(); ++test) {
    if (tests_[test].role.kind == kind) found.push_back(test);
  }
  return found;
}

}  // namespace weakspot::analysis
