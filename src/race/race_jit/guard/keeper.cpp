// SPDX-License-Identifier: MIT
#include "race_jit/guard/keeper.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <linux/capability.h>
#include <linux/securebits.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <map>

#include "race_jit/guard/filter.h"
#include "race_jit/guard/landlock.h"
#include "race_jit/guard/mounts.h"
#include "system/strays.h"

namespace weakspot::race_jit {
namespace {

bool put_into(const char* path, const std::string& text) {
  const base::UniqueFd file(open(path, O_WRONLY | O_CLOEXEC));
  return file.valid() && write(file.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size());
}

void drop_privileges() {
  for (int capability = 0; prctl(PR_CAPBSET_READ, capability, 0, 0, 0) >= 0; ++capability) {
    prctl(PR_CAPBSET_DROP, capability, 0, 0, 0);
  }
  prctl(PR_SET_SECUREBITS, SECBIT_NOROOT | SECBIT_NOROOT_LOCKED | SECBIT_NO_CAP_AMBIENT_RAISE, 0, 0, 0);
  __user_cap_header_struct head{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct none[2] = {};
  syscall(SYS_capset, &head, none);
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
}

// Closes all descriptors but these.
void close_others(std::vector<int> kept) {
  kept.insert(kept.end(), {0, 1, 2});
  DIR* all = opendir("/proc/self/fd");
  std::vector<int> open_ones;
  while (const dirent* entry = all == nullptr ? nullptr : readdir(all)) open_ones.push_back(std::atoi(entry->d_name));
  if (all != nullptr) closedir(all);
  for (const int fd : open_ones) {
    if (std::find(kept.begin(), kept.end(), fd) == kept.end()) close(fd);
  }
}

void limit(int what, std::uint64_t most) {
  rlimit now{};
  getrlimit(static_cast<__rlimit_resource_t>(what), &now);
  const rlimit wanted{std::min<rlim_t>(most, now.rlim_max), std::min<rlim_t>(most, now.rlim_max)};
  setrlimit(static_cast<__rlimit_resource_t>(what), &wanted);
}

// The bytes that RLIMIT_DATA counts for this process now.
std::uint64_t data_now() {
  std::uint64_t pages = 0;
  if (FILE* file = std::fopen("/proc/self/statm", "re")) {
    unsigned long long data = 0;
    if (std::fscanf(file, "%*u %*u %*u %*u %*u %llu", &data) == 1) pages = data;
    std::fclose(file);
  }
  return pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

struct Use {
  std::uint64_t processes = 0, bytes = 0;
};

class Keeper {
 public:
  Keeper(const SandboxOptions& options, Separation separation, int news)
      : options_(options), separation_(separation), news_(news) {}

  [[noreturn]] void run(uid_t user, gid_t group, const std::function<int()>& program) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setsid();
    if (!options_.trust) prepare(user, group);
    close_others([&] {
      std::vector<int> kept = options_.keep;
      kept.push_back(news_);
      return kept;
    }());
    main_ = fork();
    if (main_ == 0) start(program);
    for (const int fd : options_.keep) close(fd);
    if (main_ < 0) {
      say("limit", fmt::format("cannot start the program: {}", std::strerror(errno)));
      _exit(1);
    }
    watch();
  }

 private:
  void say(const char* what, const std::string& text) const {
    const std::string line = fmt::format("{} {}\n", what, text);
    if (write(news_, line.data(), line.size()) < 0) _exit(1);
  }

  void prepare(uid_t user, gid_t group) {
    if (separation_ == Separation::with_user) {
      put_into("/proc/self/setgroups", "deny");
      put_into("/proc/self/uid_map", fmt::format("{0} {0} 1", user));
      put_into("/proc/self/gid_map", fmt::format("{0} {0} 1", group));
    }
    if (separation_ != Separation::none) mounted_ = arrange_file_system(options_.limits.scratch, options_.readable);
    for (const std::string& one : mounted_.missing) say("note", one);
    if (separation_ == Separation::none) {
      say("note",
          "this system allows no namespaces: the program can see other processes; sockets are refused, and processes "
          "that it leaves behind are searched for");
    }
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
    drop_privileges();
    prctl(PR_SET_PDEATHSIG, SIGKILL);  // a change of privileges may have cleared it
  }

  // In the process of the program.
  [[noreturn]] void start(const std::function<int()>& program) {
    setsid();
    prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (!options_.trust) confine();
    close(news_);
    _exit(program());
  }

  void confine() {
    const std::string temporary = mounted_.read_only ? mounted_.temporary : options_.scratch;
    for (const char* name : {"TMPDIR", "HOME"}) setenv(name, temporary.c_str(), 1);
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_FSIZE, options_.limits.scratch);
    limit(RLIMIT_DATA, data_now() + options_.limits.memory);
    limit(RLIMIT_CPU, options_.limits.processor_seconds);
    limit(RLIMIT_MSGQUEUE, 0);
    // Elsewhere it would count all processes of the user.
    if (separation_ == Separation::with_user) limit(RLIMIT_NPROC, options_.limits.processes + 2);
    hide_files();
    ProgramFilter what;
    what.internet = separation_ != Separation::none;
    if (separation_ == Separation::none) what.signals_to = getpid();
    if (!install_filter(program_filter(what))) {
      say("note", "this system has no filters on system calls: the program can use all of them");
    }
  }

  // In a mount namespace nothing outside can change, and some folders take changes into memory.
  void hide_files() {
    LandlockRules rules{options_.readable, {options_.scratch}, false};
    if (mounted_.read_only) rules = {options_.readable, {mounted_.temporary, "/dev"}, true};
    if (mounted_.here_changes) rules.writable.push_back(".");
    const bool hidden = restrict_files(rules);
    if (mounted_.read_only) {
      if (!hidden) say("note", kNoLandlock);
    } else {
      say("note", hidden ? "the working folder and /tmp are read-only; TMPDIR names a folder for files"
                         : "this system has neither mount namespaces nor Landlock: the program can read and change "
                           "files of this user");
    }
  }

  // The sum over all descendants. /proc may number them differently than we do.
  Use use_now() const {
    std::map<pid_t, pid_t> parent;
    DIR* all = opendir("/proc");
    if (all == nullptr) return {};
    while (const dirent* entry = readdir(all)) {
      const int process = std::atoi(entry->d_name);
      if (process <= 0) continue;
      char text[512];
      const base::UniqueFd file(open(fmt::format("/proc/{}/stat", process).c_str(), O_RDONLY | O_CLOEXEC));
      const ssize_t size = file.valid() ? read(file.get(), text, sizeof text - 1) : 0;
      if (size <= 0) continue;
      text[size] = 0;
      const char* after = std::strrchr(text, ')');
      if (after != nullptr && std::strlen(after) > 4) parent[process] = std::atoi(after + 4);
    }
    closedir(all);
    char self[32] = {};
    const ssize_t length = readlink("/proc/self", self, sizeof self - 1);
    const pid_t own = length > 0 ? std::atoi(self) : getpid();
    Use use;
    std::uint64_t most_shared = 0;
    for (const auto& entry : parent) {
      pid_t at = entry.first;
      for (int depth = 0; at != own && at > 1 && depth < 4096; ++depth) {
        const auto found = parent.find(at);
        at = found == parent.end() ? 0 : found->second;
      }
      if (at != own || entry.first == own) continue;
      ++use.processes;
      unsigned long long resident = 0, shared = 0;
      if (FILE* file = std::fopen(fmt::format("/proc/{}/statm", entry.first).c_str(), "re")) {
        if (std::fscanf(file, "%*u %llu %llu", &resident, &shared) != 2) resident = shared = 0;
        std::fclose(file);
      }
      use.bytes += resident - std::min(shared, resident);
      most_shared = std::max<std::uint64_t>(most_shared, shared);
    }
    use.bytes = (use.bytes + most_shared) * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
    return use;
  }

  // Without namespaces nothing else limits what files take together.
  std::uint64_t scratch_now() const {
    namespace fs = std::filesystem;
    std::uint64_t bytes = 0;
    std::error_code error;
    for (fs::recursive_directory_iterator entry(options_.scratch, error), end; !error && entry != end;
         entry.increment(error)) {
      std::error_code ignored;
      if (entry->is_regular_file(ignored)) bytes += entry->file_size(ignored);
    }
    return bytes;
  }

  std::string exceeded() const {
    const SandboxLimits& most = options_.limits;
    const Use use = use_now();
    if (use.processes > most.processes) return fmt::format("more than {} processes", most.processes);
    if (use.bytes > most.memory) return fmt::format("more than {} MiB of memory", most.memory >> 20);
    if (!mounted_.read_only && scratch_now() > most.scratch) {
      return fmt::format("more than {} MiB of files", most.scratch >> 20);
    }
    return {};
  }

  void end_all() {
    if (separation_ != Separation::none) {
      kill(-1, SIGKILL);  // all of the namespace but us
    } else {
      strays_.end();
    }
  }

  // Waits for the program, and for orphans that become children of this process.
  [[noreturn]] void watch() {
    for (;;) {
      int status = 0;
      check_limits();
      const pid_t ended = waitpid(-1, &status, WNOHANG);
      if (ended == main_) tell_end(status);
      if (ended > 0 || (ended < 0 && errno == EINTR)) continue;
      if (ended < 0) _exit(1);
      wait_for_child(kBetweenLooks);
    }
  }

  // Looks at the limits now and then.
  void check_limits() {
    if (options_.trust || Clock::now() < next_look_) return;
    if (const std::string what = exceeded(); !what.empty()) {
      say("limit", what);
      end_all();
      _exit(1);
    }
    next_look_ = Clock::now() + std::chrono::milliseconds(kBetweenLooks);
  }

  // Until a child ends, or for that long at most.
  static void wait_for_child(int milliseconds) {
    sigset_t child;
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    const timespec time{milliseconds / 1000, milliseconds % 1000 * 1'000'000L};
    sigtimedwait(&child, nullptr, &time);
  }

  [[noreturn]] void tell_end(int status) {
    if (WIFSIGNALED(status)) {
      say("signal", std::to_string(WTERMSIG(status)));
    } else {
      say("exit", std::to_string(WEXITSTATUS(status)));
    }
    end_all();
    _exit(0);
  }

  using Clock = std::chrono::steady_clock;
  static constexpr int kBetweenLooks = 50;  // milliseconds

  const SandboxOptions& options_;
  Separation separation_;
  int news_;
  Mounted mounted_;
  base::Strays strays_;
  pid_t main_ = -1;
  Clock::time_point next_look_ = Clock::now() + std::chrono::milliseconds(kBetweenLooks);
};

}  // namespace

void keep(const SandboxOptions& options, Separation separation, int news, uid_t user, gid_t group,
          const std::function<int()>& program) {
  // Blocked, so that sigtimedwait() takes it; the program gets none of it.
  sigset_t child, none;
  sigemptyset(&child);
  sigemptyset(&none);
  sigaddset(&child, SIGCHLD);
  for (int number = 1; number < 32; ++number) signal(number, SIG_DFL);
  sigprocmask(SIG_SETMASK, &child, nullptr);
  Keeper(options, separation, news).run(user, group, [&] {
    sigset_t nothing;
    sigemptyset(&nothing);
    sigprocmask(SIG_SETMASK, &nothing, nullptr);
    return program();
  });
}

}  // namespace weakspot::race_jit
