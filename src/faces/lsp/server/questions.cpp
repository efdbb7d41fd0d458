// SPDX-License-Identifier: MIT
// Answers to questions about a place in a document.
#include <algorithm>
#include <filesystem>

#include "base/file.h"
#include "base/source.h"
#include "lsp/features/cat_features.h"
#include "lsp/features/litmus_features.h"
#include "lsp/protocol/uri.h"
#include "lsp/server/handlers.h"

namespace weakspot::lsp {
namespace {

RpcError not_open() { return {kInvalidParams, "the document is not open, or the position is missing"}; }

// Files beside a model that may use its names.
constexpr std::size_t kMostNeighbours = 100;
constexpr std::uintmax_t kLargestNeighbour = std::uintmax_t{1} << 20;

std::vector<std::filesystem::path> neighbours_of(const std::string& path) {
  std::vector<std::filesystem::path> files;
  std::error_code failed;
  for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(path).parent_path(), failed)) {
    std::error_code unknown;
    if (entry.path().extension() != ".cat" || !entry.is_regular_file(unknown)) continue;
    if (entry.file_size(unknown) > kLargestNeighbour || unknown) continue;
    files.push_back(entry.path());
    if (files.size() == kMostNeighbours) break;
  }
  std::sort(files.begin(), files.end());
  return files;
}

struct Asked {
  Document* document = nullptr;
  std::size_t offset = 0;
};

std::optional<Asked> asked_at(Session& session, const Json& params) {
  Document* document = session.document(params);
  const std::optional<TextPosition> position = position_from(params.at("position"));
  if (document == nullptr || !position) return std::nullopt;
  return Asked{document, document->text.offset(*position)};
}

// Files of the library have no place of their own: they are written where an editor can open them.
std::string uri_of_file(Session& session, const model::CatIndex::File& file) {
  if (Document* open = session.workspace.find(file.name)) return open->uri;  // a document that is not a file
  if (!file.built_in) return file.name.starts_with('/') ? uri_of(file.name) : std::string();
  if (session.folder.path().empty()) return {};
  const std::filesystem::path copy = session.folder.path() / std::filesystem::path(file.name).filename();
  if (!base::is_file(copy) && !base::write_file(copy.string(), file.text, base::Durable::no)) return {};
  return uri_of(copy.string());
}

}  // namespace

Answer hover(Session& session, const Json& id, const Json& params) {
  const std::optional<Asked> asked = asked_at(session, params);
  if (!asked) return not_open();
  Document& document = *asked->document;
  if (document.language == Language::cat)
    return cat_hover(document.text, *session.workspace.cat(document), asked->offset);
  if (document.language != Language::litmus) return nullptr;
  const LitmusReading& reading = session.workspace.litmus(document);
  Json known = litmus_hover(document.text, reading, asked->offset);
  const TestInText* found = reading.at(asked->offset);
  if (!known.is(Json::Kind::null) || found == nullptr) return known;
  Pending& pending = session.pending.add(id, document, session.hover_time);
  pending.test = found->test;
  pending.range = document.text.range(found->test->span);
  return Later{};  // tick() asks the models
}

Answer completion(Session& session, const Json&, const Json& params) {
  const std::optional<Asked> asked = asked_at(session, params);
  if (!asked) return not_open();
  Document& document = *asked->document;
  if (document.language == Language::cat) return cat_completion(*session.workspace.cat(document), asked->offset);
  if (document.language != Language::litmus || document.too_large()) return nullptr;
  return litmus_completion(document.text, asked->offset, session.verdicts->models());
}

Answer definition(Session& session, const Json&, const Json& params) {
  const std::optional<Asked> asked = asked_at(session, params);
  if (!asked) return not_open();
  Document& document = *asked->document;
  if (document.language != Language::cat) return nullptr;
  return cat_definition(document.text, *session.workspace.cat(document), asked->offset,
                        [&](const model::CatIndex::File& file) { return uri_of_file(session, file); });
}

Answer references(Session& session, const Json&, const Json& params) {
  const std::optional<Asked> asked = asked_at(session, params);
  if (!asked) return not_open();
  Document& document = *asked->document;
  if (document.language != Language::cat) return nullptr;
  const std::shared_ptr<const model::CatIndex> index = session.workspace.cat(document);
  CatReferences references(session.workspace.encoding, params.at("context").at("includeDeclaration").truth(),
                           [&](const model::CatIndex::File& file) { return uri_of_file(session, file); });
  references.add_at(*index, asked->offset);
  const std::optional<CatPlace> place = cat_place(*index, asked->offset);
  if (!place) return references.locations();
  for (auto& [uri, other] : session.workspace.documents()) {
    if (other.language == Language::cat && &other != &document) references.add(*session.workspace.cat(other), *place);
  }
  if (document.path.empty()) return references.locations();
  for (const std::filesystem::path& file : neighbours_of(document.path)) {
    if (session.workspace.find(uri_of(file.string())) != nullptr) continue;
    const base::Result<std::string> text = base::read_file(file.string());
    if (!text) continue;
    references.add(model::index_cat(base::Source(file.string(), *text), session.workspace.loader(file.string())),
                   *place);
  }
  return references.locations();
}

Answer symbols(Session& session, const Json&, const Json& params) {
  Document* document = session.document(params);
  if (document == nullptr) return not_open();
  if (document->language == Language::cat) return cat_symbols(document->text, *session.workspace.cat(*document));
  if (document->language == Language::litmus)
    return litmus_symbols(document->text, session.workspace.litmus(*document));
  return nullptr;
}

Answer format(Session& session, const Json&, const Json& params) {
  Document* document = session.document(params);
  if (document == nullptr) return not_open();
  if (document->language != Language::litmus) return nullptr;
  const base::Result<std::string> text =
      formatted_litmus(document->name(), document->text, session.workspace.litmus(*document));
  if (!text) return RpcError{kRequestFailed, base::messages(text.errors())};
  if (*text == document->text.text()) return base::json_array();
  const base::Span all{0, static_cast<std::uint32_t>(document->text.text().size())};
  return base::json_array({text_edit(document->text.range(all), *text)});
}

Answer tokens(Session& session, const Json&, const Json& params) {
  Document* document = session.document(params);
  if (document == nullptr) return not_open();
  if (document->too_large()) return nullptr;
  if (document->language == Language::cat) return cat_tokens(document->text, *session.workspace.cat(*document));
  if (document->language == Language::litmus) return litmus_tokens(document->text, session.workspace.litmus(*document));
  return nullptr;
}

}  // namespace weakspot::lsp
