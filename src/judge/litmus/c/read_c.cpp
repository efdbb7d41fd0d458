// SPDX-License-Identifier: MIT
// The shape of a C-like test: the initial state, one function per thread, the condition.
#include <fmt/format.h>

#include <algorithm>

#include "litmus/c/c_function.h"
#include "litmus/text/columns.h"
#include "litmus/text/readers.h"

namespace weakspot::litmus {
namespace {

// Answers the questions of the readers shared with the column dialects. C has no columns.
class CDialect : public ColumnDialect {
 public:
  explicit CDialect(CFace face) : face_(face) {}

  Arch arch() const override {
    switch (face_) {
      case CFace::c11:
        return Arch::c11;
      case CFace::opencl:
        return Arch::opencl;
      case CFace::linux_kernel:
        return Arch::linux_kernel;
    }
    return Arch::c11;
  }
  void instruction(Cursor&, TestBuilder&, ThreadId) override {}
  bool may_lack_condition() const override { return true; }

  bool placement_word(const Token& word, Cursor& cursor, TestBuilder&, ThreadId) override {
    // There is one system, whatever its number.
    return word.is("sys") && cursor.integer("the number of the system").has_value();
  }

  // [type] common item, or *x=1
  void init_item(Cursor& cursor, TestBuilder& builder) override {
    std::optional<CType> type;
    if (starts_c_type(cursor.peek(), face_) && !cursor.peek_second().is("=")) {
      type = read_c_specifiers(cursor, face_);
      if (!type) return;
      read_c_stars(cursor, *type);
    } else if (cursor.peek().kind == Token::Kind::word && cursor.peek_second().kind == Token::Kind::word) {
      read_c_specifiers(cursor, face_);
      return;
    } else {
      cursor.accept("*");
    }
    const bool bracket = cursor.peek().is("[");
    const Token name = bracket ? cursor.peek_second() : cursor.peek();
    const std::optional<ThreadId> thread = thread_number(name);
    const bool is_register = !bracket && thread && cursor.peek_second().is(":");
    Cursor ahead = cursor;
    if (is_register) {
      ahead.next();
      ahead.next();
    }
    const Token reg = ahead.peek();
    read_common_init_item(cursor, builder, [](std::string_view text) { return std::string(text); });
    if (!type) {
      // Untyped arrays of the kernel's tests are as wide as the rest.
      const std::optional<LocationId> id = is_register ? std::nullopt : builder.find_location(name.text);
      if (face_ == CFace::linux_kernel && id && builder[*id].is_array()) builder.give_type(*id, Type::s64);
      return;
    }
    if (is_register) {
      if (auto id = builder.find_register(*thread, reg.text))
        builder[ObservedRegister{*thread, *id}].type = type->value();
    } else if (auto id = builder.find_location(name.text)) {
      builder.give_type(*id, type->value());
      if (type->pointers == 0) builder.give_space(*id, type->space);
    }
  }

 private:
  CFace face_;
};

class CProgramReader {
 public:
  CProgramReader(Cursor& cursor, CFace face) : cursor_(cursor), face_(face), dialect_(face) {}

  std::optional<LitmusTest> read() {
    const std::size_t before = cursor_.mistakes().count();
    builder_.test.arch = dialect_.arch();
    read_header(cursor_, builder_);
    read_init(cursor_, true, [this](Cursor& item) { dialect_.init_item(item, builder_); });
    if (functions()) {
      if (face_ == CFace::linux_kernel) widen_locations();
      read_tail(cursor_, builder_, dialect_);
    }
    cursor_.set_nested_comments(true);
    return finish_test(builder_, cursor_.mistakes(), before);
  }

 private:
  // Makes locations that no parameter names as wide as the others.
  void widen_locations() {
    for (std::uint32_t i = 0; i < builder_.test.locations.size(); ++i) {
      if (!builder_.has_given_type(LocationId{i})) builder_[LocationId{i}].type = Type::s64;
    }
  }

  // Reads the functions; false if a mistake in them leaves the rest of the text unreadable.
  bool functions() {
    std::uint32_t threads = 0;
    while (starts_function()) {
      if (threads == kMostThreads) {
        cursor_.mistake(cursor_.peek().span, fmt::format("the test has more than {} threads", kMostThreads));
        return false;
      }
      if (!function(ThreadId{threads++})) return false;
    }
    if (threads == 0) {
      cursor_.expected("the program: a function such as 'P0 (atomic_int* x) { ... }'");
      return false;
    }
    if (builder_.test.threads.size() > threads) {
      cursor_.mistake(builder_.test.span,
                      fmt::format("the initial state mentions thread {}, but the program has only {}",
                                  builder_.test.threads.size() - 1, threads));
      return false;
    }
    return true;
  }

  bool starts_function() {
    const Token token = cursor_.peek();
    if (token.is("void") || token.is("kernel") || token.is("__kernel")) return true;
    const Token second = cursor_.peek_second();
    return token.kind == Token::Kind::word && thread_number(token) && (second.is("(") || second.is("@"));
  }

  bool function(ThreadId thread) {
    while (cursor_.peek().is("void") || cursor_.peek().is("kernel") || cursor_.peek().is("__kernel")) cursor_.next();
    const Token name = cursor_.next();
    std::optional<ThreadId> number = thread_number(name);
    if (name.kind != Token::Kind::word || number != thread) {
      cursor_.mistake(name.span,
                      fmt::format("expected the function of thread P{}, found {}", thread.index, describe(name)));
      return false;
    }
    builder_.ensure_threads(thread.index + 1);
    if (face_ != CFace::opencl && cursor_.peek().is("@")) {
      cursor_.mistake(cursor_.peek().span,
                      fmt::format("{} has no scopes to place a thread in; is this an OPENCL test?", to_string(face_)));
      return false;
    }
    const std::size_t before = cursor_.mistakes().count();
    read_placement(cursor_, builder_, dialect_, thread);
    if (cursor_.mistakes().count() != before || !cursor_.expect("(", "after the thread's name")) return false;
    cursor_.set_nested_comments(false);
    CFunction function(cursor_, builder_, face_, thread);
    if (!read_c_parameters(function) || !cursor_.expect("{", "and the body of the function")) return false;
    const std::uint32_t open = cursor_.last_end();
    if (!read_c_body(function)) {
      cursor_.mistake({open - 1, open}, "this '{' is not closed");
      return false;
    }
    cursor_.accept("}");
    cursor_.set_nested_comments(true);
    return !cursor_.mistakes().full();
  }

  Cursor& cursor_;
  CFace face_;
  CDialect dialect_;
  TestBuilder builder_;
};

bool is_in_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$';
}

// The offset after the comment or string that begins at `at`, or else after the character there.
std::size_t after_aside(std::string_view text, std::size_t at) {
  auto behind = [&](std::string_view end, std::size_t from) {
    const std::size_t found = text.find(end, from);
    return found == std::string_view::npos ? text.size() : found + end.size();
  };
  if (text[at] == '"') return behind("\"", at + 1);
  if (text.substr(at, 2) == "//") return behind("\n", at + 2);
  if (text.substr(at, 2) == "/*") return behind("*/", at + 2);
  return at + 1;
}

// Looks ahead for a word of the kernel's, from the initial state up to the condition. Works on characters, not tokens,
// because every C test is looked through. Mistakes are found later.
CFace face_of_c(Cursor& test) {
  const std::string_view text = test.source().text();
  std::size_t at = std::min(text.find("\n{", test.position()), text.size());
  while (at < text.size()) {
    if (!is_in_word(text[at])) {
      at = after_aside(text, at);
      continue;
    }
    const std::size_t begin = at;
    while (at < text.size() && is_in_word(text[at])) ++at;
    const std::string_view word = text.substr(begin, at - begin);
    if (word == "exists" || word == "forall") break;
    if (is_linux_word(word)) return CFace::linux_kernel;
  }
  return CFace::c11;
}

}  // namespace

std::optional<LitmusTest> read_c11(Cursor& cursor) { return CProgramReader(cursor, face_of_c(cursor)).read(); }

std::optional<LitmusTest> read_opencl(Cursor& cursor) { return CProgramReader(cursor, CFace::opencl).read(); }

}  // namespace weakspot::litmus
