// SPDX-License-Identifier: MIT
#include "codegen/harness/structure.h"

#include <algorithm>
#include <map>

#include "base/check.h"
#include "base/sort.h"
#include "litmus/instruction.h"

namespace weakspot::codegen {
namespace {

using litmus::Branch;
using litmus::Instruction;
using litmus::Label;

bool overlap_without_nesting(const Region& a, const Region& b) {
  return a.begin < b.begin && b.begin < a.end && a.end < b.end;
}

// Makes one change towards nesting. A block may begin earlier, since jumps out of it go to its end; a loop may end
// later, since jumps round it go to its beginning. False if neither helps.
bool repair(Region& first, Region& second) {
  if (!second.loop) {
    second.begin = first.begin;
    return true;
  }
  if (first.loop) {
    first.end = second.end;
    return true;
  }
  return false;
}

}  // namespace

std::size_t position_of_label(const std::vector<Instruction>& code, const std::string& label) {
  for (std::size_t i = 0; i < code.size(); ++i) {
    const auto* here = std::get_if<Label>(&code[i].operation);
    if (here != nullptr && here->name == label) return i;
  }
  WEAKSPOT_CHECK(false);
  return 0;
}

base::Result<std::vector<Region>> find_regions(const std::vector<Instruction>& code) {
  std::map<std::pair<std::size_t, bool>, Region> by_label;
  for (std::size_t i = 0; i < code.size(); ++i) {
    const auto* branch = std::get_if<Branch>(&code[i].operation);
    if (branch == nullptr) continue;
    const std::size_t label = position_of_label(code, branch->label);
    const bool loop = label <= i;
    auto [entry, made] =
        by_label.try_emplace({label, loop}, Region{loop ? label : i, loop ? i + 1 : label, loop, label});
    Region& region = entry->second;
    if (loop) region.end = std::max(region.end, i + 1);
  }
  std::vector<Region> regions;
  for (auto& [key, region] : by_label) regions.push_back(region);
  // Every repair makes a region larger, so this ends.
  for (bool changed = true; changed;) {
    changed = false;
    for (Region& a : regions) {
      for (Region& b : regions) {
        if (!overlap_without_nesting(a, b)) continue;
        if (!repair(a, b)) return base::error("a branch jumps into the middle of a loop");
        changed = true;
      }
    }
  }
  base::sort(regions, [](const Region& a, const Region& b) {
    if (a.begin != b.begin) return a.begin < b.begin;
    if (a.end != b.end) return a.end > b.end;
    return !a.loop && b.loop;
  });
  return regions;
}

}  // namespace weakspot::codegen
