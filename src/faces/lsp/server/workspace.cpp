// SPDX-License-Identifier: MIT
#include "lsp/server/workspace.h"

#include <fmt/format.h>

#include <filesystem>

#include "base/file.h"
#include "base/source.h"
#include "lsp/protocol/uri.h"
#include "model/library.h"

namespace weakspot::lsp {
namespace {

namespace fs = std::filesystem;

base::Result<base::Source> own_model(std::string_view name) {
  const fs::path folder = base::data_directory("models");
  if (!folder.empty() && base::is_file(folder / name)) {
    base::Result<std::string> text = base::read_file((folder / name).string());
    if (!text) return text.errors();
    return base::Source((folder / name).string(), std::move(*text));
  }
  if (name.ends_with(".cat")) {
    if (const auto text = model::built_in_text(name.substr(0, name.size() - 4))) {
      return base::Source(fmt::format("models/{}", name), std::string(*text));
    }
  }
  return base::error(fmt::format("there is no file '{}' to include", name));
}

}  // namespace

Language language_of(std::string_view id, std::string_view uri) {
  if (id == "litmus") return Language::litmus;
  if (id == "cat") return Language::cat;
  if (id == "cuda" || id == "cuda-cpp") return Language::cuda;
  if (uri.ends_with(".litmus")) return Language::litmus;
  if (uri.ends_with(".cat") || uri.ends_with(".bell")) return Language::cat;
  if (uri.ends_with(".cu") || uri.ends_with(".cuh")) return Language::cuda;
  return Language::other;
}

Document& Workspace::open(const std::string& uri, Language language, std::int64_t version, std::string text) {
  close(uri);
  Document& document = documents_[uri];
  document.uri = uri;
  document.path = path_of(uri);
  document.language = language;
  document.version = version;
  document.text = DocumentText(std::move(text), encoding);
  touch(document, version);
  return document;
}

void Workspace::close(const std::string& uri) {
  const auto found = documents_.find(uri);
  if (found == documents_.end()) return;
  found->second.ticket->store(true);
  documents_.erase(found);
}

Document* Workspace::find(const std::string& uri) {
  const auto found = documents_.find(uri);
  return found == documents_.end() ? nullptr : &found->second;
}

void Workspace::touch(Document& document, std::int64_t version) {
  document.version = version;
  document.ticket->store(true);
  document.ticket = new_ticket();
  document.reading.reset();
  // Others may include this one.
  for (auto& [uri, other] : documents_) {
    if (&other == &document || document.language == Language::cat) other.index.reset();
  }
}

const LitmusReading& Workspace::litmus(Document& document) const {
  if (!document.reading) {
    document.reading =
        document.too_large() ? LitmusReading() : read_litmus(base::Source(document.name(), document.text.text()));
  }
  return *document.reading;
}

const std::shared_ptr<const model::CatIndex>& Workspace::cat(Document& document) const {
  if (!document.index) {
    const base::Source source(document.name(), document.too_large() ? std::string() : document.text.text());
    document.index = std::make_shared<const model::CatIndex>(model::index_cat(source, loader(document.path)));
  }
  return document.index;
}

model::IncludeLoader Workspace::loader(const std::string& path) const {
  std::map<std::string, std::string> unsaved;  // by path
  for (const auto& [uri, document] : documents_) {
    if (document.language == Language::cat && !document.path.empty() && !document.too_large()) {
      unsaved.emplace(document.path, document.text.text());
    }
  }
  std::vector<fs::path> folders(include_folders.begin(), include_folders.end());
  if (!path.empty()) folders.push_back(fs::path(path).parent_path());
  return [folders, unsaved](std::string_view name) -> base::Result<base::Source> {
    for (const fs::path& folder : folders) {
      const fs::path candidate = (folder / name).lexically_normal();
      if (const auto text = unsaved.find(candidate.string()); text != unsaved.end()) {
        return base::Source(candidate.string(), text->second);
      }
      if (!base::is_file(candidate)) continue;
      base::Result<std::string> text = base::read_file(candidate.string());
      if (!text) return text.errors();
      return base::Source(candidate.string(), std::move(*text));
    }
    return own_model(name);
  };
}

}  // namespace weakspot::lsp
