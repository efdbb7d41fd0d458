// SPDX-License-Identifier: MIT
#include "race_jit/guard/landlock.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>

#include "base/unique_fd.h"

namespace weakspot::race_jit {
namespace {

// The interface of the kernel, of which older headers know only a part.
constexpr long kCreateRuleset = 444, kAddRule = 445, kRestrictSelf = 446;
constexpr std::uint32_t kAskVersion = 1, kPathBeneath = 1;
struct Ruleset {
  std::uint64_t files = 0, network = 0, scoped = 0;
};
struct __attribute__((packed)) PathRule {
  std::uint64_t allowed;
  std::int32_t parent;
};
constexpr std::uint64_t kExecute = 1, kWriteFile = 2, kReadFile = 4, kReadFolder = 8;
constexpr std::uint64_t kFirstRights = (1u << 13) - 1, kRefer = 1u << 13, kTruncate = 1u << 14;
constexpr std::uint64_t kOfFiles = kExecute | kWriteFile | kReadFile | kTruncate;
constexpr std::uint64_t kBindAndConnect = 3, kAbstractSocketsAndSignals = 3;

bool allow(int ruleset, const std::string& path, std::uint64_t rights) {
  const base::UniqueFd place(open(path.c_str(), O_PATH | O_CLOEXEC));
  struct stat found{};
  if (!place.valid() || fstat(place.get(), &found) != 0) return false;
  if (!S_ISDIR(found.st_mode)) rights &= kOfFiles;
  const PathRule rule{rights, place.get()};
  return syscall(kAddRule, ruleset, kPathBeneath, &rule, 0) == 0;
}

}  // namespace

bool restrict_files(const LandlockRules& wanted) {
  const long version = syscall(kCreateRuleset, nullptr, 0, kAskVersion);
  if (version < 1) return false;
  Ruleset rules;
  rules.files = kFirstRights | (version >= 2 ? kRefer : 0) | (version >= 3 ? kTruncate : 0);
  if (version >= 4 && !wanted.network) rules.network = kBindAndConnect;
  if (version >= 6 && !wanted.network) rules.scoped = kAbstractSocketsAndSignals;
  const std::size_t size = version >= 6 ? 24 : version >= 4 ? 16 : 8;
  const base::UniqueFd ruleset(static_cast<int>(syscall(kCreateRuleset, &rules, size, 0)));
  if (!ruleset.valid()) return false;
  for (const std::string& path : wanted.readable) allow(ruleset.get(), path, kExecute | kReadFile | kReadFolder);
  for (const std::string& path : wanted.writable) {
    if (!allow(ruleset.get(), path, rules.files)) return false;
  }
  for (const char* device : {"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"}) {
    allow(ruleset.get(), device, kReadFile | kWriteFile);
  }
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && syscall(kRestrictSelf, ruleset.get(), 0) == 0;
}

}  // namespace weakspot::race_jit
