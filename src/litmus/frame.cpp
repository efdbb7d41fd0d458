#include "litmus/frame.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "base/names.h"
#include "litmus/normalize.h"

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
    builder.test.info.emplace_back(key.text, value.text);
  }
}

bool is_tail_keyword(Cursor& cursor) {
  const Token token = cursor.peek();
  if (cursor.peek_second().is(":")) return false;  // a label
  for (std::string_view word :
       {"exists", "forall", "~", "filter", "locations", "scopeTree", "ScopeTree", "scopes", "ssw"}) {
    if (token.is(word)) return true;
  }
  return false;
}

// `(Word)` after a test's name: what some collections call it in print.
void read_second_name(Cursor& cursor) {
  if (!cursor.accept("(")) return;
  if (cursor.word("a second name of the test")) cursor.expect(")", "after the second name of the test");
}

struct Row {
  std::vector<base::Span> cells;
};

std::optional<Row> read_row(Cursor& cursor) {
  Row row;
  const base::Span start = cursor.peek().span;
  while (true) {
    Cursor::Cell cell = cursor.cell();
    row.cells.push_back(cell.span);
    if (cell.delimiter == ';') return row;
    if (cell.delimiter == 0) {
      cursor.mistake(start, "this row of the program is not ended by ';'");
      return std::nullopt;
    }
  }
}

bool read_thread_names(Cursor& cursor, const Row& row, TestBuilder& builder, ColumnDialect& dialect) {
  if (row.cells.size() > kMostThreads) {
    cursor.mistake(row.cells.front(), fmt::format("the test has more than {} threads", kMostThreads));
    return false;
  }
  if (builder.test.threads.size() > row.cells.size()) {
    cursor.mistake(row.cells.front(), fmt::format("the initial state speaks of thread {}, but the program has {}",
                                                  builder.test.threads.size() - 1, row.cells.size()));
    return false;
  }
  builder.ensure_threads(row.cells.size());
  for (std::uint32_t column = 0; column < row.cells.size(); ++column) {
    Cursor cell(cursor.mistakes(), row.cells[column]);
    const Token name = cell.next();
    std::optional<ThreadId> number = thread_number(name);
    if (!number || number->index != column) {
      cell.mistake(name.span, fmt::format("expected the name of thread P{}, found {}", column, describe(name)));
      return false;
    }
    const std::size_t before = cursor.mistakes().count();
    read_placement(cell, builder, dialect, ThreadId{column});
    if (cursor.mistakes().count() != before || !cell.expect_end("the thread's name")) return false;
  }
  return true;
}

void read_program(Cursor& cursor, TestBuilder& builder, ColumnDialect& dialect) {
  if (cursor.at_end() || is_tail_keyword(cursor)) {
    cursor.expected("the program: a row of thread names such as 'P0 | P1 ;'");
    return;
  }
  std::optional<Row> names = read_row(cursor);
  if (!names || !read_thread_names(cursor, *names, builder, dialect)) return;
  const std::size_t columns = names->cells.size();
  while (!cursor.at_end() && !is_tail_keyword(cursor) && !cursor.mistakes().full()) {
    const base::Span start = cursor.peek().span;
    std::optional<Row> row = read_row(cursor);
    if (!row) return;
    if (row->cells.size() != columns) {
      cursor.mistake(start, fmt::format("this row has {} column{}, the program has {} thread{}", row->cells.size(),
                                        row->cells.size() == 1 ? "" : "s", columns, columns == 1 ? "" : "s"));
      continue;
    }
    for (std::uint32_t column = 0; column < columns; ++column) {
      Cursor cell(cursor.mistakes(), row->cells[column]);
      if (!cell.at_end()) dialect.instruction(cell, builder, ThreadId{column});
    }
  }
}

// ---- scope trees ----

struct TreeReader {
  Cursor& cursor;
  TestBuilder& builder;
  ColumnDialect& dialect;
  std::uint32_t next_number = 0;
  std::vector<bool> seen;

  static constexpr int kDeepest = 32;

  // Words that name a level above the device, or one that says nothing.
  static bool is_transparent(std::string_view word) {
    return word == "grid" || word == "kernel" || word == "system" || word == "sys" || word == "ndrange";
  }

  // nodes := ( '(' nodes ')' | level nodes | thread )*
  // Both (cta (warp P0) (warp P1)) and cta(warp P0)(warp P1) are in use. `open` is false right after '(': what follows
  // a bare level belongs to it until the parenthesis closes or a level comes that cannot be inside.
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
        std::optional<Scope> scope = dialect.level_named(token.text);
        if (open && scope && path.at(*scope)) return true;
        if (!level(token, scope, path, depth)) return false;
      } else if (!cursor.accept(",")) {
        cursor.expected("a level of the scope tree, a thread or '('");
        return false;
      }
    }
    return true;
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
      cursor.mistake(word.span, fmt::format("thread {} is twice in the scope tree", describe(word)));
      return false;
    }
    seen[thread.index] = true;
    builder.placement(thread) = path;
    return true;
  }
};

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

constexpr base::Named<Space> kMapSpaces[] = {
    {"global", Space::global},
    {"shared", Space::shared},
    {"local", Space::shared},
    {"constant", Space::constant},
};

// `x: shared, y: global`
void read_memory_map(Cursor& cursor, TestBuilder& builder) {
  do {
    std::optional<Token> name = cursor.word("a location");
    if (!name || !cursor.expect(":", "after the location in the memory map")) return;
    std::optional<Token> space = cursor.word("a memory space");
    if (!space) return;
    std::optional<LocationId> id = builder.find_location(name->text);
    std::optional<Space> value = base::value_of(kMapSpaces, space->text);
    if (!id) cursor.mistake(name->span, fmt::format("there is no location {}", describe(*name)));
    if (!value) {
      cursor.mistake(space->span, fmt::format("unknown memory space {}; expected {}", describe(*space),
                                              base::list_names(kMapSpaces)));
    }
    if (id && value) builder[*id].space = *value;
  } while (cursor.accept(",") || cursor.accept(";"));
}

void read_locations(Cursor& cursor, TestBuilder& builder, const NameLookup& names) {
  cursor.next();
  if (!cursor.expect("[", "after 'locations'")) return;
  while (!cursor.accept("]")) {
    const Token token = cursor.peek();
    if (cursor.at_end()) {
      cursor.expected("']' after the locations");
      return;
    }
    if (token.is(";") || token.is(",")) {
      cursor.next();
      continue;
    }
    if (std::optional<ThreadId> thread = thread_number(token); thread && cursor.peek_second().is(":")) {
      cursor.next();
      cursor.next();
      std::optional<Token> name = cursor.word("a register");
      if (!name) return;
      std::optional<std::string> known = names.register_name(name->text);
      std::optional<RegisterId> reg;
      if (known) reg = builder.find_register(*thread, *known);
      if (reg) {
        builder.test.also_observed.emplace_back(ObservedRegister{*thread, *reg});
      } else {
        cursor.mistake(name->span, fmt::format("thread {} has no register {}", thread->index, describe(*name)));
      }
    } else {
      const bool bracket = cursor.accept("[");
      cursor.accept("*");
      std::optional<Token> name = cursor.word("a location or a register");
      if (!name) return;
      if (bracket && !cursor.expect("]", "after the location")) return;
      std::optional<LocationId> id = builder.find_location(name->text);
      if (id) {
        builder.test.also_observed.emplace_back(*id);
      } else {
        cursor.mistake(name->span, fmt::format("there is no location {}", describe(*name)));
      }
    }
  }
}

void read_synchronizes_pair(Cursor& cursor, TestBuilder& builder) {
  cursor.next();
  std::optional<ThreadId> threads[2];
  for (std::optional<ThreadId>& thread : threads) {
    const Token token = cursor.next();
    thread = thread_number(token);
    if (!thread || thread->index >= builder.test.threads.size()) {
      cursor.mistake(token.span, fmt::format("expected a thread of the program, found {}", describe(token)));
      return;
    }
  }
  cursor.accept(";");
  builder.system_synchronizes.emplace_back(*threads[0], *threads[1]);
}

// `<< ... >>` after the condition: what another tool shall draw.
void skip_commands(Cursor& cursor) {
  while (cursor.accept("<<")) {
    const std::uint32_t begin = cursor.last_end() - 2;
    while (!cursor.at_end() && !cursor.peek().is(">>")) cursor.next();
    if (!cursor.accept(">>")) cursor.mistake({begin, begin + 2}, "this '<<' is not closed");
  }
}

bool read_quantifier(Cursor& cursor, Condition& condition) {
  if (cursor.accept("exists")) {
    condition.quantifier = Condition::Quantifier::exists;
  } else if (cursor.accept("forall")) {
    condition.quantifier = Condition::Quantifier::forall;
  } else if (cursor.peek().is("~") && cursor.peek_second().is("exists")) {
    cursor.next();
    cursor.next();
    condition.quantifier = Condition::Quantifier::not_exists;
  } else {
    return false;
  }
  return true;
}

}  // namespace

// ---- dialect defaults ----

void ColumnDialect::init_item(Cursor& cursor, TestBuilder& builder) {
  read_common_init_item(cursor, builder, [this](std::string_view text) { return register_name(text); });
}

std::optional<Scope> ColumnDialect::level_named(std::string_view word) const {
  static constexpr base::Named<Scope> kLevels[] = {
      {"sg", Scope::subgroup},          {"warp", Scope::subgroup},   {"sub_group", Scope::subgroup},
      {"wg", Scope::workgroup},         {"cta", Scope::workgroup},   {"block", Scope::workgroup},
      {"work_group", Scope::workgroup}, {"cluster", Scope::cluster}, {"qf", Scope::queue_family},
      {"dev", Scope::device},           {"gpu", Scope::device},      {"device", Scope::device},
  };
  return base::value_of(kLevels, word);
}

bool ColumnDialect::placement_word(const Token&, Cursor&, TestBuilder&, ThreadId) { return false; }

void ColumnDialect::before_program(Cursor&, TestBuilder&) {}

void ColumnDialect::program_done(TestBuilder&, Mistakes&) {}

// ---- the parts ----

bool is_test_name(std::string_view text) {
  return !text.empty() && text.find_first_of(" \t\n\r\f\v") == std::string_view::npos;
}

bool is_model_name(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || std::string_view("_.+-/").find(static_cast<char>(c)) != std::string_view::npos;
  });
}

std::optional<ThreadId> thread_number(const Token& token) {
  std::string_view digits = token.text;
  if (token.kind == Token::Kind::word && (digits[0] == 'P' || digits[0] == 'T')) {
    digits.remove_prefix(1);
  } else if (token.kind != Token::Kind::number) {
    return std::nullopt;
  }
  std::optional<std::int64_t> number = parse_integer(digits, false);
  if (!number || *number < 0 || *number >= static_cast<std::int64_t>(kMostThreads)) return std::nullopt;
  return ThreadId{static_cast<std::uint32_t>(*number)};
}

std::optional<Type> c_type_named(std::string_view name) {
  static constexpr base::Named<Type> kTypes[] = {
      {"int", Type::s32},     {"uint", Type::u32},     {"int8_t", Type::s8},    {"uint8_t", Type::u8},
      {"int16_t", Type::s16}, {"uint16_t", Type::u16}, {"int32_t", Type::s32},  {"uint32_t", Type::u32},
      {"int64_t", Type::s64}, {"uint64_t", Type::u64}, {"char", Type::s8},      {"short", Type::s16},
      {"long", Type::s64},    {"ulong", Type::u64},    {"intptr_t", Type::s64}, {"uintptr_t", Type::u64},
      {"size_t", Type::u64},  {"unsigned", Type::u32},
  };
  if (name.starts_with("atomic_")) name.remove_prefix(7);
  return base::value_of(kTypes, name);
}

namespace {

// A string; where a line starts and ends with quotes, the ones between belong to what is quoted.
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
  // Empty lines around it say nothing, and a printer could not write them apart.
  description.erase(0, description.find_first_not_of('\n'));
  description.erase(description.find_last_not_of('\n') + 1);
}

void read_init(Cursor& cursor, bool optional, const std::function<void(Cursor&)>& item) {
  if (!cursor.peek().is("{")) {
    if (!optional) cursor.expected("'{' and the initial state");
    return;
  }
  cursor.next();
  std::optional<base::Span> inside = cursor.braces();
  if (!inside) return;
  cursor.accept(";");
  Cursor items(cursor.mistakes(), *inside);
  while (!items.at_end()) {
    const std::uint32_t begin = items.position();
    while (!items.at_end() && !items.peek().is(";")) items.next();
    const std::uint32_t end = std::max(begin, items.last_end());
    Cursor one(cursor.mistakes(), {begin, items.at_end() ? inside->end : end});
    items.accept(";");
    if (!one.at_end() && !cursor.mistakes().full()) item(one);
  }
}

std::optional<Value> read_initial_value(Cursor& cursor, TestBuilder& builder) {
  const bool address = cursor.accept("&");
  if (cursor.peek().kind == Token::Kind::word) {
    Value value = address_of(builder.location(cursor.next().text));
    if (!cursor.accept("+")) return value;
    std::optional<std::int64_t> offset = cursor.integer("an offset in bytes");
    if (!offset) return std::nullopt;
    value.number = *offset;
    return value;
  }
  if (address) {
    cursor.expected("a location after '&'");
    return std::nullopt;
  }
  if (cursor.peek().is("{")) {
    cursor.mistake(cursor.peek().span, "arrays are not supported; name each element as a location of its own");
    return std::nullopt;
  }
  std::optional<std::int64_t> number = cursor.integer("a number or a location");
  if (!number) return std::nullopt;
  return integer(*number);
}

namespace {

// Whether the word here says something of the name that follows, and is not the name itself.
bool qualifies(Cursor& cursor) {
  if (cursor.peek().kind != Token::Kind::word) return false;
  const Token second = cursor.peek_second();
  return (second.kind == Token::Kind::word && !second.is("aliases")) || second.kind == Token::Kind::number ||
         second.is("*") || second.is("[");
}

// `@ texture aliases x` or `aliases x`, after a location.
void read_alias(Cursor& cursor, TestBuilder& builder, LocationId id) {
  if (cursor.accept("@")) {
    std::optional<Token> word = cursor.word("a proxy");
    if (!word) return;
    std::optional<Proxy> proxy = proxy_named(word->text);
    if (!proxy) {
      cursor.mistake(word->span,
                     fmt::format("unknown proxy {}; expected generic, texture, surface or constant", describe(*word)));
      return;
    }
    builder[id].proxy = *proxy;
  }
  if (!cursor.expect("aliases", "after the location")) return;
  std::optional<Token> of = cursor.word("the location it is an alias of");
  if (!of) return;
  const LocationId target = builder.location(of->text);
  if (target == id) {
    cursor.mistake(of->span, fmt::format("location {} is an alias of itself", describe(*of)));
    return;
  }
  builder[id].alias_of = target;
}

}  // namespace

void read_common_init_item(Cursor& cursor, TestBuilder& builder,
                           const std::function<std::optional<std::string>(std::string_view)>& register_name) {
  std::optional<Type> type;
  bool pointer = false;
  while (qualifies(cursor) && (cursor.peek().is("volatile") || cursor.peek().is("const") ||
                               cursor.peek().is("global") || cursor.peek().is("__global"))) {
    cursor.next();
  }
  if (std::optional<Type> named = c_type_named(cursor.peek().text); named && qualifies(cursor)) {
    type = named;
    cursor.next();
  }
  while (cursor.accept("*")) pointer = true;
  if (pointer) type = Type::s64;

  const Token first = cursor.peek();
  if (std::optional<ThreadId> thread = thread_number(first); thread && cursor.peek_second().is(":")) {
    cursor.next();
    cursor.next();
    std::optional<Token> name = cursor.word("a register");
    if (!name) return;
    std::optional<std::string> known = register_name(name->text);
    if (!known) {
      cursor.mistake(name->span, fmt::format("{} is not a register", describe(*name)));
      return;
    }
    const ObservedRegister reg{*thread, builder.reg(*thread, *known)};
    if (!builder.declare(reg))
      cursor.mistake(name->span, fmt::format("register {} is initialised twice", describe(*name)));
    if (type) builder[reg].type = *type;
    if (cursor.accept("=")) {
      std::optional<Value> value = read_initial_value(cursor, builder);
      if (!value) return;
      builder[reg].initial = *value;
    }
    cursor.expect_end("the register's value");
    return;
  }

  const bool bracket = cursor.accept("[");
  std::optional<Token> name = cursor.word("a location or a register such as 0:r0");
  if (!name) return;
  if (bracket && !cursor.expect("]", "after the location")) return;
  if (cursor.peek().is("[")) {
    cursor.mistake(cursor.peek().span, "arrays are not supported; name each element as a location of its own");
    return;
  }
  const LocationId id = builder.location(name->text);
  builder[id].span = {name->span.begin, cursor.end()};
  if (!builder.declare(id)) cursor.mistake(name->span, fmt::format("location {} is declared twice", describe(*name)));
  if (type) builder.give_type(id, *type);
  if (cursor.peek().is("@") || cursor.peek().is("aliases")) read_alias(cursor, builder, id);
  if (cursor.accept("=")) {
    std::optional<Value> value = read_initial_value(cursor, builder);
    if (!value) return;
    builder[id].initial = *value;
    if (value->base && !type) builder.give_type(id, Type::s64);
  }
  cursor.expect_end("the initial value");
}

void read_placement(Cursor& cursor, TestBuilder& builder, ColumnDialect& dialect, ThreadId thread) {
  if (!cursor.accept("@")) return;
  do {
    std::optional<Token> word = cursor.word("a level such as 'cta'");
    if (!word) return;
    std::optional<Scope> level = dialect.level_named(word->text);
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
  } while (cursor.accept(","));
}

void read_tail(Cursor& cursor, TestBuilder& builder, ColumnDialect& dialect) {
  const NameLookup names{builder, [&](std::string_view text) { return dialect.register_name(text); }};
  bool done = false;
  while (!done && !cursor.mistakes().full()) {
    const Token token = cursor.peek();
    if (token.is("scopeTree") || token.is("ScopeTree") || token.is("scopes")) {
      const std::size_t before = cursor.mistakes().count();
      read_scope_tree(cursor, builder, dialect);
      if (cursor.mistakes().count() != before) return;
    } else if (token.is("ssw")) {
      read_synchronizes_pair(cursor, builder);
    } else if (token.is("filter")) {
      cursor.next();
      builder.test.filter = read_proposition(cursor, names);
      if (!builder.test.filter) return;
      cursor.accept(";");
    } else if (token.is("locations")) {
      read_locations(cursor, builder, names);
      cursor.accept(";");
    } else if (token.kind == Token::Kind::word && cursor.peek_second().is(":")) {
      read_memory_map(cursor, builder);
    } else {
      done = true;
    }
  }
  dialect.program_done(builder, cursor.mistakes());
  // A test that only lists what to observe asks for all its outcomes.
  if (cursor.at_end() && !builder.test.also_observed.empty()) {
    builder.test.condition.quantifier = Condition::Quantifier::forall;
    return;
  }
  if (cursor.at_end() && dialect.may_lack_condition()) return;
  if (!read_quantifier(cursor, builder.test.condition)) {
    cursor.expected("the condition: exists, ~exists or forall");
    return;
  }
  if (std::optional<Proposition> proposition = read_proposition(cursor, names)) {
    builder.test.condition.proposition = std::move(*proposition);
    cursor.accept(";");
  }
  skip_commands(cursor);
}

std::optional<LitmusTest> finish_test(TestBuilder& builder, Mistakes& mistakes, std::size_t mistakes_before) {
  if (mistakes.count() != mistakes_before) return std::nullopt;
  if (!builder.placements.empty() || !builder.system_synchronizes.empty()) {
    builder.placements.resize(builder.test.threads.size());
    builder.test.scopes = make_scope_tree(builder.placements);
    builder.test.scopes->system_synchronizes = builder.system_synchronizes;
  }
  base::Result<LitmusTest> test = finish(std::move(builder.test), mistakes.source());
  if (!test) {
    mistakes.append(test.errors());
    return std::nullopt;
  }
  return std::move(*test);
}

std::optional<LitmusTest> read_columns(Cursor& cursor, ColumnDialect& dialect) {
  const std::size_t before = cursor.mistakes().count();
  TestBuilder builder;
  builder.test.arch = dialect.arch();
  read_header(cursor, builder);
  read_init(cursor, true, [&](Cursor& item) { dialect.init_item(item, builder); });
  dialect.before_program(cursor, builder);
  if (cursor.mistakes().count() == before || !builder.test.threads.empty() || !cursor.at_end()) {
    read_program(cursor, builder, dialect);
  }
  // Without a program every name in the condition would be a mistake of its own.
  if (cursor.mistakes().count() == before) read_tail(cursor, builder, dialect);
  return finish_test(builder, cursor.mistakes(), before);
}

void infer_location_types(TestBuilder& builder) {
  inline_constant_registers(builder.test);
  std::vector<bool> seen(builder.test.locations.size());
  for (const Thread& thread : builder.test.threads) {
    for (const Instruction& instruction : thread.instructions) {
      const Access* access = access_of(instruction);
      if (access == nullptr || !access->address.location || access->address.offset != 0) continue;
      const LocationId id = *access->address.location;
      if (builder.has_given_type(id)) continue;
      Type& type = builder[id].type;
      if (!seen[id.index] || size_in_bytes(access->type) > size_in_bytes(type)) type = access->type;
      seen[id.index] = true;
    }
  }
}

}  // namespace weakspot::litmus
