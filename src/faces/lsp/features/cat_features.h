// SPDX-License-Identifier: MIT
// What an editor asks about a text in cat.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "lsp/document_text.h"
#include "lsp/protocol.h"
#include "model/cat_index.h"

namespace weakspot::lsp {

// The URI under which an editor can open a file of an index.
using UriOfFile = std::function<std::string(const model::CatIndex::File& file)>;

// What a name or a keyword is and where it is defined; null if there is neither.
Json cat_hover(const DocumentText& text, const model::CatIndex& index, std::size_t offset);

Json cat_completion(const model::CatIndex& index, std::size_t offset);

// A location, or null.
Json cat_definition(const DocumentText& text, const model::CatIndex& index, std::size_t offset,
                    const UriOfFile& uri_of);

// Where a symbol is defined, whatever index it was found through.
struct CatPlace {
  std::string file;
  std::size_t begin = 0;
};
// Where the name at a byte is defined; nothing for predefined names, whose uses are in one text only.
std::optional<CatPlace> cat_place(const model::CatIndex& index, std::size_t offset);

// Gathers the uses of one symbol from several indexes.
class CatReferences {
 public:
  CatReferences(Encoding encoding, bool with_definition, UriOfFile uri_of)
      : encoding_(encoding), with_definition_(with_definition), uri_of_(std::move(uri_of)) {}

  // The uses of the symbol at a byte of the index's own text.
  void add_at(const model::CatIndex& index, std::size_t offset);
  // The uses of what is defined at that place.
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
