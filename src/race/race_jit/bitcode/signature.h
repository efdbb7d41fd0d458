// SPDX-License-Identifier: MIT
// The name and parameter types of a function as a demangler writes them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace weakspot::race_jit {

struct Signature {
  std::string name;                     // with template arguments, without return type
  std::vector<std::string> parameters;  // empty for (void) and where the text has none
};

// "void ns::k<float>(float*, int)" -> {"ns::k<float>", {"float*", "int"}}
Signature parse_signature(std::string_view text);

// A symbol without what was added to tell it from those of other files: "_ZL1kPi__intern__1f" and "_ZL1kPi.1" ->
// "_ZL1kPi".
std::string source_symbol(std::string_view symbol);

// "float const*" -> "float"; empty if the type is not a pointer.
std::string pointee(std::string_view type);

}  // namespace weakspot::race_jit
