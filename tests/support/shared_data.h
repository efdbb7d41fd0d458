// SPDX-License-Identifier: MIT
// Data that is published by others and may stand beside the project, but is no part of it.
#pragma once

#include <filesystem>
#include <string>

#include "base/file.h"

namespace weakspot::support {

// The folder shared/data/NAME beside the source tree or farther up; empty if there is none.
inline std::filesystem::path shared_data(const std::string& name) {
  std::filesystem::path folder = base::data_directory("corpus");
  while (!folder.empty() && folder != folder.parent_path()) {
    folder = folder.parent_path();
    const std::filesystem::path data = folder / "shared" / "data" / name;
    std::error_code ignored;
    if (std::filesystem::is_directory(data, ignored)) return data;
  }
  return {};
}

}  // namespace weakspot::support
