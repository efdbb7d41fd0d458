#include "base/subprocess.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "base/unique_fd.h"

extern char** environ;

namespace weakspot::base {
namespace {

using Clock = std::chrono::steady_clock;

struct Pipe {
  UniqueFd read;
  UniqueFd write;
};

Result<Pipe> make_pipe() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return error(fmt::format("cannot make a pipe: {}", std::strerror(errno)));
  return Pipe{UniqueFd(ends[0]), UniqueFd(ends[1])};
}

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

// Our environment with the additions in place of variables of the same name.
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

std::vector<char*> pointers(std::vector<std::string>& strings) {
  std::vector<char*> result;
  for (std::string& string : strings) result.push_back(string.data());
  result.push_back(nullptr);
  return result;
}

// Starts the child in a process group of its own, so that its own children can be ended with it.
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
  if (code != 0) return error(fmt::format("cannot start '{}': {}", command[0], std::strerror(code)));
  return child;
}

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

class IgnoreBrokenPipe {
 public:
  IgnoreBrokenPipe() {
    struct sigaction ignore {};
    ignore.sa_handler = SIG_IGN;
    ::sigaction(SIGPIPE, &ignore, &previous_);
  }
  ~IgnoreBrokenPipe() { ::sigaction(SIGPIPE, &previous_, nullptr); }
  IgnoreBrokenPipe(const IgnoreBrokenPipe&) = delete;
  IgnoreBrokenPipe& operator=(const IgnoreBrokenPipe&) = delete;

 private:
  struct sigaction previous_ {};
};

int milliseconds_until(Clock::time_point end) {
  auto left = std::chrono::ceil<std::chrono::milliseconds>(end - Clock::now()).count();
  return static_cast<int>(std::clamp<long long>(left, 0, 1'000'000));
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
