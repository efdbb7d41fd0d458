// SPDX-License-Identifier: MIT
#include "workbench/test_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/file.h"

namespace weakspot::workbench {

namespace fs = std::filesystem;

base::Result<TestFolder> TestFolder::create(std::string path) {
  std::error_code code;
  fs::create_directories(path, code);
  if (code) return base::error_in(path, fmt::format("cannot create the folder: {}", code.message()));
  return TestFolder(std::move(path));
}

base::Status TestFolder::add(const std::string& name, litmus::Dialect dialect, const std::string& text) {
  std::string stem = name;
  std::replace(stem.begin(), stem.end(), '/', '_');
  const std::string first = stem;
  for (std::size_t number = 2; !names_.insert(stem).second; ++number) stem = fmt::format("{}.{}", first, number);
  const std::string file = stem + (dialect == litmus::Dialect::json ? ".json" : ".litmus");
  // Without waiting for the disk: there may be many thousands.
  const base::Status written = base::write_file((fs::path(path_) / file).string(), text, base::Durable::no);
  if (!written) return base::of_kind(base::ErrorKind::environment, written.errors());
  index_ += file + "\n";
  return base::ok_status();
}

base::Status TestFolder::finish() const {
  const base::Status written = base::write_file((fs::path(path_) / "@all").string(), index_);
  if (!written) return base::of_kind(base::ErrorKind::environment, written.errors());
  return base::ok_status();
}

}  // namespace weakspot::workbench
