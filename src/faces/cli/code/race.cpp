// SPDX-License-Identifier: MIT
// 'weakspot race': the command of the race wing, with stores and litmus tests for its reports.
#include <optional>

#include "cli/command/commands.h"
#include "cli/command/shared_options.h"
#include "race/report.h"
#include "race_command/command.h"
#include "workbench/distil_folder.h"
#include "workbench/store_sink.h"

namespace weakspot::cli {
namespace {

class RaceKeeper final : public race_command::ReportKeeper {
 public:
  void add_options(Command& command) override {
    add_store_option(command, store_place_, "the report of all files");
    command.add_option("--distil FOLDER", distil_path_,
                       "write findings about the order of memory as litmus tests (default: none)");
  }

  const char* tracing_option() const override { return distil_path_.empty() ? nullptr : "--distil"; }

  base::Status open() override {
    base::Result<workbench::StoreSink> store = workbench::StoreSink::open(store_place_);
    if (!store) return store.errors();
    store_ = *std::move(store);
    if (distil_path_.empty()) return base::ok_status();
    base::Result<workbench::DistilFolder> tests = workbench::DistilFolder::open(distil_path_);
    if (!tests) return tests.errors();
    tests_ = *std::move(tests);
    return base::ok_status();
  }

  base::Status add(race::Report& report, const std::string& file) override {
    return tests_ ? tests_->add(report, file) : base::ok_status();
  }

  base::Status finish(const race::Report& report) override {
    if (base::Status listed = tests_ ? tests_->finish() : base::ok_status(); !listed) return listed;
    return store_->keeps() ? store_->add(race::to_json(report) + "\n") : base::ok_status();
  }

 private:
  std::string store_place_, distil_path_;  // empty: none
  std::optional<workbench::StoreSink> store_;
  std::optional<workbench::DistilFolder> tests_;
};

}  // namespace

void add_race(Command& app, int& exit_code) {
  race_command::add_race_command(*app.add_subcommand("race", race_command::kSummary), exit_code,
                                 std::make_shared<RaceKeeper>());
}

}  // namespace weakspot::cli
