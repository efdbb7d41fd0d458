// SPDX-License-Identifier: MIT
#include "model/picture/columns.h"
#include "base/sort.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>

namespace weakspot::model::picture {
namespace {

using litmus::Arch;
using litmus::Scope;

// The level in the words of those who write such tests.
std::string_view level_word(Scope level, Arch arch) {
  const bool nvidia = arch == Arch::ptx || arch == Arch::ptx2015;
  switch (level) {
    case Scope::device:
      return nvidia ? "gpu" : "device";
    case Scope::queue_family:
      return "queue family";
    case Scope::cluster:
      return "cluster";
    case Scope::workgroup:
      return nvidia ? "cta" : arch == Arch::opencl ? "work-group" : "workgroup";
    default:
      return nvidia ? "warp" : arch == Arch::opencl ? "sub-group" : "subgroup";
  }
}

class Grouping {
 public:
  Grouping(const litmus::LitmusTest& test, const std::vector<std::uint32_t>& agents) : test_(test), agents_(agents) {
    std::vector<std::uint32_t> all(test.threads.size());
    std::iota(all.begin(), all.end(), 0u);
    if (test.scopes) {
      std::copy_if(litmus::kTreeLevels.begin(), litmus::kTreeLevels.end(), std::back_inserter(levels_),
                   [&](Scope level) { return says_something(level); });
    }
    place(all, 0);
    base::sort(columns_.scopes, [](const PictureScope& a, const PictureScope& b) {
      return std::pair(a.depth, a.first) < std::pair(b.depth, b.first);
    });
  }

  Columns take() && { return std::move(columns_); }

 private:
  std::size_t nodes(Scope level) const {
    std::set<std::uint32_t> numbers;
    for (const litmus::Placement& placement : test_.scopes->placements) numbers.insert(placement.at(level));
    return numbers.size();
  }

  bool says_something(Scope level) const {
    switch (level) {
      case Scope::device:
        return nodes(level) > 1;
      case Scope::queue_family:
        return nodes(level) != nodes(Scope::device);
      case Scope::cluster:
        return nodes(level) != nodes(Scope::workgroup);
      case Scope::subgroup:
        return nodes(level) != test_.threads.size();
      default:
        return true;
    }
  }

  void place(const std::vector<std::uint32_t>& threads, std::size_t depth) {
    if (depth == levels_.size()) {
      for (std::uint32_t thread : threads) {
        for (std::uint32_t agent = 0; agent <= agents_[thread]; ++agent) columns_.threads.push_back({thread, agent});
      }
      return;
    }
    const Scope level = levels_[depth];
    std::set<std::uint32_t> done;
    for (std::uint32_t thread : threads) {
      const std::uint32_t node = test_.scopes->placements[thread].at(level);
      if (!done.insert(node).second) continue;
      std::vector<std::uint32_t> members;
      std::copy_if(threads.begin(), threads.end(), std::back_inserter(members),
                   [&](std::uint32_t other) { return test_.scopes->placements[other].at(level) == node; });
      const bool cpu = level == Scope::device && test_.scopes->placements[thread].cpu;
      const std::size_t first = columns_.threads.size();
      place(members, depth + 1);
      columns_.scopes.push_back({fmt::format("{} {}", cpu ? "cpu" : level_word(level, test_.arch), node), depth, first,
                                 columns_.threads.size() - 1});
    }
  }

  const litmus::LitmusTest& test_;
  const std::vector<std::uint32_t>& agents_;
  std::vector<Scope> levels_;
  Columns columns_;
};

}  // namespace

Columns columns_of(const litmus::LitmusTest& test, const std::vector<std::uint32_t>& agents) {
  return Grouping(test, agents).take();
}

}  // namespace weakspot::model::picture
