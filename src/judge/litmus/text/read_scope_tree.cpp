// SPDX-License-Identifier: MIT
// Reads the places of threads: scope trees, and placements such as `P0@cta 0, gpu 0`.
#include <fmt/format.h>

#include "litmus/text/columns.h"

namespace weakspot::litmus {
namespace {

struct TreeReader {
  Cursor& cursor;
  TestBuilder& builder;
  ColumnDialect& dialect;
  std::uint32_t next_number = 0;
  std::vector<bool> seen;

  static constexpr int kDeepest = 32;

  // Words that name a level above the device, or a level without meaning here.
  static bool is_transparent(std::string_view word) {
    return word == "grid" || word == "kernel" || word == "system" || word == "sys" || word == "ndrange";
  }

  // nodes := ( '(' nodes ')' | level nodes | thread )*
  // Both (cta (warp P0) (warp P1)) and cta(warp P0)(warp P1) are in use. `open`: the nodes follow a level rather than
  // '('. They belong to that level until the parenthesis closes, or until a level comes that cannot be inside it.
  bool nodes(PartialPlacement path, bool open, int depth) {
    if (depth > kDeepest) {
      cursor.mistake(cursor.peek().span, fmt::format("the scope tree is nested more than {} deep", kDeepest));
      return false;
    }
    while (!cursor.at_end() && !cursor.peek().is(")")) {
      const Token token = cursor.peek();
      if (cursor.accept("(")) {
        if (!nodes(path, false, depth + 1) || !cursor.expect(")", "in the scope tree")) return false;
      } else if (std::optional<ThreadId> thread = thread_number(token); thread && token.kind == Token::Kind::word) {
        cursor.next();
        if (!place(*thread, token, path)) return false;
      } else if (token.kind == Token::Kind::word) {
        std::optional<Scope> scope = level_named(token);
        if (open && scope && path.at(*scope)) return true;
        if (!level(token, scope, path, depth)) return false;
      } else if (!cursor.accept(",")) {
        cursor.expected("a level of the scope tree, a thread or '('");
        return false;
      }
    }
    return true;
  }

  std::optional<Scope> level_named(const Token& word) const {
    return word.is("cpu") ? Scope::device : dialect.level_named(word.text);
  }

  bool level(const Token& word, std::optional<Scope> scope, PartialPlacement path, int depth) {
    cursor.next();
    if (!scope && !is_transparent(word.text)) {
      cursor.mistake(word.span, fmt::format("unknown level {} in the scope tree", describe(word)));
      return false;
    }
    if (scope && path.at(*scope)) {
      cursor.mistake(word.span, fmt::format("{} inside another {} in the scope tree", describe(word), describe(word)));
      return false;
    }
    if (scope) path.at(*scope) = next_number++;
    if (word.is("cpu")) path.cpu = true;
    if (cursor.peek().kind == Token::Kind::number) cursor.next();  // `cta 0`: the shape says it
    return nodes(path, true, depth + 1);
  }

  bool place(ThreadId thread, const Token& word, const PartialPlacement& path) {
    if (thread.index >= builder.test.threads.size()) {
      cursor.mistake(word.span, fmt::format("there is no thread {} in the program", describe(word)));
      return false;
    }
    seen.resize(builder.test.threads.size());
    if (seen[thread.index]) {
      cursor.mistake(word.span, fmt::format("thread {} is in the scope tree twice", describe(word)));
      return false;
    }
    seen[thread.index] = true;
    builder.placement(thread) = path;
    return true;
  }
};

}  // namespace

void read_scope_tree(Cursor& cursor, TestBuilder& builder, ColumnDialect& dialect) {
  const base::Span keyword = cursor.next().span;
  if (!builder.placements.empty()) {
    cursor.mistake(keyword, "the threads are placed twice: by '@' or another scope tree, and here");
    return;
  }
  TreeReader tree{cursor, builder, dialect, 0, {}};
  bool good = true;
  // One or more parenthesised trees.
  if (!cursor.peek().is("(")) {
    cursor.expected("'(' after the scope tree's keyword");
    return;
  }
  while (good && cursor.peek().is("(")) {
    cursor.next();
    good = tree.nodes(PartialPlacement{}, false, 1) && cursor.expect(")", "in the scope tree");
  }
  if (!good) return;
  tree.seen.resize(builder.test.threads.size());
  for (std::size_t i = 0; i < tree.seen.size(); ++i) {
    if (!tree.seen[i]) cursor.mistake(keyword, fmt::format("thread P{} is not in the scope tree", i));
  }
}

void read_placement(Cursor& cursor, TestBuilder& builder, ColumnDialect& dialect, ThreadId thread) {
  if (!cursor.accept("@")) return;
  do {
    std::optional<Token> word = cursor.word("a level such as 'cta'");
    if (!word) return;
    const bool cpu = word->is("cpu");
    std::optional<Scope> level = cpu ? Scope::device : dialect.level_named(word->text);
    if (!level) {
      if (dialect.placement_word(*word, cursor, builder, thread)) continue;
      cursor.mistake(word->span, fmt::format("unknown level {} in the thread's placement", describe(*word)));
      return;
    }
    const base::Span span = cursor.peek().span;
    std::optional<std::int64_t> number = cursor.integer("the number of the node");
    if (!number) return;
    if (*number < 0 || *number > INT32_MAX) {
      cursor.mistake(span, "the number of a node is between 0 and 2147483647");
      return;
    }
    if (builder.placement(thread).at(*level)) {
      cursor.mistake(word->span, fmt::format("level {} is given twice", describe(*word)));
      return;
    }
    builder.placement(thread).at(*level) = static_cast<std::uint32_t>(*number);
    if (cpu) builder.placement(thread).cpu = true;
  } while (cursor.accept(","));
}

}  // namespace weakspot::litmus
