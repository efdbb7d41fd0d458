// SPDX-License-Identifier: MIT
// The names of a cat file as an editor needs them: where each is defined and where it is used, through `include`, and
// also while the text has mistakes. Model::compile() is for judging; this never refuses a text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "base/span.h"
#include "model/include_loader.h"

namespace weakspot::model {

struct CatSymbol {
  enum class Kind : std::uint8_t { value, function, parameter, procedure, check, enumeration, predefined };
  Kind kind = Kind::value;
  std::string name;
  std::uint32_t file = 0;  // into CatIndex::files; without a meaning for predefined names
  base::Span span;         // the name in its definition
  base::Span whole;        // the statement, or for local names what they are visible in
  std::string words;       // the comment `(** ... *)` before the definition
  bool global = false;     // defined at the top of a file
};

struct CatUse {
  std::uint32_t file = 0;
  std::uint32_t symbol = 0;
  base::Span span;
  bool defines = false;  // the name in its own definition
};

struct CatToken {
  enum class Kind : std::uint8_t { name, keyword, tag, string, symbol };
  Kind kind = Kind::name;
  base::Span span;
};

struct CatInclude {
  base::Span span;                    // the statement
  std::optional<std::uint32_t> file;  // none: it was not found
};

struct CatIndex {
  struct File {
    std::string name;
    std::string text;
    bool built_in = false;
  };
  std::vector<File> files;  // the text itself comes first
  std::vector<CatSymbol> symbols;
  std::vector<CatUse> uses;          // by file and place
  std::vector<CatToken> tokens;      // the text's own, without comments
  std::vector<CatInclude> includes;  // the text's own
  base::Diagnostics mistakes;        // the text's own: syntax errors

  // The use at or just before this byte of the text itself.
  const CatUse* use_at(std::size_t offset) const;
  // The file that is included at this byte of the text itself.
  std::optional<std::uint32_t> included_at(std::size_t offset) const;
};

CatIndex index_cat(const base::Source& source, const IncludeLoader& include = {});

}  // namespace weakspot::model
