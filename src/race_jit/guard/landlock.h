// SPDX-License-Identifier: MIT
// A read-only file system without namespaces or privileges: Landlock, since Linux 5.13.
#pragma once

#include <string>

namespace weakspot::race_jit {

// From now on, and for good, this process and those it starts change files only below `writable`, and use no network as
// far as this system's Landlock knows about that. False if the system has none.
bool restrict_writes_to(const std::string& writable);

}  // namespace weakspot::race_jit
