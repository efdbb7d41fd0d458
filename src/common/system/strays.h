// SPDX-License-Identifier: MIT
// Processes that a child of ours started and left behind: daemons, programs that outlive a killed parent.
//
// While a Strays lives, orphaned descendants become children of this process, whatever session or process group they
// moved to. end() kills all children that came since then. Other children that a thread of this process starts in the
// meantime would be killed as well: only one thread may start processes.
#pragma once

#include <sys/types.h>

#include <vector>

namespace weakspot::base {

class Strays {
 public:
  Strays();
  ~Strays();
  Strays(const Strays&) = delete;
  Strays& operator=(const Strays&) = delete;

  // Kills and reaps until none is left. Returns how many there were.
  unsigned end() const;

 private:
  std::vector<pid_t> before_;  // children that are not ours to end
  int was_reaper_ = 0;
};

}  // namespace weakspot::base
