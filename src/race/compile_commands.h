// SPDX-License-Identifier: MIT
// How a project compiles a file, read from its compile_commands.json: the options that clang and nvcc share.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace weakspot::race {

// -I, -isystem, -include, -D, -U and -std of the command for `file`, folders made absolute. Fails if the text is
// not such a list or has no command for the file. `where` names the text in errors.
base::Result<std::vector<std::string>> flags_of_file(std::string_view text, const std::string& where,
                                                     const std::string& file);

// The words of a command line as a shell would split them; quotes and backslashes, no variables.
std::vector<std::string> split_command(std::string_view command);

}  // namespace weakspot::race
