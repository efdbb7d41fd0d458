// SPDX-License-Identifier: MIT
#include "lsp/server/server.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/source.h"
#include "lsp/features/actions.h"
#include "lsp/protocol/semantic_tokens.h"
#include "lsp/protocol/uri.h"
#include "lsp/server/handlers.h"

namespace weakspot::lsp {
namespace {

Json server_capabilities(Encoding encoding) {
  const std::vector<std::string> commands = {std::string(kMakeForbidden), std::string(kShowExecution),
                                             std::string(kConvert),       std::string(kRace),
                                             std::string(kProve),         std::string(kExplain)};
  const std::vector<std::string> kinds = {"refactor.rewrite", "weakspot.show"};
  Json sync = base::json_object({{"openClose", true}, {"change", 2}, {"save", true}});
  return base::json_object({
      {"positionEncoding", encoding == Encoding::utf8 ? "utf-8" : "utf-16"},
      {"textDocumentSync", std::move(sync)},
      {"hoverProvider", true},
      {"completionProvider", base::json_object({{"triggerCharacters", std::vector<std::string>{"."}}})},
      {"definitionProvider", true},
      {"referencesProvider", true},
      {"documentSymbolProvider", true},
      {"documentFormattingProvider", true},
      {"codeActionProvider", base::json_object({{"codeActionKinds", kinds}})},
      {"codeLensProvider", base::json_object({{"resolveProvider", false}})},
      {"executeCommandProvider", base::json_object({{"commands", commands}})},
      {"semanticTokensProvider", base::json_object({{"legend", token_legend()}, {"full", true}})},
  });
}

bool is_request_id(const Json& id) {
  return id.is(Json::Kind::string) || (id.is(Json::Kind::number) && id.integer().has_value());
}

// The texts of an array, or nothing if it is something else.
std::optional<std::vector<std::string>> texts_from(const Json& json) {
  if (!json.is(Json::Kind::array)) return std::nullopt;
  std::vector<std::string> texts;
  for (const Json& item : json.items()) {
    if (!item.is(Json::Kind::string)) return std::nullopt;
    texts.push_back(item.text());
  }
  return texts;
}

bool has_text(const Json& array, std::string_view text) {
  return std::any_of(array.items().begin(), array.items().end(),
                     [&](const Json& item) { return item.is(Json::Kind::string) && item.text() == text; });
}

RpcError wrong_option(std::string_view name, std::string_view expected) {
  return {kInvalidParams, fmt::format("initializationOptions: '{}': expected {}", name, expected)};
}

void read_capabilities(const Json& capabilities, Session& session) {
  if (has_text(capabilities.at("general").at("positionEncodings"), "utf-8"))
    session.workspace.encoding = Encoding::utf8;
  const Json& edit = capabilities.at("workspace").at("workspaceEdit");
  Editor& editor = session.editor;
  editor.versioned_edits = edit.at("documentChanges").truth();
  editor.creates_files = editor.versioned_edits && has_text(edit.at("resourceOperations"), "create");
  editor.shows_documents = capabilities.at("window").at("showDocument").at("support").truth();
}

struct Method {
  std::string_view name;
  Answer (*answer)(Session& session, const Json& id, const Json& params);
};
constexpr Method kMethods[] = {
    {"textDocument/hover", hover},
    {"textDocument/completion", completion},
    {"textDocument/definition", definition},
    {"textDocument/references", references},
    {"textDocument/documentSymbol", symbols},
    {"textDocument/formatting", format},
    {"textDocument/semanticTokens/full", tokens},
    {"textDocument/codeAction", code_actions},
    {"textDocument/codeLens", code_lenses},
    {"workspace/executeCommand", execute},
};

struct Notification {
  std::string_view name;
  void (*hear)(Session& session, const Json& params);
};
constexpr Notification kNotifications[] = {
    {"initialized", [](Session& session, const Json&) { session.verdicts->prepare(); }},
    {"textDocument/didOpen", opened},
    {"textDocument/didChange", changed},
    {"textDocument/didClose", closed},
    {"textDocument/didSave", saved},
    {"workspace/didChangeWatchedFiles", files_changed},
    {"$/cancelRequest", [](Session& session, const Json& params) { session.pending.cancel(params.at("id")); }},
};

}  // namespace

void Server::receive(const std::string& message) {
  const base::Result<Json> json = base::read_json_text(base::Source("message", message));
  if (!json) return refuse(base::messages(json.errors()));
  if (!json->is(Json::Kind::object)) {
    return session_.editor.complain(kInvalidRequest, "expected an object; batches are not supported");
  }
  handle(*json);
}

void Server::handle(const Json& message) {
  const Json& id = message.at("id");
  const Json& method = message.at("method");
  const bool is_request = message.find("id") != nullptr;
  const auto wrong = [&](std::string_view reason) {
    session_.editor.answer(is_request_id(id) ? id : Json(), RpcError{kInvalidRequest, std::string(reason)});
  };
  if (message.at("jsonrpc").text() != "2.0") return wrong("'jsonrpc' is not \"2.0\"");
  if (!method.is(Json::Kind::string)) {
    // An answer to a request of ours, none of which asks for anything.
    const bool is_answer = message.find("result") != nullptr || message.find("error") != nullptr;
    if (is_answer && is_request && message.find("method") == nullptr) return;
    return wrong("'method' is not a string");
  }
  if (!is_request) return hear(method.text(), message.at("params"));
  if (!is_request_id(id)) return wrong("'id' is neither a string nor an integer");
  session_.editor.answer(id, answer(id, method.text(), message.at("params")));
}

Answer Server::answer(const Json& id, std::string_view method, const Json& params) {
  if (!initialized_ && method != "initialize") {
    return RpcError{kNotInitialized, "the first request must be 'initialize'"};
  }
  if (shut_down_) return RpcError{kInvalidRequest, "the server was shut down"};
  if (method == "initialize") return initialize(params);
  if (method == "shutdown") return shut_down();
  for (const Method& known : kMethods) {
    if (known.name == method) return known.answer(session_, id, params);
  }
  return RpcError{kMethodNotFound, fmt::format("there is no method '{}'", base::clipped(method))};
}

void Server::hear(std::string_view method, const Json& params) {
  if (method == "exit") exit_code_ = shut_down_ ? 0 : 1;
  if (!initialized_ || shut_down_) return;
  for (const Notification& known : kNotifications) {
    if (known.name == method) return known.hear(session_, params);
  }
}

Answer Server::initialize(const Json& params) {
  if (initialized_) return RpcError{kInvalidRequest, "the server is initialized already"};
  if (std::optional<RpcError> wrong = read_options(params.at("initializationOptions"))) return *wrong;
  read_capabilities(params.at("capabilities"), session_);
  Workspace& workspace = session_.workspace;
  const std::string root = path_of(params.at("rootUri").text());
  if (!root.empty()) workspace.roots.push_back(root);
  for (const Json& folder : params.at("workspaceFolders").items()) {
    const std::string path = path_of(folder.at("uri").text());
    if (!path.empty() && path != root) workspace.roots.push_back(path);
  }
  initialized_ = true;
  return base::json_object({{"capabilities", server_capabilities(workspace.encoding)},
                            {"serverInfo", base::json_object({{"name", "weakspot"}, {"version", version_}})}});
}

std::optional<RpcError> Server::read_options(const Json& options) {
  VerdictOptions verdicts;
  if (const Json* folders = options.find("includeFolders")) {
    const auto texts = texts_from(*folders);
    if (!texts) return wrong_option("includeFolders", "an array of paths");
    session_.workspace.include_folders = *texts;
  }
  if (const Json* models = options.find("models")) {
    const auto texts = texts_from(*models);
    if (!texts) return wrong_option("models", "an array of names or paths of models");
    verdicts.models = *texts;
  }
  if (const Json* seconds = options.find("seconds")) {
    const std::optional<double> value = seconds->real();
    if (!value || !(*value > 0 && *value <= 3600)) return wrong_option("seconds", "a number from 0 to 3600");
    verdicts.time = std::chrono::milliseconds(std::max<std::int64_t>(1, static_cast<std::int64_t>(*value * 1000)));
  }
  if (const Json* time = options.find("hoverMilliseconds")) {
    const std::optional<std::uint64_t> value = time->whole();
    if (!value || *value > 60'000) return wrong_option("hoverMilliseconds", "an integer from 0 to 60000");
    session_.hover_time = std::chrono::milliseconds(*value);
  }
  if (const Json* report = options.find("raceReport")) {
    if (!report->is(Json::Kind::string)) return wrong_option("raceReport", "the path of a report or of a folder");
    session_.race_report = report->text();
  }
  if (const Json* on_save = options.find("raceOnSave")) {
    if (!on_save->is(Json::Kind::boolean)) return wrong_option("raceOnSave", "true or false");
    session_.race_on_save = on_save->truth();
  }
  session_.verdicts = std::make_unique<Verdicts>(*session_.worker, verdicts);
  return std::nullopt;
}

Answer Server::shut_down() {
  shut_down_ = true;
  for (auto& [uri, document] : session_.workspace.documents()) document.ticket->store(true);
  for (auto& [uri, check] : session_.race_checks) check->store(true);
  for (auto& [uri, check] : session_.proof_checks) check->store(true);
  session_.pending.cancel_all();
  return nullptr;
}

void Server::tick() {
  session_.worker->collect();
  session_.race_worker->collect();
  if (shut_down_) return;
  publish_due(session_);
  session_.pending.settle_ready(*session_.verdicts);
}

void Server::run_until_quiet() {
  do {
    tick();
    session_.worker->wait_for_jobs();
    session_.race_worker->wait_for_jobs();
  } while (!session_.worker->idle() || !session_.race_worker->idle() || !session_.due.empty());
  tick();
}

}  // namespace weakspot::lsp
