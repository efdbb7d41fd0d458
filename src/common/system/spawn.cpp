// SPDX-License-Identifier: MIT
#include "system/spawn.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "system/shell_limits.h"

extern char** environ;

namespace weakspot::base {
namespace {

std::vector<char*> pointers(std::vector<std::string>& strings) {
  std::vector<char*> result;
  result.reserve(strings.size() + 1);
  for (std::string& string : strings) result.push_back(string.data());
  result.push_back(nullptr);
  return result;
}

std::vector<std::string> environment_now() {
  std::vector<std::string> all;
  for (char** entry = environ; *entry != nullptr; ++entry) all.emplace_back(*entry);
  return all;
}

// Made before main(), and so before any driver is opened.
const std::vector<std::string> kFirstEnvironment = environment_now();

}  // namespace

const std::vector<std::string>& first_environment() { return kFirstEnvironment; }

Result<Pipe> make_pipe() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return error(fmt::format("cannot make a pipe: {}", std::strerror(errno)));
  return Pipe{UniqueFd(ends[0]), UniqueFd(ends[1])};
}

std::vector<std::string> merged_environment(const std::vector<std::string>& additions) {
  auto name_of = [](const std::string& entry) { return entry.substr(0, entry.find('=')); };
  std::vector<std::string> merged = additions;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string name = name_of(*entry);
    const bool replaced = std::any_of(additions.begin(), additions.end(),
                                      [&](const std::string& addition) { return name_of(addition) == name; });
    if (!replaced) merged.emplace_back(*entry);
  }
  return merged;
}

Result<pid_t> spawn(std::vector<std::string> command, std::vector<std::string> environment, FileActions& actions) {
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none;
  sigemptyset(&none);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
  pid_t child = 0;
  std::vector<char*> arguments = pointers(command);
  std::vector<char*> variables = pointers(environment);
  int code = ::posix_spawnp(&child, arguments[0], actions.get(), &attributes, arguments.data(), variables.data());
  posix_spawnattr_destroy(&attributes);
  if (code != 0) {
    const std::string note = code == EAGAIN ? shell_limits_note() : std::string();  // a line
    return error(fmt::format("cannot start '{}': {}{}{}", command[0], std::strerror(code), note.empty() ? "" : "\n",
                             note.substr(0, note.find('\n'))));
  }
  return child;
}

int milliseconds_until(std::chrono::steady_clock::time_point end) {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - std::chrono::steady_clock::now()).count();
  return static_cast<int>(std::clamp<long long>(left, 0, 1'000'000));
}

}  // namespace weakspot::base
