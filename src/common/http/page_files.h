// SPDX-License-Identifier: MIT
// The built page: a folder of static files that stands beside the program's other data.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "http/message.h"

namespace weakspot::http {

// The folder, installed or in the tree, that has this file; or why there is none.
base::Result<std::filesystem::path> page_folder(std::string_view file);

// A file of the folder by its path in a request, "" for index.html. Nothing if there is none: names that begin with a
// dot or lead out of the folder never exist.
std::optional<Response> page_file(const std::filesystem::path& folder, std::string_view path);

}  // namespace weakspot::http
