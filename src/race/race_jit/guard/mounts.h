// SPDX-License-Identifier: MIT
// The file system that a checked program sees, in a mount namespace of its own: everything is as outside, but nothing
// can be changed. The working folder takes changes into memory of limited size, which goes with the program; /tmp is
// there and begins empty, /dev has only harmless devices, and /proc only the program's own processes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace weakspot::race_jit {

struct Mounted {
  bool read_only = false;            // the rest of this holds only then
  bool fresh_proc = false;           // /proc shows only the processes of the namespace
  bool here_changes = false;         // the working folder takes changes
  std::string temporary;             // a folder for temporary files
  std::vector<std::string> missing;  // protections that do not work, for a person
};

// To be called in a new mount namespace, with the right to mount. All changed files together may have `scratch_bytes`.
// What is `readable` in /tmp stays there.
Mounted arrange_file_system(std::uint64_t scratch_bytes, const std::vector<std::string>& readable);

}  // namespace weakspot::race_jit
