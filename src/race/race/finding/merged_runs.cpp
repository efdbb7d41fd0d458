// SPDX-License-Identifier: MIT
#include "race/merged_runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "base/file.h"
#include "race/causes.h"

namespace weakspot::race {
namespace {

namespace fs = std::filesystem;

// Writes the file's path from this folder, if the file is inside it.
void shorten(std::string& file, const fs::path& here) {
  const fs::path near = fs::path(file).lexically_relative(here);
  if (!near.empty() && !near.string().starts_with("..")) file = near.string();
}

void shorten_places(Finding& finding, const fs::path& here) {
  shorten(finding.place.file, here);
  if (finding.other) shorten(finding.other->file, here);
  for (Place& place : finding.called_from) shorten(place.file, here);
  if (finding.allocated) shorten(finding.allocated->place.file, here);
  if (finding.repair) {
    for (Gap& gap : finding.repair->gaps) shorten(gap.file, here);
    std::sort(finding.repair->gaps.begin(), finding.repair->gaps.end());
  }
  for (Finding& other : finding.also) shorten_places(other, here);
}

void shorten_places(Report& report) {
  std::error_code error;
  const fs::path here = fs::current_path(error);
  for (Finding& finding : report.findings) shorten_places(finding, here);
  for (KernelReport& kernel : report.kernels) shorten(kernel.place.file, here);
  for (NotExercised& kernel : report.not_exercised) shorten(kernel.place.file, here);
  for (NotModelled& operation : report.not_modelled) shorten(operation.place.file, here);
}

// Findings of the same class at the same places are the same.
using Where = std::tuple<ClassId, Place, Place>;

Where where_of(const Finding& finding) {
  Place first = finding.place, second = finding.other.value_or(Place{});
  if (second < first) std::swap(first, second);
  return {finding.finding_class, first, second};
}

using KernelKey = std::pair<std::string, Place>;

class RunMerger {
 public:
  void add(const FileReport& run) {
    if (!run.report) {
      all_.files.push_back({run.file, std::nullopt});
      add_run_reason(run.file, "its report cannot be read");
      return;
    }
    const Report& report = *run.report;
    all_.files.push_back({run.file, verdict(report)});
    if (!report.incomplete.empty()) add_run_reason(run.file, report.incomplete);
    add_kernels(report);
    architectures_.insert(report.architectures.begin(), report.architectures.end());
    for (const Finding& group : report.findings) {
      for (const Finding& finding : apart(group)) add_finding(finding, report.architectures);
    }
    for (const NotModelled& operation : report.not_modelled) add_operation(operation);
    add_executed(report);
    all_.accesses += report.accesses;
    all_.compile_seconds += report.compile_seconds;
    all_.run_seconds += report.run_seconds;
    if (all_.program_exit == 0) all_.program_exit = report.program_exit;
  }

  Report take() {
    for (const auto& [key, kernel] : kernels_) all_.kernels.push_back(kernel);
    for (const auto& [key, missing] : missing_) {
      if (!exercised_.contains(key)) all_.not_exercised.push_back(missing);
    }
    for (const Where& where : order_) {
      Finding& finding = findings_.at(where);
      if (finding.finding_class == ClassId::r1 && hints_[where] < ran_[finding.kernel]) continue;
      // Where the kernel ran for no other, nothing is known of others.
      const Architectures& shown = shown_[where];
      if (shown.size() < ran_for_[finding.kernel].size()) finding.architectures.assign(shown.begin(), shown.end());
      all_.findings.push_back(finding);
    }
    all_.architectures.assign(architectures_.begin(), architectures_.end());
    all_.findings = one_per_cause(std::move(all_.findings));
    if (reasons_ > kMostReasons) all_.incomplete += fmt::format("; and {} more", reasons_ - kMostReasons);
    return std::move(all_);
  }

 private:
  static constexpr std::size_t kMostReasons = 5;

  struct ByNumber {  // "sm_90" before "sm_100"
    bool operator()(const std::string& a, const std::string& b) const {
      return std::pair(a.size(), a) < std::pair(b.size(), b);
    }
  };
  using Architectures = std::set<std::string, ByNumber>;

  void add_run_reason(const std::string& run, const std::string& reason) {
    if (++reasons_ > kMostReasons) return;
    all_.incomplete += fmt::format("{}{}: {}", all_.incomplete.empty() ? "" : "; ", run, reason);
  }

  void add_kernels(const Report& report) {
    std::set<KernelKey> idle;
    for (const NotExercised& kernel : report.not_exercised) {
      idle.insert({kernel.kernel, kernel.place});
      missing_.try_emplace({kernel.kernel, kernel.place}, kernel);
    }
    for (const KernelReport& kernel : report.kernels) {
      auto [found, fresh] = kernels_.try_emplace({kernel.name, kernel.place}, kernel);
      if (!fresh) {
        found->second.launches += kernel.launches;
        found->second.threads += kernel.threads;
      }
      ++ran_[kernel.name];
      ran_for_[kernel.name].insert(report.architectures.begin(), report.architectures.end());
      if (!idle.contains(found->first)) exercised_.insert(found->first);
    }
  }

  // Programs may share code, so that the sums of their kernels and operations say nothing.
  void add_executed(const Report& report) {
    if (!report.fidelity) return;
    if (!all_.fidelity) all_.fidelity.emplace();
    *all_.fidelity += *report.fidelity;
    all_.fidelity->instructions.reset();
    all_.fidelity->operations.reset();
    all_.fidelity->kernels = {};
  }

  void add_finding(const Finding& finding, const std::vector<std::string>& architectures) {
    const Where where = where_of(finding);
    shown_[where].insert(architectures.begin(), architectures.end());
    auto [found, fresh] = findings_.try_emplace(where, finding);
    ++hints_[where];
    if (fresh) {
      order_.push_back(where);
    } else {
      found->second.count += finding.count;
      found->second.repair = common_repair(found->second.repair, finding.repair);
    }
  }

  void add_operation(const NotModelled& operation) {
    auto same = [&](const NotModelled& known) {
      return known.what == operation.what && known.place == operation.place;
    };
    const auto found = std::find_if(all_.not_modelled.begin(), all_.not_modelled.end(), same);
    if (found == all_.not_modelled.end()) {
      all_.not_modelled.push_back(operation);
    } else {
      found->reached = found->reached || operation.reached;
    }
  }

  Report all_;
  std::map<KernelKey, KernelReport> kernels_;
  std::map<KernelKey, NotExercised> missing_;
  std::set<KernelKey> exercised_;
  std::map<std::string, std::size_t> ran_;  // processes that ran a kernel, by its name
  std::map<std::string, Architectures> ran_for_;
  std::map<Where, Finding> findings_;
  std::map<Where, Architectures> shown_;
  std::map<Where, std::size_t> hints_;
  std::vector<Where> order_;
  Architectures architectures_;
  std::size_t reasons_ = 0;
};

}  // namespace

FileReport read_run(const std::string& file) {
  const base::Result<std::string> text = base::read_file(file);
  if (!text) return {file, std::nullopt};
  base::Result<Report> report = report_from_json(*text);
  if (!report) return {file, std::nullopt};
  const std::string name = report->files.empty() ? file : report->files.front().file;
  shorten_places(*report);
  return {name, *std::move(report)};
}

Report merged_runs(const std::vector<FileReport>& runs) {
  RunMerger merger;
  for (const FileReport& run : runs) merger.add(run);
  return merger.take();
}

}  // namespace weakspot::race
