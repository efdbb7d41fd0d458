// SPDX-License-Identifier: MIT
// Device code in a text that looks like PTX: what our nvrtc answers where a program asks for PTX. Programs hand such a
// text around, write it to files and give it to the driver; some print it or look for its end.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace weakspot::race_jit::driver {

// A text without zeros that holds these bytes. `architecture` is that of the code: 90 for sm_90.
std::string text_with_code(std::string_view bytes, unsigned architecture);
// The bytes in such a text; nothing if it is another text.
std::optional<std::string> code_in_text(std::string_view text);

}  // namespace weakspot::race_jit::driver
