// SPDX-License-Identifier: MIT
// Answers of the interface for programs.
#pragma once

#include <string_view>

#include "base/json.h"
#include "http/message.h"

namespace weakspot::serve {

// Nothing that is shown may load or run anything.
inline constexpr std::string_view kApiPolicy = "default-src 'none'; frame-ancestors 'none'";

http::Response json_reply(int status, const base::JsonValue& value);
// {"error": "a sentence"}
http::Response refused(int status, std::string_view sentence);
// A file that a browser saves under this name.
http::Response download(std::string_view type, std::string_view name, std::string body);

}  // namespace weakspot::serve
