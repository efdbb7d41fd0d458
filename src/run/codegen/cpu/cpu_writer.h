// SPDX-License-Identifier: MIT
// One thread of a test as machine code. A CpuRoleWriter walks the thread's instructions and asks the writer of the
// instruction set for each step.
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
#include "codegen/cpu/cpu_instructions.h"
#include "codegen/cpu_program.h"
#include "codegen/harness/harness.h"
#include "litmus/instruction.h"

namespace weakspot::codegen {

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

class CpuRoleWriter {
 public:
  explicit CpuRoleWriter(const CpuRoleInput& input);
  base::Result<CpuCode> run();

 private:
  using Reg = CpuInstructionWriter::Reg;
  using Place = CpuInstructionWriter::Place;

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
  std::unique_ptr<CpuInstructionWriter> to_;
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
  std::uint32_t end_ = 0;
};

}  // namespace weakspot::codegen
