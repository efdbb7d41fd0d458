// SPDX-License-Identifier: MIT
#include "race/source_lines.h"

#include <algorithm>
#include <map>
#include <memory>

#include "base/file.h"

namespace weakspot::race {

LineReader lines_of_files() {
  auto files = std::make_shared<std::map<std::string, std::vector<std::string>>>();
  return [files](const std::string& file, unsigned line) -> std::optional<std::string> {
    auto [found, fresh] = files->try_emplace(file);
    if (fresh) {
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
