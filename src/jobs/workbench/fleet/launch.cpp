// SPDX-License-Identifier: MIT
#include "workbench/launch.h"

#include <fmt/format.h>

#include <cmath>

#include "base/markup.h"

namespace weakspot::workbench {
namespace {

using base::shell_word;

// Slurm's form of a time: days-hours:minutes:seconds.
std::string slurm_time(double seconds) {
  const auto whole = static_cast<std::uint64_t>(std::ceil(seconds));
  return fmt::format("{}-{:02}:{:02}:{:02}", whole / 86400, whole / 3600 % 24, whole / 60 % 60, whole % 60);
}

}  // namespace

std::string slurm_script(const SlurmRequest& request) {
  std::string text = "#!/bin/bash\n#SBATCH --job-name=weakspot\n";
  text += fmt::format("#SBATCH --array=0-{}\n", request.jobs - 1);
  if (!request.gres.empty()) text += fmt::format("#SBATCH --gres={}\n", request.gres);
  if (!request.partition.empty()) text += fmt::format("#SBATCH --partition={}\n", request.partition);
  text += fmt::format("#SBATCH --time={}\n#SBATCH --output={}\n", slurm_time(request.seconds), request.log);
  text +=
      "# A minute before the end the agent gives back what it has not begun.\n"
      "#SBATCH --signal=B:TERM@60\n"
      "#SBATCH --requeue\n\n"
      "# Jobs on one node see different cards under the same id: the name keeps them apart.\n"
      "name=\"${SLURMD_NODENAME:-$(hostname)}-${SLURM_JOB_GPUS:-${SLURM_ARRAY_TASK_ID:-0}}\"\n";
  text += fmt::format("exec {} agent --store {} --until-done --name \"$name\"", shell_word(request.program),
                      shell_word(request.store));
  if (!request.campaign.empty()) text += " --campaign " + shell_word(request.campaign);
  if (!request.devices.empty()) text += " --device " + shell_word(fmt::format("{}", fmt::join(request.devices, ",")));
  return text + "\n";
}

}  // namespace weakspot::workbench
