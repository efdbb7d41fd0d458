// SPDX-License-Identifier: MIT
#include "lsp/features/cat_features.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "lsp/protocol/semantic_tokens.h"
#include "model/cat_names.h"

namespace weakspot::lsp {
namespace {

using model::CatIndex;
using model::CatSymbol;
using model::CatToken;
using model::CatUse;

struct Keyword {
  std::string_view word, meaning;
};
constexpr Keyword kCatKeywords[] = {
    {"let", "let x = e: a definition"},
    {"rec", "let rec x = e: the least fixpoint, or a recursive function"},
    {"and", "let x = a and y = b: definitions together"},
    {"in", "let x = a in e: a local definition"},
    {"fun", "fun x -> e: a function"},
    {"acyclic", "acyclic e as name: forbids executions in which e has a cycle"},
    {"irreflexive", "irreflexive e as name: forbids executions in which e relates an event to itself"},
    {"empty", "empty e as name: forbids executions in which e is not empty"},
    {"flag", "flag ~empty e as name: forbids nothing; reports executions for which it holds"},
    {"undefined_unless", "undefined_unless empty e as name: reports executions for which it does not hold"},
    {"assert", "assert empty e as name: reports executions for which it does not hold"},
    {"as", "the name of a check or of what is shown"},
    {"show", "show e as name: a relation for pictures"},
    {"unshow", "unshow x: not shown in pictures"},
    {"include", "include \"file.cat\": reads another file once"},
    {"with", "with x from s: some relation x of the set s makes all checks hold"},
    {"from", "with x from s"},
    {"procedure", "procedure p(a) = ... end: a group of statements"},
    {"call", "call p(a) as name: the statements of a procedure"},
    {"forall", "forall x in s do ... end: statements for each element"},
    {"match", "match e with ... end: cases of a tag, or takes a set apart"},
    {"try", "try a with b: b if a has a mistake"},
    {"if", "if variant \"v\" then a else b"},
    {"then", "if c then a else b"},
    {"else", "if c then a else b"},
    {"enum", "enum e = 'a || 'b: declares tags"},
    {"end", "ends a procedure, a match or a condition"},
};

std::string_view keyword_meaning(std::string_view word) {
  for (const Keyword& keyword : kCatKeywords) {
    if (keyword.word == word) return keyword.meaning;
  }
  return {};
}

std::string_view symbol_word(CatSymbol::Kind kind) {
  switch (kind) {
    case CatSymbol::Kind::function:
      return "function";
    case CatSymbol::Kind::parameter:
      return "local name";
    case CatSymbol::Kind::procedure:
      return "procedure";
    case CatSymbol::Kind::check:
      return "check";
    case CatSymbol::Kind::enumeration:
      return "enumeration";
    case CatSymbol::Kind::value:
    case CatSymbol::Kind::predefined:
      break;
  }
  return "definition";
}

// The statement that defines a symbol, or the beginning of a long one.
std::string definition_text(const CatIndex::File& file, const CatSymbol& symbol) {
  constexpr std::size_t kMostLines = 8;
  const std::size_t end = std::min<std::size_t>(symbol.whole.end, file.text.size());
  const std::size_t begin = std::min<std::size_t>(symbol.whole.begin, end);
  std::string_view text = std::string_view(file.text).substr(begin, end - begin);
  std::size_t at = 0;
  for (std::size_t lines = 0; lines < kMostLines; ++lines) {
    at = text.find('\n', at);
    if (at == std::string_view::npos) return std::string(text);
    ++at;
  }
  return std::string(text.substr(0, at)) + "...";
}

std::size_t line_number(std::string_view text, std::size_t offset) {
  const auto end = text.begin() + static_cast<std::ptrdiff_t>(std::min(offset, text.size()));
  return 1 + static_cast<std::size_t>(std::count(text.begin(), end, '\n'));
}

std::string predefined_text(std::string_view name) {
  const std::optional<model::CatName> known = model::predefined_cat_name(name);
  if (!known) return fmt::format("`{}`", name);
  std::string text = fmt::format("`{}`: a predefined {}", name, to_string(known->kind));
  if (!known->meaning.empty()) text += fmt::format("\n\n{}", known->meaning);
  return text;
}

std::string symbol_text(const CatIndex& index, const CatSymbol& symbol) {
  if (symbol.kind == CatSymbol::Kind::predefined) return predefined_text(symbol.name);
  std::string text = fmt::format("`{}`: {}", symbol.name, symbol_word(symbol.kind));
  const CatIndex::File& file = index.files[symbol.file];
  if (symbol.file != 0) {
    const std::string name = std::filesystem::path(file.name).filename().string();
    text += file.built_in ? fmt::format(" of the library ({})", name)
                          : fmt::format(" in {}:{}", name, line_number(file.text, symbol.span.begin));
  }
  if (file.built_in && !model::library_meaning(symbol.name).empty()) {
    text += fmt::format("\n\n{}", model::library_meaning(symbol.name));
  }
  if (!symbol.words.empty()) text += fmt::format("\n\n{}", symbol.words);
  if (symbol.kind != CatSymbol::Kind::parameter)
    text += fmt::format("\n\n```cat\n{}\n```", definition_text(file, symbol));
  return text;
}

// The protocol's numbers of symbols and of items of completion.
int symbol_number(CatSymbol::Kind kind) {
  switch (kind) {
    case CatSymbol::Kind::function:
      return 12;
    case CatSymbol::Kind::procedure:
      return 6;
    case CatSymbol::Kind::check:
      return 24;
    case CatSymbol::Kind::enumeration:
      return 10;
    case CatSymbol::Kind::value:
    case CatSymbol::Kind::parameter:
    case CatSymbol::Kind::predefined:
      break;
  }
  return 13;
}

int item_number(CatSymbol::Kind kind) {
  const bool function = kind == CatSymbol::Kind::function || kind == CatSymbol::Kind::procedure;
  return function ? 3 : 6;
}

Json cat_item(std::string_view label, int kind, std::string_view detail) {
  Json item = base::json_object({{"label", label}, {"kind", kind}});
  if (!detail.empty()) item.add("detail", detail);
  return item;
}

bool is_visible(const CatSymbol& symbol, std::size_t offset) {
  if (symbol.kind == CatSymbol::Kind::check || symbol.kind == CatSymbol::Kind::predefined) return false;
  if (symbol.kind != CatSymbol::Kind::parameter) return true;
  return symbol.file == 0 && offset >= symbol.whole.begin && offset <= symbol.whole.end;
}

TokenType type_of_symbol(const CatSymbol& symbol) {
  switch (symbol.kind) {
    case CatSymbol::Kind::function:
    case CatSymbol::Kind::procedure:
      return TokenType::function;
    case CatSymbol::Kind::parameter:
      return TokenType::parameter;
    case CatSymbol::Kind::check:
      return TokenType::property;
    case CatSymbol::Kind::enumeration:
      return TokenType::type;
    case CatSymbol::Kind::predefined: {
      const std::optional<model::CatName> known = model::predefined_cat_name(symbol.name);
      return known && known->kind == model::CatName::Kind::function ? TokenType::function : TokenType::variable;
    }
    case CatSymbol::Kind::value:
      break;
  }
  return TokenType::variable;
}

// Text between two words that is not blank is a comment.
void add_comment(std::string_view text, std::size_t begin, std::size_t end, TokenEncoder& encoder) {
  const std::string_view gap = text.substr(begin, end - begin);
  const std::size_t first = gap.find_first_not_of(" \t\r\n\f");
  if (first == std::string_view::npos) return;
  const std::size_t last = gap.find_last_not_of(" \t\r\n\f");
  encoder.add({static_cast<std::uint32_t>(begin + first), static_cast<std::uint32_t>(begin + last + 1)},
              TokenType::comment);
}

}  // namespace

Json cat_hover(const DocumentText& text, const CatIndex& index, std::size_t offset) {
  if (const CatUse* use = index.use_at(offset)) {
    return markdown_hover(symbol_text(index, index.symbols[use->symbol]), text.range(use->span));
  }
  for (const CatToken& token : index.tokens) {
    if (token.kind != CatToken::Kind::keyword || offset < token.span.begin || offset > token.span.end) continue;
    const std::string_view word =
        std::string_view(text.text()).substr(token.span.begin, token.span.end - token.span.begin);
    const std::string_view meaning = keyword_meaning(word);
    if (!meaning.empty()) return markdown_hover(fmt::format("`{}`\n\n{}", word, meaning), text.range(token.span));
  }
  return nullptr;
}

Json cat_completion(const CatIndex& index, std::size_t offset) {
  std::vector<Json> items;
  std::set<std::string_view> seen;
  // Later definitions hide earlier ones of the same name, so the walk starts at the end.
  for (auto symbol = index.symbols.rbegin(); symbol != index.symbols.rend(); ++symbol) {
    if (!is_visible(*symbol, offset) || !seen.insert(symbol->name).second) continue;
    const bool library = index.files[symbol->file].built_in;
    items.push_back(cat_item(symbol->name, item_number(symbol->kind),
                             library ? model::library_meaning(symbol->name) : std::string_view(symbol->words)));
  }
  for (const model::CatName& name : model::predefined_cat_names()) {
    if (!seen.insert(name.name).second) continue;
    const bool function = name.kind == model::CatName::Kind::function;
    items.push_back(cat_item(name.name, function ? 3 : 21, name.meaning));
  }
  for (const Keyword& keyword : kCatKeywords) items.push_back(cat_item(keyword.word, 14, keyword.meaning));
  return Json(std::move(items));
}

Json cat_definition(const DocumentText& text, const CatIndex& index, std::size_t offset, const UriOfFile& uri_of) {
  const CatUse* use = index.use_at(offset);
  const CatSymbol* symbol = use == nullptr ? nullptr : &index.symbols[use->symbol];
  std::optional<std::uint32_t> file;
  base::Span span;
  if (symbol != nullptr && symbol->kind != CatSymbol::Kind::predefined) {
    file = symbol->file;
    span = symbol->span;
  } else if (symbol == nullptr) {
    file = index.included_at(offset);
  }
  if (!file) return nullptr;
  const std::string uri = uri_of(index.files[*file]);
  if (uri.empty()) return nullptr;
  const TextRange range = DocumentText(index.files[*file].text, text.encoding()).range(span);
  return base::json_object({{"uri", uri}, {"range", to_json(range)}});
}

std::optional<CatPlace> cat_place(const CatIndex& index, std::size_t offset) {
  const CatUse* use = index.use_at(offset);
  if (use == nullptr) return std::nullopt;
  const CatSymbol& symbol = index.symbols[use->symbol];
  if (symbol.kind == CatSymbol::Kind::predefined) return std::nullopt;
  return CatPlace{index.files[symbol.file].name, symbol.span.begin};
}

void CatReferences::add_at(const CatIndex& index, std::size_t offset) {
  if (const CatUse* use = index.use_at(offset)) add_symbol(index, use->symbol);
}

void CatReferences::add(const CatIndex& index, const CatPlace& place) {
  for (std::uint32_t i = 0; i < index.symbols.size(); ++i) {
    const CatSymbol& symbol = index.symbols[i];
    if (symbol.kind == CatSymbol::Kind::predefined || symbol.span.begin != place.begin) continue;
    if (index.files[symbol.file].name == place.file) add_symbol(index, i);
  }
}

void CatReferences::add_symbol(const CatIndex& index, std::uint32_t symbol) {
  std::optional<std::uint32_t> current;
  DocumentText text;
  std::string uri;
  for (const CatUse& use : index.uses) {
    if (use.symbol != symbol || (use.defines && !with_definition_)) continue;
    const CatIndex::File& file = index.files[use.file];
    if (!seen_.emplace(file.name, use.span.begin).second) continue;
    if (current != use.file) {
      current = use.file;
      text = DocumentText(file.text, encoding_);
      uri = uri_of_(file);
    }
    if (uri.empty()) continue;
    locations_.push_back(base::json_object({{"uri", uri}, {"range", to_json(text.range(use.span))}}));
  }
}

Json CatReferences::locations() { return Json(std::move(locations_)); }

Json cat_symbols(const DocumentText& text, const CatIndex& index) {
  std::vector<Json> symbols;
  for (const CatSymbol& symbol : index.symbols) {
    if (symbol.file != 0 || !symbol.global || symbol.kind == CatSymbol::Kind::predefined) continue;
    symbols.push_back(base::json_object({{"name", symbol.name},
                                         {"kind", symbol_number(symbol.kind)},
                                         {"range", to_json(text.range(symbol.whole))},
                                         {"selectionRange", to_json(text.range(symbol.span))}}));
  }
  return Json(std::move(symbols));
}

Json cat_tokens(const DocumentText& text, const CatIndex& index) {
  TokenEncoder encoder(text);
  std::size_t behind = 0;
  auto use = index.uses.begin();
  for (const CatToken& token : index.tokens) {
    add_comment(text.text(), behind, token.span.begin, encoder);
    behind = token.span.end;
    while (use != index.uses.end() && use->file == 0 && use->span.begin < token.span.begin) ++use;
    if (token.kind == CatToken::Kind::keyword) encoder.add(token.span, TokenType::keyword);
    if (token.kind == CatToken::Kind::tag) encoder.add(token.span, TokenType::enum_member);
    if (token.kind == CatToken::Kind::string) encoder.add(token.span, TokenType::string);
    if (token.kind != CatToken::Kind::name || use == index.uses.end() || use->file != 0) continue;
    if (use->span.begin != token.span.begin) continue;
    const CatSymbol& symbol = index.symbols[use->symbol];
    const bool given = symbol.kind == CatSymbol::Kind::predefined || index.files[symbol.file].built_in;
    encoder.add(token.span, type_of_symbol(symbol), (use->defines ? kDeclaration : 0) | (given ? kDefaultLibrary : 0));
  }
  add_comment(text.text(), behind, text.text().size(), encoder);
  return encoder.finish();
}

}  // namespace weakspot::lsp
