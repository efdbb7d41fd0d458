// SPDX-License-Identifier: MIT
#include "serve/replies.h"

#include <fmt/format.h>

namespace weakspot::serve {

http::Response json_reply(int status, const base::JsonValue& value) {
  http::Response response;
  response.status = status;
  response.type = "application/json";
  response.body = base::json_compact(value) + "\n";
  response.headers.emplace_back("Content-Security-Policy", kApiPolicy);
  return response;
}

http::Response refused(int status, std::string_view sentence) {
  http::Response response = json_reply(status, base::json_object({{"error", sentence}}));
  if (status == 401) response.headers.emplace_back("WWW-Authenticate", "Bearer");
  return response;
}

http::Response download(std::string_view type, std::string_view name, std::string body) {
  http::Response response;
  response.type = type;
  response.body = std::move(body);
  response.headers.emplace_back("Content-Disposition", fmt::format("attachment; filename=\"{}\"", name));
  response.headers.emplace_back("Content-Security-Policy", kApiPolicy);
  return response;
}

}  // namespace weakspot::serve
