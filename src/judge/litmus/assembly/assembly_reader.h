// SPDX-License-Identifier: MIT
// The common part of the readers of AArch64, x86-64 and RISC-V: registers whose halves have names of their own,
// comparisons that set flags for a later branch, addresses made of two registers.
//
// Instructions are emitted as they are read, each with a Form that keeps what the IR cannot hold. Once the program is
// complete, the registers that are used at full width are known. program_done() then gives registers their types and
// replaces the instructions that depend on them:
//  - a register is s64 if it is used at full width, holds an address at first, or is declared with 64 bits; else s32.
//    AArch64 and x86-64 clear the upper half when they write the lower: a write of 32 bits to an s64 register is
//    followed by a mask, or is a zero-extending load;
//  - a register that a condition names is an int unless its declaration says more, as in herd7: the condition compares
//    its lower half with its sign. A thread extends the sign of a wider one at its end;
//  - an address of two registers becomes location + register, or the sum of both in a temporary.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "litmus/text/columns.h"

namespace weakspot::litmus {

// The details of a written instruction that the IR cannot hold.
struct Form {
  int bits = 32;                // the width at which it computes or compares, or to which it extends
  int comparison_bits = 32;     // the width at which a select compares
  bool narrow_index = false;    // the index of the address is the lower half of its register, sign-extended
  bool narrow_operand = false;  // likewise the last operand of a computation
  bool complement = false;      // the operand of an atomic `and` is written as its complement
  std::optional<RegisterId> base = std::nullopt;  // a register that is added to the address beside its index
};

class AssemblyDialect : public ColumnDialect {
 public:
  void program_done(TestBuilder& builder, Mistakes& mistakes) override;
  void condition_done(TestBuilder& builder, Mistakes& mistakes) override;
  bool has_all_registers() const override { return true; }

 protected:
  // The names temporaries may get, best first.
  virtual std::vector<std::string> spare_registers() const = 0;

  // Whether a computation overwrites its first operand with the result.
  virtual bool two_operands() const { return false; }

  // Puts the lower half of the register, with its sign, into all of it.
  virtual void extend_sign(TestBuilder& builder, ThreadId thread, RegisterId reg);

  // Notes that `reg` is used at this width.
  void use(ThreadId thread, RegisterId reg, int bits);
  // A register that the text does not mention; it gets its name at the end.
  RegisterId temporary(TestBuilder& builder, ThreadId thread, int bits);
  void emit(TestBuilder& builder, ThreadId thread, Operation operation, base::Span span, Form form = {});

  // The content of the processor's flags: a comparison for a later branch.
  struct Flags {
    Operand left;
    Operand right;
    int bits = 32;
    bool equality_only = false;             // only == and != of the result are known
    std::optional<std::size_t> success_of;  // x86: the CMPXCHG whose success the flags tell
  };
  void set_flags(ThreadId thread, Flags flags);
  void forget_flags(ThreadId thread);
  const std::optional<Flags>& flags(ThreadId thread) { return state(thread).flags; }
  // The comparison that `op` asks of the flags; a mistake at `word` if there is none.
  struct Question {
    Comparison comparison;
    int bits = 32;
  };
  std::optional<Question> ask_flags(Cursor& cursor, TestBuilder& builder, ThreadId thread, CompareOp op,
                                    const Token& word);

 private:
  struct ThreadState {
    std::vector<Form> forms;  // one per instruction
    std::set<RegisterId> wide;
    std::set<RegisterId> declared_wide;  // the initial state gives it a type of 64 bits
    std::optional<Flags> flags;
    bool flags_overwritten = false;  // there were flags, but an operand changed since
    std::size_t temporaries = 0;
  };
  friend class Lowering;

  ThreadState& state(ThreadId thread);
  void name_temporaries(TestBuilder& builder, Mistakes& mistakes);

  std::vector<ThreadState> states_;
};

}  // namespace weakspot::litmus
