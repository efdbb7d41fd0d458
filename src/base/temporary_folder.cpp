// SPDX-License-Identifier: MIT
#include "base/temporary_folder.h"

#include <stdlib.h>

#include <string>

namespace weakspot::base {

namespace fs = std::filesystem;

TemporaryFolder::TemporaryFolder() {
  std::error_code error;
  std::string name = (fs::temp_directory_path(error) / "weakspot-XXXXXX").string();
  if (!error && mkdtemp(name.data()) != nullptr) path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  if (!path_.empty()) fs::remove_all(path_, ignored);
}

}  // namespace weakspot::base
