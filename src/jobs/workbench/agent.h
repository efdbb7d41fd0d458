// SPDX-License-Identifier: MIT
// An agent: takes shards of campaigns from a source for the devices of this machine, runs them and gives back the
// results. It may be killed at any moment: what it had not delivered is claimed again when its lease is over.
//
// Each device has two threads: one runs shards, the other one claims and judges the next ones and delivers results, so
// that the device does not wait for the source.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "workbench/agent_request.h"
#include "workbench/ending.h"
#include "workbench/work_source.h"

namespace weakspot::workbench {

// Hears about the work. Several threads call, but one at a time.
class AgentWatch {
 public:
  virtual ~AgentWatch() = default;
  // Something that a person should know, as a sentence without an end.
  virtual void note(const std::string& /*text*/) {}
};

struct AgentResult {
  std::string agent;
  std::vector<AgentDevice> devices;
  double seconds = 0;
  base::Diagnostics problems;  // why it ended early, or could not deliver
  Ending ending = Ending::fine;
};

// `worker`: the command of isolated_executor(); empty: devices run in this process.
base::Result<AgentResult> run_agent(const AgentRequest& request, WorkSource& source,
                                    const std::vector<std::string>& worker, AgentWatch& watch);

}  // namespace weakspot::workbench
