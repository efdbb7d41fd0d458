// SPDX-License-Identifier: MIT
// Documents that open, change and close.
#include "lsp/server/handlers.h"

namespace weakspot::lsp {
namespace {

bool apply_change(Document& document, const Json& change, Encoding encoding) {
  if (!change.at("text").is(Json::Kind::string)) return false;
  if (change.find("range") == nullptr) {
    document.text = DocumentText(change.at("text").text(), encoding);
    return true;
  }
  const std::optional<TextRange> range = range_from(change.at("range"));
  if (!range || range->end < range->begin) return false;
  document.text.replace(*range, change.at("text").text());
  return true;
}

}  // namespace

void opened(Session& session, const Json& params) {
  const Json& item = params.at("textDocument");
  const std::string& uri = item.at("uri").text();
  if (uri.empty() || !item.at("text").is(Json::Kind::string)) return;
  session.pending.drop_hovers(uri);
  session.workspace.open(uri, language_of(item.at("languageId").text(), uri), item.at("version").integer().value_or(0),
                         item.at("text").text());
  session.due.insert(uri);
}

void changed(Session& session, const Json& params) {
  Document* document = session.document(params);
  if (document == nullptr) return;
  bool all_applied = true;
  for (const Json& change : params.at("contentChanges").items()) {
    all_applied = apply_change(*document, change, session.workspace.encoding) && all_applied;
  }
  session.workspace.touch(*document, params.at("textDocument").at("version").integer().value_or(document->version));
  session.pending.drop_hovers(document->uri);
  drop_proof(session, document->uri);
  session.due.insert(document->uri);
  // Others may include this one.
  for (const auto& [uri, other] : session.workspace.documents()) {
    if (document->language == Language::cat && other.language == Language::cat) session.due.insert(uri);
  }
  if (!all_applied) {
    session.editor.notify("window/logMessage",
                          base::json_object({{"type", 1}, {"message", "a change of a document has no valid range"}}));
  }
}

void closed(Session& session, const Json& params) {
  const std::string uri = params.at("textDocument").at("uri").text();
  if (session.workspace.find(uri) == nullptr) return;
  session.pending.drop_hovers(uri);
  session.workspace.close(uri);
  session.due.erase(uri);
  if (const auto check = session.race_checks.find(uri); check != session.race_checks.end()) {
    check->second->store(true);
    session.race_checks.erase(check);
  }
  session.race_reports.erase(uri);
  drop_proof(session, uri);
  // A closed document has no mistakes to show.
  session.editor.notify("textDocument/publishDiagnostics",
                        base::json_object({{"uri", uri}, {"diagnostics", base::json_array()}}));
}

void saved(Session& session, const Json& params) {
  if (const Document* document = session.document(params);
      document != nullptr && document->language == Language::cuda) {
    session.due.insert(document->uri);
    if (session.race_on_save) check_races(session, *document);
  }
}

// A report was written, or a file that models include.
void files_changed(Session& session, const Json&) {
  for (auto& [uri, document] : session.workspace.documents()) {
    if (document.language == Language::cat) document.index.reset();
    if (document.language == Language::cat || document.language == Language::cuda) session.due.insert(uri);
  }
}

}  // namespace weakspot::lsp
