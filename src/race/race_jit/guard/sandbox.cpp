// SPDX-License-Identifier: MIT
#include "race_jit/guard/sandbox.h"

#include <fmt/format.h>
#include <sched.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <thread>

#include "race_jit/guard/keeper.h"
#include "system/spawn.h"

namespace weakspot::race_jit {
namespace {

constexpr unsigned long kSeparate = CLONE_NEWPID | CLONE_NEWNS | CLONE_NEWNET | CLONE_NEWIPC;

// A copy of this process, as fork() makes it, in new namespaces.
pid_t copy_into(unsigned long namespaces) {
  return static_cast<pid_t>(syscall(SYS_clone, namespaces | SIGCHLD, nullptr, nullptr, nullptr, nullptr));
}

int number_in(std::string_view text) {
  int number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

}  // namespace

SandboxLimits SandboxLimits::of_this_machine(double seconds) {
  const auto pages = static_cast<std::uint64_t>(std::max(sysconf(_SC_PHYS_PAGES), 1L));
  const std::uint64_t memory = pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  SandboxLimits limits;
  limits.memory = std::min<std::uint64_t>(memory / 2, std::uint64_t{16} << 30);
  limits.scratch = std::min<std::uint64_t>(memory / 8, std::uint64_t{1} << 30);
  limits.processor_seconds =
      static_cast<std::uint64_t>(std::ceil(seconds)) * std::max(std::thread::hardware_concurrency(), 1u) + 1;
  return limits;
}

base::Result<Sandbox> Sandbox::start(const SandboxOptions& options, const std::function<int()>& program) {
  base::Result<base::Pipe> news = base::make_pipe();
  if (!news) return news.errors();
  const uid_t user = geteuid();
  const gid_t group = getegid();
  Separation separation = Separation::none;
  pid_t keeper = -1;
  if (!options.trust) {
    keeper = copy_into(kSeparate | CLONE_NEWUSER);
    separation = Separation::with_user;
    if (keeper < 0) {
      keeper = copy_into(kSeparate);
      separation = Separation::without_user;
    }
  }
  if (keeper < 0) {
    keeper = copy_into(0);
    separation = Separation::none;
  }
  if (keeper < 0) return base::error(fmt::format("cannot start a process: {}", std::strerror(errno)));
  if (keeper == 0) keep(options, separation, news->write.get(), user, group, program);
  return Sandbox(keeper, std::move(news->read));
}

Sandbox::Sandbox(Sandbox&& other) noexcept
    : keeper_(std::exchange(other.keeper_, -1)),
      news_(std::move(other.news_)),
      pending_(std::move(other.pending_)),
      notes_(std::move(other.notes_)),
      end_(std::move(other.end_)),
      ended_(other.ended_) {}

// With a process namespace everything in it ends with the keeper. Without one the keeper ends the others itself when
// the program has ended; what is left if it is killed before is ended by the process that supervises us.
Sandbox::~Sandbox() {
  if (keeper_ < 0) return;
  kill(keeper_, SIGKILL);
  while (waitpid(keeper_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

bool Sandbox::has_ended() {
  char buffer[4096];
  const ssize_t count = read(news_.get(), buffer, sizeof buffer);
  if (count < 0 && errno == EINTR) return ended_;
  if (count <= 0) return ended_ = true;
  pending_.append(buffer, static_cast<std::size_t>(count));
  for (std::size_t end = pending_.find('\n'); end != std::string::npos; end = pending_.find('\n')) {
    const std::string line = pending_.substr(0, end);
    pending_.erase(0, end + 1);
    const std::size_t space = std::min(line.find(' '), line.size() - 1);
    const std::string what = line.substr(0, space), text = line.substr(space + 1);
    if (what == "note") notes_.push_back(text);
    if (what == "limit") end_.limit = text;
    if (what == "exit") end_.program = base::Ending{number_in(text), 0};
    if (what == "signal") end_.program = base::Ending{0, number_in(text)};
    ended_ = ended_ || what != "note";
  }
  return ended_;
}

}  // namespace weakspot::race_jit
