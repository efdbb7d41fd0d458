// SPDX-License-Identifier: MIT
// The JSON of the protocol: JSON-RPC 2.0 messages, positions, ranges, edits (Language Server Protocol 3.17).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "json/json.h"
#include "lsp/protocol/document_text.h"

namespace weakspot::lsp {

using Json = base::JsonValue;

enum ErrorCode : std::int32_t {
  kParseError = -32700,
  kInvalidRequest = -32600,
  kMethodNotFound = -32601,
  kInvalidParams = -32602,
  kNotInitialized = -32002,
  kRequestFailed = -32803,
  kContentModified = -32801,
  kRequestCancelled = -32800,
};

struct RpcError {
  ErrorCode code = kRequestFailed;
  std::string message;
};

// The answer to a request. `Later`: a reply follows once a job is done.
struct Later {};
using Answer = std::variant<Json, RpcError, Later>;

Json reply_json(const Json& id, Json result);
Json error_json(const Json& id, const RpcError& error);
Json notification_json(std::string_view method, Json params);
Json request_json(const std::string& id, std::string_view method, Json params);

Json to_json(TextPosition position);
Json to_json(TextRange range);
std::optional<TextPosition> position_from(const Json& json);
std::optional<TextRange> range_from(const Json& json);

Json text_edit(TextRange range, std::string text);
// The value of a hover.
Json markdown_hover(const std::string& text, TextRange range);

}  // namespace weakspot::lsp
