// SPDX-License-Identifier: MIT
#include "system/subprocess.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "base/unique_fd.h"
#include "system/spawn.h"

namespace weakspot::base {
namespace {

using Clock = std::chrono::steady_clock;

// Reads what is there; false at the end of the stream.
bool drain(int fd, std::string& kept, std::size_t limit) {
  char buffer[1 << 15];
  ssize_t count = ::read(fd, buffer, sizeof buffer);
  if (count < 0) return errno == EINTR || errno == EAGAIN;
  std::size_t room = limit - std::min(limit, kept.size());
  kept.append(buffer, std::min(room, static_cast<std::size_t>(count)));
  return count > 0;
}

// Writes what the pipe takes; false when all is written or nobody reads.
bool feed(int fd, std::string_view& input) {
  ssize_t count = ::write(fd, input.data(), input.size());
  if (count < 0) return errno == EINTR || errno == EAGAIN;
  input.remove_prefix(static_cast<std::size_t>(count));
  return !input.empty();
}

// Moves bytes until both streams have ended or the deadline is over; true if they ended.
bool exchange(Pipe& in, Pipe& out, Pipe& err, const ProcessOptions& options, ProcessResult& result,
              Clock::time_point end) {
  std::string_view input = options.input;
  if (input.empty()) in.write.reset();
  ::fcntl(in.write.get(), F_SETFL, O_NONBLOCK);
  while (out.read.valid() || err.read.valid()) {
    pollfd waits[3] = {{out.read.get(), POLLIN, 0}, {err.read.get(), POLLIN, 0}, {in.write.get(), POLLOUT, 0}};
    int ready = ::poll(waits, 3, milliseconds_until(end));
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) return false;
    if (waits[0].revents != 0 && !drain(out.read.get(), result.output, options.output_limit)) out.read.reset();
    if (waits[1].revents != 0 && !drain(err.read.get(), result.errors, options.output_limit)) err.read.reset();
    if (waits[2].revents != 0 && !feed(in.write.get(), input)) in.write.reset();
  }
  return true;
}

// Waits for the child's end; false if the deadline comes first.
bool reap(pid_t child, int& status, Clock::time_point end) {
  while (true) {
    pid_t ended = ::waitpid(child, &status, WNOHANG);
    if (ended == child) return true;
    if (ended < 0 && errno != EINTR) return false;
    int left = milliseconds_until(end);
    if (left == 0) return false;
    ::poll(nullptr, 0, std::min(left, 2));
  }
}

}  // namespace

std::string find_program(const std::string& name, const std::vector<std::string>& folders) {
  std::vector<std::string> all;
  const char* path = std::getenv("PATH");
  const std::string listed = path == nullptr ? "" : path;
  for (std::size_t at = 0; at < listed.size();) {
    const std::size_t end = std::min(listed.find(':', at), listed.size());
    if (end > at) all.push_back(listed.substr(at, end - at));
    at = end + 1;
  }
  all.insert(all.end(), folders.begin(), folders.end());
  for (const std::string& folder : all) {
    const std::string file = folder + "/" + name;
    if (::access(file.c_str(), X_OK) == 0) return file;
  }
  return {};
}

Result<ProcessResult> run_process(const std::vector<std::string>& command, const ProcessOptions& options) {
  WEAKSPOT_CHECK(!command.empty());
  Result<Pipe> in = make_pipe(), out = make_pipe(), err = make_pipe();
  for (const Result<Pipe>* pipe : {&in, &out, &err}) {
    if (!pipe->ok()) return pipe->errors();
  }
  FileActions actions;
  actions.duplicate(in->read.get(), STDIN_FILENO);
  actions.duplicate(out->write.get(), STDOUT_FILENO);
  actions.duplicate(err->write.get(), STDERR_FILENO);
  IgnoreBrokenPipe ignore;
  Result<pid_t> child = spawn(command, merged_environment(options.environment), actions);
  if (!child) return child.errors();
  in->read.reset();
  out->write.reset();
  err->write.reset();

  ProcessResult result;
  const Clock::time_point end = Clock::now() + options.deadline;
  int status = 0;
  const bool ended = exchange(*in, *out, *err, options, result, end) && reap(*child, status, end);
  if (!ended) {
    result.timed_out = true;
    ::kill(-*child, SIGKILL);
    while (::waitpid(*child, &status, 0) < 0 && errno == EINTR) {
    }
  }
  if (WIFSIGNALED(status)) result.signal = WTERMSIG(status);
  if (WIFEXITED(status)) result.exit_code = WEXITSTATUS(status);
  return result;
}

}  // namespace weakspot::base
