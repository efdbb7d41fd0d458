// SPDX-License-Identifier: MIT
// A request to an agent, and the work that one of its devices did.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "workbench/run_tests.h"

namespace weakspot::workbench {

struct AgentRequest {
  std::vector<std::string> devices;         // as find_devices() takes them, or recorded:FILE; empty: all
  std::string campaign;                     // its id; empty: all campaigns of the source
  std::string host;                         // name that this machine's devices carry; empty: the machine's name
  bool until_done = false;                  // end when nothing is left for the devices
  double seconds = 0;                       // end after this time; 0: do not
  double lease = 60;                        // seconds that a claim lasts without a heartbeat
  const std::atomic<bool>* stop = nullptr;  // the user's wish to end
  Clock now;
};

struct AgentDevice {
  std::string id;
  std::uint64_t shards = 0;  // delivered
  std::uint64_t failures = 0;
  std::uint64_t lease_lost = 0;  // finished too late: another agent has them
  std::uint64_t returned = 0;    // given back
  double device_seconds = 0;
  double waited_seconds = 0;  // the device had no shard to run although the source had some
  std::string quarantined;    // why; else empty
};

}  // namespace weakspot::workbench
