// SPDX-License-Identifier: MIT
#include "analysis/figures/bad_cells.h"

#include <map>
#include <optional>

namespace weakspot::analysis {
namespace {

std::optional<double> parameter(const Entry& entry, std::string_view name) {
  for (const auto& [key, value] : entry.parameters) {
    if (key == name) return value;
  }
  return std::nullopt;
}

// Instances of one iteration, if the parameters tell.
std::optional<std::uint64_t> instances_at_once(const Entry& entry, const std::string& test, NameStyle style) {
  if (is_single_instance(test, style)) return 1;
  const std::optional<double> workgroups = parameter(entry, "testingWorkgroups");
  const double size = parameter(entry, "workgroupSize").value_or(256);
  constexpr double kMost = 1e6;
  const auto sensible = [](double number) { return number >= 1 && number <= kMost; };
  if (!workgroups || !sensible(*workgroups) || !sensible(size)) return std::nullopt;
  return static_cast<std::uint64_t>(*workgroups) * static_cast<std::uint64_t>(size);
}

// The number of iterations of more than half of the cells, if there is one.
std::optional<std::uint64_t> common_iterations(const std::vector<Entry>& entries, NameStyle style) {
  std::map<std::uint64_t, std::size_t> votes;
  std::size_t cells = 0;
  for (const Entry& entry : entries) {
    for (const NamedCell& cell : entry.cells) {
      const std::optional<std::uint64_t> at_once = instances_at_once(entry, cell.test, style);
      if (!at_once) continue;
      ++cells;
      if (cell.cell.total() % *at_once == 0) ++votes[cell.cell.total() / *at_once];
    }
  }
  for (const auto& [iterations, count] : votes) {
    if (2 * count > cells) return iterations;
  }
  return std::nullopt;
}

void check(const Study& study, const DeviceResults& results, const std::vector<Entry>& entries,
           std::vector<BadCell>& bad) {
  const std::optional<std::uint64_t> iterations = common_iterations(entries, results.style);
  for (const Entry& entry : entries) {
    for (const NamedCell& cell : entry.cells) {
      std::optional<std::uint64_t> expected = cell.cell.instances;
      const std::optional<std::uint64_t> at_once = instances_at_once(entry, cell.test, results.style);
      if (!expected && iterations && at_once) expected = *iterations * *at_once;
      if (!expected || *expected == cell.cell.total()) continue;
      bad.push_back({study.name(), results.file, entry.key, cell.test, *expected, cell.cell.total()});
    }
  }
}

}  // namespace

std::vector<BadCell> bad_cells(const Study& study) {
  std::vector<BadCell> bad;
  for (const DeviceResults& results : study.results()) {
    check(study, results, results.entries, bad);
    check(study, results, results.conformance, bad);
  }
  return bad;
}

}  // namespace weakspot::analysis
