// SPDX-License-Identifier: MIT
// The files that code of others gets to see: while it is compiled, since a source can include any file, and while its
// main() runs. Secrets of the user, such as keys in a home folder, are not among them.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "race/request.h"

namespace weakspot::race_jit {

// System libraries and headers, the folder of the source, the working folder, and what the command line names: --read,
// and arguments of the program. Of a home folder its hidden files are left out, of a checkout its .git.
std::vector<std::string> readable_by_program(const race::Request& request);
// The same for a whole program that lies at this path, with what is installed around it: beside bin/ lies lib/.
std::vector<std::string> readable_by_command(const race::Request& request, const std::string& program);
// Instead of the arguments: folders for headers, and the checkout of the source, or else the folder above its own.
std::vector<std::string> readable_by_compiler(const race::Request& request);

// Our own headers.
std::vector<std::string> places_of_headers(const race::Request& request);

// Whether this is the user's home folder.
bool is_home(const std::filesystem::path& folder);

// Calls `work` in a thread that reads only these places, and writes only to `writable`. Returns whether that holds:
// without Landlock the thread reads and writes everything. Fails if there can be no thread.
base::Result<bool> confined_to(const std::vector<std::string>& readable, const std::vector<std::string>& writable,
                               const std::function<void()>& work);

}  // namespace weakspot::race_jit
