// SPDX-License-Identifier: MIT
#include "base/file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/build_info.h"
#include "base/unique_fd.h"

namespace weakspot::base {
namespace {

// A full or broken disk, or a limit, is a fault of the machine; a wrong path is one of the user.
ErrorKind kind_of_failure(int reason) {
  constexpr int kOfTheMachine[] = {ENOSPC, EDQUOT, EIO, EFBIG, EMFILE, ENFILE, ENOMEM};
  const bool machine = std::find(std::begin(kOfTheMachine), std::end(kOfTheMachine), reason) != std::end(kOfTheMachine);
  return machine ? ErrorKind::environment : ErrorKind::bad_input;
}

bool write_all(int fd, std::string_view text) {
  while (!text.empty()) {
    ssize_t written = ::write(fd, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

// The file that a chain of symbolic links ends in; it may not exist yet.
std::string end_of_links(const std::string& path) {
  namespace fs = std::filesystem;
  constexpr int kMostLinks = 40;  // the limit of the system
  fs::path at = path;
  std::error_code code;
  for (int links = 0; links < kMostLinks && fs::is_symlink(fs::symlink_status(at, code)); ++links) {
    const fs::path target = fs::read_symlink(at, code);
    if (code) break;
    at = at.parent_path() / target;  // an absolute one stays as it is
  }
  return at.string();
}

// The possible folders of the program's own data, the best one first.
std::vector<std::filesystem::path> data_places(std::string_view name) {
  namespace fs = std::filesystem;
  std::vector<fs::path> places;
  std::error_code code;
  const fs::path executable = fs::read_symlink("/proc/self/exe", code);
  if (!code) places.push_back((executable.parent_path() / kInstalledDataDirectory / name).lexically_normal());
  places.push_back(fs::path(kMadeDataDirectory) / name);
  if (kSourceDirectory != kMadeDataDirectory) places.push_back(fs::path(kSourceDirectory) / name);
  return places;
}

// Into a pipe, a terminal or another device, which a rename would replace.
Status write_into(const std::string& path, std::string_view text) {
  UniqueFd fd(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
  if (!fd.valid() || !write_all(fd.get(), text)) return file_error(path, "write");
  return ok_status();
}

}  // namespace

Diagnostic file_error(const std::string& path, const char* what) {
  const int reason = errno;
  return error_in(path, fmt::format("cannot {}: {}", what, std::strerror(reason)), kind_of_failure(reason));
}

Result<std::string> read_file(const std::string& path) {
  UniqueFd opened;
  int fd = STDIN_FILENO;
  if (path != "-") {
    opened = UniqueFd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (!opened.valid()) return file_error(path, "open");
    fd = opened.get();
  }
  struct stat status{};
  std::string text;
  if (::fstat(fd, &status) == 0) {
    if (S_ISDIR(status.st_mode)) return error_in(path, "is a directory, expected a file");
  }
  // One byte more than the file has, so that the end is seen without growing the text.
  std::size_t size = 0;
  text.resize(static_cast<std::size_t>(std::max<off_t>(status.st_size, 0)) + 1);
  while (true) {
    const ssize_t count = ::read(fd, text.data() + size, text.size() - size);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return file_error(path, "read");
    if (count == 0) break;
    size += static_cast<std::size_t>(count);
    // The whole regular file was read: no need to ask for more.
    if (S_ISREG(status.st_mode) && size == static_cast<std::size_t>(status.st_size)) break;
    if (size == text.size()) text.resize(2 * size + 4096);
  }
  text.resize(size);
  if (text.starts_with("\xEF\xBB\xBF")) text.erase(0, 3);
  return text;
}

Status write_file(const std::string& path, std::string_view text, Durable durable) {
  struct stat found{};
  if (::stat(path.c_str(), &found) == 0) {
    if (!S_ISREG(found.st_mode)) return write_into(path, text);
    // A rename needs no permission to write the file itself.
    if (::access(path.c_str(), W_OK) != 0) return file_error(path, "write");
  } else if (errno != ENOENT) {
    return file_error(path, "write");
  }
  const std::string target = end_of_links(path);
  const std::string temporary = fmt::format("{}.{}.tmp", target, ::getpid());
  UniqueFd fd(::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
  if (!fd.valid()) return file_error(path, "write");
  const bool kept = found.st_mode == 0 || ::fchmod(fd.get(), found.st_mode & 07777) == 0;
  const bool written = kept && write_all(fd.get(), text) && (durable == Durable::no || ::fsync(fd.get()) == 0);
  if (!written || ::rename(temporary.c_str(), target.c_str()) != 0) {
    Diagnostic reason = file_error(path, "write");
    ::unlink(temporary.c_str());
    return reason;
  }
  return ok_status();
}

Status lock_file(const std::string& path, int fd) {
  if (::flock(fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return ok_status();
  return error_in(path, "another program is writing to the file");
}

bool exists(const std::filesystem::path& path) {
  std::error_code code;
  return std::filesystem::exists(path, code);
}

bool is_file(const std::filesystem::path& path) {
  std::error_code code;
  return std::filesystem::is_regular_file(path, code);
}

std::filesystem::path absolute_path(const std::filesystem::path& path) {
  std::error_code code;
  return std::filesystem::absolute(path, code);
}

Result<std::vector<std::string>> files_under(const std::string& directory, std::string_view suffix) {
  namespace fs = std::filesystem;
  std::error_code code;
  std::vector<std::string> paths;
  fs::recursive_directory_iterator walk(directory, code);
  for (; !code && walk != fs::recursive_directory_iterator(); walk.increment(code)) {
    std::error_code ignored;
    if (walk->is_regular_file(ignored) && walk->path().string().ends_with(suffix)) {
      paths.push_back(walk->path().string());
    }
  }
  if (code) return error_in(directory, fmt::format("cannot list: {}", code.message()));
  std::sort(paths.begin(), paths.end());
  return paths;
}

std::filesystem::path data_directory(std::string_view name) {
  std::error_code code;
  for (const std::filesystem::path& place : data_places(name)) {
    if (std::filesystem::is_directory(place, code)) return place;
  }
  return {};
}

std::string missing_data(std::string_view name) {
  std::string text;
  for (const std::filesystem::path& place : data_places(name)) {
    text += fmt::format("{}{}", text.empty() ? "there is no folder " : " and no ", place.string());
  }
  return text + "; run the program from the tree it was built in, or install it with 'cmake --install'";
}

}  // namespace weakspot::base
