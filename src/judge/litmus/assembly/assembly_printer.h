// SPDX-License-Identifier: MIT
// The common part of the printers of assembly. AssemblyAdapter adapts a test to the instructions of AArch64 or x86-64.
// AssemblyPrinter, which RISC-V also uses, writes it with an initial state that holds the constants and addresses that
// instructions cannot have as immediates.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "litmus/instruction.h"
#include "litmus/test.h"

namespace weakspot::litmus {

// Whether the operand is a register of 64 bits or an address; numbers have no width of their own.
bool is_wide(const std::vector<Register>& registers, const Operand& operand);
// The width, 32 or 64, at which an operation other than a comparison is done. The upper half is cleared if it is 32.
int computing_bits(const std::vector<Register>& registers, const Compute& compute);
// The width, 32 or 64, at which two operands are compared.
int comparison_bits(const std::vector<Register>& registers, const Operand& left, const Operand& right);

// Adapts one test. Registers become s32 or s64; an operation without a single instruction in the dialect becomes
// several, through fresh registers. The first obstacle ends it.
class AssemblyAdapter {
 public:
  AssemblyAdapter(const LitmusTest& test, std::string_view dialect, Arch arch)
      : original_(test), test_(test), dialect_(dialect), arch_(arch) {}
  virtual ~AssemblyAdapter() = default;

  base::Result<LitmusTest> adapt();

 protected:
  // The names registers may have, in the order in which they are given out.
  virtual const std::vector<std::string>& register_names() const = 0;
  // Whether the dialect has enough registers for the adapted test and its constants.
  virtual bool is_printable(const LitmusTest& test) const = 0;

  // Each puts the instructions that replace the given one. Types and scopes have been checked.
  virtual void rewrite(Load load) = 0;
  virtual void rewrite(Store store) = 0;
  virtual void rewrite(Rmw rmw) = 0;
  virtual void rewrite(const Fence& fence) = 0;
  virtual void rewrite(Compute compute) = 0;
  virtual void rewrite(Select select) = 0;
  // Called once per thread before its instructions.
  virtual void begin_thread() {}
  // Whether an instruction may access two neighbouring elements, which are then tagged as a vector.
  virtual bool has_pairs() const { return false; }

  // The reason comes after "cannot be written as x86-64: ".
  void refuse(std::string reason);
  // Refuses: "x86-64 has no ...".
  template <typename... Parts>
  void lacks(fmt::format_string<Parts...> format, Parts&&... parts) {
    refuse(fmt::format("{} has no {}", dialect_, fmt::format(format, std::forward<Parts>(parts)...)));
  }
  void put(Operation operation);
  RegisterId fresh(Type type);
  void move(RegisterId target, Operand source);
  Register& reg(RegisterId id) { return test_.threads[thread_].registers[id.index]; }
  std::vector<Register>& registers() { return test_.threads[thread_].registers; }
  int bits(RegisterId id) { return size_in_bytes(reg(id).type) * 8; }

  // Replaces a 32-bit register by a 64-bit register with a copy of its value.
  void widen(Operand& operand);
  // Copies the register elsewhere if the operand or the address uses it.
  void keep_apart(Operand& operand, RegisterId from);
  void keep_apart(Address& address, RegisterId from);
  // Brings both sides to one width, numbers as signed ones.
  void settle_comparison(Operand& left, Operand& right);

 private:
  std::string too_many_registers() const;
  void check_test();
  void settle_types();
  void settle_register(std::uint32_t index);
  bool sign_shows(RegisterId id) const;
  void check_access(const Access& access);
  void settle(Load& load);
  void settle(Store& store);
  bool settle(Rmw& rmw);
  void settle(Compute& compute);
  void settle(Select& select);
  void rewrite_thread();
  void check_pair(const Instruction& before, const Instruction& instruction);
  void rewrite_instruction(Operation operation);
  void name_registers();
  void name_labels();

  const LitmusTest& original_;

 protected:
  LitmusTest test_;
  std::uint32_t thread_ = 0;

 private:
  std::string_view dialect_;  // its name in messages
  Arch arch_;
  std::optional<std::string> obstacle_;
  std::vector<Instruction> code_;
  base::Span span_;
};

// Writes an adapted test.
class AssemblyPrinter {
 public:
  AssemblyPrinter(const LitmusTest& test, const std::vector<std::string>& register_names)
      : test_(test), register_names_(register_names) {}
  virtual ~AssemblyPrinter() = default;

  std::string print(std::string_view arch_word);
  // After print(): whether there were registers for all constants.
  bool complete() const { return complete_; }

 protected:
  // Writes the cells of one instruction.
  virtual void cells(const Instruction& instruction) = 0;
  // A register that holds the operand, and the operand in the shortest form.
  virtual std::string in_register(const Operand& operand, int bits) = 0;
  virtual std::string operand(const Operand& operand, int bits) = 0;
  // The name of a register at some width.
  virtual std::string spell(const std::string& name, int bits) const = 0;

  template <typename... Parts>
  void cell(fmt::format_string<Parts...> format, Parts&&... parts) {
    column_->push_back(fmt::format(format, std::forward<Parts>(parts)...));
  }
  void write(const Label& label) { cell("{}:", label.name); }
  void write(const Barrier&) {}  // refused before
  template <typename Op>
    requires kIsAsynchronous<Op>
  void write(const Op&) {}  // refused before

  const Register& reg(RegisterId id) const { return test_.threads[thread_].registers[id.index]; }
  const std::vector<Register>& registers() const { return test_.threads[thread_].registers; }
  int bits(RegisterId id) const { return size_in_bytes(reg(id).type) * 8; }
  // The register as an operand of an instruction of that width.
  std::string name(RegisterId id, int bits);
  // A register that holds the value from the start. Registers are given out in the order of the calls, so at most one
  // argument of a call may use it: compilers evaluate arguments in different orders.
  std::string constant(const Value& value, int bits);

  const LitmusTest& test_;
  std::uint32_t thread_ = 0;
  const Instruction* next_ = nullptr;  // the instruction after the one that is being written

 private:
  std::string initial_state() const;
  void location_items(std::vector<std::string>& items) const;
  void register_items(std::vector<std::string>& items, std::uint32_t thread) const;
  bool asks_for_all(ObservedRegister id) const;
  std::string initial_text(const Value& value) const;

  // Register names by value and width: the reader infers a register's type from the width of its uses.
  using Constants = std::map<std::pair<Value, int>, std::string>;

  const std::vector<std::string>& register_names_;
  std::vector<std::string>* column_ = nullptr;  // the column of the thread that is being written
  bool complete_ = true;
  std::vector<Constants> constants_;
  std::vector<std::set<RegisterId>> wide_;  // registers that were written at full width
};

}  // namespace weakspot::litmus
