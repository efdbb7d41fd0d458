// SPDX-License-Identifier: MIT
#include "race/causes.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace weakspot::race {
namespace {

// The kernel of which this is an instance.
std::string_view template_of(std::string_view kernel) { return kernel.substr(0, kernel.find('<')); }

std::string_view base_of(std::string_view variable) { return variable.substr(0, variable.find_first_of("[ ")); }

// A chain of writes and reads lacks a fence, not a barrier, and becomes a litmus test of its own.
bool has_chain(const Finding& finding) {
  return finding.witness && (!finding.witness->links.empty() || finding.witness->on_signal);
}

bool at_same_places(const Finding& a, const Finding& b) {
  return a.other && b.other && a.called_from == b.called_from &&
         ((a.place == b.place && *a.other == *b.other) || (a.place == *b.other && *a.other == b.place));
}

// A tensor map is often written in several steps, and one pair of fences is for all.
bool use_one_map(const Finding& a, const Finding& b) {
  return is_about_map(a) && is_about_map(b) && a.called_from == b.called_from && a.other == b.other;
}

bool may_share_cause(const Finding& a, const Finding& b) {
  return a.finding_class == b.finding_class && a.kind == b.kind && a.space == b.space && !has_chain(a) &&
         !has_chain(b) && template_of(a.kernel) == template_of(b.kernel);
}

// A repair of the kind that both have, at the gaps that they share.
std::optional<Repair> repair_of_both(const Repair& a, const Repair& b) {
  if (a.what != b.what) return std::nullopt;
  Repair both{a.what, {}};
  std::set_intersection(a.gaps.begin(), a.gaps.end(), b.gaps.begin(), b.gaps.end(), std::back_inserter(both.gaps));
  if (both.gaps.empty() && !(a.gaps.empty() && b.gaps.empty())) return std::nullopt;
  return both;
}

struct Group {
  std::vector<Finding> members;
  std::optional<Repair> repair;  // of all of them
};

bool joins(Group& group, const Finding& finding) {
  const Finding& first = group.members.front();
  if (!may_share_cause(first, finding)) return false;
  if (group.repair && finding.repair) {
    // Blocks are often kept apart by elements of their own, which another array needs as well.
    const bool one_array = group.repair->what != kTwoLaunches || base_of(first.variable) == base_of(finding.variable);
    if (std::optional<Repair> both = repair_of_both(*group.repair, *finding.repair); both && one_array) {
      group.repair = std::move(both);
      return true;
    }
  }
  return !group.repair && !finding.repair && (at_same_places(first, finding) || use_one_map(first, finding));
}

// Before a line of the findings if possible.
const Gap& best_gap(const std::vector<Gap>& gaps, const std::vector<Finding>& findings) {
  auto is_named = [&](const Gap& gap) {
    return !gap.after && std::any_of(findings.begin(), findings.end(), [&](const Finding& finding) {
      auto is_at = [&](const Place& place) { return place.file == gap.file && place.line == gap.line; };
      return is_at(finding.place) || (finding.other && is_at(*finding.other));
    });
  };
  auto found = std::find_if(gaps.begin(), gaps.end(), is_named);
  return found == gaps.end() ? gaps.front() : *found;
}

std::string fix_text(const Repair& repair, const std::vector<Finding>& findings) {
  const Gap& gap = best_gap(repair.gaps, findings);
  const std::string file = gap.file == findings.front().place.file ? "line " : gap.file + ":";
  const std::string where = fmt::format("{} {}{}", gap.after ? "after" : "before", file, gap.line);
  const std::string all = findings.size() == 2 ? "both pairs" : fmt::format("all {} pairs", findings.size());
  if (repair.what == kTwoLaunches) {
    return fmt::format("split the kernel {} into two launches, which orders {} of lines", where, all);
  }
  return fmt::format("let all threads meet at {} {}, which orders {} of lines", repair.what, where, all);
}

std::string lines_text(const Finding& finding, const std::string& file) {
  auto line = [&](const Place& place) {
    return place.file == file ? std::to_string(place.line) : fmt::format("{}:{}", place.file, place.line);
  };
  if (!finding.other) return "line " + line(finding.place);
  const auto [first, second] = std::minmax(finding.place, *finding.other);
  return fmt::format("lines {} and {}", line(first), line(second));
}

}  // namespace

std::optional<Repair> common_repair(const std::optional<Repair>& a, const std::optional<Repair>& b) {
  return a && b ? repair_of_both(*a, *b) : std::nullopt;
}

bool is_about_map(const Finding& finding) { return finding.other_label.starts_with(kMapUse); }

std::vector<Finding> apart(Finding finding) {
  std::vector<Finding> others = std::move(finding.also);
  finding.also.clear();
  std::vector<Finding> all;
  all.reserve(others.size() + 1);
  all.push_back(std::move(finding));
  std::move(others.begin(), others.end(), std::back_inserter(all));
  return all;
}

Finding together(std::vector<Finding> findings) {
  // The fence stands behind the last write.
  if (is_about_map(findings.front())) {
    std::iter_swap(findings.begin(),
                   std::max_element(findings.begin(), findings.end(),
                                    [](const Finding& a, const Finding& b) { return a.place < b.place; }));
  }
  std::optional<Repair> repair = findings.front().repair;
  for (const Finding& finding : findings) repair = common_repair(repair, finding.repair);
  if (findings.size() > 1 && repair && !repair->gaps.empty() && !findings.front().fix.empty()) {
    findings.front().fix = fix_text(*repair, findings);
  }
  Finding first = std::move(findings.front());
  first.also.assign(std::make_move_iterator(findings.begin() + 1), std::make_move_iterator(findings.end()));
  return first;
}

std::vector<Finding> one_per_cause(std::vector<Finding> findings) {
  std::vector<Group> groups;
  for (Finding& group : findings) {
    for (Finding& finding : apart(std::move(group))) {
      auto found = std::find_if(groups.begin(), groups.end(), [&](Group& known) { return joins(known, finding); });
      if (found == groups.end()) found = groups.insert(groups.end(), Group{{}, finding.repair});
      found->members.push_back(std::move(finding));
    }
  }
  std::vector<Finding> causes;
  causes.reserve(groups.size());
  for (Group& group : groups) causes.push_back(together(std::move(group.members)));
  return causes;
}

bool concerns_kernel(const Finding& finding, const std::string& kernel) {
  return finding.kernel == kernel || std::any_of(finding.also.begin(), finding.also.end(),
                                                 [&](const Finding& other) { return other.kernel == kernel; });
}

void move_fitting(std::vector<Finding>& from, std::vector<Finding>& to,
                  const std::function<bool(const Finding&)>& fits) {
  std::vector<Finding> kept;
  for (Finding& group : from) {
    std::vector<Finding> moved, left;
    for (Finding& finding : apart(std::move(group))) (fits(finding) ? moved : left).push_back(std::move(finding));
    if (!moved.empty()) to.push_back(together(std::move(moved)));
    if (!left.empty()) kept.push_back(together(std::move(left)));
  }
  from = std::move(kept);
}

std::vector<std::string> also_names(const Finding& finding) {
  const std::string own = lines_text(finding, finding.place.file);
  std::vector<std::string> names;
  for (const Finding& other : finding.also) {
    std::string name = lines_text(other, finding.place.file);
    if (name == own || base_of(other.variable) != base_of(finding.variable)) name += " of " + other.variable;
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(std::move(name));
  }
  return names;
}

}  // namespace weakspot::race
