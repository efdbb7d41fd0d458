// Runs requests and does with their records what the command line asks: shows them as they go on, keeps them in files.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "campaign/runner.h"
#include "campaign/summary.h"
#include "cli/live.h"
#include "cli/record_file.h"

namespace weakspot::cli {

// Files that records go to; empty: none.
struct RunOutputs {
  std::string records;  // JSON lines, readable while the run goes on
  std::string junit;
  std::string html;

  void add_options(CLI::App& command);
};

class RunSession final : public campaign::RunObserver {
 public:
  // Fails if a file cannot be written. `runs`: how many there will be, for the bar; `quiet`: no bar.
  static base::Result<std::unique_ptr<RunSession>> begin(std::unique_ptr<campaign::Executor> executor,
                                                         RunOutputs outputs, std::size_t runs, bool quiet);

  // Runs the request as part of the group, which gets its record.
  void run(const campaign::RunRequest& request, campaign::RunGroup& group);
  // Gives the group a record of the request that says why its device cannot be used.
  void note_failure(const campaign::RunRequest& request, const std::string& problem, campaign::RunGroup& group);
  // Takes the bar away, before something is printed.
  void clear() { live_.clear(); }
  // Writes the files that are written at the end.
  base::Status end();

  const std::vector<campaign::RunRecord>& records() const { return records_; }

  // From campaign::RunObserver.
  void started(const campaign::RunRecord& so_far) override { progress(so_far); }
  void progress(const campaign::RunRecord& so_far) override;
  bool cancelled() override;

 private:
  RunSession(std::unique_ptr<campaign::Executor> executor, RunOutputs outputs, std::size_t runs, bool quiet)
      : executor_(std::move(executor)), outputs_(std::move(outputs)), live_(runs), quiet_(quiet) {}
  void note(const base::Status& status);

  std::unique_ptr<campaign::Executor> executor_;
  RunOutputs outputs_;
  Live live_;
  bool quiet_;
  std::optional<RecordFile> file_;
  campaign::RunGroup* group_ = nullptr;
  std::vector<campaign::RunRecord> records_;
  base::Diagnostics problems_;  // of writing; each once
};

}  // namespace weakspot::cli
