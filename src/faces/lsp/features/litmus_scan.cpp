// SPDX-License-Identifier: MIT
#include "lsp/features/litmus_scan.h"

#include <algorithm>

#include "lsp/features/litmus_reading.h"

namespace weakspot::lsp {
namespace {

class LitmusScanner {
 public:
  explicit LitmusScanner(std::string_view text) : text_(text), starts_(test_starts(text)) {}

  std::vector<LitmusToken> run() {
    while (at_ < text_.size()) {
      if (next_start_ < starts_.size() && at_ >= starts_[next_start_]) {
        ++next_start_;
        header();
      } else {
        one();
      }
    }
    return std::move(tokens_);
  }

 private:
  using Kind = LitmusToken::Kind;

  static bool starts_scanned_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$';
  }
  static bool is_decimal(char c) { return c >= '0' && c <= '9'; }

  bool starts(std::string_view word) const { return text_.substr(at_).starts_with(word); }

  // False in C, where `(*x)` is an expression.
  bool has_nested_comments() const {
    return dialect_ != litmus::Dialect::c11 && dialect_ != litmus::Dialect::opencl &&
           dialect_ != litmus::Dialect::linux_kernel;
  }

  void take(Kind kind, std::size_t end) {
    end = std::min(end, text_.size());
    tokens_.push_back({kind, {static_cast<std::uint32_t>(at_), static_cast<std::uint32_t>(end)}, dialect_});
    at_ = end;
  }

  // Takes the first word of a test, and its name.
  void header() {
    dialect_ = dialect_at(text_, at_).value_or(dialect_);
    take(Kind::first_word, text_.find(' ', at_));
    at_ = std::min(text_.find_first_not_of(' ', at_), text_.size());
    take(Kind::name, std::min(text_.find_first_of(" \t\r\n", at_), text_.size()));
  }

  void one() {
    const char c = text_[at_];
    if (starts("//")) return take(Kind::comment, text_.find('\n', at_));
    if (starts("/*")) return take(Kind::comment, behind(text_.find("*/", at_ + 2), 2));
    if (starts("(*") && has_nested_comments()) return take(Kind::comment, nested_end());
    if (c == '"') return take(Kind::string, string_end());
    if (starts_scanned_word(c)) return take(Kind::word, word_end());
    if (is_decimal(c)) return take(Kind::number, word_end());
    ++at_;
  }

  static std::size_t behind(std::size_t found, std::size_t length) {
    return found == std::string_view::npos ? found : found + length;
  }

  std::size_t word_end() const {
    std::size_t end = at_;
    while (end < text_.size() && (starts_scanned_word(text_[end]) || is_decimal(text_[end]))) ++end;
    return end;
  }

  std::size_t string_end() const {
    const std::size_t end = text_.find_first_of("\"\n", at_ + 1);
    return end != std::string_view::npos && text_[end] == '"' ? end + 1 : end;
  }

  std::size_t nested_end() const {
    std::size_t depth = 0;
    for (std::size_t i = at_; i + 1 < text_.size(); ++i) {
      if (text_[i] == '(' && text_[i + 1] == '*') {
        ++depth;
        ++i;
      } else if (text_[i] == '*' && text_[i + 1] == ')') {
        ++i;
        if (--depth == 0) return i + 1;
      }
    }
    return text_.size();
  }

  std::string_view text_;
  std::vector<std::size_t> starts_;
  std::size_t next_start_ = 0;
  std::size_t at_ = 0;
  litmus::Dialect dialect_ = litmus::Dialect::canonical;
  std::vector<LitmusToken> tokens_;
};

}  // namespace

std::vector<LitmusToken> scan_litmus(std::string_view text) { return LitmusScanner(text).run(); }

}  // namespace weakspot::lsp
