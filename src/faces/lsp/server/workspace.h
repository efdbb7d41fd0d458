// SPDX-License-Identifier: MIT
// The documents that an editor has open, what is known of their texts, and the files around them.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lsp/features/litmus_reading.h"
#include "lsp/protocol/document_text.h"
#include "lsp/server/worker.h"
#include "model/cat_index.h"

namespace weakspot::lsp {

enum class Language : std::uint8_t { other, litmus, cat, cuda };

// The language by the editor's word for it, else by the name of the file.
Language language_of(std::string_view id, std::string_view uri);

// Larger texts are not looked at, nor are those with long lines that are slow to count in: nobody writes them.
inline constexpr std::size_t kLargestDocument = std::size_t{2} << 20;
inline constexpr std::size_t kLongestSlowLine = 4000;

struct Document {
  std::string uri;
  std::string path;  // empty if it is not a file
  Language language = Language::other;
  std::int64_t version = 0;
  DocumentText text;
  Ticket ticket = new_ticket();  // of the jobs about this text; stopped when it changes

  bool too_large() const {
    return text.text().size() > kLargestDocument || text.longest_slow_line() > kLongestSlowLine;
  }
  // The document's name in messages.
  std::string name() const { return path.empty() ? uri : path; }

  // Computed when asked for, and forgotten when the text changes.
  std::optional<LitmusReading> reading;
  std::shared_ptr<const model::CatIndex> index;
};

class Workspace {
 public:
  Encoding encoding = Encoding::utf16;
  std::vector<std::string> include_folders;
  std::vector<std::string> roots;  // paths

  Document& open(const std::string& uri, Language language, std::int64_t version, std::string text);
  void close(const std::string& uri);
  // nullptr if it is not open.
  Document* find(const std::string& uri);
  // Its text has changed.
  void touch(Document& document, std::int64_t version);
  std::map<std::string, Document>& documents() { return documents_; }

  // Documents that are too large have neither tests nor names.
  const LitmusReading& litmus(Document& document) const;
  const std::shared_ptr<const model::CatIndex>& cat(Document& document) const;

  // Finds included files: in the include folders, beside the file, among the program's own; unsaved texts before those
  // on disk. It knows the documents as they are now, so that another thread may call it.
  model::IncludeLoader loader(const std::string& path) const;

 private:
  std::map<std::string, Document> documents_;  // by URI
};

}  // namespace weakspot::lsp
