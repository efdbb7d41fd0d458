// SPDX-License-Identifier: MIT
// Answers for programs: JSON, refusals, files to save, server-sent events.
#pragma once

#include <string>
#include <string_view>

#include "http/message.h"
#include "json/json.h"

namespace weakspot::http {

// Nothing that is shown may load or run anything.
inline constexpr std::string_view kApiPolicy = "default-src 'none'; frame-ancestors 'none'";

Response json_reply(int status, const base::JsonValue& value);
// {"error": "a sentence"}
Response refusal(int status, std::string_view sentence);
// A file that a browser saves under this name.
Response download(std::string_view type, std::string_view name, std::string body);

// One server-sent event: "event: NAME\ndata: JSON\n\n".
std::string event_text(std::string_view name, const base::JsonValue& data);

}  // namespace weakspot::http
