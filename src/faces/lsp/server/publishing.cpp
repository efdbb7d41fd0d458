// SPDX-License-Identifier: MIT
// Diagnostics of documents.
#include <fmt/format.h>

#include <filesystem>
#include <system_error>

#include "base/file.h"
#include "base/source.h"
#include "lsp/features/diagnostics.h"
#include "lsp/features/race_findings.h"
#include "lsp/server/handlers.h"
#include "model/cat_model.h"
#include "questions/model_choice.h"

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
  // Same variants as for models loaded from files.
  const base::Result<model::Model> compiled = model::Model::compile(base::Source(name, text), loader, {"lkmmv2"});
  if (!compiled) return {compiled.errors(), {}};
  return {{}, compiled->warnings()};
}

void publish(Session& session, const Document& document, std::vector<Json> diagnostics) {
  session.editor.notify(
      "textDocument/publishDiagnostics",
      base::json_object(
          {{"uri", document.uri}, {"version", document.version}, {"diagnostics", Json(std::move(diagnostics))}}));
}

void publish_litmus(Session& session, Document& document) {
  const LitmusReading& reading = session.workspace.litmus(document);
  std::vector<Json> diagnostics;
  add_mistakes(document.text, reading.errors, kErrorSeverity, diagnostics);
  publish(session, document, std::move(diagnostics));
  if (!reading.errors.empty() || reading.tests.size() > kMostExpectations) return;
  for (const TestInText& found : reading.tests) {
    for (const auto& [model, expected] : found.test->expectations)
      session.verdicts->want(found.test, model, document.ticket);
  }
  session.expectations.insert(document.uri);
}

// Warns of Expect lines that their models contradict; true once all of them are judged.
bool publish_contradictions(Session& session, Document& document) {
  const LitmusReading& reading = session.workspace.litmus(document);
  if (!reading.errors.empty()) return true;
  std::vector<Json> warnings;
  for (const TestInText& found : reading.tests) {
    for (const auto& [model, expected] : found.test->expectations) {
      const std::optional<KnownVerdict> known = session.verdicts->of(*found.test, model);
      if (!known) return false;
      using Reach = model::Verdict::Reach;
      const Reach reach = known->state == KnownVerdict::State::allowed     ? Reach::allowed
                          : known->state == KnownVerdict::State::forbidden ? Reach::forbidden
                                                                           : Reach::unknown;
      const std::optional<questions::Contradiction> contradicted = questions::contradiction(*found.test, model, reach);
      if (!contradicted) continue;
      warnings.push_back(
          diagnostic_json(document.text.range(found.test->span), kWarningSeverity, contradicted->text()));
    }
  }
  if (!warnings.empty()) publish(session, document, std::move(warnings));
  return true;
}

void publish_cat(Session& session, Document& document) {
  const std::shared_ptr<const model::CatIndex> index = session.workspace.cat(document);
  if (!index->mistakes.empty()) {
    std::vector<Json> diagnostics;
    add_mistakes(document.text, index->mistakes, kErrorSeverity, diagnostics);
    return publish(session, document, std::move(diagnostics));
  }
  // Types are checked by the worker. Until then the editor shows what it has shown.
  session.worker->add(
      [&session, index, uri = document.uri, version = document.version, name = document.name(),
       text = document.text.text(), loader = session.workspace.loader(document.path)](const std::atomic<bool>&) {
        const CompiledCat compiled = compile_cat(name, text, loader);
        return Worker::Afterwards([&session, index, uri, version, name, compiled] {
          Document* open = session.workspace.find(uri);
          if (open == nullptr || open->version != version) return;
          std::vector<Json> diagnostics;
          add_cat_mistakes(open->text, name, *index, compiled.errors, kErrorSeverity, diagnostics);
          add_cat_mistakes(open->text, name, *index, compiled.warnings, kWarningSeverity, diagnostics);
          publish(session, *open, std::move(diagnostics));
        });
      },
      document.ticket, Worker::Urgency::next);
}

void publish_findings(Session& session, Document& document) {
  std::vector<Json> diagnostics;
  if (const auto proof = session.proofs.find(document.uri); proof != session.proofs.end()) {
    add_findings(document.text, document.path, proof->second, false, diagnostics);
  }
  if (const auto checked = session.race_reports.find(document.uri); checked != session.race_reports.end()) {
    if (const auto findings = read_race_report(document.path, checked->second); findings) {
      add_findings(document.text, document.path, *findings, false, diagnostics);
    } else {
      diagnostics.push_back(diagnostic_json(document.text.line_range(0), kInformationSeverity,
                                            "weakspot race could not check this file; the log of the server says why"));
    }
    return publish(session, document, std::move(diagnostics));
  }
  const std::optional<std::string> report = find_race_report(document.path, session.race_report);
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
  publish(session, document, std::move(diagnostics));
}

void publish(Session& session, Document& document) {
  if (document.too_large()) {
    const std::string message =
        fmt::format("the text is not looked at: it has more than {} MiB or very long lines", kLargestDocument >> 20);
    return publish(session, document, {diagnostic_json(document.text.line_range(0), kInformationSeverity, message)});
  }
  switch (document.language) {
    case Language::litmus:
      return publish_litmus(session, document);
    case Language::cat:
      return publish_cat(session, document);
    case Language::cuda:
      return publish_findings(session, document);
    case Language::other:
      return;
  }
}

}  // namespace

void publish_due(Session& session) {
  for (const std::string& uri : std::exchange(session.due, {})) {
    if (Document* document = session.workspace.find(uri)) publish(session, *document);
  }
  for (const std::string& uri : std::set<std::string>(session.expectations)) {
    Document* document = session.workspace.find(uri);
    if (document == nullptr || publish_contradictions(session, *document)) session.expectations.erase(uri);
  }
}

}  // namespace weakspot::lsp
