// SPDX-License-Identifier: MIT
#include "system/shell_limits.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <cstdint>

namespace weakspot::base {
namespace {

struct ShellLimit {
  __rlimit_resource resource;
  char letter;
  std::uint64_t unit;  // bytes of ulimit's numbers
  const char* what;
  std::uint64_t harmless;  // from here on nobody feels it
};

constexpr std::uint64_t kNever = RLIM_INFINITY;
constexpr ShellLimit kShellLimits[] = {{RLIMIT_AS, 'v', 1024, "KiB of addresses", kNever},
                                       {RLIMIT_DATA, 'd', 1024, "KiB of memory", kNever},
                                       {RLIMIT_FSIZE, 'f', 1024, "KiB of a file", kNever},
                                       {RLIMIT_NPROC, 'u', 1, "processes and threads", 256},
                                       {RLIMIT_NOFILE, 'n', 1, "open files", 64}};

}  // namespace

std::string shell_limits_note() {
  std::string text;
  for (const ShellLimit& one : kShellLimits) {
    rlimit now{};
    if (getrlimit(one.resource, &now) != 0 || now.rlim_cur >= one.harmless) continue;
    text +=
        fmt::format("{}ulimit -{} ({} {})", text.empty() ? "" : ", ", one.letter, now.rlim_cur / one.unit, one.what);
  }
  return text.empty() ? text : "note: the shell limits this process, which can be the reason: " + text + "\n";
}

}  // namespace weakspot::base
