// SPDX-License-Identifier: MIT
#include "backend/webgpu/browser.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <thread>

#include "system/spawn.h"

namespace weakspot::backend::webgpu {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

// The time that a browser may take to end by itself.
constexpr auto kPatience = std::chrono::seconds(2);
// The descriptors where a browser expects the two pipes of its debugger.
constexpr int kCommands = 3;
constexpr int kReplies = 4;

fs::path on_the_path(std::string_view name) {
  const char* const path = std::getenv("PATH");
  std::string_view rest = path == nullptr ? "" : path;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(':'), rest.size());
    const fs::path program = fs::path(rest.substr(0, end)) / name;
    std::error_code none;
    if (fs::is_regular_file(program, none) && ::access(program.c_str(), X_OK) == 0) return program;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return {};
}

std::vector<std::string> command_line(const fs::path& program, Adapter adapter, const fs::path& folder,
                                      const std::string& url) {
  std::vector<std::string> words = {program.string(),
                                    "--headless",
                                    "--enable-unsafe-webgpu",
                                    "--no-first-run",
                                    "--no-default-browser-check",
                                    "--disable-quic",
                                    "--disable-background-networking",
                                    "--disable-component-update",
                                    "--disable-sync",
                                    "--disable-extensions",
                                    "--disable-breakpad",
                                    "--disable-dev-shm-usage",
                                    "--disable-gpu-watchdog",
                                    "--no-proxy-server",
                                    "--remote-debugging-pipe",
                                    fmt::format("--user-data-dir={}", (folder / "profile").string())};
  if (adapter == Adapter::software) {
    words.emplace_back("--use-webgpu-adapter=swiftshader");
  } else {
    words.emplace_back("--enable-features=Vulkan");
    words.emplace_back("--ignore-gpu-blocklist");
  }
  // A browser refuses to run as root inside its sandbox. It shows no page but ours.
  if (::geteuid() == 0) words.emplace_back("--no-sandbox");
  words.push_back(url);
  return words;
}

// All that the browser writes goes to the folder: its caches, its locks, its keys.
std::vector<std::string> environment_in(const fs::path& folder) {
  constexpr std::string_view kFolders[] = {"HOME", "TMPDIR", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME"};
  std::vector<std::string> variables;
  for (const std::string& variable : base::first_environment()) {
    const std::string_view name = std::string_view(variable).substr(0, variable.find('='));
    if (std::find(std::begin(kFolders), std::end(kFolders), name) == std::end(kFolders)) variables.push_back(variable);
  }
  for (const std::string_view name : kFolders) variables.push_back(fmt::format("{}={}", name, folder.string()));
  return variables;
}

// A duplicate above the descriptors that the browser expects to find free.
base::UniqueFd out_of_the_way(const base::UniqueFd& fd) {
  return base::UniqueFd(::fcntl(fd.get(), F_DUPFD_CLOEXEC, kReplies + 1));
}

base::Ending ending_of(int status) {
  base::Ending ending;
  if (WIFSIGNALED(status)) {
    ending.signal = WTERMSIG(status);
  } else {
    ending.exit_code = WEXITSTATUS(status);
  }
  return ending;
}

}  // namespace

fs::path find_browser() {
  if (const char* const named = std::getenv("WEAKSPOT_BROWSER"); named != nullptr && *named != '\0') return named;
  for (const std::string_view name :
       {"chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"}) {
    if (fs::path found = on_the_path(name); !found.empty()) return found;
  }
  return {};
}

bool has_gpu() {
  std::error_code none;
  if (fs::exists("/dev/nvidia0", none)) return true;
  for (const auto& entry : fs::directory_iterator("/dev/dri", none)) {
    if (entry.path().filename().string().starts_with("renderD")) return true;
  }
  return false;
}

base::Result<Browser> Browser::start(const fs::path& program, Adapter adapter, const std::string& url) {
  auto folder = std::make_unique<base::TemporaryFolder>();
  if (folder->path().empty()) return base::error("webgpu: no temporary folder could be made");
  base::Result<base::Pipe> commands = base::make_pipe();
  if (!commands) return commands.errors();
  base::Result<base::Pipe> replies = base::make_pipe();
  if (!replies) return replies.errors();
  const base::UniqueFd nothing(::open("/dev/null", O_RDWR | O_CLOEXEC));
  const base::UniqueFd read = out_of_the_way(commands->read);
  const base::UniqueFd write = out_of_the_way(replies->write);
  base::FileActions actions;
  for (const int standard : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) actions.duplicate(nothing.get(), standard);
  actions.duplicate(read.get(), kCommands);
  actions.duplicate(write.get(), kReplies);
  const base::Result<pid_t> process =
      base::spawn(command_line(program, adapter, folder->path(), url), environment_in(folder->path()), actions);
  if (!process) return process.errors();
  return Browser(*process, std::move(commands->write), std::move(replies->read), std::move(folder));
}

Browser::Browser(Browser&& other) noexcept
    : process_(std::exchange(other.process_, -1)),
      ending_(std::move(other.ending_)),
      commands_(std::move(other.commands_)),
      replies_(std::move(other.replies_)),
      folder_(std::move(other.folder_)) {}

Browser::~Browser() {
  if (process_ < 0) return;
  commands_.reset();
  replies_.reset();
  const Clock::time_point limit = Clock::now() + kPatience;
  while (!ending() && Clock::now() < limit) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  ::kill(-process_, SIGKILL);
  if (ending_) return;
  int status = 0;
  while (::waitpid(process_, &status, 0) < 0 && errno == EINTR) {
  }
}

std::optional<base::Ending> Browser::ending() {
  if (ending_) return ending_;
  int status = 0;
  if (::waitpid(process_, &status, WNOHANG) == process_) ending_ = ending_of(status);
  return ending_;
}

}  // namespace weakspot::backend::webgpu
