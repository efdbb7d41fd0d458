// SPDX-License-Identifier: MIT
#include "workbench/locks.h"

#include <fmt/format.h>

#include "campaign/summary.h"
#include "cli/command/commands.h"
#include "cli/command/shared_options.h"
#include "codegen/spirv_text.h"
#include "codegen/targets.h"
#include "console/interrupt.h"

namespace weakspot::cli {
namespace {

using campaign::LockRow;
using codegen::LockFences;

std::string fences_text(LockFences fences) {
  if (fences == LockFences::acquire || fences == LockFences::release) return fmt::format("{} only", to_string(fences));
  return campaign::fences_word(fences);
}

std::string explanation_text(const LockRow& row) {
  if (!row.problem.empty()) return fmt::format("  {}\n", row.problem);
  if (row.counts.failed_runs == 0) return "";
  if (!row.explained_by) return "  the increments race\n";
  const campaign::AssumptionRun& test = *row.explained_by;
  if (!test.problem.empty()) return fmt::format("  explained by {}, which did not run: {}\n", test.test, test.problem);
  const std::string instances = campaign::short_number(static_cast<double>(test.instances));
  if (test.observed == 0) return fmt::format("  {} would explain it, but was never seen in {}\n", test.test, instances);
  return fmt::format("  explained by {}: seen {} times in {}, {}\n", test.test, test.observed, instances,
                     campaign::rate_text(test.rate()));
}

std::string text_of(const campaign::LockTable& table) {
  std::string text =
      fmt::format("Locks on {}: {}\n\n{:<11} {:<10} {:<12} {:>7} {:>7} {:>6} {:>9} {:>10}\n", table.device,
                  table.device_name, "verdict", "lock", "fences", "runs", "failed", "open", "lost", "sections");
  for (const LockRow& row : table.rows) {
    text += fmt::format("{:<11} {:<10} {:<12} {:>7} {:>7} {:>6} {:>9} {:>10}\n", verdict_word(row), to_string(row.kind),
                        fences_text(row.fences), row.counts.runs, row.counts.failed_runs, row.counts.unfinished,
                        row.counts.lost_updates, campaign::rate_text(row.throughput()));
    text += explanation_text(row);
  }
  if (!table.rows.empty() && table.rows.back().contenders != 0) {
    const LockRow& last = table.rows.back();
    text += fmt::format("\n{} workgroups, {} sections each per run; open: runs that did not finish\n", last.contenders,
                        last.sections);
  }
  return text;
}

struct LocksCommand {
  workbench::LocksRequest request;
  std::string target;
  bool json = false, no_isolation = false;

  int run() {
    if (!target.empty()) return emit();
    const InterruptGuard guard;
    request.stop = InterruptGuard::flag();
    const std::unique_ptr<campaign::Executor> executor = make_executor(no_isolation);
    const std::unique_ptr<campaign::LockBench> bench =
        no_isolation ? campaign::in_process_locks() : campaign::isolated_locks({"/proc/self/exe", "lock-worker"});
    Watch watch;
    const auto result = workbench::locks(request, *bench, *executor, watch, [](const LockRow&) {});
    if (!result) return fail(result.errors());
    json ? print_output(json_text(to_json(result->table))) : print_results(text_of(result->table));
    print_errors(result->problems);
    return exit_code_of(result->ending);
  }

 private:
  class Watch final : public workbench::RunWatch {
   public:
    void note(const std::string& text) override { print_error("note: " + text + "\n"); }
    bool cancelled() override { return InterruptGuard::interrupted(); }
  };

  int emit() const {
    const auto programs = workbench::emit_locks(request.locks, codegen::target_named(target).value());
    if (!programs) return fail(programs.errors());
    for (const codegen::DeviceProgram& program : *programs) {
      if (program.target != codegen::Target::spirv) {
        print_output(program.text);
        continue;
      }
      const base::Result<std::string> text = codegen::spirv_text(program.words);
      if (!text) return fail(text.errors());
      print_output(*text);
    }
    return kFine;
  }
};

}  // namespace

void add_locks(Command& app, int& exit_code) {
  auto options = std::make_shared<LocksCommand>();
  workbench::LocksRequest& request = options->request;
  Command* command = app.add_subcommand("locks", "Run locks with all, half and none of their fences");
  command->add_option("LOCK ...", request.locks,
                      "no-lock, tas, ttas, cas, exchange, ticket, mcs, prefix-sum, deque (default: all)");
  command->add_option("--device ID", request.device, "the device (default: the first GPU, else the first device)");
  command
      ->add_option("--seconds TIME", request.seconds,
                   "time per lock and choice of fences, such as 500ms or 2s; 1ms to 1e7s (default 500ms)")
      ->as_time();
  command
      ->add_option("--workgroups N", request.contenders,
                   "workgroups that contend, from 2 up to those that fit on the device at once (default: one per "
                   "multiprocessor)")
      ->range(2, 65536);
  command
      ->add_option("--sections N", request.sections,
                   "critical sections per workgroup and run, 1 to 1000000 (default: 16384 in all)")
      ->range(1, 1000000);
  command
      ->add_option("--emit TARGET", options->target,
                   fmt::format("print the code instead, with all fences that the target has: {}, SPIR-V as text",
                               codegen::target_names()))
      ->check([](const std::string& name) {
        return codegen::target_named(name)
                   ? std::string()
                   : fmt::format("unknown target '{}'; expected {}", name, codegen::target_names());
      });
  add_isolation_option(*command, options->no_isolation);
  command->add_flag("--json", options->json, "print the table as an array");
  command->add_option("--html FILE", request.html, "write the table as an HTML page");
  command->footer(
      "Exit codes: 1 a lock failed with all of its fences, 2 bad usage or input, 3 the\n"
      "device failed.\n\n"
      "Examples:\n"
      "  weakspot locks --device cuda:0\n"
      "  weakspot locks cas ticket --device cpu --seconds 2s --json");
  command->callback([options, &exit_code] { exit_code = options->run(); });
}

void add_lock_worker(Command& app, int& exit_code) {
  Command* command = app.add_subcommand("lock-worker", "Measure locks asked for on standard input; started by 'locks'");
  command->hide();
  command->callback([&exit_code] { exit_code = campaign::serve_locks(); });
}

}  // namespace weakspot::cli
