// SPDX-License-Identifier: MIT
#include "litmus/assembly/x86_64_operands.h"

#include <fmt/format.h>

#include <algorithm>

#include "litmus/assembly/assembly.h"
#include "litmus/assembly/x86_64.h"

namespace weakspot::litmus::x86_64 {

// Reads the operands of one instruction.
struct X86Operands::Reading {
  Cursor& cursor;
  TestBuilder& builder;
  ThreadId thread;
  bool target_last = false;  // something was written the way that puts the target last

  std::optional<X86Operand> operand() {
    X86Operand result;
    const base::Span start = cursor.peek().span;
    if (!read(result)) return std::nullopt;
    result.span = {start.begin, cursor.last_end()};
    return result;
  }

 private:
  bool read(X86Operand& operand) {
    const Token token = cursor.peek();
    if (token.is("%")) return percent_register(operand);
    if (token.is("[")) return brackets(operand);
    if (token.is("(")) return parentheses(operand);
    if (token.kind == Token::Kind::number || token.is("-")) return number_first(operand);
    if (token.kind != Token::Kind::word) {
      cursor.expected("a register, a number or a memory operand such as [x]");
      return false;
    }
    if (token.text[0] == '$') return dollar(operand);
    if (const std::optional<int> bits = base::value_of(kSizes, upper(token.text));
        bits && !cursor.peek_second().is("(")) {
      return sized(operand, *bits);
    }
    if (cursor.peek_second().is("(") && !is_register_here()) {
      operand.location = builder.location(cursor.next().text);
      return parentheses(operand);
    }
    return plain_register(operand);
  }

  bool is_register_here() { return register_named(cursor.peek().text).has_value(); }

  bool percent_register(X86Operand& operand) {
    cursor.next();
    target_last = true;
    return plain_register(operand);
  }

  bool plain_register(X86Operand& operand) {
    const Token word = cursor.peek();
    const std::optional<RegisterName> name = register_named(word.text);
    if (word.kind != Token::Kind::word || !name) {
      cursor.mistake(word.span, fmt::format("expected a register, a number or a memory operand such as [x], found {}",
                                            describe(word)));
      return false;
    }
    cursor.next();
    operand.kind = X86Operand::Kind::reg;
    operand.reg = builder.reg(thread, name->name);
    operand.bits = name->bits;
    return true;
  }

  // $1, $-1, $0x10, $x
  bool dollar(X86Operand& operand) {
    const Token token = cursor.next();
    std::string_view rest = token.text.substr(1);
    operand.kind = X86Operand::Kind::immediate;
    if (rest.empty()) {
      std::optional<std::int64_t> number = cursor.integer("a number after '$'");
      if (number) operand.value = integer(*number);
      return number.has_value();
    }
    if (rest[0] < '0' || rest[0] > '9') {
      operand.value = address_of(builder.location(rest));
      if (cursor.accept("+")) {
        std::optional<std::int64_t> offset = cursor.integer("an offset in bytes");
        if (!offset) return false;
        operand.value.number = *offset;
      }
      return true;
    }
    std::optional<std::int64_t> number = parse_integer(rest, false);
    if (!number) {
      cursor.mistake(token.span, fmt::format("{} is not a number of 64 bits", describe(token)));
      return false;
    }
    operand.value = integer(*number);
    return true;
  }

  // A number alone, or before the parentheses of a memory operand.
  bool number_first(X86Operand& operand) {
    std::optional<std::int64_t> number = cursor.integer("a number");
    if (!number) return false;
    if (cursor.peek().is("(")) {
      operand.offset = *number;
      return parentheses(operand);
    }
    operand.kind = X86Operand::Kind::immediate;
    operand.value = integer(*number);
    return true;
  }

  // BYTE PTR [x]
  bool sized(X86Operand& operand, int bits) {
    cursor.next();
    if (upper(cursor.peek().text) == "PTR") cursor.next();
    if (!cursor.peek().is("[")) {
      cursor.expected("'[' and a memory operand after its size");
      return false;
    }
    operand.bits = bits;
    return brackets(operand);
  }

  bool add_register(X86Operand& operand) {
    X86Operand part;
    if (!plain_register(part)) return false;
    const bool full = operand.location ? operand.base || operand.index : operand.base && operand.index;
    if (full || part.bits < 32) {
      cursor.mistake(cursor.peek().span, "expected an address of a location and a register, or of two registers");
      return false;
    }
    // The base may turn out to be an index, should a location follow.
    (operand.base || operand.location ? operand.index : operand.base) = part.reg;
    operand.narrow_index = part.bits == 32;
    return true;
  }

  // [x], [x+4], [RAX], [RAX+8], [x+RAX], [RAX+RBX-4]
  bool brackets(X86Operand& operand) {
    operand.kind = X86Operand::Kind::memory;
    cursor.next();
    bool negative = cursor.accept("-");
    do {
      const Token token = cursor.peek();
      if (token.kind == Token::Kind::number) {
        std::optional<std::int64_t> number = cursor.integer("an offset in bytes");
        if (!number) return false;
        const auto amount = static_cast<std::uint64_t>(*number);
        operand.offset =
            static_cast<std::int64_t>(static_cast<std::uint64_t>(operand.offset) + (negative ? 0 - amount : amount));
      } else if (token.kind == Token::Kind::word && is_register_here() && !negative) {
        if (!add_register(operand)) return false;
      } else if (token.kind == Token::Kind::word && !operand.location && !negative) {
        operand.location = builder.location(cursor.next().text);
        // [RAX+x] is [x+RAX].
        if (operand.base && !operand.index) std::swap(operand.base, operand.index);
      } else {
        cursor.expected("a location, a register or an offset");
        return false;
      }
      negative = cursor.peek().is("-");
    } while (cursor.accept("+") || cursor.accept("-"));
    return cursor.expect("]", "after the address");
  }

  // offset(%base,%index,1), x(%rip), (x)
  bool parentheses(X86Operand& operand) {
    operand.kind = X86Operand::Kind::memory;
    target_last = true;
    cursor.next();
    if (operand.location && cursor.peek().is("%") && upper(cursor.peek_second().text) == "RIP") {
      cursor.next();
      cursor.next();
      return cursor.expect(")", "after the address");
    }
    if (cursor.accept("%")) {
      if (!add_register(operand)) return false;
    } else if (!operand.location && cursor.peek().kind == Token::Kind::word && !is_register_here()) {
      operand.location = builder.location(cursor.next().text);
    } else {
      cursor.expected("a location, or '%' and a register");
      return false;
    }
    if (cursor.accept(",")) {
      if (!cursor.expect("%", "and the index register") || !add_register(operand)) return false;
      if (cursor.accept(",")) {
        const base::Span span = cursor.peek().span;
        std::optional<std::int64_t> scale = cursor.integer("the scale of the index");
        if (!scale) return false;
        if (*scale != 1) {
          cursor.mistake(span, "scaled indexes are not supported");
          return false;
        }
      }
    }
    return cursor.expect(")", "after the address");
  }
};

std::optional<std::string> X86Operands::register_name(std::string_view text) const {
  const std::optional<RegisterName> name = register_named(text);
  if (!name || name->bits < 32) return std::nullopt;
  return name->name;
}

std::vector<std::string> X86Operands::spare_registers() const {
  std::vector<std::string> names = general_registers();
  std::reverse(names.begin(), names.end());
  return names;
}

std::optional<std::vector<X86Operand>> X86Operands::operands(Cursor& cursor, TestBuilder& builder, ThreadId thread) {
  std::vector<X86Operand> list;
  Reading reading{cursor, builder, thread};
  if (cursor.at_end()) return list;
  list.reserve(2);
  do {
    std::optional<X86Operand> operand = reading.operand();
    if (!operand) return std::nullopt;
    if (operand->is_register()) use(thread, operand->reg, operand->bits);
    if (operand->base) use(thread, *operand->base, 64);
    if (operand->index && !operand->narrow_index) use(thread, *operand->index, 64);
    list.push_back(std::move(*operand));
  } while (cursor.accept(","));
  if (!cursor.expect_end("the operands")) return std::nullopt;
  if (reading.target_last) std::reverse(list.begin(), list.end());
  return list;
}

}  // namespace weakspot::litmus::x86_64
