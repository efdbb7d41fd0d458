// SPDX-License-Identifier: MIT
// The canonical form; docs/litmus-format.md is its manual.
#include <vector>

#include "litmus/canonical/canonical_cell.h"
#include "litmus/text/columns.h"
#include "litmus/text/readers.h"

namespace weakspot::litmus {
namespace {

class Canonical : public ColumnDialect {
 public:
  Arch arch() const override { return Arch::generic; }

  // [space] [type] name [= value] [@ proxy] [aliases name]  |  thread:[type] register [= value]
  void init_item(Cursor& cursor, TestBuilder& builder) override {
    if (std::optional<ThreadId> thread = thread_number(cursor.peek()); thread && cursor.peek_second().is(":")) {
      register_item(cursor, builder, *thread);
      return;
    }
    std::optional<Space> space;
    if (is_qualifier(cursor)) space = take(cursor, space_named);
    std::optional<Type> type;
    if (is_qualifier(cursor)) type = take(cursor, type_named);
    const Token name = cursor.peek();
    read_common_init_item(cursor, builder, [](std::string_view) { return std::nullopt; });
    if (std::optional<LocationId> id = builder.find_location(name.text)) {
      if (space) builder.give_space(*id, *space);
      if (type) builder.give_type(*id, *type);
    }
  }

  void instruction(Cursor& cursor, TestBuilder& builder, ThreadId thread) override {
    CanonicalCell reader(cursor, builder, thread);
    reader.read();
    for (std::size_t index : reader.untyped_) untyped_.emplace_back(thread, index);
  }

  void program_done(TestBuilder& builder, Mistakes&) override {
    for (auto [thread, index] : untyped_) {
      std::vector<Instruction>& code = builder.test.threads[thread.index].instructions;
      if (index >= code.size()) continue;
      Access* access = access_of(code[index]);
      if (access != nullptr && access->address.location) access->type = builder[*access->address.location].type;
      auto* copy = std::get_if<AsyncCopy>(&code[index].operation);
      if (copy != nullptr && copy->targets[0].to.location) copy->type = builder[*copy->targets[0].to.location].type;
    }
  }

 private:
  // A word that is followed by another one qualifies it.
  static bool is_qualifier(Cursor& cursor) {
    return cursor.peek().kind == Token::Kind::word && cursor.peek_second().kind == Token::Kind::word &&
           !cursor.peek_second().is("aliases");
  }

  template <typename Named>
  static auto take(Cursor& cursor, Named named) -> decltype(named(std::string_view())) {
    auto value = named(cursor.peek().text);
    if (value) cursor.next();
    return value;
  }

  static void register_item(Cursor& cursor, TestBuilder& builder, ThreadId thread) {
    cursor.next();
    cursor.next();
    std::optional<Type> type;
    if (is_qualifier(cursor)) type = take(cursor, type_named);
    std::optional<Token> name = cursor.word("a register");
    if (!name) return;
    const ObservedRegister reg{thread, builder.reg(thread, name->text)};
    if (!builder.declare(reg)) {
      cursor.mistake(name->span, fmt::format("register {} is initialised twice", describe(*name)));
    }
    if (type) builder[reg].type = *type;
    if (cursor.accept("=")) {
      if (cursor.peek().is("&")) {
        std::optional<Value> address = read_initial_value(cursor, builder);
        if (!address) return;
        builder[reg].initial = *address;
      } else {
        std::optional<std::int64_t> number = cursor.integer("a number or '&' and a location");
        if (!number) return;
        builder[reg].initial = integer(*number);
      }
    }
    cursor.expect_end("the register's value");
  }

  std::vector<std::pair<ThreadId, std::size_t>> untyped_;
};

}  // namespace

std::optional<LitmusTest> read_canonical(Cursor& cursor) {
  Canonical dialect;
  std::optional<LitmusTest> test = read_columns(cursor, dialect);
  if (test) test->spelling.canonical = true;
  return test;
}

}  // namespace weakspot::litmus
