// SPDX-License-Identifier: MIT
#include "workbench/conform.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "campaign/summary.h"
#include "cli/command/commands.h"
#include "cli/command/shared_options.h"
#include "cli/display/run_text.h"
#include "cli/display/ticker.h"
#include "console/fold.h"
#include "console/interrupt.h"

namespace weakspot::cli {
namespace {

using campaign::ConformReport;
using campaign::ConformVerdict;
using campaign::MutantResult;
using campaign::short_number;
using campaign::TestResult;

// The most environments that a line names; the other forms name them all.
constexpr std::size_t kMostNamed = 4;

struct Conform {
  workbench::ConformRequest request;
  bool json = false, brief = false, verbose = false, no_isolation = false;

  int run() {
    request.now = now_text;
    const InterruptGuard guard;
    request.stop = InterruptGuard::flag();
    const std::unique_ptr<campaign::Executor> executor = make_executor(no_isolation);
    Printer printer(*this);
    const base::Result<workbench::ConformResult> result = workbench::conform(request, *executor, printer);
    if (!result) return fail(result.errors());
    if (result->suite_unsaved) {
      print_error(fmt::format("{}: not written: not everything was measured\n", request.files.suite));
    }
    json ? print_output(campaign::conform_json(result->reports))
         : print_results(environment_legend(printer.names(), verbose));
    print_errors(result->problems);
    return exit_code_of(result->ending);
  }

 private:
  // Prints each device's report as it ends, with a bar in the meantime.
  class Printer final : public workbench::ConformWatch {
   public:
    explicit Printer(const Conform& options) : options_(options) {}

    // The environments that were mentioned.
    const campaign::EnvironmentNames& names() const { return names_; }

    void device_begins(const backend::DeviceInfo& device) override {
      ticker_.emplace(JobProgress("conform " + device.id, options_.request.options.budget));
    }
    void device_ended(const ConformReport& report) override {
      ticker_.reset();
      if (!options_.json) print_results(options_.text_of(report, names_));
    }
    void started(const campaign::RunRecord& so_far) override { ticker_->started(so_far); }
    bool cancelled() override { return InterruptGuard::interrupted(); }

   private:
    const Conform& options_;
    campaign::EnvironmentNames names_;
    std::optional<Ticker> ticker_;
  };

  std::string text_of(const ConformReport& report, campaign::EnvironmentNames& names) const {
    std::string text;
    for (const TestResult& test : report.tests) {
      text += brief ? brief_line(test) : test_lines(test, *report.suite, names);
    }
    return text + summary(report);
  }

  static std::string verdict_and_name(const TestResult& test) {
    return fmt::format("{:<12} {:<10} {}", to_string(test.verdict), test.test->test.name, test.model);
  }

  static std::string brief_line(const TestResult& test) {
    std::string text = verdict_and_name(test);
    if (test.verdict == ConformVerdict::conformant) text += "  " + campaign::percent_text(test.reproducibility);
    if (!test.reason.empty()) text += fmt::format("  ({})", test.reason);
    return console::shortened(text, results_width()) + "\n";
  }

  static std::string environments_text(const TestResult& test, const campaign::ConformanceSuite& suite,
                                       campaign::EnvironmentNames& names) {
    if (test.plan.parts.size() > kMostNamed) return fmt::format("{} environments", test.plan.parts.size());
    std::string text;
    for (const campaign::PlannedPart& part : test.plan.parts) {
      text += (text.empty() ? "" : ", ") + names.name(suite.environments[part.environment]);
    }
    return text;
  }

  // With the witnesses of a violation below.
  static std::string test_lines(const TestResult& test, const campaign::ConformanceSuite& suite,
                                campaign::EnvironmentNames& names) {
    std::uint64_t instances = 0;
    std::string witnesses;
    for (const campaign::RunRecord& record : test.records) {
      instances += record.instances;
      witnesses += campaign::witness_text(record);
    }
    std::string text = fmt::format("{}  {:.3f} s, {} instances", verdict_and_name(test), test.seconds,
                                   short_number(static_cast<double>(instances)));
    const MutantResult* least = nullptr;
    for (const MutantResult& mutant : test.mutants) {
      if (mutant.counts() && (least == nullptr || mutant.sure_kills < least->sure_kills)) least = &mutant;
    }
    if (least != nullptr) {
      text += fmt::format(", {} for {} kills of {}", campaign::percent_text(test.reproducibility),
                          kills_text(least->sure_kills), least->mutant->test.name);
    }
    if (!test.reason.empty()) text += fmt::format("  ({})", test.reason);
    const std::string environments = environments_text(test, suite, names);
    return text + (environments.empty() ? "" : fmt::format("  [{}]", environments)) + "\n" + witnesses;
  }

  static std::string kills_text(double kills) {
    return kills < 100 ? fmt::format("{:.2g}", kills) : short_number(kills);
  }

  std::string summary(const ConformReport& report) const {
    std::size_t killed = 0, counted = 0;
    std::string pruned;
    std::size_t reached = 0;
    for (const TestResult& test : report.tests) {
      reached += test.verdict == ConformVerdict::conformant ? 1 : 0;
      for (const MutantResult& mutant : test.mutants) {
        if (!mutant.counts()) {
          pruned += fmt::format("  {:<12} {} ({})\n", to_string(mutant.mutant->status), mutant.mutant->test.name,
                                mutant.mutant->reason);
          continue;
        }
        ++counted;
        if (std::any_of(mutant.rates.begin(), mutant.rates.end(), [](double rate) { return rate > 0; })) ++killed;
      }
    }
    std::string text;
    if (!pruned.empty() && !brief) text += fmt::format("\nmutants that do not count here:\n{}", pruned);
    text +=
        fmt::format("\n{}  {}, {}: {} of {} tests at {} in {:.1f} s: {:.2f} s of device time ({:.2f} s for mutants)",
                    to_string(report.verdict), report.device, report.device_name, reached, report.tests.size(),
                    campaign::percent_text(report.options.target), report.wall_seconds, report.device_seconds(),
                    report.measuring_seconds);
    if (report.compile_seconds >= 1) text += fmt::format(", {:.1f} s for compiling", report.compile_seconds);
    if (report.options.trust_rates) {
      text += "; no mutants were run: the rates are the suite's";
    } else if (counted != 0) {
      text += fmt::format("; {} of {} mutants killed", killed, counted);
    }
    if (report.total_reproducibility) {
      text += fmt::format("; all tests together {}", campaign::percent_text(*report.total_reproducibility));
    }
    if (report.enough_budget) text += fmt::format("; try --budget {:g}s", *report.enough_budget);
    if (!report.problem.empty()) text += fmt::format("; the device was given up: {}", report.problem);
    return text + "\n";
  }
};

}  // namespace

void add_conform(Command& app, int& exit_code) {
  auto options = std::make_shared<Conform>();
  workbench::ConformRequest& request = options->request;
  Command* command = app.add_subcommand("conform", "Run a conformance suite and say how much the result is worth");
  add_devices_option(*command, request.devices);
  command->add_option("--suite NAME", request.suite,
                      "a suite's file, or a generated suite such as mc-mutants (default: the one for the device)");
  command
      ->add_option("--environments ENV", request.environments,
                   "instead of the suite's: a file that tune wrote, a file of lines, an environment as 'run --env' "
                   "takes it, or 'sweep'; may be repeated")
      ->repeatable();
  command
      ->add_option("--budget TIME", request.options.budget,
                   "time for everything, compiling included, such as 500ms, 5s or 2min (default 5s)")
      ->as_time();
  command
      ->add_option("--confidence P", request.options.target,
                   "reproducibility that each test is to reach, 0.01 to 0.9999999999 (default 0.99999)")
      ->range(0.01, 0.9999999999);
  command->add_flag("--trust-rates", request.options.trust_rates, "use the suite's rates instead of measuring mutants");
  add_optcheck_option(*command, request.options.setup.optcheck);
  add_model_option(*command, request.model);
  add_seed_option(*command, request.options.seed);
  add_memory_option(*command, request.memory, "1/32 of it, from 64M to 1G");
  command->add_option("--out FILE", request.files.json, "write the report as JSON");
  add_store_option(*command, request.files.store, "the report");
  command->add_option("--junit FILE", request.files.junit, "write the verdicts as JUnit XML");
  command->add_option("--sarif FILE", request.files.sarif, "write the violations as SARIF 2.1.0");
  command->add_option("--html FILE", request.files.html, "write the report as a page");
  command->add_option("--save-suite FILE", request.files.suite, "write the suite with the rates measured here");
  command->add_flag("--json", options->json, "print the report as JSON");
  command->add_flag("--brief", options->brief, "print one line per test, without times and witnesses");
  add_verbose_option(*command, options->verbose);
  command->add_flag("--strict", request.strict, "exit code 1 also for an inconclusive verdict");
  add_isolation_option(*command, options->no_isolation);
  command->footer(
      "Exit codes: 1 a violation, 2 bad usage or input, 3 a device failed.\n\nExamples:\n"
      "  weakspot conform --budget 5s --confidence 0.99999\n"
      "  weakspot conform --device all --junit conformance.xml --html conformance.html");
  command->callback([options, &exit_code] { exit_code = options->run(); });
}

}  // namespace weakspot::cli
