// SPDX-License-Identifier: MIT
#include "race_command/check/merge.h"

#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <thread>

#include "base/file.h"
#include "base/plural.h"
#include "base/unique_fd.h"
#include "race/classes.h"
#include "race/merged_runs.h"

namespace weakspot::race_command {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::seconds kReportPatience{30};
constexpr std::chrono::milliseconds kReportTick{50};

// Whether a checker holds the file that announces its report.
bool is_held(const std::string& file) {
  const base::UniqueFd fd(::open(file.c_str(), O_RDWR | O_CLOEXEC));
  return fd.valid() && !base::lock_file(file, fd.get());
}

// Announced reports whose checkers ended without writing them, or are still at work.
base::Result<std::vector<std::string>> wait_for_reports(const RaceRequest& asked, const std::string& folder) {
  const auto end = std::chrono::steady_clock::now() + kReportPatience;
  while (true) {
    base::Result<std::vector<std::string>> announced = base::files_under(folder, ".running");
    if (!announced) return announced;
    const bool some_work = std::any_of(announced->begin(), announced->end(), is_held);
    const bool stop = asked.interrupted && asked.interrupted();
    if (!some_work || stop || std::chrono::steady_clock::now() > end) return announced;
    std::this_thread::sleep_for(kReportTick);
  }
}

base::Status keep_merged(const RaceRequest& asked, const race::Report& report) {
  const std::string title = base::counted(report.files.size(), "process");
  if (base::Status written = write_race_files(asked, report, title); !written) return written;
  if (asked.keeper == nullptr) return base::ok_status();
  if (base::Status opened = asked.keeper->open(); !opened) return opened;
  return asked.keeper->finish(report);
}

}  // namespace

base::Result<RaceResults> merge_races(const RaceRequest& asked, const std::string& folder) {
  const base::Result<Accepted> accepted = read_accepted(asked);
  if (!accepted) return accepted.errors();
  const base::Result<std::vector<std::string>> missing = wait_for_reports(asked, folder);
  if (!missing) return missing.errors();
  const base::Result<std::vector<std::string>> files = base::files_under(folder, ".json");
  if (!files) return files.errors();
  if (files->empty() && missing->empty()) {
    return base::error(
        fmt::format("there are no reports in '{}': no program with kernels ran with "
                    "WEAKSPOT_RACE_REPORTS set to it",
                    folder));
  }
  std::vector<race::FileReport> runs;
  for (const std::string& file : *files) runs.push_back(race::read_run(file));
  for (const std::string& file : *missing) runs.push_back({file, std::nullopt});
  RaceResults result;
  result.report = race::merged_runs(runs);
  const std::vector<bool> used = leave_out_accepted(*accepted, result.report);
  result.unused = unused_suppressions(asked, {}, *accepted, used);
  if (race::fails(result.report, asked.fail_on ? &*asked.fail_on : nullptr)) {
    result.ending = base::JobEnding::finding;
  } else if (!asked.allow_incomplete && race::is_incomplete(result.report)) {
    result.ending = base::JobEnding::failed;
  }
  if (base::Status kept = keep_merged(asked, result.report); !kept) {
    if (result.ending != base::JobEnding::finding) result.ending = base::ending_of(kept.errors());
    result.problems = kept.errors();
  }
  return result;
}

}  // namespace weakspot::race_command
