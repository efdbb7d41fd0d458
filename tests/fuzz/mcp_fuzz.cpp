// SPDX-License-Identifier: MIT
// Arbitrary bytes for the server of the Model Context Protocol: as a line, and as the text of a test that is read and
// converted. Every line is answered by one line of JSON or by nothing, and nothing runs that was not allowed.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "base/source.h"
#include "json/json.h"
#include "mcp/server.h"

namespace {

using namespace weakspot;

mcp::Server& server() {
  static mcp::Server one({.program = [](const std::vector<std::string>&, const std::string&) {
    WEAKSPOT_CHECK(false);
    return base::Result<std::string>("");
  }});
  return one;
}

void send(const std::string& line) {
  const std::optional<std::string> reply = server().answer(line);
  if (!reply) return;
  WEAKSPOT_CHECK(reply->find('\n') == std::string::npos);
  const base::Result<base::JsonValue> json = base::read_json_text(base::Source("reply", *reply));
  WEAKSPOT_CHECK(json.ok() && json->at("jsonrpc").text() == "2.0");
  WEAKSPOT_CHECK((json->find("result") == nullptr) != (json->find("error") == nullptr));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size > 4000) return 0;
  const std::string text(reinterpret_cast<const char*>(data), size);
  // Verdicts on large tests, and searches, are slow, not wrong.
  const bool slow = text.find("check") != std::string::npos || text.find("fences") != std::string::npos ||
                    text.find("generate") != std::string::npos || text.find('\\') != std::string::npos;
  if (!slow && text.find('\n') == std::string::npos) send(text);
  for (const char* tool : {"read", "convert"}) {
    base::JsonValue arguments = base::json_object({{"text", text}});
    if (std::string_view(tool) == "convert") arguments.add("to", std::vector<std::string>{"all"});
    send(base::json_compact(
        base::json_object({{"jsonrpc", "2.0"},
                           {"id", 1},
                           {"method", "tools/call"},
                           {"params", base::json_object({{"name", tool}, {"arguments", std::move(arguments)}})}})));
  }
  return 0;
}
