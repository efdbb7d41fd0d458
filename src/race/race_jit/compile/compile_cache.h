// SPDX-License-Identifier: MIT
// Keeps the results of clang for the next time. A result is valid as long as no file that was read has changed.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace weakspot::race_jit {

struct CachedCompilation {
  std::string bitcode;
  std::string messages;
};

class CompileCache {
 public:
  // An empty folder means that nothing is kept.
  explicit CompileCache(std::filesystem::path folder) : folder_(std::move(folder)) {}
  // $XDG_CACHE_HOME/weakspot/race or ~/.cache/weakspot/race; empty if neither is known.
  static std::filesystem::path default_folder();

  // `key` is everything that decides the result besides the contents of files.
  std::optional<CachedCompilation> find(const std::string& key) const;
  // Ignores a failure to write: the file is compiled again next time.
  void store(const std::string& key, const CachedCompilation& made, const std::vector<std::string>& read_files) const;
  const std::filesystem::path& folder() const { return folder_; }

 private:
  std::filesystem::path entry(const std::string& key) const;
  void drop_oldest() const;

  std::filesystem::path folder_;
};

// Size and time of change, as text; "none" if there is no such file.
std::string file_stamp(const std::filesystem::path& file);

}  // namespace weakspot::race_jit
