// SPDX-License-Identifier: MIT
// Single steps as machine code, one subclass per instruction set. Callers put the steps together: to a thread of a test
// or to a kernel.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "codegen/cpu_code.h"
#include "litmus/access.h"
#include "litmus/fence.h"

namespace weakspot::codegen {

enum class CpuAlu : std::uint8_t { add, sub, mul, and_, or_, xor_, shl, shr, sar };

class CpuInstructionWriter {
 public:
  using Reg = std::uint8_t;
  // Registers for addresses and values.
  struct Pool {
    std::vector<Reg> free_to_use;
    std::vector<Reg> to_save;
  };
  struct Place {
    Reg base = 0;
    std::optional<Reg> index;  // 64 bits
    std::int64_t offset = 0;
  };

  // `native`: the code is written for this instruction set, so its orders are taken as they are.
  CpuInstructionWriter(const CpuFeatures& features, bool native) : features_(features), native_(native) {}
  virtual ~CpuInstructionWriter() = default;

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
  // Extends a value of `bytes` (1, 2, 4) to the whole register.
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

  void label(std::uint32_t number) { emit("label", {CpuLabel{number}}); }
  std::uint32_t new_label() { return labels_++; }
  CpuCode take() { return std::move(code_); }

 protected:
  void emit(std::string mnemonic, std::vector<CpuOperand> operands) {
    code_.push_back({std::move(mnemonic), std::move(operands)});
  }
  bool native_order() const { return native_; }
  const CpuFeatures& features() const { return features_; }

 private:
  CpuFeatures features_;
  bool native_;
  CpuCode code_;
  std::uint32_t labels_ = 0;
};

std::unique_ptr<CpuInstructionWriter> make_aarch64_writer(const CpuFeatures& features, bool native);
std::unique_ptr<CpuInstructionWriter> make_x86_64_writer(const CpuFeatures& features, bool native);
std::unique_ptr<CpuInstructionWriter> make_instruction_writer(const CpuFeatures& features, bool native);

}  // namespace weakspot::codegen
