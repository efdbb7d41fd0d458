// SPDX-License-Identifier: MIT
// The first lines of a test: its name, comments, and Key=value lines.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "litmus/text/columns.h"

namespace weakspot::litmus {
namespace {

// `sc forbidden, tso allowed`
void read_expectations(Cursor& cursor, const Token& line, TestBuilder& builder) {
  Cursor part(cursor.mistakes(), line.span);
  do {
    // Model names have dashes and dots, so they are taken as everything up to the blank.
    const std::uint32_t begin = part.position();
    while (!part.at_end() && !part.peek().is(",")) {
      part.next();
      if (!part.adjacent()) break;
    }
    const base::Span name{begin, std::max(begin, part.last_end())};
    const Token verdict = part.next();
    if (!is_model_name(cursor.source().slice(name)) || !(verdict.is("allowed") || verdict.is("forbidden"))) {
      part.mistake(verdict.span,
                   fmt::format("expected a model and 'allowed' or 'forbidden', found {}", describe(verdict)));
      return;
    }
    builder.test.expectations[std::string(cursor.source().slice(name))] =
        verdict.is("allowed") ? Expectation::allowed : Expectation::forbidden;
  } while (part.accept(","));
  part.expect_end("the expectations");
}

void read_info_line(Cursor& cursor, TestBuilder& builder) {
  const Token key = cursor.next();
  cursor.seek(cursor.position() + 1);  // one '=', even if what follows makes a longer sign of it
  const Token value = cursor.rest_of_line();
  if (key.is("Expect")) {
    read_expectations(cursor, value, builder);
  } else if (key.is("Arch")) {
    if (auto arch = arch_named(value.text)) {
      builder.test.arch = *arch;
    } else {
      cursor.mistake(value.span, fmt::format("unknown architecture {}", describe(value)));
    }
  } else {
    if (builder.test.info.empty()) builder.test.info.reserve(8);
    builder.test.info.emplace_back(key.text, value.text);
  }
}

// `(Word)` after a test's name: the name that some collections give it in print.
void read_second_name(Cursor& cursor) {
  if (!cursor.accept("(")) return;
  if (cursor.word("a second name of the test")) cursor.expect(")", "after the second name of the test");
}

// A string. Where a line starts and ends with quotes, those between belong to the string.
std::string_view read_quoted_line(Cursor& cursor) {
  const Token token = cursor.next();
  const std::string_view text = cursor.source().text();
  const std::size_t line_end = std::min(text.find('\n', token.span.begin), text.size());
  const std::size_t last = text.substr(0, line_end).find_last_not_of(" \t\r");
  if (last == std::string_view::npos || last <= token.span.begin || text[last] != '"') return token.text;
  cursor.seek(static_cast<std::uint32_t>(last + 1));
  return text.substr(token.span.begin + 1, last - token.span.begin - 1);
}

}  // namespace

bool is_test_name(std::string_view text) {
  return !text.empty() && text.find_first_of(" \t\n\r\f\v") == std::string_view::npos;
}

bool is_model_name(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || std::string_view("_.+-/").find(static_cast<char>(c)) != std::string_view::npos;
  });
}

void read_header(Cursor& cursor, TestBuilder& builder) {
  const Token name = cursor.rest_of_line();
  std::string_view text = name.text;
  std::size_t blank = text.find_first_of(" \t\r\f\v");
  std::string_view rest = blank == std::string_view::npos ? std::string_view() : text.substr(blank);
  text = text.substr(0, blank);
  rest.remove_prefix(std::min(rest.find_first_not_of(" \t\r\f\v"), rest.size()));
  if (text.empty()) cursor.mistake(name.span, "the test has no name");
  if (rest.starts_with("(") || rest.starts_with("\"")) {
    cursor.seek(static_cast<std::uint32_t>(rest.data() - cursor.source().text().data()));
    read_second_name(cursor);
  } else if (!rest.empty() && !rest.starts_with("//")) {
    cursor.mistake(name.span, "a test's name is one word");
  }
  builder.test.name = text;
  builder.test.span = {name.span.begin, name.span.begin + static_cast<std::uint32_t>(text.size())};

  std::string& description = builder.test.description;
  while (!cursor.mistakes().full()) {
    if (cursor.peek().kind == Token::Kind::string) {
      description += '\n';
      description += read_quoted_line(cursor);
    } else if (const Token second = cursor.peek_second(); cursor.peek().kind == Token::Kind::word &&
                                                          second.kind == Token::Kind::punct &&
                                                          second.text.starts_with('=')) {
      read_info_line(cursor, builder);
    } else {
      break;
    }
  }
  // Empty lines around it mean nothing, and a printer could not keep them.
  description.erase(0, description.find_first_not_of('\n'));
  description.erase(description.find_last_not_of('\n') + 1);
}

}  // namespace weakspot::litmus
