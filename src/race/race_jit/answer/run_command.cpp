// SPDX-License-Identifier: MIT
#include "race_jit/answer/run_command.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iostream>

#include "base/file.h"
#include "base/markup.h"
#include "race/architecture.h"
#include "race/merged_runs.h"
#include "race/replay.h"
#include "race_jit/answer/compile_source.h"
#include "race_jit/guard/readable.h"
#include "race_jit/guard/sandbox.h"
#include "race_jit/host/program_table.h"
#include "race_jit/machine/signals.h"
#include "race_jit/nvcc/places.h"
#include "system/spawn.h"
#include "system/subprocess.h"

namespace weakspot::race_jit {
namespace {

namespace fs = std::filesystem;
using CommandClock = std::chrono::steady_clock;

constexpr int kFirstPassed = 512;                // far from descriptors that programs close in a loop
constexpr int kOutOfTheWay = 64;                 // above those that a checker has
constexpr int kBetweenLooks = 200;               // milliseconds
constexpr std::chrono::seconds kForReports{30};  // for checkers whose program has ended
constexpr std::size_t kMostCheckers = 256;
constexpr int kCannotStart = 127;

Answer refuse_command(int status, const std::string& command, const std::string& why) {
  Answer answer;
  answer.status = status;
  answer.messages = fmt::format("{}: error: {}\n", command, why);
  return answer;
}

// The checkers beside the processes of the command.
class Checkers {
 public:
  Checkers(std::string program, std::vector<std::string> environment)
      : program_(std::move(program)), environment_(std::move(environment)) {}

  std::size_t count() const { return count_; }

  // Takes one message from the door. A message that is not a request is passed over: only its sender gets nothing.
  void answer_door(int door) {
    char byte = 0;
    iovec bytes{&byte, 1};
    int received[3] = {-1, -1, -1};
    alignas(cmsghdr) char control[CMSG_SPACE(sizeof received)] = {};
    msghdr message{};
    message.msg_iov = &bytes;
    message.msg_iovlen = 1;
    message.msg_control = control;
    message.msg_controllen = sizeof control;
    if (recvmsg(door, &message, MSG_CMSG_CLOEXEC | MSG_DONTWAIT) < 0) return;
    std::vector<base::UniqueFd> kept;
    for (cmsghdr* head = CMSG_FIRSTHDR(&message); head != nullptr; head = CMSG_NXTHDR(&message, head)) {
      if (head->cmsg_level != SOL_SOCKET || head->cmsg_type != SCM_RIGHTS) continue;
      const std::size_t number = (head->cmsg_len - CMSG_LEN(0)) / sizeof(int);
      std::memcpy(received, CMSG_DATA(head), std::min(number, std::size(received)) * sizeof(int));
      for (std::size_t i = 0; i < std::min(number, std::size(received)); ++i) kept.emplace_back(received[i]);
    }
    if (kept.size() == std::size(received) && count_ < kMostCheckers) start(kept);
  }

  // Until all have written their reports, or time is over.
  void wait() {
    const CommandClock::time_point end = CommandClock::now() + kForReports;
    while (!running_.empty() && CommandClock::now() < end) {
      std::erase_if(running_, [](pid_t one) {
        const pid_t ended = waitpid(one, nullptr, WNOHANG);
        return ended == one || (ended < 0 && errno != EINTR);
      });
      if (!running_.empty()) usleep(2000);
    }
    for (const pid_t one : running_) {
      kill(one, SIGKILL);
      waitpid(one, nullptr, 0);
    }
    running_.clear();
  }

 private:
  void start(const std::vector<base::UniqueFd>& ends) {
    base::FileActions actions;
    std::vector<base::UniqueFd> high;
    const int wanted[] = {kProgramSocket, kProgramMemory, kProgramTable};
    for (std::size_t i = 0; i < ends.size(); ++i) {
      high.emplace_back(fcntl(ends[i].get(), F_DUPFD_CLOEXEC, kOutOfTheWay));
      if (!high.back().valid()) return;
      actions.duplicate(high.back().get(), wanted[i]);
    }
    const base::UniqueFd nothing(open("/dev/null", O_RDWR | O_CLOEXEC));
    actions.duplicate(nothing.get(), STDIN_FILENO);
    actions.duplicate(nothing.get(), STDOUT_FILENO);
    const base::Result<pid_t> child = base::spawn({program_, race::kServe}, environment_, actions);
    if (!child) return;
    running_.push_back(*child);
    ++count_;
  }

  std::string program_;
  std::vector<std::string> environment_;
  std::vector<pid_t> running_;
  std::size_t count_ = 0;
};

std::vector<std::string> environment_of_checkers(const race::Request& request, const std::string& reports,
                                                 const std::vector<std::string>& readable) {
  std::vector<std::string> words = {
      "WEAKSPOT_RACE_REPORTS=" + reports, fmt::format("WEAKSPOT_RACE_SECONDS={}", request.seconds),
      fmt::format("WEAKSPOT_RACE_SCHEDULES={}", request.schedules), fmt::format("WEAKSPOT_RACE_JOBS={}", request.jobs)};
  if (request.lockstep) words.push_back("WEAKSPOT_RACE_WARP=lockstep");
  words.push_back("WEAKSPOT_ARCH=" + race::architecture_name(request.architecture.value_or(race::Architecture{})));
  if (!request.trust) words.push_back(fmt::format("{}={}", kReadableVariable, fmt::join(readable, "\n")));
  return base::merged_environment(words);
}

// The variables that lead a program to our libraries and tools.
void lead_to_stand_ins(const std::string& folder, int door) {
  const char* others = std::getenv("LD_LIBRARY_PATH");
  const std::string libraries = others == nullptr || *others == 0 ? folder : folder + ":" + others;
  setenv("LD_LIBRARY_PATH", libraries.c_str(), 1);
  setenv(race::kDoorVariable, std::to_string(door).c_str(), 1);
  setenv("TRITON_LIBCUDA_PATH", folder.c_str(), 1);
  for (const char* name : {"TRITON_PTXAS_PATH", "TRITON_PTXAS_BLACKWELL_PATH"}) {
    setenv(name, (folder + "/ptxas").c_str(), 1);
  }
}

// In the sandbox.
int become_command(const std::string& program, const std::vector<std::string>& words, const std::string& stand_ins,
                   int door) {
  lead_to_stand_ins(stand_ins, door);
  fcntl(door, F_SETFD, 0);
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  execv(program.c_str(), arguments.data());
  const std::string text = fmt::format("{}: error: cannot be started: {}\n", words.front(), std::strerror(errno));
  (void)!write(STDERR_FILENO, text.data(), text.size());
  return kCannotStart;
}

std::string how_it_ended(const SandboxEnd& end) {
  if (!end.limit.empty()) return "the program was stopped: " + end.limit;
  if (!end.program) return "the program was stopped, and nobody knows why";
  if (end.program->signal != 0) return "the program " + end.program->text();
  if (end.program->exit_code != 0) return fmt::format("the program ended with exit code {}", end.program->exit_code);
  return {};
}

// Until the program has ended; why it did not end by itself, or not well.
std::string serve_command(Sandbox& box, int door, Checkers& checkers) {
  while (time_left()) {
    pollfd waits[2] = {{door, POLLIN, 0}, {box.descriptor(), POLLIN, 0}};
    if (poll(waits, 2, kBetweenLooks) <= 0) continue;
    if ((waits[0].revents & POLLIN) != 0) checkers.answer_door(door);
    if (waits[1].revents != 0 && box.has_ended()) return how_it_ended(box.end());
  }
  return stop_requested() ? "the program was interrupted" : "the program did not end in time";
}

race::Report collected(const std::string& reports, const std::string& command, std::size_t expected) {
  std::vector<race::FileReport> runs;
  const base::Result<std::vector<std::string>> files = base::files_under(reports, ".json");
  for (const std::string& file : files ? *files : std::vector<std::string>()) runs.push_back(race::read_run(file));
  while (runs.size() < expected) runs.push_back({command, std::nullopt});
  if (runs.size() != 1 || !runs.front().report) return race::merged_runs(runs);
  race::Report report = *std::move(runs.front().report);
  report.files.clear();
  return report;
}

std::string text_of(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + base::shell_word(word);
  return text;
}

}  // namespace

Answer answer_command(const race::Request& request, const std::string& folder, const Channel& channel) {
  const std::string& name = request.command.front();
  std::error_code error;
  const std::string program = name.find('/') == std::string::npos ? base::find_program(name) : name;
  if (program.empty() || access(program.c_str(), X_OK) != 0 || fs::is_directory(program, error)) {
    const bool is_file = fs::exists(name, error);
    if (program.empty() && is_file && access(name.c_str(), X_OK) == 0 && !fs::is_directory(name, error)) {
      return refuse_command(2, name, fmt::format("expected a program to run behind '--', such as './{}'", name));
    }
    return refuse_command(2, name,
                          is_file ? "expected a program to run behind '--', found a file that cannot be executed"
                                  : "expected a program to run behind '--', and there is none of that name");
  }
  const std::string toolkit = find_toolkit();
  const std::string stand_ins = fs::canonical(fs::path(toolkit) / "driver", error).string();
  if (toolkit.empty() || error) {
    return refuse_command(3, name, "the libraries that take the place of NVIDIA's are missing beside weakspot-race");
  }
  const std::string reports = folder + "/reports", scratch = folder + "/scratch";
  fs::create_directory(reports, error);
  fs::create_directory(scratch, error);
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) {
    return refuse_command(3, name, "no socket can be made");
  }
  base::UniqueFd ours(ends[0]), theirs(ends[1]);
  if (base::UniqueFd high(fcntl(ends[1], F_DUPFD_CLOEXEC, kFirstPassed)); high.valid()) theirs = std::move(high);

  SandboxOptions sandbox;
  sandbox.trust = request.trust;
  sandbox.scratch = scratch;
  sandbox.readable = readable_by_command(request, program);
  for (const std::string& place : {toolkit, fs::canonical(fs::path(stand_ins) / "libcuda.so.1", error).string(),
                                   fs::canonical(fs::path(stand_ins) / "ptxas", error).string()}) {
    sandbox.readable.push_back(place);
  }
  sandbox.limits = SandboxLimits::of_this_machine(request.seconds);
  if (request.memory > 0) sandbox.limits.memory = request.memory << 20;
  sandbox.keep = {theirs.get()};

  CrashGuard guard(request.seconds);
  channel.send({race::RecordKind::running, ""});
  const CommandClock::time_point started = CommandClock::now();
  Checkers checkers(toolkit + "/bin/weakspot-race", environment_of_checkers(request, reports, sandbox.readable));
  Answer answer;
  std::string problem;
  {
    base::Result<Sandbox> box = Sandbox::start(sandbox, [&] {
      ours.reset();
      return become_command(program, request.command, stand_ins, theirs.get());
    });
    if (!box) return refuse_command(3, name, box.errors().front().message);
    theirs.reset();
    problem = serve_command(*box, ours.get(), checkers);
    for (const std::string& note : box->notes()) {
      answer.messages += fmt::format("{}: warning: sandbox: {}\n", name, note);
    }
    if (box->end().program) answer.report.program_exit = box->end().program->exit_code;
  }  // everything that the program started has ended
  checkers.wait();
  const int program_exit = answer.report.program_exit;
  answer.report = collected(reports, text_of(request.command), checkers.count());
  answer.report.program_exit = program_exit;
  race::set_replays(answer.report, race::replay_program(request));
  const char* unchecked = checkers.count() == 0           ? "no call of CUDA reached the checker: nothing was checked"
                          : answer.report.kernels.empty() ? "the program launched no kernel: nothing was checked"
                                                          : nullptr;
  if (checkers.count() == 0 || answer.report.incomplete.empty()) {
    answer.report.incomplete = problem;
    if (unchecked != nullptr) answer.report.incomplete += (problem.empty() ? "" : "; ") + std::string(unchecked);
  }
  answer.report.run_seconds = std::chrono::duration<double>(CommandClock::now() - started).count();
  return answer;
}

}  // namespace weakspot::race_jit
