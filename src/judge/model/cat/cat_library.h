// SPDX-License-Identifier: MIT
// The cat files that are built into the program: the standard library, which every model starts with, and the files
// that public models include by name.
#pragma once

#include <string_view>

#include "base/span.h"

namespace weakspot::model::cat {

bool has_library_file(std::string_view name);
base::Source library_source(std::string_view name);  // has_library_file(name)

}  // namespace weakspot::model::cat
