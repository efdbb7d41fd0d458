// SPDX-License-Identifier: MIT
// Starting a process with pipes: what run_process() and Child share.
#pragma once

#include <signal.h>
#include <spawn.h>
#include <sys/types.h>

#include <chrono>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/unique_fd.h"

namespace weakspot::base {

struct Pipe {
  UniqueFd read;
  UniqueFd write;
};
// Both ends are closed in processes started later.
Result<Pipe> make_pipe();

class FileActions {
 public:
  FileActions() { posix_spawn_file_actions_init(&actions_); }
  ~FileActions() { posix_spawn_file_actions_destroy(&actions_); }
  FileActions(const FileActions&) = delete;
  FileActions& operator=(const FileActions&) = delete;
  void duplicate(int from, int to) { posix_spawn_file_actions_adddup2(&actions_, from, to); }
  posix_spawn_file_actions_t* get() { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_;
};

// Our environment with the additions (NAME=value) in place of variables of the same name.
std::vector<std::string> merged_environment(const std::vector<std::string>& additions);

// The environment that this process was started with. Drivers change ours: one sets OCL_ICD_FILENAMES to its own name,
// and a child that inherits that sees no other driver.
const std::vector<std::string>& first_environment();

// Starts the child in a process group of its own, so that its own children can be ended with it.
Result<pid_t> spawn(std::vector<std::string> command, std::vector<std::string> environment, FileActions& actions);

// The timeout for poll(): the milliseconds that are left, at least 0.
int milliseconds_until(std::chrono::steady_clock::time_point end);

// While one exists, writing to a pipe without a reader is an error and not a signal.
class IgnoreBrokenPipe {
 public:
  IgnoreBrokenPipe() {
    struct sigaction ignore{};
    ignore.sa_handler = SIG_IGN;
    ::sigaction(SIGPIPE, &ignore, &previous_);
  }
  ~IgnoreBrokenPipe() { ::sigaction(SIGPIPE, &previous_, nullptr); }
  IgnoreBrokenPipe(const IgnoreBrokenPipe&) = delete;
  IgnoreBrokenPipe& operator=(const IgnoreBrokenPipe&) = delete;

 private:
  struct sigaction previous_{};
};

}  // namespace weakspot::base
