// SPDX-License-Identifier: MIT
// Documents that open, change and close, and what is wrong with them.
#include <fmt/format.h>

#include <filesystem>
#include <system_error>

#include "base/file.h"
#include "desk/model_choice.h"
#include "lsp/diagnostics.h"
#include "lsp/race_findings.h"
#include "lsp/server.h"
#include "model/cat_model.h"

namespace weakspot::lsp {
namespace {

namespace fs = std::filesystem;

// The Expect lines of more tests are not judged while somebody writes.
constexpr std::size_t kMostExpectations = 64;

bool is_newer(const std::string& file, const std::string& than) {
  std::error_code failed;
  const fs::file_time_type a = fs::last_write_time(file, failed);
  if (failed) return false;
  const fs::file_time_type b = fs::last_write_time(than, failed);
  return !failed && a > b;
}

struct CompiledCat {
  base::Diagnostics errors;
  base::Diagnostics warnings;
};

CompiledCat compile_cat(const std::string& name, const std::string& text, const model::IncludeLoader& loader) {
  // As models from files are loaded.
  const base::Result<model::Model> compiled = model::Model::compile(base::Source(name, text), loader, {"lkmmv2"});
  if (!compiled) return {compiled.errors(), {}};
  return {{}, compiled->warnings()};
}

}  // namespace

void Server::opened(const Json& params) {
  const Json& item = params.at("textDocument");
  const std::string& uri = item.at("uri").text();
  if (uri.empty() || !item.at("text").is(Json::Kind::string)) return;
  drop_pending(uri);
  workspace_.open(uri, language_of(item.at("languageId").text(), uri), item.at("version").integer().value_or(0),
                  item.at("text").text());
  due_.insert(uri);
}

bool Server::apply_change(Document& document, const Json& change) {
  if (!change.at("text").is(Json::Kind::string)) return false;
  if (change.find("range") == nullptr) {
    document.text = DocumentText(change.at("text").text(), workspace_.encoding);
    return true;
  }
  const std::optional<TextRange> range = range_from(change.at("range"));
  if (!range || range->end < range->begin) return false;
  document.text.replace(*range, change.at("text").text());
  return true;
}

void Server::changed(const Json& params) {
  Document* document = asked_document(params);
  if (document == nullptr) return;
  bool all_applied = true;
  for (const Json& change : params.at("contentChanges").items()) {
    all_applied = apply_change(*document, change) && all_applied;
  }
  workspace_.touch(*document, params.at("textDocument").at("version").integer().value_or(document->version));
  drop_pending(document->uri);
  due_.insert(document->uri);
  // Others may include this one.
  for (const auto& [uri, other] : workspace_.documents()) {
    if (document->language == Language::cat && other.language == Language::cat) due_.insert(uri);
  }
  if (!all_applied) {
    send_(
        notification_json("window/logMessage",
                          base::json_object({{"type", 1}, {"message", "a change of a document has no valid range"}})));
  }
}

void Server::closed(const Json& params) {
  const std::string uri = params.at("textDocument").at("uri").text();
  if (workspace_.find(uri) == nullptr) return;
  drop_pending(uri);
  workspace_.close(uri);
  due_.erase(uri);
  // What is no longer open has no mistakes to show.
  send_(notification_json("textDocument/publishDiagnostics",
                          base::json_object({{"uri", uri}, {"diagnostics", base::json_array()}})));
}

void Server::saved(const Json& params) {
  if (const Document* document = asked_document(params); document != nullptr && document->language == Language::cuda) {
    due_.insert(document->uri);
  }
}

// A report was written, or a file that models include.
void Server::files_changed(const Json&) {
  for (auto& [uri, document] : workspace_.documents()) {
    if (document.language == Language::cat) document.index.reset();
    if (document.language == Language::cat || document.language == Language::cuda) due_.insert(uri);
  }
}

// ---- diagnostics ----

void Server::publish(const Document& document, std::vector<Json> diagnostics) {
  send_(notification_json(
      "textDocument/publishDiagnostics",
      base::json_object(
          {{"uri", document.uri}, {"version", document.version}, {"diagnostics", Json(std::move(diagnostics))}})));
}

void Server::publish(Document& document) {
  if (document.too_large()) {
    const std::string message =
        fmt::format("the text is not looked at: it has more than {} MiB or very long lines", kLargestDocument >> 20);
    return publish(document, {diagnostic_json(document.text.line_range(0), kInformationSeverity, message)});
  }
  switch (document.language) {
    case Language::litmus:
      return publish_litmus(document);
    case Language::cat:
      return publish_cat(document);
    case Language::cuda:
      return publish_findings(document);
    case Language::other:
      return;
  }
}

void Server::publish_litmus(Document& document) {
  const LitmusReading& reading = workspace_.litmus(document);
  std::vector<Json> diagnostics;
  add_mistakes(document.text, reading.errors, kErrorSeverity, diagnostics);
  publish(document, std::move(diagnostics));
  if (!reading.errors.empty() || reading.tests.size() > kMostExpectations) return;
  for (const TestInText& found : reading.tests) {
    for (const auto& [model, expected] : found.test->expectations) verdicts_->want(found.test, model, document.ticket);
  }
  expectations_.insert(document.uri);
}

// Warns of Expect lines that their models contradict; true once all of them are judged.
bool Server::publish_contradictions(Document& document) {
  const LitmusReading& reading = workspace_.litmus(document);
  if (!reading.errors.empty()) return true;
  std::vector<Json> warnings;
  for (const TestInText& found : reading.tests) {
    for (const auto& [model, expected] : found.test->expectations) {
      const std::optional<KnownVerdict> known = verdicts_->of(*found.test, model);
      if (!known) return false;
      using Reach = model::Verdict::Reach;
      const Reach reach = known->state == KnownVerdict::State::allowed     ? Reach::allowed
                          : known->state == KnownVerdict::State::forbidden ? Reach::forbidden
                                                                           : Reach::unknown;
      const std::optional<std::string> contradicted = desk::contradiction(*found.test, model, reach);
      if (!contradicted) continue;
      warnings.push_back(diagnostic_json(document.text.range(found.test->span), kWarningSeverity, *contradicted));
    }
  }
  if (!warnings.empty()) publish(document, std::move(warnings));
  return true;
}

void Server::publish_cat(Document& document) {
  const std::shared_ptr<const model::CatIndex> index = workspace_.cat(document);
  if (!index->mistakes.empty()) {
    std::vector<Json> diagnostics;
    add_mistakes(document.text, index->mistakes, kErrorSeverity, diagnostics);
    return publish(document, std::move(diagnostics));
  }
  // Types are checked by the worker. Until then the editor shows what it has shown.
  worker_->add(
      [this, index, uri = document.uri, version = document.version, name = document.name(), text = document.text.text(),
       loader = workspace_.loader(document.path)](const std::atomic<bool>&) {
        const CompiledCat compiled = compile_cat(name, text, loader);
        return Worker::Afterwards([this, index, uri, version, name, compiled] {
          Document* open = workspace_.find(uri);
          if (open == nullptr || open->version != version) return;
          std::vector<Json> diagnostics;
          add_cat_mistakes(open->text, name, *index, compiled.errors, kErrorSeverity, diagnostics);
          add_cat_mistakes(open->text, name, *index, compiled.warnings, kWarningSeverity, diagnostics);
          publish(*open, std::move(diagnostics));
        });
      },
      document.ticket, Worker::Urgency::next);
}

void Server::publish_findings(Document& document) {
  std::vector<Json> diagnostics;
  const std::optional<std::string> report = find_race_report(document.path, race_report_);
  if (report && !document.path.empty()) {
    const base::Result<std::string> text = base::read_file(*report);
    const auto findings =
        text ? read_race_report(*report, *text) : base::Result<std::vector<RaceFinding>>(text.errors());
    if (findings) {
      add_findings(document.text, document.path, *findings, is_newer(document.path, *report), diagnostics);
    } else {
      diagnostics.push_back(
          diagnostic_json(document.text.line_range(0), kInformationSeverity,
                          fmt::format("the report {} cannot be read: {}", *report, base::messages(findings.errors()))));
    }
  }
  publish(document, std::move(diagnostics));
}

}  // namespace weakspot::lsp
