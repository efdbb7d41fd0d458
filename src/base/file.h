// Files, whole. Errors name the file and the system's reason.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace weakspot::base {

// Reads a regular file, a pipe, or standard input for "-".
Result<std::string> read_file(const std::string& path);

// Writes beside the target and renames, so that a reader (or a killed writer) never leaves half a file. Through a
// symbolic link the file that it leads to is replaced; what is no regular file (a pipe, a device) is written into.
Status write_file(const std::string& path, std::string_view text);

// The regular files under `directory` whose name ends in `suffix`, sorted by path.
Result<std::vector<std::string>> files_under(const std::string& directory, std::string_view suffix);

// Where the program's own data (corpus/, models/) is: next to an installed binary, or in the source tree
// it was built from. Empty if neither is there.
std::filesystem::path data_directory(std::string_view name);

}  // namespace weakspot::base
