// SPDX-License-Identifier: MIT
#include "workbench/results/writable.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

namespace weakspot::workbench {

base::Status can_write(const std::string& path) {
  namespace fs = std::filesystem;
  if (path.empty()) return base::ok_status();
  auto problem = [&](int code) { return base::error_in(path, fmt::format("cannot write: {}", std::strerror(code))); };
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) return problem(EISDIR);
  if (fs::exists(path, ignored) && !fs::is_regular_file(path, ignored)) {
    return ::access(path.c_str(), W_OK) == 0 ? base::ok_status() : problem(errno);
  }
  // Files are written beside their place and renamed, but not those that are protected.
  if (fs::exists(path, ignored) && ::access(path.c_str(), W_OK) != 0) return problem(errno);
  const fs::path folder = fs::path(path).parent_path();
  if (!folder.empty() && fs::exists(folder, ignored) && !fs::is_directory(folder, ignored)) return problem(ENOTDIR);
  return ::access(folder.empty() ? "." : folder.c_str(), W_OK | X_OK) == 0 ? base::ok_status() : problem(errno);
}

}  // namespace weakspot::workbench
