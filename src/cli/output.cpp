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
  std::error_code ignored;
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  const std::string place = folder.empty() ? "." : folder.string();
  if (std::filesystem::is_directory(path, ignored)) {
    errno = EISDIR;
  } else if (std::filesystem::exists(path, ignored)) {
    // A file is replaced by another of its name; what is none is written to.
    const bool replaced = std::filesystem::is_regular_file(path, ignored);
    if (::access(path.c_str(), W_OK) == 0 && (!replaced || ::access(place.c_str(), W_OK) == 0))
      return base::ok_status();
  } else if (::access(place.c_str(), W_OK) == 0) {
    return base::ok_status();
  }
  return base::error_in(path, fmt::format("cannot write: {}", std::strerror(errno)));
}

}  // namespace weakspot::cli
