// SPDX-License-Identifier: MIT
#include <algorithm>
#include <map>
#include <tuple>

#include "race/causes.h"
#include "race/report.h"

namespace weakspot::race {
namespace {

// Findings of the same class at the same places are the same.
using SameFinding = std::tuple<ClassId, Place, Place>;

SameFinding key_of(const Finding& finding) {
  const Place other = finding.other.value_or(Place{});
  return {finding.finding_class, std::min(finding.place, other), std::max(finding.place, other)};
}

// Each finding once: the first of equal ones, with the architectures that show it, or with none if all of `checked` do.
std::vector<Finding> once_each(const std::vector<FileReport>& reports, const std::vector<std::string>& checked,
                               std::vector<Finding> Report::* list) {
  std::vector<Finding> all;
  std::map<SameFinding, std::size_t> known;
  for (const auto& [architecture, report] : reports) {
    if (!report) continue;
    for (const Finding& group : (*report).*list) {
      for (Finding& finding : apart(group)) {
        const auto [found, fresh] = known.try_emplace(key_of(finding), all.size());
        if (fresh) all.push_back(std::move(finding));
        std::vector<std::string>& shown = all[found->second].architectures;
        if (shown.empty() || shown.back() != architecture) shown.push_back(architecture);
      }
    }
  }
  std::erase_if(all, [&](const Finding& finding) {
    return finding.finding_class == ClassId::r1 && finding.architectures.size() < checked.size();
  });
  for (Finding& finding : all) {
    if (finding.architectures == checked) finding.architectures.clear();
  }
  return one_per_cause(std::move(all));
}

template <typename T, typename Same>
void keep_first(std::vector<T>& list, Same same) {
  std::vector<T> kept;
  for (T& each : list) {
    if (std::none_of(kept.begin(), kept.end(), [&](const T& known) { return same(known, each); })) {
      kept.push_back(std::move(each));
    }
  }
  list = std::move(kept);
}

}  // namespace

Report merged_architectures(const std::vector<FileReport>& reports) {
  Report all = merged(reports);
  all.files.clear();
  all.code = {};
  all.architectures.clear();
  for (const auto& [architecture, report] : reports) {
    if (!report) continue;
    all.architectures.push_back(architecture);
    all.front = report->front;
    all.code.kernels = std::max(all.code.kernels, report->code.kernels);
    all.code.lines = std::max(all.code.lines, report->code.lines);
    all.code.lines_reached = std::max(all.code.lines_reached, report->code.lines_reached);
  }
  all.findings = once_each(reports, all.architectures, &Report::findings);
  all.suppressed = once_each(reports, all.architectures, &Report::suppressed);
  std::map<std::pair<std::string, Place>, KernelReport> kernels;
  for (const KernelReport& kernel : all.kernels) {
    const auto [known, fresh] = kernels.try_emplace({kernel.name, kernel.place}, kernel);
    if (fresh) continue;
    known->second.launches += kernel.launches;
    known->second.threads += kernel.threads;
    known->second.branches_reached = std::max(known->second.branches_reached, kernel.branches_reached);
    known->second.branches = std::max(known->second.branches, kernel.branches);
  }
  all.kernels.clear();
  for (const auto& [key, kernel] : kernels) all.kernels.push_back(kernel);
  keep_first(all.not_exercised, [](const NotExercised& a, const NotExercised& b) {
    return a.kernel == b.kernel && a.place == b.place && a.reason == b.reason;
  });
  keep_first(all.not_modelled, [](const NotModelled& a, const NotModelled& b) {
    return a.what == b.what && a.place == b.place && a.reached == b.reached;
  });
  return all;
}

}  // namespace weakspot::race
