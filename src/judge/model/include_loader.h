// SPDX-License-Identifier: MIT
// The loader that finds the files a model includes.
#pragma once

#include <functional>
#include <string_view>

#include "base/result.h"

namespace weakspot::model {

// Gives the text of the file that `include "name"` asks for. Where it fails for a file of the built-in library
// (cat_library.h), the built-in one is used; a model that includes nothing else needs no loader.
using IncludeLoader = std::function<base::Result<base::Source>(std::string_view name)>;

}  // namespace weakspot::model
