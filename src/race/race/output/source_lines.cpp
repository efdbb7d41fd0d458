// SPDX-License-Identifier: MIT
#include "race/source_lines.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>

#include "base/file.h"

namespace weakspot::race {
namespace {

constexpr std::uintmax_t kLargestShown = std::uintmax_t{64} << 20;

// Names come from debug information, which anybody may have written: a pipe or a device would never end.
bool is_source(const std::string& file) {
  std::error_code error;
  return base::is_file(file) && std::filesystem::file_size(file, error) <= kLargestShown && !error;
}

}  // namespace

LineReader lines_of_files() {
  auto files = std::make_shared<std::map<std::string, std::vector<std::string>>>();
  return [files](const std::string& file, unsigned line) -> std::optional<std::string> {
    auto [found, fresh] = files->try_emplace(file);
    if (fresh && is_source(file)) {
      base::Result<std::string> text = base::read_file(file);
      if (!text) return std::nullopt;
      std::size_t at = 0;
      while (at < text->size()) {
        const std::size_t end = std::min(text->find('\n', at), text->size());
        found->second.push_back(text->substr(at, end - at));
        at = end + 1;
      }
    }
    if (line == 0 || line > found->second.size()) return std::nullopt;
    return found->second[line - 1];
  };
}

}  // namespace weakspot::race
