// SPDX-License-Identifier: MIT
#include "litmus/text/columns.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "base/names.h"
#include "litmus/normalize.h"

namespace weakspot::litmus {
namespace {

bool is_tail_keyword(Cursor& cursor) {
  const Token token = cursor.peek();
  if (cursor.peek_second().is(":")) return false;  // a label
  for (std::string_view word :
       {"exists", "forall", "~", "final", "filter", "locations", "scopeTree", "ScopeTree", "scopes", "ssw", "launch"}) {
    if (token.is(word)) return true;
  }
  return false;
}

using Row = std::vector<base::Span>;

// False, and a mistake, if the row is not ended.
bool read_row(Cursor& cursor, Row& row) {
  row.clear();
  const base::Span start = cursor.peek().span;
  while (true) {
    Cursor::Cell cell = cursor.cell();
    row.push_back(cell.span);
    if (cell.delimiter == ';') return true;
    if (cell.delimiter == 0) {
      cursor.mistake(start, "this row of the program does not end with ';'");
      return false;
    }
  }
}

bool read_thread_names(Cursor& cursor, const Row& row, TestBuilder& builder, ColumnDialect& dialect) {
  if (row.size() > kMostThreads) {
    cursor.mistake(row.front(), fmt::format("the test has more than {} threads", kMostThreads));
    return false;
  }
  if (builder.test.threads.size() > row.size()) {
    cursor.mistake(row.front(), fmt::format("the initial state mentions thread {}, but the program has only {}",
                                            builder.test.threads.size() - 1, row.size()));
    return false;
  }
  builder.ensure_threads(row.size());
  const std::size_t before_all = cursor.mistakes().count();
  for (std::uint32_t column = 0; column < row.size(); ++column) {
    Cursor cell(cursor.mistakes(), row[column]);
    const Token name = cell.next();
    std::optional<ThreadId> number = thread_number(name);
    if (!number || number->index != column) {
      cell.mistake(name.span, fmt::format("expected the name of thread P{}, found {}", column, describe(name)));
      return false;
    }
    const std::size_t before = cursor.mistakes().count();
    read_placement(cell, builder, dialect, ThreadId{column});
    if (cursor.mistakes().count() == before) cell.expect_end("the thread's name");
  }
  return cursor.mistakes().count() == before_all;
}

void read_program(Cursor& cursor, TestBuilder& builder, ColumnDialect& dialect) {
  if (cursor.at_end() || is_tail_keyword(cursor)) {
    cursor.expected("the program: a row of thread names such as 'P0 | P1 ;'");
    return;
  }
  Row row;
  if (!read_row(cursor, row) || !read_thread_names(cursor, row, builder, dialect)) return;
  const std::size_t columns = row.size();
  while (!cursor.at_end() && !is_tail_keyword(cursor) && !cursor.mistakes().full()) {
    const base::Span start = cursor.peek().span;
    if (!read_row(cursor, row)) return;
    if (row.size() != columns) {
      cursor.mistake(start, fmt::format("this row has {} column{}, the program has {} thread{}", row.size(),
                                        row.size() == 1 ? "" : "s", columns, columns == 1 ? "" : "s"));
      continue;
    }
    for (std::uint32_t column = 0; column < columns; ++column) {
      Cursor cell(cursor.mistakes(), row[column]);
      if (!cell.at_end()) dialect.instruction(cell, builder, ThreadId{column});
    }
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
    if (id && value) builder.give_space(*id, *value);
  } while (cursor.accept(",") || cursor.accept(";"));
}

// A location, an element of an array, or all of them.
void observe_location(Cursor& cursor, TestBuilder& builder, const Token& name) {
  const std::optional<LocationId> id = builder.find_location(name.text);
  if (!id) return cursor.mistake(name.span, fmt::format("there is no location {}", describe(name)));
  if (cursor.peek().is("[")) {
    std::optional<std::uint32_t> element = read_element(cursor, builder[*id], name);
    if (element) builder.test.also_observed.emplace_back(LocationId{id->index + *element});
    return;
  }
  for (std::uint32_t i = 0; i < builder[*id].elements; ++i) {
    builder.test.also_observed.emplace_back(LocationId{id->index + i});
  }
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
      std::optional<RegisterId> reg;
      if (thread->index < builder.test.threads.size()) reg = names.find(*thread, name->text);
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
      observe_location(cursor, builder, *name);
    }
  }
}

void read_pair(Cursor& cursor, TestBuilder& builder, std::vector<std::pair<ThreadId, ThreadId>>& pairs) {
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
  pairs.emplace_back(*threads[0], *threads[1]);
}

// `<< ... >>` after the condition: commands for another tool.
void skip_commands(Cursor& cursor) {
  while (cursor.accept("<<")) {
    const std::uint32_t begin = cursor.last_end() - 2;
    while (!cursor.at_end() && !cursor.peek().is(">>")) cursor.next();
    if (!cursor.accept(">>")) cursor.mistake({begin, begin + 2}, "this '<<' is not closed");
  }
}

bool read_quantifier(Cursor& cursor, Condition& condition) {
  if (cursor.accept("exists") || cursor.accept("final")) {
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

// `with tso: ~exists; power: exists`: the expected verdicts of models in herd's older tests. `forall` also means
// allowed.
void read_kinds(Cursor& cursor, TestBuilder& builder) {
  do {
    std::optional<Token> name = cursor.word("a model");
    if (!name || !cursor.expect(":", "after the model")) return;
    Condition kind;
    if (!read_quantifier(cursor, kind)) {
      cursor.expected("exists, ~exists or forall");
      return;
    }
    builder.test.expectations[std::string(name->text)] =
        kind.quantifier == Condition::Quantifier::not_exists ? Expectation::forbidden : Expectation::allowed;
  } while (cursor.accept(";") && cursor.peek_second().is(":"));
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

void ColumnDialect::condition_done(TestBuilder&, Mistakes&) {}

// ---- the parts ----

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

void read_tail(Cursor& cursor, TestBuilder& builder, ColumnDialect& dialect) {
  const NameLookup names{builder, [&](std::string_view text) { return dialect.register_name(text); },
                         dialect.has_all_registers()};
  bool done = false;
  while (!done && !cursor.mistakes().full()) {
    const Token token = cursor.peek();
    if (token.is("scopeTree") || token.is("ScopeTree") || token.is("scopes")) {
      const std::size_t before = cursor.mistakes().count();
      read_scope_tree(cursor, builder, dialect);
      if (cursor.mistakes().count() != before) return;
    } else if (token.is("ssw")) {
      read_pair(cursor, builder, builder.system_synchronizes);
    } else if (token.is("launch")) {
      read_pair(cursor, builder, builder.launches);
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
  if (cursor.at_end() && dialect.may_lack_condition()) {
    builder.test.condition.quantifier = Condition::Quantifier::forall;
    return;
  }
  if (!read_quantifier(cursor, builder.test.condition)) {
    cursor.expected("the condition: exists, ~exists or forall");
    return;
  }
  if (std::optional<Proposition> proposition = read_proposition(cursor, names)) {
    builder.test.condition.proposition = std::move(*proposition);
    cursor.accept(";");
    if (cursor.accept("with")) read_kinds(cursor, builder);
  }
  skip_commands(cursor);
}

std::optional<LitmusTest> finish_test(TestBuilder& builder, Mistakes& mistakes, std::size_t mistakes_before) {
  if (mistakes.count() != mistakes_before) return std::nullopt;
  if (!builder.placements.empty() || !builder.system_synchronizes.empty() || !builder.launches.empty()) {
    builder.placements.resize(builder.test.threads.size());
    builder.test.scopes = make_scope_tree(builder.placements);
    builder.test.scopes->system_synchronizes = builder.system_synchronizes;
    builder.test.scopes->launches = builder.launches;
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
  if (cursor.mistakes().count() == before) dialect.condition_done(builder, cursor.mistakes());
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
