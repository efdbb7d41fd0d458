// SPDX-License-Identifier: MIT
// Patterns for paths, as shells and project files have them.
#pragma once

#include <string_view>

namespace weakspot::base {

// * stands for any characters and ? for one, both within one part of the path; the part ** stands for any number of
// parts, also none: "src/**/*.cu". As in a shell, none of them stands for a part that begins with a dot.
bool matches_glob(std::string_view pattern, std::string_view path);

}  // namespace weakspot::base
