// SPDX-License-Identifier: MIT
// A new folder for temporary files; the destructor removes it.
//
// A process that is killed leaves its folder behind. Each folder is therefore locked while its owner lives, and the
// first folder that a process makes sweeps those whose owners are gone.
#pragma once

#include <filesystem>

#include "base/unique_fd.h"

namespace weakspot::base {

class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  // Empty if the folder could not be made.
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  UniqueFd lock_;
};

// Removes the temporary folders below `parent` that are ours, that nobody holds and that are older than a minute: a
// younger one may be about to be locked.
void sweep_temporary_folders(const std::filesystem::path& parent);

}  // namespace weakspot::base
