// SPDX-License-Identifier: MIT
// One thread of a test as machine code: what both instruction sets share. A CpuRoleWriter walks the thread's
// instructions and asks its subclass, one per instruction set, for the instructions of each step.
//
// The function: for every instance, find the addresses of its locations, set the registers, run the thread, store what
// it read. Every register and every address of the test has a machine register of its own, so that no access of ours
// comes between two accesses of the test.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "codegen/cpu_program.h"
#include "codegen/harness/harness.h"

namespace weakspot::codegen {

struct CpuResult {
  std::uint32_t reg = 0;
  std::uint64_t offset = 0;
};

struct CpuRoleInput {
  const Harness* harness = nullptr;
  std::size_t thread = 0;
  CpuFeatures features;
  const std::vector<CpuLocation>* locations = nullptr;
  std::vector<CpuResult> results;
  std::optional<std::uint64_t> unfinished;
  std::uint32_t slot_bytes = 4;
  bool rows = false;
};
// The columns of a thread's rows: the locations whose addresses it needs, by number.
std::vector<std::uint32_t> row_columns(const litmus::LitmusTest& test, std::size_t thread);
// Fails if the thread needs more registers than the machine has.
base::Result<CpuCode> lower_role(const CpuRoleInput& input);

enum class CpuAlu : std::uint8_t { add, sub, mul, and_, or_, xor_, shl, shr, sar };

class CpuRoleWriter {
 public:
  explicit CpuRoleWriter(const CpuRoleInput& input);
  virtual ~CpuRoleWriter() = default;
  base::Result<CpuCode> run();

 protected:
  using Reg = std::uint8_t;
  // Registers for addresses and values.
  struct Pool {
    std::vector<Reg> free_to_use;
    std::vector<Reg> to_save;
  };
  struct Place {
    Reg base = 0;
    std::optional<Reg> index;  // of 64 bits
    std::int64_t offset = 0;
  };

  // Frame: enters with frame, first and count in the registers of the calling convention.
  virtual Pool pool() const = 0;
  virtual void enter(const std::vector<Reg>& saved) = 0;
  virtual void leave(const std::vector<Reg>& saved) = 0;
  // target = frame[field] + first * scale + offset
  virtual void frame_pointer(Reg target, std::int32_t field, std::uint64_t scale, std::uint64_t offset) = 0;
  // target = base + the word at [row + offset]
  virtual void row_pointer(Reg target, Reg row, std::int32_t offset, Reg base) = 0;
  virtual void advance(Reg pointer, std::uint64_t bytes) = 0;
  virtual void count_down(std::uint32_t top) = 0;  // and jump to `top` unless that was the last instance
  virtual void store_result(Reg value, int bytes, Reg results, std::uint64_t offset) = 0;
  // Decrements the budget and jumps to `again`, or to `out` if none is left.
  virtual void spend(Reg budget, std::uint32_t again, std::uint32_t out) = 0;

  virtual Reg scratch(int number) const = 0;  // 0 to 3
  virtual void set(Reg target, std::int64_t value, int bytes) = 0;
  virtual void move(Reg target, Reg source, int bytes) = 0;
  // From `bytes` (1, 2, 4) to the whole register.
  virtual void extend(Reg target, Reg source, int bytes, bool is_signed) = 0;
  virtual void alu(CpuAlu op, Reg target, Reg left, Reg right, int bytes) = 0;
  virtual void alu_constant(CpuAlu op, Reg target, Reg left, std::int64_t right, int bytes) = 0;  // add, sub
  virtual void invert(Reg target, Reg source, int bytes) = 0;
  virtual void negate(Reg target, Reg source, int bytes) = 0;
  virtual void compare(Reg left, Reg right, int bytes) = 0;
  virtual void set_if(Reg target, litmus::CompareOp op) = 0;                                 // after compare(); 0 or 1
  virtual void select_if(Reg target, litmus::CompareOp op, Reg yes, Reg no, int bytes) = 0;  // after compare()
  virtual void branch_if(litmus::CompareOp op, std::uint32_t label) = 0;
  virtual void branch(std::uint32_t label) = 0;

  // Accesses of the test. `value` and `target` have the width of the access; loads of fewer than 4 bytes are extended
  // to 4 according to their type.
  virtual void load(Reg target, const litmus::Access& access, const Place& place) = 0;
  virtual void store(Reg value, const litmus::Access& access, const Place& place, std::optional<Reg> status) = 0;
  // `old` is scratch(3); `operand` may be scratch(1); `expected` is scratch(2) and may be overwritten; the place is a
  // base register only, perhaps scratch(0).
  virtual void rmw(const litmus::Rmw& rmw, litmus::Order order, Reg old, Reg operand, std::optional<Reg> expected,
                   const Place& place) = 0;
  virtual void fence(const litmus::Fence& fence) = 0;
  // A register that always holds 0.
  virtual std::optional<Reg> zero_register() const { return std::nullopt; }

  void emit(std::string mnemonic, std::vector<CpuOperand> operands) {
    code_.push_back({std::move(mnemonic), std::move(operands)});
  }
  void label(std::uint32_t number) { emit("label", {CpuLabel{number}}); }
  std::uint32_t new_label() { return labels_++; }
  bool native_order() const { return native_; }  // the test is written for this instruction set
  const CpuFeatures& features() const { return input_.features; }

 private:
  std::optional<Reg> allocate();
  bool allocate_all();
  void write_prologue();
  void write_initial_values();
  void write_instruction(std::size_t position, const litmus::Instruction& instruction);
  void write_load(const litmus::Load& load);
  void write_store(const litmus::Store& store);
  void write_rmw(const litmus::Rmw& rmw);
  void write_compute(const litmus::Compute& compute);
  void write_select(const litmus::Select& select);
  void write_branch(std::size_t position, const litmus::Branch& branch);
  void write_results();

  int bytes_of(litmus::RegisterId id) const;  // 4 or 8
  int width_of_access(const litmus::Access& access) const;
  Place place(const litmus::Address& address, Reg scratch);
  // A register that holds the operand at that width; a constant or an extended value goes to `scratch`.
  Reg operand(const litmus::Operand& operand, int bytes, Reg scratch);
  bool wide(const litmus::Operand& operand) const;
  // Turns the `bytes` in the register's machine register into a value of its type.
  void settle(litmus::RegisterId id, int bytes);
  void compare_operands(const litmus::Operand& left, const litmus::Operand& right);

  const CpuRoleInput& input_;
  const litmus::LitmusTest& test_;
  const litmus::Thread& thread_;
  bool native_ = false;
  CpuCode code_;
  std::vector<Reg> available_;  // not allocated yet, in order of use
  std::vector<Reg> saved_;
  std::vector<std::uint32_t> used_;            // locations
  std::vector<std::optional<Reg>> addresses_;  // by location
  std::vector<Reg> registers_;                 // by register of the test
  std::optional<Reg> results_;                 // address of the instance's results
  std::optional<Reg> results_base_;            // with rows only, as the next two
  std::optional<Reg> row_;
  std::optional<Reg> memory_;
  std::optional<Reg> budget_;  // remaining backward jumps
  std::vector<std::uint32_t> instruction_labels_;
  std::uint32_t labels_ = 0;
  std::uint32_t end_ = 0;
};

std::unique_ptr<CpuRoleWriter> make_aarch64_writer(const CpuRoleInput& input);
std::unique_ptr<CpuRoleWriter> make_x86_64_writer(const CpuRoleInput& input);

}  // namespace weakspot::codegen
