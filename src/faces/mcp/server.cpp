// SPDX-License-Identifier: MIT
#include "mcp/server.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/build_info.h"
#include "mcp/tools.h"

namespace weakspot::mcp {
namespace {

using Json = base::JsonValue;

// Error codes that JSON-RPC defines.
constexpr int kParseError = -32700, kInvalidRequest = -32600, kNoSuchMethod = -32601, kInvalidParams = -32602;

// Versions of the protocol that agree in all that is used here, the newest first.
constexpr std::string_view kVersions[] = {"2025-06-18", "2025-03-26", "2024-11-05"};

constexpr std::size_t kLongestLine = std::size_t{8} << 20;

Json reply_json(const Json& id) { return base::json_object({{"jsonrpc", "2.0"}, {"id", id}}); }

std::string error_reply(const Json& id, int code, const std::string& message) {
  Json reply = reply_json(id);
  reply["error"] = base::json_object({{"code", code}, {"message", message}});
  return base::json_compact(reply);
}

Json text_result(const std::string& text, bool is_error) {
  Json content = base::json_array();
  content.push_back(base::json_object({{"type", "text"}, {"text", text}}));
  return base::json_object({{"content", std::move(content)}, {"isError", is_error}});
}

bool has_kind(const Json& value, std::string_view type) {
  using Kind = Json::Kind;
  if (type == "string") return value.is(Kind::string);
  if (type == "boolean") return value.is(Kind::boolean);
  if (type == "number") return value.is(Kind::number);
  if (type == "integer") return value.is(Kind::number) && value.integer().has_value();
  return type != "array" || value.is(Kind::array);
}

// A word for a model that cannot be the path of a file.
bool is_model_name(const std::string& word) {
  return !word.empty() && std::all_of(word.begin(), word.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-';
  });
}

// The same for the items of an array.
std::string mistake_in_items(const base::JsonMember& argument) {
  for (const Json& item : argument.value.items()) {
    if (!item.is(Json::Kind::string)) return fmt::format("'{}': expected an array of strings", argument.key);
    if (argument.key == "models" && !is_model_name(item.text())) {
      return fmt::format("'models': expected names of models, which 'models' lists, found '{}'",
                         base::clipped(item.text()));
    }
  }
  return "";
}

// Why the arguments do not fit the schema; empty: they do.
std::string mistake_in(const Json& arguments, const Json& schema) {
  for (const Json& needed : schema.at("required").items()) {
    if (arguments.find(needed.text()) == nullptr) return fmt::format("the argument '{}' is missing", needed.text());
  }
  for (const base::JsonMember& argument : arguments.members()) {
    const Json* property = schema.at("properties").find(argument.key);
    if (property == nullptr) return fmt::format("there is no argument '{}'", argument.key);
    const std::string& type = property->at("type").text();
    if (!has_kind(argument.value, type)) return fmt::format("'{}': expected a value of type {}", argument.key, type);
    if (std::string mistake = mistake_in_items(argument); !mistake.empty()) return mistake;
    const std::optional<double> number = argument.value.real();
    if (!number) continue;
    const double low = property->at("minimum").real().value_or(*number);
    const double high = property->at("maximum").real().value_or(*number);
    if (*number < low || *number > high) return fmt::format("'{}' is out of range", argument.key);
  }
  return "";
}

std::string error_lines(const Json& errors) {
  std::string lines;
  for (const Json& error : errors.items()) {
    if (error.find("line") != nullptr) {
      lines += fmt::format("{}:{}:{}: ", error.at("file").text(), error.at("line").whole().value_or(0),
                           error.at("column").whole().value_or(0));
    }
    lines += fmt::format("error: {}\n", error.at("message").text());
  }
  return lines;
}

Json core_result(wasm::Core& core, const Tool& tool, const Json& arguments) {
  Json request = base::json_object({{"do", tool.request}});
  for (const base::JsonMember& argument : arguments.members()) request.add(argument.key, argument.value);
  const base::Result<Json> reply =
      base::read_json_text(base::Source("reply", core.answer(base::json_compact(request))));
  if (!reply) return text_result(base::messages(reply.errors()), true);
  if (const Json* errors = reply->find("errors")) return text_result(error_lines(*errors), true);
  const Json& made = reply->at("ok");
  Json result = text_result(base::json_lines(made), false);
  if (made.is(Json::Kind::object)) result["structuredContent"] = made;
  return result;
}

// The words for this program, and its input.
std::pair<std::vector<std::string>, std::string> program_call(const Tool& tool, const Json& arguments) {
  auto time = [&](double otherwise) { return fmt::format("{}", arguments.at("seconds").real().value_or(otherwise)); };
  if (tool.kind == ToolKind::race) {
    std::vector<std::string> words = {"race", "--json", "--allow-incomplete", "--seconds", time(20)};
    if (const Json* kernel = arguments.find("kernel")) words.push_back("--kernel=" + kernel->text());
    // A path, whatever it starts with.
    const std::string& file = arguments.at("file").text();
    words.push_back(file.starts_with('-') ? "./" + file : file);
    return {words, ""};
  }
  const Json* device = arguments.find("device");
  return {{"run", "-", "--json", "--seconds", time(1), "--device=" + (device == nullptr ? "cpu" : device->text())},
          arguments.at("text").text()};
}

}  // namespace

std::optional<std::string> Server::answer(const std::string& line) {
  if (line.find_first_not_of(" \t\r") == std::string::npos) return std::nullopt;
  if (line.size() > kLongestLine) return error_reply(nullptr, kInvalidRequest, "the message is too long");
  const base::Result<Json> message = base::read_json_text(base::Source("message", line));
  if (!message) return error_reply(nullptr, kParseError, base::messages(message.errors()));
  const Json& method = message->at("method");
  const Json* id = message->find("id");
  if (!message->is(Json::Kind::object) || message->at("jsonrpc").text() != "2.0" || !method.is(Json::Kind::string)) {
    // A reply to something that was never asked.
    if (message->find("result") != nullptr || message->find("error") != nullptr) return std::nullopt;
    return error_reply(id == nullptr ? Json(nullptr) : *id, kInvalidRequest, "expected a request of JSON-RPC 2.0");
  }
  if (id == nullptr) return std::nullopt;  // a notification
  const Outcome outcome = dispatch(method.text(), message->at("params"));
  if (const auto* failure = std::get_if<Failure>(&outcome)) return error_reply(*id, failure->code, failure->message);
  Json reply = reply_json(*id);
  reply["result"] = std::get<Json>(outcome);
  return base::json_compact(reply);
}

Server::Outcome Server::dispatch(const std::string& method, const Json& params) {
  if (method == "initialize") return initialize(params);
  if (method == "ping") return base::json_object();
  if (method == "tools/list") return list_tools();
  if (method == "tools/call") return call_tool(params);
  return Failure{kNoSuchMethod, fmt::format("there is no method '{}'", method)};
}

Json Server::initialize(const Json& params) {
  const std::string& asked = params.at("protocolVersion").text();
  const bool known = std::find(std::begin(kVersions), std::end(kVersions), asked) != std::end(kVersions);
  return base::json_object(
      {{"protocolVersion", known ? std::string_view(asked) : kVersions[0]},
       {"capabilities", base::json_object({{"tools", base::json_object({{"listChanged", false}})}})},
       {"serverInfo", base::json_object({{"name", "weakspot"}, {"title", "Weakspot"}, {"version", base::kVersion}})},
       {"instructions",
        "Litmus tests and memory models of GPUs and CPUs. 'unknown' is an answer: it means that a limit was "
        "reached."}});
}

Json Server::list_tools() const {
  Json list = base::json_array();
  for (const Tool& tool : tools()) {
    if (tool.kind == ToolKind::run && !options_.run) continue;
    if (tool.kind == ToolKind::race && !options_.race) continue;
    list.push_back(tool_json(tool));
  }
  return base::json_object({{"tools", std::move(list)}});
}

Server::Outcome Server::call_tool(const Json& params) {
  static const Json kNone = base::json_object();
  const Tool* tool = tool_named(params.at("name").text());
  if (tool == nullptr) return Failure{kInvalidParams, fmt::format("there is no tool '{}'", params.at("name").text())};
  const bool allowed = tool->kind == ToolKind::core || (tool->kind == ToolKind::run ? options_.run : options_.race);
  if (!allowed) {
    return Failure{kInvalidParams,
                   fmt::format("'{0}' is not allowed: 'weakspot mcp --allow {0}' allows it", tool->name)};
  }
  const Json* given = params.find("arguments");
  const Json& arguments = given == nullptr ? kNone : *given;
  if (!arguments.is(Json::Kind::object)) return Failure{kInvalidParams, "'arguments' must be an object"};
  if (const std::string mistake = mistake_in(arguments, tool_json(*tool).at("inputSchema")); !mistake.empty()) {
    return Failure{kInvalidParams, mistake};
  }
  if (tool->kind == ToolKind::core) return core_result(core_, *tool, arguments);
  const auto [words, input] = program_call(*tool, arguments);
  const base::Result<std::string> printed = options_.program(words, input);
  if (!printed) return text_result(base::messages(printed.errors()), true);
  return text_result(*printed, false);
}

}  // namespace weakspot::mcp
