// SPDX-License-Identifier: MIT
#include "race_command/watch/watched_files.h"

#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <set>
#include <string_view>
#include <thread>

#include "base/file.h"

namespace weakspot::race_command {
namespace {

namespace fs = std::filesystem;

// A fifth of a second is not noticed after typing, and a few calls of stat() each time cost nothing.
constexpr std::chrono::milliseconds kLook{200};

// The names in lines '#include "NAME"' and '#include <NAME>'.
std::vector<std::string> included_names(std::string_view text) {
  std::vector<std::string> names;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    std::string_view line = text.substr(at, end - at);
    at = end + 1;
    auto skip = [&](std::string_view word) {
      line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
      if (!line.starts_with(word)) return false;
      line.remove_prefix(word.size());
      line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
      return true;
    };
    if (!skip("#") || !skip("include") || line.empty()) continue;
    const std::size_t close = line.find(line.front() == '<' ? '>' : '"', 1);
    if ((line.front() == '<' || line.front() == '"') && close != std::string_view::npos) {
      names.emplace_back(line.substr(1, close - 1));
    }
  }
  return names;
}

}  // namespace

std::vector<std::string> with_headers(const std::vector<std::string>& files, const std::vector<std::string>& folders) {
  std::vector<std::string> found = files;
  std::set<std::string> known(files.begin(), files.end());
  for (std::size_t i = 0; i < found.size(); ++i) {
    const auto text = base::read_file(found[i]);
    if (!text) continue;
    std::vector<std::string> places = {fs::path(found[i]).parent_path().string()};
    places.insert(places.end(), folders.begin(), folders.end());
    for (const std::string& name : included_names(*text)) {
      for (const std::string& place : places) {
        const std::string path = (fs::path(place) / name).lexically_normal().string();
        if (!base::is_file(path)) continue;
        if (known.insert(path).second) found.push_back(path);
        break;
      }
    }
  }
  return found;
}

WatchedFiles::WatchedFiles(const std::vector<std::string>& files) {
  for (const std::string& file : files) files_[file] = state_of(file);
}

WatchedFiles::State WatchedFiles::state_of(const std::string& file) {
  struct stat found{};
  if (::stat(file.c_str(), &found) != 0) return {};
  return {static_cast<long long>(found.st_mtim.tv_sec) * 1'000'000'000 + found.st_mtim.tv_nsec,
          static_cast<long long>(found.st_size), static_cast<long long>(found.st_ino)};
}

std::vector<std::string> WatchedFiles::changed() {
  std::vector<std::string> changed;
  for (auto& [file, state] : files_) {
    if (const State now = state_of(file); !(now == state)) {
      changed.push_back(file);
      state = now;
    }
  }
  return changed;
}

std::vector<std::string> WatchedFiles::wait_for_change(const std::function<bool()>& stop) {
  std::set<std::string> all;
  while (!stop()) {
    const std::vector<std::string> some = changed();
    all.insert(some.begin(), some.end());
    if (some.empty() && !all.empty()) return {all.begin(), all.end()};
    std::this_thread::sleep_for(kLook);
  }
  return {};
}

}  // namespace weakspot::race_command
