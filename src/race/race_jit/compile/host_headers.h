// SPDX-License-Identifier: MIT
// Our headers compiled for the host, once for each set of options that they depend on, and kept beside what else the
// compiler has made. They are long, and read before every file.
#pragma once

#include <string>
#include <vector>

namespace weakspot::race_jit {

// The file with `header` compiled, for use with -include-pch; made if it is not there. Empty if it cannot be made.
// `flags` are those with which a file will be compiled, of which only some matter.
std::string compiled_host_headers(const std::string& clang, const std::string& header,
                                  const std::vector<std::string>& flags);

// The flags that decide what the headers mean: without the user's own folders and files, and names of units.
std::vector<std::string> flags_of_headers(const std::vector<std::string>& flags, const std::string& folder);

// Flags that include the header are replaced by those that take it from a compiled file.
void include_compiled(std::vector<std::string>& flags, const std::string& header, const std::string& compiled);

}  // namespace weakspot::race_jit
