// SPDX-License-Identifier: MIT
// Scripts that start agents on many machines.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace weakspot::workbench {

// A job array of Slurm: each job is one agent with the devices that it alone may use.
struct SlurmRequest {
  std::string store;
  std::string campaign;              // empty: all of the store
  std::string program = "weakspot";  // on the nodes
  std::vector<std::string> devices;  // for each agent; empty: all that the job sees
  std::uint64_t jobs = 1;
  std::string gres = "gpu:1";  // per job; empty: none
  std::string partition;       // empty: the cluster's own choice
  double seconds = 3600;       // per job
  std::string log = "weakspot-%A_%a.log";
};
std::string slurm_script(const SlurmRequest& request);

}  // namespace weakspot::workbench
