// SPDX-License-Identifier: MIT
// The server's life: messages, the start and the end, requests that wait.
#include "lsp/server.h"

#include <fmt/format.h>

#include <algorithm>

#include "lsp/actions.h"
#include "lsp/semantic_tokens.h"
#include "lsp/uri.h"

namespace weakspot::lsp {
namespace {

constexpr std::chrono::milliseconds kLongestWait{60'000};

Json server_capabilities(Encoding encoding) {
  const std::vector<std::string> commands = {std::string(kMakeForbidden), std::string(kShowExecution),
                                             std::string(kConvert)};
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

}  // namespace

const Server::Method Server::kMethods[] = {
    {"initialize", &Server::initialize},
    {"shutdown", &Server::shutdown},
    {"textDocument/hover", &Server::hover},
    {"textDocument/completion", &Server::completion},
    {"textDocument/definition", &Server::definition},
    {"textDocument/references", &Server::references},
    {"textDocument/documentSymbol", &Server::symbols},
    {"textDocument/formatting", &Server::format},
    {"textDocument/semanticTokens/full", &Server::tokens},
    {"textDocument/codeAction", &Server::code_actions},
    {"workspace/executeCommand", &Server::execute},
};

const Server::Notification Server::kNotifications[] = {
    {"initialized", &Server::initialized},        {"textDocument/didOpen", &Server::opened},
    {"textDocument/didChange", &Server::changed}, {"textDocument/didClose", &Server::closed},
    {"textDocument/didSave", &Server::saved},     {"workspace/didChangeWatchedFiles", &Server::files_changed},
    {"$/cancelRequest", &Server::cancel},
};

Server::Server(std::string version, Send send, std::function<void()> wake)
    : version_(std::move(version)), send_(std::move(send)), worker_(std::make_unique<Worker>(std::move(wake))) {
  verdicts_ = std::make_unique<Verdicts>(*worker_, VerdictOptions{});
}

Server::~Server() { worker_.reset(); }  // its jobs refer to the rest

void Server::receive(const std::string& message) {
  const base::Result<Json> json = base::read_json_text(base::Source("message", message));
  if (!json) return send_(error_json(nullptr, {kParseError, base::messages(json.errors())}));
  if (!json->is(Json::Kind::object)) {
    return send_(error_json(nullptr, {kInvalidRequest, "expected an object; batches are not supported"}));
  }
  handle(*json);
}

void Server::refuse(const std::string& reason) { send_(error_json(nullptr, {kParseError, reason})); }

void Server::handle(const Json& message) {
  const Json& id = message.at("id");
  const bool is_request = message.find("id") != nullptr;
  const Json& method = message.at("method");
  if (message.at("jsonrpc").text() != "2.0") {
    return send_(error_json(is_request_id(id) ? id : Json(), {kInvalidRequest, "'jsonrpc' is not \"2.0\""}));
  }
  if (!method.is(Json::Kind::string)) {
    // An answer to a request of ours, none of which asks for anything.
    const bool is_answer = message.find("result") != nullptr || message.find("error") != nullptr;
    if (is_answer && is_request && message.find("method") == nullptr) return;
    return send_(error_json(is_request_id(id) ? id : Json(), {kInvalidRequest, "'method' is not a string"}));
  }
  if (is_request && !is_request_id(id)) {
    return send_(error_json(nullptr, {kInvalidRequest, "'id' is neither a string nor an integer"}));
  }
  if (is_request) return request(id, method.text(), message.at("params"));
  notify(method.text(), message.at("params"));
}

void Server::request(const Json& id, std::string_view method, const Json& params) {
  if (!initialized_ && method != "initialize") {
    return answer(id, RpcError{kNotInitialized, "the first request must be 'initialize'"});
  }
  if (shut_down_) return answer(id, RpcError{kInvalidRequest, "the server was shut down"});
  for (const Method& known : kMethods) {
    if (known.name == method) return answer(id, (this->*known.handle)(id, params));
  }
  answer(id, RpcError{kMethodNotFound, fmt::format("there is no method '{}'", base::clipped(method))});
}

void Server::notify(std::string_view method, const Json& params) {
  if (method == "exit") return exit(params);
  if (!initialized_ || shut_down_) return;
  for (const Notification& known : kNotifications) {
    if (known.name == method) return (this->*known.hear)(params);
  }
}

void Server::answer(const Json& id, Answer answer) {
  if (const auto* result = std::get_if<Json>(&answer)) send_(reply_json(id, *result));
  if (const auto* error = std::get_if<RpcError>(&answer)) send_(error_json(id, *error));
}

// ---- life cycle ----

Answer Server::initialize(const Json&, const Json& params) {
  if (initialized_) return RpcError{kInvalidRequest, "the server is initialized already"};
  if (std::optional<RpcError> wrong = read_options(params.at("initializationOptions"))) return *wrong;
  read_capabilities(params.at("capabilities"));
  const std::string root = path_of(params.at("rootUri").text());
  if (!root.empty()) workspace_.roots.push_back(root);
  for (const Json& folder : params.at("workspaceFolders").items()) {
    const std::string path = path_of(folder.at("uri").text());
    if (!path.empty() && path != root) workspace_.roots.push_back(path);
  }
  initialized_ = true;
  return base::json_object({{"capabilities", server_capabilities(workspace_.encoding)},
                            {"serverInfo", base::json_object({{"name", "weakspot"}, {"version", version_}})}});
}

std::optional<RpcError> Server::read_options(const Json& options) {
  VerdictOptions verdicts;
  if (const Json* folders = options.find("includeFolders")) {
    const auto texts = texts_from(*folders);
    if (!texts) return wrong_option("includeFolders", "an array of paths");
    workspace_.include_folders = *texts;
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
    hover_time_ = std::chrono::milliseconds(*value);
  }
  if (const Json* report = options.find("raceReport")) {
    if (!report->is(Json::Kind::string)) return wrong_option("raceReport", "the path of a report or of a folder");
    race_report_ = report->text();
  }
  verdicts_ = std::make_unique<Verdicts>(*worker_, verdicts);
  return std::nullopt;
}

void Server::read_capabilities(const Json& capabilities) {
  if (has_text(capabilities.at("general").at("positionEncodings"), "utf-8")) workspace_.encoding = Encoding::utf8;
  const Json& edit = capabilities.at("workspace").at("workspaceEdit");
  versioned_edits_ = edit.at("documentChanges").truth();
  creates_files_ = versioned_edits_ && has_text(edit.at("resourceOperations"), "create");
  shows_documents_ = capabilities.at("window").at("showDocument").at("support").truth();
}

void Server::initialized(const Json&) { verdicts_->prepare(); }

Answer Server::shutdown(const Json&, const Json&) {
  shut_down_ = true;
  for (auto& [uri, document] : workspace_.documents()) document.ticket->store(true);
  for (const Pending& one : std::exchange(pending_, {})) {
    one.ticket->store(true);
    answer(one.id, RpcError{kRequestCancelled, "the server is shutting down"});
  }
  return nullptr;
}

void Server::exit(const Json&) { exit_code_ = shut_down_ ? 0 : 1; }

// ---- requests that wait ----

Server::Pending& Server::add_pending(const Json& id, const Document& document, std::chrono::milliseconds time) {
  const std::chrono::milliseconds limit = std::min(time, kLongestWait);
  return pending_.emplace_back(Pending{id, document.uri, Clock::now() + limit, new_ticket(), nullptr, {}});
}

bool Server::settle(const Json& id, Answer result) {
  const auto found = std::find_if(pending_.begin(), pending_.end(), [&](const Pending& one) { return one.id == id; });
  if (found == pending_.end()) return false;
  const Json own = found->id;
  pending_.erase(found);
  answer(own, std::move(result));
  return true;
}

void Server::cancel(const Json& params) {
  const Json& id = params.at("id");
  for (const Pending& one : pending_) {
    if (one.id == id) one.ticket->store(true);
  }
  settle(id, RpcError{kRequestCancelled, "the request was cancelled"});
}

void Server::drop_pending(const std::string& uri) {
  std::vector<Json> dropped;
  for (const Pending& one : pending_) {
    if (one.uri != uri || !one.is_hover()) continue;
    one.ticket->store(true);
    dropped.push_back(one.id);
  }
  for (const Json& id : dropped) settle(id, RpcError{kContentModified, "the text has changed"});
}

void Server::settle_hovers() {
  const Clock::time_point now = Clock::now();
  const std::vector<Pending> waiting = pending_;
  for (const Pending& one : waiting) {
    const bool late = one.deadline <= now;
    if (!one.is_hover()) {
      if (!late) continue;
      one.ticket->store(true);
      settle(one.id, RpcError{kRequestFailed, "the command took too long"});
      continue;
    }
    // The list of models may have come since.
    verdicts_->want(one.test, one.ticket);
    if (!late && !verdicts_->complete(*one.test)) continue;
    settle(one.id, markdown_hover(verdict_table(*one.test, verdicts_->of(*one.test)), one.range));
  }
}

void Server::tick() {
  worker_->collect();
  if (shut_down_) return;
  for (const std::string& uri : std::exchange(due_, {})) {
    if (Document* document = workspace_.find(uri)) publish(*document);
  }
  for (const std::string& uri : std::set<std::string>(expectations_)) {
    Document* document = workspace_.find(uri);
    if (document == nullptr || publish_contradictions(*document)) expectations_.erase(uri);
  }
  settle_hovers();
}

std::optional<Server::Clock::time_point> Server::next_deadline() const {
  std::optional<Clock::time_point> next;
  for (const Pending& one : pending_) next = next ? std::min(*next, one.deadline) : one.deadline;
  return next;
}

void Server::run_until_quiet() {
  do {
    tick();
    worker_->wait_for_jobs();
  } while (!worker_->idle() || !due_.empty());
  tick();
}

}  // namespace weakspot::lsp
