// SPDX-License-Identifier: MIT
#include "workbench/test_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "base/file.h"

namespace weakspot::workbench {

namespace fs = std::filesystem;

base::Result<TestFolder> TestFolder::create(std::string path) {
  std::error_code code;
  fs::create_directories(path, code);
  if (code) return base::error_in(path, fmt::format("cannot create the folder: {}", code.message()));
  return TestFolder(std::move(path));
}

base::Status TestFolder::add(const std::string& name, litmus::Dialect dialect, const std::string& text,
                             const std::string& origin) {
  std::string stem = name;
  std::replace(stem.begin(), stem.end(), '/', '_');
  if (!names_.insert(stem).second) {
    return base::error_in(origin, fmt::format("not written: another test is also called '{}'", stem));
  }
  const std::string file = stem + (dialect == litmus::Dialect::json ? ".json" : ".litmus");
  index_ += file + "\n";
  // Not through base::write_file(), which waits for the disk: there may be many thousands.
  const std::string path = (fs::path(path_) / file).string();
  std::ofstream stream(path, std::ios::binary | std::ios::trunc);
  stream << text;
  stream.close();
  if (!stream) return base::error_in(path, "cannot write the file");
  return base::ok_status();
}

base::Status TestFolder::finish() const { return base::write_file((fs::path(path_) / "@all").string(), index_); }

}  // namespace weakspot::workbench
