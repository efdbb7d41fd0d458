// SPDX-License-Identifier: MIT
#include "system/strays.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string>

#include "base/unique_fd.h"

namespace weakspot::base {
namespace {

// The parent of a process; 0 if it is gone. The name in the second field may hold anything.
pid_t parent_of(const std::string& process) {
  const UniqueFd file(::open(("/proc/" + process + "/stat").c_str(), O_RDONLY | O_CLOEXEC));
  char text[512];
  const ssize_t size = file.valid() ? ::read(file.get(), text, sizeof text - 1) : 0;
  if (size <= 0) return 0;
  const std::string line(text, static_cast<std::size_t>(size));
  const std::size_t name_end = line.rfind(')');
  if (name_end == std::string::npos || name_end + 4 > line.size()) return 0;
  return static_cast<pid_t>(std::strtol(line.c_str() + name_end + 4, nullptr, 10));
}

std::vector<pid_t> children() {
  std::vector<pid_t> found;
  DIR* all = ::opendir("/proc");
  if (all == nullptr) return found;
  while (const dirent* entry = ::readdir(all)) {
    const pid_t process = static_cast<pid_t>(std::strtol(entry->d_name, nullptr, 10));
    if (process > 0 && parent_of(entry->d_name) == ::getpid()) found.push_back(process);
  }
  ::closedir(all);
  return found;
}

bool has_children() {
  siginfo_t info{};
  return ::waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0 || errno != ECHILD;
}

constexpr int kMostRounds = 1000;

}  // namespace

Strays::Strays() {
  ::prctl(PR_GET_CHILD_SUBREAPER, &was_reaper_, 0, 0, 0);
  ::prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
  if (has_children()) before_ = children();
}

Strays::~Strays() { ::prctl(PR_SET_CHILD_SUBREAPER, was_reaper_, 0, 0, 0); }

// The children of one that dies are ours in the next round.
unsigned Strays::end() const {
  unsigned ended = 0;
  for (int round = 0; round < kMostRounds && has_children(); ++round) {
    std::vector<pid_t> now = children();
    std::erase_if(now, [&](pid_t one) { return std::find(before_.begin(), before_.end(), one) != before_.end(); });
    if (now.empty()) break;
    for (const pid_t one : now) ::kill(one, SIGKILL);
    for (const pid_t one : now) {
      pid_t reaped = 0;
      do {
        reaped = ::waitpid(one, nullptr, 0);
      } while (reaped < 0 && errno == EINTR);
      if (reaped == one) ++ended;
    }
  }
  return ended;
}

}  // namespace weakspot::base
