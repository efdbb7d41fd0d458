// SPDX-License-Identifier: MIT
// The text around the functions of a file in each language.
//
// All but WGSL are written with OpenCL C's words; macros at the top of the file say what these are in the language.
#pragma once

#include <string>
#include <string_view>

#include "compile/thread_source.h"

namespace weakspot::compile {

// The top of a file.
std::string prelude_of(Language language);
// "extern ", before the type of a variable; not for WGSL.
std::string_view head_of_variables(Language language);
// "void ", before the name of a function.
std::string_view head_of_functions(Language language);

}  // namespace weakspot::compile
