// SPDX-License-Identifier: MIT
// Parameters, which name locations, and local variables, which are registers.
#include <fmt/format.h>

#include "litmus/c/c_function.h"

namespace weakspot::litmus {
namespace {

void parameter(CFunction& f) {
  std::optional<CType> type = read_c_specifiers(f.cursor, f.face);
  if (!type) return;
  read_c_stars(f.cursor, *type);
  std::optional<Token> name = f.cursor.word("the name of a parameter");
  if (!name) return;
  if (type->pointers == 0) {
    f.cursor.mistake(name->span, fmt::format("expected a pointer parameter; write '*' before {}", describe(*name)));
    f.missed.emplace(name->text);
    return;
  }
  if (!f.cursor.peek().is(",") && !f.cursor.peek().is(")")) {
    f.cursor.expected("',' or ')' after the parameter");
    return;
  }
  if (is_c_word(name->text, f.face)) {
    f.cursor.mistake(name->span, fmt::format("{} cannot be the name of a parameter", describe(*name)));
    return;
  }
  if (f.symbols.contains(name->text)) {
    f.cursor.mistake(name->span, fmt::format("{} is declared twice", describe(*name)));
    return;
  }
  if (f.builder.find_register(f.thread, name->text)) {
    f.cursor.mistake(name->span, fmt::format("{} is a parameter, but the initial state gives it a value as a register",
                                             describe(*name)));
    return;
  }
  const LocationId id = f.builder.location(name->text);
  const Type pointee = type->pointee().value();
  if (f.builder.has_given_type(id) && f.builder[id].type != pointee) {
    CType here, elsewhere;
    here.base = pointee;
    elsewhere.base = f.builder[id].type;
    f.cursor.mistake(name->span, fmt::format("{} points to {} here and to {} elsewhere", describe(*name),
                                             c_type_text(here, f.face), c_type_text(elsewhere, f.face)));
  }
  f.builder.give_type(id, pointee);
  if (f.builder[id].space == Space::none && type->pointers == 1) f.builder.give_space(id, type->space);
  const RegisterId reg = f.builder.reg(f.thread, name->text);
  Register& holder = f.builder[ObservedRegister{f.thread, reg}];
  holder.type = Type::s64;
  holder.initial = address_of(id);
  f.symbols.emplace(name->text, CFunction::Symbol{*type, reg, true, true});
}

}  // namespace

bool read_c_parameters(CFunction& f) {
  if (f.cursor.accept(")")) return true;
  if (f.cursor.peek().is("void") && f.cursor.peek_second().is(")")) {
    f.cursor.next();
    f.cursor.next();
    return true;
  }
  while (!f.cursor.mistakes().full()) {
    parameter(f);
    // The name of a parameter with a mistake is not reported as undeclared later.
    while (!f.cursor.at_end() && !f.cursor.peek().is(",") && !f.cursor.peek().is(")") && !f.cursor.peek().is("{")) {
      f.missed.emplace(f.cursor.next().text);
    }
    if (f.cursor.accept(")")) return true;
    if (!f.cursor.expect(",", "between parameters")) return false;
  }
  return false;
}

bool read_c_declaration(CFunction& f) {
  std::optional<CType> type = read_c_specifiers(f.cursor, f.face);
  if (!type) return false;
  do {
    CType own = *type;
    read_c_stars(f.cursor, own);
    std::optional<Token> name = f.cursor.word("the name of a variable");
    if (!name) return false;
    if (f.cursor.peek().is("[")) {
      f.cursor.mistake(f.cursor.peek().span, "local arrays are not supported; expected one variable for each element");
      return false;
    }
    const std::size_t before = f.cursor.mistakes().count();
    f.declare(*name, own);
    const bool declared = f.cursor.mistakes().count() == before;
    if (!f.cursor.accept("=")) continue;
    std::optional<CExpression> initial = read_c_expression(f);
    if (initial && own.is_bool && own.pointers == 0) initial = f.truth(std::move(*initial));
    if (!initial) return false;
    initial->span = {name->span.begin, f.cursor.last_end()};
    if (declared && !f.assign(f.symbols.find(name->text)->second.reg, std::move(*initial))) return false;
  } while (f.cursor.accept(","));
  return true;
}

}  // namespace weakspot::litmus
