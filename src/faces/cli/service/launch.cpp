// SPDX-License-Identifier: MIT
#include "workbench/launch.h"

#include <fmt/format.h>

#include "base/file.h"
#include "cli/command/commands.h"
#include "system/subprocess.h"

namespace weakspot::cli {
namespace {

struct LaunchSlurm {
  workbench::SlurmRequest request;
  std::string out = "weakspot-campaign.sbatch";
  bool dry_run = false;

  int run() const {
    const std::string script = workbench::slurm_script(request);
    if (!request.store.starts_with("postgres")) {
      print_error("note: a store in a file is for agents on one machine; several machines need postgresql://...\n");
    }
    if (dry_run) {
      print_output(script);
      return kFine;
    }
    if (const base::Status written = base::write_file(out, script); !written) return fail(written.errors());
    const base::Result<base::ProcessResult> submitted = base::run_process({"sbatch", out});
    if (!submitted) return fail(base::of_kind(base::ErrorKind::environment, submitted.errors()));
    if (!submitted->succeeded()) {
      return fail({base::error("sbatch failed: " + submitted->errors, base::ErrorKind::environment)});
    }
    print_output(submitted->output);
    return kFine;
  }
};

}  // namespace

void add_launch(Command& app, int& exit_code) {
  Command* command = app.add_subcommand("launch", "Start agents on the machines of a cluster");
  command->require_subcommand(1, 1);
  command->footer(
      "Examples:\n  weakspot launch slurm --store postgresql://db/lab --jobs 8\n"
      "  weakspot launch slurm --store postgresql://db/lab --dry-run");

  auto options = std::make_shared<LaunchSlurm>();
  workbench::SlurmRequest& request = options->request;
  Command* slurm = command->add_subcommand("slurm", "Write a job array of agents and submit it with sbatch");
  slurm->add_option("--store STORE", request.store, "postgresql://..., or a file of SQLite on one machine")->required();
  slurm->add_option("--campaign ID", request.campaign, "only this campaign (default: all of the store)");
  slurm->add_option("--jobs N", request.jobs, "agents, 1 to 10000 (default 1)")->range(1, 1e4);
  slurm->add_option("--gres TEXT", request.gres, "what each job has for itself; '' for nothing (default gpu:1)");
  slurm->add_option("--device ID,...", request.devices, "devices of each agent (default: all that it sees)")
      ->delimiter(',');
  slurm->add_option("--partition NAME", request.partition, "Slurm's partition (default: the cluster's own)");
  slurm->add_option("--time TIME", request.seconds, "of each job, 1min to 1e7s (default 1h)")->as_time(60);
  slurm->add_option("--program PATH", request.program, "weakspot on the nodes (default: weakspot)");
  slurm->add_option("--log FILE", request.log, "of each job, with Slurm's % words (default weakspot-%A_%a.log)");
  slurm->add_option("--out FILE", options->out, "where the script is written (default weakspot-campaign.sbatch)");
  slurm->add_flag("--dry-run", options->dry_run, "print the script and submit nothing");
  slurm->footer(
      "Examples:\n  weakspot launch slurm --store postgresql://db/lab --jobs 8 --gres gpu:h200:1\n"
      "  weakspot launch slurm --store postgresql://db/lab --dry-run");
  slurm->callback([options, &exit_code] { exit_code = options->run(); });
}

}  // namespace weakspot::cli
