// SPDX-License-Identifier: MIT
// Runs requests, reports their progress, and keeps their records in files.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "campaign/runner.h"
#include "campaign/summary.h"
#include "workbench/record_file.h"
#include "workbench/store_sink.h"

namespace weakspot::workbench {

// Files that records go to; empty: none.
struct RunFiles {
  std::string records;  // JSON lines, readable at any moment
  bool append = false;  // to the existing records
  std::string store;    // the store that gets finished runs
  std::string junit;
  std::string html;
};

// Writes the reports on these records, that is, all files but `records` and the store.
base::Status write_reports(const RunFiles& files, const std::vector<campaign::RunRecord>& records);

// Told about the progress of runs, by the thread that started them.
class RunWatch {
 public:
  virtual ~RunWatch() = default;
  // Before the first run: how many tests on how many devices, and how many runs that makes.
  virtual void planned(std::size_t /*tests*/, std::size_t /*devices*/, std::size_t /*runs*/) {}
  // The environment of the next runs of a test on a device was not asked for, but chosen from what is known.
  virtual void environment_chosen(const codegen::TestEnvironment& /*environment*/, const std::string& /*why*/) {}
  // A few times per second: the runs of one test on one device, the current one last, and how many runs have ended.
  virtual void progress(const campaign::RunGroup& /*so_far*/, std::size_t /*ended*/) {}
  // The runs of one test on one device have ended.
  virtual void group_ended(const campaign::RunGroup& /*group*/) {}
  // All runs of one test have ended: a group for each device.
  virtual void test_ended(const std::vector<campaign::RunGroup>& /*groups*/) {}
  // Something that a person should know, as a sentence without an end.
  virtual void note(const std::string& /*text*/) {}
  // Asked often. True: end with what there is.
  virtual bool cancelled() { return false; }
};

class RunSession final : private campaign::RunObserver {
 public:
  // Fails if a file cannot be written. Executor and watch must outlive the session.
  static base::Result<std::unique_ptr<RunSession>> begin(campaign::Executor& executor, RunFiles files, RunWatch& watch);

  // Runs the request as part of the group, which gets its record.
  void run(const campaign::RunRequest& request, campaign::RunGroup& group);
  // Gives the group a record of a request whose device cannot be used.
  void note_failure(const campaign::RunRequest& request, const std::string& problem, campaign::RunGroup& group);
  // Writes the reports. What could not be written, now or before, is an error of kind `environment`.
  base::Status end();

  const std::vector<campaign::RunRecord>& records() const { return records_; }

 private:
  RunSession(campaign::Executor& executor, RunFiles files, RunWatch& watch)
      : executor_(executor), files_(std::move(files)), watch_(watch) {}

  void started(const campaign::RunRecord& so_far) override { progress(so_far); }
  void progress(const campaign::RunRecord& so_far) override;
  bool cancelled() override { return watch_.cancelled(); }
  void note(const base::Status& status);
  void keep(const campaign::RunRecord& record);

  campaign::Executor& executor_;
  RunFiles files_;
  RunWatch& watch_;
  std::optional<RecordFile> record_file_;
  StoreSink store_;
  campaign::RunGroup* group_ = nullptr;
  std::vector<campaign::RunRecord> records_;
  base::Diagnostics problems_;  // the first failure to write
};

}  // namespace weakspot::workbench
