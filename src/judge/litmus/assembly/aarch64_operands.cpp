// SPDX-License-Identifier: MIT
#include "litmus/assembly/aarch64_operands.h"

#include <fmt/format.h>

#include <utility>

#include "litmus/assembly/aarch64.h"
#include "litmus/assembly/assembly.h"

namespace weakspot::litmus::aarch64 {

std::optional<std::string> AArch64Operands::register_name(std::string_view text) const {
  const std::optional<RegisterName> name = register_named(text);
  if (!name || name->is_zero()) return std::nullopt;
  return spell(name->number, 64);
}

namespace {

// The refusal of a word of herd7's catalogues for AArch64 that we do not model, such as page table entries. Reading
// `pte_x` as a location would give a wrong verdict.
std::optional<std::string> not_modelled(const Token& token, const Token& next) {
  const std::string_view text = token.text;
  if (text == "PTE" || text == "TTD" || text == "pteval_t" || text == "PA")
    return "page table entries are not supported";
  if (text.starts_with("pte_")) return fmt::format("'{}' is a page table entry; those are not supported", text);
  if (text.starts_with("phy_")) return fmt::format("'{}' is a physical address; those are not supported", text);
  if (text == "oa" || text == "valid" || text == "af" || text == "db" || text == "dbm") {
    if (next.is(":")) return "page table entries are not supported";
  }
  if (text == "ins_t" || text == "instr") return "instructions as values are not supported";
  for (std::string_view color : {"green", "red", "blue", "black", "white", "cyan", "yellow", "magenta"}) {
    if (text == ":" && next.is(color)) return fmt::format("memory tags such as ':{}' are not supported", color);
  }
  if (text == "tag" && next.is("(")) return "memory tags are not supported";
  return std::nullopt;
}

}  // namespace

void AArch64Operands::init_item(Cursor& cursor, TestBuilder& builder) {
  Cursor look = cursor;
  while (!look.at_end()) {
    const Token token = look.next();
    if (std::optional<std::string> why = not_modelled(token, look.peek())) {
      cursor.mistake(token.span, *std::move(why));
      return;
    }
  }
  AssemblyDialect::init_item(cursor, builder);
}

std::vector<std::string> AArch64Operands::spare_registers() const {
  // Registers that a platform gives a meaning to come last.
  std::vector<std::string> names;
  for (int i = 28; i >= 0; --i) names.push_back(spell(i, 64));
  names.push_back("X29");
  names.push_back("X30");
  return names;
}

void AArch64Operands::start(Cursor& cursor, TestBuilder& builder, ThreadId thread) {
  cursor_ = &cursor;
  builder_ = &builder;
  thread_ = thread;
}

// ---- emitting ----

void AArch64Operands::put(Operation operation, base::Span span, Form form) {
  emit(*builder_, thread_, std::move(operation), span, form);
}

void AArch64Operands::put(Operation operation, Form form) {
  put(std::move(operation), {begin_, cursor_->last_end()}, form);
}

void AArch64Operands::put_compute(ComputeOp op, const Reg& target, Operand left, std::optional<Operand> right,
                                  Form form) {
  if (!target.id) return;
  form.bits = target.bits;
  put(Compute{op, *target.id, left, right}, form);
}

RegisterId AArch64Operands::target_of(const Reg& reg) {
  return reg.id ? *reg.id : temporary(*builder_, thread_, reg.bits);
}

// ---- registers and numbers ----

bool AArch64Operands::done() { return cursor_->expect_end("the instruction"); }

bool AArch64Operands::comma() { return cursor_->expect(",", "between operands"); }

std::optional<Reg> AArch64Operands::reg() {
  std::optional<Token> word = cursor_->word("a register");
  if (!word) return std::nullopt;
  const std::optional<RegisterName> name = register_named(word->text);
  if (!name) {
    cursor_->mistake(word->span,
                     fmt::format("expected a register X0 to X30, W0 to W30, XZR or WZR, found {}", describe(*word)));
    return std::nullopt;
  }
  Reg result{std::nullopt, name->bits, word->span};
  if (name->is_zero()) return result;
  result.id = builder_->reg(thread_, spell(name->number, 64));
  use(thread_, *result.id, name->bits);
  return result;
}

std::optional<Reg> AArch64Operands::reg_of_width(int bits) {
  std::optional<Reg> result = reg();
  if (result && result->bits != bits) {
    cursor_->mistake(result->span, fmt::format("expected {} register, as the instruction has {} bits",
                                               bits == 64 ? "an X" : "a W", bits));
    return std::nullopt;
  }
  return result;
}

std::optional<std::int64_t> AArch64Operands::number(std::string_view what) {
  cursor_->accept("#");
  return cursor_->integer(what);
}

std::optional<Operand> AArch64Operands::immediate(int bits) {
  const base::Span span = cursor_->peek().span;
  std::optional<std::int64_t> value = number("a register or '#' and a number");
  if (!value) return std::nullopt;
  if (bits == 32 && !fits(*value, Type::s32)) {
    cursor_->mistake({span.begin, cursor_->last_end()}, fmt::format("{} does not fit 32 bits", *value));
    return std::nullopt;
  }
  return Operand(integer(*value));
}

std::optional<std::int64_t> AArch64Operands::shift_amount(int bits) {
  const base::Span span = cursor_->peek().span;
  std::optional<std::int64_t> amount = number("'#' and a number of bits");
  if (amount && (*amount < 0 || *amount >= bits)) {
    cursor_->mistake({span.begin, cursor_->last_end()},
                     fmt::format("expected a number of bits from 0 to {}", bits - 1));
    return std::nullopt;
  }
  return amount;
}

std::optional<Operand> AArch64Operands::flexible_operand(int bits, Form& form) {
  if (cursor_->peek().kind != Token::Kind::word) {
    std::optional<Operand> number = immediate(bits);
    if (!number || !cursor_->accept(",")) return number;
    if (!extension("LSL")) return std::nullopt;
    std::optional<std::int64_t> amount = shift_amount(bits);
    if (!amount) return std::nullopt;
    const auto value = static_cast<std::uint64_t>(std::get<Value>(*number).number);
    const auto moved = static_cast<std::int64_t>(value << *amount);
    return Operand(integer(bits == 32 ? wrap(moved, Type::s32) : moved));
  }
  std::optional<Reg> source = reg();
  if (!source) return std::nullopt;
  if (source->bits > bits) {
    cursor_->mistake(source->span, "expected a W register, as the instruction has 32 bits");
    return std::nullopt;
  }
  if (source->bits < bits) {
    if (!comma()) return std::nullopt;
    // The commonest needs no instruction of its own.
    if (upper(cursor_->peek().text) == "SXTW" && cursor_->peek_second().kind == Token::Kind::end) {
      cursor_->next();
      form.narrow_operand = true;
      return source->operand();
    }
    return extended(*source, bits);
  }
  if (!cursor_->accept(",")) return source->operand();
  return shifted(*source, bits);
}

// W register, SXTW #n and the like: a part of the register, extended, then shifted left.
std::optional<Operand> AArch64Operands::extended(const Reg& source, int bits) {
  static constexpr base::Named<int> kParts[] = {{"SXTB", 8}, {"SXTH", 16}, {"SXTW", 32},
                                                {"UXTB", 8}, {"UXTH", 16}, {"UXTW", 32}};
  const std::string word = upper(cursor_->peek().text);
  const std::optional<int> part = base::value_of(kParts, word);
  if (!part) {
    cursor_->expected("SXTW after the register, or another extension");
    return std::nullopt;
  }
  cursor_->next();
  std::int64_t amount = 0;
  if (!cursor_->at_end()) {
    std::optional<std::int64_t> given = shift_amount(5);
    if (!given) return std::nullopt;
    amount = *given;
  }
  const Reg result{temporary(*builder_, thread_, bits), bits, source.span};
  put_compute(ComputeOp::mov, result, source.operand(), std::nullopt, Form{.narrow_operand = true});
  put_compute(ComputeOp::shl, result, *result.id, Operand(integer(bits - *part)));
  put_compute(ComputeOp::shr, result, *result.id, Operand(integer(bits - *part)));
  if (word[0] == 'U') {
    const auto mask = static_cast<std::int64_t>((std::uint64_t{1} << *part) - 1);
    put_compute(ComputeOp::and_, result, *result.id, Operand(integer(mask)));
  }
  if (amount > 0) put_compute(ComputeOp::shl, result, *result.id, Operand(integer(amount)));
  return Operand(*result.id);
}

// register, LSL|LSR|ASR|ROR #n
std::optional<Operand> AArch64Operands::shifted(const Reg& source, int bits) {
  const std::string word = upper(cursor_->peek().text);
  if (word != "LSL" && word != "LSR" && word != "ASR" && word != "ROR") {
    cursor_->expected("LSL, LSR, ASR or ROR after the register");
    return std::nullopt;
  }
  cursor_->next();
  std::optional<std::int64_t> amount = shift_amount(bits);
  if (!amount) return std::nullopt;
  const Reg result{temporary(*builder_, thread_, bits), bits, source.span};
  const ComputeOp op = word == "LSL" ? ComputeOp::shl : ComputeOp::shr;
  put_compute(op, result, source.operand(), Operand(integer(*amount)));
  if ((word == "LSR" || word == "ROR") && *amount > 0) {
    const auto mask = static_cast<std::int64_t>(~std::uint64_t{0} >> (64 - bits + *amount));
    put_compute(ComputeOp::and_, result, *result.id, Operand(integer(mask)));
  }
  if (word == "ROR" && *amount > 0) {
    const Reg upper_part{temporary(*builder_, thread_, bits), bits, source.span};
    put_compute(ComputeOp::shl, upper_part, source.operand(), Operand(integer(bits - *amount)));
    put_compute(ComputeOp::or_, result, *result.id, Operand(*upper_part.id));
  }
  return Operand(*result.id);
}

bool AArch64Operands::extension(std::string_view expected) {
  if (upper(cursor_->peek().text) == expected) {
    cursor_->next();
    return true;
  }
  cursor_->expected(fmt::format("{} after the register", expected));
  return false;
}

// ---- addresses ----

std::optional<WrittenAddress> AArch64Operands::address(bool takes_offset) {
  WrittenAddress address;
  const std::uint32_t begin = cursor_->position();
  if (!cursor_->expect("[", "and the address")) return std::nullopt;
  std::optional<Reg> base = reg();
  if (!base) return std::nullopt;
  if (!base->id || base->bits != 64) {
    cursor_->mistake(base->span, "expected an X register for the address");
    return std::nullopt;
  }
  address.base = *base->id;
  if (cursor_->accept(",") && !index_or_offset(address)) return std::nullopt;
  if (!cursor_->expect("]", "after the address")) return std::nullopt;
  if (cursor_->peek().is("!") && !address.index) {
    cursor_->next();
    address.before = std::exchange(address.offset, 0);
  } else if (cursor_->peek().is(",") && address.is_plain()) {
    cursor_->next();
    address.after = number("'#' and a number");
    if (!address.after) return std::nullopt;
  }
  if (!takes_offset && !address.is_plain()) {
    cursor_->mistake({begin, cursor_->last_end()},
                     fmt::format("{} takes an address without index or offset", describe(word_)));
    return std::nullopt;
  }
  return address;
}

bool AArch64Operands::index_or_offset(WrittenAddress& address) {
  if (cursor_->peek().kind != Token::Kind::word) {
    std::optional<std::int64_t> offset = number("an index register or '#' and an offset");
    if (offset) address.offset = *offset;
    return offset.has_value();
  }
  std::optional<Reg> index = reg();
  if (!index || !index_extension(*index)) return false;
  if (index->id) address.index = index;
  return true;
}

// Reads the extension of an index: SXTW, UXTW (the same within a location) or LSL; then the bits to shift it by.
bool AArch64Operands::index_extension(Reg& index) {
  // herd7 also reads SXTW after an X register and means its lower half.
  const std::string ahead = upper(cursor_->peek_second().text);
  if (index.bits == 64 && (ahead == "SXTW" || ahead == "UXTW")) index.bits = 32;
  const bool narrow = index.bits == 32;
  if (!narrow && !cursor_->peek().is(",")) return true;
  if (!cursor_->expect(",", "and SXTW after the W register")) return false;
  const std::string word = upper(cursor_->peek().text);
  if (narrow ? word != "SXTW" && word != "UXTW" : word != "LSL" && word != "SXTX") {
    cursor_->expected(narrow ? "SXTW after the W register" : "LSL after the X register");
    return false;
  }
  cursor_->next();
  if (cursor_->peek().is("]")) return true;
  const base::Span span = cursor_->peek().span;
  std::optional<std::int64_t> amount = number("']'");
  if (amount && (*amount < 0 || *amount > 4)) {
    cursor_->mistake({span.begin, cursor_->last_end()}, "expected a number of bits from 0 to 4");
    return false;
  }
  if (!amount || *amount == 0 || !index.id) return amount.has_value();
  const Reg result{temporary(*builder_, thread_, 64), 64, index.span};
  if (narrow) {
    put_compute(ComputeOp::mov, result, index.operand(), std::nullopt, Form{.narrow_operand = true});
    if (word == "UXTW") put_compute(ComputeOp::and_, result, *result.id, Operand(integer(0xFFFFFFFF)));
  }
  put_compute(ComputeOp::shl, result, narrow ? Operand(*result.id) : index.operand(), Operand(integer(*amount)));
  index = result;
  return true;
}

}  // namespace weakspot::litmus::aarch64
