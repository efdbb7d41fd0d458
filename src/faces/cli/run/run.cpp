// SPDX-License-Identifier: MIT
#include "workbench/run_tests.h"

#include <fmt/format.h>

#include <map>

#include "backend/device.h"
#include "campaign/record_json.h"
#include "cli/command/commands.h"
#include "cli/command/shared_options.h"
#include "cli/display/live.h"
#include "cli/display/run_text.h"
#include "console/interrupt.h"

namespace weakspot::cli {
namespace {

using campaign::RunGroup;
using campaign::RunRecord;

struct Run {
  workbench::RunTestsRequest request;
  bool json = false;
  bool brief = false;
  bool verbose = false;
  bool no_isolation = false;

  int run() {
    request.now = now_text;
    const InterruptGuard guard;
    request.stop = InterruptGuard::flag();
    const std::unique_ptr<campaign::Executor> executor = make_executor(no_isolation);
    Printer printer(*this);
    const base::Result<workbench::RunTestsResult> result = workbench::run_tests(request, *executor, printer);
    if (!result) return fail(result.errors());
    if (json) print_output(results_text(result->records));
    if (!json && printer.groups() > 1) print_results(tally(result->verdicts));
    if (!json) print_results(environment_legend(printer.names(), verbose));
    print_errors(result->problems);
    return exit_code_of(result->ending);
  }

 private:
  // Prints each test as it ends, with a bar in the meantime.
  class Printer final : public workbench::RunWatch {
   public:
    explicit Printer(const Run& options) : options_(options) {}

    std::size_t groups() const { return tests_ * devices_; }
    // The environments that were mentioned.
    const campaign::EnvironmentNames& names() const { return names_; }

    void planned(std::size_t tests, std::size_t devices, std::size_t runs) override {
      tests_ = tests;
      devices_ = devices;
      live_.expect(runs);
    }
    void environment_chosen(const codegen::TestEnvironment& environment, const std::string& why) override {
      if (options_.brief || options_.json) return;
      chosen_ = fmt::format("  environment: {}\n  ({}; '--env default' is the device's own)\n",
                            names_.name(environment), why);
    }
    void progress(const RunGroup& so_far, std::size_t ended) override {
      if (!options_.json) live_.draw(so_far, ended);
    }
    void group_ended(const RunGroup& group) override {
      live_.clear();
      if (!options_.json) print_results(text_of(group));
      chosen_.clear();
      std::fflush(stdout);
    }
    void test_ended(const std::vector<RunGroup>& groups) override {
      if (options_.json || options_.brief || groups.size() < 2) return;
      print_results(device_table_text(campaign::device_table(groups), results_width()));
    }
    void note(const std::string& text) override { print_error("note: " + text + "\n"); }
    bool cancelled() override { return InterruptGuard::interrupted(); }

   private:
    // The outcomes of several devices are printed as one table, by test_ended().
    std::string text_of(const RunGroup& group) {
      if (options_.brief) return brief_line(group, results_width());
      std::string text = verdict_line(group, names_) + chosen_;
      if (devices_ == 1) text += outcome_lines(group.sum(), output_width());
      for (const RunRecord& record : group.records) text += campaign::witness_text(record);
      return text;
    }

    const Run& options_;
    Live live_;
    campaign::EnvironmentNames names_;
    std::string chosen_;  // the environment of the current group, if it was not asked for
    std::size_t tests_ = 0, devices_ = 0;
  };

  static std::string tally(const std::map<std::string, std::size_t>& verdicts) {
    std::string text;
    for (const auto& [word, count] : verdicts) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, word);
    return fmt::format("\n{}\n", text);
  }
};

}  // namespace

void add_run(Command& app, int& exit_code) {
  auto options = std::make_shared<Run>();
  workbench::RunTestsRequest& request = options->request;
  Command* command = app.add_subcommand("run", "Run tests on devices and judge every outcome by a memory model");
  add_tests(*command, request.tests);
  add_devices_option(*command, request.devices);
  command
      ->add_option(
          "--env ENV", request.environments,
          "a preset, name=value,..., a file, 'sweep' or 'incantations' for many in turn, or 'default' for the device's "
          "own; may be repeated (default: the best known for the kind of device and the test's shape)")
      ->repeatable();
  command
      ->add_option("--seconds TIME", request.seconds,
                   "time per test and device, shared by its environments, such as 5, 500ms or 2min; 1ms to 1e7s "
                   "(default 5s)")
      ->as_time();
  command
      ->add_option("--instances N", request.instances,
                   "run each test this many times per environment, instead of --seconds")
      ->range(1, 1e18);
  command->add_flag(
      "--split", request.split,
      "divide the threads of each test between a CPU and a GPU in every way, and run those tests instead");
  command->add_flag("--until-seen", request.until_seen,
                    "leave out the other environments of a test once the outcome it asks for was seen");
  add_optcheck_option(*command, request.optcheck);
  add_seed_option(*command, request.seed);
  add_memory_option(*command, request.memory, "a quarter of what is free");
  command
      ->add_option("--deadline TIME", request.deadline,
                   "give a run up after this time (default: --seconds and 30s more, or 5min with --instances)")
      ->as_time(0.1);
  command
      ->add_option(
          "--judging TIME", request.judging,
          "time for the model, per test, after which outcomes are 'unknown' (default: --seconds, from 1s to 20s)")
      ->as_time();
  add_isolation_option(*command, options->no_isolation);
  add_model_option(*command, request.model);
  command->add_flag("--brief", options->brief, "print one line per test, without outcomes and witnesses");
  add_verbose_option(*command, options->verbose);
  command->add_flag("--json", options->json, "print an array of results");
  add_run_files(*command, request.files);
  command->footer(
      "Exit codes: 1 a forbidden outcome was seen, 2 bad usage or input, 3 a device\n"
      "failed or lacks a feature.\n\n"
      "Examples:\n"
      "  weakspot run MP SB --device all --seconds 5\n"
      "  weakspot run conformance --device cuda:0 --env stress,workgroup_size=32");
  command->callback([options, &exit_code] { exit_code = options->run(); });
}

void add_worker(Command& app, int& exit_code) {
  Command* command = app.add_subcommand("worker", "Run requests from standard input; started by 'run'");
  command->hide();
  const auto compiled = std::make_shared<std::string>();
  command->add_option("--compile", *compiled, "compile programs for this device instead");
  command->callback([compiled, &exit_code] {
    exit_code = compiled->empty() ? campaign::serve_requests({{"/proc/self/exe", "worker", "--compile"}})
                                  : backend::serve_compiler(*compiled);
  });
}

}  // namespace weakspot::cli
