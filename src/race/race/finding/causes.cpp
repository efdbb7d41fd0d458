// SPDX-License-Identifier: MIT
#include "race/causes.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "race/finding/fact_words.h"

namespace weakspot::race {
namespace {

// The kernel of which this is an instance.
std::string_view template_of(std::string_view kernel) { return kernel.substr(0, kernel.find('<')); }

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
  return a.finding_class == b.finding_class && a.kind == b.kind && a.space == b.space &&
         a.architectures == b.architectures && !has_chain(a) && !has_chain(b) &&
         template_of(a.kernel) == template_of(b.kernel);
}

// A repair of the kind that both have, at the gaps that they share.
std::optional<Repair> repair_of_both(const Repair& a, const Repair& b) {
  if (!a.is_same_change(b)) return std::nullopt;
  Repair both{a.kind, a.relation, {}};
  std::set_intersection(a.gaps.begin(), a.gaps.end(), b.gaps.begin(), b.gaps.end(), std::back_inserter(both.gaps));
  if (both.gaps.empty() && !(a.gaps.empty() && b.gaps.empty())) return std::nullopt;
  return both;
}

struct Group {
  std::vector<Finding> members;
  std::optional<Repair> repair;  // the same for all of them
};

bool joins(Group& group, const Finding& finding) {
  const Finding& first = group.members.front();
  if (!may_share_cause(first, finding)) return false;
  if (group.repair && finding.repair) {
    // Blocks are often kept apart by elements of their own, which another array needs as well.
    const bool one_array =
        group.repair->kind != RepairKind::two_launches || first.variable.base == finding.variable.base;
    if (std::optional<Repair> both = repair_of_both(*group.repair, *finding.repair); both && one_array) {
      group.repair = std::move(both);
      return true;
    }
  }
  return !group.repair && !finding.repair && (at_same_places(first, finding) || use_one_map(first, finding));
}

// The place that the first finding names, or before a line of the findings if possible.
const Gap& best_gap(const std::vector<Gap>& gaps, const std::vector<Finding>& findings) {
  for (const Fix& fix : findings.front().fixes) {
    for (const FixPlace& place : fix.places) {
      if (auto named = std::find(gaps.begin(), gaps.end(), place.gap); named != gaps.end()) return *named;
    }
  }
  auto is_named = [&](const Gap& gap) {
    return !gap.after && std::any_of(findings.begin(), findings.end(), [&](const Finding& finding) {
      auto is_at = [&](const Place& place) { return place.file == gap.file && place.line == gap.line; };
      return is_at(finding.place) || (finding.other && is_at(*finding.other));
    });
  };
  auto found = std::find_if(gaps.begin(), gaps.end(), is_named);
  return found == gaps.end() ? gaps.front() : *found;
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

Fix common_fix(const Repair& repair, const std::vector<Finding>& findings) {
  static constexpr FixKind kKinds[] = {FixKind::warp_barrier, FixKind::block_barrier, FixKind::cluster_barrier,
                                       FixKind::two_launches};
  const bool certain =
      repair.kind != RepairKind::two_launches && std::all_of(findings.begin(), findings.end(), has_fix);
  Fix fix{kKinds[static_cast<std::size_t>(repair.kind)], certain, {}, {}, {}, findings.size()};
  fix.places.push_back({best_gap(repair.gaps, findings), FixRole::none, {}});
  return fix;
}

bool is_about_map(const Finding& finding) { return finding.other_actor && finding.other_actor->act == Act::map_use; }

std::string repair_text(const Repair& repair) {
  return repair.kind == RepairKind::relation ? repair.relation : std::string(base::name_of(kRepairWords, repair.kind));
}

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
  if (findings.size() > 1 && repair && !repair->gaps.empty() && !findings.front().fixes.empty()) {
    findings.front().fixes = {common_fix(*repair, findings)};
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
    if (name == own || other.variable.base != finding.variable.base) name += " of " + variable_text(other.variable);
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(std::move(name));
  }
  return names;
}

}  // namespace weakspot::race
