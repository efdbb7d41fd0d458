// SPDX-License-Identifier: MIT
#include "race_command/check/process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <fstream>

#include "race/channel.h"
#include "system/child.h"
#include "system/spawn.h"
#include "system/strays.h"

namespace weakspot::race_command {
namespace {

using SteadyClock = std::chrono::steady_clock;

constexpr std::size_t kMostOutput = std::size_t{16} << 20;  // bytes of each stream
constexpr std::chrono::milliseconds kPatience{5000};        // for a report after being told to stop
constexpr int kTick = 20;                                   // milliseconds, to see an end that no stream shows

// What the process has in memory, without what it starts; 0 if that is not known.
std::uint64_t resident_bytes(pid_t process) {
  std::ifstream file(fmt::format("/proc/{}/statm", process));
  std::uint64_t all = 0, resident = 0;
  if (!(file >> all >> resident)) return 0;
  return resident * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

struct RaceStream {
  base::UniqueFd fd;
  std::string kept;
  bool cut = false;

  // Reads what is there, or the first part of it.
  void read(std::size_t limit) {
    char buffer[1 << 16];
    const ssize_t count = ::read(fd.get(), buffer, sizeof buffer);
    if (count < 0 && (errno == EINTR || errno == EAGAIN)) return;
    if (count <= 0) return fd.reset();
    const std::size_t room = limit - std::min(limit, kept.size());
    cut = cut || static_cast<std::size_t>(count) > room;
    kept.append(buffer, std::min(room, static_cast<std::size_t>(count)));
  }
};

class RaceSupervisor {
 public:
  explicit RaceSupervisor(const RaceProcessOptions& options) : options_(options) {}

  base::Result<RaceProcess> run(const std::string& program, const std::string& folder, std::string_view request) {
    if (base::Status started = start(program, folder); !started) return started.errors();
    const base::IgnoreBrokenPipe ignore;
    if (options_.in_all.count() > 0) last_ = SteadyClock::now() + options_.in_all;
    end_ = std::min(last_, SteadyClock::now() + options_.to_compile);
    while (!has_ended()) {
      step(request);
      watch_limits();
    }
    finish();
    return std::move(result_);
  }

 private:
  base::Status start(const std::string& program, const std::string& folder) {
    base::Result<base::Pipe> in = base::make_pipe(), out = base::make_pipe(), err = base::make_pipe(),
                             channel = base::make_pipe();
    for (const base::Result<base::Pipe>* pipe : {&in, &out, &err, &channel}) {
      if (!pipe->ok()) return pipe->errors();
    }
    base::FileActions actions;
    // Copies with high numbers: a pipe may have the number of the channel or of the input.
    base::UniqueFd high(::fcntl(channel->write.get(), F_DUPFD_CLOEXEC, 16));
    // Our own input is the program's, unless a person types it: a program in a session of its own cannot read that.
    base::UniqueFd given(::isatty(STDIN_FILENO) != 0 ? -1 : ::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 16));
    actions.duplicate(in->read.get(), STDIN_FILENO);
    actions.duplicate(out->write.get(), STDOUT_FILENO);
    actions.duplicate(err->write.get(), STDERR_FILENO);
    actions.duplicate(high.get(), race::kChannelDescriptor);
    if (given.get() >= 0) actions.duplicate(given.get(), race::kInputDescriptor);
    base::Result<pid_t> child = base::spawn({program, race::kAnswer, folder}, options_.environment, actions);
    if (!child) return child.errors();
    child_ = *child;
    input_ = std::move(in->write);
    out_.fd = std::move(out->read);
    err_.fd = std::move(err->read);
    channel_.fd = std::move(channel->read);
    for (const int fd : {input_.get(), out_.fd.get(), err_.fd.get(), channel_.fd.get()}) {
      ::fcntl(fd, F_SETFL, O_NONBLOCK);
    }
    return base::ok_status();
  }

  bool has_ended() {
    const pid_t ended = ::waitpid(child_, &status_, WNOHANG);
    return ended == child_ || (ended < 0 && errno != EINTR);
  }

  // Moves bytes for a moment.
  void step(std::string_view& request) {
    pollfd waits[4] = {{out_.fd.get(), POLLIN, 0},
                       {err_.fd.get(), POLLIN, 0},
                       {channel_.fd.get(), POLLIN, 0},
                       {input_.get(), POLLOUT, 0}};
    // A process that closed all its streams is about to end.
    const bool all_closed = !out_.fd.valid() && !err_.fd.valid() && !channel_.fd.valid();
    if (::poll(waits, 4, all_closed ? 1 : kTick) < 0) return;
    if (waits[0].revents != 0) out_.read(kMostOutput);
    if (waits[1].revents != 0) err_.read(kMostOutput);
    if (waits[2].revents != 0) read_channel();
    if (waits[3].revents != 0) {
      const ssize_t count = ::write(input_.get(), request.data(), request.size());
      if (count > 0) request.remove_prefix(static_cast<std::size_t>(count));
      if (request.empty() || (count < 0 && errno != EINTR && errno != EAGAIN)) input_.reset();
    }
  }

  void read_channel() {
    channel_.read(~std::size_t{0});
    records_.add(channel_.kept);
    channel_.kept.clear();
    while (const std::optional<race::Record> record = records_.next()) take(*record);
  }

  void take(const race::Record& record) {
    if (record.kind == race::RecordKind::progress) {
      if (options_.progress) options_.progress(record.text);
      return;
    }
    if (record.kind == race::RecordKind::values) {
      result_.values.push_back(record.text);
      return;
    }
    if (record.kind == race::RecordKind::file) {
      result_.files.push_back(record.text);
      return;
    }
    if (record.kind == race::RecordKind::running) {
      result_.running = true;
      compiled_bytes_ = resident_bytes(child_);
      if (!stopping_) end_ = std::min(last_, SteadyClock::now() + options_.to_run);
      return;
    }
    if (record.kind == race::RecordKind::residual) {
      result_.residual = record.text;
      return;
    }
    base::Result<race::Report> report = race::report_from_json(record.text);
    if (!report || result_.finished) return;
    result_.report = *std::move(report);
    result_.finished = record.kind == race::RecordKind::report;
  }

  // At a limit, or when the user asks for it, the process is told to stop; if it does not, it is killed.
  void watch_limits() {
    if (!stopping_ && options_.interrupted && options_.interrupted()) {
      stop(RaceLimit::interrupt, "interrupted");
    } else if (!stopping_ && takes_too_much()) {
      stop(RaceLimit::memory, "it took too much memory");
    }
    if (SteadyClock::now() < end_) return;
    if (stopping_ || !result_.running) {
      if (!stopping_) {
        result_.limit = RaceLimit::time;
        result_.problem = "compiling did not end in time";
      }
      ::kill(-child_, SIGKILL);
      while (::waitpid(child_, &status_, 0) < 0 && errno == EINTR) {
      }
      end_ = SteadyClock::time_point::max();
      return;
    }
    stop(RaceLimit::time, "the run did not end in time");
  }

  bool takes_too_much() const {
    return result_.running && options_.memory > 0 && resident_bytes(child_) > compiled_bytes_ + options_.memory;
  }

  void stop(RaceLimit limit, const char* why) {
    result_.limit = limit;
    result_.problem = why;
    stopping_ = true;
    end_ = SteadyClock::now() + (options_.all_or_nothing ? std::chrono::milliseconds(0) : kPatience);
    ::kill(child_, SIGTERM);
  }

  void finish() {
    // Reads what is still in the pipes. Other processes may hold their ends, so an end of file may never come.
    strays_.end();
    for (RaceStream* stream : {&out_, &err_}) {
      for (int left = 1 << 10; stream->fd.valid() && left > 0; --left) {
        pollfd wait = {stream->fd.get(), POLLIN, 0};
        if (::poll(&wait, 1, 0) <= 0) break;
        stream->read(kMostOutput);
      }
    }
    while (channel_.fd.valid()) {
      pollfd wait = {channel_.fd.get(), POLLIN, 0};
      if (::poll(&wait, 1, 0) <= 0) break;
      read_channel();
    }
    result_.output = std::move(out_.kept);
    result_.messages = std::move(err_.kept);
    for (const auto& [cut, name] : {std::pair(out_.cut, "output"), std::pair(err_.cut, "messages")}) {
      if (cut) result_.messages += fmt::format("note: the {} was cut after {} MiB\n", name, kMostOutput >> 20);
    }
    base::Ending ending;
    if (WIFSIGNALED(status_)) ending.signal = WTERMSIG(status_);
    if (WIFEXITED(status_)) ending.exit_code = WEXITSTATUS(status_);
    result_.exit_code = ending.exit_code;
    if (ending.signal != 0 && result_.problem.empty()) result_.problem = "the checker " + ending.text();
  }

  const RaceProcessOptions& options_;
  const base::Strays strays_;
  RaceProcess result_;
  pid_t child_ = 0;
  int status_ = 0;
  base::UniqueFd input_;
  RaceStream out_, err_, channel_;
  race::RecordReader records_;
  SteadyClock::time_point end_, last_ = SteadyClock::time_point::max();
  std::uint64_t compiled_bytes_ = 0;  // in memory when it began to run
  bool stopping_ = false;
};

}  // namespace

base::Result<RaceProcess> run_race_process(const std::string& program, const std::string& folder,
                                           const std::string& request, const RaceProcessOptions& options) {
  return RaceSupervisor(options).run(program, folder, request);
}

}  // namespace weakspot::race_command
