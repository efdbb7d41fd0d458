// SPDX-License-Identifier: MIT
// The initial state: `{ item; item; ... }`, with the items that most dialects share.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/names.h"
#include "litmus/text/columns.h"

namespace weakspot::litmus {

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
  std::vector<Cursor> arrays, others;
  while (!items.at_end()) {
    const std::uint32_t begin = items.position();
    bool value = false;
    bool array = false;
    while (!items.at_end() && !items.peek().is(";")) {
      const Token token = items.next();
      value = value || token.is("=");
      array = array || (!value && token.kind == Token::Kind::word && items.peek().is("[") &&
                        items.peek_second().kind == Token::Kind::number);
    }
    const std::uint32_t end = std::max(begin, items.last_end());
    Cursor one(cursor.mistakes(), {begin, items.at_end() ? inside->end : end});
    items.accept(";");
    if (!one.at_end()) (array ? arrays : others).push_back(one);
  }
  // A text may name an array before it declares it.
  for (std::vector<Cursor>* list : {&arrays, &others}) {
    for (Cursor& one : *list) {
      if (!cursor.mistakes().full()) item(one);
    }
  }
}

std::optional<std::uint32_t> read_element(Cursor& cursor, const Location& array, const Token& name) {
  const std::uint32_t begin = cursor.peek().span.begin;
  if (!cursor.expect("[", "and the number of an element")) return std::nullopt;
  std::optional<std::int64_t> index = cursor.integer("the number of an element");
  if (!index || !cursor.expect("]", "after the number of the element")) return std::nullopt;
  if (*index < 0 || *index >= array.elements || !array.is_array()) {
    cursor.mistake({begin, cursor.last_end()},
                   array.is_array() ? fmt::format("array {} has {} elements", describe(name), array.elements)
                                    : fmt::format("{} is not an array", describe(name)));
    return std::nullopt;
  }
  return static_cast<std::uint32_t>(*index);
}

std::optional<Value> read_address(Cursor& cursor, TestBuilder& builder) {
  std::optional<Token> name = cursor.word("a location");
  if (!name) return std::nullopt;
  Value value = address_of(builder.location(name->text));
  if (cursor.peek().is("[")) {
    const Location& array = builder[*value.base];
    std::optional<std::uint32_t> element = read_element(cursor, array, *name);
    if (!element) return std::nullopt;
    value.number = std::int64_t{*element} * size_in_bytes(array.type);
  }
  if (!cursor.accept("+")) return value;
  std::optional<std::int64_t> offset = cursor.integer("an offset in bytes");
  if (!offset) return std::nullopt;
  value.number = wrapping_sum(value.number, *offset);
  return value;
}

std::optional<Value> read_initial_value(Cursor& cursor, TestBuilder& builder) {
  if (cursor.peek().is("ATOMIC_INIT") && cursor.peek_second().is("(")) {
    cursor.next();
    cursor.next();
    std::optional<Value> inner = read_initial_value(cursor, builder);
    if (!inner || !cursor.expect(")", "after the initial value")) return std::nullopt;
    return inner;
  }
  const bool address = cursor.accept("&");
  if (cursor.peek().kind == Token::Kind::word) {
    return read_address(cursor, builder);
  }
  if (address) {
    cursor.expected("a location after '&'");
    return std::nullopt;
  }
  if (cursor.peek().is("{")) {
    cursor.mistake(cursor.peek().span, "a list of values is for an array; write its size behind its name, as in x[2]");
    return std::nullopt;
  }
  std::optional<std::int64_t> number = cursor.integer("a number or a location");
  if (!number) return std::nullopt;
  return integer(*number);
}

namespace {

// Whether the next word qualifies the name after it rather than being the name.
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

// `[2]` and perhaps `= { 1, 2 }`, after the name of an array. Elements without a value are 0.
void read_array(Cursor& cursor, TestBuilder& builder, const Token& name, std::optional<Type> type) {
  cursor.next();
  const base::Span at = cursor.peek().span;
  std::optional<std::int64_t> elements = cursor.integer("the number of elements");
  if (!elements || !cursor.expect("]", "after the number of elements")) return;
  if (*elements < 2 || *elements > kMostElements) {
    cursor.mistake(at, fmt::format("expected an array of 2 to {} elements", kMostElements));
    return;
  }
  const std::optional<LocationId> first = builder.array(name.text, static_cast<std::uint32_t>(*elements));
  if (!first) {
    cursor.mistake(name.span,
                   fmt::format("array {} is declared twice, or behind another array that names it", describe(name)));
    return;
  }
  for (std::uint32_t i = 0; i < *elements; ++i) {
    builder[LocationId{first->index + i}].span = {name.span.begin, cursor.end()};
    builder.declare(LocationId{first->index + i});
  }
  bool addresses = false;
  if (cursor.accept("=")) {
    if (!cursor.expect("{", "and the values of the array")) return;
    for (std::uint32_t i = 0; !cursor.peek().is("}"); ++i) {
      const base::Span span = cursor.peek().span;
      std::optional<Value> value = read_initial_value(cursor, builder);
      if (!value) return;
      if (i == *elements) {
        cursor.mistake(span, fmt::format("array {} has only {} elements", describe(name), *elements));
        return;
      }
      builder[LocationId{first->index + i}].initial = *value;
      addresses = addresses || value->base;
      if (!cursor.accept(",") && !cursor.accept(";")) break;
    }
    if (!cursor.expect("}", "after the values of the array")) return;
  }
  builder.give_type(*first, type.value_or(addresses ? Type::s64 : Type::s32));
  cursor.expect_end("the array");
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
  if (cursor.peek().is("[")) return read_array(cursor, builder, *name, type);
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

}  // namespace weakspot::litmus
