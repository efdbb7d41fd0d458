// SPDX-License-Identifier: MIT
#include "workbench/replay.h"

#include <fmt/format.h>

#include "campaign/record_json.h"
#include "cli/command/commands.h"
#include "cli/command/shared_options.h"
#include "cli/display/live.h"
#include "cli/display/run_text.h"
#include "console/interrupt.h"

namespace weakspot::cli {
namespace {

struct Replay {
  workbench::ReplayRequest request;
  bool no_isolation = false;
  bool json = false;

  int run() {
    request.now = now_text;
    const InterruptGuard guard;
    request.stop = InterruptGuard::flag();
    const std::unique_ptr<campaign::Executor> executor = make_executor(no_isolation);
    ReplayBar bar;
    const base::Result<workbench::ReplayResult> result = workbench::replay(request, *executor, bar);
    bar.clear();
    if (!result) return fail(result.errors());
    const campaign::RunRecord& again = result->again.records.front();
    if (json) {
      print_output(json_text(json_of(*result)));
    } else {
      campaign::EnvironmentNames names;
      print_results(verdict_line(result->again, names) + outcome_lines(again, output_width()) +
                    campaign::witness_text(again) + comparison(*result));
    }
    print_errors(result->problems);
    return exit_code_of(result->ending);
  }

 private:
  class ReplayBar final : public workbench::RunWatch {
   public:
    void progress(const campaign::RunGroup& so_far, std::size_t ended) override { live_.draw(so_far, ended); }
    void note(const std::string& text) override { print_error("note: " + text + "\n"); }
    bool cancelled() override { return InterruptGuard::interrupted(); }
    void clear() { live_.clear(); }

   private:
    Live live_;
  };

  static base::JsonValue json_of(const workbench::ReplayResult& result) {
    base::JsonValue outcomes = base::json_array();
    for (const workbench::Reappearance& one : result.outcomes) {
      outcomes.push_back(base::json_object({{"outcome", one.outcome}, {"then", one.then}, {"now", one.now}}));
    }
    return base::json_object({{"result", campaign::results_json(result.again.records.front())},
                              {"other_code", result.other_code},
                              {"outcomes", std::move(outcomes)}});
  }

  static std::string comparison(const workbench::ReplayResult& result) {
    std::string text = "\n";
    if (result.other_code) {
      text += fmt::format("note: the code differs from that of the record, {}\n", result.record.code_hash);
    }
    for (const workbench::Reappearance& outcome : result.outcomes) {
      text += fmt::format("{}  {}  {} then, {} now\n", outcome.now != 0 ? "again    " : "not-again", outcome.outcome,
                          outcome.then, outcome.now);
    }
    if (result.outcomes.empty()) text += "the record has no forbidden and no weak outcome to look for\n";
    return text;
  }
};

}  // namespace

void add_replay(Command& app, int& exit_code) {
  auto options = std::make_shared<Replay>();
  workbench::ReplayRequest& request = options->request;
  Command* command = app.add_subcommand("replay", "Repeat a recorded run and see whether its outcomes show again");
  command->add_option("FILE", request.file, "records that 'run --out' wrote, or a store")->required();
  command
      ->add_option("--test N", request.number,
                   "which record, from 1 (default: the first with a forbidden outcome, else the first)")
      ->positive();
  command->add_option("--device ID", request.device, "where to run (default: the record's device)");
  command->add_option("--times N", request.times, "run N times the record's instances, above 0 (default 1)")
      ->positive();
  add_isolation_option(*command, options->no_isolation);
  command->add_flag("--json", options->json, "print an object");
  add_run_files(*command, request.files);
  command->footer(
      "Exit code 1: a forbidden outcome was seen.\n\nExamples:\n"
      "  weakspot replay runs.jsonl\n  weakspot replay runs.jsonl --test 3 --device cpu --times 10");
  command->callback([options, &exit_code] { exit_code = options->run(); });
}

}  // namespace weakspot::cli
