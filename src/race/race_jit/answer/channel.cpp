// SPDX-License-Identifier: MIT
#include "race_jit/answer/channel.h"

#include <signal.h>

#include <cerrno>
#include <string_view>

#include "system/spawn.h"

namespace weakspot::race_jit {

bool Channel::send(const race::Record& record) const {
  if (getpid() != owner_) return false;
  const base::IgnoreBrokenPipe ignore;
  const std::string bytes = race::to_bytes(record);
  std::string_view rest = bytes;
  while (!rest.empty()) {
    const ssize_t count = write(descriptor_, rest.data(), rest.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return false;
    rest.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

}  // namespace weakspot::race_jit
