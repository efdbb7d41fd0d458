// SPDX-License-Identifier: MIT
// Runs a function of the user's program in a process that can do no harm.
//
// Between us and it stands a keeper: the first process of a process namespace, so that all others end with it. It makes
// the namespaces (user, process, mount, network, System V), drops all privileges, starts the program in a session of
// its own, watches the memory and the number of the processes, and tells how the program ended. Landlock hides the
// files that the program does not need. Where the system does not allow namespaces, Landlock, a stricter filter on
// system calls and a search for stray processes stand in, and notes say what is missing.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/unique_fd.h"
#include "system/child.h"

namespace weakspot::race_jit {

struct SandboxLimits {
  std::uint64_t memory = 0;             // bytes of all processes together
  std::uint64_t scratch = 0;            // bytes of all files that the program writes
  std::uint64_t processes = 256;        // at the same time
  std::uint64_t processor_seconds = 0;  // per process

  // For this machine: half of its memory, at most 16 GiB; an eighth of it for files, at most 1 GiB.
  static SandboxLimits of_this_machine(double seconds);
};

inline constexpr const char* kNoLandlock =
    "this system has no Landlock: the compiler and main() can read all files of this user";

struct SandboxOptions {
  bool trust = false;                 // only the keeper: no namespaces, filters and limits
  std::string scratch;                // a folder for the program where namespaces are missing
  std::vector<std::string> readable;  // files and folders that the program sees; see readable.h
  std::vector<int> keep;              // descriptors that the program has besides 0, 1 and 2
  SandboxLimits limits;
};

// The end of the program, as far as it is known.
struct SandboxEnd {
  std::optional<base::Ending> program;
  std::string limit;  // the exceeded limit: "more than 256 processes"
};

class Sandbox {
 public:
  // `program` is called in the new process, which ends with its result. No thread but this one may exist.
  static base::Result<Sandbox> start(const SandboxOptions& options, const std::function<int()>& program);
  // Kills everything in it.
  ~Sandbox();
  Sandbox(Sandbox&& other) noexcept;
  Sandbox& operator=(Sandbox&&) = delete;

  // Becomes readable when there is something to take.
  int descriptor() const { return news_.get(); }
  // Reads what the keeper says; true when the program has ended.
  bool has_ended();
  const SandboxEnd& end() const { return end_; }
  // Layers that this system does not have, for a person.
  const std::vector<std::string>& notes() const { return notes_; }

 private:
  Sandbox(pid_t keeper, base::UniqueFd news) : keeper_(keeper), news_(std::move(news)) {}

  pid_t keeper_ = -1;
  base::UniqueFd news_;
  std::string pending_;
  std::vector<std::string> notes_;
  SandboxEnd end_;
  bool ended_ = false;
};

}  // namespace weakspot::race_jit
