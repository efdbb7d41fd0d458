// SPDX-License-Identifier: MIT
#include "codegen/cpu/cpu_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

#include "base/check.h"
#include "base/sort.h"
#include "codegen/harness/role_code.h"
#include "codegen/harness/support.h"
#include "litmus/visit.h"

namespace weakspot::codegen {

using namespace litmus;

std::vector<std::uint32_t> row_columns(const LitmusTest& test, std::size_t thread) {
  std::vector<std::uint32_t> columns = used_locations(test.threads[thread]);
  base::sort(columns);
  return columns;
}

std::unique_ptr<CpuInstructionWriter> make_instruction_writer(const CpuFeatures& features, bool native) {
  return features.isa == CpuIsa::aarch64 ? make_aarch64_writer(features, native) : make_x86_64_writer(features, native);
}

base::Result<CpuCode> lower_role(const CpuRoleInput& input) { return CpuRoleWriter(input).run(); }

CpuRoleWriter::CpuRoleWriter(const CpuRoleInput& input)
    : input_(input), test_(input.harness->test), thread_(test_.threads[input.thread]) {
  const bool native = test_.arch == (input.features.isa == CpuIsa::aarch64 ? Arch::aarch64 : Arch::x86_64);
  to_ = make_instruction_writer(input.features, native);
}

base::Result<CpuCode> CpuRoleWriter::run() {
  if (!allocate_all()) {
    return cannot_run(
        test_, fmt::format("P{} needs more registers than {} has", input_.thread, to_string(input_.features.isa)));
  }
  instruction_labels_.resize(thread_.instructions.size());
  for (std::uint32_t& number : instruction_labels_) number = to_->new_label();
  const std::uint32_t top = to_->new_label();
  end_ = to_->new_label();
  to_->enter(saved_);
  write_prologue();
  to_->label(top);
  if (row_) {
    std::int32_t column = 0;
    for (const std::uint32_t location : used_) to_->row_pointer(*addresses_[location], *row_, 4 * column++, *memory_);
  }
  write_initial_values();
  if (budget_) to_->set(*budget_, input_.harness->environment.loop_bound, 4);
  for (std::size_t i = 0; i < thread_.instructions.size(); ++i) write_instruction(i, thread_.instructions[i]);
  if (budget_) to_->label(end_);
  write_results();
  if (row_) {
    to_->advance(*row_, 4 * (used_.size() + 1));
  } else {
    for (const std::uint32_t location : used_)
      to_->advance(*addresses_[location], (*input_.locations)[location].stride);
    if (results_) to_->advance(*results_, input_.slot_bytes);
  }
  to_->count_down(top);
  to_->leave(saved_);
  return to_->take();
}

std::optional<CpuRoleWriter::Reg> CpuRoleWriter::allocate() {
  if (available_.empty()) return std::nullopt;
  const Reg reg = available_.front();
  available_.erase(available_.begin());
  const CpuInstructionWriter::Pool all = to_->pool();
  if (std::find(all.to_save.begin(), all.to_save.end(), reg) != all.to_save.end()) saved_.push_back(reg);
  return reg;
}

bool CpuRoleWriter::allocate_all() {
  const CpuInstructionWriter::Pool all = to_->pool();
  available_ = all.free_to_use;
  available_.insert(available_.end(), all.to_save.begin(), all.to_save.end());
  used_ = row_columns(test_, input_.thread);
  addresses_.resize(test_.locations.size());
  bool enough = true;
  auto take = [&](std::optional<Reg>& reg) {
    reg = allocate();
    enough = enough && reg.has_value();
  };
  for (const std::uint32_t location : used_) take(addresses_[location]);
  if (!input_.results.empty() || input_.unfinished) take(results_);
  if (input_.rows) {
    take(row_);
    take(memory_);
    if (results_) take(results_base_);
  }
  if (input_.unfinished) take(budget_);
  for (std::size_t i = 0; enough && i < thread_.registers.size(); ++i) {
    std::optional<Reg> reg;
    take(reg);
    registers_.push_back(reg.value_or(0));
  }
  return enough;
}

void CpuRoleWriter::write_prologue() {
  if (row_) {
    to_->frame_pointer(*memory_, offsetof(CpuFrame, memory), 0, 0);
    if (results_) to_->frame_pointer(*results_base_, offsetof(CpuFrame, results), 0, 0);
    to_->frame_pointer(*row_, offsetof(CpuFrame, rows), 4 * (used_.size() + 1), 0);
    return;
  }
  for (const std::uint32_t location : used_) {
    const CpuLocation& at = (*input_.locations)[location];
    to_->frame_pointer(*addresses_[location], offsetof(CpuFrame, memory), at.stride, at.offset);
  }
  if (results_) to_->frame_pointer(*results_, offsetof(CpuFrame, results), input_.slot_bytes, 0);
}

// Registers that are written before they are read need no initial value.
void CpuRoleWriter::write_initial_values() {
  std::vector<bool> written(thread_.registers.size());
  std::vector<bool> needed(thread_.registers.size());
  bool straight = true;  // no jump or guard so far
  for (const Instruction& instruction : thread_.instructions) {
    straight = straight && !instruction.guard && !std::holds_alternative<Branch>(instruction.operation) &&
               !std::holds_alternative<Label>(instruction.operation);
    std::vector<RegisterId> targets;
    for_each_written(instruction, [&](RegisterId id) { targets.push_back(id); });
    std::vector<std::size_t> mentions(thread_.registers.size());
    for_each_register(instruction, [&](RegisterId id) { ++mentions[id.index]; });
    for (const RegisterId id : targets) --mentions[id.index];
    for (std::size_t i = 0; i < mentions.size(); ++i) {
      if (mentions[i] != 0 && !written[i]) needed[i] = true;
    }
    for (const RegisterId id : targets) {
      if (straight) written[id.index] = true;
    }
  }
  for (const CpuResult& result : input_.results) {
    if (!written[result.reg]) needed[result.reg] = true;
  }
  for (std::uint32_t i = 0; i < needed.size(); ++i) {
    if (!needed[i]) continue;
    const int bytes = bytes_of({i});
    const Reg from = operand(thread_.registers[i].initial, bytes, registers_[i]);
    if (from != registers_[i]) to_->move(registers_[i], from, bytes);
  }
}

void CpuRoleWriter::write_instruction(std::size_t position, const Instruction& instruction) {
  std::optional<std::uint32_t> skip;
  if (instruction.guard) {
    const RegisterId predicate = instruction.guard->predicate;
    const int bytes = bytes_of(predicate);
    skip = to_->new_label();
    to_->compare(registers_[predicate.index], operand(Value{}, bytes, to_->scratch(0)), bytes);
    to_->branch_if(instruction.guard->negated ? CompareOp::ne : CompareOp::eq, *skip);
  }
  if (const auto* load = std::get_if<Load>(&instruction.operation)) {
    write_load(*load);
  } else if (const auto* store = std::get_if<Store>(&instruction.operation)) {
    write_store(*store);
  } else if (const auto* rmw = std::get_if<Rmw>(&instruction.operation)) {
    write_rmw(*rmw);
  } else if (const auto* fence_ = std::get_if<Fence>(&instruction.operation)) {
    to_->fence(*fence_);
  } else if (const auto* compute = std::get_if<Compute>(&instruction.operation)) {
    write_compute(*compute);
  } else if (const auto* select = std::get_if<Select>(&instruction.operation)) {
    write_select(*select);
  } else if (const auto* branch_ = std::get_if<Branch>(&instruction.operation)) {
    write_branch(position, *branch_);
  } else if (std::holds_alternative<Label>(instruction.operation)) {
    to_->label(instruction_labels_[position]);
  } else {
    WEAKSPOT_CHECK(false);  // refused by check_runnable
  }
  if (skip) to_->label(*skip);
}

int CpuRoleWriter::bytes_of(RegisterId id) const {
  return size_in_bytes(thread_.registers[id.index].type) == 8 ? 8 : 4;
}

int CpuRoleWriter::width_of_access(const Access& access) const { return size_in_bytes(access.type) == 8 ? 8 : 4; }

CpuRoleWriter::Place CpuRoleWriter::place(const Address& address, Reg scratch) {
  Place place;
  place.offset = address.offset;
  if (!address.location) {
    place.base = registers_[address.index->index];
    return place;
  }
  place.base = *addresses_[address.location->index];
  if (address.index) place.index = operand(*address.index, 8, scratch);
  return place;
}

CpuRoleWriter::Reg CpuRoleWriter::operand(const Operand& operand, int bytes, Reg scratch) {
  if (const auto* id = std::get_if<RegisterId>(&operand)) {
    const Reg reg = registers_[id->index];
    if (bytes_of(*id) >= bytes) return reg;
    to_->extend(scratch, reg, 4, is_signed(thread_.registers[id->index].type));
    return scratch;
  }
  const Value& value = std::get<Value>(operand);
  if (value.base) {
    const Reg base = *addresses_[value.base->index];
    if (value.number == 0) return base;
    to_->alu_constant(CpuAlu::add, scratch, base, value.number, 8);
    return scratch;
  }
  if (value.number == 0 && to_->zero_register()) return *to_->zero_register();
  to_->set(scratch, value.number, bytes);
  return scratch;
}

bool CpuRoleWriter::wide(const Operand& operand) const {
  if (const auto* id = std::get_if<RegisterId>(&operand)) return bytes_of(*id) == 8;
  return std::get<Value>(operand).base.has_value();
}

void CpuRoleWriter::settle(RegisterId id, int bytes) {
  const Reg reg = registers_[id.index];
  const Type type = thread_.registers[id.index].type;
  const int size = size_in_bytes(type);
  if (type == Type::pred) {
    to_->compare(reg, operand(Value{}, bytes, to_->scratch(0)), bytes);
    to_->set_if(reg, CompareOp::ne);
  } else if (size == 8 && bytes == 4) {
    to_->extend(reg, reg, 4, true);
  } else if (size < 4) {
    to_->extend(reg, reg, size, is_signed(type));
  }
}

void CpuRoleWriter::write_load(const Load& load_) {
  to_->load(registers_[load_.target.index], load_.access, place(load_.access.address, to_->scratch(0)));
  settle(load_.target, width_of_access(load_.access));
}

void CpuRoleWriter::write_store(const Store& store_) {
  const Place where = place(store_.access.address, to_->scratch(0));
  const Reg value = operand(store_.value, width_of_access(store_.access), to_->scratch(1));
  std::optional<Reg> status;
  if (store_.status) status = registers_[store_.status->index];
  to_->store(value, store_.access, where, status);
  if (store_.status) settle(*store_.status, 4);
}

void CpuRoleWriter::write_rmw(const Rmw& rmw_) {
  const int bytes = width_of_access(rmw_.access);
  // One order for both ends of a compare-and-swap: strong enough for either.
  Order order = rmw_.access.order;
  if (rmw_.op == RmwOp::cas && is_acquire(rmw_.failure_order) && !is_acquire(order)) {
    order = is_release(order) ? Order::acq_rel : Order::acquire;
  }
  // An indexed address would need a fourth register: it is computed first.
  Place where = place(rmw_.access.address, to_->scratch(0));
  if (where.index || where.offset != 0) {
    if (where.index) {
      to_->alu(CpuAlu::add, to_->scratch(0), *where.index, where.base, 8);
      where.base = to_->scratch(0);
    }
    if (where.offset != 0) to_->alu_constant(CpuAlu::add, to_->scratch(0), where.base, where.offset, 8);
    where = {to_->scratch(0), std::nullopt, 0};
  }
  std::optional<Reg> expected;
  if (rmw_.expected) {
    expected = to_->scratch(2);
    const Reg from = operand(*rmw_.expected, bytes, *expected);
    if (from != *expected) to_->move(*expected, from, bytes);
  }
  const Reg argument = operand(rmw_.operand, bytes, to_->scratch(1));
  to_->rmw(rmw_, order, to_->scratch(3), argument, expected, where);
  if (rmw_.success) {
    WEAKSPOT_CHECK(expected.has_value());
    // The target may overwrite the register of the expected value: compare first.
    to_->compare(to_->scratch(3), operand(*rmw_.expected, bytes, *expected), bytes);
    to_->set_if(registers_[rmw_.success->index], CompareOp::eq);
  }
  if (rmw_.target) {
    to_->move(registers_[rmw_.target->index], to_->scratch(3), bytes);
    settle(*rmw_.target, bytes);
  }
}

void CpuRoleWriter::compare_operands(const Operand& left, const Operand& right) {
  const int bytes = wide(left) || wide(right) ? 8 : 4;
  const Reg a = operand(left, bytes, to_->scratch(0));
  to_->compare(a, operand(right, bytes, to_->scratch(1)), bytes);
}

void CpuRoleWriter::write_compute(const Compute& compute) {
  const Reg target = registers_[compute.target.index];
  const int bytes = bytes_of(compute.target);
  if (compute.op >= ComputeOp::eq) {
    compare_operands(compute.left, *compute.right);
    to_->set_if(target, as_compare(compute.op));
    return settle(compute.target, 4);
  }
  const Reg left = operand(compute.left, bytes, to_->scratch(0));
  if (compute.op == ComputeOp::mov) {
    if (left != target) to_->move(target, left, bytes);
  } else if (compute.op == ComputeOp::not_) {
    to_->invert(target, left, bytes);
  } else if (compute.op == ComputeOp::neg) {
    to_->negate(target, left, bytes);
  } else {
    const Reg right = operand(*compute.right, bytes, to_->scratch(1));
    CpuAlu op = CpuAlu::add;
    switch (compute.op) {
      case ComputeOp::sub:
        op = CpuAlu::sub;
        break;
      case ComputeOp::mul:
        op = CpuAlu::mul;
        break;
      case ComputeOp::and_:
        op = CpuAlu::and_;
        break;
      case ComputeOp::or_:
        op = CpuAlu::or_;
        break;
      case ComputeOp::xor_:
        op = CpuAlu::xor_;
        break;
      case ComputeOp::shl:
        op = CpuAlu::shl;
        break;
      case ComputeOp::shr:
        op = is_signed(thread_.registers[compute.target.index].type) ? CpuAlu::sar : CpuAlu::shr;
        break;
      default:
        break;
    }
    to_->alu(op, target, left, right, bytes);
  }
  settle(compute.target, bytes);
}

// The two choices are computed first, so that nothing comes between the comparison and the selection.
void CpuRoleWriter::write_select(const Select& select) {
  const int bytes = bytes_of(select.target);
  const Reg yes = operand(select.yes, bytes, to_->scratch(2));
  const Reg no = operand(select.no, bytes, to_->scratch(3));
  compare_operands(select.condition.left, select.condition.right);
  to_->select_if(registers_[select.target.index], select.condition.op, yes, no, bytes);
  settle(select.target, bytes);
}

void CpuRoleWriter::write_branch(std::size_t position, const Branch& branch_) {
  const std::size_t target = position_of_label(thread_.instructions, branch_.label);
  const std::uint32_t to = instruction_labels_[target];
  if (branch_.condition) compare_operands(branch_.condition->left, branch_.condition->right);
  if (target > position) return branch_.condition ? to_->branch_if(branch_.condition->op, to) : to_->branch(to);
  if (!branch_.condition) return to_->spend(*budget_, to, end_);
  const std::uint32_t past = to_->new_label();
  to_->branch_if(litmus::negate(branch_.condition->op), past);
  to_->spend(*budget_, to, end_);
  to_->label(past);
}

void CpuRoleWriter::write_results() {
  if (!results_) return;
  if (row_) to_->row_pointer(*results_, *row_, static_cast<std::int32_t>(4 * used_.size()), *results_base_);
  for (const CpuResult& result : input_.results) {
    to_->store_result(registers_[result.reg], bytes_of({result.reg}), *results_, result.offset);
  }
  if (input_.unfinished) {
    to_->compare(*budget_, operand(Value{}, 4, to_->scratch(0)), 4);
    to_->set_if(to_->scratch(1), CompareOp::eq);
    to_->store_result(to_->scratch(1), 4, *results_, *input_.unfinished);
  }
}

}  // namespace weakspot::codegen
