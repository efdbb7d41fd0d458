// SPDX-License-Identifier: MIT
// Filters on system calls (seccomp), for what namespaces do not cover. A call that a filter refuses fails; nothing is
// killed. They need no libraries and no privileges, and pass on to processes started later.
#pragma once

#include <sys/types.h>

#include <linux/filter.h>

#include <optional>
#include <vector>

namespace weakspot::race_jit {

struct ProgramFilter {
  bool internet = false;            // the program is in a network namespace of its own: its sockets lead nowhere
  std::optional<pid_t> signals_to;  // without a process namespace: the only process that may get signals
};

// For the checked program: nothing that reaches into other processes, changes the system, opens the kernel's less
// tested sides, or makes namespaces.
std::vector<sock_filter> program_filter(const ProgramFilter& what);
// For the checker, in whose process kernels run: besides, no program is started and nothing in the file system changes.
std::vector<sock_filter> checker_filter();

// From now on, and for good. False if the system has no filters.
bool install_filter(const std::vector<sock_filter>& filter);

// Kernels run in the checker's process. They cannot call the system, and one that finds a way finds little to call;
// other processes cannot look into it.
void protect_checker();

}  // namespace weakspot::race_jit
