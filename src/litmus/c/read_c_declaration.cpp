// SPDX-License-Identifier: MIT
// Parameters, which name locations, and local variables, which are registers.
#include <fmt/format.h>

#include "litmus/c/c_reader.h"

namespace weakspot::litmus {

CFunctionReader::CFunctionReader(Cursor& cursor, TestBuilder& builder, CFace face, ThreadId thread)
    : cursor_(cursor), builder_(builder), face_(face), thread_(thread) {
  blocks_.emplace_back();
}

bool CFunctionReader::parameters() {
  if (cursor_.accept(")")) return true;
  if (cursor_.peek().is("void") && cursor_.peek_second().is(")")) {
    cursor_.next();
    cursor_.next();
    return true;
  }
  while (!cursor_.mistakes().full()) {
    parameter();
    // The name of a parameter with a mistake is not reported as undeclared later.
    while (!cursor_.at_end() && !cursor_.peek().is(",") && !cursor_.peek().is(")") && !cursor_.peek().is("{")) {
      missed_.emplace(cursor_.next().text);
    }
    if (cursor_.accept(")")) return true;
    if (!cursor_.expect(",", "between parameters")) return false;
  }
  return false;
}

void CFunctionReader::parameter() {
  std::optional<CType> type = read_c_specifiers(cursor_, face_);
  if (!type) return;
  read_c_stars(cursor_, *type);
  std::optional<Token> name = cursor_.word("the name of a parameter");
  if (!name) return;
  if (type->pointers == 0) {
    cursor_.mistake(name->span, fmt::format("expected a pointer parameter; write '*' before {}", describe(*name)));
    missed_.emplace(name->text);
    return;
  }
  if (!cursor_.peek().is(",") && !cursor_.peek().is(")")) {
    cursor_.expected("',' or ')' after the parameter");
    return;
  }
  if (is_c_word(name->text, face_)) {
    cursor_.mistake(name->span, fmt::format("{} cannot be the name of a parameter", describe(*name)));
    return;
  }
  if (symbols_.contains(name->text)) {
    cursor_.mistake(name->span, fmt::format("{} is declared twice", describe(*name)));
    return;
  }
  if (builder_.find_register(thread_, name->text)) {
    cursor_.mistake(name->span, fmt::format("{} is a parameter, but the initial state gives it a value as a register",
                                            describe(*name)));
    return;
  }
  const LocationId id = builder_.location(name->text);
  const Type pointee = type->pointee().value();
  if (builder_.has_given_type(id) && builder_[id].type != pointee) {
    CType here, elsewhere;
    here.base = pointee;
    elsewhere.base = builder_[id].type;
    cursor_.mistake(name->span, fmt::format("{} points to {} here and to {} elsewhere", describe(*name),
                                            c_type_text(here, face_), c_type_text(elsewhere, face_)));
  }
  builder_.give_type(id, pointee);
  if (builder_[id].space == Space::none && type->pointers == 1) builder_.give_space(id, type->space);
  const RegisterId reg = builder_.reg(thread_, name->text);
  Register& holder = builder_[ObservedRegister{thread_, reg}];
  holder.type = Type::s64;
  holder.initial = address_of(id);
  symbols_.emplace(name->text, Symbol{*type, reg, true, true});
}

// A variable of an inner block whose block is closed may come again in another block: both are one register.
void CFunctionReader::declare(const Token& name, const CType& type) {
  if (is_c_word(name.text, face_)) {
    cursor_.mistake(name.span, fmt::format("{} cannot be the name of a variable", describe(name)));
    return;
  }
  auto found = symbols_.find(name.text);
  if (found != symbols_.end() && found->second.open) {
    cursor_.mistake(name.span, fmt::format("{} is declared twice", describe(name)));
    return;
  }
  if (found != symbols_.end() && found->second.type.value() != type.value()) {
    cursor_.mistake(name.span, fmt::format("{} is declared with another type in another block; expected one type for "
                                           "each name",
                                           describe(name)));
    return;
  }
  const RegisterId reg = builder_.reg(thread_, name.text);
  builder_[ObservedRegister{thread_, reg}].type = type.value();
  symbols_.insert_or_assign(std::string(name.text), Symbol{type, reg, false, true});
  blocks_.back().emplace_back(name.text);
}

CFunctionReader::Symbol* CFunctionReader::find(const Token& name) {
  auto found = symbols_.find(name.text);
  if (found == symbols_.end()) {
    // A register of the initial state needs no declaration.
    if (std::optional<RegisterId> reg = builder_.find_register(thread_, name.text);
        reg && !name.text.starts_with(kCTemporary)) {
      CType type;
      type.base = builder_[ObservedRegister{thread_, *reg}].type;
      return &symbols_.emplace(name.text, Symbol{type, *reg, false, true}).first->second;
    }
    if (missed_.contains(name.text)) return nullptr;
    if (face_ == CFace::linux_kernel && !builder_.find_location(name.text) && !is_c_word(name.text, face_)) {
      CType type;
      type.base = Type::s64;
      declare(name, type);
      // In the whole function, wherever it is first used.
      blocks_.front().push_back(std::move(blocks_.back().back()));
      blocks_.back().pop_back();
      return &symbols_.find(name.text)->second;
    }
    const bool location = builder_.find_location(name.text).has_value();
    cursor_.mistake(name.span, fmt::format("{} is not declared in this function{}", describe(name),
                                           location ? "; a location is reached through a parameter" : ""));
    return nullptr;
  }
  if (!found->second.open) {
    cursor_.mistake(name.span, fmt::format("{} is declared in another block only", describe(name)));
    return nullptr;
  }
  return &found->second;
}

bool CFunctionReader::declaration() {
  std::optional<CType> type = read_c_specifiers(cursor_, face_);
  if (!type) return false;
  do {
    CType own = *type;
    read_c_stars(cursor_, own);
    std::optional<Token> name = cursor_.word("the name of a variable");
    if (!name) return false;
    if (cursor_.peek().is("[")) {
      cursor_.mistake(cursor_.peek().span, "local arrays are not supported; expected one variable for each element");
      return false;
    }
    const std::size_t before = cursor_.mistakes().count();
    declare(*name, own);
    const bool declared = cursor_.mistakes().count() == before;
    if (!cursor_.accept("=")) continue;
    std::optional<CExpression> initial = expression();
    if (initial && own.is_bool && own.pointers == 0) initial = truth(std::move(*initial));
    if (!initial) return false;
    initial->span = {name->span.begin, cursor_.last_end()};
    if (declared && !assign(symbols_.find(name->text)->second.reg, std::move(*initial))) return false;
  } while (cursor_.accept(","));
  return true;
}

}  // namespace weakspot::litmus
