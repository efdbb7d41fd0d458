// SPDX-License-Identifier: MIT
#include "lsp/protocol/protocol.h"

namespace weakspot::lsp {
namespace {

Json rpc_object() { return base::json_object({{"jsonrpc", "2.0"}}); }

}  // namespace

Json reply_json(const Json& id, Json result) {
  Json message = rpc_object();
  message.add("id", id);
  message.add("result", std::move(result));
  return message;
}

Json error_json(const Json& id, const RpcError& error) {
  Json message = rpc_object();
  message.add("id", id);
  message.add("error", base::json_object({{"code", static_cast<int>(error.code)}, {"message", error.message}}));
  return message;
}

Json notification_json(std::string_view method, Json params) {
  Json message = rpc_object();
  message.add("method", method);
  message.add("params", std::move(params));
  return message;
}

Json request_json(const std::string& id, std::string_view method, Json params) {
  Json message = rpc_object();
  message.add("id", id);
  message.add("method", method);
  message.add("params", std::move(params));
  return message;
}

Json to_json(TextPosition position) {
  return base::json_object({{"line", position.line}, {"character", position.character}});
}

Json to_json(TextRange range) {
  return base::json_object({{"start", to_json(range.begin)}, {"end", to_json(range.end)}});
}

std::optional<TextPosition> position_from(const Json& json) {
  const std::optional<std::uint64_t> line = json.at("line").whole();
  const std::optional<std::uint64_t> character = json.at("character").whole();
  if (!line || !character) return std::nullopt;
  return TextPosition{*line, *character};
}

std::optional<TextRange> range_from(const Json& json) {
  const std::optional<TextPosition> begin = position_from(json.at("start"));
  const std::optional<TextPosition> end = position_from(json.at("end"));
  if (!begin || !end) return std::nullopt;
  return TextRange{*begin, *end};
}

Json text_edit(TextRange range, std::string text) {
  return base::json_object({{"range", to_json(range)}, {"newText", std::move(text)}});
}

Json markdown_hover(const std::string& text, TextRange range) {
  return base::json_object(
      {{"contents", base::json_object({{"kind", "markdown"}, {"value", text}})}, {"range", to_json(range)}});
}

}  // namespace weakspot::lsp
