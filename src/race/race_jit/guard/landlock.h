// SPDX-License-Identifier: MIT
// Limits on files without namespaces or privileges: Landlock, since Linux 5.13.
#pragma once

#include <string>
#include <vector>

namespace weakspot::race_jit {

struct LandlockRules {
  std::vector<std::string> readable;  // files and folders; missing ones are passed over
  std::vector<std::string> writable;  // these as well
  bool network = true;                // leave the network alone, and signals to other processes
};

// From now on, and for good, this thread and what it starts reach only these files, and look into no other process.
// False if the system has no Landlock, or not with these rules: then nothing has changed.
bool restrict_files(const LandlockRules& rules);

}  // namespace weakspot::race_jit
