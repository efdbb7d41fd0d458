// SPDX-License-Identifier: MIT
#include "codegen/harness/weakened.h"

#include <string>
#include <utility>
#include <vector>

namespace weakspot::codegen {
namespace {

using namespace litmus;

Order without_release(Order order) {
  if (order == Order::acq_rel) return Order::acquire;
  return is_release(order) ? Order::relaxed : order;
}

Order without_acquire(Order order) {
  if (order == Order::acq_rel) return Order::release;
  return is_acquire(order) || order == Order::consume ? Order::relaxed : order;
}

Scope narrowed(Scope scope) {
  switch (scope) {
    case Scope::thread:
    case Scope::subgroup:
      return scope;
    default:
      return Scope::workgroup;
  }
}

// One read-modify-write as the load and the store that a careless compiler would make of it.
class Split {
 public:
  Split(Thread& thread, std::vector<Instruction>& out, const Rmw& rmw, const std::optional<Guard>& guard)
      : thread_(thread), out_(out), rmw_(rmw), guard_(guard), type_(rmw.access.type), old_(make(type_)) {}

  void write() {
    Access from = rmw_.access;
    from.order =
        is_acquire(from.order) || from.order == Order::consume ? half(from.order, Order::acquire) : Order::relaxed;
    put(Load{old_, from});
    std::optional<Guard> guard = guard_;
    if (rmw_.op == RmwOp::cas) guard = Guard{compared(), false};
    Access to = rmw_.access;
    to.order = is_release(to.order) ? half(to.order, Order::release) : Order::relaxed;
    const Operand value = result();
    out_.push_back({Store{to, value, std::nullopt}, guard, {}});
    if (rmw_.success) put(Compute{ComputeOp::mov, *rmw_.success, guard->predicate, std::nullopt});
    if (rmw_.target) put(Compute{ComputeOp::mov, *rmw_.target, old_, std::nullopt});
  }

 private:
  static Order half(Order order, Order side) { return order == Order::seq_cst ? Order::seq_cst : side; }

  RegisterId make(Type type) {
    const auto id = static_cast<std::uint32_t>(thread_.registers.size());
    thread_.registers.push_back({"split" + std::to_string(id), type, {}});
    return {id};
  }

  void put(Operation operation) { out_.push_back({std::move(operation), guard_, {}}); }

  RegisterId compute(ComputeOp op, Type type, const Operand& left, const Operand& right) {
    const RegisterId to = make(type);
    put(Compute{op, to, left, right});
    return to;
  }

  RegisterId select(CompareOp op, const Operand& right, const Operand& yes, const Operand& no) {
    const RegisterId to = make(type_);
    put(Select{to, {op, old_, right}, yes, no});
    return to;
  }

  // Whether a compare-and-swap writes: the old value is the expected one, and the instruction's own guard holds.
  RegisterId compared() {
    const RegisterId holds = compute(ComputeOp::eq, Type::s32, old_, *rmw_.expected);
    if (!guard_) return holds;
    const RegisterId both = make(Type::s32);
    const ComputeOp op = guard_->negated ? ComputeOp::eq : ComputeOp::ne;
    out_.push_back({Compute{op, both, guard_->predicate, integer(0)}, std::nullopt, {}});
    out_.push_back({Compute{ComputeOp::and_, both, both, holds}, std::nullopt, {}});
    return both;
  }

  Operand result() {
    const Operand& operand = rmw_.operand;
    switch (rmw_.op) {
      case RmwOp::exch:
      case RmwOp::cas:
        return operand;
      case RmwOp::add:
        return compute(ComputeOp::add, type_, old_, operand);
      case RmwOp::sub:
        return compute(ComputeOp::sub, type_, old_, operand);
      case RmwOp::and_:
        return compute(ComputeOp::and_, type_, old_, operand);
      case RmwOp::or_:
        return compute(ComputeOp::or_, type_, old_, operand);
      case RmwOp::xor_:
        return compute(ComputeOp::xor_, type_, old_, operand);
      case RmwOp::min:
        return select(CompareOp::lt, operand, old_, operand);
      case RmwOp::max:
        return select(CompareOp::gt, operand, old_, operand);
      case RmwOp::inc:
        return select(CompareOp::ge, operand, integer(0), compute(ComputeOp::add, type_, old_, integer(1)));
      case RmwOp::dec: {
        const RegisterId less = compute(ComputeOp::sub, type_, old_, integer(1));
        return select(CompareOp::eq, integer(0), operand, select(CompareOp::gt, operand, operand, less));
      }
    }
    return operand;
  }

  Thread& thread_;
  std::vector<Instruction>& out_;
  const Rmw& rmw_;
  const std::optional<Guard>& guard_;
  Type type_;
  RegisterId old_;
};

void split_rmws(Thread& thread) {
  std::vector<Instruction> out;
  for (const Instruction& instruction : std::exchange(thread.instructions, {})) {
    if (const auto* rmw = std::get_if<Rmw>(&instruction.operation)) {
      Split(thread, out, *rmw, instruction.guard).write();
    } else {
      out.push_back(instruction);
    }
  }
  thread.instructions = std::move(out);
}

void narrow_scopes(Thread& thread) {
  for (Instruction& instruction : thread.instructions) {
    if (Access* access = access_of(instruction); access != nullptr && access->order != Order::plain) {
      access->scope = narrowed(access->scope);
    }
    if (auto* fence = std::get_if<Fence>(&instruction.operation)) fence->scope = narrowed(fence->scope);
  }
}

}  // namespace

LitmusTest weakened(LitmusTest test, Weaken weaken) {
  for (Thread& thread : test.threads) {
    switch (weaken) {
      case Weaken::none:
        break;
      case Weaken::release:
      case Weaken::acquire:
        for (Instruction& instruction : thread.instructions) {
          Access* access = access_of(instruction);
          if (access == nullptr) continue;
          access->order = weaken == Weaken::release ? without_release(access->order) : without_acquire(access->order);
          auto* rmw = std::get_if<Rmw>(&instruction.operation);
          if (rmw != nullptr && weaken == Weaken::acquire) rmw->failure_order = without_acquire(rmw->failure_order);
        }
        break;
      case Weaken::fence:
        std::erase_if(thread.instructions, [](const Instruction& instruction) {
          return std::holds_alternative<Fence>(instruction.operation);
        });
        break;
      case Weaken::scope:
        narrow_scopes(thread);
        break;
      case Weaken::rmw:
        split_rmws(thread);
        break;
    }
  }
  return test;
}

}  // namespace weakspot::codegen
