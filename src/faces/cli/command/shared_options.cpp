// SPDX-License-Identifier: MIT
#include "cli/command/shared_options.h"

#include <fmt/format.h>

#include "base/nearest.h"

namespace weakspot::cli {

Option* add_tests(Command& command, std::vector<std::string>& tests) {
  return command
      .add_option("TEST ...", tests, "files, folders, @indexes, '-' for standard input, or tests of the corpus")
      ->required();
}

void add_devices_option(Command& command, std::vector<std::string>& ids) {
  command
      .add_option("--device ID,...", ids,
                  "devices as 'weakspot devices' lists them, or 'all' (default: the first GPU, else the CPU)")
      ->delimiter(',');
}

void add_memory_option(Command& command, std::uint64_t& memory, const std::string& otherwise) {
  command
      .add_option("--memory SIZE", memory,
                  fmt::format("most memory to use on the device, such as 512M or 2G (default: {})", otherwise))
      ->as_bytes();
}

void add_seed_option(Command& command, std::uint64_t& seed) {
  command.add_option("--seed N", seed, "seed of all random choices (default 1)");
}

void add_verbose_option(Command& command, bool& verbose) {
  command.add_flag("--verbose", verbose, "list the settings of the environments that the results mention");
}

void add_isolation_option(Command& command, bool& no_isolation) {
  command.add_flag("--no-isolation", no_isolation, "use devices in this process, which a crash then ends");
}

void add_optcheck_option(Command& command, bool& optcheck) {
  command.add_flag("--optcheck", optcheck,
                   "check that the machine code is the test; what changed code shows is not an observation");
}

void add_model_option(Command& command, std::string& model) {
  command.add_option("--model NAME", model, "judge by this model (default: that of the platform)");
}

void add_model_options(Command& command, ModelOptions& models) {
  // One value each time, so that tests may follow.
  command
      .add_option(
          "--model NAME,...", models.names,
          "models as 'weakspot models' lists them (default: the one for the test's dialect; for generic tests rel-acq, "
          "or ptx if they need scopes or sequential consistency)")
      ->delimiter(',')
      ->repeatable();
  command.add_option("--cat FILE", models.cat_files, "a model of your own; may be repeated")->repeatable();
  command.add_option("-I FOLDER", models.include_folders, "where to look for included cat files; may be repeated")
      ->repeatable();
  command.add_option("--bell FILE", models.bell,
                     "definitions that come before each model, such as the Linux kernel's linux-kernel.bell");
}

void add_store_option(Command& command, std::string& store, const std::string& what) {
  command.add_option("--store STORE", store,
                     "add " + what + " to this store: a file of SQLite, or postgresql://... (default: none)");
}

void add_run_files(Command& command, workbench::RunFiles& files) {
  command.add_option("--out FILE", files.records, "write a record of each run as a line of JSON, from its start on");
  command.add_flag("--append", files.append, "add to the records of --out (default: an old FILE becomes FILE~)");
  add_store_option(command, files.store, "each finished run");
  command.add_option("--junit FILE", files.junit, "write the verdicts as JUnit XML");
  command.add_option("--html FILE", files.html, "write a report as a page");
}

void add_rate_options(Command& command, workbench::RateRequest& rates) {
  command.add_option("TEST ...", rates.tests,
                     "files, tests of the corpus, or suites, which give their mutants (default: mc-mutants)");
  command.add_option(
      "--device ID", rates.device,
      "a device as 'weakspot devices' lists them, or recorded:FILE (default: the first GPU, else the CPU)");
  add_memory_option(command, rates.memory, "1/32 of it, from 64M to 1G");
}

std::string model_column(const std::string& model) { return model.empty() ? "" : "  " + model; }

void add_filter_options(Command& command, questions::ModelFilterRequest& filter) {
  command.add_option("--forbidden-by NAME,...", filter.forbidden_by, "keep only tests that these models forbid")
      ->delimiter(',');
  command.add_option("--allowed-by NAME,...", filter.allowed_by, "keep only tests that these models allow")
      ->delimiter(',');
}

base::Result<std::optional<litmus::Dialect>> dialect_option(const std::string& name) {
  if (name.empty()) return std::optional<litmus::Dialect>();
  const std::optional<litmus::Dialect> dialect = litmus::dialect_named(name);
  if (!dialect) {
    std::vector<std::string> names;
    for (const litmus::Dialect known : litmus::kDialects) names.emplace_back(to_string(known));
    return base::error(
        fmt::format("unknown dialect '{}'; expected {}{}", name, dialect_list(), base::did_you_mean(name, names)));
  }
  return dialect;
}

std::string dialect_list() {
  std::string names;
  for (const litmus::Dialect dialect : litmus::kDialects) {
    names += fmt::format("{}{}", names.empty() ? "" : ", ", to_string(dialect));
  }
  return names;
}

std::unique_ptr<campaign::Executor> make_executor(bool no_isolation) {
  if (no_isolation) return campaign::in_process_executor();
  return campaign::isolated_executor({"/proc/self/exe", "worker"});
}

}  // namespace weakspot::cli
