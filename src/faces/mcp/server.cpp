// SPDX-License-Identifier: MIT
#include "mcp/server.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/build_info.h"
#include "base/source.h"
#include "mcp/tools/corpus_page.h"
#include "mcp/tools/tools.h"
#include "questions/corpus_names.h"

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

// The types that a schema names: "string", or ["string", "array"].
std::vector<std::string> types_of(const Json& property) {
  const Json& type = property.at("type");
  if (type.is(Json::Kind::string)) return {type.text()};
  std::vector<std::string> types;
  for (const Json& one : type.items()) types.push_back(one.text());
  return types;
}

// The names of models in an argument, which is an array or a text with commas.
Json model_names(const Json& given) {
  if (!given.is(Json::Kind::string)) return given;
  Json names = base::json_array();
  std::string_view rest = given.text();
  for (std::size_t comma = 0; comma != std::string_view::npos;) {
    comma = rest.find(',');
    names.push_back(rest.substr(0, comma));
    rest.remove_prefix(comma == std::string_view::npos ? rest.size() : comma + 1);
  }
  return names;
}

// A word for a model that cannot be the path of a file.
bool is_model_name(const std::string& word) {
  return !word.empty() && std::all_of(word.begin(), word.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-';
  });
}

// The same for the items of an array.
std::string mistake_in_items(const base::JsonMember& argument) {
  const bool models = argument.key == "models" || argument.key == "model";
  const Json items = models ? model_names(argument.value) : argument.value;
  for (const Json& item : items.items()) {
    if (!item.is(Json::Kind::string)) return fmt::format("'{}': expected an array of strings", argument.key);
    if (models && !is_model_name(item.text())) {
      return fmt::format("'{}': expected names of models, which 'models' lists, found '{}'", argument.key,
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
    const std::vector<std::string> types = types_of(*property);
    const auto fits = [&](const std::string& type) { return has_kind(argument.value, type); };
    if (std::none_of(types.begin(), types.end(), fits)) {
      return fmt::format("'{}': expected a value of type {}", argument.key, fmt::join(types, " or "));
    }
    if (std::string mistake = mistake_in_items(argument); !mistake.empty()) return mistake;
    const std::optional<double> number = argument.value.real();
    if (!number) continue;
    const double low = property->at("minimum").real().value_or(*number);
    const double high = property->at("maximum").real().value_or(*number);
    if (*number < low || *number > high) return fmt::format("'{}' is out of range", argument.key);
  }
  return "";
}

std::string error_lines(const base::Diagnostics& errors) {
  std::string lines;
  for (const base::Diagnostic& error : errors) {
    if (!error.file.empty()) lines += error.file + ":";
    if (error.located()) lines += fmt::format("{}:{}:", error.position.line, error.position.column);
    if (!lines.empty() && lines.back() == ':') lines += " ";
    lines += fmt::format("error: {}\n", error.message);
  }
  return lines;
}

// The arguments with the text of a test in place of its name, and models as an array.
base::Result<Json> written_out(const Json& arguments) {
  Json written = base::json_object();
  for (const base::JsonMember& argument : arguments.members()) {
    if (argument.key == "text") {
      const base::Result<base::Source> source = questions::text_or_named_test(argument.value.text(), "test");
      if (!source) return source.errors();
      written.add("file", source->name());
      written.add("text", source->text());
    } else {
      written.add(argument.key, argument.key == "models" ? model_names(argument.value) : argument.value);
    }
  }
  return written;
}

Json core_result(core::Core& core, const Tool& tool, const Json& arguments, const base::Source& message) {
  Json request = base::json_object({{"do", tool.request}});
  for (const base::JsonMember& argument : arguments.members()) request.add(argument.key, argument.value);
  const base::Result<Json> made = core.answer(request, message);
  if (!made) return text_result(error_lines(made.errors()), true);
  Json result = text_result(base::json_lines(*made), false);
  if (made->is(Json::Kind::object)) result["structuredContent"] = *made;
  return result;
}

// The words for this program, and its input.
std::pair<std::vector<std::string>, std::string> program_call(const Tool& tool, const Json& arguments) {
  auto time = [&](double otherwise) { return fmt::format("{}", arguments.at("seconds").real().value_or(otherwise)); };
  if (tool.kind == ToolKind::race || tool.kind == ToolKind::prove) {
    std::vector<std::string> words = {"race", "--json", "--allow-incomplete", "--seconds", time(20)};
    if (tool.kind == ToolKind::prove) words = {"prove", "--json", "--seconds", time(60)};
    for (const char* name : {"kernel", "launch", "model"}) {
      if (const Json* given = arguments.find(name)) words.push_back(fmt::format("--{}={}", name, given->text()));
    }
    for (const Json& given : arguments.at("arguments").items()) words.push_back("--arg=" + given.text());
    for (const Json& given : arguments.at("conditions").items()) words.push_back("--assert=" + given.text());
    if (arguments.at("fences").truth()) words.emplace_back("--fences");
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
  const base::Source source("message", line);
  const base::Result<Json> message = base::read_json_text(source);
  if (!message) return error_reply(nullptr, kParseError, base::messages(message.errors()));
  const Json& method = message->at("method");
  const Json* id = message->find("id");
  if (!message->is(Json::Kind::object) || message->at("jsonrpc").text() != "2.0" || !method.is(Json::Kind::string)) {
    // A reply to something that was never asked.
    if (message->find("result") != nullptr || message->find("error") != nullptr) return std::nullopt;
    return error_reply(id == nullptr ? Json(nullptr) : *id, kInvalidRequest, "expected a request of JSON-RPC 2.0");
  }
  if (id == nullptr) return std::nullopt;  // a notification
  const Outcome outcome = dispatch(method.text(), message->at("params"), source);
  if (const auto* failure = std::get_if<Failure>(&outcome)) return error_reply(*id, failure->code, failure->message);
  Json reply = reply_json(*id);
  reply["result"] = std::get<Json>(outcome);
  return base::json_compact(reply);
}

Server::Outcome Server::dispatch(const std::string& method, const Json& params, const base::Source& message) {
  if (method == "initialize") return initialize(params);
  if (method == "ping") return base::json_object();
  if (method == "tools/list") return list_tools();
  if (method == "tools/call") return call_tool(params, message);
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

bool Server::allows(const Tool& tool) const {
  return !tool.starts_program() || (tool.kind == ToolKind::run    ? options_.run
                                    : tool.kind == ToolKind::race ? options_.race
                                                                  : options_.prove);
}

Json Server::list_tools() const {
  Json list = base::json_array();
  for (const Tool& tool : tools()) {
    if (allows(tool)) list.push_back(tool_json(tool));
  }
  return base::json_object({{"tools", std::move(list)}});
}

// Text alone: with structured content the page would be there twice.
Json Server::page_result(const Json& arguments, const base::Source& message) {
  if (!corpus_) {
    base::Result<Json> all = core_.answer(base::json_object({{"do", "corpus"}}), message);
    if (!all) return text_result(error_lines(all.errors()), true);
    corpus_ = *std::move(all);
  }
  const base::Result<Json> page = corpus_page(*corpus_, arguments);
  return page ? text_result(base::json_lines(*page), false) : text_result(error_lines(page.errors()), true);
}

Server::Outcome Server::call_tool(const Json& params, const base::Source& message) {
  static const Json kNone = base::json_object();
  const Tool* tool = tool_named(params.at("name").text());
  if (tool == nullptr) return Failure{kInvalidParams, fmt::format("there is no tool '{}'", params.at("name").text())};
  if (!allows(*tool)) {
    return Failure{kInvalidParams,
                   fmt::format("'{0}' is not allowed: 'weakspot mcp --allow {0}' allows it", tool->name)};
  }
  const Json* given = params.find("arguments");
  const Json& arguments = given == nullptr ? kNone : *given;
  if (!arguments.is(Json::Kind::object)) return Failure{kInvalidParams, "'arguments' must be an object"};
  if (const std::string mistake = mistake_in(arguments, tool_json(*tool).at("inputSchema")); !mistake.empty()) {
    return Failure{kInvalidParams, mistake};
  }
  const base::Result<Json> written = written_out(arguments);
  if (!written) return text_result(error_lines(written.errors()), true);
  if (tool->kind == ToolKind::corpus) return page_result(*written, message);
  if (!tool->starts_program()) return core_result(core_, *tool, *written, message);
  const auto [words, input] = program_call(*tool, *written);
  const base::Result<std::string> printed = options_.program(words, input);
  if (!printed) return text_result(base::messages(printed.errors()), true);
  return text_result(*printed, false);
}

}  // namespace weakspot::mcp
