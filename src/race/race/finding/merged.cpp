// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>

#include "race/report.h"

namespace weakspot::race {
namespace {

template <typename T>
void append(std::vector<T>& to, const std::vector<T>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

template <typename T>
void append_new(std::vector<T>& to, const std::vector<T>& from) {
  for (const T& each : from) {
    if (std::find(to.begin(), to.end(), each) == to.end()) to.push_back(each);
  }
}

void add_search(SearchReport& to, const SearchReport& from) {
  to.runs += from.runs;
  to.unjudged += from.unjudged;
  to.branches += from.branches;
  to.branches_reached += from.branches_reached;
  to.pairs += from.pairs;
  to.seconds += from.seconds;
}

void add_reason(Report& report, const std::string& file, const std::string& reason) {
  report.incomplete += fmt::format("{}{}: {}", report.incomplete.empty() ? "" : "; ", file, reason);
}

}  // namespace

Report merged(const std::vector<FileReport>& reports) {
  Report all;
  for (const auto& [file, report] : reports) {
    if (!report) {
      all.files.push_back({file, std::nullopt, FrontUsed::clang});
      add_reason(all, file, "it could not be checked");
      continue;
    }
    all.files.push_back({file, verdict(*report), report->front});
    append(all.kernels, report->kernels);
    all.code += report->code;
    if (report->fidelity) {
      if (!all.fidelity) all.fidelity.emplace();
      *all.fidelity += *report->fidelity;
    }
    append(all.findings, report->findings);
    append_new(all.architectures, report->architectures);
    append(all.suppressed, report->suppressed);
    append(all.not_modelled, report->not_modelled);
    append(all.not_exercised, report->not_exercised);
    if (!report->incomplete.empty()) add_reason(all, file, report->incomplete);
    all.output += report->output;
    all.accesses += report->accesses;
    all.compile_seconds += report->compile_seconds;
    all.run_seconds += report->run_seconds;
    if (all.program_exit == 0) all.program_exit = report->program_exit;
    if (report->search) {
      if (!all.search) all.search.emplace();
      add_search(*all.search, *report->search);
    }
    if (report->weak) {
      if (!all.weak) all.weak.emplace();
      *all.weak += *report->weak;
    }
    if (report->mutants) {
      if (!all.mutants) all.mutants.emplace();
      append(*all.mutants, *report->mutants);
    }
  }
  return all;
}

}  // namespace weakspot::race
