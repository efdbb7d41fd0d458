// Where rates come from, as the command line names it: tests on a device, or a table of recorded rates. What tune and
// score have in common.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "backend/device.h"
#include "base/result.h"
#include "campaign/environment_space.h"
#include "campaign/measure.h"
#include "campaign/recorded.h"
#include "cli/command_line.h"
#include "litmus/test.h"

namespace weakspot::cli {

struct RateSource {
  std::string device, device_name, driver;
  std::vector<std::string> names;     // of the tests
  std::vector<std::string> mutators;  // of the tests; empty where they are none
  std::vector<std::string> hashes;    // of what the tests ask; of recorded ones, of what was recorded
  std::unique_ptr<campaign::Measurer> measurer;
  std::vector<codegen::TestEnvironment> sweep;  // the ones that are good on many devices; all there are in a table
  std::vector<codegen::TestEnvironment>
      known;  // where a search begins: those of the suite for the device, and the sweep
  campaign::SpaceFor machine = campaign::SpaceFor::gpu;
  bool is_recorded = false;

  // What the measurer refers to.
  std::unique_ptr<campaign::RecordedTable> table;
  std::unique_ptr<std::vector<litmus::LitmusTest>> tests;
  std::unique_ptr<campaign::Executor> executor;
};

struct RateSourceOptions {
  std::vector<std::string> tests;  // files, tests of the corpus, suites (of which the mutants, if there are any); of a
                                   // recorded table names or parts of names
  std::string device;              // or recorded:FILE
  std::uint64_t memory = 0;        // bytes; 0: some
  bool no_isolation = false;

  void add_options(Command& command, const char* tests_help);
};

// `fallback`: the suite if no tests are named. The observer must outlive the source.
base::Result<RateSource> open_rates(const RateSourceOptions& options, const std::string& fallback,
                                    campaign::RunObserver& observer, int& exit_code);

// The environments that these name, each once. A name is that of a file, what `tune` or `conform --save-suite` wrote,
// or one per line as --env takes them; or it is what --env takes, or "sweep".
base::Result<std::vector<codegen::TestEnvironment>> load_environments(
    const std::vector<std::string>& names, const std::vector<codegen::TestEnvironment>& sweep);

// What to say of a device that was given up.
base::Diagnostic device_is_gone(const std::string& device, const std::string& problem);

}  // namespace weakspot::cli
