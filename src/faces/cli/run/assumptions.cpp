// SPDX-License-Identifier: MIT
#include "workbench/assumptions.h"

#include <fmt/format.h>

#include <algorithm>

#include "campaign/summary.h"
#include "cli/command/commands.h"
#include "cli/command/shared_options.h"
#include "cli/display/live.h"
#include "console/interrupt.h"

namespace weakspot::cli {
namespace {

using campaign::Assumption;
using campaign::AssumptionRun;
using campaign::short_number;

std::string model_words(const AssumptionRun& run) {
  if (!run.allowed) return fmt::format("{} cannot tell", run.model);
  return fmt::format("{} {} it", run.model, *run.allowed ? "allows" : "forbids");
}

std::string seen_words(const AssumptionRun& run) {
  const std::string instances = short_number(static_cast<double>(run.instances));
  if (run.observed == 0) return fmt::format("never seen in {}", instances);
  return fmt::format("seen {} times in {}, {}", run.observed, instances, campaign::rate_text(run.rate()));
}

std::string_view why_not(const AssumptionRun& run) {
  return run.failed ? "did not run" : "not available on this platform";
}

std::string repair_line(const std::string& how, const AssumptionRun& run) {
  if (!run.problem.empty()) return fmt::format("  {} {}: {}: {}\n", how, run.test, why_not(run), run.problem);
  return fmt::format("  {} {}: {}, {}\n", how, run.test, model_words(run), seen_words(run));
}

std::string text_of(const Assumption& assumption) {
  const AssumptionRun& run = assumption.run;
  std::string text =
      fmt::format("{:<11} {}  {}\n  {}\n", verdict_word(run), run.test, assumption.idiom, assumption.claim);
  text += run.problem.empty() ? fmt::format("  {}, {}\n", model_words(run), seen_words(run))
                              : fmt::format("  {}: {}\n", why_not(run), run.problem);
  if (!assumption.repaired) return text + "  the corpus has no fenced form\n";
  text += repair_line("repaired:", *assumption.repaired);
  for (const AssumptionRun& other : assumption.other_repairs) text += repair_line("other:", other);
  return text;
}

std::string text_of(const campaign::AssumptionTable& table) {
  std::string text = fmt::format("What programs assume, on {}: {}\n\n", table.device, table.device_name);
  std::size_t broken = 0, unavailable = 0;
  for (const Assumption& assumption : table.assumptions) {
    text += text_of(assumption);
    broken += assumption.run.observed != 0 ? 1 : 0;
    unavailable += assumption.run.problem.empty() ? 0 : 1;
  }
  text += fmt::format("\n{} of {} assumptions are false here", broken, table.assumptions.size());
  if (unavailable != 0) text += fmt::format("; {} could not be tried", unavailable);
  return text + "\n";
}

struct AssumptionsCommand {
  workbench::AssumptionsRequest request;
  bool json = false, no_isolation = false;

  int run() {
    const InterruptGuard guard;
    request.stop = InterruptGuard::flag();
    const std::unique_ptr<campaign::Executor> executor = make_executor(no_isolation);
    Watch watch;
    const auto result = workbench::assumptions(request, *executor, watch);
    watch.clear();
    if (!result) return fail(result.errors());
    json ? print_output(json_text(to_json(result->table))) : print_results(text_of(result->table));
    print_errors(result->problems);
    return exit_code_of(result->ending);
  }

 private:
  class Watch final : public workbench::RunWatch {
   public:
    void planned(std::size_t, std::size_t, std::size_t runs) override { live_.expect(runs); }
    void progress(const campaign::RunGroup& so_far, std::size_t ended) override { live_.draw(so_far, ended); }
    void note(const std::string& text) override { print_error("note: " + text + "\n"); }
    bool cancelled() override { return InterruptGuard::interrupted(); }
    void clear() { live_.clear(); }

   private:
    Live live_;
  };
};

}  // namespace

void add_assumptions(Command& app, int& exit_code) {
  auto options = std::make_shared<AssumptionsCommand>();
  workbench::AssumptionsRequest& request = options->request;
  Command* command =
      app.add_subcommand("assumptions", "Hold what programs assume of GPUs against a model and a device");
  command->add_option("--device ID", request.device, "the device (default: the first GPU, else the first device)");
  command
      ->add_option("--seconds TIME", request.seconds,
                   "time per test, such as 5, 500ms or 2min; 1ms to 1e7s (default 1s)")
      ->as_time();
  command
      ->add_option("--instances N", request.instances,
                   "run each test this many times in each environment, instead of --seconds")
      ->range(1, 1e18);
  command
      ->add_option("--env ENV", request.environments,
                   "as 'run' takes it; may be repeated (default: the best known for the kind of device and the test's "
                   "shape)")
      ->repeatable();
  add_seed_option(*command, request.seed);
  add_isolation_option(*command, options->no_isolation);
  add_model_option(*command, request.model);
  command->add_flag("--json", options->json, "print the table as an array");
  command->add_option("--html FILE", request.html, "write the table as an HTML page");
  command->footer(
      "Exit codes: 1 an outcome that the model forbids was seen, 2 bad usage or input,\n"
      "3 the device failed.\n\n"
      "Examples:\n"
      "  weakspot assumptions --device cuda:0 --seconds 2s --html assumptions.html\n"
      "  weakspot assumptions --device cpu --env stress --json");
  command->callback([options, &exit_code] { exit_code = options->run(); });
}

}  // namespace weakspot::cli
