// SPDX-License-Identifier: MIT
#include "http/replies.h"

#include <fmt/format.h>

namespace weakspot::http {

Response json_reply(int status, const base::JsonValue& value) {
  Response response;
  response.status = status;
  response.type = "application/json";
  response.body = base::json_compact(value) + "\n";
  response.headers.emplace_back("Content-Security-Policy", kApiPolicy);
  return response;
}

Response refusal(int status, std::string_view sentence) {
  Response response = json_reply(status, base::json_object({{"error", sentence}}));
  if (status == 401) response.headers.emplace_back("WWW-Authenticate", "Bearer");
  return response;
}

Response download(std::string_view type, std::string_view name, std::string body) {
  Response response;
  response.type = type;
  response.body = std::move(body);
  response.headers.emplace_back("Content-Disposition", fmt::format("attachment; filename=\"{}\"", name));
  response.headers.emplace_back("Content-Security-Policy", kApiPolicy);
  return response;
}

std::string event_text(std::string_view name, const base::JsonValue& data) {
  return fmt::format("event: {}\ndata: {}\n\n", name, base::json_compact(data));
}

}  // namespace weakspot::http
