// SPDX-License-Identifier: MIT
// The base of printers for languages of C's family: names, lines, indentation, and the statements that look alike.
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <variant>

#include "base/check.h"
#include "codegen/kernel/code_lines.h"
#include "codegen/kernel/kernel.h"

namespace weakspot::codegen {

// An operator of two operands. A widening product is the product of widened operands.
inline std::string_view infix(Op op) {
  switch (op) {
    case Op::add:
      return "+";
    case Op::sub:
      return "-";
    case Op::mul:
    case Op::mul_wide:
      return "*";
    case Op::div:
      return "/";
    case Op::rem:
      return "%";
    case Op::and_:
      return "&";
    case Op::or_:
      return "|";
    case Op::xor_:
      return "^";
    case Op::eq:
      return "==";
    case Op::ne:
      return "!=";
    case Op::lt:
    case Op::lt_signed:
      return "<";
    case Op::le:
    case Op::le_signed:
      return "<=";
    default:
      WEAKSPOT_CHECK(false);
      return {};
  }
}

// `Printer` derives from this. It has value() and condition() for expressions, print() for the other statements, and
// a using-declaration for these ones.
template <typename Printer>
class CPrinter {
 protected:
  // Variables of 64 bits have a prefix of their own.
  CPrinter(const Kernel& kernel, std::string_view wide_prefix) : kernel_(kernel), wide_prefix_(wide_prefix) {}

  std::string name(std::uint32_t variable) const {
    return fmt::format("{}{}", kernel_.variables[variable] == Width::w32 ? "v" : wide_prefix_, variable);
  }
  std::string name(Var variable) const { return name(variable.index); }

  void line(std::string_view text) {
    out_.append(depth_ * 2, ' ');
    out_ += text;
    out_ += '\n';
  }

  void print(const Assign& assign) { line(fmt::format("{} = {};", name(assign.target), self().value(assign.value))); }

  void print(const If& statement) {
    line(fmt::format("if {} {{", self().condition(statement.condition)));
    print_inside(statement.yes);
    if (!statement.no.empty()) {
      line("} else {");
      print_inside(statement.no);
    }
    line("}");
  }

  void print(const Comment& comment) {
    if (comment.variables.empty()) line("// " + comment.text);
  }

  void print(const Origin& origin) { out_ += origin_mark(origin); }

  void print_inside(const Body& body) {
    ++depth_;
    print_body(body);
    --depth_;
  }

  void print_body(const Body& body) {
    for (const Stmt& statement : body) {
      std::visit([&](const auto& node) { self().print(node); }, statement.node);
    }
  }

  // True if the body of a loop ends in a jump, so that it needs no break at its end.
  static bool leaves(const Body& body) {
    return !body.empty() &&
           (std::holds_alternative<Break>(body.back().node) || std::holds_alternative<Continue>(body.back().node));
  }

  const Kernel& kernel_;
  std::string out_;

 private:
  Printer& self() { return static_cast<Printer&>(*this); }

  std::string_view wide_prefix_;
  std::size_t depth_ = 1;
};

}  // namespace weakspot::codegen
