// SPDX-License-Identifier: MIT
// Reads how a project compiles a file from its compile_commands.json: the options that clang and nvcc share.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "race/architecture.h"

namespace weakspot::race {

struct FileFlags {
  std::vector<std::string> words;           // -I, -isystem, -include, -D, -U and -std, folders made absolute
  std::vector<Architecture> architectures;  // those that the command compiles for, the newest last
};

// Those of the command for `file`. Fails if the text is not such a list or has no command for the file. `where` names
// the text in errors.
base::Result<FileFlags> flags_of_file(std::string_view text, const std::string& where, const std::string& file);

// The words of a command line as a shell would split them; quotes and backslashes, no variables.
std::vector<std::string> split_command(std::string_view command);

}  // namespace weakspot::race
