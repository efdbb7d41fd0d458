// SPDX-License-Identifier: MIT
// What editors ask about a place in a document.
#include <algorithm>
#include <filesystem>

#include "base/file.h"
#include "lsp/cat_features.h"
#include "lsp/litmus_features.h"
#include "lsp/server.h"
#include "lsp/uri.h"

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

}  // namespace

Document* Server::asked_document(const Json& params) {
  return workspace_.find(params.at("textDocument").at("uri").text());
}

std::optional<Server::Asked> Server::asked_at(const Json& params) {
  Document* document = asked_document(params);
  const std::optional<TextPosition> position = position_from(params.at("position"));
  if (document == nullptr || !position) return std::nullopt;
  return Asked{document, document->text.offset(*position)};
}

Answer Server::hover(const Json& id, const Json& params) {
  const std::optional<Asked> asked = asked_at(params);
  if (!asked) return not_open();
  Document& document = *asked->document;
  if (document.language == Language::cat) return cat_hover(document.text, *workspace_.cat(document), asked->offset);
  if (document.language != Language::litmus) return nullptr;
  const LitmusReading& reading = workspace_.litmus(document);
  Json known = litmus_hover(document.text, reading, asked->offset);
  const TestInText* found = reading.at(asked->offset);
  if (!known.is(Json::Kind::null) || found == nullptr) return known;
  Pending& pending = add_pending(id, document, hover_time_);
  pending.test = found->test;
  pending.range = document.text.range(found->test->span);
  return Later{};  // tick() asks the models
}

Answer Server::completion(const Json&, const Json& params) {
  const std::optional<Asked> asked = asked_at(params);
  if (!asked) return not_open();
  Document& document = *asked->document;
  if (document.language == Language::cat) return cat_completion(*workspace_.cat(document), asked->offset);
  if (document.language != Language::litmus || document.too_large()) return nullptr;
  return litmus_completion(document.text, asked->offset, verdicts_->models());
}

Answer Server::definition(const Json&, const Json& params) {
  const std::optional<Asked> asked = asked_at(params);
  if (!asked) return not_open();
  Document& document = *asked->document;
  if (document.language != Language::cat) return nullptr;
  return cat_definition(document.text, *workspace_.cat(document), asked->offset,
                        [this](const model::CatIndex::File& file) { return uri_of_file(file); });
}

Answer Server::references(const Json&, const Json& params) {
  const std::optional<Asked> asked = asked_at(params);
  if (!asked) return not_open();
  Document& document = *asked->document;
  if (document.language != Language::cat) return nullptr;
  const std::shared_ptr<const model::CatIndex> index = workspace_.cat(document);
  CatReferences references(workspace_.encoding, params.at("context").at("includeDeclaration").truth(),
                           [this](const model::CatIndex::File& file) { return uri_of_file(file); });
  references.add_at(*index, asked->offset);
  const std::optional<CatPlace> place = cat_place(*index, asked->offset);
  if (!place) return references.locations();
  for (auto& [uri, other] : workspace_.documents()) {
    if (other.language == Language::cat && &other != &document) references.add(*workspace_.cat(other), *place);
  }
  if (document.path.empty()) return references.locations();
  for (const std::filesystem::path& file : neighbours_of(document.path)) {
    if (workspace_.find(uri_of(file.string())) != nullptr) continue;
    const base::Result<std::string> text = base::read_file(file.string());
    if (!text) continue;
    references.add(model::index_cat(base::Source(file.string(), *text), workspace_.loader(file.string())), *place);
  }
  return references.locations();
}

Answer Server::symbols(const Json&, const Json& params) {
  Document* document = asked_document(params);
  if (document == nullptr) return not_open();
  if (document->language == Language::cat) return cat_symbols(document->text, *workspace_.cat(*document));
  if (document->language == Language::litmus) return litmus_symbols(document->text, workspace_.litmus(*document));
  return nullptr;
}

Answer Server::format(const Json&, const Json& params) {
  Document* document = asked_document(params);
  if (document == nullptr) return not_open();
  if (document->language != Language::litmus) return nullptr;
  const base::Result<std::string> text =
      formatted_litmus(document->name(), document->text, workspace_.litmus(*document));
  if (!text) return RpcError{kRequestFailed, base::messages(text.errors())};
  if (*text == document->text.text()) return base::json_array();
  const base::Span all{0, static_cast<std::uint32_t>(document->text.text().size())};
  return base::json_array({text_edit(document->text.range(all), *text)});
}

Answer Server::tokens(const Json&, const Json& params) {
  Document* document = asked_document(params);
  if (document == nullptr) return not_open();
  if (document->too_large()) return nullptr;
  if (document->language == Language::cat) return cat_tokens(document->text, *workspace_.cat(*document));
  if (document->language == Language::litmus) return litmus_tokens(document->text, workspace_.litmus(*document));
  return nullptr;
}

// Files of the library have no place of their own: they are written where an editor can open them.
std::string Server::uri_of_file(const model::CatIndex::File& file) {
  if (Document* open = workspace_.find(file.name)) return open->uri;  // a document that is not a file
  if (!file.built_in) return file.name.starts_with('/') ? uri_of(file.name) : std::string();
  if (folder_.path().empty()) return {};
  const std::filesystem::path copy = folder_.path() / std::filesystem::path(file.name).filename();
  if (!base::is_file(copy) && !base::write_file(copy.string(), file.text, base::Durable::no)) return {};
  return uri_of(copy.string());
}

}  // namespace weakspot::lsp
