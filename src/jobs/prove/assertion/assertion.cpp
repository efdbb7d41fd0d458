// SPDX-License-Identifier: MIT
#include "prove/assertion/assertion.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "base/source.h"
#include "prove/prove.h"

namespace weakspot::prove {
namespace {

constexpr int kDeepest = 64;

bool begins_name(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

class AssertionReader {
 public:
  explicit AssertionReader(const Condition& condition)
      : source_(*condition.source), begin_(condition.span.begin), text_(source_.slice(condition.span)) {}

  base::Result<Assertion> run() {
    either();
    skip();
    if (at_ < text_.size()) expected("'&&', '||' or the end");
    if (problem_) return *problem_;
    return std::move(parts_);
  }

 private:
  void skip() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
  }
  bool take(std::string_view word) {
    skip();
    if (!text_.substr(at_).starts_with(word)) return false;
    at_ += word.size();
    return true;
  }
  base::Span span(std::size_t begin, std::size_t end) const {
    return {begin_ + static_cast<std::uint32_t>(begin), begin_ + static_cast<std::uint32_t>(end)};
  }
  void expected(const std::string& what) {
    if (problem_) return;
    problem_ = base::error_at(source_, span(at_, std::min(at_ + 1, text_.size())), "expected " + what);
    at_ = text_.size();
  }

  void either() {
    if (++depth_ > kDeepest) return expected("fewer parentheses");
    both();
    while (!problem_ && take("||")) {
      both();
      parts_.push_back({.kind = AssertionPart::Kind::either});
    }
    --depth_;
  }
  void both() {
    single();
    while (!problem_ && take("&&")) {
      single();
      parts_.push_back({.kind = AssertionPart::Kind::both});
    }
  }
  void single() {
    if (problem_) return;
    skip();
    if (at_ < text_.size() && text_[at_] == '!' && !text_.substr(at_).starts_with("!=")) {
      ++at_;
      if (++depth_ > kDeepest) return expected("fewer negations");
      single();
      --depth_;
      parts_.push_back({.kind = AssertionPart::Kind::negation});
      return;
    }
    if (take("(")) {
      either();
      if (!problem_ && !take(")")) expected("')'");
      return;
    }
    term();
    if (problem_) return;
    for (const std::string_view op : {"==", "!=", "<=", ">=", "<", ">"}) {
      if (!take(op)) continue;
      term();
      parts_.push_back({.kind = AssertionPart::Kind::compare, .op = std::string(op)});
      return;
    }
    expected("a comparison: '==', '!=', '<', '<=', '>' or '>='");
  }

  void term() {
    skip();
    if (at_ < text_.size() && (is_digit(text_[at_]) || text_[at_] == '-')) {
      const std::optional<std::int64_t> value = number();
      if (value) parts_.push_back({.kind = AssertionPart::Kind::number, .number = *value});
      return;
    }
    if (at_ >= text_.size() || !begins_name(text_[at_]))
      return expected("a variable, an element as in out[0], or a number");
    AssertionPart part{.kind = AssertionPart::Kind::name};
    const std::size_t begin = at_;
    while (at_ < text_.size() && (begins_name(text_[at_]) || is_digit(text_[at_]) || text_[at_] == '.')) {
      part.name.name += text_[at_++];
    }
    std::size_t end = at_;
    if (take("[")) {
      skip();
      const std::optional<std::int64_t> index = number();
      if (problem_) return;
      if (!index || *index < 0) return expected("the number of an element");
      part.name.index = static_cast<std::uint64_t>(*index);
      if (!take("]")) return expected("']'");
      end = at_;
    }
    part.span = span(begin, end);
    parts_.push_back(std::move(part));
  }

  std::optional<std::int64_t> number() {
    const bool negative = take("-");
    const bool hex = text_.substr(at_).starts_with("0x");
    if (hex) at_ += 2;
    std::uint64_t value = 0;
    const char* begin = text_.data() + at_;
    const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), value, hex ? 16 : 10);
    if (error != std::errc() || end == begin) {
      expected("a number");
      return std::nullopt;
    }
    at_ += static_cast<std::size_t>(end - begin);
    return static_cast<std::int64_t>(negative ? 0 - value : value);
  }

  const base::Source& source_;
  const std::uint32_t begin_;
  const std::string_view text_;
  std::size_t at_ = 0;
  int depth_ = 0;
  Assertion parts_;
  std::optional<base::Diagnostic> problem_;
};

}  // namespace

base::Result<Assertion> read_assertion(const Condition& condition) { return AssertionReader(condition).run(); }

Condition stated_condition(const std::string& text) {
  return {std::make_shared<base::Source>("--assert", text), {0, static_cast<std::uint32_t>(text.size())}};
}

base::Result<std::vector<race::NamedLocation>> names_in(const std::vector<Condition>& conditions) {
  std::vector<race::NamedLocation> names;
  base::Diagnostics errors;
  for (const Condition& condition : conditions) {
    const base::Result<Assertion> read = read_assertion(condition);
    if (!read) {
      errors.insert(errors.end(), read.errors().begin(), read.errors().end());
      continue;
    }
    for (const AssertionPart& part : *read) {
      const bool known = std::any_of(names.begin(), names.end(), [&](const race::NamedLocation& name) {
        return name.name == part.name.name && name.index == part.name.index;
      });
      if (part.kind == AssertionPart::Kind::name && !known) names.push_back(part.name);
    }
  }
  if (!errors.empty()) return errors;
  return names;
}

}  // namespace weakspot::prove
