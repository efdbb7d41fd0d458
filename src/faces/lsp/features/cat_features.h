// SPDX-License-Identifier: MIT
// Answers to an editor about a model in cat: hover, completion, definition, references, symbols and tokens.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "lsp/protocol/document_text.h"
#include "lsp/protocol/protocol.h"
#include "model/cat_index.h"

namespace weakspot::lsp {

// The URI under which an editor can open a file of an index.
using UriOfFile = std::function<std::string(const model::CatIndex::File& file)>;

// Explains the name or keyword at a byte and says where it is defined; null if there is neither.
Json cat_hover(const DocumentText& text, const model::CatIndex& index, std::size_t offset);

Json cat_completion(const model::CatIndex& index, std::size_t offset);

// A location, or null.
Json cat_definition(const DocumentText& text, const model::CatIndex& index, std::size_t offset,
                    const UriOfFile& uri_of);

// The definition of a symbol: the same place through whichever index it was found.
struct CatPlace {
  std::string file;
  std::size_t begin = 0;
};
// Returns the definition of the name at a byte; nothing for predefined names, whose uses are in one text only.
std::optional<CatPlace> cat_place(const model::CatIndex& index, std::size_t offset);

// Gathers the uses of one symbol from several indexes.
class CatReferences {
 public:
  CatReferences(Encoding encoding, bool with_definition, UriOfFile uri_of)
      : encoding_(encoding), with_definition_(with_definition), uri_of_(std::move(uri_of)) {}

  // Adds the uses of the symbol at a byte of the index's own text.
  void add_at(const model::CatIndex& index, std::size_t offset);
  // Adds the uses of the symbol defined at that place.
  void add(const model::CatIndex& index, const CatPlace& place);
  Json locations();

 private:
  void add_symbol(const model::CatIndex& index, std::uint32_t symbol);

  Encoding encoding_;
  bool with_definition_;
  UriOfFile uri_of_;
  std::set<std::pair<std::string, std::size_t>> seen_;  // by file and place
  std::vector<Json> locations_;
};

Json cat_symbols(const DocumentText& text, const model::CatIndex& index);

Json cat_tokens(const DocumentText& text, const model::CatIndex& index);

}  // namespace weakspot::lsp
