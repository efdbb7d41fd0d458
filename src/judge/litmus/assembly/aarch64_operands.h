// SPDX-License-Identifier: MIT
// The lower half of the AArch64 reader: operands, and emitting instructions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "litmus/assembly/assembly_reader.h"

namespace weakspot::litmus::aarch64 {

// A register as an operand names it; no id for the zero register.
struct Reg {
  std::optional<RegisterId> id;
  int bits = 64;
  base::Span span;

  Operand operand() const { return id ? Operand(*id) : Operand(integer(0)); }
};

// [base], [base,#offset], [base,index{,extend}], [base],#after, [base,#before]!
struct WrittenAddress {
  RegisterId base;
  std::optional<Reg> index;
  std::int64_t offset = 0;
  std::optional<std::int64_t> before;
  std::optional<std::int64_t> after;

  bool is_plain() const { return !index && offset == 0 && !before && !after; }
};

class AArch64Operands : public AssemblyDialect {
 public:
  Arch arch() const override { return Arch::aarch64; }
  std::optional<std::string> register_name(std::string_view text) const override;
  void init_item(Cursor& cursor, TestBuilder& builder) override;

 protected:
  std::vector<std::string> spare_registers() const override;

  // Begins the reading of a cell.
  void start(Cursor& cursor, TestBuilder& builder, ThreadId thread);

  void put(Operation operation, base::Span span, Form form = {});
  void put(Operation operation, Form form = {});
  // A computation at the width of its target; none if the target is the zero register.
  void put_compute(ComputeOp op, const Reg& target, Operand left, std::optional<Operand> right, Form form = {});
  // The register, or a temporary in place of the zero register.
  RegisterId target_of(const Reg& reg);

  // Each reports its own mistakes.
  bool done();
  bool comma();
  std::optional<Reg> reg();
  std::optional<Reg> reg_of_width(int bits);
  std::optional<Operand> immediate(int bits);
  std::optional<std::int64_t> shift_amount(int bits);
  // The last operand of a computation: #n[, LSL #n] | register[, LSL|LSR|ASR|ROR #n] | W register, SXTW|UXTW...[ #n]
  std::optional<Operand> flexible_operand(int bits, Form& form);
  std::optional<WrittenAddress> address(bool takes_offset);
  // Takes the word; a mistake if it is another.
  bool extension(std::string_view expected);

  Cursor* cursor_ = nullptr;  // these three belong to the cell that is being read
  TestBuilder* builder_ = nullptr;
  ThreadId thread_;
  Token word_;            // the mnemonic as it is written
  std::string mnemonic_;  // the mnemonic in upper case
  std::uint32_t begin_ = 0;

 private:
  std::optional<std::int64_t> number(std::string_view what);
  std::optional<Operand> extended(const Reg& source, int bits);
  std::optional<Operand> shifted(const Reg& source, int bits);
  bool index_or_offset(WrittenAddress& address);
  bool index_extension(Reg& index);
};

}  // namespace weakspot::litmus::aarch64
