#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "cli/commands.h"

namespace weakspot::cli {

void print_output(const std::string& text) { std::fwrite(text.data(), 1, text.size(), stdout); }
void print_error(const std::string& text) {
  std::fflush(stdout);
  std::fwrite(text.data(), 1, text.size(), stderr);
}

base::Status can_write(const std::string& path) {
  if (path.empty()) return base::ok_status();
  auto problem = [&](int code) { return base::error_in(path, fmt::format("cannot write: {}", std::strerror(code))); };
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) return problem(EISDIR);
  if (std::filesystem::exists(path, ignored) && !std::filesystem::is_regular_file(path, ignored)) {
    return ::access(path.c_str(), W_OK) == 0 ? base::ok_status() : problem(errno);
  }
  // Files are written beside their place and renamed.
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  if (!folder.empty() && std::filesystem::exists(folder, ignored) && !std::filesystem::is_directory(folder, ignored)) {
    return problem(ENOTDIR);
  }
  return ::access(folder.empty() ? "." : folder.c_str(), W_OK | X_OK) == 0 ? base::ok_status() : problem(errno);
}

}  // namespace weakspot::cli
