// SPDX-License-Identifier: MIT
#include "race_jit/guard/readable.h"

#include <fmt/format.h>
#include <pthread.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "base/check.h"
#include "race_jit/guard/landlock.h"

namespace weakspot::race_jit {
namespace {

namespace fs = std::filesystem;

// The files of /etc that libraries read; the others stay hidden.
constexpr const char* kOfTheSystem[] = {"/usr",
                                        "/bin",
                                        "/sbin",
                                        "/lib",
                                        "/lib32",
                                        "/lib64",
                                        "/libx32",
                                        "/nix/store",
                                        "/gnu/store",
                                        "/proc",
                                        "/etc/group",
                                        "/sys/devices/system",
                                        "/etc/hosts",
                                        "/etc/ld.so.cache",
                                        "/etc/localtime",
                                        "/etc/ld.so.conf",
                                        "/etc/passwd",
                                        "/etc/ld.so.conf.d",
                                        "/etc/timezone",
                                        "/etc/alternatives",
                                        "/etc/host.conf",
                                        "/etc/locale.alias",
                                        "/etc/nsswitch.conf"};

class Places {
 public:
  void add(const fs::path& path) {
    std::error_code error;
    const fs::path found = fs::canonical(path, error);
    if (!error && found != "/") list_.push_back(found.string());
  }

  // A home folder has keys in hidden files, and a checkout has a token in .git.
  void add_folder(const fs::path& folder) {
    std::error_code error;
    const fs::path found = fs::canonical(folder, error);
    if (error || found == "/") return;
    const bool home = is_home(found);
    if (!home && !fs::exists(found / ".git", error)) return list_.push_back(found.string());
    for (const fs::directory_entry& entry : fs::directory_iterator(found, error)) {
      const std::string name = entry.path().filename().string();
      std::error_code none;
      if (!entry.is_symlink(none) && (home ? !name.starts_with('.') : name != ".git")) add(entry.path());
    }
  }

  // Before installation our headers are links to those of the source tree.
  void add_with_links(const fs::path& folder) {
    add(folder);
    std::error_code error, none;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder, error)) {
      if (entry.is_symlink(none)) add(fs::canonical(entry.path(), none).parent_path());
    }
  }

  std::vector<std::string> take() {
    std::sort(list_.begin(), list_.end());
    list_.erase(std::unique(list_.begin(), list_.end()), list_.end());
    return std::move(list_);
  }

 private:
  std::vector<std::string> list_;
};

// The folder that "../header.h" may lead to: the checkout of the source, or else what is above its folder.
fs::path project_of(const fs::path& source) {
  std::error_code error;
  const fs::path own = fs::absolute(source, error).lexically_normal().parent_path();
  for (fs::path folder = own; folder.has_relative_path() && !is_home(folder); folder = folder.parent_path()) {
    if (fs::exists(folder / ".git", error)) return folder;
  }
  return own.parent_path();
}

bool is_below(const fs::path& path, const fs::path& folder) {
  return std::mismatch(folder.begin(), folder.end(), path.begin(), path.end()).first == folder.end();
}

// A link within the project may come with a stranger's change: whoever names the link does not mean its target.
bool leads_out(const fs::path& path, const race::Request& request) {
  std::error_code error;
  const fs::path named = fs::absolute(path, error).lexically_normal(), found = fs::canonical(path, error);
  for (const fs::path& root : {fs::current_path(error), project_of(request.file)}) {
    if (is_below(named, root) && !is_below(found, fs::canonical(root, error))) return true;
  }
  return false;
}

// The word itself, or what follows -I, --data= and the like.
void add_named(const std::string& word, const race::Request& request, Places& places) {
  const std::size_t equals = word.find('=');
  std::error_code error;
  for (const std::string& path : {word, equals == std::string::npos ? std::string() : word.substr(equals + 1),
                                  word.starts_with("-I") || word.starts_with("-L") ? word.substr(2) : std::string()}) {
    if (!path.empty() && fs::exists(path, error) && !leads_out(path, request)) places.add(path);
  }
}

void add_listed(const char* variable, Places& places) {
  const char* value = std::getenv(variable);
  const std::string text = value == nullptr ? "" : value;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(':', at), text.size());
    if (text[at] == '/') places.add(text.substr(at, end - at));
    at = end + 1;
  }
}

Places common_places(const race::Request& request) {
  Places places;
  std::error_code error;
  for (const char* path : kOfTheSystem) places.add(path);
  const fs::path folder = fs::absolute(request.file, error).lexically_normal().parent_path();
  if (!leads_out(folder, request)) places.add_folder(folder);
  places.add_folder(fs::current_path(error));
  for (const std::string& path : request.read) places.add(path);
  add_listed("LD_LIBRARY_PATH", places);
  return places;
}

extern "C" void* call_work(void* work) {
  (*static_cast<std::function<void()>*>(work))();
  return nullptr;
}

}  // namespace

bool is_home(const fs::path& folder) {
  const char* home = std::getenv("HOME");
  std::error_code error;
  return home != nullptr && *home == '/' && fs::equivalent(folder, home, error);
}

std::vector<std::string> readable_by_program(const race::Request& request) {
  Places places = common_places(request);
  for (const std::string& word : request.program_arguments) add_named(word, request, places);
  return places.take();
}

std::vector<std::string> readable_by_command(const race::Request& request, const std::string& program) {
  Places places = common_places(request);
  for (const std::string& word : request.command) add_named(word, request, places);
  std::error_code error;
  for (const fs::path& path : {fs::absolute(program, error).lexically_normal(), fs::canonical(program, error)}) {
    const fs::path folder = path.parent_path();
    if (!leads_out(folder, request)) places.add_folder(folder.filename() == "bin" ? folder.parent_path() : folder);
  }
  return places.take();
}

std::vector<std::string> places_of_headers(const race::Request& request) {
  Places places;
  places.add_with_links(request.headers);
  return places.take();
}

std::vector<std::string> readable_by_compiler(const race::Request& request) {
  Places places = common_places(request);
  for (const std::string& word : request.compiler_arguments) add_named(word, request, places);
  places.add_with_links(request.headers);
  if (!request.cuda_path.empty()) places.add(request.cuda_path);
  for (const char* variable : {"CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "LIBRARY_PATH"}) {
    add_listed(variable, places);
  }
  places.add_folder(project_of(request.file));
  return places.take();
}

base::Result<bool> confined_to(const std::vector<std::string>& readable, const std::vector<std::string>& writable,
                               const std::function<void()>& work) {
  bool confined = false;
  std::function<void()> all = [&] {
    confined = restrict_files({readable, writable, true});
    work();
  };
  constexpr std::size_t kStack = std::size_t{64} << 20;  // clang recurses
  pthread_attr_t attributes;
  pthread_t thread{};
  WEAKSPOT_CHECK(pthread_attr_init(&attributes) == 0 && pthread_attr_setstacksize(&attributes, kStack) == 0);
  const int problem = pthread_create(&thread, &attributes, call_work, &all);
  pthread_attr_destroy(&attributes);
  if (problem != 0) {
    return base::error(fmt::format("cannot start a thread: {}", std::strerror(problem)), base::ErrorKind::environment);
  }
  pthread_join(thread, nullptr);
  return confined;
}

}  // namespace weakspot::race_jit
