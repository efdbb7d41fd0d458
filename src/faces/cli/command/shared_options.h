// SPDX-License-Identifier: MIT
// Options that several commands have, and what the command line adds to jobs: devices in child processes.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "campaign/runner.h"
#include "cli/command/commands.h"
#include "console/program.h"
#include "litmus/dialect.h"
#include "questions/model_filter.h"
#include "workbench/rate_source.h"
#include "workbench/run_session.h"

namespace weakspot::cli {

// Tests by file, folder, index or name.
Option* add_tests(Command& command, std::vector<std::string>& tests);
// --device of commands that take several.
void add_devices_option(Command& command, std::vector<std::string>& ids);
void add_memory_option(Command& command, std::uint64_t& memory, const std::string& otherwise);
void add_seed_option(Command& command, std::uint64_t& seed);
// --verbose of commands that mention environments.
void add_verbose_option(Command& command, bool& verbose);
void add_isolation_option(Command& command, bool& no_isolation);
void add_optcheck_option(Command& command, bool& optcheck);
void add_model_option(Command& command, std::string& model);

// --model, --cat, -I and --bell of commands that take several models.
struct ModelOptions {
  std::vector<std::string> names, cat_files, include_folders;
  std::string bell;

  std::size_t count() const { return names.size() + cat_files.size(); }
  // Puts them into a request of the workbench.
  template <typename Request>
  void set(Request& request) const {
    request.models = names;
    request.models.insert(request.models.end(), cat_files.begin(), cat_files.end());
    request.include_folders = include_folders;
    request.bell = bell;
  }
};
void add_model_options(Command& command, ModelOptions& models);

// --store; `what` is added to it.
void add_store_option(Command& command, std::string& store, const std::string& what);

// --out, --append, --store, --junit, --html.
void add_run_files(Command& command, workbench::RunFiles& files);
// TEST, --device and --memory of tune and score.
void add_rate_options(Command& command, workbench::RateRequest& rates);
// The model in a line of results, behind the test: "  tso"; nothing if none was asked.
std::string model_column(const std::string& model);
// --forbidden-by and --allowed-by.
void add_filter_options(Command& command, questions::ModelFilterRequest& filter);

// The dialect of this name; no dialect for an empty name.
base::Result<std::optional<litmus::Dialect>> dialect_option(const std::string& name);
std::string dialect_list();

// Runs each device in a child process, or all in this one.
std::unique_ptr<campaign::Executor> make_executor(bool no_isolation);

}  // namespace weakspot::cli
