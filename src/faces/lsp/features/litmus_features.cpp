// SPDX-License-Identifier: MIT
#include "lsp/features/litmus_features.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/source.h"
#include "litmus/instruction.h"
#include "litmus/text.h"
#include "litmus/words.h"
#include "lsp/features/litmus_meaning.h"
#include "lsp/features/litmus_scan.h"
#include "lsp/protocol/semantic_tokens.h"

namespace weakspot::lsp {
namespace {

// The protocol's numbers.
enum CompletionKind : std::uint8_t { kFunctionItem = 3, kVariableItem = 6, kValueItem = 12, kKeywordItem = 14 };

const litmus::Location* location_named(const litmus::LitmusTest& test, std::string_view name) {
  const std::optional<litmus::LocationId> id = test.find_location(name);
  return id ? &test[*id] : nullptr;
}

Json completion_item(std::string_view label, CompletionKind kind, std::string_view detail) {
  Json item = base::json_object({{"label", label}, {"kind", static_cast<int>(kind)}});
  if (!detail.empty()) item.add("detail", detail);
  return item;
}

CompletionKind item_kind(litmus::Word::Kind kind) {
  return kind == litmus::Word::Kind::instruction ? kFunctionItem : kKeywordItem;
}

// The beginning of the line up to a byte.
std::string_view line_before(std::string_view text, std::size_t offset) {
  const std::size_t end = offset == 0 ? std::string_view::npos : text.rfind('\n', offset - 1);
  const std::size_t begin = end == std::string_view::npos ? 0 : end + 1;
  return text.substr(begin, offset - begin);
}

// Words of the test around a byte that its dialect does not have: locations, registers, labels.
std::set<std::string> own_words(std::string_view text, std::size_t offset, litmus::Dialect dialect) {
  const std::vector<std::size_t> starts = test_starts(text);
  const auto next = std::upper_bound(starts.begin(), starts.end(), offset);
  const std::size_t begin = next == starts.begin() ? 0 : *(next - 1);
  const std::size_t end = next == starts.end() ? text.size() : *next;
  std::set<std::string> words;
  for (const LitmusToken& token : scan_litmus(text.substr(begin, end - begin))) {
    const std::size_t at = begin + token.span.begin;
    const bool typed_now = offset >= at && offset <= begin + token.span.end;
    if (token.kind != LitmusToken::Kind::word || typed_now) continue;
    const std::string_view word = text.substr(at, token.span.end - token.span.begin);
    if (litmus::find_word(dialect, word) == nullptr) words.emplace(word);
  }
  for (const litmus::Word& word : litmus::frame_words()) words.erase(std::string(word.text));
  return words;
}

std::vector<Json> expectation_items(const std::vector<std::string>& models) {
  std::vector<Json> items;
  items.reserve(models.size() + 2);
  for (const std::string& model : models) items.push_back(completion_item(model, kValueItem, "a memory model"));
  items.push_back(completion_item("allowed", kKeywordItem, "some execution reaches the outcome"));
  items.push_back(completion_item("forbidden", kKeywordItem, "no execution reaches the outcome"));
  return items;
}

// Names of the tests' parts, test by test, while tokens are walked in order.
class NamesAround {
 public:
  explicit NamesAround(const LitmusReading& reading) : reading_(reading) {}

  void move_to(std::size_t offset) {
    if (current_ != nullptr && offset < current_->extent.end) return;
    while (next_ < reading_.tests.size() && reading_.tests[next_].extent.begin <= offset) {
      current_ = &reading_.tests[next_++];
      take(*current_->test);
    }
  }

  bool is_instruction_start(std::size_t offset) const { return instructions_.contains(offset); }
  bool is_location(std::string_view word) const { return locations_.contains(word); }
  bool is_register(std::string_view word) const { return registers_.contains(word); }

 private:
  void take(const litmus::LitmusTest& test) {
    instructions_.clear();
    locations_.clear();
    registers_.clear();
    for (const litmus::Location& location : test.locations) locations_.insert(location.name);
    for (const litmus::Thread& thread : test.threads) {
      for (const litmus::Register& reg : thread.registers) registers_.insert(reg.name);
      for (const litmus::Instruction& instruction : thread.instructions) instructions_.insert(instruction.span.begin);
    }
  }

  const LitmusReading& reading_;
  std::size_t next_ = 0;
  const TestInText* current_ = nullptr;
  std::set<std::size_t> instructions_;
  std::set<std::string, std::less<>> locations_;
  std::set<std::string, std::less<>> registers_;
};

bool is_thread_name(std::string_view word) {
  return word.size() > 1 && word[0] == 'P' &&
         std::all_of(word.begin() + 1, word.end(), [](char c) { return c >= '0' && c <= '9'; });
}

bool is_frame_word(std::string_view word) {
  const std::span<const litmus::Word> words = litmus::frame_words();
  return std::any_of(words.begin(), words.end(), [&](const litmus::Word& one) { return one.text == word; });
}

std::optional<TokenType> type_of_word(std::string_view text, const LitmusToken& token, const NamesAround& names) {
  const std::string_view word = text.substr(token.span.begin, token.span.end - token.span.begin);
  if (is_frame_word(word)) return TokenType::keyword;
  if (is_thread_name(word)) return TokenType::type;
  const bool dotted = token.span.begin > 0 && text[token.span.begin - 1] == '.';
  const litmus::Word* known = litmus::find_word(token.dialect, word);
  if (dotted)
    return known != nullptr && known->kind == litmus::Word::Kind::type ? TokenType::type : TokenType::modifier;
  if (names.is_location(word)) return TokenType::variable;
  if (names.is_register(word)) return TokenType::parameter;
  if (names.is_instruction_start(token.span.begin)) return TokenType::function;
  if (known == nullptr) return std::nullopt;
  switch (known->kind) {
    case litmus::Word::Kind::instruction:
      return TokenType::function;
    case litmus::Word::Kind::type:
      return TokenType::type;
    case litmus::Word::Kind::keyword:
      return TokenType::keyword;
    default:
      return TokenType::modifier;
  }
}

std::optional<TokenType> type_of_token(std::string_view text, const LitmusToken& token, const NamesAround& names) {
  switch (token.kind) {
    case LitmusToken::Kind::first_word:
      return TokenType::keyword;
    case LitmusToken::Kind::name:
      return TokenType::class_;
    case LitmusToken::Kind::number:
      return TokenType::number;
    case LitmusToken::Kind::string:
      return TokenType::string;
    case LitmusToken::Kind::comment:
      return TokenType::comment;
    case LitmusToken::Kind::word:
      return type_of_word(text, token, names);
  }
  return std::nullopt;
}

}  // namespace

Json litmus_hover(const DocumentText& text, const LitmusReading& reading, std::size_t offset) {
  const base::Span word = word_at(text.text(), offset);
  const std::string_view spelled = std::string_view(text.text()).substr(word.begin, word.end - word.begin);
  if (const TestInText* found = reading.at(offset)) {
    const FoundInstruction at = instruction_at(*found->test, offset);
    if (at.instruction != nullptr) {
      const std::string meaning = meaning_of(*found->test, at.thread, *at.instruction);
      if (!meaning.empty()) return markdown_hover(meaning, text.range(at.instruction->span));
    }
    if (const litmus::Location* location = location_named(*found->test, spelled)) {
      return markdown_hover(meaning_of(*location, *found->test), text.range(word));
    }
    return nullptr;
  }
  const std::optional<litmus::Dialect> dialect = dialect_at(text.text(), offset);
  const litmus::Word* known = dialect && !spelled.empty() ? litmus::find_word(*dialect, spelled) : nullptr;
  if (known == nullptr) return nullptr;
  return markdown_hover(fmt::format("`{}`: {}", known->text, known->meaning), text.range(word));
}

Json litmus_completion(const DocumentText& text, std::size_t offset, const std::vector<std::string>& models) {
  const std::string_view all = text.text();
  const std::string_view before = line_before(all, offset);
  if (before.starts_with("Expect=")) return Json(expectation_items(models));
  std::vector<Json> items;
  const std::optional<litmus::Dialect> dialect = dialect_at(all, offset);
  if (!dialect) {
    for (const auto& [word, first] : litmus::kFirstWords) {
      if (base::name_of(litmus::kFirstWords, first) != word) continue;  // another spelling
      items.push_back(completion_item(word, kKeywordItem, "the first word of a test, before its name"));
    }
    return Json(std::move(items));
  }
  const std::size_t begin = word_at(all.substr(0, offset), offset).begin;
  const bool dotted = litmus::is_dotted(*dialect) && begin > 0 && all[begin - 1] == '.';
  for (const litmus::Word& word : litmus::words_of(*dialect)) {
    const bool is_suffix = word.kind != litmus::Word::Kind::instruction;
    const bool fits = !litmus::is_dotted(*dialect) || is_suffix == dotted || word.kind == litmus::Word::Kind::type;
    if (fits) items.push_back(completion_item(word.text, item_kind(word.kind), word.meaning));
  }
  if (dotted) return Json(std::move(items));
  for (const std::string& word : own_words(all, offset, *dialect)) {
    items.push_back(completion_item(word, kVariableItem, ""));
  }
  for (const litmus::Word& word : litmus::frame_words())
    items.push_back(completion_item(word.text, kKeywordItem, word.meaning));
  return Json(std::move(items));
}

Json litmus_symbols(const DocumentText& text, const LitmusReading& reading) {
  constexpr int kClassSymbol = 5;
  Json symbols = base::json_array();
  for (const TestInText& found : reading.tests) {
    symbols.push_back(base::json_object({{"name", found.test->name},
                                         {"detail", litmus::condition_line(*found.test)},
                                         {"kind", kClassSymbol},
                                         {"range", to_json(text.range(found.extent))},
                                         {"selectionRange", to_json(text.range(found.test->span))}}));
  }
  return symbols;
}

Json litmus_tokens(const DocumentText& text, const LitmusReading& reading) {
  TokenEncoder encoder(text);
  NamesAround names(reading);
  for (const LitmusToken& token : scan_litmus(text.text())) {
    names.move_to(token.span.begin);
    if (const std::optional<TokenType> type = type_of_token(text.text(), token, names)) encoder.add(token.span, *type);
  }
  return encoder.finish();
}

base::Result<std::string> formatted_litmus(const std::string& name, const DocumentText& text,
                                           const LitmusReading& reading) {
  if (!reading.errors.empty() || reading.tests.empty()) return base::error("the text has mistakes");
  for (const LitmusToken& token : scan_litmus(text.text())) {
    if (token.kind == LitmusToken::Kind::comment) {
      return base::error("the text has comments, which a printed test does not have");
    }
  }
  std::string printed;
  for (const TestInText& found : reading.tests) {
    const base::Result<std::string> one = litmus::print(*found.test, found.dialect);
    if (!one) return one.errors();
    printed += (printed.empty() ? "" : "\n") + *one;
  }
  const auto again = litmus::read_tests(base::Source(name, printed));
  const auto same = [](const TestInText& before, const litmus::LitmusTest& after) { return *before.test == after; };
  if (!again || !std::equal(reading.tests.begin(), reading.tests.end(), again->begin(), again->end(), same)) {
    return base::error("the printed text would read back as other tests");
  }
  return printed;
}

}  // namespace weakspot::lsp
