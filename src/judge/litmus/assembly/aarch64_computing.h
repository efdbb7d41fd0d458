// SPDX-License-Identifier: MIT
// The middle of the AArch64 reader: instructions that compute in several steps of the IR, and the conditions that look
// at single flags.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "litmus/assembly/aarch64_operands.h"

namespace weakspot::litmus::aarch64 {

class AArch64Computing : public AArch64Operands {
 protected:
  // MOVK, UBFM, ORN, MADD, ...; false if the mnemonic is another one.
  bool multi_step();

  // The operation that set the flags last: the sum or difference of two operands, or a logical operation.
  enum class Setter : std::uint8_t { add, subtract, logic };
  void note_flags(Setter setter, const Operand& left, const Operand& right, std::optional<RegisterId> result, int bits);
  // The question that MI, PL, CS, HS, CC, LO, VS, VC, HI or LS asks; nothing, and no mistake, for other names.
  bool is_flag_condition(std::string_view name) const;
  std::optional<Question> ask_flag(std::string_view name, const Token& word);

 private:
  struct FlagSource {
    Setter setter = Setter::logic;
    Operand left;
    Operand right;
    std::optional<RegisterId> result;  // none: no register keeps it
    int bits = 64;
    std::size_t at = 0;  // the number of instructions in the thread when the flags were set
  };

  RegisterId temporary_of(ComputeOp op, const Operand& left, const Operand& right, int bits);
  Operand flipped(const Operand& operand, int bits);
  bool is_intact(const FlagSource& source) const;
  Question unsigned_question(CompareOp op, const Operand& left, const Operand& right, int bits);
  Question overflow_question(const FlagSource& source, CompareOp op);

  void move_wide();
  void bitfield(bool is_signed, bool extract);
  void extend(bool is_signed, int from);
  void put_bitfield(const Reg& target, const Reg& source, bool is_signed, std::int64_t rotate, std::int64_t last);
  void with_complement(ComputeOp op, bool flags);
  void multiply(bool subtract, bool accumulate);
  void multiply_long();
  void absolute();

  std::vector<std::optional<FlagSource>> sources_;  // by thread
};

}  // namespace weakspot::litmus::aarch64
