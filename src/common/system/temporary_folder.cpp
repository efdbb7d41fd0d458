// SPDX-License-Identifier: MIT
#include "system/temporary_folder.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <mutex>
#include <string>

namespace weakspot::base {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kPrefix = "weakspot-";
constexpr std::size_t kRandomLetters = 6;
constexpr time_t kYoungestSwept = 60;  // seconds

// The lock is one of the folder itself, which goes when the last process that holds it ends, however it ends.
UniqueFd locked(const fs::path& folder) {
  UniqueFd fd(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (fd.valid() && ::flock(fd.get(), LOCK_EX | LOCK_NB) != 0) fd.reset();
  return fd;
}

bool is_old_and_ours(const fs::path& folder) {
  struct stat found{};
  return ::lstat(folder.c_str(), &found) == 0 && S_ISDIR(found.st_mode) && found.st_uid == ::geteuid() &&
         found.st_mtime + kYoungestSwept < ::time(nullptr);
}

}  // namespace

void sweep_temporary_folders(const fs::path& parent) {
  std::error_code error;
  for (fs::directory_iterator entry(parent, error), end; !error && entry != end; entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    if (!name.starts_with(kPrefix) || name.size() != kPrefix.size() + kRandomLetters) continue;
    if (!is_old_and_ours(entry->path())) continue;
    const UniqueFd lock = locked(entry->path());
    std::error_code ignored;
    if (lock.valid()) fs::remove_all(entry->path(), ignored);
  }
}

TemporaryFolder::TemporaryFolder() {
  std::error_code error;
  const fs::path parent = fs::temp_directory_path(error);
  if (error) return;
  static std::once_flag swept;
  std::call_once(swept, [&] { sweep_temporary_folders(parent); });
  std::string name = (parent / (std::string(kPrefix) + std::string(kRandomLetters, 'X'))).string();
  if (mkdtemp(name.data()) == nullptr) return;
  path_ = name;
  lock_ = locked(path_);
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  if (!path_.empty()) fs::remove_all(path_, ignored);
}

}  // namespace weakspot::base
