// SPDX-License-Identifier: MIT
#include "system/child.h"

#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "system/spawn.h"

namespace weakspot::base {
namespace {

struct SignalName {
  int number;
  const char* text;
};
constexpr SignalName kSignals[] = {
    {SIGSEGV, "SIGSEGV (segmentation fault)"}, {SIGILL, "SIGILL (illegal instruction)"}, {SIGABRT, "SIGABRT (aborted)"},
    {SIGBUS, "SIGBUS (bad memory access)"},    {SIGFPE, "SIGFPE (arithmetic error)"},    {SIGKILL, "SIGKILL (killed)"},
    {SIGTERM, "SIGTERM (terminated)"},
};

}  // namespace

std::string Ending::text() const {
  if (signal == 0) return fmt::format("ended with exit code {}", exit_code);
  for (const SignalName& name : kSignals) {
    if (name.number == signal) return fmt::format("died of {}", name.text);
  }
  return fmt::format("died of signal {}", signal);
}

Result<Child> Child::start(const std::vector<std::string>& command) {
  WEAKSPOT_CHECK(!command.empty());
  Result<Pipe> in = make_pipe(), out = make_pipe();
  if (!in) return in.errors();
  if (!out) return out.errors();
  FileActions actions;
  actions.duplicate(in->read.get(), STDIN_FILENO);
  actions.duplicate(out->write.get(), STDOUT_FILENO);
  const Result<pid_t> process = spawn(command, first_environment(), actions);
  if (!process) return process.errors();
  return Child(*process, std::move(in->write), std::move(out->read));
}

Child::Child(Child&& other) noexcept
    : process_(std::exchange(other.process_, -1)),
      input_(std::move(other.input_)),
      output_(std::move(other.output_)),
      pending_(std::move(other.pending_)) {}

Child& Child::operator=(Child&& other) noexcept {
  if (this == &other) return *this;
  end(std::chrono::milliseconds(0));
  process_ = std::exchange(other.process_, -1);
  input_ = std::move(other.input_);
  output_ = std::move(other.output_);
  pending_ = std::move(other.pending_);
  return *this;
}

Child::~Child() { end(std::chrono::milliseconds(0)); }

bool Child::send(std::string_view line) {
  const IgnoreBrokenPipe ignore;
  std::string text(line);
  text += '\n';
  std::string_view rest = text;
  while (!rest.empty()) {
    const ssize_t count = ::write(input_.get(), rest.data(), rest.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return false;
    rest.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

Child::Received Child::receive(std::string& line, Clock::time_point until) {
  while (true) {
    if (const std::size_t end = pending_.find('\n'); end != std::string::npos) {
      line = pending_.substr(0, end);
      pending_.erase(0, end + 1);
      return Received::line;
    }
    pollfd wait = {output_.get(), POLLIN, 0};
    const int ready = ::poll(&wait, 1, milliseconds_until(until));
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) return Received::timeout;
    char buffer[1 << 15];
    const ssize_t count = ::read(output_.get(), buffer, sizeof buffer);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return Received::ended;
    pending_.append(buffer, static_cast<std::size_t>(count));
  }
}

Ending Child::end(std::chrono::milliseconds patience) {
  Ending ending;
  if (process_ < 0) return ending;
  input_.reset();
  const Clock::time_point until = Clock::now() + patience;
  int status = 0;
  while (true) {
    const pid_t ended = ::waitpid(process_, &status, WNOHANG);
    if (ended == process_) break;
    if (ended < 0 && errno != EINTR) {
      process_ = -1;
      return ending;
    }
    if (Clock::now() >= until) {
      ::kill(-process_, SIGKILL);
      while (::waitpid(process_, &status, 0) < 0 && errno == EINTR) {
      }
      break;
    }
    ::poll(nullptr, 0, 1);
  }
  process_ = -1;
  output_.reset();
  if (WIFSIGNALED(status)) ending.signal = WTERMSIG(status);
  if (WIFEXITED(status)) ending.exit_code = WEXITSTATUS(status);
  return ending;
}

}  // namespace weakspot::base
