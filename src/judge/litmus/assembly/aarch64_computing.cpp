// SPDX-License-Identifier: MIT
#include "litmus/assembly/aarch64_computing.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "litmus/assembly/aarch64.h"
#include "litmus/assembly/assembly.h"
#include "litmus/visit.h"

namespace weakspot::litmus::aarch64 {
namespace {

constexpr std::string_view kFlagConditions[] = {"MI", "PL", "CS", "HS", "CC", "LO", "VS", "VC", "HI", "LS"};

// The lowest `count` bits.
std::int64_t low_bits(std::int64_t count) {
  return count >= 64 ? -1 : static_cast<std::int64_t>((std::uint64_t{1} << count) - 1);
}

std::int64_t shifted_left(std::int64_t value, std::int64_t amount) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(value) << amount);
}

std::int64_t cut(std::int64_t value, int bits) { return bits == 32 ? wrap(value, Type::s32) : value; }

}  // namespace

// ---- flags ----

void AArch64Computing::note_flags(Setter setter, const Operand& left, const Operand& right,
                                  std::optional<RegisterId> result, int bits) {
  if (sources_.size() <= thread_.index) sources_.resize(thread_.index + 1);
  sources_[thread_.index] =
      FlagSource{setter, left, right, result, bits, builder_->test.threads[thread_.index].instructions.size()};
}

bool AArch64Computing::is_flag_condition(std::string_view name) const {
  return std::find(std::begin(kFlagConditions), std::end(kFlagConditions), name) != std::end(kFlagConditions);
}

// Whether the registers still hold the values from which the flags were set. A label makes that unknown.
bool AArch64Computing::is_intact(const FlagSource& source) const {
  const std::vector<Instruction>& code = builder_->test.threads[thread_.index].instructions;
  for (std::size_t i = source.at; i < code.size(); ++i) {
    if (std::holds_alternative<Label>(code[i].operation)) return false;
    bool changed = false;
    for_each_written(code[i], [&](RegisterId reg) {
      changed = changed || source.left == Operand(reg) || source.right == Operand(reg) || source.result == reg;
    });
    if (changed) return false;
  }
  // The instruction that set the flags may itself have overwritten an operand.
  return !source.result || (source.left != Operand(*source.result) && source.right != Operand(*source.result));
}

RegisterId AArch64Computing::temporary_of(ComputeOp op, const Operand& left, const Operand& right, int bits) {
  const Reg result{temporary(*builder_, thread_, bits), bits, word_.span};
  put_compute(op, result, left, right);
  return *result.id;
}

// Inverts the highest bit. Signed comparison of two flipped values is unsigned comparison of the originals.
Operand AArch64Computing::flipped(const Operand& operand, int bits) {
  const std::int64_t highest =
      bits == 64 ? std::numeric_limits<std::int64_t>::min() : std::numeric_limits<std::int32_t>::min();
  if (const auto* value = std::get_if<Value>(&operand)) return integer(cut(value->number ^ highest, bits));
  return temporary_of(ComputeOp::xor_, operand, integer(highest), bits);
}

AArch64Computing::Question AArch64Computing::unsigned_question(CompareOp op, const Operand& left, const Operand& right,
                                                               int bits) {
  const Operand first = flipped(left, bits);
  const Operand second = flipped(right, bits);
  return Question{Comparison{op, first, second}, bits};
}

// A sum overflows if its sign differs from the signs of both operands; a difference, if the operands differ in sign and
// the result differs in sign from the first. The xor of two values is negative if their signs differ, so the `and` of
// two xors is negative on overflow.
AArch64Computing::Question AArch64Computing::overflow_question(const FlagSource& source, CompareOp op) {
  const RegisterId one = temporary_of(ComputeOp::xor_, source.left, *source.result, source.bits);
  const Operand second = source.setter == Setter::add ? Operand(*source.result) : source.left;
  const RegisterId other = temporary_of(ComputeOp::xor_, second, source.right, source.bits);
  const RegisterId both = temporary_of(ComputeOp::and_, one, other, source.bits);
  return Question{Comparison{op, both, integer(0)}, source.bits};
}

std::optional<AArch64Computing::Question> AArch64Computing::ask_flag(std::string_view name, const Token& word) {
  const bool known = thread_.index < sources_.size() && sources_[thread_.index] && flags(thread_);
  if (!known || !is_intact(*sources_[thread_.index])) {
    cursor_->mistake(word.span, fmt::format("{} needs a comparison before it whose registers have not changed since, "
                                            "with no label between",
                                            describe(word)));
    return std::nullopt;
  }
  FlagSource source = *sources_[thread_.index];
  const Comparison never{CompareOp::ne, integer(0), integer(0)};
  const Comparison always{CompareOp::eq, integer(0), integer(0)};
  const bool logic = source.setter == Setter::logic;
  if (!source.result && (name == "MI" || name == "PL" || name == "VS" || name == "VC")) {
    source.result = temporary_of(ComputeOp::sub, source.left, source.right, source.bits);
  }
  if (name == "MI" || name == "PL") {
    return Question{Comparison{name == "MI" ? CompareOp::lt : CompareOp::ge, *source.result, integer(0)}, source.bits};
  }
  if (name == "VS" || name == "VC") {
    if (logic) return Question{name == "VS" ? never : always, source.bits};
    return overflow_question(source, name == "VS" ? CompareOp::lt : CompareOp::ge);
  }
  const bool carry = name == "CS" || name == "HS";
  if (carry || name == "CC" || name == "LO") {
    if (logic) return Question{carry ? never : always, source.bits};
    // A sum carries if it is below an operand. A difference borrows, which clears the carry flag, if the first operand
    // is below the second.
    if (source.setter == Setter::add) {
      return unsigned_question(carry ? CompareOp::lt : CompareOp::ge, *source.result, source.left, source.bits);
    }
    return unsigned_question(carry ? CompareOp::ge : CompareOp::lt, source.left, source.right, source.bits);
  }
  if (source.setter != Setter::subtract) {
    cursor_->mistake(word.span, fmt::format("{} is supported only after a comparison", describe(word)));
    return std::nullopt;
  }
  return unsigned_question(name == "HI" ? CompareOp::gt : CompareOp::le, source.left, source.right, source.bits);
}

// ---- instructions ----

bool AArch64Computing::multi_step() {
  const std::string_view word = mnemonic_;
  if (word == "MOVZ" || word == "MOVN" || word == "MOVK") {
    move_wide();
  } else if (word == "UBFM" || word == "SBFM") {
    bitfield(word == "SBFM", false);
  } else if (word == "UBFX" || word == "SBFX") {
    bitfield(word == "SBFX", true);
  } else if (word == "UXTB" || word == "SXTB") {
    extend(word == "SXTB", 8);
  } else if (word == "UXTH" || word == "SXTH") {
    extend(word == "SXTH", 16);
  } else if (word == "ORN" || word == "EON" || word == "BIC" || word == "BICS") {
    with_complement(word == "ORN" ? ComputeOp::or_ : word == "EON" ? ComputeOp::xor_ : ComputeOp::and_, word == "BICS");
  } else if (word == "MADD" || word == "MSUB" || word == "MNEG") {
    multiply(word != "MADD", word != "MNEG");
  } else if (word == "SMULL" || word == "UMULL" || word == "SMADDL" || word == "UMADDL" || word == "SMSUBL" ||
             word == "UMSUBL" || word == "SMNEGL" || word == "UMNEGL") {
    multiply_long();
  } else if (word == "ABS") {
    absolute();
  } else {
    return false;
  }
  return true;
}

// MOVZ W0,#1[,LSL #16]: the number, its complement (MOVN), or 16 bits of the register replaced by it (MOVK).
void AArch64Computing::move_wide() {
  std::optional<Reg> target = reg();
  if (!target || !comma()) return;
  const base::Span span = cursor_->peek().span;
  std::optional<Operand> given = immediate(64);
  if (!given) return;
  const std::int64_t number = std::get<Value>(*given).number;
  std::int64_t amount = 0;
  if (cursor_->accept(",")) {
    if (!extension("LSL")) return;
    std::optional<std::int64_t> shift = shift_amount(target->bits);
    if (!shift) return;
    amount = *shift;
  }
  if (number < 0 || number > 0xFFFF || amount % 16 != 0) {
    cursor_->mistake(span, "expected a number of 16 bits, shifted by a multiple of 16");
    return;
  }
  if (!done()) return;
  const std::int64_t value = cut(shifted_left(number, amount), target->bits);
  if (mnemonic_ != "MOVK") {
    put_compute(ComputeOp::mov, *target, integer(mnemonic_ == "MOVN" ? ~value : value), std::nullopt);
    return;
  }
  const std::int64_t kept = cut(~shifted_left(0xFFFF, amount), target->bits);
  put_compute(ComputeOp::and_, *target, target->operand(), Operand(integer(kept)));
  put_compute(ComputeOp::or_, *target, target->operand(), Operand(integer(value)));
}

// UBFM target,source,#rotate,#last or UBFX target,source,#first,#width.
void AArch64Computing::bitfield(bool is_signed, bool extract) {
  std::optional<Reg> target = reg();
  if (!target || !comma()) return;
  std::optional<Reg> source = reg_of_width(target->bits);
  if (!source || !comma()) return;
  const base::Span span = cursor_->peek().span;
  std::optional<std::int64_t> rotate = shift_amount(target->bits);
  if (!rotate || !comma()) return;
  std::optional<std::int64_t> last = shift_amount(target->bits + (extract ? 1 : 0));
  if (!last) return;
  if (extract) *last += *rotate - 1;
  if (*last < 0 || *last >= target->bits || (extract && *last < *rotate)) {
    cursor_->mistake({span.begin, cursor_->last_end()}, "these bits are not within the register");
    return;
  }
  if (done()) put_bitfield(*target, *source, is_signed, *rotate, *last);
}

void AArch64Computing::extend(bool is_signed, int from) {
  std::optional<Reg> target = reg();
  if (!target || !comma()) return;
  std::optional<Reg> source = reg();
  if (!source || !done()) return;
  source->bits = target->bits;
  if (source->id) use(thread_, *source->id, target->bits);
  put_bitfield(*target, *source, is_signed, 0, from - 1);
}

// Shifts left until bit `last` is the highest, then right, with the sign, until the field is in place. That is the
// signed form; the unsigned form masks the bits outside the field.
void AArch64Computing::put_bitfield(const Reg& target, const Reg& source, bool is_signed, std::int64_t rotate,
                                    std::int64_t last) {
  if (!target.id) return;
  const std::int64_t width = target.bits;
  const bool down = last >= rotate;
  const std::int64_t length = down ? last - rotate + 1 : last + 1;
  const std::int64_t place = down ? 0 : width - rotate;  // the place of the field's lowest bit
  put_compute(ComputeOp::shl, target, source.operand(), Operand(integer(width - 1 - last)));
  put_compute(ComputeOp::shr, target, *target.id, Operand(integer(width - length - place)));
  if (is_signed) return;
  const std::int64_t mask = cut(shifted_left(low_bits(length), place), target.bits);
  put_compute(ComputeOp::and_, target, *target.id, Operand(integer(mask)));
}

// ORN, EON and BIC take the complement of their last operand.
void AArch64Computing::with_complement(ComputeOp op, bool flags) {
  std::optional<Reg> target = reg();
  if (!target || !comma()) return;
  std::optional<Reg> left = reg_of_width(target->bits);
  if (!left || !comma()) return;
  Form form;
  std::optional<Operand> right = flexible_operand(target->bits, form);
  if (!right || !done()) return;
  const Reg inverted{temporary(*builder_, thread_, target->bits), target->bits, target->span};
  put_compute(ComputeOp::not_, inverted, *right, std::nullopt, form);
  if (flags) target->id = target_of(*target);
  put_compute(op, *target, left->operand(), Operand(*inverted.id));
  if (!flags) return;
  set_flags(thread_, {*target->id, integer(0), target->bits, true, std::nullopt});
  note_flags(Setter::logic, left->operand(), *inverted.id, target->id, target->bits);
}

// MADD target,left,right,sum; MSUB likewise; MNEG target,left,right.
void AArch64Computing::multiply(bool subtract, bool accumulate) {
  std::optional<Reg> target = reg();
  if (!target || !comma()) return;
  std::optional<Reg> left = reg_of_width(target->bits);
  if (!left || !comma()) return;
  std::optional<Reg> right = reg_of_width(target->bits);
  if (!right || (accumulate && !comma())) return;
  std::optional<Reg> sum = accumulate ? reg_of_width(target->bits) : Reg{std::nullopt, target->bits, target->span};
  if (!sum || !done()) return;
  const RegisterId product = temporary_of(ComputeOp::mul, left->operand(), right->operand(), target->bits);
  put_compute(subtract ? ComputeOp::sub : ComputeOp::add, *target, sum->operand(), Operand(product));
}

// Multiplies halves of registers, which are extended first: SMULL, UMADDL, ...
void AArch64Computing::multiply_long() {
  const bool is_signed = mnemonic_[0] == 'S';
  const bool accumulate = mnemonic_.find("ADDL") != std::string::npos || mnemonic_.find("SUBL") != std::string::npos;
  const bool subtract = mnemonic_.find("SUBL") != std::string::npos || mnemonic_.find("NEGL") != std::string::npos;
  std::optional<Reg> target = reg_of_width(64);
  if (!target || !comma()) return;
  std::optional<Reg> left = reg_of_width(32);
  if (!left || !comma()) return;
  std::optional<Reg> right = reg_of_width(32);
  if (!right || (accumulate && !comma())) return;
  std::optional<Reg> sum = accumulate ? reg_of_width(64) : Reg{std::nullopt, 64, target->span};
  if (!sum || !done()) return;
  Operand factors[2];
  for (std::size_t i = 0; i < 2; ++i) {
    const Reg wide{temporary(*builder_, thread_, 64), 64, target->span};
    put_compute(ComputeOp::mov, wide, (i == 0 ? left : right)->operand(), std::nullopt, Form{.narrow_operand = true});
    if (!is_signed) put_compute(ComputeOp::and_, wide, *wide.id, Operand(integer(low_bits(32))));
    factors[i] = *wide.id;
  }
  if (!accumulate && !subtract) {
    put_compute(ComputeOp::mul, *target, factors[0], factors[1]);
    return;
  }
  const RegisterId product = temporary_of(ComputeOp::mul, factors[0], factors[1], 64);
  put_compute(subtract ? ComputeOp::sub : ComputeOp::add, *target, sum->operand(), Operand(product));
}

void AArch64Computing::absolute() {
  std::optional<Reg> target = reg();
  if (!target || !comma()) return;
  std::optional<Reg> source = reg_of_width(target->bits);
  if (!source || !done() || !target->id) return;
  const Reg negative{temporary(*builder_, thread_, target->bits), target->bits, target->span};
  put_compute(ComputeOp::neg, negative, source->operand(), std::nullopt);
  put(Select{*target->id, Comparison{CompareOp::lt, source->operand(), integer(0)}, Operand(*negative.id),
             source->operand()},
      Form{.bits = target->bits, .comparison_bits = target->bits});
}

}  // namespace weakspot::litmus::aarch64
